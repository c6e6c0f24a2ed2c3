"""``g(x)`` becomes ``hook(g)(x)``, but for functions that look at the frame of their caller."""

import ast

import pytest

from chainrules.ad import grad
from chainrules.ad.syntax.calls import Calls


@pytest.mark.parametrize(
    ("source", "rewritten"),
    [
        ("g(x)", "'<chainrules.ad: call>'(g)(x)"),
        ("a.g(x, *y, k=1)", "'<chainrules.ad: call>'(a.g)(x, *y, k=1)"),
        ("g(h())", "'<chainrules.ad: call>'(g)('<chainrules.ad: call>'(h)())"),
        ("g(x)(y)", "'<chainrules.ad: call>'('<chainrules.ad: call>'(g)(x))(y)"),
        ("super().g(x)", "'<chainrules.ad: call>'(super().g)(x)"),
        ("g(x, out=y)", "'<chainrules.ad: call>'(g)(x, out='<chainrules.ad: out>'(y))"),
        ("g(x, out=None, k=y)", "'<chainrules.ad: call>'(g)(x, out=None, k=y)"),
        ("locals()", "locals()"),
        ("eval('x')", "eval('x')"),
    ],
)
def test_calls(source, rewritten):
    """Nothing else is changed."""
    assert ast.unparse(Calls().visit(ast.parse(source))) == rewritten


def test_calls_that_pytest_makes():
    """They belong to its assertions."""
    call = ast.Call(ast.Attribute(ast.Name("@pytest_ar", ast.Load()), "g", ast.Load()), [], [])

    assert ast.dump(Calls().visit(call)) == ast.dump(
        ast.Call(ast.Attribute(ast.Name("@pytest_ar", ast.Load()), "g", ast.Load()), [], [])
    )


def test_places():
    """A hook stands where the callee stands, so that an error points to it."""
    (statement,) = Calls().visit(ast.parse("\n  \n(f\n.g(x))")).body
    call = statement.value

    assert (call.func.lineno, call.func.col_offset) == (3, 1)
    assert (call.func.end_lineno, call.func.end_col_offset) == (4, 2)
    assert call.func.func.lineno == 3


def test_what_cannot_be_called():
    """The errors are Python's own."""
    nothing, three, items = None, 3, []
    for wrong in (lambda x: nothing(), lambda x: three(x), lambda x: x(), lambda x: items(0)):
        with pytest.raises(TypeError, match="not callable"):
            grad(wrong)(1.0)
