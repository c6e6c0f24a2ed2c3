"""How a call with traced values becomes an operation of a differentiation."""

import operator
import types
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakSet

from chainrules.ad.calls.rule_inputs import rule_input
from chainrules.ad.traced.instances import attributes_in, check_nothing_assigned
from chainrules.ad.traced.trace import CONSTANT, OPTED_OUT, Trace
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.tracing import innermost_trace, is_traced, untraced
from chainrules.ad.traced.views import TracedView, plain_array
from chainrules.ad.values.plain_values import FREQUENT, SEQUENCES
from chainrules.ad.values.structures import Path
from chainrules_core import RuleNotFoundError, bind_keywords, register_carrier
from chainrules_core.speed import ORDINARY_CLASSES

# Forgotten with the function. Functions of libraries that close over others, as a decorator does, and over
# nothing that is traced. They are not looked into at each call.
HOLDING_NOTHING: WeakSet[types.FunctionType] = WeakSet()


def apply(  # noqa: C901 - each kind of argument for itself, for speed
    f: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any] | None = None,
    body: Callable[..., Any] | None = None,
) -> Any:
    """Call a function by its rule, and trace its result.

    Parameters
    ----------
    f
        A function; a closure or a callable object may hold traced values itself.
    args, kwargs
        Its arguments. Keyword arguments that are traced are moved to their positional places.
    body
        What to call where nothing is traced, or there is no rule.

    Raises
    ------
    RuleNotFoundError
        If something is traced, there is no rule, or a traced value can only be given by keyword, and no body.
    """
    cls = f.__class__
    if (
        cls in ORDINARY_CLASSES
        or getattr(f, "__closure__", f) is None
        or (cls is types.FunctionType and f in HOLDING_NOTHING)
    ):
        # Nearly all calls: of a function without data, with values of one trace, numbers and arrays.
        trace: Trace | None = None
        values: list[Any] = []
        records: list[Any] = [CONSTANT]
        for x in args:
            cls = x.__class__
            if cls in TRACED:
                if trace is not None and trace is not x._trace:
                    return _apply_beside_constants(f, args, kwargs or {}, body)
                trace = x._trace
                values.append(x._value)
                records.append(x._record)
            elif (
                cls in ORDINARY_CLASSES
                or (cls in SEQUENCES and ORDINARY_CLASSES.issuperset(map(type, x)))  # as a shape, or axes
                or (cls is types.FunctionType and x.__closure__ is None)
            ):
                values.append(x)
                records.append(CONSTANT)
            elif (found := _trace_of_items(x, trace)) is not None:
                trace = found
                value, traced_parts = _items_taken_out(x)
                values.append(rule_input(value, trace) if trace.keeps_arguments else value)
                records.append(trace.record_of_container(value, traced_parts))
            else:
                break
        else:
            if trace is None:
                if not kwargs:
                    return (body or f)(*args)
            elif not kwargs or not any(map(is_traced, kwargs.values())):
                y = trace.call(f, tuple(values), tuple(records), kwargs, body is not None)
                if y is OPTED_OUT:
                    return (body or f)(*args, **(kwargs or {}))
                return trace.as_view(f, args, kwargs, y)
    return _apply_inspected(f, args, kwargs or {}, body)


def _trace_of_items(x: Any, trace: Trace | None) -> Trace | None:
    """The trace of the items of a list or tuple, if it is one, and all are numbers and arrays, some traced.

    Such as what `np.stack` takes. `None` too, if the other arguments have another trace.
    """
    if x.__class__ not in SEQUENCES:
        return None
    found = trace
    of_items = False
    for item in x:
        cls = item.__class__
        if cls is TracedValue or cls is TracedView:
            if (found is not None and found is not item._trace) or item._value.__class__ not in FREQUENT:
                return None
            found, of_items = item._trace, True
        elif cls not in FREQUENT:
            return None
    return found if of_items else None


def _items_taken_out(x: Any) -> tuple[Any, list[tuple[Path, Any]]]:
    """As `untraced`, for a list or tuple that `_trace_of_items` is of."""
    value = x.__class__([item._value if item.__class__ in TRACED else item for item in x])
    return value, [((place,), item._record) for place, item in enumerate(x) if item.__class__ in TRACED]


