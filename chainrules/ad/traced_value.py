"""The value that a program being differentiated computes with in place of a number or an array."""

from typing import Any, NoReturn

from chainrules.ad.array_methods import ArrayMethods
from chainrules.ad.array_protocols import ArrayProtocols
from chainrules.ad.operators import Operators
from chainrules_core import primal_of


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

    def __format__(self, form: str) -> str:
        return format(primal_of(self), form) if form else str(self)

    # Nothing writes into a traced value. What copied its slots would be unknown to the record.
    def __copy__(self) -> "TracedValue":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "TracedValue":
        return self

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(
            "A traced value was about to be pickled, which would lose its derivative. For the plain value, "
            "without derivatives, write `chainrules_core.primal_of(x)`."
        )


class TracedObject(TracedValue):
    """An object that was made from traced values, such as a spline, and can be called.

    A class of its own, since what `callable` says of a class it says of all its instances, and no number is.
    """

    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the object by the rule of its class."""
        return self._call(self, args, kwargs)


def carrier_class(x: Any) -> type[TracedValue]:
    """What carries a number or an array, or what another differentiation traces, which may be an object."""
    return TracedObject if x.__class__ is TracedObject else TracedValue
