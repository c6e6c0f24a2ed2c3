"""Traced values, and how a call that involves them becomes a node of the record."""

from collections.abc import Callable
from typing import Any

import numpy as np
from chainrules_core import (
    RuleNotFoundError,
    Tangent,
    ZeroTangent,
    bind_keywords,
    primal_of,
    register_carrier,
    rrule,
)
from chainrules_core.carrier_search import ORDINARY, may_contain_carriers
from chainrules_core.fields import backing, reconstruct

from chainrules.ad.array_interface import ArrayInterface
from chainrules.ad.config import CONFIG
from chainrules.ad.nodes import Node, Path, Trace

Parents = list[Node | list[tuple[Path, Node]] | None]


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

    @staticmethod
    def _call(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Any:
        return call(f, args, kwargs)


def call(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Any:
    """Call a function by its rule, and trace its result.

    Raises
    ------
    RuleNotFoundError
        If some argument is traced and there is no rule.
    """
    if kwargs:
        args, kwargs = bind_keywords(f, args, kwargs, lambda x: innermost_trace((x,)) is not None)
    trace = innermost_trace(args)
    if trace is None:
        return f(*args, **(kwargs or {}))
    values, parents = _untraced_arguments(args, trace)
    answer = rrule(CONFIG, f, *values, **kwargs) if kwargs else rrule(CONFIG, f, *values)
    if answer is None:
        if rrule.opted_out(CONFIG, f, *values):
            return f(*args, **(kwargs or {}))
        raise RuleNotFoundError(rrule.explain(CONFIG, f, *values))
    y, pullback = answer
    return _traced_result(y, Node(parents, pullback), trace)


def innermost_trace(values: Any) -> Trace | None:
    """The latest of the traces that values belong to, or what they contain; `None` if none is traced."""
    innermost: Trace | None = None
    for x in values:
        cls = type(x)
        if cls is TracedValue:
            trace = x.trace
        elif cls in ORDINARY or not _is_container(x):
            continue
        else:
            trace = innermost_trace(_parts(x))
        if trace is not None and (innermost is None or trace.level > innermost.level):
            innermost = trace
    return innermost


def _untraced_arguments(args: tuple[Any, ...], trace: Trace) -> tuple[list[Any], Parents]:
    values: list[Any] = []
    parents: Parents = []
    for x in args:
        if type(x) is TracedValue and x.trace is trace:
            values.append(x.value)
            parents.append(x.node)
        else:
            value, held = untraced(x, trace)
            values.append(value)
            parents.append(held or None)
    return values, parents


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
    if type(x) in ORDINARY or not _is_container(x) or innermost_trace((x,)) is None:
        return x, []
    fields = backing(x)
    replaced, held = {}, []
    for key in _keys(fields):
        replaced[key], found = untraced(fields[key], trace, (*path, key))
        held += found
    return (_rebuilt(x, fields, replaced), held) if held else (x, [])


def traced(x: Any, trace: Trace) -> tuple[Any, Any]:
    """Trace every real or complex number and array in a value.

    Returns
    -------
    value
        `x` with traced values in it.
    nodes
        Their nodes: one `Node`, or a dict from field names, positions or keys to such; `None` where nothing is traced.
    """
    if is_differentiable(x):
        node = Node((), None)
        return TracedValue(x, node, trace), node
    if not _is_container(x):
        return x, None
    fields = backing(x)
    pairs = {key: traced(fields[key], trace) for key in _keys(fields)}
    nodes = {key: node for key, (_, node) in pairs.items() if node is not None}
    if not nodes:
        return x, None
    return _rebuilt(x, fields, {key: value for key, (value, _) in pairs.items()}), nodes


def is_differentiable(x: Any) -> bool:
    """Whether `x` is a real or complex number or array, or a traced value."""
    if type(x) in (float, complex, TracedValue):
        return True
    return isinstance(x, np.ndarray | np.inexact | float | complex) and np.result_type(x).kind in "fc"


def _is_container(x: Any) -> bool:
    return may_contain_carriers(x) and not isinstance(x, set | frozenset)


def _parts(x: Any) -> Any:
    fields = backing(x)
    return fields.values() if isinstance(fields, dict) else fields


def _keys(fields: Any) -> Any:
    return fields.keys() if isinstance(fields, dict) else range(len(fields))


def _rebuilt(x: Any, fields: Any, replaced: dict[Any, Any]) -> Any:
    return reconstruct(x, replaced if isinstance(fields, dict) else tuple(replaced.values()))


def _traced_result(y: Any, node: Node, trace: Trace) -> Any:
    if isinstance(y, tuple):
        items = (_traced_result(item, _item_node(node, type(y), i, len(y)), trace) for i, item in enumerate(y))
        return tuple(items) if type(y) is tuple else y._make(items)  # type: ignore[attr-defined]  # a named tuple
    # Integers, booleans, strings: the derivative is zero, and programs use them as indices and in branches.
    return TracedValue(y, node, trace) if is_differentiable(y) else y


def _item_node(node: Node, cls: type, i: int, length: int) -> Node:
    """The node of one of several results: its cotangent is one part of the cotangent of the tuple."""

    def item_pullback(item_bar: Any) -> tuple[Any, Any]:
        return None, _tuple_cotangent(cls, i, length, item_bar)

    return Node([node], item_pullback)


def _tuple_cotangent(cls: type, i: int, length: int, item_bar: Any) -> Any:
    items = [item_bar if place == i else ZeroTangent() for place in range(length)]
    if hasattr(cls, "_fields"):
        return Tangent[cls](**dict(zip(cls._fields, items, strict=True)))
    return Tangent[cls](*items)


class TracingBackend:
    """What `primitive` and dispatch need to know of traced values: see `chainrules_core.Backend`."""

    def call(self, f: Callable[..., Any], args: tuple[Any, ...], kwargs: Any) -> Any:
        """Call `f` by its rule, and trace its result."""
        return call(f, args, dict(kwargs))

    def primal(self, x: TracedValue) -> Any:
        """The value that is traced."""
        return x.value


register_carrier(TracedValue.__module__, TracedValue.__qualname__, TracingBackend())
