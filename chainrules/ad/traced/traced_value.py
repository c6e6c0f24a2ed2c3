"""Traced values: a program that is differentiated computes with them in the place of numbers and arrays."""

import functools
from collections.abc import Callable
from typing import Any

from chainrules.ad.traced.array_methods import ArrayMethods
from chainrules.ad.traced.array_protocols import ArrayProtocols
from chainrules.ad.traced.array_writes import ArrayWrites
from chainrules.ad.traced.formatted_text import formatted_text
from chainrules.ad.traced.operators import Operators
from chainrules_core import primal_of


class TracedValue(Operators, ArrayProtocols, ArrayWrites, ArrayMethods):
    """A value on its way through a program that is being differentiated. Use it like the value.

    Every operation on it is a call of a function with a rule: operators call the functions of `operator`,
    methods call the functions of `numpy`. Its own attributes are private: public names belong to the value.
    """

    # `_value` is the value, itself traced where differentiation is nested; `_trace` the differentiation to
    # which it belongs; `_record` is for that one alone: backwards a node, forwards a tangent.
    __slots__ = ("__weakref__", "_record", "_trace", "_value")

    # What stands in the slots, also where a subclass computes the attribute of that name: see below.
    _own_record: Any
    _own_trace: Any
    _own_value: Any

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._value!r}, {self._trace!r}, level {_level(self)})"

    def __format__(self, form: str) -> str:
        outermost = self  # whose differentiation ends last
        while isinstance(outermost._value, TracedValue):
            outermost = outermost._value
        as_value = form or self._trace.is_constant
        return formatted_text(format(primal_of(self), form) if as_value else str(self), outermost._trace)

    def __copy__(self) -> "TracedValue":
        copied = type(self)() if isinstance(self, TracedObject) else TracedValue()
        copied._value, copied._record, copied._trace = self._value, self._record, self._trace
        if copied._trace.is_constant:
            copied._value = copied._value.copy(order="K")  # it is written into in memory
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> "TracedValue":
        return self.__copy__()

    def __reduce_ex__(self, protocol: Any) -> Any:
        if self._trace.is_constant:
            return self._value.__reduce_ex__(protocol)
        raise TypeError(
            "A traced value was about to be pickled, which would lose its derivative. For the plain value, "
            "without derivatives, write `chainrules_core.primal_of(x)`."
        )


# Slots by a second name, which are read sooner than by a call of their descriptors.
for _slot in ("_record", "_trace", "_value"):
    setattr(TracedValue, f"_own{_slot}", TracedValue.__dict__[_slot])


def _own_if_no_array(name: str) -> Any:
    of_arrays = getattr(ArrayMethods, name)

    def attribute(self: Any) -> Any:
        is_array = hasattr(primal_of(self), "dtype")
        return of_arrays.__get__(self, type(self)) if is_array else self.__getattr__(name)

    return property(attribute, doc=f"As `numpy.{name}` for an array; otherwise the attribute of the object.")


class TracedObject(TracedValue):
    """A traced object, no number and no NumPy array: it has the fields and methods of its class too."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        value = primal_of(self)
        member = getattr(type(value), name, None)
        if callable(member) and not name.startswith("__"):
            return functools.partial(self._call_method, member)
        if name.startswith("__") or (member is None and not hasattr(value, name)):
            raise AttributeError(
                f"a traced {type(value).__name__} has no attribute {name!r}", name=name, obj=self
            )
        return self._trace.apply(getattr, (self, name))

    def _call_method(self, method: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        return self._trace.apply(method, (self, *args), kwargs)


class TracedCallable(TracedObject):
    """An object that can be called, such as a spline that was made from traced values.

    This is a class of its own, since `callable` asks the class of a value, and so answers for all its
    instances.
    """

    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the object by the rule of its class."""
        return self._trace.apply(self, args, kwargs)


# Other classes have the names of arrays too: distributions have a mean, polynomials can be copied, and
# anything may have a size.
for _name in dir(ArrayMethods):
    if not _name.startswith("_"):
        setattr(TracedObject, _name, _own_if_no_array(_name))


def _level(x: Any) -> int:
    """By how many differentiations a value is traced."""
    level = 0
    while isinstance(x, TracedValue):
        x, level = x._value, level + 1
    return level
