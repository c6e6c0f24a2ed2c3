"""Functions over NumPy that autograd differentiates."""

import functools
import threading
from collections import deque
from dataclasses import dataclass

import numpy as np
import pytest

pytest.importorskip("autograd")

import autograd
import autograd.builtins
import autograd.numpy as anp
import scipy.linalg
import scipy.sparse
import scipy.special
from autograd.test_util import check_grads

from chainrules.adapters import AdapterError
from chainrules.adapters.autograd import to_autograd
from chainrules_core import (
    DerivativeNotImplementedError,
    NoTangent,
    not_implemented,
    primitive,
    rrule,
    thunk,
    typeof_,
)

rng = np.random.default_rng(0)
A = rng.normal(size=(3, 3)) + 4 * np.eye(3)
b, c = rng.normal(size=(2, 3))
z = b + 1j * c

check_to_order_3 = functools.partial(check_grads, modes=["fwd", "rev"], order=3)
check_to_order_2 = functools.partial(check_grads, modes=["fwd", "rev"], order=2)


@dataclass
class Layer:
    """A dataclass that autograd knows nothing of."""

    weights: object
    offset: object
    name: str = "layer"


class Model:
    """A callable object with parameters."""

    def __init__(self, weights):
        self.weights = weights

    def __call__(self, x):
        """The product."""
        return np.tanh(self.weights @ x)

    def shifted(self, x):
        """A bound method."""
        return self.weights @ x + 1.0


def relaxed(x, steps=4):
    """A program with a loop, a branch, an array that is filled, and SciPy."""
    y = np.zeros(3)
    for step in range(steps):
        y[step % 3] = np.sin(x[step % 3]) * (step + 1.0)
    if y[0] > 0:
        y = y**2
    return scipy.linalg.solve(np.eye(3) * 2.0 + np.outer(y, y), x) + scipy.special.expit(y)


def named(d, x, *, scale=1.0):
    """Containers in and out."""
    return {"y": np.sin(d["w"]) * scale * x, "rest": [3, "text", None, d["w"][0] * x[1]]}


@pytest.mark.parametrize(
    ("f", "args"),
    [
        pytest.param(np.multiply, (A, b), id="broadcasting"),
        pytest.param(np.linalg.solve, (A, b), id="solve"),
        pytest.param(scipy.special.gammaln, (3.0,), id="a number"),
        pytest.param(scipy.special.gammaln, (np.array(3.0),), id="no axes"),
        pytest.param(relaxed, (b,), id="a program"),
        pytest.param(lambda x: x[::-1], (b,), id="a view"),
        pytest.param(lambda x: x, (b,), id="the argument itself"),
        pytest.param(lambda x, y: x, (b, c), id="an argument without effect"),
        pytest.param(np.sum, (np.ones((0, 3)),), id="empty"),
        pytest.param(np.linalg.det, (A.T,), id="not contiguous"),
        pytest.param(lambda z: np.conj(z) * np.abs(z), (z,), id="complex"),
        pytest.param(lambda x, z: x * z, (b, z), id="real and complex"),
    ],
)
def test_both_modes_to_the_third_order(f, args):
    """Forward, reverse and all mixtures of both agree with differences."""
    check_to_order_3(to_autograd(f))(*args)


def test_several_results():
    """Each result is a box of its own, in the container of the function."""
    eigh = to_autograd(np.linalg.eigh)

    def f(A):
        found = eigh(A + A.T)
        assert type(found).__name__ == "EighResult"
        values, vectors = found
        assert values is found.eigenvalues
        return anp.sum(values**2 * b) + anp.sum(anp.abs(vectors) * A)

    check_to_order_2(f)(A)


def test_boxes_in_containers_and_keywords():
    """Boxes are found in a dict and by keyword, and results come in the containers of the function."""
    adapted = to_autograd(named)

    def f(w, x, scale):
        found = adapted({"w": w}, x=x, scale=scale)
        assert found["rest"][:3] == [3, "text", None]
        return anp.sum(found["y"]) ** 2 * found["rest"][3]

    check_to_order_2(f)(b, c, 2.0)


@pytest.mark.parametrize(
    "call",
    [
        lambda w, x: to_autograd(lambda layer, x: layer.weights * x + layer.offset)(Layer(w, x), x),
        lambda w, x: to_autograd(Model(w))(x),
        lambda w, x: to_autograd(Model(w).shifted)(x),
        lambda w, x: to_autograd(lambda x: w * x)(x),
        lambda w, x: to_autograd(functools.partial(np.multiply, w))(x),
        lambda w, x: to_autograd(functools.partial(named, {"w": w[0]}, scale=x[0]))(x)["y"],
        lambda w, x: to_autograd(lambda x, *, w: w * x)(x, w=w),
        lambda w, x: to_autograd(lambda x, **rest: rest["w"] * x)(x, w=w),
        lambda w, x: to_autograd(lambda *xs: xs[0][0] * xs[1])((w, 2.0), x),
    ],
)
def test_boxes_in_objects_and_functions(call):
    """Boxes are found in dataclasses, objects, closures, partials, methods and keyword-only arguments."""
    check_to_order_2(lambda w, x: anp.sum(call(w, x) ** 2))(A, b)


