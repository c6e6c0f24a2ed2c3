"""A traced number is found in dicts and sets by its value, or by itself."""

from collections import defaultdict

import pytest

from chainrules.ad import grad
from chainrules.ad.interception.choosing.looking_up import key_for, looking_up
from tests.chainrules.ad.while_traced import while_traced
from tests.python_calls import functions_run_by


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        (lambda x: {2.5: "found"}[x], "found"),
        (lambda x: {2.5: "found"}.get(x), "found"),
        (lambda x: {1.0: "found"}.get(x, "other"), "other"),
        (lambda x: dict.get({2.5: "found"}, x), "found"),
        (lambda x: defaultdict(str, {2.5: "found"}).get(x), "found"),
        (lambda x: {2.5: "found"}.pop(x), "found"),
        (lambda x: {2.5: "found"}.setdefault(x, "other"), "found"),
        (lambda x: x in {2.5}, True),
        (lambda x: x in frozenset({1.0}), False),
        (lambda x: x in frozenset({2.5}), True),
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


def test_equal_numbers():
    """They are one key and one item, that which came first, with its derivative."""

    def f(x):
        same, other = x * 1.0, x * 2.0
        table = {x: 1.0}
        table[same] = 3.0
        table[other] = 5.0
        assert len(table) == len(dict.fromkeys(table, 0)) == 2
        assert table[x * 1.0] == table.get(same) == 3.0
        seen = set()
        for item in (x, same, other):
            seen.add(item)
        seen.discard(other * 1.0)
        assert len(seen) == 1
        assert same in seen
        assert other not in seen
        seen.remove(2.0 * x / 2.0)
        assert not seen
        items = [x, same, other, 2.5]
        assert len(set(items)) == 2
        assert len(frozenset((x, same, 2.5))) == len({x, same, 2.5}) == 1
        assert len({*items, same}) == len({item for item in items if item}) == 2
        assert {1.0} == {1.0 for _ in items}
        assert set() == frozenset()
        assert set("aab") == {"a", "b"}
        return sum(frozenset(3.0 * item for item in items[:2])) + min(frozenset([x, same])) + min({same, x})

    assert grad(f)(2.5) == 5.0


def test_plain_keys():
    """They are looked up as they are, and nothing else is done."""
    table, look_up = {1: 2}, looking_up(dict.get)
    assert set(functions_run_by(lambda: key_for(table, 3))) == {"key_for"}
    assert set(functions_run_by(lambda: look_up(table, 3))) == {look_up.__qualname__}
    with pytest.raises(TypeError, match="at least 1 argument"):
        grad(lambda x: x * {}.get())(1.0)
