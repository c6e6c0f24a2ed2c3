"""How equal elements share the derivative of an extremum."""

import numpy as np
import pytest

from chainrules.formulas.arrays.extreme_shares import pull_shares, push_shares, shares_in
from chainrules.values.reductions import Reduction
from tests.chainrules.rule_checks import normal

OF_ALL = Reduction(None, False, True)


def test_ties_share_equally():
    """The derivative is the mean of those of the equal elements, and of the start if it is one of them."""
    x = np.array([1.0, 2.0, 2.0])

    x_bar, initial_bar = pull_shares(shares_in(np.float64(2.0), x, OF_ALL, 2.0), 3.0, x)
    np.testing.assert_allclose(x_bar, [0.0, 1.0, 1.0])
    assert initial_bar() == pytest.approx(1.0)


def test_a_nan_is_the_extremum_unless_it_is_ignored():
    """What NumPy's maximum is, or what `nanmax` leaves out."""
    x = np.array([np.nan, 1.0])

    with_nan = shares_in(np.float64(np.nan), x, OF_ALL)
    without = shares_in(np.float64(1.0), x, OF_ALL, ignores_nans=True)
    assert pull_shares(with_nan, 1.0, x)[0].tolist() == [1.0, 0.0]
    assert pull_shares(without, 1.0, x)[0].tolist() == [0.0, 1.0]


def test_modes_are_transposed():
    """``⟨y_bar, y_dot⟩ = ⟨x_bar, x_dot⟩`` along an axis."""
    x, x_dot, y_bar = np.round(normal(3, 4)), normal(3, 4, seed=1), normal(3, seed=2)
    shares = shares_in(np.max(x, axis=1), x, Reduction(1, False, True))

    pulled, _ = pull_shares(shares, y_bar, x)
    np.testing.assert_allclose(np.vdot(y_bar, push_shares(shares, x_dot)), np.vdot(pulled, x_dot))


@pytest.mark.parametrize("is_used", [True, np.array([True, False, True, True])])
@pytest.mark.parametrize("dtype", [float, np.float32, int])
def test_a_start_among_others(dtype, is_used):
    """Where it is an extremum it has a share; elements that are left out have none."""
    x, initial = np.array([[1, 4, 2, 2], [3, 3, 3, 0]]).astype(dtype), dtype(2)
    x_dot, y_bar = normal(2, 4, seed=1), normal(2, seed=2)
    y = np.max(x, axis=1, initial=initial, where=is_used)
    shares = shares_in(y, x, Reduction(1, False, is_used), initial)

    pulled, initial_bar = pull_shares(shares, y_bar, x)
    by_pullback = np.vdot(pulled, x_dot) + 5.0 * initial_bar()
    np.testing.assert_allclose(np.vdot(y_bar, push_shares(shares, x_dot, 5.0)), by_pullback)
    starts = 0.0 if is_used is True else y_bar[0] / 3
    assert initial_bar() == pytest.approx(starts)
    assert shares.number.dtype == (np.float32 if dtype is np.float32 else float)


def test_no_element_is_used():
    """The start alone is the extremum, whatever it equals."""
    x = np.array([1.0, 2.0])
    x_bar, initial_bar = pull_shares(
        shares_in(np.float64(2.0), x, Reduction(None, False, False), 2.0), 3.0, x
    )
    np.testing.assert_array_equal(x_bar, 0.0)
    assert initial_bar() == 3.0


def test_the_tangent_of_a_start():
    """It has a share if it is the extremum."""
    x = np.array([1.0, 0.0])

    assert push_shares(shares_in(np.float64(2.0), x, OF_ALL, 2.0), np.ones(2), 3.0) == 3.0
    assert push_shares(shares_in(np.float64(1.0), x, OF_ALL, 0.5), np.ones(2), 3.0) == 1.0
