"""Differentiating a call backwards by tracing it: `vjp`, and the `rrule_via_ad` that rules call."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

import numpy as np

from chainrules.ad.derivatives.checks import check_pair
from chainrules.ad.derivatives.wrapping import DerivativeOf
from chainrules.ad.interception.choosing.choosing import choose, with_functions_chosen
from chainrules.ad.modes.containers import matching_parts
from chainrules.ad.modes.natural_gradients import Owned, natural_gradient
from chainrules.ad.modes.nested_rules import nested_rule
from chainrules.ad.modes.nodes import Cotangents, Node, component, input_node, propagate
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.hiding import check_argument_hides_nothing, check_nothing_hidden, hidden_numbers
from chainrules.ad.traced.instances import as_before
from chainrules.ad.traced.tracing import is_differentiable, traced, untraced
from chainrules.ad.traced.views import with_own_arrays
from chainrules.ad.values.config import ADConfig
from chainrules.ad.values.plain_values import ARRAYS
from chainrules.ad.values.repeated_instances import repeated_instance
from chainrules.ad.values.structures import Path, parts_of, tangent_from_parts
from chainrules.ad.watching.hints import note_shapes
from chainrules.ad.writing.ownership import check_arguments_stayed, take_copies
from chainrules.values.chosen_numbers import PullNumbers, pull_of_numbers, value_at, with_numbers
from chainrules.values.held_numbers import Place, vector_of
from chainrules_core import (
    AbstractZero,
    NoTangent,
    ProjectTo,
    Thunk,
    ZeroTangent,
    describe_callee,
    not_implemented,
    rrule,
    rrule_via_ad,
)

Pullback = Callable[[Any], tuple[Any, ...]]

# Cotangents of arrays that are not larger are computed in the time that a thunk takes.
FEW = 1000


@overload
def vjp(
    f: Callable[..., Any], /, *args: Any, has_aux: Literal[False] = ..., **kwargs: Any
) -> tuple[Any, Pullback]: ...
@overload
def vjp(
    f: Callable[..., Any], /, *args: Any, has_aux: Literal[True], **kwargs: Any
) -> tuple[Any, Pullback, Any]: ...
@overload
def vjp(f: Callable[..., Any], /, *args: Any, has_aux: bool, **kwargs: Any) -> tuple[Any, ...]: ...
def vjp(f: Callable[..., Any], /, *args: Any, has_aux: bool = False, **kwargs: Any) -> tuple[Any, ...]:
    """The result of a call, and the function that pulls a cotangent of it back to the arguments.

    Parameters
    ----------
    f
        A function of numbers, arrays, and nested tuples, lists, dicts, dataclasses and other objects of
        them, whose result is one of these too.
    args
        Its arguments; it is differentiated by all of them.
    has_aux
        Whether `f` returns a pair of the result to differentiate and anything else.
    kwargs
        Passed on, and not differentiated.

    Returns
    -------
    y
        The result.
    pullback
        ``pullback(y_bar)`` is a tuple of one cotangent for each argument, in the form that `grad` has.
        `y_bar` is in the containers of the result. It may be called any number of times, also when arrays
        that were arguments have been written into.
    aux
        With `has_aux`: what `f` returns beside the result, in plain values.

    Raises
    ------
    RuleNotFoundError
        If a function that the program calls has no rule.
    TypeError
        If an argument or the result holds numbers where nobody looks for them, such as a deque; or holds an
        instance of an ordinary class twice, or one that holds itself; or if there is no pair.
    DimensionMismatchError, TypeError
        By the pullback, if `y_bar` does not fit the result.

    Examples
    --------
    >>> from chainrules.ad import vjp
    >>> y, pullback = vjp(lambda a, b: {"sum": a + b, "product": a * b}, 2.0, 3.0)
    >>> y
    {'sum': 5.0, 'product': 6.0}
    >>> pullback({"sum": 0.0, "product": 1.0})
    (3.0, 2.0)
    """
    y, traced_parts, nodes, args = traced_call(f, args, kwargs, check_argument_hides_nothing)
    y = with_own_arrays(y)  # the caller may write into them, and pullbacks of rules keep results
    aux = None
    if has_aux:
        check_pair(f, y)
        of_result = next(iter(parts_of(y)))
        traced_parts = [(path[1:], node) for path, node in traced_parts if path[0] == of_result]
        y, aux = y

    def pullback(y_bar: Any) -> Any:
        """The cotangents of the arguments, one for each, that a cotangent of the result is pulled back to."""
        parts = [matching_parts(y, y_bar, path) for path, _ in traced_parts]
        part_bars = []
        for part, part_bar in parts:
            try:
                part_bars.append(ProjectTo(part)(part_bar))
            except (TypeError, ValueError) as error:
                whose = f"cotangent that the pullback of {describe_callee(f)} was given"
                note_shapes(error, whose, part_bar, "result", part)
                raise
        cotangents = propagate(
            [(node, part_bar) for (_, node), part_bar in zip(traced_parts, part_bars, strict=True)]
        )
        owned = Owned(part_bars)
        return tuple(
            natural_gradient(x, nodes_of_x, cotangents, owned)
            for x, nodes_of_x in zip(args, nodes, strict=True)
        )

    derivative = DerivativeOf(f, pullback)
    return (y, derivative, aux) if has_aux else (y, derivative)


@rrule_via_ad.dispatch
def rrule_via_tracing(config: ADConfig, f: object, *args: object, **kwargs: object) -> Any:
    """Use the rule of `f` where there is one, and trace the call where there is none."""
    rule = nested_rule(rrule, f, args, kwargs)
    answer = rrule(config, f, *args, **kwargs) if rule is None else rule(f, *args, **kwargs)
    return trace_call(f, args, kwargs) if answer is None else answer  # type: ignore[arg-type]  # f is called


def trace_call(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """Call `f` with traced arguments: its result, and a pullback for `f` and each positional argument."""
    lost: list[tuple[Any, Any, Exception]] = []
    y, traced_parts, nodes, inputs = traced_call(_call, (f, *args), kwargs, lost=lost)

    of_constants: dict[int, Any] = {}  # the same at each call, of which a Jacobian takes one for each row

    def cotangent_at(place: int, cotangents: Cotangents) -> Any:
        if nodes[place] is not None:
            return _structural_cotangent(inputs[place], nodes[place], cotangents)
        if place not in of_constants:
            of_constants[place] = _cotangent_of_constant(inputs[place])
        return of_constants[place]

    def traced_pullback(y_bar: Any) -> Any:
        cotangents = _pulled(y_bar, traced_parts, lost)
        return tuple(cotangent_at(place, cotangents) for place in range(len(nodes)))

    return y, traced_pullback


def _pulled(
    y_bar: Any, traced_parts: list[tuple[Path, Node]], lost: list[tuple[Any, Any, Exception]]
) -> Cotangents:
    """The cotangents of all inputs."""
    cotangents = propagate((node, component(y_bar, path)) for path, node in traced_parts)
    for node, lost_bar, error in lost:
        cotangents.note_lost(node, lost_bar, str(error))
    return cotangents


def _call(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return choose(f)(*with_functions_chosen(f, args), **kwargs)


def traced_call(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    check_argument: Callable[[Any, Any, int], None] | None = None,
    lost: list[tuple[Any, Any, Exception]] | None = None,
) -> tuple[Any, list[tuple[Path, Node]], tuple[Any, ...], tuple[Any, ...]]:
    """Call a function with traced arguments.

    Parameters
    ----------
    f, args, kwargs
        The function and its arguments.
    check_argument
        If it is given: ``check_argument(f, x, place)`` may refuse an argument that is no number or array.
    lost
        Where a list, it is given what was dropped, see `Trace`; else that is an error if it moves.

    Returns
    -------
    value
        The result.
    traced_parts
        The nodes in the result, each with its path.
    nodes
        The nodes of each argument.
    before
        The arguments; if the function assigned to attributes, copies as they were before.
    """
    trace = ReverseTrace()
    trace.lost = lost
    inputs, nodes = [], []
    for place, x in enumerate(args):
        moved, nodes_of_x = traced(x, trace, input_node)
        if check_argument is not None:
            take_copies(moved)
            if nodes_of_x.__class__ is not tuple:
                check_argument(f, x, place)
        inputs.append(moved)
        nodes.append(nodes_of_x)
    y = trace.run(choose(f), inputs, kwargs)
    if trace.changed:
        args = tuple(as_before(x, trace) for x in args)
    if f is _call:
        check_arguments_stayed(args, inputs, trace)
    del inputs
    check_nothing_hidden(y, trace)
    value, traced_parts = untraced(y, trace)
    return value, traced_parts, tuple(nodes), args


@pull_of_numbers.register
def pull_of_numbers_by_tracing(
    config: ADConfig, f: Any, t: Any, args: tuple[Any, ...], chosen: Sequence[Place]
) -> PullNumbers | None:
    """Trace these numbers alone."""
    held, make = (f, args), with_numbers((f, args), chosen)
    if make is None or rrule(config, f, t, *args) is not None:
        return None
    given = [value_at(held, place.path) for place in chosen]

    def pull_numbers(t: Any, y_bar: Any) -> Any:
        trace, lost = ReverseTrace(), list[Any]()
        trace.lost = lost
        inputs = [traced(x, trace, input_node) for x in given]
        moved_f, moved_args = make([x for x, _ in inputs])
        y = trace.run(_call, (moved_f, t, *moved_args))
        check_arguments_stayed((f, *args), (moved_f, *moved_args), trace)
        check_nothing_hidden(y, trace)
        cotangents = _pulled(y_bar, untraced(y, trace)[1], lost)
        bars = [
            _structural_cotangent(x, node, cotangents) for x, (_, node) in zip(given, inputs, strict=True)
        ]
        return np.array(bars) if all(bar.__class__ is float for bar in bars) else vector_of(bars, chosen)

    return pull_numbers


def _structural_cotangent(x: Any, nodes: Any, cotangents: Cotangents) -> Any:
    """The cotangent of an input, in its tangent space; structural for a container or closure."""
    if nodes is None:
        return _cotangent_of_constant(x)
    if nodes.__class__ is tuple:
        if nodes[0] in cotangents.lost:
            return not_implemented(cotangents.lost[nodes[0]])
        x_bar = cotangents.get(nodes)
        return ZeroTangent() if x_bar is None else ProjectTo(x)(x_bar)
    parts = parts_of(x)
    tangents = {key: _cotangent_of_part(part, nodes.get(key), cotangents) for key, part in parts.items()}
    tangents = {key: x_bar for key, x_bar in tangents.items() if not isinstance(x_bar, NoTangent)}
    if all(isinstance(tangent, AbstractZero) for tangent in tangents.values()):
        return ZeroTangent()
    return tangent_from_parts(type(x), len(parts), tangents)


def _cotangent_of_part(x: Any, nodes: Any, cotangents: Cotangents) -> Any:
    """As `_structural_cotangent`; of a large array that a rule computes on demand it stays a thunk.

    A solver calls its function at many places, and most of what that closes over is data, by which nobody
    differentiates.
    """
    if nodes.__class__ is tuple and x.__class__ in ARRAYS and x.size > FEW and cotangents.waits(nodes):
        return Thunk(_structural_cotangent, x, nodes, cotangents)
    return _structural_cotangent(x, nodes, cotangents)


def _cotangent_of_constant(x: Any) -> Any:
    """No tangent; for an object that hides numbers the sign that its derivative is missing."""
    repeated = repeated_instance(x, is_differentiable)
    if repeated is not None:
        return not_implemented(
            f"there is one place for each place of a value in its tangent, not for {repeated}"
        )
    hidden = hidden_numbers(x)
    if hidden is None:
        return NoTangent()
    return not_implemented(f"numbers are held by {hidden}, where derivatives are not looked for")
