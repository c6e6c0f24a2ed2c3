"""The products of a scalar rule: strong zeros, broadcasting undone, precision kept."""

import numpy as np
import pytest

from chainrules.ad import grad, hessian, jvp
from chainrules_core import DimensionMismatchError, NoTangent, ZeroTangent, not_implemented
from chainrules_core.definition.scalar_products import (
    evaluate_partials,
    pull_partial,
    strong_product,
    sum_tangents,
    unbroadcast,
)

ZERO = ZeroTangent()


@pytest.mark.parametrize(
    ("partial", "tangent", "expected"),
    [
        (np.inf, 0.0, 0.0),
        (np.nan, 0.0, 0.0),
        (np.inf, 2.0, np.inf),
        (np.nan, 1.0, np.nan),
        (np.array([np.inf, 2.0, np.nan]), np.array([0.0, 3.0, 0.0]), [0.0, 6.0, 0.0]),
        (np.array([np.inf, 2.0]), 0.0, [0.0, 0.0]),
        (np.inf, np.array([0.0, 1.0]), [0.0, np.inf]),
        (np.array([np.nan, 1.0]), np.array([1.0, 0.0]), [np.nan, 0.0]),
        (np.inf * 1j, 0.0, 0.0),
        (np.array(np.inf), np.array(0.0), 0.0),
        (np.zeros(0), np.zeros(0), []),
    ],
)
@np.errstate(invalid="ignore")
def test_zero_tangents_are_strong(partial, tangent, expected):
    """Where the tangent is zero the product is, and elsewhere it is the product."""
    np.testing.assert_array_equal(strong_product(partial, tangent), expected)


def test_zero_tangents_keep_their_derivatives():
    """A NaN elsewhere in the array does not make a constant of a product with zero."""
    partial = np.array([2.0, np.nan])

    y, y_dot = jvp(lambda t: strong_product(partial, t), (np.zeros(2),), (np.array([1.0, 0.0]),))

    np.testing.assert_array_equal(y, [0.0, 0.0])
    np.testing.assert_array_equal(y_dot, [2.0, 0.0])


@pytest.mark.parametrize("dtype", ["float16", "float32", "complex64"])
def test_strong_zeros_keep_precision(dtype):
    """Masking does not widen the product."""
    with np.errstate(invalid="ignore"):
        product = strong_product(np.array([np.inf, 1.0], dtype), np.array([0.0, 2.0], dtype))
    assert product.dtype == dtype
    np.testing.assert_array_equal(product, [0.0, 2.0])


def test_tangent_types_pass_through():
    """Zero tangents and unknown derivatives obey the table of tangent arithmetic."""
    assert strong_product(np.inf, ZERO) is ZERO
    assert isinstance(strong_product(np.inf, NoTangent()), type(ZERO) | NoTangent)
    missing = not_implemented("missing")
    assert strong_product(missing, 2.0) is missing


def test_array_that_is_not_in_memory_is_masked_without_looking():
    """For arrays such as Dask's the product is not searched, which would compute it."""

    class Lazy:
        def __init__(self, name):
            self.name = name

        def __mul__(self, other):
            return Lazy(f"{self.name} * {other.name}")

        def __rmul__(self, other):
            return Lazy(f"{other} * {self.name}")

        def __eq__(self, other):
            return Lazy(f"{self.name} == {other}")

        __hash__ = None

        def __bool__(self):
            raise AssertionError("computed")

        def __array_function__(self, function, types, args, kwargs):
            names = (getattr(arg, "name", arg) for arg in args)
            return Lazy(f"{function.__name__}({', '.join(map(str, names))})")

    product = strong_product(Lazy("d"), Lazy("x_dot"))
    assert product.name == "where(x_dot == 0, 0, d) * x_dot"
    for number in (2.0, 2, 2j):
        assert strong_product(number, Lazy("x_dot")).name == f"{number} * x_dot"
    assert strong_product(np.inf, Lazy("x_dot")).name == "where(x_dot == 0, 0, inf) * x_dot"


@pytest.mark.parametrize(
    ("x_shape", "y_shape"),
    [
        ((3,), (2, 3)),
        ((), (2, 3)),
        ((1, 3), (2, 3)),
        ((2, 1), (2, 3)),
        ((1, 1), (2, 3)),
        ((1, 3), (4, 2, 3)),
        ((0,), (2, 0)),
        ((2, 3), (2, 3)),
    ],
)
def test_broadcasting_is_undone(x_shape, y_shape):
    """A cotangent is summed over the axes along which its argument was repeated."""
    y_bar = np.arange(1.0, 1 + np.prod(y_shape)).reshape(y_shape)
    x_bar = pull_partial(np.ones(x_shape), 2.0, y_bar)
    assert np.shape(x_bar) == x_shape
    assert np.sum(x_bar) == 2 * y_bar.sum()
    number_bar = pull_partial(1.0, 2.0, y_bar)
    assert isinstance(number_bar, float)
    assert number_bar == 2 * y_bar.sum()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64"])
