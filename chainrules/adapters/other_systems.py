"""Tensors of two AD systems in one call, which neither of them can differentiate."""

from typing import Any

from chainrules.adapters.errors import AdapterError
from chainrules_core import backend_of, describe_callee


def refuse_others(f: Any, rest: Any, tensor: Any) -> None:
    """Raise an `AdapterError` if the rest of a call with tensors has tensors of another system.

    They would be constants, whose gradient is lost. Objects and functions are not looked into: what they do
    with tensors of their own, as a network of another framework does, is their affair.
    """
    other = _carrier_in(rest, ())
    if other is not None:
        raise AdapterError(
            f"{describe_callee(f)} was called with values of two AD systems, {_class_name(tensor)} and "
            f"{_class_name(other)}. Convert one of them to a number or a NumPy array."
        )


def _carrier_in(x: Any, holders: tuple[int, ...]) -> Any:
    cls = type(x)
    if cls is not tuple and cls is not list and cls is not dict:
        return None if backend_of(cls) is None else x
    if id(x) in holders:
        return None
    parts = (_carrier_in(part, (*holders, id(x))) for part in (x.values() if cls is dict else x))
    return next((carrier for carrier in parts if carrier is not None), None)


def _class_name(x: Any) -> str:
    cls = type(x)
    return f"{cls.__module__.partition('.')[0]}.{cls.__name__}"
