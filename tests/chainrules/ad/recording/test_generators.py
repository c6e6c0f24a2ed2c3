"""Random generators in recorded programs: those with a seed draw the same each time."""

import collections
import random
import time

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError
from tests.chainrules.ad.recording.agreement import agrees

# What is refused has a line each, which the sample is to reach.
pytestmark = pytest.mark.every_case

POINTS = [(np.array(x),) for x in ([0.3, 1.2, 2.5], [-0.3, 4.0, 2.5], [5.0, 4.0, -3.0])]
OUTSIDE = np.random.default_rng(0)
SEED = [3]


def drawn_by_decisions(x):
    """How many numbers were drawn before depends on the values."""
    rng = np.random.default_rng(1)
    for v in x:
        if v > 0.0:
            rng.normal()
    return np.sum(x * x) * rng.normal() * rng.integers(5, size=2)[0]


@pytest.mark.parametrize(
    "f",
    [
        drawn_by_decisions,
        lambda x: np.sum(x * np.random.default_rng(seed=0).normal(size=x.shape)),
        lambda x: np.sum(np.where(np.random.default_rng((1, 2)).random(3) > 0.5, x, 0.0) ** 2),
        lambda x: np.sum(x[np.random.RandomState(2).permutation(3)] * np.arange(3)),
        lambda x: np.sum(np.random.Generator(np.random.PCG64(3)).choice([1.0, 2.0], 3) * x * x),
    ],
)
def test_generators_with_a_seed(f):
    """What they draw is a constant of the program, on each way through it."""
    agrees(f, POINTS)
    agrees(grad(f), POINTS)
    agrees(grad(f), POINTS[::-1])


def test_seeds_from_outside(monkeypatch):
    """They are compared, as everything else is."""
    f = grad(lambda x: np.sum(x * x * np.random.default_rng(SEED[0]).normal(size=3)))
    c = compiled(f, strict=True)
    for seed in (3, 4, 4, 3):
        SEED[0] = seed
        for (x,) in POINTS:
            np.testing.assert_array_equal(c(x), f(x))


@pytest.mark.parametrize(
    ("f", "reason"),
    [
        (lambda x: np.sum(x * np.random.default_rng().normal(size=3)), "without a whole number as its seed"),
        (lambda x: np.sum(x) * np.random.default_rng(None).normal(), "without a whole number as its seed"),
        (lambda x: np.sum(x * OUTSIDE.normal(size=3)), "`OUTSIDE` holds an instance of Generator"),
        (
            lambda x: np.sum(np.random.default_rng(0).normal(x, 1.0)),
            "`normal` draws by a value; draw standard",
        ),
        (lambda x: np.sum(x * np.random.normal(size=3)), "not the same each time"),  # noqa: NPY002 - as above
        (lambda x: [np.random.seed(0), np.sum(x)][1], "it calls `seed`"),  # noqa: NPY002 - as above
        (lambda x: np.sum(x) * random.random(), "it calls `random`"),  # noqa: S311 - no secrets
        (lambda x: np.sum(x) * random.Random(4).random(), "it calls `Random`"),  # noqa: S311 - as above
        (lambda x: np.sum(x) * next(map(np.random.normal, [1.0])), "not the same each time"),
        (lambda x: np.sum(x) * collections.defaultdict(time.time)["a"], "it calls `time`"),
        (lambda x: np.sum(x) * np.random.default_rng(0).spawn(1)[0].normal(), "`spawn`"),
    ],
)
def test_what_is_refused(f, reason):
    """Whoever draws otherwise each time, be it the generator of the whole process, or an outer one."""
    for g in (f, grad(f)):
        with pytest.raises(CompilationError, match=reason):
            compiled(g, strict=True)(POINTS[0][0])
