"""Functions over NumPy that mygrad differentiates."""

import functools
import gc
from collections import deque
from dataclasses import dataclass

import numpy as np
import pytest

pytest.importorskip("mygrad")

import mygrad
import scipy.linalg
import scipy.sparse
import scipy.special

from chainrules.adapters import AdapterError
from chainrules.adapters.mygrad import to_mygrad
from chainrules_core import NoTangent, not_implemented, primitive, rrule, thunk, typeof_
from chainrules_testutils import grad as grad_by_differences

rng = np.random.default_rng(0)
A = rng.normal(size=(3, 3)) + 4 * np.eye(3)
b, c = rng.normal(size=(2, 3))


@dataclass
class Layer:
    """A dataclass that mygrad knows nothing of."""

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


def relaxed(x, steps=4):
    """A program with a loop, a branch, an array that is filled, and SciPy."""
    y = np.zeros(3)
    for step in range(steps):
        y[step % 3] = np.sin(x[step % 3]) * (step + 1.0)
    if y[0] > 0:
        y = y**2
    return scipy.linalg.solve(np.eye(3) * 2.0 + np.outer(y, y), x) + scipy.special.expit(y)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        pytest.param(np.multiply, (A, b), id="broadcasting"),
        pytest.param(np.linalg.solve, (A, b), id="solve"),
        pytest.param(scipy.special.gammaln, (3.0,), id="no axes"),
        pytest.param(relaxed, (b,), id="a program"),
        pytest.param(lambda x: x[::-1], (b,), id="a view"),
        pytest.param(lambda x: x, (b,), id="the argument itself"),
        pytest.param(lambda x, y: x, (b, c), id="an argument without effect"),
        pytest.param(lambda x: 2.0, (b,), id="a constant"),
        pytest.param(np.sum, (np.ones((0, 3)),), id="empty"),
        pytest.param(np.linalg.det, (A.T,), id="not contiguous"),
        pytest.param(
            lambda d, x, name: getattr(np, name)(d["w"][0] * x), ({"w": [b]}, c, "sin"), id="a dict"
        ),
        pytest.param(lambda layer: layer.weights @ layer.offset, (Layer(A, b),), id="a dataclass"),
        pytest.param(lambda w, x: Model(w)(x), (A, b), id="an object"),
    ],
)
def test_against_differences(f, args):
    """Gradients agree with differences, and have their tensors' shapes."""
    tensors, call = [], functools.partial(_with_tensors, args)

    y = to_mygrad(f)(*call(tensors))
    weights = rng.normal(size=y.shape)
    (y * weights).sum().backward()

    arrays = [tensor.data for tensor in tensors]
    expected = grad_by_differences(None, lambda *arrays: np.sum(f(*call([], arrays)) * weights), *arrays)
    for tensor, gradient in zip(tensors, expected, strict=True):
        assert tensor.grad.shape == tensor.shape
        np.testing.assert_allclose(tensor.grad, gradient, rtol=1e-8, atol=1e-9)


def _with_tensors(x, tensors, arrays=None):
    """The same containers with tensors in the places of arrays and floats, or with other arrays."""
    if isinstance(x, tuple | list):
        return type(x)(_with_tensors(item, tensors, arrays) for item in x)
    if isinstance(x, dict):
        return {key: _with_tensors(item, tensors, arrays) for key, item in x.items()}
    if isinstance(x, Layer):
        return Layer(*(_with_tensors(item, tensors, arrays) for item in (x.weights, x.offset)))
    if not isinstance(x, np.ndarray | float):
        return x
    tensors.append(mygrad.tensor(x) if arrays is None else arrays[len(tensors)])
    return tensors[-1]


@pytest.mark.parametrize(
    "call",
    [
        lambda w, x: to_mygrad(Model(w))(x),
        lambda w, x: to_mygrad(lambda x: np.tanh(w @ x))(x),
        lambda w, x: to_mygrad(functools.partial(lambda w, x: np.tanh(w @ x), w))(x),
        lambda w, x: to_mygrad(lambda x, *, w: np.tanh(w @ x))(x, w=w),
        lambda w, x: to_mygrad(lambda x, w: np.tanh(w @ x))(w=w, x=x),
    ],
)
def test_tensors_in_functions_and_keywords(call):
    """Tensors are found in objects, closures, partials and keyword-only arguments."""
    w, x, w_alone, x_alone = (mygrad.tensor(array) for array in (A, b, A, b))
    call(w, x).sum().backward()
    mygrad.tanh(w_alone @ x_alone).sum().backward()

    np.testing.assert_allclose(w.grad, w_alone.grad)
    np.testing.assert_allclose(x.grad, x_alone.grad)


def test_a_hidden_tensor_is_refused():
    """A tensor where it is not found is an error, and no missing gradient."""
    with pytest.raises(AdapterError, match="deque"):
        to_mygrad(sum)(deque([mygrad.tensor(1.0)]))


def test_one_result_in_a_container():
    """It comes in the container of the function."""
    x = mygrad.tensor(b)
    found = to_mygrad(lambda x: {"y": x * 2.0, "name": "text"})(x)
    found["y"].sum().backward()

    assert found["name"] == "text"
    np.testing.assert_array_equal(x.grad, np.full(3, 2.0))


def test_what_mygrad_cannot_do_is_refused():
    """Several results, none, complex ones, and arrays of another kind."""
    x = mygrad.tensor(A)

    with pytest.raises(AdapterError, match="eigh returned 2 numbers and arrays; an operation of mygrad"):
        to_mygrad(np.linalg.eigh)(x)
    with pytest.raises(AdapterError, match="returned 0 numbers"):
        to_mygrad(lambda x: None)(x)
    with pytest.raises(AdapterError, match="returned complex128, and mygrad differentiates real numbers"):
        to_mygrad(np.fft.fft)(x)
    with pytest.raises(AdapterError, match="toarray"):
        to_mygrad(lambda x: scipy.sparse.csr_array(np.eye(3)) * x[0, 0])(x)
    assert x.data.flags.writeable, "nothing of it is left"


