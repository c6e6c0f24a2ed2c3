"""Hints: which of the classic mistakes would explain a wrong value or a wrong shape."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_testutils.values.precision import Tolerance

# Factors that derivations lose or gain, recognized even where there is only one number.
_FACTORS = (2.0, 0.5, -2.0, -0.5)


def value_hint(actual: Any, expected: Any, tolerance: Tolerance) -> str | None:
    """A hint that describes the numbers `actual` in terms of `expected`; `None` if no mistake is known."""

    def is_close(to: Any) -> bool:
        return bool(np.all(tolerance.allows(actual, to)))

    if not np.all(np.isfinite(expected)):
        return None  # multiples of infinity say nothing
    if is_close(0 * expected) or is_close(expected):
        return None
    if is_close(-expected):
        return "hint: the wrong sign: this is minus the expected value."
    if is_close(np.conj(expected)):
        return "hint: the complex conjugate of the expected value."
    if actual.shape == expected.T.shape and actual.ndim == 2 and is_close(expected.T):
        return "hint: the transpose of the expected value."
    for factor in (*_FACTORS, *_common_ratio(actual, expected)):
        if is_close(factor * expected):
            digits = f"{factor:.6g}" if abs(factor - 1.0) > 1e-5 else f"{factor:.12g}"
            return f"hint: {digits} times the expected value{' everywhere' if actual.size > 1 else ''}."
    if actual.ndim == 2 and actual.shape == expected.shape == expected.T.shape:
        return _off_diagonal_hint(expected, is_close)
    return None


def _off_diagonal_hint(expected: Any, is_close: Callable[[Any], bool]) -> str | None:
    """Whether the cotangents of a symmetric matrix's fields were taken for the cotangents of its elements."""
    for factor in (2.0, 0.5):
        if is_close(expected * np.where(np.eye(len(expected)), 1.0, factor)):
            return (
                f"hint: right on the diagonal, {factor:g} times the expected value off it: one number of a "
                "symmetric matrix is two elements; `to_natural`, `to_structural` convert."
            )
    return None


def shape_hint(actual: tuple[int, ...], expected: tuple[int, ...]) -> str:
    """Advice about a shape, as the end of a sentence; empty if there is none."""
    if actual != expected and actual == expected[::-1]:
        return ": transposed?"
    if actual == () and expected:
        return ": one number for an array. If each element is to get it, write `np.full_like(x, x_bar)`"
    if [size for size in actual if size != 1] == [size for size in expected if size != 1]:
        return f": axes of length 1 differ, write `np.reshape(..., {expected})`"
    try:
        is_broadcast = np.broadcast_shapes(actual, expected) == actual
    except ValueError:
        is_broadcast = False
    if is_broadcast or len(actual) > len(expected):
        return ": sum over the axes that the primal broadcast"
    return ""


def _common_ratio(actual: Any, expected: Any) -> list[float]:
    """The real part of the ratio of the largest elements; of a single number it would explain everything."""
    if actual.size < 2:
        return []
    index = np.unravel_index(np.argmax(np.abs(expected)), expected.shape)
    with np.errstate(all="ignore"):
        ratio = complex(actual[index] / expected[index])
    return [round(ratio.real, 6)] if np.isfinite(ratio) else []
