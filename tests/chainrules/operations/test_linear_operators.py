"""Products with linear operators, and their adjoints, in both modes and in second order."""

import numpy as np
import pytest
from scipy.sparse.linalg import LinearOperator, aslinearoperator

from chainrules.ad import ADConfig, grad
from chainrules.operations.linear_operators import (
    AdjointOperator,
    adjoint_product,
    product,
    pull_product,
    push_product,
)
from chainrules_core import NO_TANGENT, Tangent, frule, rrule, unthunk
from tests.chainrules.program_checks import check_program
from tests.chainrules.rule_checks import normal

MATRIX, X, Y = normal(4, 3), normal(3, seed=1), normal(4, seed=2)


def operator(A):
    """An operator that closes over a matrix."""
    return LinearOperator(A.shape, matvec=lambda v: A @ v, rmatvec=lambda v: A.conj().T @ v, dtype=A.dtype)


@pytest.mark.parametrize("form", [operator, aslinearoperator])
@pytest.mark.parametrize("dtype", [float, complex])
def test_products(form, dtype):
    """By what the operator holds and by the vector, by the operator and by its adjoint."""
    A, x, y = normal(4, 3, dtype=dtype), normal(3, dtype=dtype), normal(4, dtype=dtype)
    check_program(lambda A, x: product(form(A), x), A, x, order=1)
    check_program(lambda A, y: adjoint_product(form(A), y), A, y, order=1)
    check_program(lambda A, y: product(AdjointOperator(form(A)), y), A, y, order=1)
    check_program(lambda A, x: adjoint_product(AdjointOperator(form(A)), x), A, x, order=1)


def test_second_derivatives():
    """A product is differentiated as any program is."""
    check_program(lambda A, x: product(operator(A), x) ** 2, MATRIX, X)


def test_constants():
    """A constant operator is linear: its function need not be differentiated."""
    opaque = LinearOperator((4, 3), matvec=lambda v: np.array((MATRIX @ v).tolist()), dtype=float)
    y_dot = frule(ADConfig(), (NO_TANGENT, NO_TANGENT, X), product, opaque, X)[1]
    np.testing.assert_allclose(y_dot, MATRIX @ X)


def test_the_cotangent_of_an_operator():
    """It is the pull back of the product by what the operator holds; and the tangent is its transpose."""
    A = aslinearoperator(MATRIX)
    A_bar = pull_product(ADConfig(), A, X, Y).A
    np.testing.assert_allclose(unthunk(A_bar), np.outer(Y, X))
    A_dot = Tangent[type(A)](A=normal(4, 3, seed=3))
    np.testing.assert_allclose(push_product(ADConfig(), A, A_dot, X), A_dot.A @ X)


def test_an_adjoint_keeps_what_it_is_of():
    """Its shape is the other one; used where there is no adjoint, it says so."""
    adjoint = AdjointOperator(operator(MATRIX))
    assert adjoint.shape == (3, 4)
    assert adjoint.dtype == float
    np.testing.assert_allclose(adjoint @ Y, MATRIX.T @ Y)
    np.testing.assert_allclose(adjoint.H @ X, MATRIX @ X)
    without = LinearOperator((4, 3), matvec=MATRIX.__matmul__, dtype=float)
    with pytest.raises(NotImplementedError):
        AdjointOperator(without).matvec(Y)


def test_other_systems():
    """Without a configuration there is no rule: nobody would differentiate the function of the operator."""
    assert rrule(product, operator(MATRIX), X) is None


# --- In programs: SciPy's own methods are followed ----------------------------------------------------------


def normal_and_square(op):
    """Two products of an operator with itself."""
    return op.T @ op + op @ op


PROGRAMS = {
    "matvec": lambda A, B, x: operator(A).matvec(x),
    "rmatvec": lambda A, B, x: operator(A).rmatvec(x),
    "matmat": lambda A, B, x: operator(A).matmat(np.outer(x, x)),
    "rmatmat": lambda A, B, x: operator(A).rmatmat(np.outer(x, x)),
    "product": lambda A, B, x: operator(A) @ x + operator(A) * x + operator(A)(x) + operator(A).dot(x),
    "from the left": lambda A, B, x: x @ operator(A),
    "transposed": lambda A, B, x: operator(A).T @ x + operator(A).transpose() @ x,
    "adjoint": lambda A, B, x: operator(A).H @ x + operator(A).adjoint() @ x,
    "of matrices": lambda A, B, x: aslinearoperator(A).H @ (aslinearoperator(B) @ x),
    "without a dtype": lambda A, B, x: LinearOperator(A.shape, matvec=lambda v: A @ v) @ x,
    "sums": lambda A, B, x: (operator(A) + aslinearoperator(B) - operator(B)) @ x,
    "composed": lambda A, B, x: (operator(A) @ operator(B).H) @ x,
    "the same twice": lambda A, B, x: normal_and_square(operator(A)) @ x,
    "scaled": lambda A, B, x: (x[0] * operator(A) * 2.0 / x[1]) @ x - (-operator(A)) @ x,
    "powers": lambda A, B, x: (operator(A) ** 3) @ x,
    "by a matrix of matvecs": lambda A, B, x: (
        LinearOperator(A.shape, matvec=lambda v: A @ v, matmat=lambda V: A @ V) @ np.outer(x, x)
    ),
}


@pytest.mark.parametrize("f", PROGRAMS.values(), ids=PROGRAMS)
@pytest.mark.parametrize("dtype", [float, complex])
def test_programs(f, dtype):
    """Derivatives by what operators hold are those of their products."""
    check_program(
        f,
        normal(3, 3, dtype=dtype),
        normal(3, 3, seed=1, dtype=dtype),
        normal(3, seed=2, dtype=dtype),
        order=1,
    )


class Shifted(LinearOperator):
    """A subclass that counts its products, as people write them."""

    def __init__(self, A, shift):
        super().__init__(A.dtype, A.shape)
        self.matrix, self.shift, self.count = A, shift, 0

    def _matvec(self, x):
        self.count += 1
        return self.matrix @ x + self.shift * x

    def _adjoint(self):
        return Shifted(self.matrix.T, self.shift)


def test_subclasses():
    """They are taken apart by their attributes."""
    A = normal(3, 3)
    check_program(lambda A, shift, x: Shifted(A, shift) @ x + Shifted(A, shift).H @ x, A, 0.5, X, order=1)


def test_operators_as_arguments():
    """The gradient has the fields of the operator."""
    gradient = grad(lambda op: np.sum(op @ X))(aslinearoperator(MATRIX))
    np.testing.assert_allclose(gradient.A, np.outer(np.ones(4), X))


def test_a_remembered_adjoint_is_not_used_for_another_matrix():
    """SciPy keeps the adjoint of a matrix beside the matrix, which may have been replaced since."""
    A = aslinearoperator(MATRIX)
    A.rmatvec(Y)
    gradient = grad(lambda op: np.sum(op.rmatvec(Y)))(A)
    np.testing.assert_allclose(gradient.A, np.outer(Y, np.ones(3)))
