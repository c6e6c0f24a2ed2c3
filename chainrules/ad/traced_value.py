"""The value that a program being differentiated computes with in place of a number or an array."""

from typing import Any

from chainrules.ad.array_methods import ArrayMethods
from chainrules.ad.array_protocols import ArrayProtocols
from chainrules.ad.operators import Operators


class TracedValue(Operators, ArrayProtocols, ArrayMethods):
    """A value on its way through a program that is being differentiated. Use it like the value.

    Every operation on it is a call of a function with a rule: operators are the functions of `operator`,
    methods those of `numpy`. Its own attributes are private, since all public names are the value's.
    """

    # `_value` is what it carries, itself traced where differentiation is nested; `_trace` the differentiation
    # that it belongs to; `_record` what that knows of it: backwards its node, forwards its tangent.
    __slots__ = ("__weakref__", "_record", "_trace", "_value")

    def __init__(self, value: Any, record: Any, trace: Any) -> None:
        self._value = value
        self._record = record
        self._trace = trace

    def __repr__(self) -> str:
        return f"TracedValue({self._value!r}, {self._trace!r})"
