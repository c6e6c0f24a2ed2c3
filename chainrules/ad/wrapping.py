"""Functions made of functions, under the names of these."""

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def shown_as(f: Callable[..., Any], derived: Function) -> Function:
    """`derived` with the name, the documentation and the signature of `f`.

    As `functools.update_wrapper`, in half the time: programs write ``grad(loss)(x)`` in a loop.
    """
    derived.__wrapped__ = f  # type: ignore[attr-defined]  # where `inspect.signature` looks
    derived.__doc__ = f.__doc__
    name = getattr(f, "__name__", None)
    if name.__class__ is str:
        derived.__name__ = name
        derived.__qualname__ = getattr(f, "__qualname__", name)
    return derived
