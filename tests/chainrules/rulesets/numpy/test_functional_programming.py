"""The rules of functions that call another one for parts of an array, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import ADConfig, call, grad
from chainrules_core import rrule
from chainrules_core.structured import Symmetric
from tests.chainrules.container_checks import check_both_modes, check_calling_back
from tests.chainrules.rule_checks import normal
from tests.chainrules.structured_checks import check_keeps_structure


def scaled(w):
    """A closure, over a number."""
    return lambda x, c=1.0: w * x * x * c


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("f", [np.sum, np.cumsum, np.diag, np.sin])
def test_apply_along_axis(f, axis):
    """Results with fewer, as many and more axes than a line."""
    check_both_modes(np.apply_along_axis, f, axis, normal(2, 3))


def test_apply_along_axis_of_other_arrays():
    """Of one and three axes, in single precision, complex."""
    check_both_modes(np.apply_along_axis, np.cumsum, 0, normal(3))
    check_both_modes(np.apply_along_axis, np.diag, 1, normal(2, 3, 2))
    check_both_modes(np.apply_along_axis, np.sum, 0, normal(2, 3, dtype=complex))
    check_both_modes(np.apply_along_axis, np.sum, 0, normal(2, 3, dtype=np.float32))
    check_both_modes(np.apply_along_axis, np.cumsum, 1, normal(2, 0))


def test_apply_along_axis_of_a_closure():
    """What it holds, and further arguments, get the sum of the cotangents of all calls."""
    check_calling_back(np.apply_along_axis, scaled(2.5), 0, normal(2, 3))
    check_calling_back(np.apply_along_axis, scaled(2.5), 1, normal(2, 3), 1.5)
    x = normal(2, 3)
    assert grad(lambda w: np.sum(call(np.apply_along_axis, scaled(w), 0, x)))(2.0) == pytest.approx(
        np.sum(x**2)
    )


def ends(line):
    """Two numbers of a line, one of which is a constant: NumPy makes an array of the tuple."""
    return line[0] * line[1], 2.0


@pytest.mark.parametrize("axis", [0, 1])
def test_apply_along_axis_of_tuples(axis):
    """Their items stand along the axis, and have a derivative each."""
    check_both_modes(np.apply_along_axis, ends, axis, normal(2, 3))


@pytest.mark.parametrize(("axis", "shape"), [(0, (3, 0)), (2, (2, 3))])
def test_apply_along_axis_refuses_what_numpy_does(axis, shape):
    """No lines, or no such axis: NumPy's own errors."""
    with pytest.raises(ValueError, match=r"iteration dimensions are 0|axis"):
        rrule(ADConfig(), np.apply_along_axis, np.sum, axis, normal(*shape))


@pytest.mark.parametrize("axes", [0, -1, [0, 2], (1,)])
@pytest.mark.parametrize("f", [np.sum, np.cumsum])
def test_apply_over_axes(f, axes):
    """One axis after the other."""
    check_both_modes(np.apply_over_axes, f, normal(2, 3, 2), axes)


def test_apply_over_axes_of_a_closure():
    """Which holds a number."""

    def weighted(w):
        return lambda x, axis: w * np.sum(x, axis=axis)

    check_calling_back(np.apply_over_axes, weighted(2.5), normal(2, 3), [0, 1])


def test_apply_over_axes_refuses_what_numpy_does():
    """A function that leaves out more than one axis."""
    with pytest.raises(ValueError, match="correct shape"):
        rrule(ADConfig(), np.apply_over_axes, lambda x, axis: np.sum(x), normal(2, 3, 2), [0])


def test_fromfunction():
    """The indices are constants; what the function holds varies."""

    def plane(slope, offset):
        return lambda i, j, scale=1.0: scale * (slope * i + offset * j * j)

    check_calling_back(np.fromfunction, plane(2.5, 1.5), (2, 3))
    check_calling_back(np.fromfunction, plane(2.5, 1.5), (2, 3), dtype=int, scale=2.0)
    check_both_modes(np.fromfunction, np.hypot, (2, 3))


def test_symmetric_matrices():
    """Their cotangents are symmetric: the matrices cannot move otherwise."""
    A = Symmetric(normal(3, 3))

    check_keeps_structure(ADConfig(), np.apply_along_axis, np.cumsum, 0, A)
    check_keeps_structure(ADConfig(), np.apply_over_axes, np.sum, A, [0])
