"""The rules of the values of orthogonal polynomials, against finite differences and mpmath."""

import mpmath
import numpy as np
import pytest
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre
from scipy import special

from chainrules.ad import grad
from chainrules_core import NoTangent, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import (
    check_quickly,
    check_rule,
    check_rule_in_double,
    check_second_derivative,
)

WITHOUT_PARAMETER = [
    *(special.eval_legendre, special.eval_sh_legendre, special.eval_laguerre),
    *(special.eval_chebyt, special.eval_chebyu, special.eval_chebyc, special.eval_chebys),
    *(special.eval_sh_chebyt, special.eval_sh_chebyu),
]
HERMITE = [special.eval_hermite, special.eval_hermitenorm]
WITH_PARAMETERS = [
    (special.eval_gegenbauer, (1.3,)),
    (special.eval_genlaguerre, (0.7,)),
    (special.eval_jacobi, (0.4, -0.3)),
    (special.eval_sh_jacobi, (2.4, 1.3)),
]
X = np.array([0.3, 0.6, 0.95])


@pytest.mark.parametrize("f", [*WITHOUT_PARAMETER, *HERMITE], ids=lambda f: f.__name__)
def test_by_variable(f):
    """Of integer degrees, a constant and a linear polynomial too; twice differentiated."""
    check_rule_in_double(f, np.array([[0], [1], [2], [5]]), X)
    for x in (0.3, np.float32(0.3), np.array(0.3), np.zeros((0, 2))):
        test_frule(f, 3, x)
        test_rrule(f, 3, x)


@pytest.mark.parametrize(("f", "parameters"), WITH_PARAMETERS)
def test_with_parameters(f, parameters):
    """By the variable and by the parameters, of integer degrees."""
    check_rule_in_double(f, np.array([[0], [1], [4]]), *parameters, X)
    test_rrule(f, 3, *parameters, np.float32(0.3))


@pytest.mark.parametrize("f", WITHOUT_PARAMETER, ids=lambda f: f.__name__)
def test_real_degrees(f):
    """By the degree, in double precision and in single, in both modes."""
    check_rule(f, np.array([0.7, 2.5, 3.0]), X)


@pytest.mark.parametrize(("f", "parameters"), WITH_PARAMETERS)
def test_real_degrees_with_parameters(f, parameters):
    """By all arguments at once."""
    check_rule_in_double(f, np.array([0.7, 2.5, 3.0]), *parameters, X)


@pytest.mark.parametrize("f", WITHOUT_PARAMETER, ids=lambda f: f.__name__)
def test_complex_variable(f):
    """Polynomials are holomorphic, and what they are of other degrees is so."""
    for degree in (3, 2.5):
        check_quickly(f, degree, np.array([0.3 + 0.4j, 1.5 - 0.2j]))
        check_quickly(f, degree, 0.3 + 0.4j)


def test_degree_minus_one():
    """The polynomial is zero, at the ends too, where a quotient is not."""
    for x in (1.0, -1.0, 0.3):
        assert unthunk(rrule(special.eval_gegenbauer, -1, 0.7, x)[1](1.0)[3]) == pytest.approx(0.0)
    slope, h = grad(special.eval_gegenbauer, 2), 1e-6
    by_degree = (slope(-1.0 + h, 0.7, 0.3) - slope(-1.0 - h, 0.7, 0.3)) / (2 * h)
    assert grad(slope)(-1.0, 0.7, 0.3) == pytest.approx(by_degree, rel=1e-6)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (special.eval_gegenbauer, (2.5, -1.245, 0.3)),
        (special.eval_genlaguerre, (-0.5, -0.49, 0.3)),
        (special.eval_jacobi, (2.5, -3.49, 0.4, 0.3)),
        (special.eval_sh_jacobi, (2.5, -2.49, 1.3, 0.3)),
        (special.eval_sh_jacobi, (2.5, -2.19, 1.3, 0.3)),
    ],
)
def test_beside_poles(f, args):
    """The degree and the parameters are beside a pole of a gamma function."""
    for place in range(len(args) - 1):

        def moved(h, place=place):
            return f(*args[:place], args[place] + h, *args[place + 1 :])

        by_differences = (moved(1e-6) - moved(-1e-6)) / 2e-6
        assert grad(f, place)(*args) == pytest.approx(by_differences, rel=1e-5)


ENDS = np.array([-1.0, 1.0, 1.7])


