"""Functions over NumPy, called with PyTensor's variables."""

import collections
import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

pytensor = pytest.importorskip("pytensor")

import pytensor.tensor as pt  # noqa: E402 - after the question for the framework
from pytensor.gradient import grad  # noqa: E402 - likewise

from chainrules.ad import grad as our_grad  # noqa: E402 - likewise
from chainrules.adapters import AdapterError  # noqa: E402 - likewise
from chainrules.adapters.pytensor import to_pytensor  # noqa: E402 - likewise
from chainrules_core import NoTangent, frule, not_implemented, primitive, register_carrier, rrule, typeof_  # noqa: E402 - likewise

rng = np.random.default_rng(3)
A0 = rng.normal(size=(3, 3)) + 4.0 * np.eye(3)
X0 = rng.uniform(0.5, 2.0, size=3)


def compiled(inputs, outputs):
    """The compiled function, by the fastest compilation."""
    return pytensor.function(inputs, outputs, mode="FAST_COMPILE", on_unused_input="ignore")


def gradients(f, *arrays):
    """The gradients of the sum of what `f` returns for variables."""
    xs = [pt.as_tensor(x).type(f"x{place}") for place, x in enumerate(arrays)]
    return compiled(xs, grad(pt.sum(f(*xs)), xs, disconnected_inputs="ignore"))(*arrays)


def assert_same_gradients(f, g, *arrays):
    """The gradients of `f`, of variables, are those that `chainrules.ad` has of the sum of `g`, of arrays."""
    ours = our_grad(lambda *xs: np.sum(g(*xs)), argnums=tuple(range(len(arrays))))(*arrays)
    for found, expected in zip(gradients(f, *arrays), ours, strict=True):
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-10)


def pushed(y, x, x_dot):
    """The directional derivative by the operations' own forward mode, in either version of PyTensor."""
    if hasattr(pytensor.gradient, "pushforward"):
        return pytensor.gradient.pushforward(y, x, x_dot, use_op_pushforward=True)
    return pytensor.gradient.Rop(y, x, x_dot, use_op_rop_implementation=True)


@dataclass
class Line:
    """A line, as users keep parameters."""

    slope: Any
    start: Any
    name: str = "line"

    def at(self, x):
        """Its height."""
        return self.slope * x + self.start


def height(line, x):
    """A function of a dataclass."""
    return line.slope * x + line.start


class Foreign:
    """A tensor of another system."""


class ForeignBackend:
    """Its backend, which nobody asks."""

    def call(self, f, args, kwargs):
        """Nothing is called."""
        raise NotImplementedError

    def primal(self, x):
        """Nothing is asked for."""
        raise NotImplementedError


register_carrier(Foreign.__module__, Foreign.__qualname__, ForeignBackend())


class TestArguments:
    """Where variables may stand."""

    def test_positions(self):
        """Among positional arguments."""
        assert_same_gradients(to_pytensor(np.linalg.solve), np.linalg.solve, A0, X0)

    def test_one_variable_twice(self):
        """The gradient by a variable that is given twice is the sum of two."""
        assert_same_gradients(lambda x: to_pytensor(np.multiply)(x, x), lambda x: x * x, X0)

    def test_containers(self):
        """In tuples, lists and dicts, beside other values."""

        def f(first, others):
            return first[0] * others["x"][1] + others["n"]

        def call(f, x, y):
            return f((x, "text"), {"x": [None, y], "n": 2})

        assert_same_gradients(
            functools.partial(call, to_pytensor(f)), functools.partial(call, f), X0, X0[::-1]
        )

    def test_dataclasses(self):
        """In the fields of dataclasses."""

        def call(f, slope, start, x):
            return f(Line(slope, start), x)

        assert_same_gradients(
            functools.partial(call, to_pytensor(height)), functools.partial(call, height), X0, X0[0], X0[::-1]
        )

    @pytest.mark.parametrize(
        "make",
        [
            lambda slope: functools.partial(np.multiply, slope),
            lambda slope: lambda x: slope * np.exp(x),
            lambda slope: Line(slope, 2.0).at,
        ],
        ids=["partial", "closure", "bound method"],
    )
    def test_the_function_itself(self, make):
        """In the function that is called."""
        assert_same_gradients(
            lambda slope, x: to_pytensor(make(slope))(x), lambda slope, x: make(slope)(x), X0[0], X0
        )

    def test_keywords(self):
        """By keyword, also where there is no other way."""

        def f(x, *, power):
            return x**power

        assert_same_gradients(lambda A, b: to_pytensor(np.linalg.solve)(A, b=b), np.linalg.solve, A0, X0)
        assert_same_gradients(
            lambda x, p: to_pytensor(f)(x, power=p), lambda x, p: f(x, power=p), X0, np.float64(1.5)
        )

    def test_shared_variables(self):
        """Shared variables and constants are variables."""
        w = pytensor.shared(X0)
        y = pt.sum(to_pytensor(np.multiply)(w, pt.constant(X0)))

        np.testing.assert_array_equal(compiled([], grad(y, w))(), X0)

    def test_hidden_ones_are_refused(self):
        """A variable in a container that cannot be rebuilt would lose its derivative."""
        with pytest.raises(AdapterError, match="deque"):
            to_pytensor(sum)(collections.deque([pt.dscalar()]))

    def test_variables_without_arrays_are_refused(self):
        """A random generator, for instance."""
        with pytest.raises(AdapterError, match="RandomGeneratorType, and no tensor"):
            to_pytensor(np.sin)(pytensor.shared(np.random.default_rng()))

    def test_tensors_of_other_systems_are_refused(self):
        """One call has the tensors of one system."""
        with pytest.raises(AdapterError, match="two AD systems"):
            to_pytensor(np.multiply)(pt.dvector(), Foreign())

    def test_no_variables(self):
        """Without variables, the function is called."""
        np.testing.assert_array_equal(to_pytensor(np.sin)(X0), np.sin(X0))


