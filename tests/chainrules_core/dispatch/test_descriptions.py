# ruff: noqa: D101, D102 - stand-ins have nothing to document
"""How messages write callees, values and annotations."""

import functools
import math
import operator
import typing
from numbers import Number

import numpy as np
import pytest

from chainrules_core import AbstractArray, Array, typeof_
from chainrules_core.dispatch.callees import callee_annotation
from chainrules_core.dispatch.descriptions import describe_callee, describe_hint, describe_value
from chainrules_core.structured import Diagonal


class Foo:
    def __call__(self, x): ...

    def method(self, x): ...


def test_local_names_are_short():
    """The functions around a local name are left out."""

    def local(x): ...

    class Local: ...

    assert describe_callee(local) == "local"
    assert describe_value(Local()) == "Local"


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (np.sin, "numpy.sin"),
        (np.frompyfunc(math.sin, 1, 1), "sin (vectorized)"),
        (np.add.reduce, "numpy.add.reduce"),
        (np.linalg.norm, "numpy.linalg.norm"),
        (math.sin, "math.sin"),
        (operator.mul, "operator.mul"),  # whose module says that it is `_operator`
        (len, "len"),
        (str.join, "str.join"),
        (Foo, f"{__name__}.Foo"),
        (Foo.method, f"{__name__}.Foo.method"),
        (Foo().method, f"{__name__}.Foo.method"),
        (Foo(), f"an instance of {__name__}.Foo"),
        (functools.partial(len), "an instance of functools.partial"),
    ],
)
def test_callees_are_dotted_names(f, name):
    """A callee is written as one would import it; an instance by its class."""
    assert describe_callee(f) == name


@pytest.mark.parametrize(
    ("x", "name"),
    [
        (1.0, "float"),
        (np.ones((2, 3), "float32"), "ndarray[float32, 2]"),
        (Diagonal([1.0]), "Diagonal[float64, 2]"),
        (np.float64(1), "float64"),
        (None, "NoneType"),
    ],
)
def test_values_are_written_by_type(x, name):
    """A value is written by its type, an array with dtype and number of axes."""
    assert describe_value(x) == name


def test_functions_of_pybind11():
    """Each is a method of a record, whose name says nothing."""
    basic = pytest.importorskip("scipy.fft._pocketfft.pypocketfft")
    assert describe_callee(basic.c2c) == "scipy.fft._pocketfft.pypocketfft.c2c"


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (typeof_(np.sin), "typeof_(numpy.sin)"),
        (callee_annotation(type[Foo])[0], "type[Foo]"),
        (callee_annotation(Foo)[0], "Foo"),
        (callee_annotation(typeof_(np.sin) | typeof_(math.sin))[0], "typeof_(numpy.sin) | typeof_(math.sin)"),
        (Number | AbstractArray, "Number | AbstractArray"),
        (typing.Optional[np.ndarray], "ndarray | None"),  # noqa: UP045 - the other spelling
        (None, "None"),
        (typing.Any, "Any"),
        (object, "object"),
        (tuple[typing.Any, int, float], "tuple[Any, int, float]"),
        (tuple[np.ndarray, ...], "tuple[ndarray, ...]"),
        (typing.Literal["a", 1], "Literal['a', 1]"),
        (Array[np.floating, 2], "Array[floating, 2]"),
        (typing.Sized, "Sized"),
        (typing.TypeVar("T"), "~T"),
    ],
)
def test_hints_have_no_module_paths(hint, text):
    """An annotation is written without the modules of its classes."""
    assert describe_hint(hint) == text
