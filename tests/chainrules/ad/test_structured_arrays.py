"""Structured arrays as values of traced programs: arguments, intermediate results, constants."""

from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import TracedValue, call, grad, value_and_grad
from chainrules_core import (
    AbstractArray,
    NoTangent,
    ProjectTo,
    opt_out,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unthunk,
)
from chainrules_core.structured import Diagonal, I, Symmetric, Tridiagonal, UniformScaling, UpperTriangular
from tests.chainrules.rule_checks import normal, positive
from tests.chainrules.structured_checks import check_gradient, matrices, name_of


def test_constructor_of_traced_values():
    """A structured array made from a traced value is traced as a whole."""
    made = []

    def f(d):
        made.append(Diagonal(d))
        return np.sum(made[0] @ np.ones(3))

    np.testing.assert_array_equal(grad(f)(normal(3)), np.ones(3))
    assert isinstance(made[0], TracedValue)
    assert type(primal_of(made[0])) is Diagonal


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_gradient_is_of_the_same_kind(A):
    """The gradient by a structured array is in its subspace, and is the projection of that by a dense one."""
    x = positive(4)

    def f(A):
        return np.sum(x @ A) + np.sum((A @ x) ** 2) + np.sum(np.linalg.solve(A, x))

    value, gradient = value_and_grad(f)(A)

    dense = grad(f)(A.to_dense())
    np.testing.assert_allclose(np.asarray(gradient), np.asarray(ProjectTo(A)(dense)), rtol=1e-9, atol=1e-12)
    assert value == pytest.approx(f(A.to_dense()))
    assert type(ProjectTo(A)(gradient)) is type(gradient)


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_constant_matrices(A):
    """Operators and functions of a constant matrix and a traced array are called by their rules."""
    x = normal(4)

    def f(x):
        return np.sum((A @ x) * (x @ A) + np.linalg.solve(A, x)) + np.sum((x * A - A / x[0]) @ x)

    dense = A.to_dense()

    def g(x):
        return np.sum((dense @ x) * (x @ dense) + np.linalg.solve(dense, x)) + np.sum(
            (x * dense - dense / x[0]) @ x
        )

    np.testing.assert_allclose(grad(f)(x), grad(g)(x), rtol=1e-9)


def test_zero_gradient():
    """The gradient of a constant is a matrix of zeros."""
    D = Diagonal(normal(3))

    assert grad(lambda D: 1.0)(D) == 0.0 * D


def test_gradients_belong_to_the_caller():
    """They can be written into, and share no memory with the argument or each other."""
    D, E = Diagonal(normal(3)), Diagonal(normal(3, seed=1))

    by_sum = grad(np.sum)(D)
    by_both = grad(lambda D, E: np.sum(D + E), (0, 1))(D, E)

    by_sum.diag[0] = 7.0
    assert not np.may_share_memory(by_both[0].diag, by_both[1].diag)


def test_inside_containers():
    """Containers in arguments may hold structured arrays."""
    parameters = {"D": Diagonal(positive(3)), "b": normal(3)}

    gradient = grad(lambda p: np.sum(p["D"] @ p["b"]))(parameters)

    assert gradient["D"] == Diagonal(parameters["b"])
    np.testing.assert_array_equal(gradient["b"], parameters["D"].diag)


def test_nested_differentiation():
    """Second derivatives by a matrix, and by what it is made of."""
    d, x = positive(3), positive(3, seed=1)

    def along(D):
        return np.sum(grad(lambda D: np.sum(np.log(D @ x)))(D) @ x)

    gradient = grad(along)(Diagonal(d))

    assert type(gradient) is Diagonal
    np.testing.assert_allclose(gradient.diag, -x / d**2)
    triangular = UpperTriangular(normal(3, 3) + 4 * np.eye(3))
    by_triangle = grad(lambda U: np.sum(grad(lambda U: np.linalg.slogdet(U)[1])(U) @ x))(triangular)
    np.testing.assert_allclose(np.asarray(by_triangle), np.diag(-x / triangular.diagonal() ** 2))


@primitive
def sum_array(A):
    """The sum of all elements."""
    return np.sum(A)


@rrule.dispatch
def sum_array_rrule(f: typeof_(sum_array), A: AbstractArray):
    """A rule as one writes it with full arrays in mind."""

    def sum_array_pullback(y_bar):
        return NoTangent(), np.full(A.shape, unthunk(y_bar))

    return sum_array(A), sum_array_pullback


@opt_out(rrule)
def _(f: typeof_(sum_array), A: Diagonal): ...


def test_opted_out_calls_are_traced():
    """The call with a type that opted out is differentiated through its body."""
    D, T = Diagonal(normal(3)), Tridiagonal(normal(2), normal(3), normal(2))

    assert rrule(sum_array, D) is None
    assert call(sum_array, D) == np.sum(D.diag)
    assert grad(sum_array)(D) == Diagonal(np.ones(3))
    # The rule for all arrays returns too much; the gradient is projected in the end.
    assert grad(sum_array)(T) == Tridiagonal(np.ones(2), np.ones(3), np.ones(2))


