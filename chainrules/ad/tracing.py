"""Traced values: how they are put in the place of numbers and arrays, and taken out again."""

from typing import Any

import numpy as np

from chainrules.ad.array_interface import ArrayInterface, has_rules
from chainrules.ad.nodes import Node, Path, Trace
from chainrules.ad.structures import has_parts, parts_of, with_parts
from chainrules_core import AbstractArray
from chainrules_core.carrier_search import ORDINARY, carries


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
        Their nodes: one `Node`, or a dict from field names, positions or keys to such; `None` where nothing
        is traced.
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
    """Whether `x` is a real or complex number or array, structured or sparse ones too, or a traced value."""
    cls = type(x)
    if cls is float or cls is np.float64 or cls is TracedValue:
        return True
    if isinstance(x, np.ndarray):
        return x.dtype.kind in "fc"
    if isinstance(x, AbstractArray):
        is_whole = has_rules(cls) or not has_parts(x)
        return is_whole and getattr(x.dtype, "kind", None) in ("f", "c")
    return isinstance(x, float | complex | np.inexact)