class TestResults:
    """What comes back."""

    def test_containers(self):
        """Numbers and arrays become variables; containers, strings and None stay."""
        x = pt.dvector("x")
        result = to_pytensor(lambda x: {"line": Line(2.0 * x, 1.0), "rest": [None, ("text", len(x))]})(x)

        assert result["line"].name == "line"
        assert result["rest"][0] is None
        assert result["rest"][1][0] == "text"
        found = compiled([x], [result["line"].slope, result["line"].start, result["rest"][1][1]])(X0)
        np.testing.assert_array_equal(found[0], 2.0 * X0)
        assert [y.tolist() for y in found[1:]] == [1.0, 3]

    def test_one_of_several(self):
        """One of several results is differentiated without the others."""

        def f(A):
            return np.linalg.eigh(A + A.T)

        assert_same_gradients(
            lambda A: to_pytensor(f)(A)[0], lambda A: f(A)[0], np.diag([0.0, 2.0, 5.0]) + A0
        )

    def test_names(self):
        """The name, the documentation and the function itself are kept."""
        adapted = to_pytensor(np.linalg.solve)

        assert adapted.__name__ == "solve"
        assert adapted.__doc__ == np.linalg.solve.__doc__
        assert adapted.__wrapped__ is np.linalg.solve
        assert to_pytensor(primitive(np.linalg.solve)).__wrapped__ is np.linalg.solve


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_precision(dtype):
    """Results and gradients have the precision of arguments."""
    x = pt.vector("x", dtype=dtype)
    y = to_pytensor(np.tanh)(x)
    found = compiled([x], [y, grad(pt.sum(y), x)])(X0.astype(dtype))

    assert [array.dtype for array in found] == [dtype, dtype]
    np.testing.assert_allclose(found[1], 1.0 - np.tanh(X0) ** 2, rtol=1e-5)


def test_scalars():
    """A variable without axes reaches the function as a scalar of NumPy."""
    seen = []

    def f(x):
        seen.append(type(x))
        return 2.0 * x

    x = pt.scalar("x", dtype="float32")
    assert compiled([x], to_pytensor(f)(x))(np.float32(1.5)) == 3.0
    assert set(seen) == {np.float32}


@pytest.mark.parametrize("x", [np.zeros(0), np.arange(6.0)[::-2], np.broadcast_to(2.0, 3)])
def test_memory(x):
    """Empty arrays, and those in any order in memory."""
    assert_same_gradients(to_pytensor(np.square), np.square, x)


def test_what_is_ignored():
    """An argument without influence, and a constant, have gradients of zeros."""
    found = gradients(to_pytensor(lambda x, y: 2.0 * x), X0, np.float64(1.0))
    assert found[1] == 0.0
    assert gradients(to_pytensor(lambda x: 3.0), X0)[0].tolist() == [0.0, 0.0, 0.0]


@primitive
def scaled(n, x):
    """A product whose derivative by the first factor nobody knows."""
    return n * x


@rrule.dispatch
def scaled_rrule(f: typeof_(scaled), n: float, x: np.ndarray):
    """See `scaled`."""

    def scaled_pullback(y_bar):
        return NoTangent(), not_implemented("nobody knows"), n * y_bar

    return n * x, scaled_pullback


@frule.dispatch
def scaled_frule(tangents, f: typeof_(scaled), n: float, x: np.ndarray):
    """See `scaled`."""
    _, n_dot, x_dot = tangents
    return n * x, n_dot * not_implemented("nobody knows") + n * x_dot


class TestUnknownDerivatives:
    """A derivative that is not implemented is an error where it is used, and nowhere else."""

    def test_unused(self):
        """It costs nothing where it is not used."""
        n, x = pt.dscalar("n"), pt.dvector("x")
        gradient = compiled([n, x], grad(pt.sum(scaled(n, x)), x))

        assert gradient(2.0, X0).tolist() == [2.0, 2.0, 2.0]

    def test_unused_forwards(self):
        """Nor in forward mode, in which PyTensor gives zeros for what nobody differentiates by."""
        n, x, x_dot = pt.dscalar("n"), pt.dvector("x"), pt.dvector("x_dot")
        slope = compiled([n, x, x_dot], pushed(scaled(n, x), x, x_dot))

        assert slope(2.0, X0, np.ones(3)).tolist() == [2.0, 2.0, 2.0]

    def test_used(self):
        """The error says why."""
        n, x = pt.dscalar("n"), pt.dvector("x")
        gradient = compiled([n, x], grad(pt.sum(scaled(n, x)), n))

        with pytest.raises(NotImplementedError, match="nobody knows"):
            gradient(2.0, X0)


class TestErrors:
    """Errors of the function reach the user as they are."""

    def test_at_once(self):
        """One that is raised for all arguments is raised at the call."""

        def f(x):
            raise KeyError("mine")

        with pytest.raises(KeyError, match="mine") as error:
            to_pytensor(f)(pt.dscalar())
        assert "random arrays" in error.value.__notes__[0]

    def test_later(self):
        """One that is raised for some values is raised when the compiled function runs."""
        A = pt.dmatrix("A")
        gradient = compiled([A], grad(pt.sum(to_pytensor(np.linalg.cholesky)(A)), A))

        with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
            gradient(-np.eye(2))
