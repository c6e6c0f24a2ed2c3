"""The rules of ``dict``, against finite differences."""

import pytest

from chainrules_core import NoTangent, Tangent, ZeroTangent, rrule
from tests.chainrules.container_checks import check_both_modes
from tests.chainrules.rule_checks import normal


@pytest.mark.parametrize(
    "xs",
    [
        {"a": 1.5, "b": normal(2)},
        {},
        {"a": "on"},
        [("a", 1.5), ("b", 2.5)],
        (("a", 1.5), ["b", normal(2)]),
        [("a", 1.5), ("b", 2.5), ("a", 3.5)],
    ],
)
def test_dict(xs):
    """Of a dict, and of pairs; of several with one key the last counts."""
    check_both_modes(dict, xs)


@pytest.mark.parametrize("xs", [{"a": 1.5, "b": 2.5}, [("a", 1.5), ("b", 2.5)]])
def test_values_by_keyword_are_constants(xs):
    """Values by keyword are constants, and take the place of others."""
    y, pullback = rrule(dict, xs, b=4.5)
    assert y == {"a": 1.5, "b": 4.5}
    xs_bar = pullback(Tangent[dict]({"a": 1.0, "b": 2.0}))[1]
    wanted = {
        dict: Tangent[dict]({"a": 1.0}),
        list: Tangent[list](Tangent[tuple](NoTangent(), 1.0), ZeroTangent()),
    }
    assert xs_bar == wanted[type(xs)]


def test_dict_of_an_iterator():
    """It is read once."""
    y, pullback = rrule(dict, zip("ab", (1.5, 2.5), strict=True))
    assert y == {"a": 1.5, "b": 2.5}
    assert pullback(Tangent[dict]({"a": 1.0}))[1][0] == Tangent[tuple](NoTangent(), 1.0)
