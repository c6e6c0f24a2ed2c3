"""What bridges take."""

import numpy as np
import pytest

import chainrules.adapters
from chainrules.adapters import AdapterError
from chainrules.adapters.callees import checked_callee
from chainrules_core import primitive


def test_functions_are_taken():
    """Of a primitive, the function itself."""
    assert checked_callee(np.sin, "to_torch") is np.sin
    assert checked_callee(primitive(np.sin), "to_torch") is np.sin
    assert checked_callee(int, "to_torch") is int


def test_functions_of_the_framework_are_refused():
    """They take its tensors as they are. What `from_torch` takes is of the framework, most of all."""

    class Layer:
        """Stands for a class of a framework."""

        def __call__(self, x):
            """Nothing."""
            return x

    Layer.__module__ = "torch.nn.modules.linear"

    def relu(x):
        return x

    relu.__module__ = "torch.nn.functional"
    for f in (relu, Layer()):
        with pytest.raises(AdapterError, match=r"to_torch\(.*\): this is a function of torch already"):
            checked_callee(f, "to_torch")
        assert checked_callee(f, "from_torch") is f


def test_functions_of_torch_in_c():
    """They name no module; the class that they belong to does."""
    torch = pytest.importorskip("torch")
    with pytest.raises(AdapterError, match="this is a function of torch already"):
        checked_callee(torch.sin, "to_torch")


def test_functions_of_jax():
    """Compiled ones are of jaxlib; one that came to NumPy is no function of JAX any more."""
    jax = pytest.importorskip("jax")
    for f in (jax.numpy.sin, jax.jit(lambda x: x)):
        with pytest.raises(AdapterError, match="this is a function of jax already"):
            checked_callee(f, "to_jax")
    assert chainrules.adapters.to_jax(chainrules.adapters.from_jax(jax.numpy.sin)) is jax.numpy.sin


@pytest.mark.parametrize("bridge", [name for name in chainrules.adapters.__all__ if "_" in name])
def test_others_are_refused(bridge):
    """At once, and not when the result is called."""
    pytest.importorskip(bridge.partition("_")[2])
    with pytest.raises(AdapterError, match=rf"{bridge}\(3\.0\): it takes a function, not a float"):
        getattr(chainrules.adapters, bridge)(3.0)
