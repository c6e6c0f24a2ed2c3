"""The rules of samples of the multivariate normal distribution, against finite differences for one seed."""

import functools

import numpy as np
import pytest

from chainrules_core import DerivativeNotImplementedError, NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import PrimalAndTangent
from tests.chainrules.rule_checks import normal
from tests.chainrules.sample_checks import check_sample, check_second_derivative_of_sample

draw = np.random.Generator.multivariate_normal
make_generator = functools.partial(np.random.default_rng, 1)

MEAN = normal(3)
COV = np.cov(normal(3, 6)) + np.eye(3)


@pytest.mark.parametrize("size", [None, 4, (2, 2), 0])
def test_samples_by_cholesky(size):
    """Smooth by the mean and by the covariances, of which the lower triangle is read."""
    check_sample(draw, make_generator, MEAN, COV, size=size, method="cholesky")


def test_samples_by_cholesky_are_differentiated_twice():
    """The factor is traced."""
    check_second_derivative_of_sample(draw, make_generator, MEAN, COV, size=2, method="cholesky")


@pytest.mark.parametrize("size", [None, 4])
@pytest.mark.parametrize("method", ["svd", "eigh"])
def test_samples_by_singular_vectors(method, size):
    """Smooth by the mean only; whoever wants the other derivative is told what to do."""
    cov = PrimalAndTangent(COV, NoTangent())
    check_sample(draw, make_generator, MEAN, cov, size=size, method=method)
    y, pullback = rrule(draw, make_generator(), MEAN, COV, method=method)
    with pytest.raises(DerivativeNotImplementedError, match='method="cholesky"'):
        float(pullback(y)[3])
    _, y_dot = frule((NoTangent(), NoTangent(), MEAN, COV), draw, make_generator(), MEAN, COV, method=method)
    with pytest.raises(DerivativeNotImplementedError, match='method="cholesky"'):
        float(y_dot)


def test_samples_of_the_old_generators():
    """They have singular vectors only."""
    make_state = functools.partial(np.random.RandomState, 1)
    cov = PrimalAndTangent(COV, NoTangent())

    check_sample(np.random.RandomState.multivariate_normal, make_state, MEAN, cov, 4)


@pytest.mark.parametrize("method", ["svd", "cholesky"])
def test_rules_draw_what_the_primal_draws(method):
    """The generator is left in the same state."""
    by_primal, by_rule = make_generator(), make_generator()
    y, _ = rrule(draw, by_rule, MEAN, COV, 4, method=method)

    np.testing.assert_allclose(y, draw(by_primal, MEAN, COV, 4, method=method), rtol=1e-12)
    assert by_rule.random() == by_primal.random()


def test_constants():
    """A zero tangent stays one, of the mean alone too."""
    dots = (NoTangent(), NoTangent(), ZeroTangent(), ZeroTangent())
    _, by_cov = frule((*dots[:3], COV), draw, make_generator(), MEAN, COV, method="cholesky")

    assert frule(dots, draw, make_generator(), MEAN, COV)[1] == ZeroTangent()
    assert by_cov.shape == (3,)


def test_errors_are_numpys():
    """Shapes that do not fit, matrices that are not positive definite."""
    with pytest.raises(ValueError, match="same length"):
        rrule(draw, make_generator(), normal(1), COV, method="cholesky")
    with pytest.raises(np.linalg.LinAlgError):
        rrule(draw, make_generator(), MEAN, -COV, method="cholesky")
