"""Putting traced values in the place of numbers and arrays, finding them, and taking them out again."""

import enum
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.traced.instances import register
from chainrules.ad.traced.lost_derivatives import warn_of_lost_derivative
from chainrules.ad.traced.masked_arrays import TracedMasked
from chainrules.ad.traced.traced_classes import TRACED, traced_value
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.views import snapshot
from chainrules.ad.values.plain_values import (
    BUILTIN_CONTAINERS,
    DOUBLE,
    FLOATS,
    FREQUENT,
    has_rules,
    redefined_in,
)
from chainrules.ad.values.repeated_instances import is_instance, repeated_instance
from chainrules.ad.values.structures import Path, has_parts, parts_of, with_parts, within
from chainrules_core import AbstractArray, contains_carrier
from chainrules_core.speed import ORDINARY_CLASSES, STAND_INS

_NUMBERS = (float, complex, np.inexact, TracedValue)

# Values of these classes are no numbers or arrays, which takes long to find out of other classes.
_WITHOUT_DERIVATIVE = frozenset(
    {bool, dict, int, list, str, tuple, types.BuiltinFunctionType, types.FunctionType, type(None)}
)


def is_traced(x: Any) -> bool:
    """Whether a value is traced, or holds a traced value."""
    return innermost_trace((x,)) is not None


def innermost_trace(values: Any) -> Any:
    """The latest trace among the traces of the values and of their parts; `None` if nothing is traced."""
    innermost = None
    pending = list(values)
    seen: dict[int, Any] = {}  # with the values, so that no number is used again
    while pending:
        x = pending.pop()
        if isinstance(x, TracedValue):
            if innermost is None or x._trace.number > innermost.number:
                innermost = x._trace
        elif type(x) not in ORDINARY_CLASSES and id(x) not in seen and contains_carrier(x) and has_parts(x):
            seen[id(x)] = x
            pending.extend(parts_of(x).values())
    return innermost


def untraced(
    x: Any, trace: Any, path: Path = (), holders: tuple[int, ...] = ()
) -> tuple[Any, list[tuple[Path, Any]]]:
    """Replace each traced value of one trace by the value itself, inside containers and closures too.

    Returns
    -------
    value
        `x` itself where nothing in it is traced. What another trace traces stays so, as it is now: a program
        may write into it later.
    traced_parts
        The records of the traced values, each with the path to it.

    Raises
    ------
    TypeError
        If a value holds traced values, and itself.
    """
    if isinstance(x, TracedValue):
        if x._trace is not trace:
            x = without_ended(x, trace)
        if is_traced_by(x, trace):
            return x._value, [(path, x._record)]
        return (snapshot(x) if isinstance(x, TracedValue) else x), []
    if not is_traced(x):
        return x, []
    replaced, traced_parts = {}, []
    holders = within(x, holders)
    parts = parts_of(x)
    for key, part in parts.items():
        replaced[key], found = untraced(part, trace, (*path, key), holders)
        traced_parts += found
    is_changed = any(replaced[key] is not part for key, part in parts.items())
    return (with_parts(x, replaced), traced_parts) if is_changed else (x, [])


def traced(
    x: Any, trace: Any, record: Callable[[], Any], holders: tuple[int, ...] = (), inside: bool = False
) -> tuple[Any, Any]:
    """Trace every real or complex number and array in a value.

    An instance of an ordinary class that holds itself, or another one with numbers twice, stays as it is.

    Parameters
    ----------
    x
        The value.
    trace
        The differentiation.
    record
        Makes the record of each traced value.
    holders
        The values with parts that hold this one: see `within`.
    inside
        Whether one of these is an instance of an ordinary class.

    Returns
    -------
    value
        `x` with traced values in it.
    records
        The record of a number or array; for a container a dict from field names, positions or keys to the
        records of the parts; `None` where nothing is traced.
    """
    if x.__class__ is np.ndarray and x.dtype is DOUBLE:  # as below, in two thirds of the time
        made = record()
        y = TracedValue()
        y._value, y._record, y._trace = x, made, trace
        return y, made
    if is_differentiable(x):
        if x.__class__ not in FREQUENT:
            refuse_operators_of_its_own(x)
        made = record()
        return traced_value(snapshot(x) if x.__class__ in TRACED else x, made, trace), made
    return _traced_by_parts(x, trace, record, holders, inside)