@pytest.mark.parametrize("hide", [lambda box: deque([box]), lambda box: {box}, lambda box: iter([box])])
def test_a_hidden_box_is_refused(hide):
    """A box where it is not found is an error, and no wrong gradient."""
    adapted = to_autograd(sum)

    with pytest.raises(AdapterError, match=r"held by|iterator|generator"):
        autograd.grad(lambda x: adapted(hide(x)))(2.0)


def test_containers_that_are_boxed_whole():
    """A dict, list or tuple in one box is unpacked, and its gradient has the same form."""
    parameters = {"w": b, "more": [c, (2.0, A)]}
    adapted = to_autograd(lambda p: np.sum(p["w"] * p["more"][0]) * p["more"][1][0] + p["more"][1][1][0, 0])

    def by_autograd(p):
        return anp.sum(p["w"] * p["more"][0]) * p["more"][1][0] + p["more"][1][1][0, 0]

    actual, expected = autograd.grad(adapted)(parameters), autograd.grad(by_autograd)(parameters)

    np.testing.assert_allclose(actual["w"], expected["w"])
    np.testing.assert_allclose(actual["more"][0], expected["more"][0])
    np.testing.assert_allclose(actual["more"][1][1], expected["more"][1][1])
    assert actual["more"][1][0] == pytest.approx(expected["more"][1][0])


def test_boxed_parameters_of_an_object_to_the_second_order():
    """A callable object holds a dict that autograd boxed, and boxed again for the second derivative."""

    class Net:
        def __init__(self, parameters):
            self.parameters = parameters

        def __call__(self, x):
            return np.sum(np.tanh(self.parameters["w"] * x) * self.parameters["rest"][0])

    def loss(p):
        return to_autograd(Net(p))(c)

    def size_of_gradient(p):
        gradient = autograd.grad(loss)(p)
        return anp.sum(gradient["w"] ** 2) * gradient["rest"][0]

    check_grads(size_of_gradient, modes=["rev"], order=1)({"w": b, "rest": [1.5]})


def test_named_results_in_a_box():
    """A named tuple that autograd boxed is one again."""
    adapted = to_autograd(lambda found: np.sum(found.eigenvalues * b))

    check_grads(lambda A: adapted(anp.linalg.eigh(A + A.T)), modes=["rev"], order=1)(A)


def test_several_results_differentiated_as_one():
    """In a tuple of autograd's, several results are one result."""
    adapted = to_autograd(lambda x: (np.sin(x), np.sum(x**2)))
    by_autograd = lambda x: autograd.builtins.tuple((anp.sin(x), anp.sum(x**2)))  # noqa: E731 - a twin

    pullback, _ = autograd.make_vjp(lambda x: autograd.builtins.tuple(adapted(x)))(b)

    np.testing.assert_allclose(pullback((c, 2.0)), autograd.make_vjp(by_autograd)(b)[0]((c, 2.0)))


def test_results_that_are_no_floating_point_numbers_stay_as_they_are():
    """Integers, truth values, strings and `None` are no boxes, as autograd's own functions return none."""
    adapted = to_autograd(lambda x: (np.argmax(x), x > 0.0, "text", None, x * 2.0, 3, True))

    def f(x):
        place, positive, text, nothing, y, number, truth = adapted(x)
        assert isinstance(place, np.integer)
        assert type(number) is int
        assert truth is True
        assert positive.dtype == bool
        assert (text, nothing) == ("text", None)
        return y[place] + anp.sum(y[positive])

    check_to_order_2(f)(b)


@pytest.mark.filterwarnings("ignore:Output seems independent of input:UserWarning")  # it is
def test_a_result_without_floating_point_numbers():
    """The gradient of a function through integers only is zero, as that of autograd's own."""
    adapted = to_autograd(lambda x: np.argmax(x) * 2)

    np.testing.assert_array_equal(autograd.grad(lambda x: 1.0 * adapted(x))(b), np.zeros(3))


def test_integers_that_autograd_differentiates_by_are_refused():
    """autograd boxes arrays of integers; a rule may take them for an index, or for real numbers."""
    with pytest.raises(AdapterError, match=r"numpy.sin was called with an array of int64"):
        autograd.grad(lambda x: anp.sum(to_autograd(np.sin)(x)))(np.arange(3))


