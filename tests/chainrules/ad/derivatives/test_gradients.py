"""`grad` and `value_and_grad`: what they take and give, against finite differences."""

import functools

import numpy as np
import pytest

from chainrules.ad import grad, value_and_grad
from chainrules_core import NoTangent, StructuralTangent, Tangent, primal_of, primitive, rrule, typeof_
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.ad.models import Layer, Model
from tests.chainrules.rule_checks import normal


def assert_gradient(f, *args):
    """The gradient by every argument agrees with finite differences."""
    actual = grad(f, tuple(range(len(args))))(*args)
    for x_bar, expected in zip(actual, grad_by_differences(None, f, *args), strict=True):
        np.testing.assert_allclose(x_bar, expected, rtol=1e-8, atol=1e-9)


# --- Programs --------------------------------------------------------------------------------------


def mean_squared_error(W, b, x, target):
    """A layer of a network and its loss."""
    return np.mean((np.tanh(x @ W + b) - target) ** 2)


def test_program_of_arrays():
    """The gradient of a program of products, broadcasting, elementwise functions and reductions is right."""
    assert_gradient(mean_squared_error, normal(3, 2), normal(2), normal(4, 3), normal(4, 2, seed=1))


def test_program_with_loops_and_branches():
    """Python's control flow follows the values."""

    def f(x):
        total = 0.0
        for i, item in enumerate(x):
            total = total + (item * item if item > 0 else np.sin(item) * i)
        while total < 10.0:
            total = 0.5 * total * total + 1.0
        return total

    assert_gradient(f, normal(5))


def test_program_on_a_number():
    """A Python float stays one."""

    def f(x):
        return (x * x + 3.0 / x - 2.0 * np.exp(-x)) ** 1.5

    assert_gradient(f, 1.25)
    assert isinstance(grad(f)(1.25), float)


def test_example_of_the_julia_documentation():
    """The example of ChainRules' front page, with a square in place of asin, has its derivative."""
    assert_gradient(lambda x: (0.2 + np.sin(x)) ** 2, 3.0)


@pytest.mark.parametrize("times", [2, 3, 1000])
def test_one_value_used_many_times(times):
    """The cotangents of all uses are added, and none is written into that somebody else holds."""
    x = normal(3)

    def f(x):
        y = x + x  # the rule gives the same array to both
        for _ in range(times):
            y = y + x
        return np.sum(y * y) + np.sum(x)

    assert_gradient(f, x)


def test_views_of_one_value():
    """Reshaped, transposed and broadcast views have cotangents that are views."""

    def f(x):
        a, b, c = x.reshape(2, 3), x.reshape(3, 2).T, np.broadcast_to(x, (2, 6))
        return np.sum(a * b) + np.sum(a + b) + np.sum(c) + np.sum(x)

    assert_gradient(f, normal(6))


# --- argnums ---------------------------------------------------------------------------------------


def weighted(x, y, scale=1.0):
    """A function that tells its arguments apart."""
    return scale * np.sum(x * x * y)


def test_argnums():
    """The gradient is by the arguments that are named, from the front or the back; a tuple for a tuple."""
    x, y = normal(3), normal(3, seed=1)
    x_bar, y_bar = grad_by_differences(None, weighted, x, y)

    np.testing.assert_allclose(grad(weighted)(x, y), x_bar)
    np.testing.assert_allclose(grad(weighted, 1)(x, y), y_bar)
    np.testing.assert_allclose(grad(weighted, -1)(x, y), y_bar)
    for argnums in [(1, 0), [1, 0], (-1, 0)]:
        gradients = grad(weighted, argnums)(x, y)
        assert isinstance(gradients, tuple)
        np.testing.assert_allclose(gradients, (y_bar, x_bar))
    assert len(grad(weighted, (0,))(x, y)) == 1
    assert grad(weighted, ())(x, y) == ()


def test_keyword_arguments_pass_through():
    """Keyword arguments reach the function, and are not differentiated."""
    x, y = normal(3), normal(3, seed=1)

    np.testing.assert_allclose(grad(weighted)(x, y, scale=3.0), 3.0 * grad(weighted)(x, y))


def test_value_and_grad():
    """The value is the function's, an ordinary number."""
    value, x_bar = value_and_grad(weighted)(normal(3), normal(3))

    assert type(value) is type(weighted(normal(3), normal(3)))
    assert value == weighted(normal(3), normal(3))
    np.testing.assert_allclose(x_bar, grad(weighted)(normal(3), normal(3)))


def test_has_aux():
    """What is returned beside the value comes back as it is, with nothing traced in it."""

    def f(x):
        y = x * x
        return np.sum(y), {"squares": y, "name": "f"}

    (value, aux), x_bar = value_and_grad(f, has_aux=True)(normal(3))

    assert value == np.sum(normal(3) ** 2)
    assert type(aux["squares"]) is np.ndarray
    assert aux["name"] == "f"
    np.testing.assert_allclose(x_bar, 2 * normal(3))


