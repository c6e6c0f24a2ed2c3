"""Tests of functions that are made of functions: what is shown of them, and how they travel."""

import functools
import inspect
import operator
import pickle

import cloudpickle
import numpy as np
import pytest

from chainrules.ad import checkpoint, grad, hessian, jacobian, jvp, linearize, value_and_grad, vjp
from chainrules.ad.derivatives.wrapping import Derived
from chainrules_core import describe_place

MAKERS = [
    grad,
    value_and_grad,
    jacobian,
    hessian,
    checkpoint,
    lambda f: grad(f, (0,)),
    lambda f: jacobian(f, mode="forward"),
    lambda f: value_and_grad(grad(checkpoint(f))),
]


def loss(x, rate=0.5):
    """The loss."""
    return rate * x * x


@checkpoint
def decorated(x):
    """A function that only its decorated form can be found as."""
    return x * x * x


class Model:
    """A class with derivatives among its methods."""

    scale = 3.0

    def loss(self, x):
        """A loss."""
        return self.scale * x * x

    slope = grad(loss, argnums=1)
    checkpointed = checkpoint(loss)


@pytest.mark.parametrize("make", MAKERS)
def test_each_is_itself_alone(make):
    """As functions do, they equal nothing else, and can be keys; the one that they are made of is shown."""
    derived = make(loss)

    assert {derived: 1}[derived] == 1
    assert derived != make(loss)
    assert repr(loss) in repr(derived)
    assert repr(derived).startswith("<")


def test_name_documentation_and_signature():
    """They are the function's own, as `functools.wraps` would show them."""
    for derived in (grad(loss), value_and_grad(loss), jacobian(loss), hessian(loss), checkpoint(loss)):
        assert (derived.__name__, derived.__qualname__, derived.__doc__) == ("loss", "loss", "The loss.")
        assert derived.__module__ == __name__
        assert inspect.signature(derived) == inspect.signature(loss)
        assert inspect.unwrap(derived) is loss


def test_representation():
    """The representation says what was made of which function."""
    assert repr(grad(np.sin)) == "<gradient of <ufunc 'sin'>>"
    assert repr(jacobian(grad(np.sin))) == "<jacobian_of_f of <gradient of <ufunc 'sin'>>>"


def test_what_has_no_name():
    """Callable objects keep the name of what is made of them; ufuncs have a name but no qualified one."""
    assert grad(functools.partial(loss, rate=1.0)).__name__ == "gradient"
    assert grad(np.sin).__name__ == grad(np.sin).__qualname__ == "sin"


def test_the_function_is_not_changed():
    """Attributes are written to what is made of it alone."""
    assert isinstance(grad(loss), Derived)
    assert not hasattr(loss, "__wrapped__")


@pytest.mark.parametrize("pickler", [pickle, cloudpickle])
@pytest.mark.parametrize("f", [loss, operator.neg, decorated, functools.partial(loss, rate=0.25)])
@pytest.mark.parametrize("make", MAKERS)
def test_what_is_made_of_a_function_that_pickles_pickles(make, f, pickler):
    """It comes back with its options, its name and its values."""
    derived = make(f)

    copy = pickle.loads(pickler.dumps(derived))

    assert copy(3.0) == derived(3.0)
    assert (copy.__name__, copy.__doc__) == (derived.__name__, derived.__doc__)
    assert type(copy) is type(derived)


def test_what_stands_in_the_place_of_a_function_pickles():
    """A decorated function is found by its name, as functions are."""
    assert pickle.loads(pickle.dumps(decorated)) is decorated


@pytest.mark.parametrize("make", MAKERS)
def test_cloudpickle_takes_lambdas_along(make):
    """What is made of a function that only cloudpickle can send is sent by it too."""
    factor = 4.0
    derived = make(lambda x: factor * x * x)

    assert pickle.loads(cloudpickle.dumps(derived))(3.0) == derived(3.0)


def test_methods():
    """A derivative of a method is a method too."""
    assert Model().slope(2.0) == 12.0
    assert Model().checkpointed(2.0) == 12.0


def test_values_that_a_derivative_holds_are_differentiated():
    """A derivative of a closure over a traced value moves with it, wherever it is called."""

    def f(x):
        slope = grad(lambda y: x * x * y * y)
        return checkpoint(slope)(3.0) + checkpoint(lambda g: g(3.0))(slope)

    # d/dy x² y² = 2 x² y, twice, at y = 3: 12 x².
    assert grad(f)(2.0) == pytest.approx(48.0)
    assert jvp(f, (2.0,), (1.0,))[1] == pytest.approx(48.0)


def test_pullbacks_and_pushforwards():
    """They are named after the function, whose lines they lead to, and keep their own documentation."""

    def loss(x):
        return x**2

    for derivative, kind, parameters in (
        (vjp(loss, 2.0)[1], "pullback", "(y_bar: Any) -> Any"),
        (linearize(loss, 2.0)[1], "pushforward", "(*tangents: Any) -> Any"),
    ):
        assert derivative.__name__ == f"loss_{kind}"
        assert derivative.__qualname__ == f"{loss.__qualname__}_{kind}"
        assert repr(derivative) == f"<{kind} of loss at {describe_place(loss)}>"
        assert not hasattr(derivative, "other")
        assert inspect.getsourcelines(derivative) == inspect.getsourcelines(loss)
        assert str(inspect.signature(derivative)) == parameters
        assert "cotangent" in derivative.__doc__ or "tangent of the result" in derivative.__doc__
    assert repr(vjp(np.sin, 2.0)[1]) == "<pullback of numpy.sin>"
    assert vjp(functools.partial(loss), 2.0)[1].__name__ == "partial_pullback"


def test_pullbacks_travel():
    """Once and again, as between the processes of a cluster, with their names."""
    _, pullback = vjp(loss, 3.0)
    pushforward = linearize(loss, 3.0)[1]
    for derivative, expected in ((pullback, (3.0,)), (pushforward, 3.0)):
        travelled = derivative
        for _ in range(2):
            travelled = pickle.loads(cloudpickle.dumps(travelled))
        assert travelled(1.0) == expected
        assert travelled.__name__ == derivative.__name__
        with pytest.raises(AttributeError, match="has no attribute 'other'"):
            _ = travelled.other
