"""A call becomes a function of arrays."""

import numpy as np
import pytest

from chainrules.adapters import AdapterError
from chainrules_core import primitive
from tests.chainrules.adapters.tensors import Model, Tensor, flat


def weighted(x, w, *, offset=0.0):
    """A program with an argument that can only be given by keyword."""
    return np.sum(w * x) + offset


X, W = np.array([1.0, 2.0]), np.array([3.0, -1.0])


def test_tensors_by_keyword_get_their_positional_places():
    """Rules have no derivatives for keywords."""
    arrays, call = flat(weighted, w=Tensor(W), x=Tensor(X))
    assert len(call.args) == 2
    assert call.kwargs == {}
    assert [x.tolist() for x in arrays] == [X.tolist(), W.tolist()]
    assert call.value(arrays).arrays == [1.0]


def test_keyword_only_tensor_reaches_the_body():
    """Its derivative is that of the program."""
    arrays, call = flat(weighted, Tensor(X), W, offset=Tensor(5.0))
    outcome, pullback = call.pull(arrays, (0, 1))
    assert outcome.arrays == [6.0]
    x_bar, offset_bar = pullback([2.0])
    assert np.array_equal(x_bar, 2.0 * W)
    assert offset_bar == 2.0


def test_marked_function_is_called_itself():
    """`primitive` would hand the call back to the framework."""
    _, call = flat(primitive(np.sin), Tensor(1.0))
    assert call.f is np.sin
    assert call.name == "numpy.sin"


def test_the_call_holds_no_tensors():
    """They are kept by the framework, which frees them."""
    model = Model(Tensor(2.0))
    _, call = flat(model, [Tensor(X)])
    assert call.args == ([None],)
    assert call.f.weights is None
    assert isinstance(model.weights, Tensor)


def test_call_without_tensors():
    """There is nothing to differentiate by, and the value is the same."""
    arrays, call = flat(weighted, X, W)
    assert arrays == []
    assert call.value(arrays).arrays == [1.0]
    outcome, pullback = call.pull(arrays, ())
    assert (outcome.arrays, pullback([1.0])) == ([1.0], [])


def test_tensor_in_a_default_is_refused():
    """Nobody could put an array in its place."""
    scale = Tensor(2.0)

    def scaled(x, scale=scale):
        return x * scale

    with pytest.raises(AdapterError, match="__defaults__"):
        flat(scaled, Tensor(X))


def test_one_tensor_in_a_container():
    """It is found as others are."""
    arrays, call = flat(lambda xs: xs[0] * 2.0, [Tensor(X)])
    assert [x.tolist() for x in call.value(arrays).arrays] == [(2.0 * X).tolist()]