def test_name_and_documentation_are_kept():
    """The gradient of a function looks like the function, and anything callable has one."""
    assert grad(weighted).__name__ == "weighted"
    assert grad(functools.partial(weighted, scale=2.0))(1.0, 1.0) == 4.0


# --- What comes back -------------------------------------------------------------------------------


def test_independent_arguments_have_zero_gradients():
    """Where the result does not depend on an argument, the gradient is zero in its shape and precision."""
    gradients = grad(lambda *xs: 1.0, (0, 1, 2, 3))(1.5, normal(2, 3), normal(2, dtype=np.float32), 1j)

    assert gradients[0] == 0.0
    np.testing.assert_array_equal(gradients[1], np.zeros((2, 3)))
    assert gradients[2].dtype == np.float32
    assert gradients[3] == 0j


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.complex64, np.float64])
def test_precision_is_kept(dtype):
    """A gradient has the dtype of its argument, whatever the program mixes in."""
    x, gradients = normal(3, dtype=dtype), []

    gradients.append(grad(lambda x: np.real(np.sum(x * x)))(x))
    gradients.append(grad(lambda x: np.real(np.mean(x * normal(3))))(x))
    gradients.append(grad(lambda x: np.real(x[0] * 2.0))(x))
    gradients.append(grad(np.real)(x[0]))

    assert {g.dtype for g in gradients} == {np.dtype(dtype)}


def test_arrays_without_axes_and_numbers():
    """The gradient by an array without axes is one, by NumPy's float NumPy's."""
    assert grad(lambda x: x * x)(np.array(1.5)).shape == ()
    assert isinstance(grad(lambda x: x * x)(np.float64(1.5)), np.float64)
    assert grad(np.sum)(normal(0)).shape == (0,)


def test_complex_argument_of_a_real_function():
    """The gradient by ``z = x + iy`` is ``∂f/∂x + i ∂f/∂y``."""

    def f(z):
        return np.real(z * np.conj(z)) + np.real(z * z * (1 - 2j)) + np.imag(np.exp(z))

    assert_gradient(f, 1 + 2j)
    assert_gradient(lambda z: np.sum(f(z)), normal(3, dtype=complex))
    assert grad(lambda z: np.real(z * np.conj(z)))(1 + 2j) == 2 + 4j


def test_real_argument_by_way_of_complex_numbers():
    """The gradient by a real argument is real."""
    assert_gradient(lambda x: np.real(np.exp(1j * x) * (2 + 1j)), 0.7)


def test_gradients_belong_to_the_caller():
    """They can be written into, and share no memory with each other or with the arguments."""
    x, y = normal(3), normal(3, seed=1)

    gradients = [
        *grad(lambda x, y: np.sum(x + y), (0, 1))(x, y),
        *grad(lambda x, y: np.sum((x + y).reshape(3, 1) * np.ones(2)), (0, 1))(x, y),
        grad(np.sum)(x),
        grad(lambda x: np.sum(x * y))(x),
    ]

    for i, gradient in enumerate(gradients):
        np.add(gradient, 1.0, out=gradient)
        assert not any(np.shares_memory(gradient, other) for other in [x, y, *gradients[:i]])


# --- Containers ------------------------------------------------------------------------------------


def test_gradient_by_containers():
    """The gradient by tuples, lists, dicts and NamedTuples is such a container, nested as the argument is."""
    parameters = {"layers": [Layer(normal(3), 0.5)], "pair": (2.0, "fixed"), "none": []}

    def f(p):
        layer = p["layers"][0]
        return np.sum(layer.weights * layer.bias) * p["pair"][0]

    gradient = grad(f)(parameters)

    assert list(gradient) == ["layers", "pair", "none"]
    assert type(gradient["layers"][0]) is Layer
    np.testing.assert_allclose(gradient["layers"][0].weights, [1.0] * 3)
    assert gradient["layers"][0].bias == pytest.approx(2.0 * normal(3).sum())
    assert gradient["pair"] == (pytest.approx(0.5 * normal(3).sum()), NoTangent())
    assert gradient["none"] == []


def test_gradient_by_a_dataclass():
    """The gradient by a dataclass is its tangent; what has no derivative in it has none."""
    model = Model(Layer(normal(3), 0.5), 2.0)

    gradient = grad(lambda m: np.sum(m.layer.weights) * m.scale)(model)

    assert isinstance(gradient, StructuralTangent[Model])
    assert gradient.scale == pytest.approx(normal(3).sum())
    np.testing.assert_allclose(gradient.layer.weights, [2.0] * 3)
    assert gradient.layer.bias == 0.0
    assert gradient.name is NoTangent()


