"""Arrays that belong to somebody: results to the caller, arguments to whoever passed them."""

import numpy as np
import pytest

from chainrules.ad import call, checkpoint, grad, hessian, jacobian, jvp, linearize, stop_gradient, vjp
from chainrules.ad.nodes import input_node
from chainrules.ad.reverse_trace import ReverseTrace
from chainrules.ad.tracing import traced
from chainrules.ad.writing.ownership import take_copies
from tests.chainrules.ad.writing.programs import X


def doubled_in_place(v):
    """A function that writes into its argument."""
    v *= 2.0
    return v


@pytest.mark.parametrize("derive", [vjp, linearize])
def test_results_may_be_written_into(derive):
    """The pullback and the pushforward keep what they need."""
    y, linear = derive(lambda x: {"a": [np.exp(x)], "b": x}, X)
    y["a"][0] -= 5.0
    y["b"] *= 0.0

    (ones,) = ({"a": [np.ones(3)], "b": np.zeros(3)},)
    found = linear(ones)[0] if derive is vjp else linear(np.ones(3))["a"][0]
    np.testing.assert_array_equal(found, np.exp(X))
    assert X[0] == 0.3


@pytest.mark.parametrize("f", [lambda x: x, lambda x: x[1:], lambda x: [x]])
def test_tangents_are_the_callers(f):
    """`jvp` does not return the tangent that it was given, nor a view of it."""
    x_dot = np.ones(3)
    _, y_dot = jvp(f, (X,), (x_dot,))

    assert not np.shares_memory(y_dot, x_dot)
    np.testing.assert_array_equal(np.ravel(y_dot), np.ones(np.size(y_dot)))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(checkpoint(doubled_in_place)(x)),
        lambda x: sum(map_in_rows(doubled_in_place, [x, x]))[0],
    ],
)
@pytest.mark.parametrize("derive", [grad, hessian, lambda f: lambda x: jvp(f, (x,), (x,))])
def test_functions_called_by_rules_may_not_write_into_their_arguments(f, derive):
    """Their caller would not see it, and the arrays are kept for derivatives: it is an error."""
    x = X.copy()
    with pytest.raises((TypeError, ValueError), match=r"wrote into its argument|read-only"):
        derive(f)(x)
    np.testing.assert_array_equal(x, X)


def test_captured_arrays_may_not_be_written_into_either():
    """The function is called again for its derivative."""

    def f(x):
        y = np.sin(x)

        def block(z):
            y[0] = 2.0
            return np.sum(y * z)

        return checkpoint(block)(x) + np.sum(y)

    for derive in (grad, hessian, lambda f: lambda x: jvp(f, (x,), (x,))):
        with pytest.raises((TypeError, ValueError), match=r"wrote into its argument|read-only"):
            derive(f)(X)


def map_in_rows(f, rows):
    """A call of `map`, by its rule."""
    return call(map, f, rows)


def test_functions_called_by_rules_may_write_into_copies():
    """And into arrays of their own."""

    def f(v):
        v = v.copy()
        v *= v
        return v

    np.testing.assert_array_equal(grad(lambda x: np.sum(checkpoint(f)(x)))(X), 2 * X)


def test_what_is_not_differentiated_may_be_written_into():
    """The result of `stop_gradient` shares no memory with what rules keep."""

    def f(x):
        y = np.exp(x)
        stopped, (row,), inside = stop_gradient(y), stop_gradient((y[1:],)), stop_gradient(lambda: y[:1])
        for z in (stopped, row, inside):
            z[:] = 0.0
        return np.sum(y) + np.sum(stopped)

    np.testing.assert_array_equal(grad(f)(X), np.exp(X))
    np.testing.assert_allclose(jacobian(grad(f))(X), np.diag(np.exp(X)))
    assert jvp(f, (X,), (np.ones(3),))[1] == np.sum(np.exp(X))


def test_copies_of_arguments():
    """Of arrays that can be written into, in containers too; the argument itself stays."""
    trace = ReverseTrace()
    own, frozen = X.copy(), X.copy()
    frozen.flags.writeable = False
    given = {"own": [traced(own, trace, input_node)[0]], "frozen": traced(frozen, trace, input_node)[0]}

    take_copies(given)

    assert given["own"][0]._value is not own
    np.testing.assert_array_equal(given["own"][0]._value, own)
    assert given["frozen"]._value is frozen
