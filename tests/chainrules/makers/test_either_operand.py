"""Rules of functions of two operands, of which either may be of some kind."""

import numpy as np
import pytest

from chainrules.makers.either_operand import either_operand
from chainrules_core import NoTangent, frule, rrule
from chainrules_core.dispatch.rule_location import place_of_rule
from chainrules_testutils import test_frule, test_rrule


def product(x, y):
    """A function of two numbers."""
    return x * y


def push_product(tangents, x, y):
    """Its derivative forwards."""
    _, x_dot, y_dot = tangents
    return x * y, x_dot * y + x * y_dot


def pull_product(x, y):
    """Its derivative backwards."""
    return x * y, lambda z_bar: (NoTangent(), z_bar * y, z_bar * x)


either_operand(product, np.float64, float, push_product, pull_product)

OF_KIND, OTHER = np.float64(2.0), 3.0


@pytest.mark.parametrize("operands", [(OF_KIND, OTHER), (OTHER, OF_KIND), (OF_KIND, OF_KIND)], ids=str)
def test_either_or_both(operands):
    """Either place, and both: which would be an ambiguity without precedences."""
    test_frule(product, *operands)
    test_rrule(product, *operands)


def test_neither_is_not_served():
    """Two operands of the other kind are for other rules."""
    assert rrule(product, OTHER, OTHER) is None
    assert frule((NoTangent(), 1.0, 1.0), product, OTHER, OTHER) is None


def test_names_and_places():
    """The rules are named for the function, and stand where the maker was called."""
    methods = [*rrule.methods(product), *frule.methods(product)]

    assert sorted(method.name for method in methods) == ["product_frule"] * 2 + ["product_rrule"] * 2
    assert {place_of_rule(method.function)[0] for method in methods} == {__file__}
