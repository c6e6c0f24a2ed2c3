"""Kinds of NumPy's arrays that compute otherwise than arrays do: masked ones and matrices. They are refused.

Rules would compute with the numbers in them, masked ones too, or element by element where a matrix would not.
"""

from typing import Any

import numpy as np

# By the module and name of a class, and by the module of functions for it: what to write instead.
_MASKED = (
    "Masked arrays would lose their masks, or the derivative: write `np.where(mask, 0.0, x)`, or sum by "
    "`np.sum(x, where=~mask)`."
)
_MATRIX = "NumPy's matrices have no derivative: write arrays, `np.asarray(M)`, and `@` for their product."
_OF_CLASSES = {("numpy.ma", "MaskedArray"): _MASKED, ("numpy", "matrix"): _MATRIX}
_OF_MODULES = {"numpy.ma": _MASKED, "numpy.matrixlib": _MATRIX}


def refusal_of_class(cls: type) -> str | None:
    """What to write in the place of arrays of a class; `None` if they compute as arrays do.

    Parameters
    ----------
    cls
        A class of arrays.
    """
    for base in cls.__mro__:
        if base is np.ndarray:
            return None
        instead = _OF_CLASSES.get((base.__module__.removesuffix(".core"), base.__name__))
        if instead is not None:
            return instead
    return None


# What others ask of any array.
_QUESTIONS = frozenset({"filled", "getmask", "isMaskedArray", "is_mask", "is_masked"})


def refusal_of_function(module: Any, name: str) -> str | None:
    """What to write in the place of a function; `None` if it is for arrays of any kind.

    Parameters
    ----------
    module
        The name of the module in which it is.
    name
        Its name there.
    """
    if module.__class__ is not str or name in _QUESTIONS:
        return None
    return _OF_MODULES.get(".".join(module.split(".")[:2]))


def check_kind(x: np.ndarray[Any, Any]) -> None:
    """Raise if an array computes otherwise than arrays do.

    Raises
    ------
    TypeError
        If it does.
    """
    instead = None if x.__class__ is np.ndarray else refusal_of_class(type(x))
    if instead is not None:
        raise TypeError(f"A traced value met a {type(x).__name__}. {instead}")
