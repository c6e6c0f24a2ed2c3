"""Rules of the methods of everyday continuous distributions; `test_known_distributions` has all of them."""

import mpmath
import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, hessian, jvp, value_and_grad
from chainrules_core import NoTangent, frule, rrule, unthunk
from tests.chainrules.rulesets.scipy.stats.method_checks import check_method, check_program, record_method

METHODS = ("logpdf", "pdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf")
RULED = {
    "norm": (),
    "t": (3.4,),
    "gamma": (2.4,),
    "beta": (2.3, 1.7),
    "expon": (),
    "uniform": (),
    "lognorm": (0.9,),
    "chi2": (3.3,),
}
OTHERS = {
    "invgauss": (0.7,),
    "genextreme": (-0.3,),
    "genpareto": (0.4,),
    "kappa4": (0.3, -0.2),
    "pearson3": (0.8,),
    "gennorm": (1.7,),
    "triang": (0.45,),
    "skewnorm": (1.2,),
    "ncx2": (3.0, 1.4),
    "ncf": (3.0, 5.0, 1.4),
    "nct": (4.0, 0.6),
}
# For these shapes SciPy has another formula, in which the shape does not occur.
SPECIAL = {
    "genextreme": (0.0,),
    "genpareto": (0.0,),
    "kappa4": (1e-8, 0.0),
    "pearson3": (0.0,),
    "skewnorm": (0.0,),
    "ncx2": (3.0, 0.0),
    "rice": (0.0,),
    "vonmises": (0.0,),
    "triang": (0.0,),
}
# Of these only the score is in the table.
WITHOUT_SHAPES = ("cauchy", "laplace", "logistic", "gumbel_r", "halfnorm", "rayleigh")
X = np.array([0.3, 0.6, 0.8])


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("distribution", RULED)
def test_rules(distribution, name):
    """By the variable, shapes, location and scale, which broadcast."""
    shapes = RULED[distribution]
    method, instance = getattr(stats.rv_continuous, name), getattr(stats, distribution)
    check_method(method, instance, X, *shapes, 0.1, 1.2)
    check_method(method, instance, X[:, None], *shapes, np.array([0.1, 0.0]))
    check_method(method, instance, 0.4, *shapes)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("distribution", OTHERS)
def test_rules_with_other_shapes(distribution, name):
    """By the variable, shapes, location and scale."""
    check_method(
        getattr(stats.rv_continuous, name), getattr(stats, distribution), X, *OTHERS[distribution], 0.1, 1.2
    )


@pytest.mark.parametrize("distribution", WITHOUT_SHAPES)
def test_scores(distribution):
    """By the variable, location and scale."""
    for name in ("logpdf", "logsf"):
        check_method(getattr(stats.rv_continuous, name), getattr(stats, distribution), X, 0.1, 1.2)


@pytest.mark.parametrize("name", ["logpdf", "pdf", "cdf", "logsf", "ppf"])
@pytest.mark.parametrize("distribution", ["norm", "t", "gamma", "beta", "lognorm"])
def test_second_order(distribution, name):
    """Of a program with parameters by keyword and in all places."""
    shapes = RULED[distribution]
    instance = getattr(stats, distribution)

    def program(v):
        y = getattr(instance, name)(X * v[0], *v[1:-2], loc=v[-2], scale=v[-1])
        return np.sum(y * np.array([1.0, 2.0, 3.0]))

    check_program(program, np.array([1.0, *shapes, 0.1, 1.2]))


@pytest.mark.parametrize(("name", "scale", "df"), [("logcdf", 200, 3), ("cdf", 2, 255), ("sf", 255, 255)])
def test_parameters_of_short_integers(name, scale, df):
    """They count as floats, also where SciPy's density has the logarithm or the successor of one."""

    def slope(scale, df):
        return grad(lambda x: getattr(stats.t, name)(x, df, 0, scale))(0.7)

    assert slope(np.uint8(scale), np.uint8(df)) == pytest.approx(slope(float(scale), float(df)), rel=1e-14)


