"""Items and attributes of ordinary objects are assigned as the program says, past the hooks."""

import ast

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.interception.choosing.choosing import choose as intercepted
from chainrules.ad.syntax.guarded_stores import GuardedStores
from chainrules.ad.syntax.rewriting import Rewriting
from tests.chainrules.ad.syntax.test_guards import readable


def rewritten(statement, before=""):
    """A statement in a function, with the constants' names as functions."""
    source = f"def f():\n    {before}\n    {statement}" if before else f"def f():\n    {statement}"
    tree = GuardedStores(source).visit(Rewriting().visit(ast.parse(source)))
    return readable("\n".join(map(ast.unparse, tree.body[0].body[bool(before) :])))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (
            "a += b",
            "if _type(a) in _plain and _type(b) in _plain:\n    a += b\nelse:\n    a = _iadd(a, b)",
        ),
        (
            "a.b = c",
            "if _type(a) in _to_assign_b:\n    a.b = c\nelse:\n    _set_attribute(c, a, 'b', _to_assign_b)",
        ),
        (
            "a[0] = 1",
            "if _type(a) in _stored_into_or_dict:\n    a[0] = 1\nelse:\n    _set_item(1, a, 0)",
        ),
        (
            "a.b += 1",
            """\
if _type(a) in _to_read_b and _type(a) in _to_assign_b:
    a.b = v1 + 1 if _type((v1 := a.b)) in _plain else _iadd(v1, 1, (v1 := None))
else:
    _iadd_attribute(a, 'b', 1, _to_read_b, _to_assign_b)""",
        ),
        (
            "a.b.c += 1",
            "_iadd_attribute(a.b if _type(a) in _to_read_b else _attribute(a, 'b', _to_read_b), 'c', 1)",
        ),
        (
            "a.b[i] += c",
            "_iadd_item(a.b if _type(a) in _to_read_b else _attribute(a, 'b', _to_read_b), i, c)",
        ),
        ("a[b + 1] += c", "_iadd_item(a, b + 1 if _type(b) in _plain else _add(b, 1), c)"),
        (
            "a[1:] = b",
            "if _type(a) in _stored_into:\n    a[1:] = b\nelse:\n    _set_item(b, a, _slice(1, None, None))",
        ),
        ("a[[b for b in (1, 2)]] = c", "_set_item(c, a, [b for b in (1, 2)])"),
        ("a.b[0] = 1", "_set_item(1, a.b if _type(a) in _to_read_b else _attribute(a, 'b', _to_read_b), 0)"),
        (
            "a[i] += 1",
            """\
if _type(a) in _stored_into or (_type(a) in _dict and _type(i) in _plain):
    a[i] = v1 + 1 if _type((v1 := a[i])) in _plain else _iadd(v1, 1, (v1 := None))
else:
    _iadd_item(a, i, 1)""",
        ),
    ],
)
def test_rewritten(statement, expected):
    """What was written, where the very classes of all operands say so; the hook otherwise."""
    assert rewritten(statement) == expected


def test_a_value_that_is_more_than_a_name_is_evaluated_once_and_first():
    """It is kept in a variable that is deleted at once."""
    lines = rewritten("a.b = f()").splitlines()
    assert lines[0] == "v1 = _new_call(f)()"
    assert lines[-1] == "del v1"


@pytest.mark.parametrize("before", ["global a", "nonlocal a", "global b, \\\n        a", "b = (a := c)"])
def test_names_of_others(before):
    """What another function may assign to is read before the value is evaluated."""
    assert rewritten("a += f()", before).startswith("a = ")


class Counter:
    """A class that is ordinary until it is not."""

    def __init__(self):
        self.n = 0.0
        self.table = {"a": 0.0}


def test_classes_that_change_their_kind_of_values():
    """Attributes and items hold plain numbers first, and traced ones later."""

    def program(x):
        counter = Counter()
        for v in (1.0, 2, x, 3.0):
            counter.n += v * v
            counter.table["a"] += counter.n
            counter.n = counter.n * 2.0
        return counter.n + counter.table["a"]

    assert intercepted(program)(0.5) == program(0.5)
    slope = (program(0.5 + 1e-6) - program(0.5 - 1e-6)) / 2e-6
    assert np.isclose(grad(program)(0.5), slope)


def test_setters():
    """A class with a setter, or with a method for all assignments, is asked each time."""

    class Noting:
        """Doubles what it is given."""

        def __setattr__(self, name, value):
            object.__setattr__(self, name, np.sin(value))

        @property
        def half(self):
            """Half of what was set."""
            return self.value / 2.0

    def program(x):
        noting = Noting()
        total = 0.0
        for v in (1.0, x, 2.0):
            noting.value = v
            noting.value += v
            total += noting.half
        return total

    assert intercepted(program)(0.5) == program(0.5)
    slope = (program(0.5 + 1e-6) - program(0.5 - 1e-6)) / 2e-6
    assert np.isclose(grad(program)(0.5), slope)
