"""Expressions as they were written, and the tests that say where they may be."""

import ast

from chainrules.ad.syntax.rewritten import (
    Rewritten,
    all_of,
    as_arguments,
    can_be_twice,
    final,
    is_constant,
    is_simple,
    text_of,
    together,
)


def parsed(text):
    """An expression."""
    return ast.parse(text, mode="eval").body


def plain(*names):
    """The tests that some variables are numbers or text."""
    return {name: (parsed(name), "plain") for name in names}


def test_kinds():
    """What may be evaluated twice, and what may stand twice."""
    nodes = [parsed(text) for text in ("1", "-1", "a", "a.b", "[a for a in b]")]
    assert [is_constant(node) for node in nodes] == [True, True, False, False, False]
    assert [is_simple(node) for node in nodes] == [True, True, True, False, False]
    assert [can_be_twice(node) for node in nodes] == [True, True, True, True, False]


def test_long_expressions():
    """An expression of so many nodes may stand twice, and none of more."""
    display = parsed(str((1,) * 58))
    assert len(list(ast.walk(display))) == 60
    assert can_be_twice(display)
    display.elts.append(ast.Constant(1))
    assert not can_be_twice(display)


def test_texts():
    """What is the same has the same; anything else has its own."""
    assert [text_of(parsed(text)) for text in ("a", "a.b", "1")] == ["a", "a.b", "1"]
    assert text_of(parsed("a[0]")) != text_of(parsed("b[0]"))


def test_together():
    """Each is asked once, and strictly if one of them is strict; so many are asked at most."""
    merged = together(plain("a", "b"), as_arguments(plain("b")), plain("b"))
    assert [name for _, name in merged.values()] == ["plain", "called with"]
    assert together(plain(*"abcdefghij")) is not None
    assert together(plain(*"abcdefghijk")) is None


def test_questions():
    """They are asked in their order."""
    text = ast.unparse(all_of(plain("a", "b"), parsed("a")))
    assert text.index("(a)") < text.index("(b)")


def test_final():
    """With the tests in front, if there are any."""
    one, other = parsed("a"), parsed("b")
    assert final(Rewritten(one)) is one
    assert final(Rewritten(one, other, {}, True)) is one
    assert ast.unparse(final(Rewritten(one, other, plain("c"), True))).startswith("b if ")


def test_variables_are_cleared():
    """Where the tests do not hold, and before anything else is evaluated."""
    tests = {"v": (parsed("(v := c[0])"), "plain")}
    assert ast.unparse(final(Rewritten(parsed("a"), parsed("b"), tests, True))).endswith(
        "else (v := None) or a"
    )
