"""Rules of functions of two operands that broadcast."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.makers.elementwise import (
    binary_rule,
    inverse,
    is_complex,
    lazy_pullbacks,
    like_result,
    nonzero,
    portion,
)
from chainrules_core import AbstractThunk, NoTangent, ZeroTangent, frule, rrule, unthunk
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


def test_partial_derivatives_are_computed_on_demand():
    """Each of the two only if its cotangent is asked for, and then once."""
    computed = []

    def partial(name):
        return lambda z, x, y: computed.append(name) or 1.0

    pullback = lazy_pullbacks(partial("x"), partial("y"), both=False)(normal(3), normal(3), normal(3))
    self_bar, x_bar, y_bar = pullback(np.ones(3))

    assert self_bar is NoTangent()
    assert isinstance(x_bar, AbstractThunk)
    assert computed == []
    np.testing.assert_array_equal(unthunk(x_bar), np.ones(3))
    unthunk(x_bar)
    assert computed == ["x"]
    np.testing.assert_array_equal(unthunk(y_bar), np.ones(3))
    assert computed == ["x", "y"]


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


def test_operands_of_different_precision():
    """The derivative has the precision of the result, although one operand has less."""
    x, y = normal(3), np.float32(2.7)

    np.testing.assert_allclose(grad(lambda x: np.sum(x / y))(x), np.full(3, 1 / np.float64(y)), rtol=1e-15)
    np.testing.assert_allclose(grad(lambda x: np.sum(y**x))(x), y**x * np.log(np.float64(y)), rtol=1e-15)


@pytest.mark.parametrize("zero", [0.0, -0.0, np.float64(0.0)])
def test_inverse_of_zero_is_infinite(zero):
    """Without an error or a warning; the sign is that of the zero."""
    assert inverse(zero) == np.copysign(np.inf, zero)


@pytest.mark.parametrize("x", [2.0, 2, np.float32(2.0), np.full(3, 2.0), 2j])
def test_inverse(x):
    """Of everything else it is the quotient."""
    np.testing.assert_array_equal(inverse(x), 1 / x)


def test_nonzero():
    """Zeros become ones, in the dtype of the others."""
    x = nonzero(np.array([0.0, 2.0], dtype=np.float32))

    assert (x.tolist(), x.dtype) == ([1.0, 2.0], np.float32)
    assert nonzero(0.0) == 1.0


@pytest.mark.parametrize("infinite", [np.inf, np.nan, np.array([np.inf])])
def test_portion_of_infinity(infinite):
    """Nothing of it is nothing, without a warning."""
    assert portion(infinite, 0.0) == 0.0
    assert portion(infinite, np.False_) == 0.0
    np.testing.assert_array_equal(portion(infinite, 0.5), infinite)


@pytest.mark.parametrize("truth", [True, np.True_, np.array([True, False])])
def test_truth_values_are_factors(truth):
    """As in ``x * (x > 0)``; they have no cotangents."""
    gradient = grad(lambda x: np.sum(x * truth + np.multiply(truth, x)))(3.0)

    assert gradient == 2 * np.sum(truth)


@pytest.mark.parametrize(
    ("x", "expected"),
    [(1.0, False), (1, False), (1j, True), (np.float32(1), False), (np.zeros(2, complex), True)],
)
def test_is_complex(x, expected):
    """By the type, whatever the value."""
    assert is_complex(x) is expected


@pytest.mark.parametrize(
    ("y", "kind"), [(1.0, "f"), (1j, "c"), (np.zeros(2), "f"), (np.zeros(2, complex), "c")]
)
@pytest.mark.parametrize("x", [2, 2.0, np.array([1, 2])])
def test_like_result(x, y, kind):
    """The same values, as floats or complex numbers."""
    assert np.asarray(like_result(x, y)).dtype.kind == kind
    np.testing.assert_array_equal(like_result(x, y), x)


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
