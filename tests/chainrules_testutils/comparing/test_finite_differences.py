"""Finite differences agree with derivatives that are known, to nine digits and more."""

import functools

import fdm
import numpy as np
import pytest

from chainrules_core import DimensionMismatchError, Tangent
from chainrules_testutils import grad, j_prime_vp, jacobian, jvp
from chainrules_testutils.comparing.finite_differences import (
    default_method,
    fixed_step,
    j_prime_vp_vec,
    of_linear,
)
from tests.chainrules_testutils.rules_under_test import Foo, foo_mul, scaled_by

RNG = np.random.default_rng(0)
A = RNG.normal(size=(2, 3))

KNOWN = {
    "sin": (np.sin, np.cos),
    "exp": (np.exp, np.exp),
    "log": (np.log, lambda x: 1 / x),
    "sqrt": (np.sqrt, lambda x: 0.5 / np.sqrt(x)),
    "cube": (lambda x: x**3, lambda x: 3 * x**2),
    "reciprocal": (lambda x: 1 / x, lambda x: -1 / x**2),
    "wave": (lambda x: np.sin(10 * x), lambda x: 10 * np.cos(10 * x)),
    "large": (lambda x: 1000 * np.cos(x), lambda x: -1000 * np.sin(x)),
    "small": (lambda x: 1e-3 * np.cos(x), lambda x: -1e-3 * np.sin(x)),
    "constant": (lambda x: 0 * x + 2.0, lambda _: 0.0),
    "linear": (lambda x: 3 * x, lambda _: 3.0),
    "bell": (lambda x: np.exp(-(x**2)), lambda x: -2 * x * np.exp(-(x**2))),
}


@pytest.mark.parametrize(("f", "derivative"), KNOWN.values(), ids=KNOWN)
def test_accuracy(f, derivative):
    """The default method is a hundred times as accurate as the testers' tolerance of 1e-9 needs."""
    for x in RNG.uniform(0.3, 4.0, 50):
        (difference,) = grad(None, f, float(x))
        assert abs(difference - derivative(x)) <= 1e-11 * max(1.0, abs(derivative(x)))


@pytest.mark.parametrize(("dtype", "atol"), [(np.float64, 1e-11), (np.float32, 1e-4)])
def test_a_fixed_step(dtype, atol):
    """It is as good for functions of scale one, however long the direction is."""
    x, x_dot = np.linspace(0.5, 2.0, 50, dtype=dtype), np.full(50, 9.0, dtype)
    actual = jvp(fixed_step, lambda x: np.sin(x).astype(dtype), (x, x_dot))

    np.testing.assert_allclose(actual, 9.0 * np.cos(x), rtol=0.0, atol=9.0 * atol)


def test_linear_functions():
    """One difference is the derivative, up to rounding; one that is not linear has another."""
    x = np.array([1.0, -2.0, 0.5])
    calls = []

    def affine(x, y):
        calls.append(None)
        return A @ x * y + 1.0

    y_bar, mask = np.array([2.0, 3.0]), [True, True, True, False]
    gradient = j_prime_vp_vec(None, affine, (x, 2.0), y_bar, mask, linear=mask)
    np.testing.assert_allclose(gradient, [*(2.0 * y_bar @ A), 0.0], rtol=1e-14)
    assert len(calls) <= 3 + 2
    assert jvp(of_linear, np.square, (1.0, 1.0)) == 3.0


def test_elements_of_different_scales():
    """One step serves a whole output, whose elements may be of different size."""
    (columns,) = jacobian(None, lambda x: np.array([1e3 * np.sin(x), np.sin(x)]), 1.0)

    assert np.allclose(columns[:, 0], [1e3 * np.cos(1.0), np.cos(1.0)], rtol=1e-10, atol=1e-10)


def test_jacobian():
    """The Jacobian is one matrix for each argument, of outputs by inputs."""
    by_x, by_y = jacobian(None, lambda x, y: A @ x + y, np.ones(3), np.ones(2))

    assert np.allclose(by_x, A, rtol=0, atol=1e-11)
    assert np.allclose(by_y, np.eye(2), rtol=0, atol=1e-11)


