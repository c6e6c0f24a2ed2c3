"""What is asked for its truth goes through a hook, and so does each comparison in a chain."""

import ast

import pytest

from chainrules.ad.syntax.conditions import Conditions


def rewritten(source):
    """The text, rewritten, with the hooks' names as functions."""
    text = ast.unparse(Conditions().visit(ast.parse(source)))
    return text.replace("'<chainrules.ad: ", "_").replace(">'(", "(")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("if a:\n    pass", "if _truth(a):\n    pass"),
        (
            "while a and (b or not c):\n    pass",
            "while _truth(a) and (_truth(b) or not _truth(c)):\n    pass",
        ),
        ("a if b else c", "a if _truth(b) else c"),
        ("assert a, b", "assert _truth(a), b"),
        ("[a for a in b if a]", "[a for a in _iter(b) if _truth(a)]"),
        ("not -a", "not _truth(_neg(a))"),
        ("a < b < c", "_truth(_lt(a, b)) and _lt(b, c)"),
        ("a < b < c < f()", "_truth(_lt(a, b)) and _truth(_lt(b, c)) and _lt(c, f())"),
        ("f() <= 1 in b is not c", "_truth(_le(f(), 1)) and _truth(_in(1, b)) and (b is not c)"),
    ],
)
def test_rewritten(source, expected):
    """Each by its hook."""
    assert rewritten(source) == expected


@pytest.mark.parametrize(
    "source", ["a and b", "a < f() < b", "a < b < f() < c", "if True:\n    pass", "while a is b:\n    pass"]
)
def test_left_alone(source):
    """What gives a value, what cannot be evaluated twice, and what is known to be true or false."""
    assert rewritten(source) == ast.unparse(ast.parse(source))
