"""All rewriting in one walk; annotations stay as they are."""

import ast

import pytest

from chainrules.ad.syntax.rewriting import Rewriting


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("g(a + b)", "'<chainrules.ad: call>'(g)('<chainrules.ad: add>'(a, b))"),
        ("x: g(1) = h", "x: g(1) = h"),
        (
            "match g(x):\n    case a.b | C.D(e=-1) | {a.b: f} if h.i:\n        pass",
            """match '<chainrules.ad: call>'(g)(x):
    case a.b | C.D(e=-1) | {a.b: f} if '<chainrules.ad: attribute>'(h, 'i'):
        pass""",
        ),
        ("x: a[1]", "x: a[1]"),
        (
            "def f(x: a[1]=b[2]) -> c[3]:\n    pass",
            "def f(x: a[1]='<chainrules.ad: getitem>'(b, 2)) -> c[3]:\n    pass",
        ),
        ("async def f(x: a[1]) -> c[3]:\n    pass", "async def f(x: a[1]) -> c[3]:\n    pass"),
    ],
)
def test_rewriting(source, expected):
    """Defaults are evaluated, annotations are perhaps read."""
    assert ast.unparse(Rewriting().visit(ast.parse(source))) == expected