@pytest.mark.parametrize("b", [0.7, 1.0, 2.0, 4.5])
@pytest.mark.parametrize("name", ["cdf", "sf", "logcdf", "logsf"])
def test_probability_at_the_centre(name, b):
    """The slope is the density; SciPy's formula has a sign in it, which would give 0."""
    probability = getattr(stats.gennorm, name)

    def slope(b):
        return grad(lambda x: probability(x, b, 0.4, 1.5))(0.4)

    # Two points on each side, as the density has a kink there for a shape of 1.
    above, below = (probability(0.4 + h, b, 0.4, 1.5) for h in (1e-7, -1e-7))
    assert slope(b) == pytest.approx((above - below) / 2e-7, rel=1e-4)
    by_shape = grad(lambda b: probability(0.4, b, 0.4, 1.5))
    assert by_shape(b) == pytest.approx(0.0, abs=1e-15)
    mixed = grad(lambda x: grad(lambda b: probability(x, b, 0.4, 1.5))(b))(0.4)
    assert mixed == pytest.approx(grad(slope)(b), rel=1e-12)


def test_frozen():
    """With traced parameters by position and by keyword, and shapes by their names."""
    v = np.array([2.4, 0.1, 1.2])
    expected = grad(lambda v: np.sum(stats.gamma.logpdf(X, v[0], v[1], v[2])))(v)

    np.testing.assert_allclose(grad(lambda v: np.sum(stats.gamma(*v).logpdf(X)))(v), expected)
    np.testing.assert_allclose(
        grad(lambda v: np.sum(stats.gamma(a=v[0], loc=v[1], scale=v[2]).logpdf(X)))(v), expected
    )
    np.testing.assert_allclose(
        grad(lambda v: np.sum(stats.gamma.logpdf(X, a=v[0], scale=v[2], loc=v[1])))(v), expected
    )
    np.testing.assert_allclose(
        grad(lambda x: np.sum(stats.gamma(2.4, 0.1, 1.2).logpdf(x)))(X),
        1.4 / (X - 0.1) - 1 / 1.2,
    )


def test_lists():
    """Sequences are taken as SciPy takes them."""
    assert grad(lambda m: np.sum(stats.norm.logpdf([1.0, 2.0], m)))(0.5) == pytest.approx(2.0)
    for mode in (lambda f: grad(f)(0.0), lambda f: jvp(f, (0.0,), (1.0,))[1]):
        assert mode(lambda x: stats.gamma.pdf([x, 0.3], [2.0, 2.0])[0]) == pytest.approx(1.0)
    assert grad(lambda a: np.sum(stats.gamma.pdf([], a)))(2.0) == 0.0


@pytest.mark.parametrize("name", ["pdf", "cdf"])
@pytest.mark.parametrize(
    ("distribution", "shape"), [("genextreme", 2.0), ("genpareto", -3.0), ("pearson3", -5.0)]
)
def test_second_order_beside_the_support(distribution, shape, name):
    """What lies outside of a support that ends at a shape adds nothing, and spoils nothing."""
    method = getattr(getattr(stats, distribution), name)
    alone, beside = (
        hessian(lambda v, x=x: np.sum(method(x * v[0], v[1])))(np.array([1.0, shape]))
        for x in (np.array([0.1]), np.array([0.1, 5.0]))
    )
    np.testing.assert_allclose(beside, alone)


def test_triangles_that_rise_to_their_end():
    """There the density has the slope of the side that there is."""
    at_end, before = (grad(lambda x: stats.triang.logpdf(x, 1.0))(x) for x in (1.0, 1.0 - 1e-9))
    assert at_end == pytest.approx(before)


@pytest.mark.parametrize("name", METHODS[:6])
def test_outside_of_the_support(name):
    """Values are SciPy's, and derivatives 0, where the result does not depend on the argument."""
    x, weights = np.array([-1.0, 0.4, 3.0]), np.array([1.0, 2.0, 3.0])
    for instance, shapes in ((stats.beta, (2.0, 3.0)), (stats.uniform, ())):
        method = getattr(stats.rv_continuous, name)
        y, pullback = rrule(method, instance, x, *shapes, 0.0, 1.0)
        x_bar, *bars = map(unthunk, pullback(weights)[2:])
        _, alone = rrule(method, instance, 0.4, *shapes, 0.0, 1.0)

        np.testing.assert_array_equal(y, getattr(instance, name)(x, *shapes))
        np.testing.assert_array_equal(x_bar[[0, 2]], 0.0)
        np.testing.assert_allclose(bars, [unthunk(bar) for bar in alone(2.0)[3:]])
        x_dots = NoTangent(), NoTangent(), weights, *map(np.ones_like, shapes)
        assert np.isfinite(frule(x_dots, method, instance, x, *shapes)[1]).all()
        assert grad(grad(getattr(instance, name)))(3.0, *shapes) == 0.0


