"""Some singular values and vectors of large matrices, in both modes and in second order."""

import numpy as np
import pytest
import scipy.sparse
from scipy.sparse.linalg import LinearOperator, aslinearoperator, norm, svds

from chainrules.ad import grad, hessian
from chainrules.makers.versions import is_scipy_since
from chainrules_core import NO_TANGENT, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.program_checks import check_along
from tests.chainrules.rule_checks import normal

A = np.diag(np.arange(1.0, 8))[:5] + np.eye(5, 7, k=1) - 0.5 * np.eye(5, 7, k=-1)
OPTIONS = {"k": 2, "v0": np.ones(5)}


def moved(t, matrix, form=scipy.sparse.csr_array):
    """A matrix that depends on two numbers."""
    return form(matrix) + form(np.eye(5, 7, k=1)) * t[0] + form(np.eye(5, 7) * np.arange(7)) * t[1]


def check(f):
    """Gradient, tangent and Hessian against differences of values and of gradients."""
    check_along(f, np.array([0.1, -0.2]), normal(2))


def of(u, s, vh):
    """A function that does not depend on signs and phases."""
    return np.sum(s**2) + np.sum(np.abs(u) ** 4) + np.sum(np.abs(vh) ** 4 * np.arange(7))


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array, scipy.sparse.csc_array])
def test_values_and_vectors(form):
    """Of sparse and dense matrices."""
    check(lambda t: of(*svds(moved(t, A, form), **OPTIONS)))


@pytest.mark.parametrize("options", [{"which": "SM"}, {"solver": "propack"}])
def test_options(options):
    """They reach SciPy."""
    check(lambda t: np.sum(svds(moved(t, A), **OPTIONS, **options)[1] ** 3))


def test_complex_matrices():
    """Both vectors have one phase, which is arbitrary."""
    check(lambda t: of(*svds(moved(t, A.astype(complex)) * (1 + 2j) + 1j * moved(t, A) * t[0], **OPTIONS)))
    with pytest.raises(ValueError, match="arbitrary"):
        grad(lambda t: np.sum(svds(moved(t, A * (1 + 1j)), **OPTIONS)[0].real ** 3))(np.ones(2))


def test_values_alone():
    """Without the vectors."""
    check(
        lambda t: np.sum(svds(moved(t, A), **OPTIONS, return_singular_vectors=False) ** 2 * np.arange(1, 3))
    )


@pytest.mark.skipif(not is_scipy_since(1, 16), reason="SciPy 1.15 computes it to six digits")
def test_the_norm():
    """It is the largest of them."""
    check(lambda t: norm(moved(t, A), 2))


def test_elements_that_are_zero():
    """A dense matrix has derivatives by all its elements, of all orders."""
    f = lambda X: of(*svds(X, **OPTIONS))  # noqa: E731 - one expression

    def g(X):
        u, s, vh = np.linalg.svd(X, full_matrices=False)
        return of(u[:, :2], s[:2], vh[:2])

    np.testing.assert_allclose(hessian(f)(A), hessian(g)(A), rtol=1e-8, atol=1e-9)


def operator(A):
    """An operator that closes over a matrix."""
    return LinearOperator(A.shape, matvec=lambda v: A @ v, rmatvec=lambda v: A.conj().T @ v, dtype=A.dtype)


@pytest.mark.parametrize("form", [operator, aslinearoperator])
def test_operators(form):
    """Of which nothing is known but products with them and with their adjoints."""
    check(lambda t: of(*svds(form(moved(t, A, np.asarray)), **OPTIONS)))
    check(lambda t: np.sum(svds(form(moved(t, A)), **OPTIONS, return_singular_vectors=False) ** 3))


@pytest.mark.parametrize("side", ["u", "vh"])
def test_vectors_of_one_side(side):
    """In the place of the others stands `None`, as SciPy has it."""
    place = {"u": 0, "vh": 2}[side]
    u, s, vh = svds(A, **OPTIONS, return_singular_vectors=side)
    assert (u is None, s is None, vh is None) == (side == "vh", False, side == "u")
    for form in (np.asarray, operator):
        check(
            lambda t, form=form: np.sum(
                svds(form(moved(t, A, np.asarray)), **OPTIONS, return_singular_vectors=side)[place] ** 4
            )
        )


def test_rules():
    """By the testers."""
    options = OPTIONS | {"return_singular_vectors": False}
    test_frule(svds, scipy.sparse.csr_array(A), fkwargs=options, rtol=1e-6, atol=1e-6)
    test_rrule(svds, scipy.sparse.csr_array(A), fkwargs=options, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(("asked", "place"), [("u", 0), ("vh", 2)])
def test_vectors_on_one_side(asked, place):
    """In the place of the others SciPy returns nothing, which has no tangent."""
    options = OPTIONS | {"return_singular_vectors": asked}
    check(
        lambda t: (
            np.sum(np.abs(svds(moved(t, A), **options)[place]) ** 4) + svds(moved(t, A), **options)[1][0]
        )
    )
    y = svds(A, **options)
    for result in (rrule(svds, A, **options)[0], frule((NO_TANGENT, A), svds, A, **options)[0]):
        assert [part is None for part in result] == [part is None for part in y]


def test_zeros():
    """They stay zeros."""
    assert rrule(svds, A, **OPTIONS)[1](ZeroTangent())[1] == ZeroTangent()
    assert frule((NO_TANGENT, ZeroTangent()), svds, A, **OPTIONS)[1] == ZeroTangent()
