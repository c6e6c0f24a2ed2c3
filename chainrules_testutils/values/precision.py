"""The precision that a computation is done in, and how close its results have to be."""

import numbers
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules_testutils.values.parts import leaves, map_leaves

# Relative and absolute at once: functions under test are expected to be of scale one.
TOLERANCES: dict[np.dtype[Any], float] = {
    np.dtype(np.float64): 1e-9,
    np.dtype(np.float32): 1e-4,
    np.dtype(np.float16): 1e-2,
}

# The dtypes that are not computed in double precision, from the lowest precision up.
_PRECISION_OF: dict[np.dtype[Any], np.dtype[Any]] = {
    np.dtype(np.float16): np.dtype(np.float16),
    np.dtype(np.float32): np.dtype(np.float32),
    np.dtype(np.complex64): np.dtype(np.float32),
}


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Two values are close if they differ by at most `atol`, or at most `rtol` times the larger of them."""

    rtol: float
    atol: float

    def __str__(self) -> str:
        return f"rtol {self.rtol:g}, atol {self.atol:g}"

    def unless(self, rtol: float | None, atol: float | None) -> "Tolerance":
        """The tolerance that was asked for; this one where none was."""
        return Tolerance(self.rtol if rtol is None else rtol, self.atol if atol is None else atol)

    def allows(self, x: Any, y: Any) -> Any:
        """Whether two numbers, or the elements of two arrays, are close.

        The larger of two arrays is measured by its largest element: an error of rounding or of differencing
        in a small element comes from the large ones.
        """
        with np.errstate(invalid="ignore"):
            distances = np.abs(x - y)
            close = distances <= self.atol
            if close.all():
                return close
            return (x == y) | close | (distances <= self.rtol * max(_largest(x), _largest(y)))


# To compare structures, whatever numbers they hold.
ANY_VALUE = Tolerance(rtol=0.0, atol=np.inf)


def _largest(x: Any) -> float:
    magnitudes = np.abs(x)
    return float(np.max(magnitudes, initial=0.0, where=np.isfinite(magnitudes)))


def tolerance_for(x: Any, rtol: float | None, atol: float | None) -> Tolerance:
    """The tolerance that was asked for; otherwise the tolerance for the lowest precision in `x`."""
    default = TOLERANCES[precision_of(x)]
    return Tolerance(default, default).unless(rtol, atol)


def coarse_tolerance(atol: float | None, default: Tolerance, largest: float) -> Iterator[str]:
    """Say that an absolute tolerance is too coarse, if all derivatives are zero beside it.

    Parameters
    ----------
    atol
        The tolerance that was asked for, or `None`.
    default
        The tolerance by which the derivatives are told from zero.
    largest
        The magnitude of the largest derivative.
    """
    if atol is not None and default.atol < largest <= atol:
        yield (
            f"atol={atol:g} exceeds every derivative here, the largest of which is {largest:.1e}: zero would "
            "pass. Write a smaller one, or `rtol=`."
        )


def precision_of(x: Any) -> np.dtype[Any]:
    """The lowest precision of NumPy's floating numbers and arrays in `x`: float64, float32 or float16."""
    met = {_dtype(leaf) for leaf in leaves(x)}
    return next(
        (precision for dtype, precision in _PRECISION_OF.items() if dtype in met), np.dtype(np.float64)
    )


def in_double_precision(x: Any) -> Any:
    """`x` with every number and array of lower precision widened."""
    return map_leaves(_widened, x)


def with_floats(x: Any) -> Any:
    """`x` with every integer, and every array of integers, converted to floats."""
    return map_leaves(_floated, x)


def _widened(leaf: Any) -> Any:
    dtype = _dtype(leaf)
    if dtype not in _PRECISION_OF:
        return leaf
    return leaf.astype(np.complex128 if dtype.kind == "c" else np.float64)


def _floated(leaf: Any) -> Any:
    if isinstance(leaf, np.ndarray):
        return leaf.astype(np.float64) if leaf.dtype.kind in "iu" else leaf
    is_integer = isinstance(leaf, numbers.Integral) and not isinstance(leaf, bool)
    return float(leaf) if is_integer else leaf


def _dtype(leaf: Any) -> Any:
    """The dtype of NumPy that a value has, or `None`; not by its name, which takes long to be made."""
    dtype = getattr(leaf, "dtype", None)
    return dtype if isinstance(dtype, np.dtype) else None
