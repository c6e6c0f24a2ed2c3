"""The products of a scalar rule: strong zeros, broadcasting undone, precision kept."""

import numpy as np
import pytest

from chainrules_core import DimensionMismatchError, NoTangent, ZeroTangent, not_implemented
from chainrules_core.definition.scalar_products import (
    evaluate_partials,
    product_of_arrays,
    products_of_arrays,
    pull_partial,
    strong_product,
    sum_of_products,
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
    """Terms that are all zero tangents stay one."""
    assert sum_tangents(np.ones(2), [ZERO, ZERO]) is ZERO


@pytest.mark.parametrize(("x", "expected"), [(0.0, np.inf), (0, np.inf), (np.zeros(2), np.inf), (2.0, 0.5)])
def test_slopes_are_infinite_where_numbers_raise_an_error(x, expected):
    """Python's numbers raise ZeroDivisionError where NumPy's are infinite."""
    with np.errstate(divide="ignore", invalid="ignore"):
        assert np.all(evaluate_partials(lambda y, x: 1 / x, x, x) == expected)
        assert np.isnan(evaluate_partials(lambda y, x: 1 / x, 0j, 0j))


def test_product_of_arrays():
    """The partial derivative times the tangent, of arrays that are alike."""
    y, x, tangent = np.ones(2), np.array([2.0, 3.0]), np.array([10.0, 100.0])

    np.testing.assert_array_equal(product_of_arrays(lambda y, x: 2 * x, (y, x), x, tangent), [40.0, 600.0])


def test_product_of_arrays_writes_into_no_operand():
    """Where the partial derivative is the result or an argument itself, large arrays included."""
    x, tangent = np.full(100_000, 2.0), np.full(100_000, 3.0)
    for partial in (lambda y, x: x, lambda y, x: y, lambda y, x: x[:]):
        assert product_of_arrays(partial, (x, x), x, tangent)[0] == 6.0
    assert (x[0], tangent[0]) == (2.0, 3.0)


@pytest.mark.parametrize(
    ("y", "x", "tangent", "partial"),
    [
        (np.ones(2), np.ones(2), np.ones(2), np.array([np.nan, 1.0])),
        (np.ones(2), np.ones(2), np.ones(2), 1j * np.ones(2)),
        (np.ones(2), np.ones(2), np.ones(2), np.ones((2, 2))),
        (np.ones((2, 2)), np.ones(2), np.ones((2, 2)), 1.0),
        (np.ones(2), np.ones(2, np.float32), np.ones(2), 1.0),
        (1.0, 1.0, 1.0, 1.0),
        (np.ones(2), np.ones(2), ZERO, 1.0),
    ],
)
def test_what_needs_care_is_left(y, x, tangent, partial):
    """NaN, complex numbers, broadcasting, several precisions and tangents that are no arrays."""
    assert product_of_arrays(lambda y, x: partial, (y, x), x, tangent) is None


@pytest.mark.parametrize("shape", [(3,), (2, 3), (), (0,)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_products_of_arrays(shape, dtype):
    """Both are those that are made one by one."""
    rng = np.random.default_rng(0)
    x, y, z_bar = (np.asarray(rng.normal(size=shape), dtype) for _ in range(3))
    by_x, by_y = (lambda z, x, y: y), (lambda z, x, y: x * x)

    pair = products_of_arrays(by_x, by_y, (x * y, x, y), z_bar)

    for actual, partial, operand in zip(pair, (by_x, by_y), (x, y), strict=True):
        np.testing.assert_array_equal(actual, product_of_arrays(partial, (x * y, x, y), operand, z_bar))
        assert actual is not None or shape == ()
        assert actual is None or actual.dtype == dtype


@pytest.mark.parametrize(
    ("x", "y", "z_bar", "finished"),
    [
        (np.array([np.inf, 1.0]), np.ones(2), ZERO, (True, False)),
        (np.ones(2), np.array([1.0, np.nan]), np.ones(2), (False, True)),
        (np.array([1e200, 1e200]), np.array([1e200, -1e200]), np.ones(2), (True, True)),
        (np.array([np.inf, np.inf]), np.array([1.0, -1.0]), np.ones(2), (True, True)),
        (np.ones(2), np.ones((2, 2)), np.ones((2, 2)), (False, True)),
        (np.ones(2), np.ones(2, np.float32), np.ones(2), (True, False)),
    ],
)
def test_products_of_which_one_needs_care(x, y, z_bar, finished):
    """NaN, infinities, broadcasting and precisions: each is finished or left, as it is alone."""
    z_bar = np.zeros(2) if z_bar is ZERO else z_bar
    with np.errstate(over="ignore"):
        z = x * y

    pair = products_of_arrays(lambda z, x, y: y, lambda z, x, y: x, (z, x, y), z_bar)

    assert tuple(x_bar is not None for x_bar in pair) == finished


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sum_of_products(dtype):
    """Of arrays of one precision, whose shapes may broadcast."""
    x, y = np.asarray([[2.0], [3.0]], dtype), np.asarray([5.0, 7.0], dtype)
    x_dot, y_dot = np.asarray([[1.0], [10.0]], dtype), np.asarray([100.0, 1000.0], dtype)

    z_dot = sum_of_products(lambda z, x, y: y, lambda z, x, y: x, (x * y, x, y), x_dot, y_dot)

    np.testing.assert_array_equal(z_dot, [[205.0, 2007.0], [350.0, 3070.0]])
    assert z_dot.dtype == dtype


@pytest.mark.parametrize(
    ("z", "x_dot", "y_dot", "partial"),
    [
        (np.ones(2), np.zeros(2), np.ones(2), np.inf),
        (np.ones(2), np.ones(2), np.ones(2), np.array([1.0, np.nan])),
        (np.ones((2, 2)), np.ones(2), np.ones(2), 1.0),
        (np.ones(2), np.ones(2, np.float32), np.ones(2), 1.0),
        (np.ones(2), np.ones(2), np.ones(2), 1j),
        (np.ones(2), np.ones(2), ZERO, 1.0),
        (1.0, 1.0, 1.0, 1.0),
    ],
)
def test_sums_of_products_that_need_care(z, x_dot, y_dot, partial):
    """Strong zeros, NaN, tangents that broadcast, several precisions, complex numbers, what is no array."""
    by = lambda z, x, y: partial  # noqa: E731 - both partial derivatives

    assert sum_of_products(by, by, (z, z, z), x_dot, y_dot) is None


def test_partials_that_raise_are_left_to_the_careful_way():
    """A partial of Python's numbers may divide by zero: neither short way has an answer then."""
    x = np.ones(2)

    def by_x(z, x, y):
        return 1 / 0

    def by_y(z, x, y):
        return x

    assert products_of_arrays(by_x, by_y, (x, x, x), x) == (None, None)
    assert sum_of_products(by_x, by_y, (x, x, x), x, x) is None
