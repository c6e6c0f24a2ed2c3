"""Structured arrays in the testers: coordinates, natural tangents, and rules in every form."""

import numpy as np
import pytest
import scipy.sparse

from chainrules_core import NoTangent, ProjectTo, Tangent, ZeroTangent, to_natural, to_structural, unthunk
from chainrules_core.structured import (
    Diagonal,
    Hermitian,
    I,
    Symmetric,
    SymTridiagonal,
    UniformScaling,
    UnitUpperTriangular,
    UpperTriangular,
)
from chainrules_testutils import RuleTestError, grad, rand_tangent, test_frule, test_rrule, to_vec
from chainrules_testutils.values.structured_arrays import as_coordinates, as_tangent, pushed_fields
from chainrules_testutils.values.tangent_to_vec import cotangent_to_vec, tangent_from_vec, tangent_to_vec
from tests.chainrules.structured_checks import matrices, name_of
from tests.chainrules_testutils.calls import V, X, complex_normal
from tests.chainrules_testutils.structured_wrong_rrules import quadratic, twice

SPARSE = scipy.sparse.csr_array(np.array([[1.0, 2.0, 0.0], [0.0, 3.0, 0.0], [4.0, 0.0, 5.0]]))
MATRICES = [
    *(A for dtype in (np.float64, np.float32, complex) for A in matrices(dtype=dtype)),
    *matrices(n=1),
    Diagonal(np.ones(0)),
    *(Symmetric(SPARSE), Symmetric(SPARSE, "L"), UpperTriangular(SPARSE), UnitUpperTriangular(SPARSE)),
]


@pytest.mark.parametrize("A", MATRICES, ids=name_of)
def test_there_and_back(A):
    """A matrix comes back from its vector exactly, of the same kind, also with other numbers."""
    vec, back = to_vec(A)
    moved = back(vec + 1.0)

    assert back(vec) == A
    assert type(moved) is type(A)
    np.testing.assert_allclose(to_vec(moved)[0], vec + 1.0, rtol=1e-6)
    with pytest.raises(ValueError, match="numbers, the vector given has shape"):
        back(np.ones(vec.size + 1))


@pytest.mark.parametrize("A", MATRICES, ids=name_of)
def test_inner_products(A):
    """The inner product of two vectors is the inner product of the matrices."""
    tangents = [rand_tangent(A, seed) for seed in (1, 2)]
    vecs = [tangent_to_vec(A, tangent) for tangent in tangents]
    x, y = map(np.asarray, tangents)

    assert vecs[0].size == to_vec(A)[0].size
    np.testing.assert_allclose(np.sum(vecs[0] * vecs[1]), np.vdot(x, y).real, rtol=1e-5)


@pytest.mark.parametrize("uplo", ["U", "L"])
def test_tangents_with_more_structure(uplo):
    """A diagonal tangent has the coordinates of the dense one, in the kind of the matrix."""
    A, A_dot = Symmetric(np.ones((3, 3)), uplo), Diagonal(np.array([1.0, 2.0, 3.0]))

    assert type(as_coordinates(A, A_dot)) is Symmetric
    np.testing.assert_array_equal(tangent_to_vec(A, A_dot), tangent_to_vec(A, A_dot.to_dense()))


@pytest.mark.parametrize("A", MATRICES, ids=name_of)
def test_random_tangents(A):
    """They are in the tangent space, in the precision of the matrix; one seed gives equal ones."""
    tangent = rand_tangent(A, 1)

    assert tangent.dtype == A.dtype
    assert type(ProjectTo(A)(tangent)) is type(tangent)
    assert ProjectTo(A)(np.asarray(tangent)) == tangent == rand_tangent(A, 1)
    assert (tangent == rand_tangent(A, 2)) is (len(A) == 0 or not np.any(np.asarray(tangent)))


@pytest.mark.parametrize("A", MATRICES, ids=name_of)
def test_tangents_along_the_coordinates(A):
    """Natural, dense and structural forms have one vector, which spells the natural one."""
    tangent = rand_tangent(A, 1)
    vec = tangent_to_vec(A, tangent)

    np.testing.assert_allclose(np.asarray(tangent_from_vec(A, tangent, vec)), np.asarray(tangent), rtol=1e-6)
    np.testing.assert_array_equal(tangent_to_vec(A, np.asarray(tangent)), vec)
    np.testing.assert_allclose(cotangent_to_vec(A, to_structural(A, tangent)), vec, rtol=1e-6)
    np.testing.assert_array_equal(tangent_to_vec(A, ZeroTangent()), np.zeros(vec.size))


def test_what_cannot_be_perturbed():
    """Matrices of integers, and the identity itself, have no random tangent."""
    assert rand_tangent(Diagonal(np.arange(3))) == rand_tangent(I) == NoTangent()
    assert type(rand_tangent(UniformScaling(2.0))) is UniformScaling