def test_other_arguments_are_passed_on():
    """Strings, integers, index arrays and options are no tensors."""
    check_to_order_2(lambda x: to_autograd(np.take)(x, np.array([0, 2, 2]), axis=0))(A)
    check_to_order_2(lambda x: to_autograd(lambda name, x: getattr(np, name)(x))("cos", x))(b)


def test_an_integral_with_a_closure():
    """The integrand is made in the function, and holds its argument."""

    def area(a):
        times = np.linspace(0.0, 2.0, 9)
        return np.trapezoid(np.array(list(map(lambda t: np.exp(-a * t), times))), times)  # noqa: C417 - a closure

    check_to_order_2(to_autograd(area))(0.7)


def test_a_sparse_product():
    """A sparse matrix is an argument like others."""
    S = scipy.sparse.random_array((4, 3), density=0.6, rng=1).tocsr()

    check_to_order_2(lambda x: to_autograd(lambda S, x: S @ x)(S, x))(b)


def test_a_sparse_result_is_refused():
    """autograd has no sparse arrays."""
    with pytest.raises(AdapterError, match="toarray"):
        autograd.grad(to_autograd(lambda x: scipy.sparse.eye_array(3).tocsr() * x))(2.0)


def test_without_boxes_the_function_is_called():
    """Ordinary values are answered as the function answers."""
    assert to_autograd(lambda x: [x, "text"])(3) == [3, "text"]


def test_name_and_documentation_are_kept():
    """The adapted function looks like the function."""
    adapted = to_autograd(np.linalg.solve)

    assert adapted.__name__ == "solve"
    assert adapted.__doc__ == np.linalg.solve.__doc__
    assert adapted.__wrapped__ is np.linalg.solve
    assert to_autograd(primitive(np.linalg.solve)).__wrapped__ is np.linalg.solve
    assert to_autograd(Model(A))(b).shape == (3,)  # which has no name


def test_an_adapted_function_is_a_method():
    """In a class it is bound, as functions are."""

    class Scaled:
        def __init__(self, factor):
            self.factor = factor

        @to_autograd
        def of(self, x):
            return self.factor * x

    check_to_order_2(lambda factor, x: Scaled(factor).of(x))(2.0, b)


def test_only_wanted_cotangents_are_computed():
    """The thunk of an argument that autograd does not differentiate by is never evaluated."""
    evaluated = []

    def product(x, y):
        return x * y

    @rrule.dispatch
    def product_rrule(f: typeof_(product), x: float, y: float):
        def product_pullback(y_bar):
            return NoTangent(), thunk(lambda: evaluated.append("x") or y_bar * y), not_implemented("by y")

        return x * y, product_pullback

    assert autograd.grad(to_autograd(product))(2.0, 3.0) == 3.0
    assert evaluated == ["x"]
    with pytest.raises(DerivativeNotImplementedError, match="by y"):
        autograd.grad(to_autograd(product), 1)(2.0, 3.0)
    assert evaluated == ["x"]


def test_the_same_box_twice():
    """Both places count."""
    check_to_order_2(lambda x: to_autograd(np.multiply)(x, x))(b)
    check_to_order_2(lambda x: to_autograd(lambda d: d["a"] * x * d["b"])({"a": x, "b": x}))(b)


def test_an_error_of_the_function_reaches_the_user():
    """Its class and its words stay."""
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        autograd.grad(lambda x: anp.sum(to_autograd(np.linalg.solve)(x, b)))(np.zeros((3, 3)))


def test_threads():
    """Calls in several threads are independent.

    autograd counts its traces for all threads together, so that only pullbacks that were made before can be
    called in several.
    """
    pullbacks = [autograd.make_vjp(to_autograd(relaxed))(b * k)[0] for k in range(8)]
    expected = [pullback(c) for pullback in pullbacks]
    found = [None] * 8

    def pull(k):
        found[k] = pullbacks[k](c)

    threads = [threading.Thread(target=pull, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    np.testing.assert_array_equal(found, expected)


def test_other_tools_of_autograd():
    """Jacobians, Hessians and elementwise gradients are made of the same two modes."""
    solve, inverse = to_autograd(np.linalg.solve), np.linalg.inv(A)

    np.testing.assert_allclose(autograd.jacobian(lambda b: solve(A, b))(b), inverse)
    np.testing.assert_allclose(
        autograd.hessian(lambda b: anp.sum(solve(A, b) ** 2))(b), 2 * inverse.T @ inverse
    )
    np.testing.assert_allclose(autograd.elementwise_grad(to_autograd(np.sin))(b), np.cos(b))
    np.testing.assert_allclose(
        autograd.hessian_vector_product(to_autograd(lambda x: np.sum(x**3)))(b, c), 6 * b * c
    )
