"""Rules of distributions of matrices, by all of their real parameters."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, interception
from chainrules_core import DerivativeNotImplementedError, primitive, rrule
from tests.chainrules.rulesets.scipy.stats.method_checks import (
    check_distribution,
    check_program,
    record_method,
)

S, R = np.array([[1.3, 0.2], [0.2, 0.9]]), np.array([[0.8, -0.1], [-0.1, 1.1]])
M, W = np.random.default_rng(0).normal(size=(3, 2)), (5.5, S)
CASES = [
    (stats.wishart, W, "logpdf", (R,)),
    (stats.wishart, W, "pdf", (R,)),
    *((stats.wishart, W, name, ()) for name in ("mean", "mode", "var", "entropy")),
    (stats.invwishart, W, "logpdf", (R,)),
    (stats.invwishart, W, "pdf", (R,)),
    *((stats.invwishart, W, name, ()) for name in ("mean", "mode", "var", "entropy")),
    (stats.matrix_normal, (M[:2], R, S), "logpdf", (0.3 * M[:2],)),
    (stats.matrix_normal, (M[:2], R, S), "pdf", (np.stack([M[:2], M[1:]]),)),
]
IDS = [f"{type(distribution).__name__}-{name}" for distribution, _, name, _ in CASES]


@pytest.mark.every_case
@pytest.mark.parametrize(("distribution", "parameters", "name", "points"), CASES, ids=IDS)
def test_rules(distribution, parameters, name, points):
    """By all arguments at once, in both modes, and the same of the distribution that holds its parameters."""
    check_distribution(distribution, parameters, name, points)


def test_entropy_of_matrices():
    """Of the normal distribution, by both covariances."""
    entropy = primitive(type(stats.matrix_normal).entropy)
    program = lambda v: entropy(stats.matrix_normal, v[:4].reshape(2, 2), v[4:].reshape(2, 2))  # noqa: E731 - of two matrices
    with interception(False):  # where the code would be followed
        check_program(program, np.concatenate([R.ravel(), S.ravel()]))
    record_method(type(stats.matrix_normal).entropy, stats.matrix_normal, R, S)


@pytest.mark.every_case
@pytest.mark.parametrize("distribution", [stats.wishart, stats.invwishart])
def test_samples(distribution):
    """They have no derivative, which is said where it is needed."""
    draw = lambda scale: np.sum(distribution.rvs(4.0, scale, random_state=1))  # noqa: E731 - a program
    with pytest.raises(DerivativeNotImplementedError, match="with the Cholesky factor"):
        grad(draw)(S)
    record_method(type(distribution).rvs, distribution, 4.0, S)


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("distribution", "name", "args"),
    [
        (stats.wishart, "logpdf", (np.stack([R, R], axis=2), 4.0, S)),
        (stats.wishart, "mode", (2.5, S)),
        (stats.invwishart, "logpdf", (1.2, 4.0, 1.3)),
        (stats.matrix_normal, "logpdf", (M[:2], M[:2], 1.0, S)),
        (stats.matrix_normal, "entropy", (1.0, S)),
    ],
)
def test_left_to_scipy(distribution, name, args):
    """Forms of arguments that the compositions do not describe, or where there is no such moment."""
    assert rrule(getattr(type(distribution), name), distribution, *args) is None
