"""Calls of functions of `scipy.ndimage`: their arguments by name, one value for each axis."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import array_of
from chainrules_core import primal_of


class ImageCall:
    """A call of a function `name`, with positional arguments and others.

    Raises
    ------
    TypeError
        If the result is to be written into an array.

    Attributes
    ----------
    name
        The name of the function.
    arguments
        All arguments by name, defaults included.
    ndim
        The number of axes of the image.
    found
        What the rule has found out about the call, and needs for several arguments.
    """

    def __init__(
        self, signature: inspect.Signature, name: str, args: tuple[Any, ...], named: dict[str, Any]
    ) -> None:
        bound = signature.bind(*args, **named)
        bound.apply_defaults()
        self.arguments: dict[str, Any] = dict(bound.arguments)
        if not isinstance(self.arguments.get("output"), type | str | np.dtype | None):
            raise TypeError(
                f"scipy.ndimage.{name}(..., output=...) cannot be differentiated: writing into an array "
                f"leaves no trace for the derivative. Write `y = scipy.ndimage.{name}(...)` instead."
            )
        self.name = name
        self.found: Any = None
        self.ndim = len(shape_of(array_of(args[0])))

    def __getitem__(self, name: str) -> Any:
        return self.arguments[name]

    def get(self, name: str, default: Any = None) -> Any:
        """The argument of that name, where this version of SciPy has it."""
        return self.arguments.get(name, default)

    @property
    def axes(self) -> tuple[int, ...]:
        """The axes that are filtered, as numbers from zero."""
        axes = self.get("axes")
        if axes is None:
            return tuple(range(self.ndim))
        return tuple(axis % self.ndim for axis in (axes if isinstance(axes, Iterable) else (axes,)))

    def for_each_axis(self, name: str, n: int | None = None) -> list[Any]:
        """The values of an argument for the axes that are filtered, or for `n` axes."""
        return each(self.get(name), len(self.axes) if n is None else n)

    def changed(self, apply: Callable[..., Any], **changes: Any) -> Any:
        """Call a function with these arguments, some of which are others."""
        arguments = {**self.arguments, **changes}
        rest = arguments.pop("kwargs", {})
        return apply(**arguments, **rest)


def each(value: Any, n: int) -> list[Any]:
    """A list of `n` values, of one that may stand for all."""
    if isinstance(value, list | tuple):
        return list(value)
    is_single = isinstance(value, str) or not isinstance(value, Iterable) or shape_of(primal_of(value)) == ()
    return [value] * n if is_single else list(value)
