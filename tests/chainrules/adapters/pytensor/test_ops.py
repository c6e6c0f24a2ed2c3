"""Flat functions as PyTensor's operations."""

import pickle

import numpy as np
import pytest

pytensor = pytest.importorskip("pytensor")

import pytensor.tensor as pt  # noqa: E402 - after the question for the framework
from pytensor import gradient as pytensor_gradient  # noqa: E402 - likewise
from pytensor.compile.mode import Mode  # noqa: E402 - likewise
from pytensor.gradient import (  # noqa: E402 - likewise
    DisconnectedInputError,
    NullTypeGradError,
    Rop,
    grad,
    hessian,
    jacobian,
    verify_grad,
)
from pytensor.graph.replace import vectorize_graph  # noqa: E402 - likewise

from chainrules.adapters import AdapterError  # noqa: E402 - likewise
from chainrules.adapters.pytensor import to_pytensor  # noqa: E402 - likewise
from chainrules.adapters.pytensor.ops import CallOp, FlatOp  # noqa: E402 - likewise
from chainrules_core import DimensionMismatchError  # noqa: E402 - likewise

rng = np.random.default_rng(8)
A0 = rng.normal(size=(3, 3)) + 4.0 * np.eye(3)
X0 = rng.uniform(0.5, 2.0, size=3)

# PyTensor says so whenever it runs an operation that it cannot compile itself.
OBJECT_MODE = "ignore:Numba will use object mode:UserWarning"
# PyTensor 3 renamed it.
RENAMED = r"ignore:.*Rop.*pushforward:FutureWarning"

solve = to_pytensor(np.linalg.solve)


def program(x, y):
    """A program without a rule of its own."""
    total = np.zeros(())
    for step in range(3):
        total = total + np.sum(np.sin(x * y + step))
    return total


# All rewrites, without a compiler.
REWRITTEN = Mode(linker="py", optimizer="fast_run")


@pytest.fixture(autouse=True)
def _fast_compilation():
    """PyTensor's default is to compile by Numba, which takes seconds."""
    with pytensor.config.change_flags(mode="FAST_COMPILE"):
        yield


def compiled(inputs, outputs, mode="FAST_COMPILE"):
    """The compiled function."""
    return pytensor.function(inputs, outputs, mode=mode, on_unused_input="ignore")


def leaves(result):
    """The variables in the result of a call."""
    return list(result.values()) if isinstance(result, dict) else result


def operations(function):
    """Our operations in a compiled function."""
    return [node.op for node in function.maker.fgraph.apply_nodes if isinstance(node.op, FlatOp)]


