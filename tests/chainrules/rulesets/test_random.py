"""The rules of samples of Python's `random`, against finite differences for one seed."""

import functools
import random

import numpy as np
import pytest

from chainrules.ad import call, grad
from chainrules_core import DerivativeNotImplementedError, NoTangent, NotImplementedTangent, frule, rrule
from chainrules_testutils import PrimalAndTangent
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.sample_checks import check_sample, check_second_derivative_of_sample

make_generator = functools.partial(random.Random, 3)

SMOOTH = [
    (random.Random.gauss, (0.3, 1.5)),
    (random.Random.normalvariate, (0.3, 1.5)),
    (random.Random.lognormvariate, (0.3, 0.5)),
    (random.Random.uniform, (-0.5, 1.5)),
    (random.Random.triangular, (-1.0, 1.5, 0.2)),
    (random.Random.triangular, (-1.0, 1.5, 1.2)),
    (random.Random.triangular, (-1.0, 1.5)),
    (random.Random.triangular, ()),
    (random.Random.gauss, ()),
    (random.Random.normalvariate, (0.3,)),
    (random.Random.expovariate, (1.5,)),
    (random.Random.paretovariate, (2.5,)),
    (random.Random.weibullvariate, (1.5, 2.5)),
]


@pytest.mark.parametrize(("method", "parameters"), SMOOTH)
def test_samples(method, parameters):
    """Every family, and the sample that the primal draws."""
    by_primal, by_rule = make_generator(), make_generator()
    rrule(method, by_rule, *parameters)
    method(by_primal, *parameters)

    check_sample(method, make_generator, *parameters)
    assert by_rule.random() == by_primal.random()


@pytest.mark.parametrize(("method", "parameters"), [case for case in SMOOTH if case[1]])
def test_samples_are_differentiated_twice(method, parameters):
    """The sample is made by functions that have rules."""
    check_second_derivative_of_sample(method, make_generator, *parameters)


@pytest.mark.parametrize(
    ("method", "parameters", "place"),
    [
        (random.Random.gammavariate, (2.5, 1.5), 0),
        (random.Random.vonmisesvariate, (5.5, 1.5), 1),
        (random.Random.vonmisesvariate, (0.5, 1e-7), 1),
    ],
)
def test_samples_with_a_shape(method, parameters, place):
    """Smooth by the mean or the scale; by the shape the number of draws varies."""
    constant = [PrimalAndTangent(x, NoTangent()) if i == place else x for i, x in enumerate(parameters)]

    check_sample(method, make_generator, *constant)
    _, pullback = rrule(method, make_generator(), *parameters)
    with pytest.raises(DerivativeNotImplementedError, match="fixed seed would be biased"):
        float(pullback(1.0)[2 + place])


def test_samples_without_derivative():
    """Whoever asks is told why there is none."""
    check_sample(random.Random.betavariate, make_generator, 1.5, 2.5)
    _, pullback = rrule(random.Random.betavariate, make_generator(), 1.5, 2.5)

    assert isinstance(pullback(1.0)[2], NotImplementedTangent)


@pytest.mark.skipif(not hasattr(random.Random, "binomialvariate"), reason="since Python 3.12")
def test_whole_numbers():
    """A whole number jumps with the probability, and has no derivative."""
    check_sample(random.Random.binomialvariate, make_generator, 5, 0.5)
    _, pullback = rrule(random.Random.binomialvariate, make_generator(), 5, 0.5)

    assert isinstance(pullback(1.0)[3], NotImplementedTangent)


@pytest.mark.parametrize("xs", [[1.5, 0.5, 2.5], (1.5, 0.5, 2.5), np.array([1.5, 0.5, 2.5])])
def test_chosen_elements(xs):
    """A cotangent goes back to the place that the element was picked from."""
    check_sample(random.Random.choice, make_generator, xs)
    if not isinstance(xs, np.ndarray):  # Python refuses these
        check_sample(random.Random.sample, make_generator, xs, 2)
        check_sample(random.Random.sample, make_generator, xs, 2, counts=[2, 1, 1])


def test_the_choice_of_the_primal():
    """The rule draws what the primal would."""
    xs = [1.5, 0.5, 2.5]

    assert rrule(random.Random.choice, make_generator(), xs)[0] == make_generator().choice(xs)
    assert rrule(random.Random.sample, make_generator(), xs, 2)[0] == make_generator().sample(xs, 2)


@pytest.mark.parametrize(
    ("method", "args"),
    [
        (random.Random.random, ()),
        (random.Random.randrange, (5,)),
        (random.Random.randint, (5, 9)),
        (random.Random.getrandbits, (8,)),
    ],
)
def test_noise(method, args):
    """Noise has no parameters but its range."""
    check_sample(method, make_generator, *args)


@pytest.mark.parametrize(
    ("method", "args"),
    [
        (random.Random.randbytes, (3,)),
        (random.Random.seed, (1,)),
        (random.Random.getstate, ()),
        (random.Random.setstate, (make_generator().getstate(),)),
    ],
)
def test_states(method, args):
    """Bytes and states are no numbers."""
    dots = (NoTangent(),) * (len(args) + 2)
    _, pullback = rrule(method, make_generator(), *args)

    assert pullback(NoTangent()) == dots
    assert frule(dots, method, make_generator(), *args)[1] == NoTangent()


@pytest.mark.parametrize("make", [random.Random, random.SystemRandom])
def test_constructors(make):
    """A seed is no real number."""
    assert rrule(make, 1)[1](NoTangent()) == (NoTangent(), NoTangent())
    assert frule((NoTangent(), NoTangent()), make, 1)[1] == NoTangent()


def test_functions_of_the_module():
    """They are bound methods of one hidden generator."""
    random.seed(3)
    mu_bar, sigma_bar = grad(lambda mu, sigma: call(random.gauss, mu, sigma), (0, 1))(0.5, 2.0)

    assert mu_bar == 1.0
    assert sigma_bar == make_generator().gauss(0.0, 1.0)
    assert np.isfinite(grad(lambda a: call(random.uniform, a, 3.0))(1.0))
    assert grad(lambda a: call(random.choice, [a, a * 1.0]))(1.0) == 1.0


@pytest.mark.parametrize(("f", "args"), [(random.random, ()), (random.getrandbits, (8,))])
def test_noise_of_the_module(f, args):
    """It has no parameters but its size."""
    _, pullback = rrule(f, *args)
    dots = (NoTangent(),) * (len(args) + 1)

    assert pullback(1.0) == dots
    assert frule(dots, f, *args)[1] == NoTangent()
    record_exercised(f, rrule.find(f, *args))
    record_exercised(f, frule.find(dots, f, *args))
