"""Values are made of the types that are named."""

import inspect

import numpy as np
import pytest
import scipy.sparse

from chainrules.command_line.example_values import example_of
from chainrules.command_line.lookup_errors import NothingFoundError
from chainrules_core import structured


class Refusing:
    """A class that makes no instance."""

    def __new__(cls):
        """Refuse."""
        raise RuntimeError("not like this")


@pytest.mark.parametrize(
    "words",
    [*("bool", "int", "float", "complex", "str", "bytes", "list", "tuple", "dict", "slice", "range", "set")],
)
def test_builtins(words):
    """The value is an instance of the very class."""
    assert type(example_of(words)).__name__ == words


MATRICES = [
    name
    for name, value in vars(structured).items()
    if name in structured.__all__ and isinstance(value, type) and not inspect.isabstract(value)
]


@pytest.mark.parametrize("name", MATRICES)
def test_structured(name):
    """The value of a structured kind is a small matrix."""
    assert type(example_of(name)) is getattr(structured, name)


def test_arrays():
    """An array has the dtype and the number of axes that are asked for."""
    assert (example_of("ndarray").dtype, example_of("ndarray").shape) == (float, (2, 2))
    assert (example_of("ndarray[float32]").dtype, example_of("ndarray[float32]").ndim) == (np.float32, 2)
    assert example_of("np.ndarray[complex128, 1]").shape == (2,)
    assert example_of("numpy.ndarray[np.int64,0]").shape == ()
    assert example_of("float32") == np.float32(1)
    assert isinstance(example_of("csr_array"), scipy.sparse.csr_array)


@pytest.mark.parametrize("words", ["bool", "int", "float", "complex", "float32", "numpy.int8", "complex64"])
def test_numbers(words):
    """They are 1, and so is what a scaling scales by."""
    assert example_of(words) == 1
    assert example_of("UniformScaling") == structured.UniformScaling(1.0)


def test_words():
    """`None` and `function` name no class, and mean one."""
    assert example_of("None") is None
    assert example_of("function")() is None


def test_a_class_that_is_not_known(monkeypatch):
    """The constructor of a class that is not known is not run."""

    class Model:
        def __init__(self, weights):
            raise AssertionError("a constructor was run")

    monkeypatch.setattr("numpy.Model", Model, raising=False)
    assert type(example_of("numpy.Model")) is Model


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("math.pi", "a value of type float"),
        ("ndarray[real]", "no dtype of NumPy's"),
        ("AbstractArray2", "nothing is named"),
        ("collections.abc.Mapping", "abstract class"),
        ("numpy.Refusing", "RuntimeError: not like this"),
    ],
)
def test_what_is_no_type(words, message, monkeypatch):
    """The error says what to write."""
    monkeypatch.setattr("numpy.Refusing", Refusing, raising=False)
    with pytest.raises(NothingFoundError, match=message):
        example_of(words)