class TestDerivatives:
    """Derivatives equal finite differences."""

    @pytest.mark.parametrize(
        ("f", "arrays"),
        [
            (solve, [A0, X0]),
            (to_pytensor(np.multiply), [X0, A0]),
            (to_pytensor(program), [A0, X0]),
            (lambda A: to_pytensor(lambda A: np.linalg.eigh(A + A.T))(A)[1] ** 2, [A0]),
            (lambda A, b: grad(pt.sum(solve(A, b) ** 2), A), [A0, X0]),
            (lambda x, y: grad(to_pytensor(program)(x, y), y), [A0, X0]),
        ],
        ids=["rule", "broadcasting", "program", "two results", "gradient of rule", "gradient of program"],
    )
    def test_backward(self, f, arrays):
        """By PyTensor's own test, which compares with finite differences."""
        verify_grad(f, arrays, rng=np.random.default_rng(0), mode=REWRITTEN)

    def test_third_order(self):
        """The third derivative of the sine."""
        x = pt.dscalar("x")
        y = to_pytensor(np.sin)(x)
        for _ in range(3):
            y = grad(y, x)

        np.testing.assert_allclose(compiled([x], y)(0.7), -np.cos(0.7), rtol=1e-12)

    def test_jacobian_and_hessian(self):
        """PyTensor makes these with loops, and with axes of its own for batches."""
        x = pt.dvector("x")
        cubes, total = to_pytensor(lambda x: x**3)(x), to_pytensor(lambda x: np.sum(x**3))(x)

        np.testing.assert_allclose(compiled([x], jacobian(cubes, x))(X0), np.diag(3.0 * X0**2))
        np.testing.assert_allclose(
            compiled([x], jacobian(cubes, x, vectorize=True))(X0), np.diag(3.0 * X0**2)
        )
        np.testing.assert_allclose(compiled([x], hessian(total, x))(X0), np.diag(6.0 * X0))

    @pytest.mark.filterwarnings(RENAMED)
    def test_forward(self):
        """The directional derivative: by two pullbacks, as is PyTensor's default, and by ours."""
        A, b, b_dot = pt.dmatrix("A"), pt.dvector("b"), pt.dvector("b_dot")
        expected = np.linalg.solve(A0, X0[::-1])

        x_dot = compiled([A, b, b_dot], Rop(solve(A, b), b, b_dot))
        np.testing.assert_allclose(x_dot(A0, X0, X0[::-1]), expected)

    @pytest.mark.filterwarnings(RENAMED)
    def test_forward_by_our_operation(self):
        """The directional derivative by our `pushforward`, and that of a gradient."""
        x, x_dot = pt.dvector("x"), pt.dvector("x_dot")
        y = to_pytensor(np.sin)(x)
        slopes = [pushed(y, x, x_dot), pushed(grad(pt.sum(y), x), x, x_dot)]

        found = compiled([x, x_dot], slopes)(X0, X0)
        np.testing.assert_allclose(found[0], np.cos(X0) * X0)
        np.testing.assert_allclose(found[1], -np.sin(X0) * X0)

    def test_zeros_forward(self):
        """Along zeros the slope is zero, of the result's shape."""
        A, b = pt.dmatrix("A"), pt.dvector("b")
        slope = compiled([A, b], pushed(solve(A, b), b, pt.zeros_like(b)))

        assert slope(A0, X0).tolist() == [0.0, 0.0, 0.0]

    def test_batches(self):
        """PyTensor can give a graph one more axis."""
        x, xs = pt.dvector("x"), pt.dmatrix("xs")
        gradient = grad(to_pytensor(lambda x: np.sum(x**2))(x), x)

        np.testing.assert_allclose(compiled([xs], vectorize_graph(gradient, {x: xs}))(A0), 2.0 * A0)


def pushed(y, x, x_dot):
    """The directional derivative by the operations' own forward mode, in either version of PyTensor."""
    if hasattr(pytensor_gradient, "pushforward"):
        return pytensor_gradient.pushforward(y, x, x_dot, use_op_pushforward=True)
    return Rop(y, x, x_dot, use_op_rop_implementation=True)


class TestDisconnected:
    """What has no derivative."""

    def test_integers(self):
        """Integers among arguments and results; a gradient by an integer is refused by PyTensor."""
        x, i = pt.dvector("x"), pt.lvector("i")
        taken = pt.sum(to_pytensor(np.take)(x, i))
        place = to_pytensor(np.argmax)(x)

        assert compiled([x, i], grad(taken, x))(X0, [0, 0, 2]).tolist() == [2.0, 0.0, 1.0]
        np.testing.assert_allclose(compiled([x], grad(place * pt.sum(x), x))(X0), np.full(3, np.argmax(X0)))
        with pytest.raises(DisconnectedInputError):
            grad(taken, i)
        with pytest.raises(DisconnectedInputError):
            pushed(place, x, x)

    def test_integers_become_real(self):
        """A function of an integer, whose value is real."""
        i = pt.lvector("i")
        assert compiled([i], to_pytensor(np.sqrt)(i))([4, 9]).tolist() == [2.0, 3.0]

    def test_truth_values(self):
        """A mask, and a result whose size is known only then."""
        x, mask = pt.dvector("x"), pt.vector("mask", dtype="bool")
        chosen = to_pytensor(lambda x, mask: x[mask])(x, mask)
        gradient = compiled([x, mask], grad(pt.sum(chosen**2), x))

        np.testing.assert_allclose(gradient(X0, [True, False, True]), [2.0 * X0[0], 0.0, 2.0 * X0[2]])


