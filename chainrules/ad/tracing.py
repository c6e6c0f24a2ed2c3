"""Traced values, and how a call that involves them becomes a node of the record."""

import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chainrules.ad.array_interface import ArrayInterface
from chainrules.ad.config import CONFIG, ADConfig
from chainrules.ad.nodes import Node, Path, Trace
from chainrules.ad.structures import has_parts, parts_of, structural_tangent, with_parts
from chainrules_core import (
    RuleNotFoundError,
    ZeroTangent,
    bind_keywords,
    register_carrier,
    rrule,
)
from chainrules_core.carrier_search import ORDINARY, carries
from chainrules_core.descriptions import describe_callee
from chainrules_core.fields import field_names

Parents = list[Node | list[tuple[Path, Node]] | None]

# Calling one of these with a traced value comes back here.
_INTERCEPTED = (np.ufunc, types.BuiltinFunctionType, type(np.sum))


class TracedValue(ArrayInterface):
    """A value on its way through a program that is being differentiated. Use it like the value.

    Attributes
    ----------
    value
        The value, which is itself traced where differentiation is nested.
    """

    __slots__ = ("__weakref__", "node", "trace", "value")

    def __init__(self, value: Any, node: Node, trace: Trace) -> None:
        self.value = value
        self.node = node
        self.trace = trace

    def __repr__(self) -> str:
        return f"TracedValue({self.value!r})"


def call(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any] | None = None) -> Any:
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
    if not kwargs and type(f) in ORDINARY:
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
                return _call_rule(f, args, {}, values, parents, trace)
    return _call_inspected(f, args, kwargs or {})


def _call_inspected(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """`call`, where keyword arguments, containers, closures or nested traces may be involved."""
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
    return _call_rule(f, args, kwargs, values, parents, trace)


def _call_rule(
    f: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    values: list[Any],
    parents: Parents,
    trace: Trace,
) -> Any:
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
        if rrule.opted_out(CONFIG, *values) and not isinstance(f, _INTERCEPTED):
            return f(*args, **kwargs)
        raise RuleNotFoundError(rrule.explain(CONFIG, *values))
    y, pullback = answer
    node = Node(parents, pullback)
    # The class of most results: a Python or NumPy float, or an array.
    return TracedValue(y, node, trace) if is_differentiable(y) else _traced_result(f, y, node, trace)


TracedValue._call = staticmethod(call)  # noqa: SLF001 - the operators of a traced value come here directly


def is_traced(x: Any) -> bool:
    """Whether a value is traced, or holds one that is."""
    return innermost_trace((x,)) is not None


def innermost_trace(values: Any) -> Trace | None:
    """The latest of the traces that values belong to, or what they hold; `None` if none is traced."""
    innermost: Trace | None = None
    for x in values:
        cls = type(x)
        if cls is TracedValue:
            trace = x.trace
        elif cls in ORDINARY or not carries(x) or not has_parts(x):
            continue
        else:
            trace = innermost_trace(parts_of(x).values())
        if trace is not None and (innermost is None or trace.level > innermost.level):
            innermost = trace
    return innermost


def untraced(x: Any, trace: Trace, path: Path = ()) -> tuple[Any, list[tuple[Path, Node]]]:
    """Replace what `trace` traces by its value, inside containers and closures too.

    Returns
    -------
    value
        `x` itself where nothing in it is traced.
    held
        The nodes of the traced values, each with the path to it.
    """
    if type(x) is TracedValue:
        return (x.value, [(path, x.node)]) if x.trace is trace else (x, [])
    if not is_traced(x):
        return x, []
    replaced, held = {}, []
    for key, part in parts_of(x).items():
        replaced[key], found = untraced(part, trace, (*path, key))
        held += found
    return (with_parts(x, replaced), held) if held else (x, [])


def traced(x: Any, trace: Trace) -> tuple[Any, Any]:
    """Trace every real or complex number and array in a value.

    Returns
    -------
    value
        `x` with traced values in it.
    nodes
        Their nodes: one `Node`, or a dict from field names, positions or keys to such; `None` where nothing is
        traced.
    """
    if is_differentiable(x):
        node = Node((), None)
        return TracedValue(x, node, trace), node
    if not has_parts(x):
        return x, None
    pairs = {key: traced(part, trace) for key, part in parts_of(x).items()}
    nodes = {key: node for key, (_, node) in pairs.items() if node is not None}
    if not nodes:
        return x, None
    return with_parts(x, {key: value for key, (value, _) in pairs.items()}), nodes


def is_differentiable(x: Any) -> bool:
    """Whether `x` is a real or complex number or array, or a traced value."""
    cls = type(x)
    if cls is float or cls is np.float64 or cls is TracedValue:
        return True
    if isinstance(x, np.ndarray):
        return x.dtype.kind in "fc"
    return isinstance(x, float | complex | np.inexact)


def _traced_result(f: Any, y: Any, node: Node, trace: Trace) -> Any:
    """Trace each of several results; integers, booleans and strings have no derivative and stay what they are."""
    if is_differentiable(y):
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
        tangents = dict.fromkeys(range(length), ZeroTangent()) if isinstance(key, int) else {}
        return None, structural_tangent(cls, length, tangents | {key: part_bar})

    return Node((None, node), part_pullback)


def _refuse_opaque(f: Any, y: Any) -> None:
    """Raise an error rather than lose the derivatives of an object that is not taken apart."""
    names = field_names(y)
    if any(is_differentiable(getattr(y, name, None)) for name in names if isinstance(name, str)):
        raise TypeError(
            f"{describe_callee(f)} returned a {type(y).__name__}, whose numbers depend on traced values but cannot be traced. Let it "
            "return numbers, arrays, or tuples, lists, dicts and dataclasses of them."
        )


class TracingBackend:
    """What `primitive` and dispatch need to know of traced values: see `chainrules_core.Backend`."""

    def call(self, f: Callable[..., Any], args: tuple[Any, ...], kwargs: Any) -> Any:
        """Call `f` by its rule, and trace its result."""
        return call(f, args, dict(kwargs))

    def primal(self, x: TracedValue) -> Any:
        """The value that is traced."""
        return x.value


register_carrier(TracedValue.__module__, TracedValue.__qualname__, TracingBackend())
