"""The bridge to PyTorch, in both directions."""

from chainrules.adapters.torch.adapted import to_torch

__all__ = ["to_torch"]