def test_complex_numbers_within():
    """They may occur on the way."""
    x, x_alone = mygrad.tensor(b), b
    to_mygrad(lambda x: np.sum(np.abs(np.fft.fft(x)) ** 4))(x).backward()

    expected = grad_by_differences(None, lambda x: np.sum(np.abs(np.fft.fft(x)) ** 4), x_alone)[0]
    np.testing.assert_allclose(x.grad, expected, rtol=1e-8)


def test_constants():
    """Constant tensors get no gradient, `constant` makes the result one, and of constants it is one."""
    x, k = mygrad.tensor(b), mygrad.tensor(c, constant=True)
    multiply = to_mygrad(np.multiply)
    y = multiply(x, k)
    y.sum().backward()

    np.testing.assert_array_equal(x.grad, c)
    assert k.grad is None
    assert not y.constant
    assert multiply(x, k, constant=True).constant
    assert multiply(k, k).constant
    multiply(k, k, constant=False).backward()
    assert k.grad is None
    assert to_mygrad(np.argmax)(x).constant
    assert multiply(x, np.arange(3)).dtype == float
    assert to_mygrad(np.take)(x, mygrad.tensor([0, 2])).shape == (2,)


def test_only_wanted_cotangents_are_computed():
    """The thunk of a constant tensor is never evaluated, and no derivative where none is asked for."""
    evaluated = []

    def product(x, y):
        return x * y

    @rrule.dispatch
    def product_rrule(f: typeof_(product), x: float, y: float):
        evaluated.append("rule")

        def product_pullback(y_bar):
            return NoTangent(), thunk(lambda: evaluated.append("x") or y_bar * y), not_implemented("by y")

        return x * y, product_pullback

    x, y = mygrad.tensor(2.0), mygrad.tensor(3.0, constant=True)
    with mygrad.no_autodiff:
        to_mygrad(product)(x, y)
    to_mygrad(product)(x, y, constant=True)
    assert evaluated == []
    to_mygrad(product)(x, y).backward()
    assert x.grad == 3.0
    assert evaluated == ["rule", "x"]


def test_without_graph():
    """Where mygrad differentiates nothing, results are tensors, and backward does nothing."""
    x = mygrad.tensor(b)
    with mygrad.no_autodiff:
        y = to_mygrad(np.sin)(x)
        y.backward()
        assert to_mygrad(np.fft.fft)(x).dtype == complex

    assert isinstance(y, mygrad.Tensor)
    assert x.grad is None


def test_precision_stays():
    """Results and gradients of single precision are of single precision."""
    for f in (np.sin, lambda x: np.sin(x)):  # noqa: PLW0108 - by its rule, and traced
        x = mygrad.tensor(b, dtype=np.float32)
        y = to_mygrad(f)(x)
        y.sum().backward()
        assert y.dtype == x.grad.dtype == np.float32


def test_the_same_tensor_twice():
    """Both places count."""
    x = mygrad.tensor(b)
    y = to_mygrad(np.multiply)(x, x)
    (y + y).sum().backward()

    np.testing.assert_allclose(x.grad, 4 * b)


def test_arrays_are_guarded_until_the_backward_pass():
    """Nobody writes into an array that a gradient needs, as with operations of mygrad."""
    array, x = c.copy(), mygrad.tensor(b)
    y = to_mygrad(np.multiply)(x, array)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 0.0
    y.sum().backward()

    np.testing.assert_array_equal(x.grad, c)
    array[0] = 0.0


def test_a_tensor_that_is_written_into():
    """The gradient is by what it held, as with operations of mygrad."""
    leaf = mygrad.tensor(b)
    x = leaf * 1.0
    y = to_mygrad(np.exp)(x)
    z = y * 1.0
    x[...] = 0.0
    y[...] = 0.0
    z.sum().backward()

    np.testing.assert_allclose(leaf.grad, np.exp(b))


def test_results_and_gradients_share_no_memory():
    """Neither with arguments nor with each other."""
    x, other = mygrad.tensor(b), mygrad.tensor(c)
    y = to_mygrad(lambda x, other: x)(x, other)
    assert not np.shares_memory(y.data, x.data)
    both = to_mygrad(np.add)(y, other)
    both.backward(c)

    gradients = [x.grad, y.grad, other.grad, both.grad]
    for place, gradient in enumerate(gradients):
        assert not any(np.shares_memory(gradient, another) for another in gradients[:place])


def test_calls_leave_nothing_behind():
    """After the backward pass nothing of a call is alive."""

    def count():
        gc.collect()
        return sum(type(x).__name__ == "CallOfFlatFunction" for x in gc.get_objects())

    for k in range(5):
        to_mygrad(lambda x, k=k: x * k)(mygrad.tensor(b)).sum().backward()

    assert count() == 0


def test_an_error_of_the_function_reaches_the_user():
    """Its class and its words stay."""
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        to_mygrad(np.linalg.solve)(mygrad.tensor(np.zeros((3, 3))), b)


def test_without_tensors_the_function_is_called():
    """Ordinary values are answered as the function answers; its name and documentation are kept."""
    adapted = to_mygrad(primitive(np.linalg.eigh))

    assert adapted.__name__ == "eigh"
    assert adapted.__wrapped__ is np.linalg.eigh
    np.testing.assert_array_equal(adapted(A).eigenvalues, np.linalg.eigh(A).eigenvalues)
