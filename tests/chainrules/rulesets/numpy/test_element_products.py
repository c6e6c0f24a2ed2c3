"""The rules of products of elements, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import call, grad, hessian, hvp, jacobian
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.lazy_checks import check_rules
from tests.chainrules.rule_checks import check_rule, check_zeros_are_strong, normal
from tests.chainrules.structured_checks import check_symmetric
from tests.python_calls import functions_run_by

CUBE = normal(2, 3, 2)
MASK = normal(2, 1, 2, seed=1) > 0
ONE_ZERO = np.array([1.5, 0.0, 3.0, -2.0])
TWO_ZEROS = np.array([1.5, 0.0, 3.0, 0.0, 2.0])
SOME_ZEROS = np.array([[1.5, 0.0, 2.0], [0.5, -1.0, 3.0], [2.0, 0.0, 0.0]])
ALL_KINDS = [CUBE[0, :2], ONE_ZERO, TWO_ZEROS, np.zeros(3), SOME_ZEROS, ONE_ZERO + 1j * ONE_ZERO**2]

OPTIONS = {
    "all": {},
    "axis": {"axis": 0},
    "negative axis": {"axis": -1},
    "negative axes, kept": {"axis": (-1, 0), "keepdims": True},
    "no axes": {"axis": ()},
    "where": {"where": MASK},
    "where along an axis, initial": {"axis": 1, "where": MASK, "initial": 3.0},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("f", [np.prod, np.nanprod])
def test_prod(f, options):
    """Products over axes of every kind, of chosen elements, from a start."""
    check_rule(f, CUBE, **options)


@pytest.mark.parametrize("x", ALL_KINDS)
def test_prod_with_zeros(x):
    """No zero, one, two and more: first and second derivatives are those of the polynomial."""
    check_rule(np.prod, x)
    check_rule(np.prod, x, axis=-1)
    check_rule(np.prod, x, initial=2.0)


@pytest.mark.parametrize("axis", [0, 1, (1, 0)])
def test_prod_with_zeros_along_an_axis(axis):
    """Some products have zeros, others have none."""
    check_rule(np.prod, SOME_ZEROS, axis=axis)


@pytest.mark.parametrize("x", [1.5, np.array(1.5), np.array(0.0), normal(0), np.arange(4)])
def test_prod_of_other_operands(x):
    """Numbers, arrays without axes and without elements, integers."""
    check_rule(np.prod, x)


def test_prod_along_an_empty_axis():
    """The product of nothing is a constant."""
    check_rule(np.prod, normal(0, 3), axis=0)
    check_rule(np.prod, normal(0, 3), axis=1)


def test_prod_with_zeros_of_chosen_factors():
    """What is left out is no factor of the others' derivatives."""
    for chosen in ([True, True, False, True], [True, False, True, True]):
        check_rule(np.prod, ONE_ZERO, where=np.array(chosen))


def test_prod_with_options_by_position():
    """Each option gets a cotangent; that of the start is its product with all elements."""
    check_rule(np.prod, CUBE, -1, None, None, True)
    check_rule(np.prod, CUBE, 0, None, None, False, 2.0)
    check_rule(np.prod, ONE_ZERO, None, None, None, False, 0.0)
    assert grad(lambda start: call(np.prod, np.array([2.0, 3.0]), initial=start))(1.0) == 6.0


@pytest.mark.filterwarnings("ignore:overflow")
def test_prod_that_leaves_the_range_of_numbers():
    """The product underflows or overflows, that of all but one element does not."""
    x = np.array([1e-200, 1e-200, 1e200])

    np.testing.assert_allclose(rrule(np.prod, x)[1](1.0)[1], [1.0, 1.0, 0.0])
    np.testing.assert_allclose(rrule(np.prod, 1 / x)[1](1.0)[1], [1.0, 1.0, np.inf])


def test_prod_in_another_precision():
    """The cotangent has the precision of the argument."""
    check_rule(np.prod, normal(3, dtype=np.float32), dtype=np.float64)


def test_nanprod_leaves_nans_out():
    """A NaN counts as one, and gets no cotangent."""
    x = np.array([2.0, np.nan, 3.0])

    assert rrule(np.nanprod, x)[1](1.0)[1].tolist() == [3.0, 0.0, 2.0]
    assert frule((NoTangent(), np.array([1.0, 5.0, 10.0])), np.nanprod, x) == (6.0, 23.0)


@pytest.mark.parametrize("x", ALL_KINDS)
@pytest.mark.parametrize("f", [np.cumprod, np.nancumprod])
def test_cumprod(f, x):
    """Running products with and without zeros, real and complex, to second order."""
    check_rule(f, x)
    check_rule(f, x, axis=-1)


@pytest.mark.parametrize("x", [CUBE, SOME_ZEROS, normal(2, 3, dtype=complex)])
def test_cumprod_along_axes(x):
    """Along the first axis and the last, by position and by keyword."""
    check_rule(np.cumprod, x, 0)
    check_rule(np.cumprod, x, axis=x.ndim - 1)


@pytest.mark.parametrize("x", [1.5, np.array(0.0), normal(0), normal(0, 3), np.arange(4)])
def test_cumprod_of_other_operands(x):
    """Numbers, arrays without axes and without elements, integers."""
    check_rule(np.cumprod, x)


