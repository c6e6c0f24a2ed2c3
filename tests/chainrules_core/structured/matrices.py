"""Matrices of every kind, random, for the tests of this folder."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from chainrules_core.structured import (
    Bidiagonal,
    Diagonal,
    Hermitian,
    LowerTriangular,
    StructuredArray,
    Symmetric,
    SymTridiagonal,
    Tridiagonal,
    UnitLowerTriangular,
    UnitUpperTriangular,
    UpperTriangular,
)

DTYPES = ("float32", "float64", "complex64", "complex128")


def elements(rng, dtype, *shape):
    """Random numbers, complex if `dtype` is."""
    x = rng.normal(size=shape)
    return (x + 1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


MAKERS = {
    "Diagonal": lambda x, n: Diagonal(x(n)),
    "Bidiagonal U": lambda x, n: Bidiagonal(x(n), x(max(n - 1, 0)), "U"),
    "Bidiagonal L": lambda x, n: Bidiagonal(x(n), x(max(n - 1, 0)), "L"),
    "Tridiagonal": lambda x, n: Tridiagonal(x(max(n - 1, 0)), x(n), x(max(n - 1, 0))),
    "SymTridiagonal": lambda x, n: SymTridiagonal(x(n), x(max(n - 1, 0))),
    "UpperTriangular": lambda x, n: UpperTriangular(x(n, n)),
    "LowerTriangular": lambda x, n: LowerTriangular(x(n, n)),
    "UnitUpperTriangular": lambda x, n: UnitUpperTriangular(x(n, n)),
    "UnitLowerTriangular": lambda x, n: UnitLowerTriangular(x(n, n)),
    "Symmetric U": lambda x, n: Symmetric(x(n, n), "U"),
    "Symmetric L": lambda x, n: Symmetric(x(n, n), "L"),
    "Hermitian U": lambda x, n: Hermitian(x(n, n), "U"),
    "Hermitian L": lambda x, n: Hermitian(x(n, n), "L"),
}

BANDED = ("Diagonal", "Bidiagonal U", "Bidiagonal L", "Tridiagonal", "SymTridiagonal")
TRIANGULAR = ("UpperTriangular", "LowerTriangular", "UnitUpperTriangular", "UnitLowerTriangular")
MIRRORED = ("Symmetric U", "Symmetric L", "Hermitian U", "Hermitian L")


def matrix(kind, n=4, dtype="float64", seed=0):
    """A random matrix of the kind with this name."""
    rng = np.random.default_rng(seed)
    return MAKERS[kind](lambda *shape: elements(rng, dtype, *shape), n)


def kinds(*names):
    """The names of kinds, as a strategy of hypothesis."""
    return st.sampled_from(names or tuple(MAKERS))


def matrices(*names):
    """Random matrices of all kinds or of some, of all dtypes and of sizes from 0."""
    return st.builds(
        matrix, kinds(*names), st.integers(0, 5), st.sampled_from(DTYPES), st.integers(0, 2**32 - 1)
    )


def pairs(names=(), others=()):
    """Two matrices of one size."""
    return st.integers(0, 5).flatmap(
        lambda n: st.tuples(
            *(
                st.builds(
                    matrix, kinds(*which), st.just(n), st.sampled_from(DTYPES), st.integers(0, 2**32 - 1)
                )
                for which in (names, others)
            )
        )
    )


def assert_same(result, dense, rtol=1e-4):
    """Both have the same shape, dtype and elements, in float32's precision unless told."""
    assert result.shape == dense.shape
    assert result.dtype == dense.dtype
    np.testing.assert_allclose(np.asarray(result), dense, rtol=rtol, atol=rtol)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hankel(StructuredArray):
    """``A[i, j] = h[i + j]``: a kind that defines no more than it has to."""

    h: Any

    @property
    def shape(self):
        """``(n, n)``."""
        n = (len(self.h) + 1) // 2
        return (n, n)

    def entries(self, i, j):
        """Those of `h` at the sums of the positions."""
        return self.h[i + j]


def every_pair(kind):
    """A matrix of a kind and one of each kind: small ones, real and complex."""
    for other in MAKERS:
        for n in (1, 2, 4):
            for dtypes in (("float64", "float64"), ("complex128", "float64"), ("float32", "complex64")):
                yield tuple(
                    matrix(name, n, dtype, seed)
                    for name, dtype, seed in zip((kind, other), dtypes, (0, 1), strict=True)
                )


def assert_holds_its_fields(A):
    """Its fields cannot be exchanged, its text is a call with them, and it is compared by its elements."""
    names = [field.name for field in dataclasses.fields(A)]
    for name in names:
        with pytest.raises(AttributeError):
            setattr(A, name, getattr(A, name))
    assert repr(A) == f"{type(A).__name__}({', '.join(repr(getattr(A, name)) for name in names)})"
    assert A == A.copy()
    assert (A == A.copy()) is True
    assert not hasattr(A, "__dict__")
    with pytest.raises(TypeError, match="unhashable"):
        hash(A)
