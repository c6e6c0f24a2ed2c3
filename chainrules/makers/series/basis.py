"""A basis of polynomials: NumPy's functions for it, and the numbers in its recurrence.

Each basis has a recurrence ``x P_j = a_j P_{j+1} + b_j P_j + g_j P_{j-1}``; `chebmulx` and the like know it.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from chainrules_core import primal_of, primitive

TRIMMED = (
    "NumPy drops the last coefficients of a polynomial where they are zero, and with them their part in "
    "the derivative of the result; differentiate where the last coefficient is not zero, or with fewer "
    "coefficients"
)


@dataclass(frozen=True)
class Basis:
    """NumPy's functions for one basis.

    Attributes
    ----------
    module
        The module of `numpy.polynomial`.
    prefix
        The prefix of the names of its functions.
    """

    module: ModuleType
    prefix: str

    def primal(self, name: str) -> Callable[..., Any]:
        """The function of NumPy, such as `chebval` for ``"val"``."""
        return getattr(self.module, self.prefix + name)  # type: ignore[no-any-return]  # from the module

    @functools.cache  # noqa: B019 - there are six bases, which live as long as their modules
    def __call__(self, name: str) -> Callable[..., Any]:
        """The same, for values that may be traced."""
        return primitive(self.primal(name))

    @functools.lru_cache  # noqa: B019 - likewise
    def derivatives(self, n: int) -> Any:
        """The coefficients of ``P_0', ..., P_{n-1}'``, as columns."""
        return self.primal("der")(np.eye(n))

    @functools.lru_cache  # noqa: B019 - likewise
    def times_x(self, n: int) -> Any:
        """The coefficients of ``x P_0, ..., x P_{n-1}``, as rows; shape ``(n, n + 1)``."""
        rows = np.zeros((n, n + 1))
        for row, P in zip(rows, np.eye(n), strict=True):
            product = self.primal("mulx")(P)
            row[: len(product)] = product
        return rows


def in_precision_of(matrix: Any, x: Any) -> Any:
    """A matrix of numbers that widens no single precision."""
    dtype = np.result_type(primal_of(x))
    return matrix.astype(np.finfo(dtype).dtype, copy=False) if dtype.kind in "fc" else matrix


def number_of_coefficients(c: Any) -> int:
    """How many coefficients NumPy keeps: without the zeros at the end, but one."""
    c = np.atleast_1d(primal_of(c))
    nonzero = np.flatnonzero(c)
    return int(nonzero[-1]) + 1 if nonzero.size else 1


def is_trimmed(c: Any) -> bool:
    """Whether NumPy drops coefficients."""
    return number_of_coefficients(c) < np.size(primal_of(c))
