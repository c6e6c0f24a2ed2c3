"""A traced number is found in dicts and sets by its value, or by itself."""

import pytest

from chainrules.ad import grad
from tests.chainrules.ad.while_traced import while_traced


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        (lambda x: {2.5: "found"}[x], "found"),
        (lambda x: {2.5: "found"}.get(x), "found"),
        (lambda x: {1.0: "found"}.get(x, "other"), "other"),
        (lambda x: {2.5: "found"}.pop(x), "found"),
        (lambda x: {2.5: "found"}.setdefault(x, "other"), "found"),
        (lambda x: x in {2.5}, True),
        (lambda x: x in frozenset({1.0}), False),
        (lambda x: x not in {2.5: 1}, False),
        (lambda x: x in [1.0, 2.5], True),
        (lambda x: {x: "itself"}[x], "itself"),
        (lambda x: {x: "itself"}.get(x), "itself"),
        (lambda x: x in {x}, True),
        (lambda x: {"key": "found"}.get("key"), "found"),
    ],
)
def test_looking_up(look, expected):
    """As for the value that is carried."""
    assert while_traced(2.5, look) == expected


def test_what_is_found_may_be_traced():
    """Its derivative is kept."""
    assert grad(lambda x: {2.5: 3.0 * x}[x] + {2.5: x}.get(x))(2.5) == 4.0
    with pytest.raises(KeyError):
        grad(lambda x: {1.0: 2.0}[x])(2.5)
