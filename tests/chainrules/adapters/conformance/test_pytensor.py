"""Every case under every transform of PyTensor."""

import pickle

import numpy as np
import pytest

pytensor = pytest.importorskip("pytensor")

import pytensor.tensor as pt  # noqa: E402 - after the question for the framework
from pytensor.gradient import grad, pushforward, verify_grad  # noqa: E402 - likewise

from chainrules.adapters import to_pytensor  # noqa: E402 - likewise
from tests.chainrules.adapters.conformance.checks import assert_close, cases_of, check  # noqa: E402 - likewise


def function(case):
    """The adapted function, of the variables that have derivatives, to a list of variables."""
    return case.of_floats(to_pytensor, pt.as_tensor)


def loss(case):
    """The weighed sum of its results."""
    call, weights = function(case), case.weights()
    return lambda *floats: sum(pt.sum(w * y) for w, y in zip(weights, call(*floats), strict=True))


def variables(case):
    """A symbolic variable for each array that has derivatives, of its shape."""
    return [
        pt.tensor(f"x{place}", dtype="float64", shape=np.shape(x)) for place, x in enumerate(case.floats())
    ]


def computed(case, xs, results, mode="FAST_COMPILE"):
    """What the compiled function returns at the case's point."""
    return pytensor.function(xs, results, mode=mode, on_unused_input="ignore")(*case.floats())


def slope(case, gradient):
    """The product of a gradient with the directions."""
    return sum(pt.sum(g * d) for g, d in zip(gradient, case.directions(), strict=True))


def value(case):
    """The results."""
    xs = variables(case)
    assert_close(computed(case, xs, function(case)(*xs)), case.values(*case.floats()))


def backward(case):
    """The gradient."""
    xs = variables(case)
    assert_close(computed(case, xs, grad(loss(case)(*xs), xs)), case.gradient())


def forward(case):
    """The slopes."""
    xs = variables(case)
    slopes = pushforward(function(case)(*xs), xs, [pt.as_tensor(d) for d in case.directions()])
    assert_close(computed(case, xs, slopes), case.slopes())


def grad_of_grad(case):
    """Backwards twice."""
    xs = variables(case)
    curvature = grad(slope(case, grad(loss(case)(*xs), xs)), xs, disconnected_inputs="ignore")
    assert_close(computed(case, xs, curvature), case.curvature())


def forward_of_grad(case):
    """Forwards over backwards."""
    xs = variables(case)
    gradient = grad(loss(case)(*xs), xs)
    curvature = pushforward(gradient, xs, [pt.as_tensor(d) for d in case.directions()])
    assert_close(computed(case, xs, curvature), case.curvature())


def own_test(case):
    """PyTensor's own test of gradients."""
    verify_grad(loss(case), case.floats(), rng=np.random.default_rng(0), mode="FAST_COMPILE")


def by_numba(case):
    """The gradient, where PyTensor compiles by Numba."""
    xs = variables(case)
    assert_close(computed(case, xs, grad(loss(case)(*xs), xs), mode="NUMBA"), case.gradient())


def pickled(case):
    """The gradient by a compiled function that has been pickled."""
    xs = variables(case)
    compiled = pytensor.function(xs, grad(loss(case)(*xs), xs), mode="FAST_COMPILE")
    assert_close(pickle.loads(pickle.dumps(compiled))(*case.floats()), case.gradient())


TRANSFORMS = {
    "value": value,
    "grad": backward,
    "pushforward": forward,
    "grad of grad": grad_of_grad,
    "pushforward of grad": forward_of_grad,
    "verify_grad": own_test,
    "mode NUMBA": by_numba,
    "pickled function": pickled,
}


# PyTensor says so of every operation without a method for Numba.
@pytest.mark.filterwarnings("ignore:Numba will use object mode:UserWarning")
@cases_of("PyTensor")
def test_pytensor(transform, case):
    """It is right, or refused with a reason."""
    check("PyTensor", TRANSFORMS, transform, case)