@pytest.mark.parametrize("n", [0, 1, 2, 7])
@pytest.mark.parametrize(
    ("f", "series", "derivative", "x"),
    [
        (special.eval_legendre, legendre.legval, legendre.legder, ENDS),
        (special.eval_chebyt, chebyshev.chebval, chebyshev.chebder, ENDS),
        (special.eval_hermite, hermite.hermval, hermite.hermder, ENDS),
        (special.eval_hermitenorm, hermite_e.hermeval, hermite_e.hermeder, ENDS),
        (special.eval_laguerre, laguerre.lagval, laguerre.lagder, np.array([0.0, 1.0, 5.0])),
    ],
)
def test_at_the_ends(f, series, derivative, x, n):
    """As NumPy's series have it, at and beyond the ends of the interval too."""
    slopes = grad(lambda x: np.sum(f(n, x)))(x)

    np.testing.assert_allclose(slopes, series(x, derivative(np.eye(n + 1)[n])), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("f", [special.eval_legendre, special.eval_chebyt, special.eval_chebyu])
@pytest.mark.parametrize("n", [-1, -2, -3, -4])
def test_negative_degrees(f, n):
    """Recurrences go on below 0: the rules follow what SciPy computes."""
    test_rrule(f, n, X)


@pytest.mark.parametrize(
    ("f", "reference", "x"),
    [
        (special.eval_legendre, mpmath.legendre, (2.5, 0.3)),
        (special.eval_legendre, mpmath.legendre, (3.0, -0.7)),
        (special.eval_chebyt, mpmath.chebyt, (3.0, 1.7)),
        (special.eval_chebyu, mpmath.chebyu, (2.5, 0.999)),
        (special.eval_gegenbauer, mpmath.gegenbauer, (2.5, 0.1, 0.3)),
        (special.eval_genlaguerre, mpmath.laguerre, (20.5, 0.7, 0.3)),
        (special.eval_jacobi, mpmath.jacobi, (2.5, 0.4, -0.3, 0.999)),
    ],
)
def test_accuracy(f, reference, x):
    """12 digits of the function by the degree and the parameters."""
    slopes = grad(f, tuple(range(len(x))))(*x)

    with mpmath.workdps(30):
        size = abs(float(reference(*x)))
        for place, slope in enumerate(slopes):
            expected = float(mpmath.diff(reference, x, tuple(int(i == place) for i in range(len(x)))))
            assert abs(slope - expected) <= 1e-12 * max(size, abs(expected)), place


def test_few_digits_of_scipy_give_nan():
    """SciPy's values of this degree are wrong in the third digit: their derivative is not guessed."""
    assert np.isnan(grad(special.eval_legendre)(20.5, -0.7))


def test_assoc_laguerre():
    """Arguments in another order, the last of which has a default; by keyword too."""
    check_rule_in_double(special.assoc_laguerre, X, 3)
    check_rule_in_double(special.assoc_laguerre, X, 3, 0.7)
    check_rule_in_double(special.assoc_laguerre, X, 2.5, 0.7)
    by_keyword = grad(lambda k: special.assoc_laguerre(0.3, 3, k=k))(0.7)

    assert by_keyword == grad(special.assoc_laguerre, 2)(0.3, 3, 0.7)
    assert grad(lambda x: special.assoc_laguerre(x, n=3, k=0.7))(0.3) == grad(special.assoc_laguerre)(
        0.3, 3, 0.7
    )


def test_integer_degrees_have_no_tangent():
    """For them no derivative by the degree is computed."""
    _, pullback = rrule(special.eval_legendre, 3, 0.3)
    _, n_bar, x_bar = pullback(1.0)

    assert n_bar == NoTangent()
    assert unthunk(x_bar) == pytest.approx((15 * 0.3**2 - 3) / 2)


@pytest.mark.parametrize("f", WITHOUT_PARAMETER, ids=lambda f: f.__name__)
def test_second_derivatives_at_degree_zero(f):
    """A constant has a slope that changes with the degree."""
    check_second_derivative(f, 0.0, 0.3)
    check_second_derivative(f, np.array([0, 1, 2], dtype=np.uint8), 0.3)


@pytest.mark.parametrize(("f", "parameters"), WITH_PARAMETERS, ids=lambda f: getattr(f, "__name__", ""))
def test_second_derivatives_at_degree_zero_with_parameters(f, parameters):
    """A constant has a slope that changes with the degree and the parameters."""
    check_second_derivative(f, 0.0, *parameters, 0.3)


@pytest.mark.parametrize(
    ("f", "reference"), [(special.eval_chebyt, mpmath.chebyt), (special.eval_chebyu, mpmath.chebyu)]
)
@pytest.mark.parametrize(("n", "x"), [(20.3, 0.3), (20.3, -0.7), (60.2, 0.1), (5.5, 0.995)])
def test_chebyshev_of_high_real_degree(f, reference, n, x):
    """Where SciPy's values lose digits the derivative has them."""
    expected = mpmath.diff(lambda n: reference(n, x), n)
    assert grad(f)(n, x) == pytest.approx(float(mpmath.re(expected)), rel=1e-11)