def test_bad_parameters():
    """Both values and derivatives are NaN."""
    y, g = value_and_grad(lambda s: stats.norm.logpdf(0.3, 0.0, s))(-1.0)
    assert np.isnan(y)
    assert np.isnan(g)
    assert np.isnan(grad(lambda a: stats.gamma.cdf(0.3, a))(-1.0))
    assert np.isnan(grad(lambda p: stats.gamma.ppf(p, 2.0))(1.5))
    assert np.isnan(grad(lambda m: stats.norm.ppf(0.3, m, -1.0))(0.5))


def test_ends_of_densities():
    """Where a density begins with its maximum, as that of the exponential distribution does."""
    assert grad(lambda x: stats.gamma.pdf(x, 1.0))(0.0) == grad(stats.expon.pdf)(0.0) == -1.0
    assert grad(lambda x: stats.chi2.logpdf(x, 2.0))(0.0) == -0.5
    assert grad(lambda x: stats.beta.logpdf(x, 1.0, 3.0))(0.0) == -2.0
    assert grad(lambda x: stats.beta.logpdf(x, 3.0, 1.0))(1.0) == 2.0


def test_ends_of_quantiles():
    """Those of a bounded distribution are where it ends, whatever its shape."""
    for p in (0.0, 1.0):
        assert grad(lambda a, p=p: stats.beta.ppf(p, a, 2.0))(2.0) == 0.0
        assert grad(lambda s, p=p: stats.beta.ppf(p, 2.0, 2.0, 0.0, s))(1.0) == p


def test_tails():
    """Logarithms of probabilities that underflow: by Mills' ratio."""
    with mpmath.workdps(60):
        expected = [float(mpmath.npdf(x) / mpmath.ncdf(x)) for x in (-40.0, -5.0, 2.0)]
    np.testing.assert_allclose(
        grad(lambda x: np.sum(stats.norm.logcdf(x)))(np.array([-40.0, -5.0, 2.0])), expected, rtol=1e-11
    )


@pytest.mark.parametrize("df", [0.5, 30.0, 1e5])
def test_student_score(df):
    """Of many degrees of freedom, against mpmath."""
    with mpmath.workdps(50):

        def log_density(v):
            half = (v + 1) / 2
            norm = mpmath.loggamma(half) - mpmath.loggamma(v / 2) - mpmath.log(v * mpmath.pi) / 2
            return norm - half * mpmath.log1p(mpmath.mpf(1.7) ** 2 / v)

        expected = float(mpmath.diff(log_density, mpmath.mpf(df)))
    assert grad(lambda v: stats.t.logpdf(1.7, v))(df) == pytest.approx(expected, rel=1e-10 + 1e-15 * df**2)
    assert grad(lambda x: stats.t.logpdf(x, np.inf))(1.7) == pytest.approx(-1.7)
    assert grad(lambda v: stats.t.logpdf(1.7, v))(np.inf) == 0.0


def test_precision():
    """Cotangents have the precision of their arguments; results that of SciPy."""
    x = X.astype(np.float32)
    assert grad(lambda x: np.sum(stats.norm.logpdf(x, 0.0, 2.0)))(x).dtype == np.float32
    y, y_dot = jvp(lambda x: stats.norm.logpdf(x, 0.0, 2.0), (x,), (x,))
    assert y.dtype == y_dot.dtype == np.float64
    assert grad(lambda m: np.sum(stats.norm.logpdf(np.array([1, 2]), m, 2)))(0.0) == pytest.approx(0.75)


def test_other_modes():
    """Forwards over a frozen distribution."""
    y, y_dot = jvp(lambda m: stats.norm(m, 2.0).logpdf(1.0), (0.5,), (1.0,))
    assert y == stats.norm.logpdf(1.0, 0.5, 2.0)
    assert y_dot == pytest.approx(0.125)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("distribution", SPECIAL)
