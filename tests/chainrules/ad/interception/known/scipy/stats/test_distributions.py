"""Distributions that hold traced parameters."""

import functools

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import explain_calls, grad, hessian, jvp
from chainrules.makers.versions import is_scipy_since
from chainrules_testutils import jacobian
from tests.chainrules.rulesets.scipy.stats.method_checks import check_program

X = np.array([0.3, 1.2])


@functools.cache
def made_of(name):
    """The class of SciPy's newer distributions that is made of an older one."""
    return stats.make_distribution(getattr(stats, name))


def test_parameters():
    """By position, by keyword and in lists, they are those of the same call of the distribution."""
    expected = grad(lambda a: np.sum(stats.gamma.logpdf(X, 2.0 * a, 0.1 * a, a)))(1.2)
    programs = (
        lambda a: np.sum(stats.gamma(2.0 * a, 0.1 * a, a).logpdf(X)),
        lambda a: np.sum(stats.gamma(2.0 * a, scale=a, loc=0.1 * a).logpdf(X)),
        lambda a: np.sum(stats.gamma.freeze(a=2.0 * a, scale=a, loc=0.1 * a).logpdf(X)),
        lambda a: np.sum(stats.gamma([2.0 * a, 2.0 * a], 0.1 * a, a).logpdf(X)),
    )
    for f in programs:
        assert grad(f)(1.2) == pytest.approx(expected)
        assert jvp(f, (1.2,), (1.0,))[1] == pytest.approx(expected)
        assert hessian(f)(1.2) == pytest.approx(hessian(programs[0])(1.2))


def test_discrete():
    """They have no scale."""
    expected = grad(lambda m: np.sum(stats.poisson.logpmf([1, 2], m)))(1.2)
    assert grad(lambda m: np.sum(stats.poisson(mu=m).logpmf([1, 2])))(1.2) == pytest.approx(expected)


def test_attributes():
    """Parameters, moments, and a support that depends on them."""
    frozen = stats.norm(0.5, scale=2.0)
    assert grad(lambda m: stats.norm(m, 2.0).args[0] * stats.norm(0.5, scale=m).kwds["scale"])(3.0) == 6.0
    assert grad(lambda m: stats.norm(m, 2.0).mean() + stats.norm(0.0, m).std())(0.5) == 2.0
    assert grad(lambda c: stats.genpareto(c).b)(-0.5) == 4.0
    assert grad(lambda c: stats.genpareto(c, scale=c).support()[1])(-0.5) == pytest.approx(0.0)
    assert (frozen.args, frozen.kwds) == ((0.5,), {"scale": 2.0})


def test_constructor_is_not_followed():
    """It takes several times as long as the density of a few points."""
    seen = str(explain_calls(lambda m: np.sum(stats.norm(m, 2.0).logpdf(X)), 0.3))
    assert "logpdf_rrule" in seen
    assert "rv_frozen.__init__" not in seen
    assert "rv_continuous_frozen" not in seen.replace("rv_continuous_frozen.logpdf", "")


def test_classes_of_users():
    """Their constructors are followed, as functions of users are."""

    class Shifted(type(stats.norm)):
        def _logpdf(self, x, a):
            return -np.abs(x - a) - np.log(2.0)

        def _argcheck(self, a):
            return a > 0

    instance = Shifted(name="shifted", shapes="a")
    assert grad(lambda a: instance(a).logpdf(0.5))(0.3) == pytest.approx(1.0)


def test_wrong_parameters():
    """Errors are SciPy's."""
    with pytest.raises(TypeError, match="location"):
        grad(lambda m: stats.norm(location=m).logpdf(0.3))(0.3)


@pytest.mark.parametrize(
    ("alpha", "beta", "known"), [(1.0, 0.0, stats.cauchy), (2.0, 0.5, stats.norm(0, np.sqrt(2)))]
)
def test_closed_formulas(alpha, beta, known):
    """Derivatives by the variable are those of the known distribution; those by shapes are not known."""
    for name in ("pdf", "cdf"):
        f = getattr(stats.levy_stable, name)
        slopes = grad(lambda x, f=f: np.sum(f(x, alpha, beta)))(X)
        expected = grad(lambda x, name=name: np.sum(getattr(known, name)(x)))(X)
        np.testing.assert_allclose(slopes, expected, rtol=1e-10)
        assert np.isnan(grad(lambda a, f=f: np.sum(f(X, a, beta)))(alpha))
        assert np.isnan(jvp(lambda b, f=f: np.sum(f(X, alpha, b)), (beta,), (1.0,))[1])


def test_others():
    """There SciPy integrates."""
    with pytest.raises((TypeError, LookupError)):
        grad(lambda a: np.sum(stats.levy_stable.pdf(X, a, 0.5)))(1.5)


