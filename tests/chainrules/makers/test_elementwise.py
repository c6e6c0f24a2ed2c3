"""Rules of functions of two operands that broadcast."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.makers.elementwise import binary_rule
from chainrules_core import NoTangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal, positive


def quadratic(x, y):
    """A function of numbers and arrays that has no rule of its own."""
    return x * x * y


binary_rule(quadratic, lambda z, x, y: 2 * x * y, lambda z, x, y: x * x)


@pytest.mark.parametrize(
    ("x", "y"), [(1.5, 2.5), (normal(3), 2.5), (1.5, normal(3)), (normal(3, 1), normal(4)), (1j, normal(3))]
)
def test_binary_rule_defines_both_modes(x, y):
    """For numbers, arrays, and one of each."""
    test_frule(quadratic, x, y)
    test_rrule(quadratic, x, y)


def test_partial_derivatives_by_constants_are_not_computed_forwards():
    """An operand whose tangent is zero contributes nothing."""

    def ratio(x, y):
        return x / y

    def by_y(z, x, y):
        raise AssertionError

    binary_rule(ratio, lambda z, x, y: 1 / y, by_y)
    x, x_dot = normal(3), normal(3, seed=1)

    z, z_dot = frule((NoTangent(), x_dot, ZeroTangent()), ratio, x, 2.0)

    np.testing.assert_array_equal(z, x / 2.0)
    np.testing.assert_array_equal(z_dot, x_dot / 2.0)
    assert frule((NoTangent(), ZeroTangent(), ZeroTangent()), ratio, x, 2.0)[1] is ZeroTangent()


def test_constant_factor_is_not_reduced(monkeypatch):
    """``x * 2.0`` and the like sum nothing over the array when differentiated by ``x``."""
    sums = []
    original = np.sum
    x = positive(3)

    with monkeypatch.context() as patch:
        patch.setattr(np, "sum", lambda *args, **named: sums.append(args) or original(*args, **named))
        gradient = grad(lambda x: ((3.0 + x * 2.0 - 1.0) / 4.0)[0])(x)

    np.testing.assert_allclose(gradient, [0.5, 0.0, 0.0])
    assert sums == []


def test_numbers_get_numbers():
    """Between numbers there is nothing to save."""
    assert rrule(quadratic, 1.5, 2.0)[1](1.0) == (NoTangent(), 6.0, 2.25)


@pytest.mark.parametrize("truth", [True, np.True_, np.array([True, False])])
def test_truth_values_are_factors(truth):
    """As in ``x * (x > 0)``; they have no cotangents."""
    gradient = grad(lambda x: np.sum(x * truth + np.multiply(truth, x)))(3.0)

    assert gradient == 2 * np.sum(truth)


@pytest.mark.parametrize("keyword", ["out", "where", "dtype"])
@pytest.mark.parametrize("f", [np.sin, np.add, np.maximum, np.power, np.absolute], ids=lambda f: f.__name__)
def test_keywords_of_ufuncs_are_refused(f, keyword):
    """No rule answers a question that it was not asked; the message names the function and the keyword."""
    x = (positive(3),) * f.nin

    with pytest.raises(
        TypeError, match=rf"{f.__name__}_rrule\(\) got an unexpected keyword argument '{keyword}'"
    ):
        rrule(f, *x, **{keyword: None})
    with pytest.raises(
        TypeError, match=rf"{f.__name__}_frule\(\) got an unexpected keyword argument '{keyword}'"
    ):
        frule((NoTangent(),) * (f.nin + 1), f, *x, **{keyword: None})


@pytest.mark.parametrize("x", [1.5, normal(3), normal(2000), normal(3, dtype=complex)], ids=np.size)
def test_products_of_a_value_and_itself(x):
    """The two cotangents are computed once, and are those of two equal operands."""
    z_bar = 2.0 * x
    _, pullback = rrule(np.multiply, x, x)
    _, pullback_of_two = rrule(np.multiply, x, x.copy() if np.ndim(x) else np.float64(x))

    _, first, second = pullback(z_bar)
    assert first is second or np.ndim(x) == 0
    for actual, expected in zip((first, second), pullback_of_two(z_bar)[1:], strict=True):
        np.testing.assert_array_equal(unthunk(actual), unthunk(expected))


def test_integers_get_floats():
    """A cotangent of integers is no tangent of integers: both operands of a sum get floats."""
    x = np.array([1, 2])

    for f in (np.add, np.subtract):
        _, x_bar, y_bar = rrule(f, x, x)[1](np.array([3, 4]))
        assert unthunk(x_bar).dtype == unthunk(y_bar).dtype == np.float64