def test_cumprod_leaves_nans_out():
    """A NaN counts as one, and gets no cotangent."""
    x = np.array([2.0, np.nan, 3.0])

    assert rrule(np.nancumprod, x)[1](np.ones(3))[1].tolist() == [5.0, 0.0, 2.0]
    assert frule((NoTangent(), np.ones(3)), np.nancumprod, x)[1].tolist() == [1.0, 1.0, 5.0]


@pytest.mark.parametrize("x", [[2.0, np.nan, 0.0, 3.0], [0.0, np.nan, 0.5, 0.0]])
def test_cumprod_with_nans_and_zeros(x):
    """Other factors have the derivatives that they have beside a one."""
    x, y_bar = np.array(x), normal(4)
    is_number = ~np.isnan(x)

    actual = rrule(np.nancumprod, x)[1](y_bar)[1]
    expected = rrule(np.cumprod, np.where(is_number, x, 1.0))[1](y_bar)[1]
    np.testing.assert_allclose(actual, np.where(is_number, expected, 0.0))
    tangents = NoTangent(), np.where(is_number, y_bar, 0.0)
    np.testing.assert_allclose(
        frule(tangents, np.nancumprod, x)[1], frule(tangents, np.cumprod, np.where(is_number, x, 1.0))[1]
    )


@pytest.mark.parametrize("x", [CUBE[0], SOME_ZEROS])
@pytest.mark.parametrize("options", [{"axis": 0}, {"axis": -1}, {"axis": 1, "include_initial": True}])
def test_cumulative_prod(x, options):
    """The running product of the array API standard, with its constant start."""
    check_rule(np.cumulative_prod, x, **options)


@pytest.mark.parametrize("f", [np.prod, np.cumprod])
def test_products_without_tangent(f):
    """A zero tangent gives a zero one."""
    assert frule((NoTangent(), ZeroTangent()), f, CUBE)[1] == ZeroTangent()


@pytest.mark.parametrize("f", [np.prod, np.nanprod, np.cumprod])
def test_products_refuse_out(f):
    """Writing into an array leaves no trace."""
    with pytest.raises(TypeError, match=r"np\..*prod.*out=.*cannot be differentiated"):
        rrule(f, normal(3), out=np.zeros(3))


@pytest.mark.parametrize("f", [np.cumprod, np.prod, np.multiply.accumulate, np.multiply.reduce, np.nanprod])
@pytest.mark.parametrize("x", [[1.0, 2.0, 0.0], [1.0, 1.0, -1.0], [0.0, 0.0, -1.0], [2.0, 0.0, 1.0]])
@pytest.mark.parametrize("mode", ["forward", "reverse"])
def test_second_derivatives_at_factors_that_are_nearly_zero(f, x, mode):
    """The sine of π is rounded: of whole numbers there are factors of 1e-17, and quotients by them cancel."""
    x = np.array(x)

    def program(x):
        return np.sum(f(np.sinc(x) + 0.0)) + np.sum(x)

    def by_multiplication(x):
        y = np.sinc(x)
        products = [y[0], y[0] * y[1], y[0] * y[1] * y[2]]
        return sum(products if np.ndim(f(x)) else products[2:])

    actual = jacobian(grad(program), mode=mode)(x)

    np.testing.assert_allclose(actual, hessian(by_multiplication)(x), atol=1e-12)


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.prod)
    check_symmetric(np.cumprod)
    check_symmetric(np.cumulative_prod, axis=0)


@pytest.mark.parametrize(
    ("x", "divides"), [([1.0, 0.5, 3.0], True), ([1e3, 0.01], False), ([0.5, 1e-5], False)]
)
def test_second_derivatives_of_ordinary_factors_divide(x, divides):
    """The other factors are multiplied only where one is nearly zero beside the greatest."""
    x = np.array(x)

    assert ("_products_before" in functions_run_by(lambda: hvp(np.prod, x, x))) != divides


@pytest.mark.parametrize("x", [*ALL_KINDS[:5], normal(8, 4)])
def test_lazy_products(x):
    """With no zero, one, two and more."""
    pytest.importorskip("dask.array")
    check_rules(np.prod, x)
    check_rules(np.prod, x, -1)


@pytest.mark.filterwarnings("ignore:overflow")
def test_lazy_products_out_of_range():
    """The product of the others is not known: nobody looks for the zeros in a lazy array."""
    da = pytest.importorskip("dask.array")
    for x in ([1e200, 1e200], [1e-200, 1e-200]):
        x_bar = rrule(np.prod, da.from_array(np.array(x)))[1](da.ones(()))[1]
        assert np.isnan(x_bar.compute(scheduler="synchronous")).all()


@pytest.mark.parametrize("f", [np.prod, np.cumprod, np.nancumprod])
def test_undefined_lanes_that_nothing_depends_on(f):
    """Their zero cotangents are strong; so are those of the numbers that products begin with."""
    for undefined in (np.nan, np.inf):
        x = normal(3, 4)
        x[1, :2] = undefined, 0.0
        if not (f is np.nancumprod and np.isnan(undefined)):
            check_zeros_are_strong(f, x, 1)
    if f is np.prod:
        check_zeros_are_strong(f, np.where(x == 0.0, 1.0, x), 1, None, None, False, 2.0)
