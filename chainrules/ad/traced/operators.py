"""The operators of Python on traced values: calls of the functions of `operator`, by their rules."""

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from chainrules.ad.traced.masked_arrays import MASKED, elementwise, plain_of
from chainrules.ad.traced.trace import CONSTANT, Trace
from chainrules.ad.values.kinds_of_arrays import check_kind, values_of
from chainrules.ad.values.plain_values import ARRAY_LIKE, FLOATS, FREQUENT, is_operand
from chainrules_core import contains_carrier, primal_of


def _binary(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        cls = other.__class__
        if cls in FREQUENT:
            return self._trace.call(f, (self._value, other), (CONSTANT, self._record, CONSTANT))
        if cls is self.__class__ or isinstance(other, Operators):
            trace = self._trace
            if trace is other._trace:
                return trace.call(f, (self._value, other._value), (CONSTANT, self._record, other._record))
            return trace.apply_to_two(f, self, other)
        if isinstance(other, MASKED):
            return elementwise(f, f, self, other)
        if is_operand(other):
            return self._trace.apply(f, (self, other))
        if not isinstance(other, ARRAY_LIKE):
            check_kind(other)
            return NotImplemented
        return self._trace.apply(f, (self, self._array_of(other)))

    return method


def _reflected(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    # Two traced values never come here: the operator of the left one has answered.
    def method(self: Any, other: Any) -> Any:
        if other.__class__ in FREQUENT:
            return self._trace.call(f, (other, self._value), (CONSTANT, CONSTANT, self._record))
        self._trace.forgive_operator(self, other)
        if is_operand(other):
            return self._trace.apply(f, (other, self))
        if not isinstance(other, ARRAY_LIKE):
            check_kind(other)
            return NotImplemented
        return self._trace.apply(f, (self._array_of(other), self))

    return method


def _unary(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return self._trace.call(f, (self._value,), (CONSTANT, self._record))

    return method


def _comparison(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        # The answer is a plain bool or an array of them, so that a program can branch on it.
        x = primal_of(self)
        if other.__class__ in FREQUENT:
            return f(x, other)
        if isinstance(other, ARRAY_LIKE):
            return f(x, primal_of(self._array_of(other)))
        if isinstance(other, MASKED):
            return f(x, plain_of(other))
        other = values_of(other)
        return f(x, primal_of(other)) if isinstance(other, Operators) or is_operand(other) else NotImplemented

    return method


def own_index(index: Any) -> Any:
    """An index that nobody else writes into before the derivative is taken, without traced parts."""
    cls = index.__class__
    if cls is tuple:
        return tuple(map(own_index, index))
    index = primal_of(index)
    return index.copy() if isinstance(index, list | np.ndarray) else index


class Operators:
    """The operators of a traced value."""

    __slots__ = ()

    _value: Any
    _record: Any
    _trace: Trace

    def _array_of(self, items: Any) -> Any:
        """A list or tuple as an array, by the rule of `np.array` if numbers in it are traced."""
        return self._trace.apply(np.array, (items,)) if contains_carrier(items) else np.asarray(items)

    __add__, __radd__ = _binary(operator.add), _reflected(operator.add)
    __sub__, __rsub__ = _binary(operator.sub), _reflected(operator.sub)
    __mul__, __rmul__ = _binary(operator.mul), _reflected(operator.mul)
    __truediv__, __rtruediv__ = _binary(operator.truediv), _reflected(operator.truediv)
    __floordiv__, __rfloordiv__ = _binary(operator.floordiv), _reflected(operator.floordiv)
    __mod__, __rmod__ = _binary(operator.mod), _reflected(operator.mod)
    __divmod__, __rdivmod__ = _binary(divmod), _reflected(divmod)
    __pow__, __rpow__ = _binary(operator.pow), _reflected(operator.pow)
    __matmul__, __rmatmul__ = _binary(operator.matmul), _reflected(operator.matmul)
    __neg__, __pos__, __abs__ = _unary(operator.neg), _unary(operator.pos), _unary(operator.abs)

    __eq__ = _comparison(operator.eq)
    __ne__ = _comparison(operator.ne)
    __lt__, __le__ = _comparison(operator.lt), _comparison(operator.le)
    __gt__, __ge__ = _comparison(operator.gt), _comparison(operator.ge)

    def __hash__(self) -> int:
        return id(self)

    def __getitem__(self, index: Any) -> Any:
        cls = index.__class__
        if cls is int or cls is slice:
            y = self._trace.call(operator.getitem, (self._value, index), (CONSTANT, self._record, CONSTANT))
            if y.__class__ is self.__class__ and y._value.__class__ in FLOATS:
                return y
            return self._trace.item(self, index, y)
        return self._trace.apply(operator.getitem, (self, own_index(index)))

    def __len__(self) -> int:
        return len(primal_of(self))

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, item: Any) -> bool:
        return primal_of(item) in primal_of(self)

    def __bool__(self) -> bool:
        return bool(primal_of(self))
