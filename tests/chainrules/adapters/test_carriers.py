"""The tensors of frameworks are carriers by their names."""

import subprocess
import sys

import pytest

from chainrules.adapters.carriers import Bridge
from chainrules_core import backend_of


@pytest.mark.parametrize(
    ("module", "name", "framework"),
    [
        ("torch", "Tensor", "torch"),
        ("jax._src.core", "Tracer", "jax"),
        ("jaxlib._jax", "ArrayImpl", "jax"),
        ("autograd.tracer", "Box", "autograd"),
        ("pytensor.graph.basic", "Variable", "pytensor"),
        ("mygrad.tensor_base", "Tensor", "mygrad"),
    ],
)
def test_tensor_of_a_framework_is_a_carrier(module, name, framework):
    """Whether or not the framework is installed, and nothing had to be imported."""
    cls = type(name, (), {"__module__": module, "__qualname__": name})
    assert backend_of(cls) == Bridge(f"chainrules.adapters.{framework}.backend")


def test_bridge_hands_the_call_to_its_module(monkeypatch):
    """The module has the two functions of a backend."""
    module = type(sys)("bridge_of_test")
    module.call = lambda f, args, kwargs: f(*args, **kwargs)
    module.primal = lambda x: x.real
    monkeypatch.setitem(sys.modules, "bridge_of_test", module)
    assert Bridge("bridge_of_test").call(max, (1, 2), {}) == 2
    assert Bridge("bridge_of_test").primal(1 + 2j) == 1.0


def test_names_of_carriers_are_read_when_they_are_needed():
    """A program that marks functions, and calls them with numbers and arrays, imports no bridge."""
    program = (
        "import sys, numpy as np\n"
        "from chainrules_core import backend_of, primitive\n"
        "primitive(np.sin)(np.ones(2)); primitive(np.sin)(1.0)\n"
        "assert 'chainrules.adapters.carriers' not in sys.modules\n"
        "Tensor = type('Tensor', (), {'__module__': 'torch', '__qualname__': 'Tensor'})\n"
        "assert backend_of(Tensor) is not None\n"
        "assert 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
