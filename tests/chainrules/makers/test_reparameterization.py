"""Rules of samples that are functions of noise and parameters."""

import math
import random
from functools import partial

import numpy as np
import pytest

from chainrules.makers.reparameterization import Family, not_reparameterized, sampling_rule
from chainrules_core import DerivativeNotImplementedError, NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.sample_checks import check_sample


def read(scale, shift=0.0, size=None):
    """The arguments of `draw`."""
    return (scale, shift), size


def draw(rng, scale, shift=0.0, size=None):
    """A random sign, scaled and shifted."""
    return scale * rng.choice((-1.0, 1.0)) + shift


def refuse_negative(rng, parameters, shape):
    """As a primal might."""
    if parameters[0] < 0:
        raise ValueError("scale < 0")


def toss(rng, p):
    """A coin."""
    return float(rng.random() < p)


sampling_rule(
    draw,
    random.Random,
    Family(
        read,
        lambda rng, size, scale, shift: rng.choice((-1.0, 1.0)),
        lambda e, scale, shift: scale * e + shift,
        (lambda y, e, scale, shift: e, "nobody has asked"),
    ),
    refuse_negative,
)
not_reparameterized(toss, random.Random, "it jumps")


def scatter(rng, scale, shift=0.0, size=None):
    """Random signs, scaled and shifted."""
    return scale * signs(rng, np.broadcast_shapes(np.shape(scale), np.shape(shift)) or None, size) + shift


def signs(rng, shape, size):
    """As many signs as `size` says, else as `shape` does."""
    size = shape if size is None else size
    return (
        rng.choice((-1.0, 1.0))
        if size is None
        else np.reshape(rng.choices((-1.0, 1.0), k=math.prod(size)), size)
    )


shapes_checked = []
sampling_rule(
    scatter,
    random.Random,
    Family(
        read,
        lambda rng, size, scale, shift: signs(rng, None, size),
        lambda e, scale, shift: scale * e + shift,
        (lambda y, e, scale, shift: e, lambda y, e, scale, shift: np.ones_like(y)),
    ),
    lambda rng, parameters, shape: shapes_checked.append(shape),
)
make_generator = partial(random.Random, 1)


def test_samples():
    """Both modes, from one table."""
    check_sample(draw, make_generator, 1.5)


@pytest.mark.parametrize(
    ("parameters", "size", "shape"),
    [
        ((1.5, 0.5), None, ()),
        ((1.5, np.ones(3)), None, (3,)),
        ((np.ones((2, 1)), np.ones(3)), None, (2, 3)),
        ((1.5, 0.5), (2, 3), (2, 3)),
        ((1.5, np.ones(3)), (2, 3), (2, 3)),
    ],
)
def test_shapes_of_samples(parameters, size, shape):
    """The shape of the parameters together, if no size is given; one sample for a number."""
    check_sample(scatter, make_generator, *parameters, size=size)
    shapes_checked.clear()
    y, pullback = rrule(scatter, make_generator(), *parameters, size)
    assert np.shape(y) == shape
    assert shapes_checked == [shape]
    assert len(pullback(np.ones(shape))) == 5


def test_parameters_without_derivative():
    """The rule says why, to whoever needs it."""
    dots = (NoTangent(), NoTangent(), ZeroTangent(), 1.0)
    _, pullback = rrule(draw, make_generator(), 1.5, 0.5)
    _, y_dot = frule(dots, draw, make_generator(), 1.5, 0.5)

    for unknown in (pullback(1.0)[3], y_dot):
        with pytest.raises(DerivativeNotImplementedError, match=r"draw: nobody has asked"):
            float(unknown)


def test_checks_come_first():
    """The primal's errors are raised before anything is drawn."""
    rng = make_generator()
    with pytest.raises(ValueError, match="scale < 0"):
        rrule(draw, rng, -1.0)

    assert rng.random() == make_generator().random()


def test_samples_that_are_not_reparameterized():
    """Every parameter has the same answer; of constants nothing varies."""
    check_sample(toss, make_generator, 0.5)
    dots = (NoTangent(),) * 3
    _, pullback = rrule(toss, make_generator(), 0.5)

    assert frule(dots, toss, make_generator(), 0.5)[1] == ZeroTangent()
    with pytest.raises(DerivativeNotImplementedError, match=r"toss: it jumps"):
        float(pullback(1.0)[2])