def apply_to_two(f: Callable[..., Any], x: TracedValue, y: TracedValue) -> Any:
    """Call an operator or a ufunc, whose result is a new value, with two traced values.

    Where one of them depends on nothing, the call takes two thirds of the time of `apply`.
    """
    trace, other = x._trace, y._trace
    if trace is other:
        return trace.call(f, (x._value, y._value), (CONSTANT, x._record, y._record))
    if other.is_constant:
        return trace.call(f, (x._value, plain_array(y)), (CONSTANT, x._record, CONSTANT))
    if trace.is_constant:
        return other.call(f, (plain_array(x), y._value), (CONSTANT, CONSTANT, y._record))
    return apply(f, (x, y))


def _apply_beside_constants(
    f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], body: Callable[..., Any] | None
) -> Any:
    """`apply`, with values of one trace and arrays that depend on nothing, which is quicker."""
    of_others = [x for x in args if x.__class__ in TRACED and not x._trace.is_constant]
    trace = of_others[0]._trace if of_others else None  # traced values may all be in lists
    if (
        trace is None
        or kwargs
        or any(x._trace is not trace for x in of_others)
        or any(x.__class__ not in TRACED and x.__class__ not in ORDINARY_CLASSES for x in args)
    ):
        return _apply_inspected(f, args, kwargs, body)
    values, records = [], [CONSTANT]
    for x in args:
        is_traced_here = x.__class__ in TRACED and x._trace is trace
        values.append(x._value if is_traced_here else plain_array(x) if x.__class__ in TRACED else x)
        records.append(x._record if is_traced_here else CONSTANT)
    y = trace.call(f, tuple(values), tuple(records), kwargs, body is not None)
    return (body or f)(*args) if y is OPTED_OUT else trace.as_view(f, args, kwargs, y)


def _apply_inspected(
    f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], body: Callable[..., Any] | None
) -> Any:
    """`apply`, where traced keyword arguments, containers, closures or nested traces may be involved."""
    given = args, kwargs
    if kwargs:
        try:
            args, kwargs = bind_keywords(f, tuple(args), _with_plain_constants(kwargs), is_traced)
        except RuleNotFoundError:
            if body is None:
                raise
            return body(*given[0], **given[1])
    inputs = (f, *args)
    trace = innermost_trace(inputs)
    if trace is None:
        return (body or f)(*args, **kwargs)
    values, records, attributes = [], [], []
    for x in inputs:
        value, traced_parts = untraced(x, trace)
        if traced_parts and traced_parts[0][0] and trace.keeps_arguments:
            value = rule_input(value, trace)
        values.append(value)
        records.append(_record_of_argument(value, traced_parts, trace))
        if traced_parts and traced_parts[0][0]:
            attributes += attributes_in(value)
    y = trace.call(values[0], tuple(values[1:]), tuple(records), kwargs, body is not None)
    if attributes:
        check_nothing_assigned(f, attributes)
    return (body or f)(*given[0], **given[1]) if y is OPTED_OUT else trace.as_view(f, tuple(args), kwargs, y)


def _with_plain_constants(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Keyword arguments, with constants unwrapped to plain arrays, which need no positional place.

    An array that is written into stays as it is.
    """
    return {
        name: plain_array(x) if x.__class__ in TRACED and x._trace.is_constant and name != "out" else x
        for name, x in kwargs.items()
    }


def _record_of_argument(x: Any, traced_parts: list[tuple[Path, Any]], trace: Trace) -> Any:
    if not traced_parts:
        return CONSTANT
    path, record = traced_parts[0]
    # The path to a traced value is empty if it is the argument itself.
    return trace.record_of_container(x, traced_parts) if path else record


# The functions behind `x += y` and the like, and `x[i] = y`.
_STATEMENTS = {operator.setitem} | {
    getattr(operator, f"i{name}")
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "concat")
}


def is_statement(f: Any, args: tuple[Any, ...]) -> bool:
    """Whether a call belongs to ``x += y`` or ``x[i] = y`` for a traced ``x``, whose methods serve it."""
    return type(f) is types.BuiltinFunctionType and f in _STATEMENTS and isinstance(args[0], TracedValue)


class TracingBackend:
    """How `primitive` and dispatch handle traced values: see `chainrules_core.Backend`."""

    def call(self, f: Callable[..., Any], args: tuple[Any, ...], kwargs: Any) -> Any:
        """Call `f` by its rule, and trace its result."""
        return f(*args) if is_statement(f, args) else apply(f, args, dict(kwargs))

    # The value that is traced. Not a function of Python, since rules ask for it many times.
    primal = operator.attrgetter("_value")


register_carrier(TracedValue.__module__, TracedValue.__qualname__, TracingBackend())