def test_free_numbers():
    """An element that stands for two counts √2 times; the diagonal of a Hermitian matrix is real."""
    np.testing.assert_allclose(to_vec(Symmetric(np.array([[1.0, 2.0], [7.0, 3.0]])))[0], [1, 2 * 2**0.5, 3])
    np.testing.assert_allclose(to_vec(SymTridiagonal([1.0, 2.0], [3.0]))[0], [1, 2, 3 * 2**0.5])
    assert to_vec(Hermitian(complex_normal(3, 3)))[0].size == 9
    assert to_vec(UnitUpperTriangular(X))[0].size == 3


def test_differences_give_natural_cotangents():
    """A gradient by differences is a matrix of the same kind, and what `ProjectTo` makes of the dense one."""
    S = Symmetric(X)

    (S_bar,) = grad(None, lambda S: quadratic(S, V), S)

    assert type(S_bar) is Symmetric
    np.testing.assert_allclose(np.asarray(S_bar), np.outer(V, V), rtol=1e-9)


def test_coordinates():
    """A tangent of another kind, or of a unit triangular matrix, becomes a matrix of the primal's kind."""
    assert as_coordinates(Symmetric(X), Diagonal(V)) == Symmetric(np.diag(V))
    U = UnitUpperTriangular(X)
    assert as_tangent(as_coordinates(U, X)) == UpperTriangular(np.triu(X, 1))
    assert as_coordinates(Diagonal(V + 0j), Diagonal(V)).dtype == complex


def test_structural_tangents_in_forward_mode():
    """They hold the tangents of the fields, which are those of the natural one."""
    assert pushed_fields(Symmetric(X, "L"), Tangent[Symmetric](data=X)) == Symmetric(X, "L")
    assert pushed_fields(UnitUpperTriangular(X), Tangent[UnitUpperTriangular](data=X)) == UpperTriangular(
        np.triu(X, 1)
    )
    T = SymTridiagonal(V, V[1:])
    assert pushed_fields(T, Tangent[SymTridiagonal](ev=V[1:])) == SymTridiagonal(0 * V, V[1:])


# --- Rules ---------------------------------------------------------------------------------------


def with_forms(in_structural_form):
    """Right rules of `quadratic`, whose cotangent of the matrix is natural or structural."""

    def rule(config, f, A, x):
        def quadratic_pullback(y_bar):
            y_bar = unthunk(y_bar)
            A_bar = ProjectTo(A)(np.outer(x, np.conj(x)).conj() * y_bar)
            x_bar = ProjectTo(x)((A @ x + A.T @ x).conj() * y_bar)
            return NoTangent(), to_structural(A, A_bar) if in_structural_form else A_bar, x_bar

        return f(A, x), quadratic_pullback

    return rule


@pytest.mark.parametrize("in_structural_form", [False, True])
@pytest.mark.parametrize("mode", ["full", "fast"])
@pytest.mark.parametrize("A", matrices(n=3) + matrices(n=3, dtype=np.float32), ids=name_of)
def test_rules_may_return_either_form(A, mode, in_structural_form):
    """A right cotangent passes in both."""
    rule = with_forms(in_structural_form)

    assert test_rrule(quadratic, A, V.astype(A.dtype), rrule_f=rule, mode=mode).failed == 0


@pytest.mark.parametrize("A", matrices(n=3), ids=name_of)
def test_rules_get_both_forms(A):
    """The cotangent of a structured output is pulled back in both forms."""

    def rule(config, f, A):
        y = f(A)
        return y, lambda y_bar: (NoTangent(), ProjectTo(A)(2.0 * to_natural(y, unthunk(y_bar))))

    report = test_rrule(twice, A, rrule_f=rule)

    assert report.failed == 0
    assert "pulling back a structural cotangent, cotangent for input 2" in [c.where for c in report.checks]


def test_pushforwards_in_structural_form():
    """It holds the tangents of the fields: not twice that of an element that stands for two."""

    def right(config, tangents, f, A):
        return f(A), Tangent[Symmetric](data=2.0 * tangents[1].data)

    def twice_too_much(config, tangents, f, A):
        return f(A), to_structural(A, 2.0 * tangents[1])

    assert test_frule(twice, Symmetric(X, "L"), frule_f=right).failed == 0
    with pytest.raises(RuleTestError, match=r"tangent of the output, index \(\d, \d\): wrong value"):
        test_frule(twice, Symmetric(X, "L"), frule_f=twice_too_much)


def test_matrices_in_structures():
    """Matrices in tuples and closures are differentiated in their spaces too."""
    S = Symmetric(X)

    def of_pair(pair):
        return quadratic(pair[0], pair[1])

    def rule(config, f, pair):
        def pullback(y_bar):
            _, S_bar, x_bar = with_forms(True)(config, quadratic, *pair)[1](y_bar)
            return NoTangent(), Tangent[tuple](S_bar, x_bar)

        return f(pair), pullback

    for mode in ("full", "fast"):
        assert test_rrule(of_pair, (S, V), rrule_f=rule, mode=mode).failed == 0
