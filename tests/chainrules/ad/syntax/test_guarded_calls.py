"""Known functions and methods in C are called as the program says, past the hook."""

import ast
import math
from math import cos

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.interception.choosing.choosing import choose as intercepted
from chainrules.ad.syntax.guarded_stores import GuardedStores
from chainrules.ad.syntax.rewriting import Rewriting
from tests.chainrules.ad.syntax.test_guards import readable, rewritten


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("abs(a)", "abs(a) if _type(a) in _called_with and abs is _.abs else _call(abs)(a)"),
        (
            "a.append(b)",
            """\
a.append(b) if _type(a) in _called_as_it_is_append else \
_call(a.append if _type(a) in _to_read_append else _attribute(a, 'append', _to_read_append))(b)""",
        ),
        ("f(a)", "_call(f)(a)"),
        (
            "a.b + f()",
            """\
v1 + v2 if _type((v1 := (a.b if _type(a) in _to_read_b else _attribute(a, 'b', _to_read_b)))) is \
_type((v2 := _call(f)())) in _plain or (_type(v1) in _plain and _type(v2) in _plain) else \
_add(v1, v2, (v2 := (v1 := None)))""",
        ),
        ("len(a, b)", "_call(len)(a, b)"),
        ("len(f())", "_call(len)(_call(f)())"),
        ("abs(a, b=c)", "_call(abs)(a, b=c)"),
        ("abs()", "_call(abs)()"),
        (
            "isinstance(a, f())",
            """\
isinstance(a, _call(f)()) if _type(a) in _called_with and isinstance is _.isinstance else \
_call(isinstance)(a, _call(f)())""",
        ),
        ("isinstance(f(), b)", "_call(isinstance)(_call(f)(), b)"),
        (
            "max(a, b)",
            """\
max(a, b) if _type(a) in _called_with and _type(b) in _called_with and (max is _.max) else \
_call(max)(a, b)""",
        ),
        (
            "max(f(), g())",
            """\
max(v1, v2) if (_type((v1 := _call(f)())) is _type((v2 := _call(g)())) in _called_with or \
(_type(v1) in _called_with and _type(v2) in _called_with)) and max is _.max else \
_call(max)((v1, (v1 := None))[0], (v2, (v2 := None))[0])""",
        ),
        ("max(f(), a, b)", "_call(max)(_call(f)(), a, b)"),
        (
            "abs(f())",
            """\
abs(v1) if _type((v1 := _call(f)())) in _called_with and abs is _.abs else \
_call(abs)((v1, (v1 := None))[0])""",
        ),
        (
            "abs(a[0])",
            """\
abs(v2) if _type((v2 := (a[0] if _type(a) in _indexed_or_dict else _getitem(a, 0)))) in _called_with and \
abs is _.abs else _call(abs)((v2, (v2 := None))[0])""",
        ),
        (
            "a.unknown(b)",
            """\
_call(a.unknown if _type(a) in _to_read_unknown else _attribute(a, 'unknown', _to_read_unknown))(b)""",
        ),
        (
            "f().append(b)",
            """\
v1.append((v1 := None) or b) if _type((v1 := _call(f)())) in _called_as_it_is_append else \
_call(_attribute(v1, 'append', (v1 := None)))(b)""",
        ),
        ("f().append()", "_call(_attribute(_call(f)(), 'append'))()"),
        (
            "f().append([a for a in (1, 2)])",
            "_call(_attribute(_call(f)(), 'append'))([a for a in (1, 2)])",
        ),
        (
            "a.append([b for b in (1, 2)])",
            """\
(a.append if _type(a) in _called_as_it_is_append else _call(a.append if _type(a) in _to_read_append else \
_attribute(a, 'append', _to_read_append)))([b for b in (1, 2)])""",
        ),
        ("[abs(f()) for a in (1, 2)]", "[_call(abs)(_call(f)()) for a in (1, 2)]"),
        ("[f().append(a) for a in (1, 2)]", "[_call(_attribute(_call(f)(), 'append'))(a) for a in (1, 2)]"),
        ("float('inf')", "_call(float)('inf')"),
        ("abs(*a)", "_call(abs)(*(a if _type(a) in _iterated else _iter(a)))"),
    ],
)
def test_rewritten(expression, expected):
    """The call that was written, where the very classes of all arguments say so; the hook otherwise."""
    assert rewritten(expression) == expected


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
    tree = GuardedStores(source).visit(Rewriting().visit(ast.parse(source)))
    text = readable(ast.unparse(tree.body[1].body[0].value))
    assert text.startswith(f"{function}(a) if _type(a) in _called_with and ") is (name is not None)
    assert name is None or f"{function} is _{name} else" in text.replace("(", "").replace(")", "")


def test_methods_of_what_is_read():
    """The owner is in a variable until its method has been found."""
    text = rewritten("a.b.append(c)")
    assert text.startswith("v1.append((v1 := None) or c) if _type((v1 := ")


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
