"""Bridges to other frameworks: a function over NumPy becomes differentiable by them, by the same rules."""

from chainrules.adapters.errors import AdapterError

__all__ = ["AdapterError"]
