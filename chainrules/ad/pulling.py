"""Differentiating a call backwards by tracing it: what `grad` and `rrule_via_ad` are made of."""

from collections.abc import Callable
from typing import Any

from chainrules.ad.config import ADConfig
from chainrules.ad.nodes import Cotangents, Node, Trace, component, propagate
from chainrules.ad.structures import parts_of, structural_tangent
from chainrules.ad.tracing import traced, untraced
from chainrules_core import (
    AbstractZero,
    NoTangent,
    ProjectTo,
    ZeroTangent,
    rrule,
    rrule_via_ad,
)


@rrule_via_ad.dispatch  # type: ignore[attr-defined]  # a plum function
def rrule_via_tracing(config: ADConfig, f: object, *args: object, **kwargs: object) -> Any:
    """Use the rule of `f` where there is one, and trace the call where there is none."""
    answer = rrule(config, f, *args, **kwargs)
    return trace_call(f, args, kwargs) if answer is None else answer  # type: ignore[arg-type]  # f is called


def trace_call(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """Call `f` with traced arguments: its result, and a pullback for `f` and each positional argument."""
    trace = Trace()
    inputs = (f, *args)
    (traced_f, *traced_args), nodes = zip(*(traced(x, trace) for x in inputs), strict=True)
    y, held = untraced(traced_f(*traced_args, **kwargs), trace)

    def traced_pullback(y_bar: Any) -> tuple[Any, ...]:
        cotangents = propagate((node, component(y_bar, path)) for path, node in held)
        return tuple(
            cotangent_of(x, nodes_of_x, cotangents) for x, nodes_of_x in zip(inputs, nodes, strict=True)
        )

    return y, traced_pullback


def cotangent_of(x: Any, nodes: Any, cotangents: Cotangents) -> Any:
    """The cotangent of an input, in its tangent space; structural for a container or closure."""
    if nodes is None:
        return NoTangent()
    if isinstance(nodes, Node):
        return ProjectTo(x)(cotangents[nodes]) if nodes in cotangents else ZeroTangent()
    parts = parts_of(x)
    tangents = {key: cotangent_of(parts[key], part, cotangents) for key, part in nodes.items()}
    if all(isinstance(tangent, AbstractZero) for tangent in tangents.values()):
        return ZeroTangent()
    return structural_tangent(type(x), len(parts), tangents)
