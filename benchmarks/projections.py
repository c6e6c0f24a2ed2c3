"""The cost of `ProjectTo` where a cotangent fits already, beside a call that does nothing."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import bsr_array, coo_array, csr_array, dia_array

from benchmarks.measure import Row, fastest
from chainrules_core import ProjectTo
from chainrules_core.structured import (
    Bidiagonal,
    Diagonal,
    Hermitian,
    I,
    Symmetric,
    SymTridiagonal,
    Tridiagonal,
    UnitUpperTriangular,
    UpperTriangular,
)

# About half a microsecond: both calls are made through a `lambda`, with which doing nothing takes a twelfth
# of one.
TARGET = 6.0


class Passing:
    """A callable object that returns its argument."""

    def __call__(self, x: Any) -> Any:
        """The argument."""
        return x


def rows() -> Iterator[Row]:
    """Arrays without axes and with, structured arrays, sparse arrays."""
    A, d, e = np.eye(4), np.ones(4), np.ones(3)
    cases: dict[str, tuple[Any, Any]] = {
        "a number": (1.0, 1.0),
        "an array without axes": (np.array(1.0), np.array(1.0)),
        "an array": (d, d.copy()),
        "Diagonal": (Diagonal(d), Diagonal(d)),
        "Bidiagonal": (Bidiagonal(d, e, "U"), Bidiagonal(d, e, "U")),
        "Tridiagonal": (Tridiagonal(e, d, e), Tridiagonal(e, d, e)),
        "SymTridiagonal": (SymTridiagonal(d, e), SymTridiagonal(d, e)),
        "UpperTriangular": (UpperTriangular(A), UpperTriangular(A)),
        # Whether its diagonal is zero has to be looked at: no cost that is independent of its size.
        "UnitUpperTriangular": (UnitUpperTriangular(A), UpperTriangular(np.triu(A, 1))),
        "Symmetric": (Symmetric(A), Symmetric(A)),
        "Hermitian": (Hermitian(A), Hermitian(A)),
        "UniformScaling": (2.0 * I, 3.0 * I),
        **{f"{A.format}_array": (A, A) for A in (csr_array(A), coo_array(A), bsr_array(A), dia_array(A))},
    }
    passing = Passing()
    for name, (primal, x_bar) in cases.items():
        project = ProjectTo(primal)
        assert project(x_bar) is x_bar
        ours, nothing = fastest(
            lambda project=project, x_bar=x_bar: project(x_bar), lambda x_bar=x_bar: passing(x_bar)
        )
        target = None if name == "UnitUpperTriangular" else TARGET
        yield Row(f"a cotangent that fits {name} passes", "a call that does nothing", ours / nothing, target)
