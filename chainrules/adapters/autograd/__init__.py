"""The bridge to autograd: functions over NumPy that autograd differentiates, in both modes, to any order."""

from chainrules.adapters.autograd.adapting import to_autograd

__all__ = ["to_autograd"]
