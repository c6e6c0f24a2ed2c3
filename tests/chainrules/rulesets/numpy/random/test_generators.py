"""Generators and the noise that they make have no derivative."""

import functools

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.sample_checks import check_sample

GENERATOR = functools.partial(np.random.default_rng, 1)
STATE = functools.partial(np.random.RandomState, 1)

NOISE = [
    (np.random.Generator.random, GENERATOR, (3,)),
    (np.random.Generator.integers, GENERATOR, (5, 9, 3)),
    (np.random.Generator.standard_cauchy, GENERATOR, (3,)),
    (np.random.Generator.standard_exponential, GENERATOR, (3,)),
    (np.random.Generator.standard_normal, GENERATOR, (3,)),
    (np.random.RandomState.rand, STATE, (3, 2)),
    (np.random.RandomState.randint, STATE, (5, 9, 3)),
    (np.random.RandomState.randn, STATE, (3, 2)),
    (np.random.RandomState.random, STATE, (3,)),
    (np.random.RandomState.random_sample, STATE, (3,)),
    (np.random.RandomState.tomaxint, STATE, (3,)),
    (np.random.RandomState.standard_cauchy, STATE, (3,)),
    (np.random.RandomState.standard_exponential, STATE, (3,)),
    (np.random.RandomState.standard_normal, STATE, (3,)),
]

OPAQUE = [
    (np.random.Generator.bytes, GENERATOR, (3,)),
    (np.random.Generator.spawn, GENERATOR, (2,)),
    (np.random.RandomState.bytes, STATE, (3,)),
    (np.random.RandomState.get_state, STATE, ()),
    (np.random.RandomState.seed, STATE, (1,)),
    (np.random.RandomState.set_state, STATE, (STATE().get_state(),)),
]


@pytest.mark.parametrize(("method", "make_generator", "args"), NOISE)
def test_noise(method, make_generator, args):
    """It has no parameters but its shape and range."""
    check_sample(method, make_generator, *args)


@pytest.mark.parametrize(("method", "make_generator", "args"), OPAQUE)
def test_states(method, make_generator, args):
    """Bytes, states and generators are no numbers."""
    dots = (NoTangent(),) * (len(args) + 2)
    _, pullback = rrule(method, make_generator(), *args)

    assert pullback(NoTangent()) == dots
    assert frule(dots, method, make_generator(), *args)[1] == NoTangent()


@pytest.mark.parametrize(
    ("f", "args"), [(np.random.ranf, (3,)), (np.random.sample, (3,)), (np.random.seed, (1,))]
)
def test_functions_of_the_hidden_generator(f, args):
    """Those that are no methods of it."""
    dots = (NoTangent(),) * (len(args) + 1)

    assert rrule(f, *args)[1](NoTangent()) == dots
    assert frule(dots, f, *args)[1] == NoTangent()
    record_exercised(f, rrule.find(f, *args))
    record_exercised(f, frule.find(dots, f, *args))


@pytest.mark.parametrize(
    "make",
    [
        np.random.default_rng,
        np.random.RandomState,
        np.random.SeedSequence,
        np.random.MT19937,
        np.random.PCG64,
        np.random.PCG64DXSM,
        np.random.Philox,
        np.random.SFC64,
    ],
)
def test_constructors(make):
    """A seed is no real number."""
    _, pullback = rrule(make, 1)

    assert pullback(NoTangent()) == (NoTangent(), NoTangent())
    assert frule((NoTangent(), NoTangent()), make, 1)[1] == NoTangent()
