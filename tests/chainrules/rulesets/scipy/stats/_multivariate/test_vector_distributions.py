"""Rules of distributions of vectors, by all of their real parameters."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, interception
from chainrules_core import primitive, rrule, unthunk
from tests.chainrules.rulesets.scipy.stats.method_checks import (
    check_distribution,
    check_program,
    record_method,
    weighted,
)

rng = np.random.default_rng(0)
S = np.array([[1.3, 0.2], [0.2, 0.9]])
M, V = rng.normal(size=(3, 2)), np.array([0.1, 0.4])
ALPHA, P = np.array([1.2, 2.3, 0.7]), np.array([0.2, 0.5, 0.3])
COUNTS = np.array([[1, 2, 1], [0, 3, 1]])
DIRECTION = np.array([0.0, 0.6, 0.8])

# The parameters that a distribution can hold, and the other arguments of each method.
T, D = (V, S, 3.5), (ALPHA,)
CASES = [
    (stats.multivariate_t, T, "logpdf", (M,)),
    (stats.multivariate_t, T, "pdf", (M[0],)),
    (stats.multivariate_t, T, "entropy", ()),
    (stats.dirichlet, D, "logpdf", (P[:2],)),
    (stats.dirichlet, D, "pdf", (np.stack([P[:2], P[1:]], axis=1),)),
    *((stats.dirichlet, D, name, ()) for name in ("mean", "var", "cov", "entropy")),
    (stats.dirichlet_multinomial, (ALPHA, 4), "logpmf", (COUNTS,)),
    (stats.dirichlet_multinomial, (ALPHA, 4), "pmf", (COUNTS[0],)),
    *((stats.dirichlet_multinomial, (ALPHA, 4), name, ()) for name in ("mean", "var", "cov")),
]
IDS = [f"{type(distribution).__name__}-{name}" for distribution, _, name, _ in CASES]


@pytest.mark.every_case
@pytest.mark.parametrize(("distribution", "parameters", "name", "points"), CASES, ids=IDS)
def test_rules(distribution, parameters, name, points):
    """By all arguments at once, in both modes, and the same of the distribution that holds its parameters."""
    check_distribution(distribution, parameters, name, points)


@pytest.mark.every_case
@pytest.mark.parametrize("name", ["logpdf", "pdf"])
def test_mean_with_variance(name):
    """Elementwise, by all arguments; with options that have defaults."""
    method, args = getattr(stats.normal_inverse_gamma, name), np.array([0.3, 1.2, 0.4, 1.0, 2.0, 1.5])
    check_program(lambda v: method(*v), args)
    record_method(getattr(type(stats.normal_inverse_gamma), name), stats.normal_inverse_gamma, *args)
    check_program(lambda v: np.sum(method(v[:2], 1.0, b=1.5)), np.array([0.3, -0.2]))


@pytest.mark.every_case
@pytest.mark.parametrize("name", ["logpdf", "pdf"])
def test_directions(name):
    """By the concentration, and by unit vectors, which a program makes."""
    unit, method = lambda v: v / np.sqrt(np.sum(v**2)), getattr(type(stats.vonmises_fisher), name)
    program = lambda v: primitive(method)(stats.vonmises_fisher, unit(v[:3]), unit(v[3:6]), v[6])  # noqa: E731 - of both directions
    with interception(False):  # where the code would be followed
        check_program(program, np.array([1.0, 0.3, 0, 0.2, 1, 0.5, 2.0]))
    args = P / np.linalg.norm(P), DIRECTION, 2.0
    check_distribution(stats.vonmises_fisher, args[1:], name, args[:1], (0, 1))


def test_entropy_of_directions():
    """By the concentration."""
    check_distribution(stats.vonmises_fisher, (DIRECTION, 2.0), "entropy", (), (0,))


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("name", "args"), [("logpmf", (COUNTS,)), ("pmf", (COUNTS[0],)), ("mean", ()), ("cov", ())]
)
def test_numbers_of_outcomes(name, args):
    """By probabilities that sum to one."""
    method, shares = getattr(stats.multinomial, name), lambda v: v**2 / np.sum(v**2)
    check_program(lambda v: weighted(method(*args, 4, shares(v))), np.sqrt(P))
    record_method(getattr(type(stats.multinomial), name), stats.multinomial, *args, 4, P)
    held = stats.multinomial(4, P)
    record_method(getattr(type(held), name), held, *args)


LEFT = [
    (stats.multivariate_t, "logpdf", (M, V, np.ones((2, 2)), 3.0)),
    (stats.multivariate_t, "logpdf", (M, V, S, np.inf)),
    (stats.multivariate_t, "logpdf", (M, V, 1.3, 3.0)),
    (stats.multivariate_t, "entropy", (None, np.ones((2, 2)), 3.0)),
    (stats.multivariate_t, "entropy", (None, S, np.inf)),
    (stats.dirichlet, "logpdf", (0.3, ALPHA)),
    (stats.dirichlet, "mean", (ALPHA[:1],)),
    (stats.multinomial, "logpmf", (COUNTS, 4, P * 0.9)),
    (stats.multinomial, "pmf", (COUNTS, 5, P)),
    (stats.dirichlet_multinomial, "logpmf", (COUNTS, ALPHA, 5)),
    (stats.dirichlet_multinomial, "mean", (ALPHA, np.array([4, 5]))),
    (stats.vonmises_fisher, "logpdf", (DIRECTION, DIRECTION, np.array([1.0]))),
    (stats.normal_inverse_gamma, "logpdf", (0.3, -1.0)),
]


@pytest.mark.every_case
@pytest.mark.parametrize(("distribution", "name", "args"), LEFT)
def test_left_to_scipy(distribution, name, args):
    """Forms of arguments that the compositions do not describe, or outside of the support."""
    assert rrule(getattr(type(distribution), name), distribution, *args) is None


def test_precision():
    """A cotangent has the precision of its argument."""
    _, pullback = rrule(type(stats.dirichlet).logpdf, stats.dirichlet, P[:2].astype(np.float32), ALPHA)
    assert [unthunk(bar).dtype for bar in pullback(1.0)[2:]] == [np.float32, np.float64]


@pytest.mark.parametrize(
    ("x", "alpha", "expected"),
    [
        ([0.0, 0.4, 0.6], [2.0, 3.0, 2.0], [34.56, 0.0, 0.0]),
        ([0.0, 0.4], [2.0, 3.0, 2.0], [34.56, 0.0]),
        ([0.4, 0.6], [2.0, 3.0, 2.0], [-51.84, -51.84]),
        ([0.0, 0.4, 0.6], [1.0, 3.0, 2.0], [0.0, 28.8, 9.6]),
        ([0.0, 0.4, 0.6], [3.0, 3.0, 2.0], [0.0, 0.0, 0.0]),
        ([0.0, 1.0, 0.0], [1.5, 3.0, 1.0], [np.inf, 0.0, 0.0]),
    ],
)
def test_borders_of_simplexes(x, alpha, expected):
    """A density that is 0 there has its one-sided derivative: the power by itself, times the others."""
    x, alpha = np.array(x), np.array(alpha)
    for density in (lambda x: stats.dirichlet.pdf(x, alpha), lambda x: stats.dirichlet(alpha).pdf(x)):
        np.testing.assert_allclose(grad(density)(x), expected)
    if expected[0] == 34.56:
        lists = [0.0, 0.4] if len(x) == 2 else [[0.0, 0.2], [0.4, 0.3], [0.6, 0.5]]
        grads = grad(lambda x: np.sum(stats.dirichlet.pdf(x, alpha)))(np.array(lists))
        np.testing.assert_allclose(np.reshape(grads[0], -1)[0], 34.56)


def test_impossible_counts():
    """A probability of 0 has the derivative of its power."""
    for counts, expected in (([1, 2], [3.0, 0.0]), ([0, 3], [0.0, 3.0]), ([2, 1], [0.0, 0.0])):
        slope = grad(lambda p, counts=counts: stats.multinomial.pmf(np.array(counts), 3, p))
        np.testing.assert_allclose(slope(np.array([0.0, 1.0])), expected)
    assert grad(lambda p: stats.multinomial.pmf(np.array([1, 1]), 3, p))(np.array([0.0, 1.0]))[0] == 0.0
