"""Tests of primitives that are called with tensors."""

import numpy as np
import pytest
import scipy.linalg

torch = pytest.importorskip("torch")

from chainrules.ad import grad  # noqa: E402 - after the question for the framework
from chainrules.adapters import AdapterError  # noqa: E402 - after the question for the framework
from chainrules.adapters.torch import backend, from_torch  # noqa: E402 - after the question for the framework
from chainrules_core import MixedCarriersError, primal_of, primitive, rrule  # noqa: E402 - after the question for the framework


def test_primitives_are_functions_of_pytorch():
    """Called with tensors, a primitive is differentiated by PyTorch."""
    A, b = torch.eye(2, dtype=torch.float64, requires_grad=True), torch.ones(2, dtype=torch.float64)
    primitive(scipy.linalg.solve)(A, b).sum().backward()
    assert A.grad.tolist() == [[-1.0, -1.0], [-1.0, -1.0]]
    y = primitive(np.sum)([b, b], axis=0)
    assert y.tolist() == [2.0, 2.0]


def test_primals():
    """The array in a tensor; rules are found for it."""
    x = torch.ones(2, dtype=torch.float64)
    assert backend.primal(x).tolist() == primal_of(x).tolist() == [1.0, 1.0]
    assert rrule.require(np.sin, np.ones(2)) is not None
    with pytest.raises(AdapterError, match="bfloat16"):
        backend.primal(x.bfloat16())


def test_tensors_beside_traced_values():
    """They are refused."""
    x = torch.ones(2, dtype=torch.float64)
    with pytest.raises(MixedCarriersError):
        grad(lambda y: np.sum(primitive(np.multiply)(x, y)))(np.ones(2))


def test_functions_of_pytorch_are_called_as_they_are():
    """So their parameters have gradients too."""
    layer = torch.nn.Linear(2, 1)
    from_torch(layer)(torch.ones(2)).sum().backward()
    assert layer.weight.grad.tolist() == [[1.0, 1.0]]