def test_complex_numbers_are_two_real_ones():
    """The Jacobian of a product of complex numbers is that of R²."""
    by_a, by_b = jacobian(None, lambda a, b: a * b, 1 + 2j, 3 + 4j)

    assert np.allclose(by_a, [[3, -4], [4, 3]], atol=1e-11)
    assert np.allclose(by_b, [[1, -2], [2, 1]], atol=1e-11)
    assert np.allclose(grad(None, lambda z: abs(z) ** 2, 1 + 2j)[0], 2 + 4j, atol=1e-11)


def test_long_directions():
    """A step along one stays where the function is defined."""
    assert jvp(None, np.sqrt, (0.25, -1024.0)) == pytest.approx(-1024.0, rel=1e-9)


def test_jvp_and_j_prime_vp_are_adjoint():
    """The forward and the backward derivative have the same inner products, and are those of the Jacobian."""
    x, x_dot, y_bar = RNG.normal(size=3), RNG.normal(size=3), RNG.normal(size=2)
    y_dot = jvp(None, lambda x: np.sin(A @ x), (x, x_dot))
    (x_bar,) = j_prime_vp(None, lambda x: np.sin(A @ x), y_bar, x)

    assert np.allclose(y_dot, np.cos(A @ x) * (A @ x_dot), rtol=0, atol=1e-11)
    assert np.isclose(y_bar @ y_dot, x_bar @ x_dot, rtol=1e-11)


def test_structures():
    """Arguments and results may be structures; derivatives come back in them."""
    foo, b = Foo(A, 2.0), np.ones((3, 1))
    foo_bar, b_bar = j_prime_vp(None, foo_mul, np.ones((2, 1)), foo, b)
    y_dot = jvp(None, lambda x: {"y": (x, 2 * x)}, (1.0, 5.0))

    assert np.allclose(foo_bar.A, np.ones((2, 3)), atol=1e-11)
    assert foo_bar.c == 0.0
    assert np.allclose(b_bar, A.sum(axis=0)[:, None], atol=1e-11)
    assert np.allclose(y_dot["y"], (5.0, 10.0), atol=1e-11)


def test_structural_tangents():
    """A tangent may leave fields out; those do not move."""
    y_dot = jvp(None, lambda foo: foo.A.sum() * foo.c, (Foo(A, 2.0), Tangent[Foo](c=1.0)))

    assert np.isclose(y_dot, A.sum(), rtol=1e-11)


def test_closures():
    """A closure is an argument like any other."""
    f_bar, x_bar = grad(None, lambda f, x: f(x), scaled_by(3.0), 2.0)

    assert np.isclose(f_bar.__closure__[0].cell_contents, 2.0, rtol=1e-11)
    assert np.isclose(x_bar, 3.0, rtol=1e-11)


def test_several_arguments_of_grad():
    """One gradient for each argument, scalars beside matrices, integers as the numbers that they are."""
    a_bar, b_bar, n_bar = grad(None, lambda a, b, n: a * b.sum() + n**2, 2.0, A, 3)

    assert np.isclose(a_bar, A.sum(), rtol=1e-11)
    assert np.allclose(b_bar, 2.0, rtol=1e-11)
    assert np.isclose(n_bar, 6.0, rtol=1e-11)


@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_single_precision_is_widened(dtype):
    """Where the function takes double precision, differences are taken in it."""
    x = np.array([1.5, 0.5], dtype=dtype)
    (x_bar,) = grad(None, lambda x: (np.abs(x) ** 2).sum(), x)

    assert np.allclose(x_bar, 2 * x, rtol=1e-11)
    assert x_bar.dtype in (np.float64, np.complex128)


def test_functions_of_single_precision():
    """A function that computes in single precision gets larger steps, and four digits."""

    def only_single(x):
        if x.dtype != np.float32:
            raise TypeError("only float32")
        return np.sin(x)

    x = np.float32([0.5, 1.0])
    (x_bar,) = j_prime_vp(None, only_single, np.float32([1, 1]), x)
    assert np.allclose(x_bar, np.cos(x), rtol=1e-4, atol=1e-4)
    (x_bar,) = j_prime_vp(None, lambda x: np.sin(x.astype(np.float32)), np.float32([1, 1]), x)
    assert np.allclose(x_bar, np.cos(x), rtol=1e-4, atol=1e-4)


def test_nothing_to_differentiate():
    """Empty arguments and empty results have empty Jacobians."""
    assert jacobian(None, lambda x: x.sum(), np.ones(0))[0].shape == (1, 0)
    assert jacobian(None, lambda _: "text", np.ones(2))[0].shape == (0, 2)
    assert jacobian(None, lambda: 1.0) == ()
    assert jvp(None, lambda x: x, ("text", None)) == "text"