def test_special_shapes(distribution, name):
    """The derivative by the shape is that beside it, on the side where there is one; not 0."""
    shapes, instance = SPECIAL[distribution], getattr(stats, distribution)
    at = X if name in {"ppf", "isf"} else instance.ppf(X, *shapes)

    def along(t):
        return getattr(instance, name)(at, *shapes[:-1], t)

    # SciPy's own values lose digits beside the special shape; the steps are large for that.
    h = 0.01
    values = np.stack([along(shapes[-1] + k * h) for k in range(7)])
    weights = np.array([-49 / 20, 6, -15 / 2, 20 / 3, -15 / 4, 6 / 5, -1 / 6])
    y, y_dot = jvp(along, (shapes[-1],), (1.0,))
    np.testing.assert_array_equal(y, along(shapes[-1]))
    np.testing.assert_allclose(y_dot, weights @ values / h, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(
    ("distribution", "shapes"),
    [("genextreme", (3.0,)), ("genpareto", (-2.0,)), ("kappa4", (2.0, 0.5)), ("pearson3", (1.0,))],
)
def test_supports_that_depend_on_shapes(distribution, shapes):
    """Outside of them derivatives are 0, of every order; the quantiles of 0 and 1 move with their ends."""
    instance, at = getattr(stats, distribution), np.array(shapes)
    low, high = instance.support(*shapes)
    median = instance.median(*shapes)
    x = np.array([low - 1 if np.isfinite(low) else median, high + 1 if np.isfinite(high) else median, median])
    outside = x != median
    for name in METHODS[:6]:
        f = getattr(instance, name)
        assert np.isfinite(hessian(lambda v, f=f: np.sum(np.exp(-(f(x, *v) ** 2))))(at)).all()
        slopes = grad(lambda x, f=f: np.sum(f(x, *shapes)))(x)
        np.testing.assert_array_equal(slopes[outside], 0.0)
    for name in ("ppf", "isf"):
        ends = np.array([0.0, 1.0])
        finite = ends[np.isfinite(getattr(instance, name)(ends, *shapes))]

        def quantiles(v, name=name, finite=finite):
            return np.sum(getattr(instance, name)(finite, *v) * np.arange(1.0, len(finite) + 1.0))

        check_program(quantiles, at, order=1)


def test_classes_of_others():
    """A class with formulas of its own is differentiated by them."""

    class Shifted(type(stats.norm)):
        def _logpdf(self, x):
            return -np.abs(x - 1.0) - np.log(2.0)

    instance = Shifted(name="shifted")
    assert rrule(stats.rv_continuous.logpdf, instance, 0.5, 0.0, 1.0) is None
    assert grad(instance.logpdf)(0.5) == 1.0


@pytest.mark.parametrize("distribution", ["norm", "beta", "genpareto", "t"])
def test_medians_and_intervals(distribution):
    """By the probability, shapes, location and scale."""
    shapes = {"genpareto": (-0.4,)}.get(distribution) or RULED[distribution]
    instance = getattr(stats, distribution)
    check_method(stats.rv_continuous.median, instance, *shapes, np.array([0.1, 0.3]), 1.2)
    check_method(stats.rv_continuous.interval, instance, np.array([0.3, 0.8]), *shapes, 0.1, 1.2)

    def program(v):
        low, high = instance.interval(v[0], *v[1:])
        return np.sum(high * low) + instance.median(*v[1:-2], loc=v[-2], scale=v[-1])

    check_program(program, np.array([0.7, *shapes, 0.1, 1.2]), order=1 + (distribution == "norm"))


def test_supports():
    """Their ends move with shapes, location and scale, where they are not infinite."""
    check_method(stats.rv_continuous.support, stats.truncnorm, -0.4, np.array([1.3, 0.7]), 0.1, 1.2)
    check_method(stats.rv_continuous.support, stats.uniform, 0.1, 1.2)
    check_program(lambda v: np.prod(stats.truncnorm.support(*v)), np.array([-0.4, 1.3, 0.1, 1.2]))
    _, pullback = rrule(stats.genextreme.support, np.array([-0.3, 0.4]), 0.1, 1.2)
    c_bar, _, scale_bar = map(unthunk, pullback((np.ones(2), np.ones(2)))[1:])
    np.testing.assert_allclose(c_bar, [-1.2 / 0.09, -1.2 / 0.16])
    assert scale_bar == pytest.approx(-1 / 0.3 + 1 / 0.4)
    one, zero = np.ones(2), NoTangent()
    _, y_dot = frule(
        (NoTangent(), one, zero, zero), stats.genextreme.support, np.array([-0.3, 0.4]), 0.1, 1.2
    )
    np.testing.assert_allclose(y_dot[0], [-1.2 / 0.09, 0.0])


@pytest.mark.parametrize("distribution", ["norm", "gamma", "t", "genpareto"])
def test_samples(distribution):
    """Of a given state, by shapes, location and scale: the probability that was drawn stays."""
    shapes = {"genpareto": (-0.4,)}.get(distribution) or RULED[distribution]
    instance, options = getattr(stats, distribution), {"size": 2, "random_state": 7}
    parameters = *shapes, 0.1, 1.2
    y, pullback = rrule(instance.rvs, *parameters, **options)
    np.testing.assert_array_equal(y, instance.rvs(*parameters, **options))
    p = instance.cdf(y, *parameters)
    _, expected = rrule(instance.ppf, p, *parameters)
    bars, by_quantiles = pullback(np.array([1.0, -2.0]))[1:], expected(np.array([1.0, -2.0]))[2:]
    np.testing.assert_allclose([*map(unthunk, bars)], [*map(unthunk, by_quantiles)], rtol=1e-8)
    record_method(stats.rv_continuous.rvs, instance, *parameters)

    def program(v):
        return np.sum(instance.rvs(*v[:-1], scale=v[-1], **options) ** 2)

    def by_quantile(v):
        return np.sum(instance.ppf(p, *v) ** 2)

    v = np.array(parameters)
    np.testing.assert_allclose(grad(program)(v), grad(by_quantile)(v), rtol=1e-8)
    np.testing.assert_allclose(hessian(program)(v), hessian(by_quantile)(v), rtol=1e-6)


def test_other_samples():
    """Without a scale, of a size by position, and of a shape whose derivative is not known."""
    assert np.isnan(grad(lambda s: stats.norm.rvs(0.3, s, random_state=0))(0.0))
    assert grad(lambda m: np.sum(stats.norm.rvs(m, 1.0, 3)))(0.4) == pytest.approx(3.0)
    assert rrule(stats.norm.rvs, 0.3, 1.0, 3) is None
    assert grad(lambda m: np.sum(stats.landau.rvs(m, size=2, random_state=0)))(0.4) == 2.0


@pytest.mark.parametrize("distribution", ["gamma", "norm", "ncf"])
def test_negative_likelihoods(distribution):
    """By the parameters, in a tuple or an array, and by the sample."""
    shapes = {"ncf": (3.0, 5.0, 1.4)}.get(distribution) or RULED[distribution]
    instance, theta = getattr(stats, distribution), np.array([*shapes, 0.1, 1.2])
    check_method(stats.rv_continuous.nnlf, instance, theta, X)
    check_program(lambda v: instance.nnlf(tuple(v), X * v[-1]), theta, order=1)
    _, pullback = rrule(instance.nnlf, tuple(theta), X)
    theta_bar = unthunk(pullback(1.0)[1])
    np.testing.assert_allclose([*theta_bar], grad(lambda v: instance.nnlf(v, X))(theta))
    nothing = NoTangent(), NoTangent(), NoTangent(), NoTangent()
    assert frule(nothing, stats.rv_continuous.nnlf, instance, theta, X)[1] == NoTangent()


def test_likelihoods_of_0():
    """Outside of the support the result is infinite, and does not depend on the parameters."""
    np.testing.assert_array_equal(
        grad(lambda v: stats.beta.nnlf(v, np.array([3.0, 4.0])))(np.array([2.0, 3.0, 0.0, 1.0])), 0.0
    )
    theta = 1.3, 0.2, 0.0, 1.0
    assert rrule(stats.levy_stable.nnlf, theta, X) is None
    dots = NoTangent(), (1.0, 0.0, 1.0, 0.0), NoTangent()
    assert frule(dots, stats.levy_stable.nnlf, theta, X) is None
