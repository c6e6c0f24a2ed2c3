"""Tests of what is shown of functions that are made of functions."""

import functools
import inspect

import numpy as np

from chainrules.ad import grad, jacobian, value_and_grad
from chainrules.ad.wrapping import shown_as


def loss(x, rate=0.5):
    """The loss."""
    return rate * x * x


def test_name_documentation_and_signature():
    """Those of the function, as `functools.wraps` would show them."""
    for derived in (grad(loss), value_and_grad(loss), jacobian(loss)):
        assert (derived.__name__, derived.__qualname__, derived.__doc__) == ("loss", "loss", "The loss.")
        assert inspect.signature(derived) == inspect.signature(loss)
        assert inspect.unwrap(derived) is loss


def test_what_has_no_name():
    """Callable objects keep the name of what is made of them; ufuncs have a name but no qualified one."""
    assert grad(functools.partial(loss, rate=1.0)).__name__ == "gradient"
    assert grad(np.sin).__name__ == grad(np.sin).__qualname__ == "sin"


def test_the_function_is_not_changed():
    """Attributes are written to what is made of it alone."""

    def derived(x):
        return x

    assert shown_as(loss, derived) is derived
    assert not hasattr(loss, "__wrapped__")
