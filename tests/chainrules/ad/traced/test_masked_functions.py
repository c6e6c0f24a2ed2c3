"""Functions of `numpy.ma` that make masks, move elements, or compute one by one."""

import numpy as np
import pytest

from chainrules.ad import grad
from tests.chainrules.ad.traced.masks import MASK, OTHER, X, check, check_all, masked

NAN = np.array([1.0, np.nan, 1.0, 1.0])
WEIGHTS = np.arange(1.0, 9.0)

PROGRAMS = {
    "questions": lambda x: np.ma.count(masked(x)) * x[0] + np.sum(np.ma.getmaskarray(masked(x)) * x),
    "comparisons": lambda x: (np.ma.less(masked(x), x[2]) * x).sum(),
    "where, masked": lambda x: np.ma.masked_where(x > 1.0, x).sum() + np.ma.masked_where(x > 1.0, OTHER * x),
    "by value": lambda x: np.ma.masked_inside(x, 0.0, 1.0) + np.ma.masked_greater(x, 1.0).mean(),
    "invalid": lambda x: np.ma.masked_invalid(NAN * x) * x,
    "fixed": lambda x: np.ma.fix_invalid(NAN * x).filled(0.3) * x,
    "rows": lambda x: np.ma.mask_rows(masked(x).reshape(2, 2)) * x[0],
    "axes": lambda x: np.ma.array(x, mask=MASK, ndmin=2) * x,
    "a list": lambda x: np.ma.array([x[0], x[1], x[2] ** 2], mask=[1, 0, 0]),
    "a copy": lambda x: np.ma.copy(masked(x)) * x,
    "filled": lambda x: masked(x).filled(x[0]) + np.ma.filled(masked(x), 2.0) * x + np.ma.filled(x),
    "compressed": lambda x: np.ma.compressed(masked(x)) * masked(x).compressed(),
    "elements": lambda x: np.ma.getdata(masked(x)) * masked(x).view(np.ndarray) * np.asarray(np.ma.array(x)),
    "conversions": lambda x: (
        np.asanyarray(masked(x), dtype=complex).real * np.asanyarray(masked(x), copy=True)
    ),
    "views": lambda x: masked(x).view() * masked(x).view(np.ma.MaskedArray),
    "masks of their own": lambda x: masked(x).unshare_mask() * np.ma.array(x, mask=False).shrink_mask(),
    "joined": lambda x: np.ma.concatenate([masked(x), OTHER]) ** 2 * np.ma.hstack([x, masked(x)]),
    "stacked": lambda x: np.ma.vstack([masked(x), x, OTHER]) * np.ma.stack([x, OTHER, masked(x)]),
    "rearranged": lambda x: masked(x).reshape(2, 2).transpose() * np.ma.transpose(np.ma.reshape(x, (2, 2))),
    "with an axis more": lambda x: np.ma.expand_dims(masked(x), 0) * np.atleast_2d(masked(x)),
    "an axis moved": lambda x: np.moveaxis(masked(x).reshape(2, 2), 0, 1) * np.ravel(masked(x))[:2],
    "diagonals": lambda x: np.ma.diag(masked(x)).diagonal() * masked(x).swapaxes(0, 0).squeeze(),
    "repeated": lambda x: np.ma.repeat(masked(x), 2) * masked(x).repeat(2).flatten(),
    "taken": lambda x: masked(x).take([0, 1, 3]) ** 2 * masked(x).astype(float).copy()[1:],
    "extracted": lambda x: np.extract(x > 0.0, masked(x)) * np.extract(np.ma.array(x) > 0.0, masked(x)),
    "sorted": lambda x: np.ma.sort(masked(x).reshape(2, 2), axis=0) * np.ma.sort(x, axis=None)[0],
    "lines": lambda x: np.ma.apply_along_axis(lambda v: v * v.sum(), 0, masked(x).reshape(2, 2)),
    "numbers of lines": lambda x: np.ma.apply_along_axis(lambda v: v.sum() ** 2, -1, masked(x).reshape(2, 2)),
    "pairs of lines": lambda x: np.ma.apply_along_axis(lambda v: (v.max(), v.min()), 1, x.reshape(2, 2)),
    "elementwise": lambda x: np.ma.log(x) + np.ma.sqrt(masked(x)) * np.ma.maximum(masked(x), x[::-1]),
    "with options": lambda x: (
        np.ma.clip(masked(x), 0.0, 1.5) * masked(x).clip(0.0, 3.0) * np.clip(masked(x), -9, 1)
    ),
    "chosen": lambda x: np.ma.where(x > 1.0, x**2, masked(x)) + np.ma.where(masked(x) > 1.0, x, np.ma.masked),
    "places": lambda x: masked(x)[np.ma.where(masked(x) > 1.0)] * x[0],
    "conjugates": lambda x: np.ma.abs(np.ma.array(1j * x, mask=MASK).conj() + x),
    "parts": lambda x: (
        np.real(np.ma.array((1.0 + 1j) * x, mask=MASK)) * np.imag(np.ma.array(1j * x**2, mask=MASK))
    ),
    "each with each": lambda x: np.ma.multiply.outer(masked(x), x),
}


@pytest.mark.every_case
@pytest.mark.parametrize("f", PROGRAMS.values(), ids=PROGRAMS)
def test_programs(f):
    """The value is NumPy's, and the derivative that of what is not masked."""
    check_all(f)


def placed(x):
    """The mask stays as it is."""
    a = masked(x)
    np.place(a, x > 0.0, x[2:] * x[0])
    return (a * WEIGHTS[:4]).sum()


def sorted_in_place(x):
    """The array itself changes, with its mask."""
    a = masked(x)
    a.sort()
    return (a * WEIGHTS[:4]).sum()


@pytest.mark.every_case
@pytest.mark.parametrize("f", [placed, sorted_in_place])
def test_written(f):
    """What changes its argument."""
    check(f)


def test_a_value_to_fill_with():
    """One that has a derivative is given to `filled`."""
    with pytest.raises(TypeError, match="`filled` may be given one"):
        grad(lambda x: np.ma.array(x, mask=MASK, fill_value=x[0]).filled().sum())(X)


def test_masks_are_constants():
    """At the border of a condition the derivative is that of the side of the point."""
    np.testing.assert_array_equal(grad(lambda x: np.ma.masked_less(x, 0.7).sum())(X), [1.0, 0.0, 1.0, 1.0])
