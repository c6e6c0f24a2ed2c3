"""What tests in front of hooks are made of."""

import ast

import numpy as np
import pytest

from chainrules.ad.syntax.guard_parts import (
    all_of,
    cleared,
    clearing_args,
    clearing_index,
    constant,
    is_indexed,
    is_of,
    last_use_of,
    same_or_plain,
)
from chainrules.ad.syntax.hooks import CONSTANTS, placeholder


def parsed(expression):
    """An expression."""
    return ast.parse(expression, mode="eval").body


def evaluated(node, **names):
    """Its value, with the constants in the place of their placeholders; and the variables."""
    tree = ast.fix_missing_locations(ast.Expression(node))
    text = ast.unparse(tree)
    for name, value in list(CONSTANTS.items()):
        text = text.replace(repr(name), f"constants[{name!r}]")
        names.setdefault("constants", {})[name] = value
    return eval(text, names), names


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [(1.0, 2.0, True), (1, 2.0, True), ([], 2.0, False), (1.0, [], False), ([], [], False)],
)
def test_questions(x, y, expected):
    """Both operands are evaluated, whatever the first is."""
    a, b = parsed("x"), parsed("y")
    held_a, held_b = parsed("(a := x)"), parsed("(b := y)")
    answer, names = evaluated(same_or_plain(held_a, a, held_b, b, a), x=x, y=y)
    assert bool(answer) is expected
    assert (names["a"], names["b"]) == (x, y)


@pytest.mark.parametrize(
    ("index", "kinds", "kinds_without_arrays"),
    [
        ("0", "list dict array", "list dict"),
        ("i", "list dict array", "list dict"),
        ("i + 1", "list array", "list"),
    ],
)
def test_what_is_indexed(index, kinds, kinds_without_arrays):
    """Containers and arrays; a dict if the index is plain to see; no arrays where a view is to be noted."""
    values = {"list": [1.0], "dict": {0: 1.0}, "array": np.ones(1), "object": object()}

    def found(with_arrays):
        x, at = parsed("x"), parsed(index)
        return " ".join(
            kind
            for kind, value in values.items()
            if evaluated(is_indexed(x, at, x, with_arrays), x=value, i=0)[0]
        )

    assert found(with_arrays=True) == kinds
    assert found(with_arrays=False) == kinds_without_arrays


def test_sets():
    """A value among the constants is known by its name."""
    numbers = frozenset({int})
    node = is_of(parsed("x"), constant("of this test", numbers, parsed("x")))
    try:
        assert evaluated(node, x=1)[0]
        assert not evaluated(node, x=True)[0]
    finally:
        del CONSTANTS[placeholder("of this test")]


@pytest.mark.parametrize("index", ["i", "0", "i:", ":i", "::2", "(i, 0)"])
def test_variables_are_cleared(index):
    """When the index is evaluated, and not before the variable was read."""
    node = ast.parse(f"t[{index}]", mode="eval").body
    expected = ast.unparse(node)
    node.slice = clearing_index(node.slice, cleared([parsed("t")], node))
    items = {0: "zero", 1: "one", (1, 0): "both"} if index in {"i", "0", "(i, 0)"} else [1, 2, 3]
    answer, names = evaluated(node, t=items, i=1)
    assert names["t"] is None
    assert answer == eval(expected, {"t": items, "i": 1})


@pytest.mark.parametrize("call", ["f(a, b)", "f(*a)", "f(a=b)"])
def test_arguments_that_clear(call):
    """The first argument does, of whatever kind it is."""
    node = parsed(call)
    node.args, node.keywords = clearing_args(node, cleared([parsed("t")], node))
    seen = {}

    def f(*args, **kwargs):
        return args, kwargs

    seen, names = evaluated(node, f=f, a=[1], b=2, t="held")
    assert names["t"] is None
    assert seen == eval(call, {"f": f, "a": [1], "b": 2})


def test_one_question():
    """It is asked by itself; several are asked in turn."""
    one, other = parsed("x"), parsed("y")
    assert all_of([one], one) is one
    assert ast.unparse(all_of([one, other, one], one)) == "x and y and x"


def test_last_use():
    """The value, and the variable is cleared."""
    answer, names = evaluated(last_use_of(parsed("t")), t="held")
    assert (answer, names["t"]) == ("held", None)
