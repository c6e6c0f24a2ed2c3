"""Tiny values of types that are given by name, to look rules up with: dispatch looks at values."""

import ast
import inspect
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from chainrules.command_line.dotted_names import object_named
from chainrules.command_line.lookup_errors import NothingFoundError
from chainrules_core import structured as st

_AXES = 2
_ROWS = 2


def _function() -> None:
    """Stand for a Python function."""


_MATRICES = (
    *(st.LowerTriangular, st.UpperTriangular, st.UnitLowerTriangular, st.UnitUpperTriangular),
    *(st.Symmetric, st.Hermitian),
)
_EXAMPLES: Mapping[type, Any] = {
    type(value): value
    for value in (
        *(True, 1, 1.0, complex(1), None, slice(None), range(_ROWS), _function),
        *(np.dtype(float), np.random.default_rng(), np.ones((_ROWS, _ROWS))),
        *(st.Diagonal(np.ones(_ROWS)), st.UniformScaling(1.0)),
        *(st.SymTridiagonal(np.ones(_ROWS), np.ones(1)), st.Bidiagonal(np.ones(_ROWS), np.ones(1), "U")),
        st.Tridiagonal(np.ones(1), np.ones(_ROWS), np.ones(1)),
        *(matrix(np.eye(_ROWS)) for matrix in _MATRICES),
    )
}
# Names of values whose types have no handy name, and what people write for a type.
_WORDS: dict[str, type] = {"function": type(_function), "lambda": type(_function)}
_WORDS |= dict.fromkeys(("array", "np.array", "numpy.array"), np.ndarray)


def example_of(words: str) -> Any:
    """A tiny value of a type that is given in words.

    Parameters
    ----------
    words
        The dotted name of a class: ``float``, ``numpy.float32``, ``scipy.sparse.csr_array``, ``Diagonal``;
        a value of Python's own, such as ``2.0`` or ``None``; ``function``; for an array also
        ``ndarray[float32]`` or ``ndarray[float32, 1]``, with its dtype and number of axes. An `ndarray` has
        the shape ``(2, 2)`` and holds float64 unless the words say otherwise.

    Returns
    -------
    Any
        An instance of the class; no constructor has run for an instance of a class that is not known here.

    Raises
    ------
    NothingFoundError
        If that is not the name of a class, or no instance of the class can be made.
    """
    array = re.fullmatch(r"(?:np\.|numpy\.)?ndarray\[\s*([\w.]+)\s*(?:,\s*(\d+)\s*)?\]", words)
    if array:
        return _array_of(array[1], int(array[2] or _AXES))
    try:
        return ast.literal_eval(words)
    except (ValueError, SyntaxError):
        cls = _WORDS.get(words) or _class_named(words)
    if not isinstance(cls, type):
        raise NothingFoundError(
            f"{words!r} names a value of type {type(cls).__name__}. Write the type of each argument, such as "
            "`ndarray`, `float` or `function`."
        )
    return _instance(cls, words)


def _class_named(words: str) -> Any:
    try:
        return object_named(words)
    except NothingFoundError as error:
        raise NothingFoundError(
            f"{error} Write the type of each argument, such as `ndarray`, `float` or `function`, or "
            "`mypackage.Foo` for a class of yours."
        ) from None


def _array_of(dtype: str, axes: int) -> np.ndarray:
    try:
        return np.ones((_ROWS,) * axes, dtype.removeprefix("np.").removeprefix("numpy."))
    except TypeError:
        raise NothingFoundError(
            f"{dtype!r} is no dtype of NumPy's. Write `ndarray[float32]` or `ndarray[complex128, 1]`, say."
        ) from None


def _instance(cls: type, words: str) -> Any:
    if inspect.isabstract(cls):
        raise NothingFoundError(
            f"{words!r} is an abstract class, so that no value is of this type alone. Write a class below it."
        )
    if cls in _EXAMPLES:
        return _EXAMPLES[cls]
    try:
        if issubclass(cls, np.generic):
            return cls(1)
        if cls.__module__.startswith("scipy.sparse"):
            return cls(np.eye(_ROWS))  # type: ignore[call-arg]  # SciPy's sparse arrays are made of dense ones
        return cls.__new__(cls)
    except Exception as error:  # noqa: BLE001 - a class may refuse in its own way
        raise NothingFoundError(
            f"no value of {words!r} could be made to look a rule up with ({type(error).__name__}: {error}). "
            "Ask in Python: `rrule.explain(f, x)` of `chainrules_core` takes the arguments themselves."
        ) from None