@pytest.mark.parametrize("name", ["logpdf", "pdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf"])
def test_continuous(name):
    """They are those of the same call by position, by the same rule."""
    f = getattr(stats.gamma, name)
    by_position = grad(lambda a: f(0.7, 2.0 * a, 0.1 * a, a))(1.2)
    assert grad(lambda a: f(0.7, scale=a, a=2.0 * a, loc=0.1 * a))(1.2) == pytest.approx(by_position)
    assert grad(lambda a: f(0.7, 2.0 * a, scale=a, loc=0.1 * a))(1.2) == pytest.approx(by_position)


@pytest.mark.parametrize("name", ["logpmf", "pmf", "cdf", "sf", "logcdf", "logsf"])
def test_keywords_of_discrete_distributions(name):
    """They have no scale."""
    f = getattr(stats.binom, name)
    assert grad(lambda p: f(2, p=p, n=6))(0.4) == pytest.approx(grad(lambda p: f(2, 6, p))(0.4))


def test_rule_is_used():
    """Rather than the code of the method, which takes five times as long."""
    assert "logpdf_rrule" in str(explain_calls(lambda m: stats.norm.logpdf(0.3, loc=m), 0.2))


def test_variable_by_keyword():
    """The code of the method is differentiated."""
    assert grad(lambda x: stats.norm.logpdf(x=x))(0.3) == pytest.approx(-0.3)
    with pytest.raises(TypeError):
        grad(lambda m: stats.norm.logpdf(0.3, location=m))(0.3)


@pytest.mark.parametrize("name", ["Normal", "Uniform", "Gamma"])
def test_classes_of_random_variables(name):
    """The code of SciPy's newer classes is followed, of those too that are made of a distribution."""
    gamma = stats.make_distribution(stats.gamma)
    make = {
        "Normal": lambda v: stats.Normal(mu=v[0], sigma=v[1]),
        "Uniform": lambda v: stats.Uniform(a=v[0], b=v[1]),
        "Gamma": lambda v: gamma(a=v[1]),
    }[name]

    def program(v):
        x = make(v)
        densities = np.sum(x.logpdf(X) * x.cdf(X)) + x.mean() * x.standard_deviation()
        return densities if name == "Gamma" else densities + x.icdf(0.3) + x.entropy() + x.median()

    check_program(program, np.array([0.1, 1.4]), order=1)


@pytest.mark.parametrize(
    "transform", [lambda x: stats.truncate(x, 0.0, 2.0), lambda x: stats.order_statistic(x, r=2, n=4), abs]
)
def test_moments_that_are_integrated(transform):
    """A random variable keeps each of them, which its densities do not read."""

    def program(v):
        x = transform(stats.Normal(mu=v[0], sigma=v[1]))
        return x.mean() + x.variance()

    check_program(program, np.array([0.3, 1.2]), order=1)


@pytest.mark.skipif(
    not is_scipy_since(1, 17), reason="SciPy before 1.17 fills arrays with the ends of supports"
)
@pytest.mark.parametrize("name", ["icdf", "ilogcdf", "mode"])
def test_searches_of_random_variables(name):
    """Quantiles and modes that SciPy has no formula for are roots and minima, from brackets."""
    args = {"icdf": (0.3,), "ilogcdf": (-X,), "mode": ()}[name]

    def asked(v):
        return np.sum(getattr(stats.truncate(stats.Normal(mu=v[0], sigma=v[1]), 0.0, 2.0), name)(*args))

    v = np.array([0.3, 1.2])
    if name == "mode":  # which is found to half of the digits
        np.testing.assert_allclose(grad(asked)(v), [1.0, 0.0], atol=1e-6)
    else:
        check_program(asked, v, order=1)


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("name", "shapes", "x"), [("gamma", {"a": 2.0}, 0.0), ("beta", {"a": 2.0, "b": 2.0}, 1.0)]
)
def test_ends_of_densities_of_classes(name, shapes, x):
    """They have those of the distribution that the class is made of, by the rule; 0 outside."""
    old = getattr(stats, name)
    new = made_of(name)
    points = np.array([x, -0.5, 0.3])
    expected = grad(lambda x: np.sum(old.pdf(x, **shapes) ** 2 + 3.0 * old.pdf(x, **shapes)))(points)
    for method in (None, "formula"):
        program = lambda x, m=method: (d := new(**shapes).pdf(x, method=m)) @ d + 3.0 * np.sum(d)  # noqa: E731 - short
        np.testing.assert_allclose(grad(program)(points), expected)
        assert jvp(program, (points,), (np.array([1.0, 1.0, 0.0]),))[1] == pytest.approx(expected[0])
    by_shape = grad(lambda a: new(**{**shapes, "a": a}).pdf(0.3))(2.0)
    assert by_shape == pytest.approx(grad(lambda a: old.pdf(0.3, **{**shapes, "a": a}))(2.0))
    by_logarithm = grad(lambda x: new(**shapes).pdf(x, method="logexp"))(0.3)
    assert by_logarithm == pytest.approx(grad(lambda x: old.pdf(x, **shapes))(0.3))


