"""The methods that write into an array, on traced values."""

import operator
from collections.abc import Callable
from numbers import Number
from typing import Any

import numpy as np

from chainrules.ad.traced.trace import Trace
from chainrules.ad.values.plain_values import ARRAYS, FLOATS
from chainrules_core import SparseArray, primal_of


def _in_place(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        y = f(self, other)
        is_changed = self._value.__class__ not in FLOATS and _changes(f, primal_of(self), primal_of(other))
        return self._trace.update(self, y) if is_changed else y  # the name gets a new number

    return method


def _changes(f: Any, x: Any, other: Any) -> bool:
    """Whether an augmented assignment changes a value: NumPy's arrays, and SciPy's if all is scaled."""
    if x.__class__ in ARRAYS:
        return True
    return f in _SCALING and isinstance(x, SparseArray) and isinstance(other, Number)


_SCALING = frozenset({operator.mul, operator.truediv})


class ArrayWrites:
    """Operators and methods that write into an array, with NumPy's meaning."""

    __slots__ = ()

    _value: Any
    _trace: Trace

    __iadd__, __isub__ = _in_place(operator.add), _in_place(operator.sub)
    __imul__, __itruediv__ = _in_place(operator.mul), _in_place(operator.truediv)
    __imod__, __ipow__ = _in_place(operator.mod), _in_place(operator.pow)
    __ifloordiv__, __imatmul__ = _in_place(operator.floordiv), _in_place(operator.matmul)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._trace.write(self, index, value)

    def fill(self, value: Any) -> None:
        """As the method of arrays."""
        self._trace.write(self, ..., value)

    def sort(self, axis: int = -1, **kwargs: Any) -> None:
        """As the method of arrays."""
        self._trace.write(self, ..., self._trace.apply(np.sort, (self, axis), kwargs))

    def partition(self, kth: Any, axis: int = -1, **kwargs: Any) -> None:
        """As the method of arrays."""
        self._trace.write(self, ..., self._trace.apply(np.partition, (self, kth, axis), kwargs))

    def put(self, indices: Any, values: Any, mode: str = "raise") -> None:
        """As `np.put`."""
        np.put(self, indices, values, mode)  # type: ignore[arg-type]  # NumPy asks a traced value
