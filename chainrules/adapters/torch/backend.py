"""The backend of PyTorch's tensors: calls of primitives with them are adapted, and differentiated."""

from collections.abc import Mapping
from typing import Any

import torch

from chainrules.adapters.torch import adapted
from chainrules.adapters.torch.host import arrays_of
from chainrules.adapters.torch.torch_functions import TorchFunction


def call(f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Call a function over NumPy with tensors; or a function of PyTorch, without NumPy in between."""
    if isinstance(f, TorchFunction):
        return f.function(*args, **kwargs)
    return adapted.call(f, args, kwargs)


def primal(x: torch.Tensor) -> Any:
    """The array in a tensor.

    Raises
    ------
    AdapterError
        If it cannot be read by NumPy.
    """
    return arrays_of([x])[0]
