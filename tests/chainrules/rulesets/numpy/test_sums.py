"""The rules of sums, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import call, grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.rule_checks import check_rule, normal, read_only
from tests.chainrules.structured_checks import check_symmetric

CUBE = normal(2, 3, 4)
MASK = normal(2, 1, 4, seed=1) > 0

OPTIONS = {
    "all": {},
    "axis": {"axis": 0},
    "negative axis": {"axis": -1},
    "axes": {"axis": (0, 2)},
    "negative axes, kept": {"axis": (-1, 0), "keepdims": True},
    "all, kept": {"keepdims": True},
    "no axes": {"axis": ()},
    "where": {"where": MASK},
    "where along an axis": {"axis": 1, "where": MASK},
    "initial": {"initial": 3.0},
    "initial along an axis": {"axis": 1, "initial": 3.0},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, complex])
def test_sum(dtype, options):
    """Sums over axes of every kind, with gaps, from a start."""
    check_rule(np.sum, CUBE.astype(dtype), **options)


@pytest.mark.parametrize(
    "x", [1.5, np.float64(1.5), np.array(1.5), normal(0, 3), normal(3, 8)[:, ::2], read_only(normal(3))]
)
def test_sum_of_other_operands(x):
    """Numbers, arrays without axes and without elements, views."""
    check_rule(np.sum, x)


def test_sum_along_an_empty_axis():
    """The sum of nothing is a constant."""
    check_rule(np.sum, normal(0, 3), axis=0)
    check_rule(np.sum, normal(0, 3), axis=1)


@pytest.mark.parametrize("x", [normal(3, dtype=np.float32), np.arange(4)])
def test_sum_in_another_precision(x):
    """The cotangent has the precision of the argument, not that of the sum."""
    check_rule(np.sum, x, dtype=np.float64)


def test_sum_with_options_by_position():
    """Each option gets a cotangent; that of the start is what all sums get together."""
    check_rule(np.sum, CUBE, 0)
    check_rule(np.sum, CUBE, -1, None, None, True)
    check_rule(np.sum, CUBE, 0, None, None, False, 2.0)


def test_sum_passes_the_derivative_of_a_traced_start():
    """The start may be traced although it is given by keyword; each sum starts from it."""
    x = normal(2, 3)

    assert grad(lambda start: call(np.sum, x, initial=start))(1.0) == 1.0
    assert grad(lambda start: np.sum(call(np.sum, x, axis=1, initial=start)))(1.0) == 2.0


def test_sum_with_the_tangent_of_a_start_alone():
    """The tangent of a start is the tangent of each sum."""
    tangents = (NoTangent(), ZeroTangent(), *(NoTangent(),) * 4, 2.0)

    y_dot = frule(tangents, np.sum, normal(2, 3), 1, None, None, False, 0.0)[1]
    np.testing.assert_array_equal(y_dot, [2.0, 2.0])


@pytest.mark.parametrize("mode", ["frule", "rrule"])
def test_sum_refuses_what_it_cannot_derive(mode):
    """Writing into an array leaves no trace; a sum of integers cut from floats has no slope."""
    x = normal(3)

    def use_rule(**options):
        return (
            rrule(np.sum, x, **options) if mode == "rrule" else frule((NoTangent(), x), np.sum, x, **options)
        )

    with pytest.raises(TypeError, match=r"np\.sum.*out=.*cannot be differentiated"):
        use_rule(out=np.array(0.0))
    with pytest.raises(TypeError, match=r"np\.sum.*dtype=.*cannot be differentiated"):
        use_rule(dtype=int)
    with pytest.raises(np.exceptions.AxisError):
        use_rule(axis=1)


WITH_NANS = np.where(CUBE > 1, np.nan, CUBE)


@pytest.mark.parametrize(
    "options",
    [{}, {"axis": 0}, {"axis": (0, 2), "keepdims": True}, {"axis": 1, "where": MASK, "initial": 2.0}],
)
def test_nansum(options):
    """A NaN is left out, and its cotangent is zero; so is that of what is left out besides."""
    check_rule(np.nansum, CUBE, **options)
    assert_ignores_nans(np.nansum, np.sum, options)


def assert_ignores_nans(f, f_with_where, options):
    """Check that the derivative of `f` is that of a function which leaves the NaNs out."""
    where = ~np.isnan(WITH_NANS) & options.get("where", True)
    expected_y, expected_pullback = rrule(f_with_where, WITH_NANS, **{**options, "where": where})
    y, pullback = rrule(f, WITH_NANS, **options)
    x_dot = normal(2, 3, 4, seed=5)

    np.testing.assert_allclose(y, expected_y)
    np.testing.assert_allclose(pullback(np.ones_like(y))[1], expected_pullback(np.ones_like(y))[1])
    np.testing.assert_allclose(
        frule((NoTangent(), x_dot), f, WITH_NANS, **options)[1],
        frule((NoTangent(), x_dot), f_with_where, WITH_NANS, **{**options, "where": where})[1],
    )


@pytest.mark.parametrize("options", [{}, {"axis": 0}, {"axis": -1}])
@pytest.mark.parametrize("f", [np.cumsum, np.nancumsum])
def test_running_sum(f, options):
    """Running sums along an axis, and of the flattened array."""
    check_rule(f, CUBE, **options)


@pytest.mark.parametrize("x", [1.5, np.array(1.5), normal(0), normal(3, dtype=complex), np.arange(4)])
def test_running_sum_of_other_operands(x):
    """Numbers, arrays without axes and without elements, complex numbers, integers."""
    check_rule(np.cumsum, x)


def test_running_sum_with_options_by_position():
    """Each option gets a cotangent; the result may be more precise than its argument."""
    check_rule(np.cumsum, CUBE, 1, None)
    check_rule(np.cumsum, normal(3, dtype=np.float32), None, np.float64)


def test_running_sum_leaves_nans_out():
    """A NaN contributes nothing to any sum."""
    x = np.array([1.0, np.nan, 3.0])
    y, pullback = rrule(np.nancumsum, x)

    np.testing.assert_array_equal(y, [1.0, 1.0, 4.0])
    np.testing.assert_array_equal(pullback(np.array([1.0, 10.0, 100.0]))[1], [111.0, 0.0, 100.0])
    np.testing.assert_array_equal(frule((NoTangent(), np.ones(3)), np.nancumsum, x)[1], [1.0, 1.0, 2.0])


@pytest.mark.parametrize(
    "options", [{"axis": 0}, {"axis": -1}, {"axis": 1, "include_initial": True}, {"axis": (1,)}]
)
def test_cumulative_sum(options):
    """The running sum of the array API standard, with its constant start."""
    check_rule(np.cumulative_sum, CUBE, **options)
    check_rule(np.cumulative_sum, CUBE[0, 0])
    check_rule(np.cumulative_sum, CUBE[0, 0], include_initial=True)
    check_rule(np.cumulative_sum, 0.7, axis=(0,))


def test_running_sums_refuse_out():
    """Writing into an array leaves no trace."""
    with pytest.raises(TypeError, match=r"np\.cumsum.*out=.*cannot be differentiated"):
        rrule(np.cumsum, normal(3), out=np.zeros(3))
    with pytest.raises(TypeError, match=r"np\.cumulative_sum.*out=.*cannot be differentiated"):
        rrule(np.cumulative_sum, normal(3), out=np.zeros(3))


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.sum)
    check_symmetric(np.cumsum)
    check_symmetric(np.cumulative_sum, axis=1)