def test_cotangent_has_the_precision_of_its_argument(dtype):
    """Products in another precision are brought back, arrays that are alike without detours."""
    x = np.ones(3, dtype)
    for partial, y_bar in [
        (np.ones(3, dtype), np.ones(3, dtype)),
        (np.ones(3), np.ones(3)),
        (2.0, np.ones(3)),
    ]:
        assert pull_partial(x, partial, y_bar).dtype == dtype


def test_real_arguments_have_real_cotangents():
    """The imaginary part of a cotangent of a real array is dropped; partials are conjugated."""
    x_bar = pull_partial(np.ones(2), np.array([1j, 1.0]), np.array([1j, 1j]))
    np.testing.assert_array_equal(x_bar, [1.0, 0.0])
    assert x_bar.dtype == np.float64
    np.testing.assert_array_equal(pull_partial(np.ones(1, complex), np.array([2j]), np.ones(1)), [-2j])


def test_large_numbers_do_not_warn():
    """That a product is searched for NaNs is not seen from outside."""
    big = np.array([1e200, 1e10])
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(strong_product(big, np.ones(2)), big)


def test_alike_arrays_with_a_nan_are_masked():
    """The short path for arrays that are alike keeps zeros strong, too."""
    with np.errstate(invalid="ignore"):
        x_bar = pull_partial(np.zeros(2), np.array([np.inf, 1.0]), np.array([0.0, 3.0]))
    np.testing.assert_array_equal(x_bar, [0.0, 3.0])


def test_shapes_that_do_not_fit_are_an_error():
    """A cotangent that cannot come from broadcasting is refused."""
    with pytest.raises(DimensionMismatchError):
        unbroadcast(np.ones(3), np.ones(2))


@pytest.mark.parametrize(
    ("y", "terms", "expected"),
    [
        (np.ones(2), [np.ones(2)], np.ones(2)),
        (np.ones((2, 2)), [np.ones(2), 1.0], np.full((2, 2), 2.0)),
        (np.ones(2), [0.0], np.zeros(2)),
        (np.ones(2), [ZERO, np.ones(2)], np.ones(2)),
        (1.0, [1.0, 2.0], 3.0),
    ],
)
def test_total_has_the_shape_of_the_result(y, terms, expected):
    """The tangent of a result is the sum of its terms, repeated where the primal repeats."""
    y_dot = sum_tangents(y, terms)
    np.testing.assert_array_equal(y_dot, expected)
    assert np.shape(y_dot) == np.shape(y)


def test_total_of_zeros_is_zero():
    """If all terms are zero tangents, their sum is one."""
    assert sum_tangents(np.ones(2), [ZERO, ZERO]) is ZERO


@pytest.mark.parametrize(("x", "expected"), [(0.0, np.inf), (0, np.inf), (np.zeros(2), np.inf), (2.0, 0.5)])
def test_slopes_are_infinite_where_numbers_raise_an_error(x, expected):
    """Python's numbers raise ZeroDivisionError where NumPy's are infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        assert np.all(evaluate_partials(lambda y, x: 1 / x, x, x) == expected)
        assert np.isnan(evaluate_partials(lambda y, x: 1 / x, 0j, 0j))


@np.errstate(divide="ignore")
def test_slopes_of_traced_numbers_at_poles():
    """What is done once more with NumPy's numbers is traced as before."""
    y, y_dot = jvp(lambda x: evaluate_partials(lambda x, zero: x + 1 / (1 / zero), x, 0.0), (3.0,), (2.0,))

    assert (y, y_dot) == (3.0, 2.0)


@pytest.mark.parametrize(
    ("f", "pole", "slopes"),
    [
        (np.log, 0.0, [np.inf, -np.inf, np.inf]),
        (np.log2, 0.0, [np.inf, -np.inf, np.inf]),
        (np.log1p, -1.0, [np.inf, -np.inf, np.inf]),
        (np.sqrt, 0.0, [np.inf, -np.inf, np.inf]),
        (lambda x: np.where(x > 0, x * np.log(x), 0.0), 0.0, [0.0, 0.0, 0.0]),
    ],
)
@np.errstate(divide="ignore", invalid="ignore")
def test_derivatives_of_every_order_at_poles(f, pole, slopes):
    """A number of Python's has those of NumPy's, and not an error."""
    for x in (pole, np.float64(pole)):
        np.testing.assert_array_equal([grad(f)(x), hessian(f)(x), grad(grad(grad(f)))(x)], slopes)
        np.testing.assert_array_equal(jvp(grad(f), (x,), (1.0,))[1], slopes[1])


@np.errstate(divide="ignore", invalid="ignore")
def test_slopes_at_poles_of_products():
    """A factor that is zero beside one that is infinite gives NaN; where it is known, it is infinite."""
    for one in (1.0, np.float64(1.0)):
        assert np.isnan(grad(grad(np.arctanh))(one))
        assert jvp(grad(np.arctanh), (one,), (1.0,))[1] == hessian(np.arctanh)(one) == np.inf
