"""Attributes, items and what is gone through: each by its hook."""

import ast

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.interception.choosing.choosing import choose as intercepted
from tests.chainrules.ad.syntax.rewritten_text import rewritten_text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a.b", "_attribute(a, 'b')"),
        ("a.b.c", "_attribute(_attribute(a, 'b'), 'c')"),
        ("a[i]", "_getitem(a, i)"),
        ("a[i, 2]", "_getitem(a, (i, 2))"),
        ("a[1:]", "_getitem(a, _slice(1, None, None))"),
        ("a[:, i:j:k]", "_getitem(a, (_slice(None, None, None), _slice(i, j, k)))"),
        ("a[*i]", "_getitem(a, (*_unpack(i),))"),
        ("a.__b", "_attribute(a, '__b')"),
        (
            "class __A:\n    a.__b, a.__b__",
            "class __A:\n    (_attribute(a, '_A__b'), _attribute(a, '__b__'))",
        ),
        ("class A(a.__b):\n    pass", "class A(_attribute(a, '__b')):\n    pass"),
        ("class _:\n    a.__b", "class _:\n    _attribute(a, '__b')"),
        ("super().b", "_attribute(super(), 'b')"),
        ("import a\ndef f(a):\n    a.b", "import a\n\ndef f(a):\n    _attribute(a, 'b')"),
        ("import a\nfor a in b:\n    a.b", "import a\nfor a in _iter(b):\n    _attribute(a, 'b')"),
        ("f(*a, **b)", "_call(f)(*_unpack(a), **b)"),
        ("*a, b = c", "*a, b = c"),
        ("def f():\n    yield from a", "def f():\n    yield from _iter(a)"),
    ],
)
def test_rewritten(source, expected):
    """Each by its hook."""
    assert rewritten_text(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "a.b = c",
        "a[i] = c",
        "del a[i], a.b",
        "import a.b as c\nc.d",
        "import a.b\na.d",
        "*a, b = c",
    ],
)
def test_left_alone(source):
    """Names of modules, and what is written into where a module is imported."""
    assert rewritten_text(source) == ast.unparse(ast.parse(source))


def test_rows():
    """What has items may be an item or an attribute itself; it is not kept."""

    class Table:
        """Rows of numbers."""

        def __init__(self, rows):
            self.rows = rows

    def program(x):
        table = Table([[1.0, 2.0], [x, 3.0], np.array([4.0, 5.0])])
        total = 0.0
        for i in range(3):
            for j in range(2):
                total += table.rows[i][j] * table.rows[i - 1][j - 1] + table.rows[i][j]
        return total

    assert intercepted(program)(0.5) == program(0.5)
    slope = (program(0.5 + 1e-6) - program(0.5 - 1e-6)) / 2e-6
    assert np.isclose(grad(program)(0.5), slope)


def test_indices_that_are_objects():
    """A method of theirs that Python calls is called as often as without interception."""

    class Index:
        """The second."""

        n = 0

        def __index__(self):
            self.n += 1
            return 1

    def program(x):
        index, items = Index(), [x, []]
        if items[index]:
            return 0
        return items[index] is None, not items[index], index.n

    assert intercepted(program)(1.0) == program(1.0) == (False, True, 3)


def test_lengths_behind_a_star():
    """Python asks for the length of what it unpacks, and goes on to the hint where there is none."""
    asked = []

    class Counted:
        def __init__(self, items):
            self.items = items

        def __iter__(self):
            return iter(self.items)

        def __len__(self):
            raise asked.append("len") or TypeError

        def __length_hint__(self):
            return asked.append("hint") or 2

    def program(x):
        return sum([x, *Counted([x, x])]) + max(*Counted([x]), 0.0)

    assert (program(2.0), grad(program)(2.0)) == (8.0, 4.0)
    assert asked == 4 * ["len", "hint"]
