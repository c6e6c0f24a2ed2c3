"""The numbers and arrays that a value consists of, as observers of a differentiation look at them."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules.ad.values.plain_values import FLOATS
from chainrules.ad.values.structures import has_parts, parts_of
from chainrules_core import SparseArray, primal_of


def held_numbers(x: Any, holders: tuple[int, ...] = ()) -> Iterator[Any]:
    """The real and complex numbers and arrays that a value is or holds, without the traces around them.

    A sparse or structured array holds the arrays of its stored elements. A value that a thunk has not
    computed yet is not among them.
    """
    x = primal_of(x)
    if isinstance(x, np.ndarray):
        if x.dtype.kind in "fc":
            yield x
    elif isinstance(x, SparseArray):
        yield from held_numbers(x.tocoo().data)
    elif isinstance(x, float | complex | np.inexact):
        yield x
    elif has_parts(x) and id(x) not in holders:
        for part in parts_of(x).values():
            yield from held_numbers(part, (*holders, id(x)))


def agree(y: Any, other: Any, noise: float = 0.0) -> bool:
    """Whether two results of a function are the same, up to rounding: rules may have other formulas.

    Numbers that differ by no more than `noise` are the same.
    """
    if y.__class__ is np.ndarray and other.__class__ is np.ndarray:
        return y.shape == other.shape and (y.dtype.kind not in "fc" or _numbers_agree(y, other, noise))
    if y.__class__ in FLOATS and other.__class__ in FLOATS:
        return _numbers_agree(y, other, noise)
    pairs = itertools.zip_longest(held_numbers(y), held_numbers(other))
    return all(np.shape(a) == np.shape(b) and (a is b or _numbers_agree(a, b, noise)) for a, b in pairs)


def rounding_noise(xs: Any) -> float:
    """The rounding error of a sum that cancels, of numbers as large as those that `xs` holds."""
    sizes = [(np.max(np.abs(x), initial=0.0), np.finfo(np.asarray(x).dtype).eps) for x in held_numbers(xs)]
    return max((100.0 * float(size * eps) for size, eps in sizes if np.isfinite(size)), default=0.0)


def _numbers_agree(a: Any, b: Any, noise: float) -> bool:
    if a is None or b is None:
        return False
    if np.count_nonzero(a != b) == 0:  # nearly always, and found out sooner
        return True
    size = np.abs(a[np.isfinite(a)]).max(initial=0.0) if isinstance(a, np.ndarray) else 0.0
    tolerance = np.sqrt(np.finfo(np.result_type(a, b)).eps)
    return np.allclose(a, b, rtol=tolerance, atol=max(tolerance * size, noise), equal_nan=True)
