"""How a call with traced values becomes a node of the record: by the rule of the function that is called."""

import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chainrules.ad.config import CONFIG, ADConfig
from chainrules.ad.mutation import watched
from chainrules.ad.nodes import Node, Path, Trace
from chainrules.ad.structures import has_parts, parts_of, structural_tangent, with_parts
from chainrules.ad.tracing import TracedValue, innermost_trace, is_differentiable, is_traced, untraced
from chainrules_core import RuleNotFoundError, ZeroTangent, bind_keywords, register_carrier, rrule
from chainrules_core.callees import unwrap_primitive
from chainrules_core.carrier_search import ORDINARY
from chainrules_core.descriptions import describe_callee
from chainrules_core.fields import field_names

Parents = list[Node | list[tuple[Path, Node]] | None]

# In the place of a result: the rule opts out, and the body of the function is to be traced.
_OPTED_OUT = object()

# Calling one of these with a traced value comes back here.
_INTERCEPTED = (np.ufunc, types.BuiltinFunctionType, type(np.sum))


def apply(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any] | None = None) -> Any:
    """Call a function by its rule, and trace its result.

    Parameters
    ----------
    f
        A function; a closure or a callable object may hold traced values itself.
    args, kwargs
        Its arguments. Keyword arguments that are traced are moved to their positional places.

    Raises
    ------
    RuleNotFoundError
        If something is traced and there is no rule, or a traced value can only be given by keyword.
    """
    if not kwargs and (type(f) in ORDINARY or getattr(f, "__closure__", f) is None):
        # Nearly all calls: of a function without data, with values of one trace, numbers and arrays.
        trace: Trace | None = None
        values: list[Any] = [f]
        parents: Parents = [None]
        for x in args:
            cls = type(x)
            if cls is TracedValue and (trace is None or trace is x.trace):
                trace = x.trace
                values.append(x.value)
                parents.append(x.node)
            elif cls in ORDINARY:
                values.append(x)
                parents.append(None)
            else:
                break
        else:
            if trace is not None:
                y = _call_rule(values, {}, parents, trace)
                return f(*args) if y is _OPTED_OUT else y
    return _apply_inspected(f, args, kwargs or {})


def _apply_inspected(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """`apply`, where keyword arguments, containers, closures or nested traces may be involved."""
    if kwargs:
        args, kwargs = bind_keywords(f, tuple(args), kwargs, is_traced)
    inputs = (f, *args)
    trace = innermost_trace(inputs)
    if trace is None:
        return f(*args, **kwargs)
    values, parents = [], []
    for x in inputs:
        value, held = untraced(x, trace)
        values.append(value)
        # The value itself was traced if the path to what was traced is empty.
        parents.append(held[0][1] if held and not held[0][0] else held or None)
    y = _call_rule(values, kwargs, parents, trace)
    return f(*args, **kwargs) if y is _OPTED_OUT else y


def _call_rule(values: list[Any], kwargs: dict[str, Any], parents: Parents, trace: Trace) -> Any:
    """Call a function, the first of `values`, by its rule, and trace its result."""
    # As `rrule(CONFIG, *values, **kwargs)`, in half the time where that was called before.
    function, *operands = values
    try:
        remembered = rrule.remembered((ADConfig, function, *map(type, operands)))
    except TypeError:  # it is not hashable
        remembered = None
    if remembered is None or remembered[1]:
        answer = rrule(CONFIG, *values, **kwargs)
    else:
        answer = remembered[0](*values, **kwargs)
    if answer is None:
        if rrule.opted_out(CONFIG, *values) and not isinstance(function, _INTERCEPTED):
            return _OPTED_OUT
        raise RuleNotFoundError(rrule.explain(CONFIG, *values))
    y, pullback = answer
    if getattr(pullback, "gives_no_tangents", False):
        return y  # a constant, which may go where traced values may not
    if trace.watches_arrays:
        pullback = watched(pullback, function, values)
    node = Node(parents, pullback)
    if type(y) is float or type(y) is np.float64:
        return TracedValue(y, node, trace)
    return _traced_result(function, y, node, trace)


TracedValue._call = staticmethod(apply)  # noqa: SLF001 - the operators of a traced value come here directly


def call(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a function by its rule, where NumPy's protocols cannot reach it: one's own, of `math`, of SciPy.

    Without traced arguments it just calls `f`. A function that is marked by `chainrules_core.primitive` needs
    no such help.

    Raises
    ------
    RuleNotFoundError
        If an argument is traced and `f` has no rule.

    Examples
    --------
    >>> import operator
    >>> from chainrules.ad import call, grad
    >>> grad(lambda x: call(operator.mul, x, x))(3.0)
    6.0
    """
    return apply(unwrap_primitive(f), args, kwargs)


def _traced_result(f: Any, y: Any, node: Node, trace: Trace) -> Any:
    """Trace each of several results; what has no derivative, such as an integer, stays what it is."""
    if is_differentiable(y):
        if type(y) is TracedValue and y.trace is trace:
            raise _hidden_value(f)
        return TracedValue(y, node, trace)
    if not has_parts(y):
        _refuse_opaque(f, y)
        return y
    parts = parts_of(y)
    results = {
        key: _traced_result(f, part, _part_node(node, type(y), len(parts), key), trace)
        for key, part in parts.items()
    }
    return with_parts(y, results) if any(results[key] is not parts[key] for key in parts) else y


def _part_node(node: Node, cls: type, length: int, key: Any) -> Node:
    """The node of one of several results: its cotangent is one part of the cotangent of them all."""

    def part_pullback(part_bar: Any) -> tuple[Any, Any]:
        return None, structural_tangent(cls, length, {key: part_bar}, other=ZeroTangent())

    return Node((None, node), part_pullback)


def _hidden_value(f: Any) -> TypeError:
    return TypeError(
        f"The rule of {describe_callee(f)} met a traced value that was not among its arguments, so that the "
        "derivative by it would be lost: a global variable, or an attribute of an object other than a "
        "container, a dataclass or a closure. Pass it as an argument."
    )


def _refuse_opaque(f: Any, y: Any) -> None:
    """Raise an error rather than lose the derivatives of an object that is not taken apart."""
    names = field_names(y)
    if any(is_differentiable(getattr(y, name, None)) for name in names if isinstance(name, str)):
        raise TypeError(
            f"{describe_callee(f)} returned a {type(y).__name__}, whose numbers depend on traced values but "
            "cannot be traced. Let it return numbers, arrays, or tuples, lists, dicts and dataclasses of "
            "them."
        )


class TracingBackend:
    """What `primitive` and dispatch need to know of traced values: see `chainrules_core.Backend`."""

    def call(self, f: Callable[..., Any], args: tuple[Any, ...], kwargs: Any) -> Any:
        """Call `f` by its rule, and trace its result."""
        return apply(f, args, dict(kwargs))

    def primal(self, x: TracedValue) -> Any:
        """The value that is traced."""
        return x.value


register_carrier(TracedValue.__module__, TracedValue.__qualname__, TracingBackend())