class TestComplexNumbers:
    """PyTensor computes with complex numbers, and has no gradients by them."""

    def test_inside(self):
        """A real function that computes with complex numbers."""
        verify_grad(
            to_pytensor(lambda x: np.abs(np.fft.fft(x)) ** 2),
            [X0],
            rng=np.random.default_rng(0),
            mode=REWRITTEN,
        )

    def test_beside(self):
        """The gradient by a real argument beside a complex one."""
        z, x = pt.zvector("z"), pt.dvector("x")
        y = to_pytensor(lambda z, x: np.sum(np.abs(z * x) ** 2))(z, x)

        np.testing.assert_allclose(
            compiled([z, x], grad(y, x))(X0 + 1.0j, X0), 2.0 * np.abs(X0 + 1.0j) ** 2 * X0
        )

    def test_gradients_are_refused(self):
        """The error says that PyTensor has none."""
        z = pt.zvector("z")
        with pytest.raises(NullTypeGradError, match="no gradients by complex variables"):
            grad(to_pytensor(lambda z: np.sum(np.abs(z) ** 2))(z), z)

    def test_forward(self):
        """Forward mode has no such limit."""
        z, z_dot = pt.zvector("z"), pt.zvector("z_dot")
        y_dot = compiled([z, z_dot], pushed(to_pytensor(np.exp)(z), z, z_dot))

        np.testing.assert_allclose(y_dot(X0 + 1.0j, X0 * 1.0j), np.exp(X0 + 1.0j) * X0 * 1.0j)


class TestModes:
    """Every way to compile."""

    @pytest.mark.filterwarnings(OBJECT_MODE)
    @pytest.mark.parametrize("mode", ["FAST_COMPILE", "FAST_RUN", "NUMBA", "DebugMode"])
    def test_same_gradients(self, mode):
        """Values and gradients are the same, also after pickling."""
        A, b = pt.dmatrix("A"), pt.dvector("b")
        x = solve(A, b)
        function = compiled([A, b], [x, *grad(pt.sum(x), [A, b])], mode)
        again = function if mode == "DebugMode" else pickle.loads(pickle.dumps(function))
        b_bar = np.linalg.solve(A0.T, np.ones(3))
        for found in (function(A0, X0), again(A0, X0)):
            np.testing.assert_allclose(found[0], np.linalg.solve(A0, X0))
            np.testing.assert_allclose(found[1], -np.outer(b_bar, found[0]))
            np.testing.assert_allclose(found[2], b_bar)

    def test_jax_is_refused(self):
        """JAX would have to see into the function."""
        pytest.importorskip("jax")
        x = pt.dvector("x")
        with pytest.raises(NotImplementedError, match=r"No JAX conversion .* numpy.sin"):
            compiled([x], to_pytensor(np.sin)(x), "JAX")


class TestGraphs:
    """What PyTensor does with nodes."""

    def test_equal_calls_are_one(self):
        """Two equal calls are computed once; others are not."""
        A, b = pt.dmatrix("A"), pt.dvector("b")
        calls = [to_pytensor(np.linalg.solve)(A, b), to_pytensor(np.linalg.solve)(A, b)]

        assert len(operations(compiled([A, b], calls, REWRITTEN))) == 1

    def test_other_calls_are_not(self):
        """Calls with other constants, or other functions from the same line, are computed each."""
        x = pt.dvector("x")
        powers = [to_pytensor(np.power)(x, n) for n in (2, 2.0, 3)]
        multiples = [to_pytensor(lambda x, n=n: n * x)(x) for n in (2.0, 3.0)]
        function = compiled([x], [*powers, *multiples], REWRITTEN)

        assert len(operations(function)) == 5
        for found, factor in zip(function(X0), (X0, X0, X0**2, 2.0, 3.0), strict=True):
            np.testing.assert_allclose(found, factor * X0)

    def test_shapes_are_not_computed(self):
        """The shape of a gradient is that of the argument, and known without it."""
        x = pt.dvector("x")
        gradient = grad(to_pytensor(lambda x: np.sum(x**2))(x), x)
        function = compiled([x], gradient.shape, REWRITTEN)

        assert operations(function) == []
        assert function(X0) == [3]

    def test_names(self):
        """A graph is printed with the names of functions."""
        A, b = pt.dmatrix("A"), pt.dvector("b")
        A_bar = grad(pt.sum(solve(A, b)), A)

        assert str(A_bar.owner.op) == "pullback of numpy.linalg.solve"


