"""From the call of a hook back to Python's own syntax."""

import ast

import pytest

from chainrules.ad.syntax.native_code import (
    can_be_twice,
    computed,
    hook_of,
    index,
    is_constant,
    is_simple,
)
from chainrules.ad.syntax.rewriting import Rewriting


def hooked(expression):
    """An expression with hooks."""
    return Rewriting().visit(ast.parse(expression, mode="eval")).body


@pytest.mark.parametrize("expression", ["a + b", "a @ b", "a << b", "a < b", "a != b", "a in b", "-a", "~a"])
def test_there_and_back(expression):
    """What the rewriting made of an operator is that operator again."""
    call = hooked(expression)
    assert ast.unparse(computed(hook_of(call), call.args, call)) == expression


@pytest.mark.parametrize("inside", ["1:", ":", "i, ::2", "i:j, k"])
def test_slices(inside):
    """They have colons again."""
    call = hooked(f"a[{inside}]")
    assert ast.unparse(index(call.args[1])).strip("()") == inside


def test_hooks():
    """Their names; other calls have none."""
    assert hook_of(hooked("a.b")) == "attribute"
    assert hook_of(ast.parse("'text'(a)", mode="eval").body) is None
    assert hook_of(ast.parse("f(a)", mode="eval").body) is None


def test_kinds():
    """What may be evaluated twice, and what may stand twice."""
    parsed = {text: ast.parse(text, mode="eval").body for text in ("1", "-1", "a", "a.b", "[a for a in b]")}
    assert [is_constant(node) for node in parsed.values()] == [True, True, False, False, False]
    assert [is_simple(node) for node in parsed.values()] == [True, True, True, False, False]
    assert [can_be_twice(node) for node in parsed.values()] == [True, True, True, True, False]


def test_long_expressions():
    """An expression of so many nodes may stand twice, and none of more."""
    display = ast.parse(str((1,) * 58), mode="eval").body
    assert len(list(ast.walk(display))) == 60
    assert can_be_twice(display)
    display.elts.append(ast.Constant(1))
    assert not can_be_twice(display)
