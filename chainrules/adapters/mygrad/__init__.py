"""The bridge to mygrad: functions over NumPy that mygrad differentiates, backwards and once."""

from chainrules.adapters.mygrad.adapting import to_mygrad

__all__ = ["to_mygrad"]
