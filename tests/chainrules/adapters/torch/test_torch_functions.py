"""Tests of functions of PyTorch as functions over NumPy."""

import inspect
import pickle

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from chainrules.adapters import AdapterError  # noqa: E402 - after the question for the framework
from chainrules.adapters.torch.torch_functions import (  # noqa: E402 - after the question for the framework
    TorchFunction,
    from_torch,
    private_arrays,
    private_tensors,
)
from chainrules_core import contains_carrier, hiding_place  # noqa: E402 - after the question for the framework


def test_values():
    """Arrays go in and come out, in the containers; types are kept, and PyTorch records nothing."""
    recorded = []

    def f(x, d, n):
        recorded.append(torch.is_grad_enabled())
        return {"y": x * d["w"] ** n, "i": torch.argmax(x), "n": n}

    y = from_torch(f)(np.array([1.0, 3.0], dtype=np.float32), {"w": np.float32(2.0)}, 2)
    assert y["y"].dtype == np.float32
    assert y["y"].tolist() == [4.0, 12.0]
    assert (type(y["i"]), y["i"], y["n"]) == (np.int64, 1, 2)
    assert recorded == [False]
    assert isinstance(from_torch(torch.sin)(0.5), np.float64)


def test_memory_is_not_shared():
    """Neither with arguments nor with parameters, even if the function writes into its arguments."""
    x, layer = np.ones(2), torch.nn.Linear(2, 2)
    from_torch(lambda x: x)(x)[:] = 5.0
    assert from_torch(lambda x: x.mul_(3.0))(x).tolist() == [3.0, 3.0]
    assert x.tolist() == [1.0, 1.0]
    from_torch(lambda: layer.weight)()[:] = 0.0
    assert layer.weight.abs().max() > 0.0


@pytest.mark.parametrize("x", [np.arange(4.0)[::-2], np.broadcast_to(1.0, (2, 3)), np.ones(2, dtype=">f8")])
def test_arrays_of_all_kinds(x):
    """Reversed ones, such that cannot be written, and such with their bytes in another order."""
    assert private_arrays(private_tensors([x]))[0].tolist() == x.tolist()
    with pytest.raises(AdapterError, match="PyTorch has no such tensors"):
        private_tensors([np.array(["s"])])


def test_names():
    """The function's own; of a module, that of its class and the signature of its `forward`."""
    softplus = from_torch(torch.nn.functional.relu)
    assert (softplus.__name__, softplus.__doc__) == ("relu", torch.nn.functional.relu.__doc__)
    module = TorchFunction(torch.nn.Linear(2, 1))
    assert module.__name__ == "Linear"
    assert list(inspect.signature(module).parameters) == ["input"]
    assert repr(module) == "from_torch(Linear(in_features=2, out_features=1, bias=True))"


def test_parameters_are_hidden():
    """Nobody takes them for tensors in the arguments of a call."""
    f = TorchFunction(torch.nn.Linear(2, 1))
    assert not contains_carrier(f)
    assert hiding_place(f, lambda x: isinstance(x, torch.Tensor), beside_fields=True) is None


def test_functions_are_pickled():
    """With their parameters."""
    f = from_torch(torch.nn.Linear(2, 1))
    assert pickle.loads(pickle.dumps(f))(np.ones(2, np.float32)) == f(np.ones(2, np.float32))
