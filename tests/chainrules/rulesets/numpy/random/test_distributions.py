"""The rules of samples of distributions, against finite differences for one seed."""

import functools

import numpy as np
import pytest

from chainrules.ad import call, grad
from chainrules_core import (
    DerivativeNotImplementedError,
    NoTangent,
    NotImplementedTangent,
    ZeroTangent,
    frule,
    rrule,
)
from chainrules_testutils import PrimalAndTangent
from tests.chainrules.rule_checks import normal, positive
from tests.chainrules.sample_checks import check_sample, check_second_derivative_of_sample

MAKERS = {
    np.random.Generator: functools.partial(np.random.default_rng, 1),
    np.random.RandomState: functools.partial(np.random.RandomState, 1),
}

# Parameters for each method; they may be broadcast.
SMOOTH = {
    "normal": (0.3, 1.5),
    "laplace": (0.3, 1.5),
    "logistic": (0.3, 1.5),
    "gumbel": (0.3, 1.5),
    "uniform": (-0.5, 1.5),
    "exponential": (1.5,),
    "rayleigh": (1.5,),
    "lognormal": (0.3, 0.5),
    "weibull": (1.5,),
    "pareto": (2.5,),
    "power": (1.5,),
    "triangular": (-1.0, 0.2, 1.5),
}


@pytest.fixture(params=MAKERS, ids=lambda owner: owner.__name__)
def owner(request):
    """The class of the generator."""
    return request.param


def method_of(owner, name):
    """The method, and what makes a generator of one seed."""
    return getattr(owner, name), MAKERS[owner]


@pytest.mark.parametrize("name", SMOOTH)
def test_samples(owner, name):
    """One number, many, from parameters of other shapes."""
    parameters = SMOOTH[name]
    check_sample(*method_of(owner, name), *parameters)
    check_sample(*method_of(owner, name), *parameters, size=3)
    check_sample(*method_of(owner, name), *parameters, (2, 3))
    arrays = [np.full((2, 1) if i % 2 else 3, x) for i, x in enumerate(parameters)]
    check_sample(*method_of(owner, name), *arrays)
    check_sample(*method_of(owner, name), *arrays, size=(2, 2, 3))


@pytest.mark.parametrize("name", SMOOTH)
def test_samples_are_differentiated_twice(owner, name):
    """The sample is made by functions that have rules."""
    check_second_derivative_of_sample(*method_of(owner, name), *SMOOTH[name], size=4)


@pytest.mark.parametrize("name", ["normal", "exponential", "weibull", "triangular"])
def test_samples_by_parameters_in_single_precision(owner, name):
    """The sample is a float64, as NumPy's; the cotangent is a float32."""
    check_sample(*method_of(owner, name), *map(np.float32, SMOOTH[name]), size=3)
    check_sample(*method_of(owner, name), *(np.full(3, x, np.float32) for x in SMOOTH[name]))


def test_samples_by_other_parameters(owner):
    """None, the first only, 0-d arrays, empty ones, none to draw, integers."""
    check_sample(*method_of(owner, "normal"), size=3)
    check_sample(*method_of(owner, "normal"), 0.5, size=3)
    check_sample(*method_of(owner, "normal"), 0.5, scale=2.0, size=3)
    check_sample(*method_of(owner, "normal"), np.array(0.5), np.array(2.0))
    check_sample(*method_of(owner, "normal"), normal(0), 2.0)
    check_sample(*method_of(owner, "normal"), 0.5, 2.0, size=0)
    check_sample(*method_of(owner, "normal"), 1, 2.0, size=3)
    draw, make_generator = method_of(owner, "normal")
    assert grad(lambda scale: np.sum(call(draw, make_generator(), [0.5, 1.5], scale)))(2.0) == np.sum(
        draw(make_generator(), size=2)
    )


def test_sample_of_no_width(owner):
    """At scale zero the derivative is the noise, which the sample itself does not show."""
    f, make_generator = method_of(owner, "normal")
    y, pullback = rrule(f, make_generator(), 1.0, 0.0, 3)
    _, _, loc_bar, scale_bar, _ = pullback(np.ones(3))

    np.testing.assert_array_equal(y, np.ones(3))
    assert loc_bar == 3.0
    assert scale_bar == pytest.approx(np.sum(f(make_generator(), size=3)))


