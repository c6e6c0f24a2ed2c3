"""What may stand in a program as it is, besides numbers and arrays: known by names of classes."""

from typing import Any

import numpy as np


def is_of_generated_class(cls: type) -> bool:
    """Whether a class is that of functions by Cython or f2py, or of those of `scipy.fft`."""
    return cls.__name__ in _GENERATED or (cls.__module__, cls.__name__) == ("uarray", "_Function")


_GENERATED = frozenset({"cython_function_or_method", "fused_cython_function", "fortran"})


def is_factored(x: Any) -> bool:
    """Whether a value is a matrix that was factored, which never changes, and may hold what was factored."""
    return type(x).__module__ in _FACTORIZATIONS or type(x).__name__ == "SuperLU"


_FACTORIZATIONS = frozenset(
    {
        "chainrules.numerics.factorizations",
        "chainrules.formulas.factorizations.sparse_factors",
        "chainrules.ad.recording.again",
    }
)


def is_sparse(x: Any) -> bool:
    """Whether a value is one of SciPy's sparse arrays, with arrays for its parts."""
    return type(x).__module__.startswith("scipy.sparse.") and getattr(x, "format", None) in _FORMATS


_FORMATS = frozenset({"csr", "csc", "coo", "bsr", "dia"})


def are_same_sparse(a: Any, b: Any) -> bool:
    """Whether two sparse arrays of one format store the same to the bit."""
    parts = [[y for y in vars(x).values() if isinstance(y, np.ndarray)] for x in (a, b)]
    return (
        type(a) is type(b)
        and a.shape == b.shape
        and len(parts[0]) == len(parts[1])
        and all(
            x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()
            for x, y in zip(*parts, strict=True)
        )
    )
