"""Second derivatives by products with a vector."""

from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import grad, hessian, hvp
from chainrules_core import DimensionMismatchError, NoTangent, StructuralTangent
from chainrules_core.structured import Diagonal
from chainrules_testutils import jvp as jvp_by_differences
from tests.chainrules.rule_checks import normal, positive


def rosenbrock(x):
    """A valley."""
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


@pytest.mark.parametrize(
    ("f", "x", "v"),
    [
        (rosenbrock, normal(4), normal(4, seed=1)),
        (lambda x: np.sum(np.sin(x) @ np.cos(x).T), normal(2, 3), normal(2, 3, seed=1)),
        (lambda x: x**3, 1.5, 2.0),
        (lambda x: np.sum(x**3) ** 2, np.array(1.5), np.array(2.0)),
        (lambda x: np.linalg.slogdet(np.eye(3) + np.outer(x, x))[1], normal(3), normal(3, seed=1)),
        (lambda z: np.sum(np.abs(z) ** 4), normal(3, dtype=complex), normal(3, dtype=complex, seed=1)),
        (np.sum, normal(3), normal(3, seed=1)),
        (lambda x: 1.0, normal(3), normal(3, seed=1)),
        (lambda x: np.sum(x**2), normal(0), normal(0)),
    ],
)
def test_against_differences_of_gradients(f, x, v):
    """The product with the Hessian has the form of the argument, and agrees with differences."""
    actual = hvp(f, x, v)

    np.testing.assert_allclose(actual, jvp_by_differences(None, grad(f), (x, v)), rtol=1e-8, atol=1e-8)
    assert np.shape(actual) == np.shape(x)


def test_containers():
    """The product is in the containers of the argument."""

    def f(p):
        return np.sum(p["w"] ** 3) * p["b"][0]

    w, v = positive(3), normal(3)

    product = hvp(f, {"w": w, "b": (2.0, "fixed")}, {"w": v, "b": (0.5, "fixed")})

    np.testing.assert_allclose(product["w"], 12 * w * v + 1.5 * w**2)
    assert product["b"] == (pytest.approx(3 * np.sum(w**2 * v)), NoTangent())


@dataclass
class Data:
    """A dataclass."""

    x: object
    scale: float
    name: str = "name"


def test_dataclasses():
    """The product by a dataclass is a `Tangent`, as the gradient is."""
    x, v = positive(3), normal(3)

    product = hvp(lambda d: np.sum(d.x**3) * d.scale**2, Data(x, 2.0), Data(v, 0.5))

    assert isinstance(product, StructuralTangent[Data])
    np.testing.assert_allclose(product.x, 24 * x * v + 6 * x**2)
    assert product.scale == pytest.approx(12 * np.sum(x**2 * v) + np.sum(x**3))
    assert product.name == NoTangent()


def test_structured_arrays():
    """The product by a diagonal matrix is one."""
    d, v, x = positive(3), normal(3), normal(3)

    product = hvp(lambda D: np.sum((D @ x) ** 3), Diagonal(d), Diagonal(v))

    np.testing.assert_allclose(np.diagonal(np.asarray(product)), 6 * d * x**3 * v)


def test_precision_is_kept():
    """The product with the Hessian of a float32 argument is float32."""
    x = normal(3, dtype=np.float32)

    assert hvp(lambda x: np.sum(x**3), x, x).dtype == np.float32


def test_agrees_with_the_matrix():
    """The product with the Hessian equals the product with the matrix that `hessian` makes."""
    x, v = normal(4), normal(4, seed=1)

    np.testing.assert_allclose(hvp(rosenbrock, x, v), hessian(rosenbrock)(x) @ v)


def test_inside_a_differentiation():
    """The gradient of a curvature, a third derivative, is right."""

    def curvature(x, v):
        return np.sum(hvp(rosenbrock, x, v) * v)

    x, v = normal(3), normal(3, seed=1)

    np.testing.assert_allclose(
        grad(curvature)(x, v) @ v, jvp_by_differences(None, lambda x: curvature(x, v), (x, v)), rtol=1e-7
    )
    np.testing.assert_allclose(grad(curvature, 1)(x, v), 2 * hvp(rosenbrock, x, v))


def test_errors():
    """The errors are the same as for `grad` and `jvp`."""
    with pytest.raises(TypeError, match="needs one number as its result"):
        hvp(np.sin, normal(3), normal(3))
    with pytest.raises(DimensionMismatchError, match=r"shape \(2,\)"):
        hvp(rosenbrock, normal(3), normal(2))
    with pytest.raises(TypeError, match="pass a float"):
        hvp(lambda x: 1.0 * x, 3, 1.0)


def test_hessian_where_reverse_is_nan():
    """Columns that are NaN in reverse are taken forwards: here those of a matrix with equal eigenvalues."""

    def f(p):
        return np.sum(np.exp(p["s"] * np.linalg.eigvalsh(p["A"]))) + p["s"] ** 3 + np.sum(p["empty"])

    w = np.array([1.0, 1.0, 2.0])
    H = hessian(f)({"A": np.diag(w), "s": 2.0, "empty": np.zeros(0)})

    # Of the matrix [[1, t], [t, 1]] it is 2 exp(2) cosh(2 t).
    assert H["A"]["A"][1, 0, 1, 0] == pytest.approx(8.0 * np.exp(2.0))
    np.testing.assert_allclose(H["A"]["s"], np.diag(np.exp(2.0 * w) * (1.0 + 2.0 * w)), atol=1e-13)
    np.testing.assert_allclose(H["s"]["A"], H["A"]["s"])
    assert H["s"]["s"] == pytest.approx(np.sum(w**2 * np.exp(2.0 * w)) + 12.0)
    assert np.shape(H["empty"]["A"]) == (0, 3, 3)


def test_hessian_that_is_nan():
    """It stays NaN where a function that draws numbers cannot be called again, or if the gradient is NaN."""
    draws = iter([2.0, 3.0, 4.0])
    assert np.isnan(hessian(lambda A: np.sum(np.exp(np.linalg.eigvalsh(A))) * next(draws))(np.eye(2))).any()
    assert np.isnan(hessian(lambda x: np.sum(x * x) * np.nan)(np.zeros(2))).any()
