"""Methods in C of numbers and arrays, called as functions of their object: ``float.__mul__(x, 2.0)``."""

from typing import Any

import numpy as np

from chainrules.ad.syntax.hooks import registered
from chainrules.ad.traced.traced_classes import TRACED


class MethodOfValues:
    """A method as a function of its object; of a traced value, it is the method that this has.

    Parameters
    ----------
    f
        The method, of the class of the value that is carried.
    """

    __slots__ = ("_f",)

    def __init__(self, f: Any) -> None:
        self._f = f

    def __call__(self, x: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call the method of `x`."""
        f = self._f
        if x.__class__ not in TRACED:
            return f(x, *args, **kwargs)
        return registered("attribute")(x, f.__name__)(*args, **kwargs)


def of_values(f: Any) -> Any:
    """A method in C of a class, for traced values too if it is one of numbers or arrays; else itself."""
    owner: type = getattr(f, "__objclass__", object)
    return MethodOfValues(f) if issubclass(owner, float | complex | np.ndarray | np.generic) else f
