"""That every function of every basis has its rules."""

import pytest

from chainrules_core import frule, rrule
from tests.chainrules.makers.series.bases import in_every_basis
from tests.chainrules.rule_checks import check_quickly, normal

# Of higher order: NumPy's function calls a function of the caller's.
WITHOUT_RULES = {"chebinterpolate"}


@in_every_basis
@pytest.mark.parametrize("rules", [frule, rrule], ids=["frule", "rrule"])
def test_every_function_has_rules(basis, rules):
    """Classes and constants aside."""
    functions = [
        getattr(basis.module, name)
        for name in basis.module.__all__
        if callable(getattr(basis.module, name)) and not isinstance(getattr(basis.module, name), type)
    ]

    assert {f.__name__ for f in functions if not rules.methods(f)} <= WITHOUT_RULES


@in_every_basis
@pytest.mark.parametrize("name", ["add", "sub", "mul", "mulx", "div", "der", "int", "val", "vander"])
def test_rules_are_those_of_their_functions(basis, name):
    """One call of each kind."""
    others = {"mulx": (), "der": (), "int": (), "vander": (3,)}.get(name, (normal(2, seed=1),))
    args = (normal(3), *others)

    check_quickly(basis(name), *(args[::-1] if name == "val" else args))
