"""The rules, by the testers of `chainrules-testutils` alone."""

import numpy as np
import pytest
from pdmats import PDMat, logdet, pdmat, quad

from chainrules_core import ProjectTo, Tangent, rrule
from chainrules_testutils import rand_tangent, test_frule, test_rrule


@rand_tangent.dispatch
def rand_tangent_of_pdmat(x: PDMat, rng: object = None):
    """A lower triangle, as the factor is."""
    return Tangent[PDMat](L=np.tril(rand_tangent(x.L, rng)))


rng = np.random.default_rng(0)
B = rng.normal(size=(4, 4))
A, x = pdmat(B @ B.T + 4 * np.eye(4)), rng.normal(size=4)


def test_logdet():
    """The determinant equals the dense matrix's, and both modes agree with differences."""
    np.testing.assert_allclose(logdet(A), np.linalg.slogdet(A.to_dense())[1])
    test_frule(logdet, A)
    test_rrule(logdet, A)


def test_quad():
    """The form equals the dense matrix's, and both modes agree with differences."""
    np.testing.assert_allclose(quad(A, x), x @ np.linalg.solve(A.to_dense(), x))
    test_frule(quad, A, x)
    test_rrule(quad, A, x)


def test_cotangents_are_lower_triangular():
    """A cotangent of the matrix is a cotangent of its factor, and lower triangular."""
    L_bar = rrule(quad, A, x)[1](1.0)[1].L
    np.testing.assert_array_equal(L_bar, np.tril(L_bar))


def test_projection():
    """The upper triangle is dropped; a dense matrix is refused."""
    project = ProjectTo(A)
    np.testing.assert_array_equal(project(Tangent[PDMat](L=B)).L, np.tril(B))
    with pytest.raises(TypeError, match="cannot project"):
        project(B)