ENDS = [("uniform", {}, (0.0, 1.0)), ("expon", {}, (0.0,)), ("beta", {"a": 2.0, "b": 3.0}, (0.0, 1.0))]
ENDS += [("halfnorm", {}, (0.0,)), ("truncexpon", {"b": 2.0}, (0.0, 2.0)), ("arcsine", {}, (0.0, 1.0))]
NEWER = {"ccdf": "sf", "logccdf": "logsf", "icdf": "ppf", "iccdf": "isf"}


@pytest.mark.every_case
@pytest.mark.parametrize("name", ["cdf", "ccdf", "logcdf", "icdf", "iccdf", "logpdf"])
@pytest.mark.parametrize(("distribution", "shapes", "ends"), ENDS)
def test_ends_of_supports_of_classes(distribution, shapes, ends, name):
    """Derivatives at an end of the support are those from within, as the older methods have them."""
    older, made = getattr(stats, distribution), made_of(distribution)(**shapes)
    points = (0.0, 1.0)[: len(ends)] if name in {"icdf", "iccdf"} else ends
    for x in points:
        slopes = [
            grad(getattr(made, name))(x),
            jvp(getattr(made, name), (x,), (1.0,))[1],
            grad(lambda x: np.sum(getattr(made, name)(x)))(np.array([x, 0.5]))[0],
        ]
        expected = grad(lambda x: getattr(older(**shapes), NEWER.get(name, name))(x))(x)
        np.testing.assert_allclose(slopes, [expected] * 3)


def test_ends_of_supports_that_move():
    """The derivatives by the ends are those of the older methods too, and so are second ones."""
    for x, sign in ((1.0, -1.0), (3.0, 1.0)):
        newer = lambda p, x=x: stats.Uniform(a=p[0], b=p[1]).cdf(x)  # noqa: E731 - one expression
        older = lambda p, x=x: stats.uniform.cdf(x, p[0], p[1] - p[0])  # noqa: E731 - one expression
        p = np.array([1.0, 3.0])
        np.testing.assert_allclose(grad(newer)(p), grad(older)(p))
        assert grad(newer)(p)[0 if sign < 0 else 1] == -0.5
    made = made_of("expon")()
    assert hessian(made.cdf)(0.0) == hessian(stats.expon.cdf)(0.0) == -1.0


@pytest.mark.skipif(not is_scipy_since(1, 16), reason="SciPy 1.16 has made classes of counts first")
def test_ends_of_discrete_supports():
    """There the probability jumps, and the derivatives by parameters are those of its formula."""
    counts = stats.make_distribution(stats.binom)
    assert grad(lambda p: counts(n=5, p=p).cdf(0.0))(0.3) == pytest.approx(-5.0 * 0.7**4)


def test_expectations():
    """Of a function that holds a traced value, between limits."""
    check_program(
        lambda v: stats.gamma.expect(lambda x: v[1] * x, (1.3,), lb=v[0], conditional=True),
        np.array([0.4, 0.7]),
        order=1,
    )
    check_program(lambda v: stats.poisson(v[0]).expect(lambda k: v[1] * k), np.array([1.3, 0.7]), order=1)


def test_summaries():
    """Parameters by keyword reach the rules, where SciPy's formula is compiled."""
    by_position = grad(lambda c: stats.gompertz.entropy(c, 0.1, c))(0.9)
    assert grad(lambda c: stats.gompertz.entropy(c=c, scale=c))(0.9) == pytest.approx(by_position)
    assert grad(lambda c: stats.nct(4.2, nc=c).mean())(0.6) == pytest.approx(
        grad(lambda c: stats.nct.stats(4.2, c, moments="m"))(0.6)
    )
    assert grad(lambda s: stats.poisson.moment(2, mu=s))(0.6) == pytest.approx(2.2)


MADE_OF_OTHERS = {
    "Mixture": lambda v: stats.Mixture(
        [stats.Normal(mu=v[0], sigma=v[1]), stats.Normal(mu=v[1], sigma=1.0)],
        weights=np.stack([v[0], 1.0 - v[0]]),
    ),
    "abs": lambda v: stats.abs(stats.Normal(mu=v[0], sigma=v[1])),
    "exp": lambda v: stats.exp(v[1] * stats.Normal(mu=v[0], sigma=v[1])),
    "log": lambda v: stats.log(stats.Uniform(a=v[0], b=2.0 + v[1])),
    "truncate": lambda v: stats.truncate(stats.Normal(mu=v[0], sigma=v[1]), v[0] - 1.0, 2.0),
    "order_statistic": lambda v: stats.order_statistic(stats.Normal(mu=v[0], sigma=v[1]), r=1, n=2),
}


@pytest.mark.parametrize("name", MADE_OF_OTHERS)
def test_made_of_other_distributions(name):
    """A distribution that leaves its work to others holds their traced parameters."""
    v, make = np.array([0.3, 0.9]), MADE_OF_OTHERS[name]

    def f(v):
        return make(v).logpdf(0.8)

    np.testing.assert_allclose(grad(f)(v), jacobian(None, f, v)[0][0], rtol=1e-7, atol=1e-9)