@pytest.mark.parametrize("name", SMOOTH)
def test_rules_draw_what_the_primal_draws(owner, name):
    """The generator is left in the same state: the next number is the same."""
    f, make_generator = method_of(owner, name)
    by_primal, by_rule = make_generator(), make_generator()
    y, _ = rrule(f, by_rule, *SMOOTH[name], 5)

    np.testing.assert_allclose(y, f(by_primal, *SMOOTH[name], 5), rtol=1e-12)
    assert by_rule.uniform() == by_primal.uniform()


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        *((name, ()) for name in ("normal", "laplace", "logistic", "gumbel", "exponential", "rayleigh")),
        *((name, parameters) for name in ("uniform", "lognormal") for parameters in ((), (-0.5,))),
        ("gamma", (2.5,)),
    ],
)
def test_parameters_that_are_left_out(owner, name, parameters):
    """They are those of NumPy."""
    f, make_generator = method_of(owner, name)
    y, _ = rrule(f, make_generator(), *parameters, size=5)

    np.testing.assert_allclose(y, f(make_generator(), *parameters, size=5), rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "parameters", "place"),
    [("gamma", (2.5, 1.5), 0), ("vonmises", (0.5, 1.5), 1), ("vonmises", (3.0, 0.1), 1)],
)
def test_samples_with_a_shape(owner, name, parameters, place):
    """Smooth by the location or the scale; by the shape the number of draws varies."""
    f, make_generator = method_of(owner, name)
    constant = [PrimalAndTangent(x, NoTangent()) if i == place else x for i, x in enumerate(parameters)]

    check_sample(f, make_generator, *constant, size=20)
    _, pullback = rrule(f, make_generator(), *parameters, 3)
    with pytest.raises(DerivativeNotImplementedError, match="fixed seed would be biased"):
        float(pullback(np.ones(3))[2 + place])


def test_vonmises_of_no_concentration(owner):
    """NumPy draws from the uniform distribution, and forgets the mean."""
    f, make_generator = method_of(owner, "vonmises")
    y, pullback = rrule(f, make_generator(), 0.5, 1e-9)

    assert y == f(make_generator(), 0.5, 1e-9)
    assert pullback(1.0)[2] == 0.0


WITHOUT_DERIVATIVE = {
    "beta": (0.5, 1.5),
    "chisquare": (3.0,),
    "dirichlet": (positive(3),),
    "f": (3.0, 4.0),
    "noncentral_chisquare": (3.0, 1.0),
    "noncentral_f": (3.0, 4.0, 1.0),
    "standard_gamma": (2.5,),
    "standard_t": (3.0,),
    "wald": (1.5, 2.5),
    "binomial": (10, 0.5),
    "geometric": (0.5,),
    "hypergeometric": (10, 5, 6),
    "logseries": (0.5,),
    "multinomial": (10, np.array([0.2, 0.3, 0.5])),
    "negative_binomial": (3.0, 0.5),
    "poisson": (4.0,),
    "zipf": (2.5,),
}


@pytest.mark.parametrize("name", WITHOUT_DERIVATIVE)
def test_samples_without_derivative(owner, name):
    """Where there is none to be had, whoever asks for it is told why; nothing is silently zero."""
    f, make_generator = method_of(owner, name)
    parameters = WITHOUT_DERIVATIVE[name]
    zeros = [NoTangent()] * len(parameters)
    y, pullback = rrule(f, make_generator(), *parameters)
    bars = pullback(y)[2:]

    check_sample(f, make_generator, *parameters)
    check_sample(f, make_generator, *(PrimalAndTangent(x, NoTangent()) for x in parameters), size=3)
    np.testing.assert_array_equal(y, f(make_generator(), *parameters))
    assert [type(bar) for bar in bars] == [NotImplementedTangent] * len(parameters)
    assert frule((NoTangent(), NoTangent(), *zeros), f, make_generator(), *parameters)[1] == ZeroTangent()
    with pytest.raises(DerivativeNotImplementedError, match=r"biased|jumps"):
        float(bars[0])


def test_constant_parameters(owner):
    """A zero tangent stays one."""
    f, make_generator = method_of(owner, "normal")
    dots = (NoTangent(), NoTangent(), ZeroTangent(), 1.0)

    assert frule((NoTangent(),) * 4, f, make_generator(), 0.5, 2.0)[1] == ZeroTangent()
    assert frule(dots, f, make_generator(), 0.5, 2.0)[1] == f(make_generator())


def test_errors_are_numpys(owner):
    """What NumPy refuses is refused by the rule."""
    f, make_generator = method_of(owner, "normal")
    for parameters, message in (((0.0, -1.0), "scale < 0"), ((normal(2), positive(3)), "broadcast")):
        with pytest.raises(ValueError, match=message):
            rrule(f, make_generator(), *parameters)
    with pytest.raises(ValueError, match="broadcast"):
        rrule(f, make_generator(), normal(2), 1.0, 3)
    with pytest.raises(TypeError, match="lok"):
        rrule(f, make_generator(), lok=1.0)
    with pytest.raises(ValueError, match=r"weibull\(a=0\) cannot be differentiated"):
        rrule(owner.weibull, make_generator(), 0.0)


@pytest.mark.parametrize("draw", [np.random.default_rng(1).normal, np.random.normal])
def test_bound_methods(draw):
    """As programs write it."""
    loc_bar, scale_bar = grad(lambda loc, scale: np.sum(call(draw, loc, scale, size=3)), (0, 1))(0.5, 0.0)

    assert loc_bar == 3.0
    assert scale_bar != 0.0


def test_multivariate_hypergeometric():
    """The newer generators only have it."""
    f, make_generator = method_of(np.random.Generator, "multivariate_hypergeometric")

    check_sample(f, make_generator, [4, 5, 6], 7)