def _traced_by_parts(
    x: Any, trace: Any, record: Callable[[], Any], holders: tuple[int, ...], inside: bool
) -> tuple[Any, Any]:
    if not has_parts(x):
        return x, None
    if x.__class__ not in BUILTIN_CONTAINERS and is_instance(x):
        if id(x) in holders if inside else repeated_instance(x, is_differentiable) is not None:
            return x, None  # if an instance inside another one holds itself, it holds no numbers
        inside = True
    holders = within(x, holders)
    values, records = {}, {}
    for key, part in parts_of(x).items():
        values[key], made = traced(part, trace, record, holders, inside)
        if made is not None:
            records[key] = made
    if not records:
        return x, None
    given = with_parts(x, values)
    if inside:
        register(x, given, trace)
    return given, records


def refuse_operators_of_its_own(x: Any) -> None:
    """Raise if a number or array to differentiate by computes in a way of its own.

    Raises
    ------
    TypeError
        If it does: the value would be computed in that way, and the derivative would not.
    """
    name = redefined_in(type(x))
    if name is not None:
        plain = "np.asarray(x)" if isinstance(x, np.ndarray) else "float(x)"
        raise TypeError(
            f"A {type(x).__name__} has operators of its own, or methods such as `{name}`, and its "
            f"derivatives would be those of the class above. Differentiate by `{plain}`, and make the "
            f"{type(x).__name__} of it inside by a function with a rule."
        )


def record_of(x: Any, trace: Any, default: Any = None) -> Any:
    """The record of a value; the default if this trace does not trace it."""
    x = without_ended(x, trace)
    return x._record if is_traced_by(x, trace) else default


def without_ended(x: Any, trace: Any) -> Any:
    """`x`, or what it was made of if it was kept from a differentiation that has ended inside of `trace`.

    Of one that had ended before `trace` began it is a constant, of which the program is warned.
    """
    given = x
    while isinstance(x, TracedValue) and x._trace is not trace and x._trace.has_ended:
        x = x._value
    if x is not given and not isinstance(x, TracedValue) and given._trace.number < trace.number:
        warn_of_lost_derivative(
            trace,
            "A value that was kept from an earlier differentiation is used",
            "It is a constant by now, and its derivative is lost. What a program computes once and looks up "
            "later, as in a cache, has to be computed in each differentiation; if a constant is meant, keep "
            "`chainrules_core.primal_of(x)`.",
        )
    return x


def bring_up_to_date(y: Any, trace: Any, holders: tuple[int, ...] = ()) -> None:
    """Let views and filled arrays in a result have their elements now, while these are still traced.

    Of values in it that were kept from an earlier differentiation the program is warned: see `without_ended`.

    Raises
    ------
    TypeError
        If the value holds itself, or is a masked array.
    """
    if isinstance(y, TracedValue):
        y._value  # noqa: B018 - to read it is enough
        without_ended(y, trace)
    elif y.__class__ is TracedMasked:
        raise TypeError(
            "The result is a masked array, which has no tangent: return `y.filled(0.0)` or `y.compressed()`."
        )
    elif y.__class__ not in ORDINARY_CLASSES and contains_carrier(y) and has_parts(y):
        holders = within(y, holders)
        for part in parts_of(y).values():
            bring_up_to_date(part, trace, holders)


def is_traced_by(x: Any, trace: Any) -> bool:
    """Whether a value is one that this trace traces."""
    return isinstance(x, TracedValue) and x._trace is trace


def flat_records(records: Any) -> list[Any]:
    """The records that `traced` returns, in the order in which it made them."""
    if isinstance(records, dict):
        return [record for part in records.values() for record in flat_records(part)]
    return [] if records is None else [records]


def is_differentiable(x: Any) -> bool:
    """Whether `x` is a real or complex number or array, structured or sparse ones too, or a traced value."""
    cls = type(x)
    if cls is np.ndarray:
        return x.dtype.kind in "fc"
    if cls in FLOATS or cls in TRACED:
        return True
    if cls in _WITHOUT_DERIVATIVE:
        return False
    if isinstance(x, np.ndarray):
        return x.dtype.kind in "fc"
    if cls not in STAND_INS and isinstance(x, AbstractArray):
        is_whole = has_rules(cls) or not has_parts(x)
        return is_whole and getattr(x.dtype, "kind", None) in ("f", "c")
    # A member of an enumeration is one of a few, also if these are floats.
    return isinstance(x, _NUMBERS) and not isinstance(x, enum.Enum)