@dataclass(frozen=True)
class Scaled:
    """An array class of a user's own, which knows nothing of carriers."""

    factor: float
    rows: np.ndarray

    @property
    def shape(self):
        """That of the rows."""
        return self.rows.shape

    @property
    def dtype(self):
        """That of the rows."""
        return self.rows.dtype

    def __array_function__(self, function, types, args, kwargs):
        return NotImplemented

    def __matmul__(self, x):
        return self.factor * (self.rows @ x)


def test_other_array_classes_are_taken_apart():
    """An instance holds traced values; the gradient by it is structural."""
    A, x = Scaled(2.0, normal(3, 3)), normal(3)

    gradient = grad(lambda A: np.sum(A @ x) if isinstance(A, Scaled) else 0.0)(A)

    assert gradient.factor == pytest.approx(np.sum(A.rows @ x))
    np.testing.assert_allclose(gradient.rows, np.broadcast_to(2.0 * x, (3, 3)))


def test_attributes():
    """Shapes and dtypes are the matrix's; fields, and the results of methods, are traced."""
    S = Symmetric(normal(3, 3))
    seen = {}

    def f(S):
        seen.update(shape=S.shape, ndim=S.ndim, size=S.size, dtype=S.dtype, length=len(S), field=type(S.data))
        seen.update(method=type(S.slogdet()[1]))
        with pytest.raises(AttributeError, match="a traced Symmetric has no attribute 'upper'"):
            _ = S.upper
        return np.trace(S.T)

    grad(f)(S)

    assert seen.pop("method") is TracedValue
    field = seen.pop("field")
    assert seen == {"shape": (3, 3), "ndim": 2, "size": 9, "dtype": np.dtype(float), "length": 3}
    assert issubclass(field, TracedValue)


@pytest.mark.parametrize("A", matrices(), ids=name_of)
@pytest.mark.parametrize("f", [np.mean, np.tril, np.triu], ids=lambda f: f.__name__)
def test_general_rules(f, A):
    """Functions with rules for all arrays give gradients that are projected."""
    check_gradient(lambda A: np.sum(f(A) ** 2), A)


def test_multiples_of_the_identity():
    """The number may be traced: operations with it are operations of numbers and arrays."""
    A, x = normal(3, 3) + 3 * np.eye(3), positive(3)
    D = Diagonal(x)

    for f in (
        lambda s: np.sum((s * I) @ x + x @ (I * s) + (I / s) @ x),
        lambda s: np.sum((A + s * I) ** 2 + (s * I - A) ** 2 + (A - UniformScaling(s)) ** 3),
        lambda s: np.sum((D + s * I) ** 2) + np.linalg.slogdet(D + s * I)[1] + np.trace(s * I + A),
        lambda s: np.sum((A @ (s * I)) ** 2) + np.sum(((s * I) @ A) ** 2),
        lambda s: np.sum(np.linalg.solve(s * I, x) + (s * I).inv() @ x) + np.sum(np.linalg.solve(A, s * I)),
        lambda s: np.sum(np.sin(s * I) @ x + (-((s * I) ** 2)).H @ x + (I + I * s).real @ x),
        lambda s: np.sum(UniformScaling(s)(3) ** 2),
    ):
        by_differences = (f(1.7 + 1e-6) - f(1.7 - 1e-6)) / 2e-6
        np.testing.assert_allclose(grad(f)(1.7), by_differences, rtol=1e-8)
        assert grad(grad(f))(1.7) == pytest.approx(
            (grad(f)(1.7 + 1e-6) - grad(f)(1.7 - 1e-6)) / 2e-6, rel=1e-6
        )


@pytest.mark.parametrize("A", [*matrices(), normal(4, 4) + 4 * np.eye(4)], ids=name_of)
def test_multiples_of_the_identity_beside_matrices(A):
    """Constant ones beside traced matrices of every kind."""

    def f(A):
        return np.sum((A + I) ** 2 + (2.0 * I - A) ** 2 + (A @ (3.0 * I)) * ((2.0 * I) @ A)) + np.sum(
            np.linalg.solve(2.0 * I, A) ** 2 - np.linalg.solve(A, 2.0 * I)
        )

    dense = grad(f)(np.asarray(A))
    np.testing.assert_allclose(np.asarray(grad(f)(A)), np.asarray(ProjectTo(A)(dense)), rtol=1e-9, atol=1e-12)


def test_gradients_by_multiples_of_the_identity():
    """They are taken apart, so that their gradient is structural."""
    x = normal(3)

    assert grad(lambda U: np.sum(U @ x))(2.0 * I).factor == pytest.approx(np.sum(x))


def test_memory_is_that_of_the_diagonal():
    """The gradient by a diagonal matrix of a million rows takes memory for its diagonal only."""
    n = 10**6
    d, x = positive(n), positive(n, seed=1)

    np.testing.assert_allclose(grad(lambda d: np.sum(np.log(Diagonal(d) @ x)))(d), 1 / d)
    gradient = grad(lambda D: np.linalg.slogdet(D)[1] + np.sum(D * D + 2.0 * D - D) + np.trace(D))(
        Diagonal(d)
    )
    np.testing.assert_allclose(gradient.diag, 1 / d + 2 * d + 2)
    gradient = grad(lambda D: n * np.mean(np.tril(D) + np.triu(D)) * n + np.trace(D, 1))(Diagonal(d))
    np.testing.assert_allclose(gradient.diag, 2.0)
