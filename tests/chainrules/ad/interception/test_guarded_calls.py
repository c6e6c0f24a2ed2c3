"""Known functions and methods in C are called as the program says, past the hook."""

import math
from math import cos

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.interception.running import intercepted
from tests.chainrules.ad.interception.test_guards import rewritten


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
        ("float('inf')", "_call(float)('inf')"),
        ("abs(*a)", "_call(abs)(*(a if _type(a) in _iterated else _iter(a)))"),
    ],
)
def test_rewritten(expression, expected):
    """The call that was written, where the very classes of all arguments say so; the hook otherwise."""
    assert rewritten(expression) == expected


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
