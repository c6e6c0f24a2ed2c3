"""The backend of PyTorch's tensors: calls of primitives with them are adapted, and differentiated."""

from typing import Any

import torch

from chainrules.adapters.torch.adapted import call
from chainrules.adapters.torch.host import arrays_of

__all__ = ["call", "primal"]


def primal(x: torch.Tensor) -> Any:
    """The array in a tensor.

    Raises
    ------
    AdapterError
        If it cannot be read by NumPy.
    """
    return arrays_of([x])[0]
