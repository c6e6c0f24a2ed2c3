"""Operators, comparisons and conditions go through hooks of their own."""

import ast

import pytest

from chainrules.ad.interception.choosing.choosing import choose as intercepted
from tests.chainrules.ad.syntax.rewritten_text import rewritten_text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a + b", "_add(a, b)"),
        ("a @ b ** c", "_matmul(a, _pow(b, c))"),
        ("-a * ~b", "_mul(_neg(a), _invert(b))"),
        ("'%s' % a", "_mod('%s', a)"),
        ("a < b", "_lt(a, b)"),
        ("a in b", "_in(a, b)"),
        ("a not in b", "_not in(a, b)"),
        ("a << b | c >> d & e ^ f", "_or_(_lshift(a, b), _xor(_and_(_rshift(c, d), e), f))"),
        ("if a:\n    pass", "if _truth(a):\n    pass"),
        (
            "while a and (b or not c):\n    pass",
            "while _truth(a) and (_truth(b) or not _truth(c)):\n    pass",
        ),
        ("a if b else c", "a if _truth(b) else c"),
        ("assert a, b", "assert _truth(a), b"),
        ("not -a", "not _truth(_neg(a))"),
        ("a < b < c", "_truth(_lt(a, b)) and _lt(b, c)"),
        ("a < b < c < f()", "_truth(_lt(a, b)) and _truth(_lt(b, c)) and _lt(c, _call(f)())"),
        ("f() <= 1 in b is not c", "_truth(_le(_call(f)(), 1)) and _truth(_in(1, b)) and (not _is(b, c))"),
        ("a is True", "_is(a, True)"),
        ("while a is b and a is not c:\n    pass", "while _is(a, b) and (not _is(a, c)):\n    pass"),
    ],
)
def test_rewritten(source, expected):
    """Each by its hook."""
    assert rewritten_text(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "1 + 2",
        "-1",
        "1 << 2",
        "a is None",
        "f'{a}' + b",
        "'a' in b",
        "a and b",
        "if True:\n    pass",
        "while a is not ...:\n    pass",
    ],
)
def test_left_alone(source):
    """Constants, and what evaluates its parts in its own order."""
    assert rewritten_text(source) == ast.unparse(ast.parse(source))


def test_chains_that_call():
    """What stands between is evaluated once."""
    assert rewritten_text("a < f() < b") == "a < _call(f)() < b"
    assert rewritten_text("a < b < f() < c") == "a < b < _call(f)() < c"


@pytest.mark.parametrize(
    "text", ["a * a - 2 * a + 1", "-a ** 2 < b", "a[0] * 2", "a.b * 2", "a in b", "f'{a}:{b}'"]
)
def test_numbers(text):
    """An expression of numbers and text is evaluated as it was written; in libraries it is not asked for."""
    assert " if _type(a) in " in rewritten_text(text, is_guarded=True)
    assert "_type" not in rewritten_text(text)


def test_long_expressions():
    """So many variables are asked at once, and no more."""
    letters = "abcdefghijk"
    assert rewritten_text(" + ".join(letters[:10]), is_guarded=True).startswith(" + ".join(letters[:10]))
    assert rewritten_text(" + ".join(letters), is_guarded=True).startswith("_add(a + b")


def test_errors():
    """They are Python's own."""

    def program(a, b):
        return a[0] / b[1] - a[2]

    for values in (([1.0], [0.0, 0.0]), ([1.0, 2.0, 3.0], [1.0, 0.0]), (["a"], [1.0, 2.0])):
        with pytest.raises((IndexError, ZeroDivisionError, TypeError)) as expected:
            program(*values)
        with pytest.raises((IndexError, ZeroDivisionError, TypeError)) as caught:
            intercepted(program)(*values)
        assert caught.type in {expected.type, IndexError}  # what is read is read before anything is computed