def test_arguments_are_not_written_into():
    """A function that writes into its argument, or returns it, does so with one of its own."""
    x = np.ones(2)

    def doubles_in_place(x):
        x *= 2
        return x

    assert np.allclose(jacobian(None, doubles_in_place, x)[0], 2 * np.eye(2), atol=1e-11)
    assert x.tolist() == [1.0, 1.0]


def test_arguments_are_not_written_into_by_failing_functions():
    """That holds where the function raises, too."""
    x = np.ones(2)

    def fails(x):
        x *= 2
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        jacobian(None, fails, x)
    assert x.tolist() == [1.0, 1.0]


def test_changing_sizes_are_refused():
    """An output that has more numbers elsewhere has no derivative."""
    with pytest.raises(
        DimensionMismatchError, match="the output has 1 real numbers, but 2 where the arguments move by"
    ):
        grad(None, lambda x: 1.0 if x <= 1.0 else (1.0, 2.0), 1.0)


def test_misfits_are_refused():
    """Cotangents and tangents have to fit, and a gradient needs one number."""
    with pytest.raises(DimensionMismatchError, match="cannot have as its tangent"):
        j_prime_vp(None, np.sin, np.ones(3), np.ones(2))
    with pytest.raises(DimensionMismatchError, match="cannot have as its tangent"):
        jvp(None, np.sin, (np.ones(2), np.ones(3)))
    with pytest.raises(DimensionMismatchError, match="the output has 2 real numbers, a gradient needs one"):
        grad(None, np.sin, np.ones(2))


def test_methods_of_fdm_are_used():
    """The method is the caller's, and its object is left as it was."""
    method = fdm.forward_fdm(3, 1)
    seen = []

    def spied(x):
        seen.append(x)
        return x**2

    (x_bar,) = grad(method, spied, 2.0)
    assert np.isclose(x_bar, 4.0, rtol=1e-6)
    assert min(seen) == 2.0
    assert method.step is None


def test_any_callable_is_a_method():
    """A method may be any function of a function and a point, so that its options can be fixed."""
    near = functools.partial(fdm.central_fdm(5, 1), max_range=1e-4)
    seen = []

    def spied(x):
        seen.append(x)
        return np.log(x)

    assert np.isclose(grad(near, spied, 1e-3)[0], 1e3, rtol=1e-8)
    assert min(seen) > 0.0


def test_masked_coordinates_cost_nothing():
    """Coordinates that are not asked for are not moved."""
    seen = []

    def spied(x):
        seen.append(x.copy())
        return np.array([x.sum(), 2 * x.sum()])

    x_bar = j_prime_vp_vec(None, spied, (np.zeros(3),), np.array([3.0, 4.0]), np.array([False, True, False]))
    assert x_bar.shape == (3,)
    assert np.allclose(x_bar, [0, 11, 0], atol=1e-11)
    assert not np.any(np.array(seen)[:, [0, 2]])
    assert len(seen) < 16


def test_the_value_is_computed_once():
    """A method that asks for it does not have it computed again."""
    seen = []

    def spied(x):
        seen.append(x)
        return x * x

    (slope,) = grad(lambda f, t: (f(t + 1e-6) - f(t)) / 1e-6, spied, 3.0)
    assert slope == pytest.approx(6.0, rel=1e-5)
    assert seen.count(3.0) == 1


def test_default_method():
    """A stencil of five points around the argument."""
    assert default_method().grid.tolist() == [-2, -1, 0, 1, 2]


@pytest.mark.parametrize(("dtype", "farthest"), [(np.float64, 1e-2), (np.float32, 1e-1)])
def test_how_far_a_function_is_asked(dtype, farthest):
    """A hundredth in double precision, a tenth in single: beyond that it may not be defined."""
    told = []

    class Method:
        """One of fdm's, which takes the bound."""

        bound_estimator = None

        def __call__(self, f, t, max_range):
            told.append(max_range)
            return (f(t + max_range) - f(t - max_range)) / (2 * max_range)

    (slope,) = grad(Method(), lambda x: dtype(2.0 * float(x)), 1.0)

    assert slope == pytest.approx(2.0, rel=1e-5)  # float32 has seven digits
    assert told == [farthest]
