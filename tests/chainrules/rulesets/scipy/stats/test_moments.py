"""Moments and entropies of continuous distributions, by shapes, location and scale."""

import mpmath
import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, hessian, jvp
from chainrules.makers.known_distributions import WITH_SLOPES
from chainrules.rulesets.scipy.stats import moments
from chainrules_core import NoDerivativeError, NoTangent, NotImplementedTangent, frule, rrule, unthunk
from tests.chainrules.rulesets.scipy.stats.method_checks import check_method, check_program

# On lines, half lines and intervals; with ends that move, with poles and kinks of the density.
SHAPES = {
    "norm": (),
    "gamma": (2.3,),
    "beta": (2.3, 1.7),
    "t": (6.2,),
    "genextreme": (-0.1,),
    "genpareto": (-0.4,),
    "triang": (0.3,),
    "trapezoid": (0.2, 0.7),
    "dgamma": (1.1,),
    "laplace_asymmetric": (1.7,),
    "crystalball": (1.2, 6.3),
    "truncnorm": (-0.4, 1.3),
    "powerlaw": (0.6,),
}
METHODS = {
    "mean": ((), {}),
    "var": ((), {}),
    "std": ((), {}),
    "entropy": ((), {}),
    "moment": ((3,), {}),
    "stats": ((), {"moments": "mvsk"}),
}


def slopes_by_rule(f, *args, **named):
    """The derivatives that the rule gives to a system that does not call back."""
    y, pullback = rrule(f, *args, **named)
    return y, [unthunk(bar) for bar in pullback(1.0)[1:]]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("distribution", SHAPES)
def test_rules(distribution, name):
    """By the shapes, location and scale; the numbers that the testers take are SciPy's."""
    leading, named = METHODS[name]
    method, instance = getattr(stats.rv_continuous, name), getattr(stats, distribution)
    if distribution == "crystalball" and name == "entropy":
        pytest.skip("SciPy's integral is not as accurate as the differences need")
    check_method(method, instance, *leading, *SHAPES[distribution], 0.1, 1.2, **named)


def test_broadcasting():
    """Shapes, locations and scales of several sizes."""
    a, loc = np.array([[0.7], [2.4]]), np.array([0.1, 0.0, -0.4])
    for name, (leading, named) in METHODS.items():
        check_method(getattr(stats.rv_continuous, name), stats.gamma, *leading, a, loc, 1.2, **named)
    check_method(stats.rv_continuous.mean, stats.gamma, np.ones(0), 0.1)
    check_method(stats.rv_continuous.moment, stats.gamma, 0, 2.0, 0.1, 1.3)


@pytest.mark.parametrize(
    ("distribution", "name", "shapes"),
    [("nct", "mean", (4.2, 0.6)), ("gompertz", "entropy", (0.95,)), ("invgauss", "entropy", (0.7,))],
)
def test_compiled_formulas(distribution, name, shapes):
    """An engine does not follow SciPy's formula where that is compiled."""
    f = getattr(getattr(stats, distribution), name)
    check_program(lambda v: f(*v), np.array([*shapes, 0.3, 1.2]), order=1)


