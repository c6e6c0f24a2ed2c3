"""The bridge to PyTorch, in both directions."""

from chainrules.adapters.torch.adapted import to_torch
from chainrules.adapters.torch.host import HostTransferWarning
from chainrules.adapters.torch.torch_functions import from_torch
from chainrules.adapters.torch import torch_function_rules as _rules  # noqa: F401 - it registers them

__all__ = ["HostTransferWarning", "from_torch", "to_torch"]
