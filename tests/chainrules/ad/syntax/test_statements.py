"""Loops, blocks and comprehensions: what they go through, and what they enter."""

import ast

import pytest

from tests.chainrules.ad.syntax.rewritten_text import rewritten_text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("for a in b:\n    pass", "for a in _iter(b):\n    pass"),
        ("[a for a in b]", "[a for a in _iter(b)]"),
        ("with a as b, c:\n    pass", "with _with(a) as b, _with(c):\n    pass"),
        ("[a for a in b if a]", "[a for a in _iter(b) if _truth(a)]"),
    ],
)
def test_rewritten(source, expected):
    """Each by its hook."""
    assert rewritten_text(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "for a in [1, 2]:\n    pass",
        "for a in (1, 2):\n    pass",
        "for a in 'ab':\n    pass",
        "async def f():\n    return [a async for a in b]",
    ],
)
def test_left_alone(source):
    """Displays, and what waits."""
    assert rewritten_text(source) == ast.unparse(ast.parse(source))