class TestMemory:
    """Results share no memory with arguments, and the function may write into its own."""

    @pytest.mark.parametrize("f", [lambda x: x, lambda x: x.T, lambda x: x[:2]])
    def test_results_that_are_arguments(self, f):
        """A function that returns its argument, or a view of it."""
        x = pt.dmatrix("x")
        function = compiled(
            [pytensor.In(x, borrow=True)], pytensor.Out(to_pytensor(f)(x), borrow=True), REWRITTEN
        )
        assert not np.shares_memory(function(A0), A0)

    def test_arguments_that_are_written_into(self):
        """Nobody else sees it."""

        def double(x):
            x *= 2.0
            return x

        x, given = pt.dvector("x"), X0.copy()
        twice, once = compiled([x], [to_pytensor(double)(x), x + 0.0])(given)

        np.testing.assert_array_equal(twice, 2.0 * X0)
        np.testing.assert_array_equal(once, X0)
        np.testing.assert_array_equal(given, X0)

    def test_constants_that_are_changed_later(self):
        """A constant has the value that it had at the call."""
        x, weights = pt.dvector("x"), X0.copy()
        before = to_pytensor(np.multiply)(x, weights)
        weights[:] = 0.0
        after = to_pytensor(np.multiply)(x, weights)

        found = compiled([x], [before, after], REWRITTEN)(X0)
        np.testing.assert_array_equal(found[0], X0 * X0)
        np.testing.assert_array_equal(found[1], np.zeros(3))


class TestChecks:
    """What differs from the examples by which types were found is an error, not a wrong value."""

    @pytest.mark.parametrize(
        ("f", "message"),
        [
            (lambda x: x if len(x) < 6 else x.reshape(2, 3), r"shape \(2, 3\) .* one of shape \(\?\)"),
            (lambda x: x if len(x) < 6 else 1.0j * x, "dtype complex128, and one of .* float64"),
            (list, "in other containers, or more or fewer of them"),
            (lambda x: {"a": x, "b": x} if len(x) < 6 else {"b": x, "a": x}, "in other containers"),
        ],
        ids=["axes", "dtype", "number of results", "places of results"],
    )
    def test_other_results(self, f, message):
        """Other axes, another dtype, another number of results."""
        x = pt.dvector("x")
        with pytest.raises(AdapterError, match=message):
            compiled([x], leaves(to_pytensor(f)(x)))(np.ones(6))

    def test_results_that_fit(self):
        """An integer is a real number too."""
        x = pt.dvector("x")
        total = compiled([x], to_pytensor(lambda x: 0 if len(x) > 5 else np.sum(x))(x))

        assert total(np.ones(6)).dtype == "float64"

    def test_tangents_of_other_shapes(self):
        """They would be broadcast by elementwise rules."""
        x, other = pt.dvector("x"), pt.dvector("other")
        y = to_pytensor(np.sin)(x)
        by_cotangent = grad(None, x, known_grads={y: other})

        with pytest.raises(DimensionMismatchError, match=r"shape \(3,\) was given a tangent of shape \(1,\)"):
            compiled([x, other], by_cotangent)(X0, np.ones(1))


def test_clones_need_no_examples():
    """A node that PyTensor makes anew, with inputs of the same or more special types, calls nothing."""
    calls = []

    def f(x):
        calls.append(x)
        return 2.0 * x

    y = to_pytensor(f)(pt.dvector())
    number = len(calls)
    clone = y.owner.clone_with_new_inputs([pt.tensor(shape=(3,), dtype="float64")], strict=False)

    assert isinstance(y.owner.op, CallOp)
    assert clone.outputs[0].type == y.type
    assert len(calls) == number
