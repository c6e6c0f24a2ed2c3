"""The rules of probabilities of Student's distribution of vectors, against integrals over one number."""

import numpy as np
import pytest
from scipy import integrate, stats

from chainrules.ad import grad, hessian, jvp
from chainrules_core import DerivativeNotImplementedError, NoTangent, frule, rrule, unthunk
from tests.chainrules.rulesets.scipy.stats.method_checks import record_method

STUDENT = stats.multivariate_t
CLASS = type(STUDENT)
X, LOC, LOW, DF = np.array([0.3, 0.4]), np.array([0.1, -0.2]), np.array([-0.5, -0.7]), 3.5
SHAPE = np.array([[1.5, 0.3], [0.3, 2.0]])


def probability(x, loc, shape, low):
    """That of a rectangle, by the density of the first number and the probability of the second one there."""
    (a, c), (_, d) = np.tril(shape) + np.tril(shape, -1).T
    spread = np.sqrt(d - c * c / a)

    def of_second(limit, u):
        scale = spread * np.sqrt((DF + u * u / a) / (DF + 1.0))
        return stats.t.cdf((limit - c / a * u) / scale, DF + 1.0)

    def integrand(u):
        inner = of_second(x[1] - loc[1], u) - (of_second(low[1] - loc[1], u) if low is not None else 0.0)
        return stats.t.pdf(u, DF, scale=np.sqrt(a)) * inner

    first = -np.inf if low is None else low[0] - loc[0]
    return integrate.quad(integrand, first, x[0] - loc[0], epsabs=1e-13, epsrel=1e-13)[0]


@pytest.mark.every_case
@pytest.mark.parametrize("low", [None, LOW])
def test_rectangles(low):
    """Both modes, by points, location, limits and the lower triangle of the matrix; of frozen ones too."""

    def program(v):
        x, loc, shape = v[:2], v[2:4], np.reshape(v[4:8], (2, 2))
        if low is None:
            return STUDENT(loc, shape, DF, seed=3).cdf(x)
        return STUDENT.cdf(x, loc, shape, DF, lower_limit=v[8:], random_state=3)

    v = np.concatenate([X, LOC, np.ravel(SHAPE), LOW])
    steps = 1e-4 * np.eye(len(v))

    def exact(v):
        return probability(v[:2], v[2:4], np.reshape(v[4:8], (2, 2)), None if low is None else v[8:])

    expected = np.array([(exact(v + step) - exact(v - step)) / 2e-4 for step in steps])
    np.testing.assert_allclose(program(v), exact(v), rtol=1e-3)  # at random points, to some 5e-4
    np.testing.assert_allclose(grad(program)(v), expected, rtol=1e-6, atol=1e-9)
    dots = np.arange(1.0, 11.0)
    np.testing.assert_allclose(jvp(program, (v,), (dots,))[1], expected @ dots, rtol=1e-6)
    for method in (CLASS.cdf, CLASS._cdf):
        record_method(method, STUDENT, X, LOC, SHAPE, DF)


def test_second_order_and_infinite_points():
    """The Hessian is that of the gradient; without a limit there is no derivative by it."""
    first = grad(lambda x: STUDENT.cdf(x, LOC, SHAPE, DF))
    expected = [(first(X + step) - first(X - step)) / 2e-4 for step in 1e-4 * np.eye(2)]
    np.testing.assert_allclose(hessian(lambda x: STUDENT.cdf(x, LOC, SHAPE, DF))(X), expected, rtol=1e-6)
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(
            first(np.array([np.inf, 0.4])), [0.0, stats.t.pdf(0.6, DF, scale=2.0**0.5)]
        )
        by_shape = grad(lambda M: STUDENT.cdf(np.array([np.inf, 0.4]), LOC, M, DF))(SHAPE)
    np.testing.assert_allclose(by_shape[[0, 1], 0], 0.0)


def test_one_number_and_lists():
    """The distribution of one number, and points with numbers of which one is traced."""
    found = grad(lambda x, m: STUDENT.cdf([x], [m], [[2.0]], 3), (0, 1))(0.3, 0.1)
    expected = stats.t.pdf(0.2, 3, scale=2.0**0.5)
    np.testing.assert_allclose(found, [expected, -expected])
    assert jvp(lambda x: STUDENT.cdf([x], None, [[2.0]], 3), (0.2,), (1.0,))[1] == pytest.approx(expected)


def test_what_has_no_derivative():
    """By the degrees of freedom; singular and other matrices are left to SciPy."""
    for mode in (lambda f: grad(f)(3.0), lambda f: jvp(f, (3.0,), (1.0,))):
        with pytest.raises(DerivativeNotImplementedError, match="integral over all scales"):
            mode(lambda df: STUDENT.cdf(X, LOC, SHAPE, df))
    for args in (
        (X, None, np.ones((2, 2)), DF),
        (X, None, 2.0, DF),
        (X, None, SHAPE, np.inf),
        (X, 1.0, SHAPE, DF),
    ):
        assert rrule(CLASS.cdf, STUDENT, *args) is None
        assert frule((NoTangent(),) * 6, CLASS.cdf, STUDENT, *args) is None
    assert frule((NoTangent(),) * 3, CLASS.cdf, STUDENT, X, shape=SHAPE)[1] == NoTangent()
    dots = NoTangent(), NoTangent(), NoTangent(), NoTangent(), np.eye(2)
    by_shape = frule(dots, CLASS.cdf, STUDENT, X, None, SHAPE)[1]
    _, pullback = rrule(CLASS.cdf, STUDENT, X, None, SHAPE)
    assert by_shape == pytest.approx(np.trace(unthunk(pullback(1.0)[4])))
    _, pullback = rrule(CLASS.cdf, STUDENT, X, None, SHAPE, 3)
    assert [unthunk(pullback(1.0)[place]) for place in (0, 1, 3, 5)] == [NoTangent()] * 4
