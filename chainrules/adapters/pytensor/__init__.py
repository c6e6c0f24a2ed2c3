"""PyTensor: functions over NumPy as functions of its variables."""

from chainrules.adapters.pytensor.adapter import to_pytensor

__all__ = ["to_pytensor"]