def test_gradient_by_a_container_that_is_not_used():
    """A container that is not used has a gradient of zeros."""
    gradient = grad(lambda p: 1.0)([normal(2), {"a": 1.5}])

    np.testing.assert_array_equal(gradient[0], np.zeros(2))
    assert gradient[1] == {"a": 0.0}
    assert grad(lambda p, x: x * x, (0, 1))({}, 3.0) == ({}, 6.0)


def test_one_array_in_two_places():
    """Each place of a container has its own gradient."""
    x = normal(3)

    first, second = grad(lambda pair: np.sum(pair[0] * pair[0] + 3.0 * pair[1]))((x, x))

    np.testing.assert_allclose(first, 2 * x)
    np.testing.assert_allclose(second, np.full(3, 3.0))


# --- Nesting ---------------------------------------------------------------------------------------


def test_higher_derivatives():
    """Gradients of gradients, to the fourth, are right."""
    derivative = lambda x: np.sin(x) * x  # noqa: E731 - replaced in the loop
    for _ in range(4):
        expected = grad_by_differences(None, derivative, 0.7)[0]
        derivative = grad(derivative)
        assert derivative(0.7) == pytest.approx(expected, rel=1e-8)


def test_hessian_vector_product():
    """The gradient of a directional derivative equals the Hessian times the direction."""
    x, v = normal(4), normal(4, seed=1)

    def rosenbrock(x):
        return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)

    def slope(x):
        return np.sum(grad(rosenbrock)(x) * v)

    np.testing.assert_allclose(grad(slope)(x), grad_by_differences(None, slope, x)[0], rtol=1e-7)


def test_gradient_of_an_outer_variable_inside():
    """A closure over a traced value is differentiated by it where that is asked for."""

    def f(a):
        inner = grad(lambda x: np.sum(a * x**3))(np.array([1.0, 2.0]))
        return np.sum(inner * a)

    assert_gradient(f, 1.5)
    assert_gradient(lambda a: f(np.sum(a)), normal(2))


def test_values_of_an_inner_gradient_are_traced_outside():
    """Inside an outer differentiation the results of an inner one are traced values of it."""
    seen = []

    def f(x):
        value, gradient = value_and_grad(lambda y: x * y * y)(2.0)
        seen.append((primal_of(value), primal_of(gradient)))
        return value + gradient

    assert grad(f)(3.0) == 8.0
    assert seen == [(12.0, 12.0)]


def test_gradients_of_callable_objects_and_methods():
    """Anything that can be called has a gradient, by its arguments."""

    class Scale:
        def __init__(self, factor):
            self.factor = factor

        def __call__(self, x):
            return self.factor * np.sum(x * x)

        def half(self, x):
            return 0.5 * self(x)

    scale = Scale(3.0)

    assert_gradient(scale, normal(3))
    assert_gradient(scale.half, normal(3))
    assert grad(lambda a: Scale(a)(np.ones(2)))(1.0) == 2.0


def test_functions_as_arguments_are_not_differentiated_unless_asked():
    """They are passed on; `argnums` chooses them, and then what they hold is differentiated by."""
    slope = 3.0

    def line(x):
        return slope * x

    def apply(f, x):
        return f(x)

    assert grad(apply, 1)(line, 2.0) == 3.0
    assert grad(apply)(line, 2.0) == Tangent[type(line)](slope=2.0)


@pytest.mark.parametrize("differentiate", [grad, value_and_grad])
@pytest.mark.parametrize(
    ("f", "argnums"), [(2.0, 0), (2.0, (0,)), (abs, "x"), (abs, 1.0), (abs, True), (abs, np.ones(2))]
)
def test_what_is_no_function_or_no_position(differentiate, f, argnums):
    """It is refused when the derivative is made, and an argument without numbers before the call."""
    with pytest.raises(TypeError, match=r"f is a float, not a function|positions"):
        differentiate(f, argnums)
    with pytest.raises(TypeError, match="no real or complex number"):
        differentiate(lambda x: pytest.fail("it was called"))("text")


@pytest.mark.parametrize(
    "x", [2.0, np.float64(2.0), np.float32(2.0), np.float16(2.0), np.array(2.0), np.array(2.0, np.float32)]
)
def test_the_cotangent_of_the_result(x):
    """It is one, of the type and precision of the result."""
    found, f = [], primitive(lambda x: x)

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: object):
        return x, lambda y_bar: (NoTangent(), found.append(y_bar) or y_bar)

    assert grad(f)(x) == found[0] == 1.0
    assert (type(found[0]), np.result_type(found[0])) == (type(x), np.result_type(x))


@pytest.mark.parametrize("make", [grad, value_and_grad])
def test_each_is_itself_alone(make):
    """What is made of a function equals nothing else, can be a key, and shows the function."""
    derived = make(abs)
    assert {derived: 1}[derived] == 1
    assert derived != make(abs)
    assert repr(derived) == f"<{derived.unnamed} of {derived.f!r}>"
