"""``g(x)`` becomes ``hook(g)(x)``, but for functions that look at the frame of their caller."""

import ast
import math
from math import cos

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.interception.choosing.choosing import choose as intercepted
from chainrules.ad.syntax.compiling import rewritten
from tests.chainrules.ad.syntax.rewritten_text import rewritten_text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("g(x)", "_call(g)(x)"),
        ("a.g(x, *y, k=1)", "_call(_attribute(a, 'g'))(x, *_unpack(y), k=1)"),
        ("g(h())", "_call(g)(_call(h)())"),
        ("g(x)(y)", "_call(_call(g)(x))(y)"),
        ("super().g(x)", "_call(super().g)(x)"),
        ("g(x, out=y)", "_call(g)(x, out=_out(y))"),
        ("g(x, out=None, k=y)", "_call(g)(x, out=None, k=y)"),
        ("locals()", "locals()"),
        ("eval('x')", "eval('x')"),
    ],
)
def test_calls(source, expected):
    """Nothing else is changed."""
    assert rewritten_text(source) == expected


def test_calls_that_pytest_makes():
    """They belong to its assertions."""
    tree = ast.parse("import pytest as ar\nar.g()")
    tree.body[0].names[0].asname = tree.body[1].value.func.value.id = "@pytest_ar"

    assert ast.dump(rewritten(tree, is_guarded=False)) == ast.dump(tree)


def test_places():
    """A hook stands where the callee stands, so that an error points to it."""
    (statement,) = rewritten(ast.parse("\n  \n(f\n.g(x))"), is_guarded=False).body
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


@pytest.mark.parametrize(
    ("imports", "function", "name"),
    [
        ("import math", "math.sqrt", "math.sqrt"),
        ("import cmath as c", "c.sqrt", "cmath.sqrt"),
        ("from math import sqrt", "sqrt", "math.sqrt"),
        ("from math import sqrt as root", "root", "math.sqrt"),
        ("from .math import sqrt", "sqrt", None),
        ("from . import math", "math.sqrt", None),
        ("import numpy as math", "math.sqrt", None),
        ("import math", "math.nonsense", None),
    ],
)
def test_names_of_functions(imports, function, name):
    """A function is known by the module that it is imported from, under whatever name."""
    source = f"{imports}\ndef f(a):\n    return {function}(a)"
    text = rewritten_text(source, is_guarded=True).partition("return ")[2]
    assert text.startswith(f"{function}(a) if _type(a) in _called with and ") is (name is not None)
    assert name is None or f"{function} is _{name} else" in text.replace("(", "").replace(")", "")


def program(x):
    """Functions of two modules, by two ways of importing them; some of plain numbers."""
    total = 0.0
    for v in (0.5, 1, x, np.float64(0.25)):
        total += math.sqrt(v) * cos(v) + max(v, 0.3) + abs(v - 0.7)
        total += len([v]) * isinstance(v, float) + float(v) + round(1.5)
    return total


def test_functions_of_modules():
    """With numbers and traced values in turn."""
    assert intercepted(program)(0.8) == program(0.8)
    slope = (program(0.8 + 1e-6) - program(0.8 - 1e-6)) / 2e-6
    assert np.isclose(grad(program)(0.8), slope)


def test_names_that_stand_for_something_else():
    """A name of Python's may be the program's own."""

    def renamed(x):
        def abs(v):  # noqa: A001 - as programs do
            return math.sin(v) * x

        len = abs  # noqa: A001 - what is tested
        return abs(0.5) + len(0.25)

    assert intercepted(renamed)(2.0) == renamed(2.0)
    assert np.isclose(grad(renamed)(2.0), math.sin(0.5) + math.sin(0.25))


def test_wrong_arguments():
    """Python's own errors."""
    for wrong in (lambda a: len(a, b=a), lambda a: abs(a, a), lambda a: "text".upper(a)):
        with pytest.raises(TypeError):
            intercepted(wrong)([1.0])