@pytest.mark.parametrize(
    ("distribution", "shapes"),
    [("gamma", (2.3,)), ("genpareto", (-0.4,)), ("triang", (0.3,)), ("t", (6.2,)), ("genextreme", (0.2,))],
)
@pytest.mark.parametrize("name", ["mean", "std", "kurtosis", "entropy"])
def test_second_order(distribution, shapes, name, monkeypatch):
    """Of the integrals, whose limits may move, against SciPy's formulas followed."""
    instance = getattr(stats, distribution)

    def program(v):
        return instance.stats(*v, moments="k") if name == "kurtosis" else getattr(instance, name)(*v)

    v = np.array([*shapes, 0.3, 1.2])
    followed = hessian(program)(v)
    monkeypatch.setattr(moments, "has_formula", lambda *args: False)
    np.testing.assert_allclose(hessian(program)(v), followed, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("name", ["mean", "var", "entropy"])
def test_formulas_are_followed(name):
    """Where SciPy has one, an engine follows it, which agrees with the integral."""
    f = getattr(stats.gamma, name)
    by_rule = slopes_by_rule(f, 2.3, 0.1, 1.2)[1][0]
    assert grad(f)(2.3, 0.1, 1.2) == pytest.approx(by_rule, rel=1e-12)
    assert jvp(lambda a: f(a, 0.1, 1.2), (2.3,), (1.0,))[1] == pytest.approx(by_rule, rel=1e-12)


@pytest.mark.parametrize("a", [0.2, 30.0, 1e4])
def test_accuracy(a):
    """Of narrow densities, and of those with a pole, against mpmath."""
    with mpmath.workdps(40):
        entropy = mpmath.diff(lambda a: a + mpmath.loggamma(a) + (1 - a) * mpmath.psi(0, a), mpmath.mpf(a))
        skewness = mpmath.diff(lambda a: 2 / mpmath.sqrt(a), mpmath.mpf(a))
    for name, named, expected in (
        ("mean", {}, 1.0),
        ("var", {}, 1.0),
        ("std", {}, 0.5 / np.sqrt(a)),
        ("entropy", {}, float(entropy)),
        ("stats", {"moments": "s"}, float(skewness)),
    ):
        if name == "entropy" and a < 1.0:
            continue  # which is an integral of the density, with its pole
        slope = slopes_by_rule(getattr(stats.gamma, name), a, **named)[1][0]
        assert slope == pytest.approx(expected, rel=1e-9), name


def test_infinite_moments():
    """The derivative by the shape is not known; those by location and scale are SciPy's."""
    y, (by_df, by_loc, _) = slopes_by_rule(stats.lomax.mean, 0.7, 0.1, 1.2)
    assert np.isinf(y)
    assert np.isnan(by_df)
    assert by_loc == 1.0
    assert np.isnan(slopes_by_rule(stats.gamma.var, -1.0)[1][0])


def test_integrals_that_fail():
    """An error says what was compared."""
    with pytest.raises(
        NoDerivativeError, match=r"stats.beta, by its shape number 0: the integral .* for the value"
    ):
        slopes_by_rule(stats.beta.entropy, 2.0, 0.05)


def test_shapes_without_formulas():
    """Of these the density is an integral, and its derivative by the shape is not known."""
    y, (by_n, by_loc, by_scale) = slopes_by_rule(stats.irwinhall.mean, 3, 0.1, 1.2)
    assert (by_n, by_loc, by_scale) == (NoTangent(), 1.0, pytest.approx(1.5))
    assert y == pytest.approx(1.9)
    tangents = NoTangent(), NoTangent(), 1.0, 0.0
    dot = frule(tangents, stats.rv_continuous.mean, stats.studentized_range, 3.0, 10.0)[1]
    assert isinstance(dot, NotImplementedTangent)


def test_other_distributions():
    """Classes of others have no rule; an order may be given by its name."""

    class Own(type(stats.norm)):
        pass

    assert rrule(stats.rv_continuous.mean, Own(name="own"), 0.1) is None
    assert rrule(stats.rv_continuous.moment, stats.norm, order=2)[0] == 1.0
    assert grad(lambda m: Own(name="own").mean(m))(0.3) == 1.0


def test_precision():
    """Cotangents have the precision of their arguments."""
    (bar,) = slopes_by_rule(stats.gamma.mean, np.float32(2.0))[1]
    assert np.asarray(bar).dtype == np.float32


def test_angles():
    """Their moments are those of one turn."""
    assert type(stats.vonmises) in WITH_SLOPES
    by_rule = slopes_by_rule(stats.vonmises.entropy, 2.3)[1][0]
    assert by_rule == pytest.approx(grad(stats.vonmises.entropy)(2.3), rel=1e-10)


def test_frozen_programs():
    """Frozen distributions with traced parameters, to second order."""

    def program(v):
        frozen = stats.gamma(v[0], loc=v[1], scale=v[2])
        return frozen.mean() * frozen.std() + frozen.entropy() + frozen.moment(3) + frozen.stats("s")

    check_program(program, np.array([2.3, 0.1, 1.2]))
