"""Moments and entropies of distributions, by shapes, location and scale."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, hessian, jvp
from chainrules.rulesets.scipy.stats import moments
from chainrules_core import NoDerivativeError, NoTangent, rrule, unthunk
from chainrules_testutils import jacobian
from tests.chainrules.rulesets.scipy.stats.method_checks import check_method, check_program, record_method

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


# Differences of the entropy of `crystalball`, an integral of SciPy, are not accurate enough to compare with;
# those of four results take long.
CASES = [
    (distribution, name)
    for distribution in SHAPES
    for name in METHODS
    if (distribution, name) != ("crystalball", "entropy")
    and (name != "stats" or distribution in {"norm", "gamma", "t", "genextreme"})
]


@pytest.mark.parametrize(("distribution", "name"), CASES)
def test_rules(distribution, name):
    """By the shapes, location and scale; the numbers that the testers take are SciPy's."""
    leading, named = METHODS[name]
    method, instance = getattr(stats.rv_continuous, name), getattr(stats, distribution)
    check_method(method, instance, *leading, *SHAPES[distribution], 0.1, 1.2, **named)


def test_broadcasting():
    """Shapes, locations and scales of several sizes."""
    a, loc = np.array([[0.7], [2.4]]), np.array([0.1, -0.4])
    check_method(stats.rv_continuous.moment, stats.gamma, 2, a, loc, 1.2)
    check_method(stats.rv_continuous.std, stats.gamma, np.array([0.7, 2.4]))
    check_method(stats.rv_continuous.mean, stats.gamma, np.ones(0), 0.1)
    check_method(stats.rv_continuous.moment, stats.gamma, 0, 2.0, 0.1, 1.3)
    assert rrule(stats.gamma.stats, 2.0, moments="")[0] == ()


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


def test_shapes_without_formulas():
    """A number of summands has no tangent."""
    y, (by_n, by_loc, by_scale) = slopes_by_rule(stats.irwinhall.mean, 3, 0.1, 1.2)
    assert (by_n, by_loc, by_scale) == (NoTangent(), 1.0, pytest.approx(1.5))
    assert y == pytest.approx(1.9)


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


def test_frozen_programs():
    """Frozen distributions with traced parameters, to second order."""

    def program(v):
        frozen = stats.gamma(v[0], loc=v[1], scale=v[2])
        return frozen.mean() * frozen.std() + frozen.entropy() + frozen.moment(3) + frozen.stats("s")

    check_program(program, np.array([2.3, 0.1, 1.2]))


DISCRETE = {
    "poisson": (1.2,),
    "nbinom": (4.5, 0.4),
    "skellam": (5.0, 3.0),
    "zipfian": (1.25, 15),
    "nchypergeom_fisher": (14, 6, 5, 1.3),
    "betabinom": (5, 2.3, 0.63),
    "dlaplace": (0.8,),
}


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("distribution", DISCRETE)
def test_discrete(distribution, name):
    """By the real shapes; some of SciPy's formulas are compiled."""
    leading, named = METHODS[name]
    instance, shapes = getattr(stats, distribution), DISCRETE[distribution]
    method = getattr(stats.rv_discrete, name)
    _, pullback = rrule(method, instance, *leading, *shapes, 2.0, **named)
    y_bar = (1.0, -2.0, 0.5, 0.3) if named else 1.0
    bars = [unthunk(bar) for bar in pullback(y_bar)[2 + len(leading) :]]
    for place, shape in enumerate(shapes):
        if isinstance(shape, int):
            assert bars[place] == NoTangent()
            continue

        def along(t, place=place):
            moved = [*shapes[:place], t, *shapes[place + 1 :]]
            return np.dot(y_bar, method(instance, *leading, *moved, 2.0, **named))

        expected = jacobian(None, along, shape)[0].item()
        assert bars[place] == pytest.approx(expected, rel=1e-7, abs=1e-9)
        assert grad(along)(shape) == pytest.approx(expected, rel=1e-7, abs=1e-9)
    record_method(method, instance, *leading, *shapes)


def slopes_by_rule_of_sum(f, shape, **named):
    """The derivative by a shape of the sum of results."""
    y, pullback = rrule(f, shape, **named)
    return unthunk(pullback(np.ones_like(y))[1])


def test_discrete_sums():
    """Of many parameters at once, without any, and where a tail is too long to be summed."""
    mu = np.array([0.7, 30.0])
    np.testing.assert_allclose(slopes_by_rule_of_sum(stats.poisson.var, mu), [1.0, 1.0], rtol=1e-12)
    assert slopes_by_rule_of_sum(stats.poisson.mean, np.ones(0)).shape == (0,)
    with pytest.raises(NoDerivativeError, match=r"stats.zipf: the integral or sum"):
        slopes_by_rule_of_sum(stats.zipf.stats, 6.5, moments="k")
