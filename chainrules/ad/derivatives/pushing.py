"""Differentiating a call forwards by tracing it: `jvp`, and the `frule_via_ad` that rules call."""

from collections.abc import Callable, Sequence
from numbers import Number
from typing import Any, Literal, overload

import numpy as np

from chainrules.ad.derivatives.checks import check_pair
from chainrules.ad.interception.choosing.choosing import choose, with_functions_chosen
from chainrules.ad.modes.containers import in_containers_of, parts_with_tangents
from chainrules.ad.modes.forward_trace import ForwardTrace
from chainrules.ad.modes.natural_gradients import in_tangent_space
from chainrules.ad.modes.nested_rules import nested_rule
from chainrules.ad.modes.nodes import evaluated
from chainrules.ad.traced.hiding import check_nothing_hidden, hidden_numbers, refuse_repeated_instances
from chainrules.ad.traced.instances import as_before, register
from chainrules.ad.traced.traced_classes import traced_value
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.tracing import (
    is_differentiable,
    is_traced_by,
    refuse_operators_of_its_own,
    untraced,
    without_ended,
)
from chainrules.ad.traced.views import snapshot, with_own_arrays
from chainrules.ad.values.config import ADConfig
from chainrules.ad.values.plain_values import FREQUENT
from chainrules.ad.values.repeated_instances import is_instance
from chainrules.ad.values.structures import has_parts, parts_of, tangent_from_parts, with_parts, within
from chainrules.ad.watching.hints import note_shapes
from chainrules.ad.writing.ownership import check_arguments_stayed
from chainrules_core import (
    AbstractZero,
    DimensionMismatchError,
    NoTangent,
    ProjectTo,
    ZeroTangent,
    describe_callee,
    frule,
    frule_via_ad,
    is_bare_iterator,
)


@overload
def jvp(
    f: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any], has_aux: Literal[False] = ...
) -> tuple[Any, Any]: ...
@overload
def jvp(
    f: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any], has_aux: Literal[True]
) -> tuple[Any, Any, Any]: ...
@overload
def jvp(
    f: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any], has_aux: bool
) -> tuple[Any, ...]: ...
def jvp(
    f: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False
) -> tuple[Any, ...]:
    """The result of a call, and how it changes when the arguments change along tangents.

    Parameters
    ----------
    f
        A function of numbers, arrays, and nested tuples, lists, dicts, dataclasses and other objects of
        them, whose result is one of these too.
    args
        Its arguments.
    tangents
        One for each argument, in the same containers; for an object a `Tangent` will do too.
        `ZeroTangent()` and `NoTangent()` stand for zeros; a value that is no number, such as a string, stands
        for itself.
    has_aux
        Whether `f` returns a pair of the result to differentiate and anything else.

    Returns
    -------
    y
        The result.
    y_dot
        Its tangent, in the same containers, with zeros where nothing changes; for an object a `Tangent`,
        for a value without a derivative, such as an integer, `NoTangent()`.
    aux
        With `has_aux`: what `f` returns beside the result, in plain values.

    Raises
    ------
    DimensionMismatchError
        If there is not one tangent for each argument, or its shape is another.
    TypeError
        If the arguments or tangents are in no tuple, or a tangent is in other containers than its argument;
        if an argument that moves holds an instance of an ordinary class twice, or one that holds itself; or
        if there is no pair.
    RuleNotFoundError
        If a function that the program calls has no rule.

    Examples
    --------
    >>> from chainrules.ad import jvp
    >>> jvp(lambda x, y: x * y, (2.0, 3.0), (1.0, 0.5))
    (6.0, 4.0)
    """
    if not isinstance(args, tuple | list) or not isinstance(tangents, tuple | list):
        raise TypeError(
            f"jvp({describe_callee(f)}, args, tangents) takes a tuple of arguments and one of tangents, "
            "`jvp(f, (x,), (x_dot,))` for a function of one argument."
        )
    if len(args) != len(tangents):
        raise DimensionMismatchError(
            f"jvp({describe_callee(f)}, args, tangents): {len(tangents)} tangents for {len(args)} arguments. "
            "Give one for each; `ZeroTangent()` for an argument that does not change."
        )
    trace = ForwardTrace()
    inputs = []
    for place, (x, x_dot) in enumerate(zip(args, tangents, strict=True)):
        if x.__class__ not in FREQUENT and not isinstance(x_dot, AbstractZero):
            refuse_repeated_instances(f"A tangent was given for argument {place}", x)
        try:
            inputs.append(_moving(x, x_dot, trace))
        except (TypeError, ValueError) as error:
            whose = f"tangent of argument {place} of {describe_callee(f)}"
            note_shapes(error, whose, x_dot, "argument", x)
            raise
    y = trace.run(choose(f), inputs)
    check_nothing_hidden(y, trace)
    if not has_aux:
        return untraced(y, trace)[0], with_own_arrays(_natural_tangent(y, trace))
    check_pair(f, y)
    y, aux = y
    y_dot = with_own_arrays(_natural_tangent(y, trace))
    return untraced(y, trace)[0], y_dot, untraced(aux, trace)[0]


@frule_via_ad.dispatch
def frule_via_tracing(config: ADConfig, tangents: Any, f: object, *args: object, **kwargs: object) -> Any:
    """Use the rule of `f` where there is one, and trace the call where there is none."""
    rule = nested_rule(frule, f, args, kwargs, (tangents,))
    answer = (
        frule(config, tangents, f, *args, **kwargs) if rule is None else rule(tangents, f, *args, **kwargs)
    )
    return push_call(tangents, f, args, kwargs) if answer is None else answer


def push_call(tangents: Any, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """Call `f` with moving arguments: the result and its tangent, which is structural for a container."""
    trace = ForwardTrace()
    moving_f, *inputs = [_moving(x, x_dot, trace) for x, x_dot in zip((f, *args), tangents, strict=True)]
    y = trace.run(choose(moving_f), with_functions_chosen(moving_f, inputs), kwargs)
    before = tuple(as_before(x, trace) for x in (f, *args))
    check_arguments_stayed(before, (moving_f, *inputs), trace)
    check_nothing_hidden(y, trace)
    return untraced(y, trace)[0], _structural_tangent(y, trace)


def _moving(
    x: Any, x_dot: Any, trace: ForwardTrace, holders: tuple[int, ...] = (), inside: bool = False
) -> Any:
    """`x` with traced values in it, which move along a tangent."""
    x_dot = evaluated(x_dot)
    if isinstance(x_dot, AbstractZero):
        return x
    if is_differentiable(x):
        if x.__class__ not in FREQUENT:
            refuse_operators_of_its_own(x)
            if isinstance(x, TracedValue):
                x = snapshot(x)
        return traced_value(x, ProjectTo(x)(x_dot), trace)
    if not has_parts(x):
        is_constant = not isinstance(x, Number | np.ndarray) and hidden_numbers(x) is None
        if type(x_dot) is type(x) and is_constant and not is_bare_iterator(x):
            return x  # such as the name in a dataclass, which is its own place holder
        raise TypeError(
            f"A tangent was given for a value of type {type(x).__name__}, which does not change smoothly. "
            "Give `NoTangent()`; or pass a float, `2.0` for `2`."
        )
    if not inside and is_instance(x):
        refuse_repeated_instances("A tangent was given for an argument", x)
        inside = True
    holders = within(x, holders)
    parts = parts_with_tangents(x, x_dot)
    given = with_parts(
        x, {key: _moving(part, part_dot, trace, holders, inside) for key, (part, part_dot) in parts.items()}
    )
    if inside:
        register(x, given, trace)
    return given


def _natural_tangent(y: Any, trace: ForwardTrace, holders: tuple[int, ...] = ()) -> Any:
    """The tangent of a result in the same containers."""
    y = without_ended(y, trace)
    if is_traced_by(y, trace):
        return in_tangent_space(y._value, evaluated(y._record))
    if is_differentiable(y):
        return in_tangent_space(y, ZeroTangent())
    if not has_parts(y) or id(y) in holders:  # an object that holds itself is a constant
        return NoTangent()
    holders = *holders, id(y)
    tangents = {key: _natural_tangent(part, trace, holders) for key, part in parts_of(y).items()}
    return in_containers_of(y, tangents)


def _structural_tangent(y: Any, trace: ForwardTrace, holders: tuple[int, ...] = ()) -> Any:
    """The tangent of a result as rules have it."""
    y = without_ended(y, trace)
    if is_traced_by(y, trace):
        return evaluated(y._record)
    if is_differentiable(y):
        return ZeroTangent()
    if not has_parts(y) or id(y) in holders:
        return NoTangent()
    parts, holders = parts_of(y), (*holders, id(y))
    tangents = {key: _structural_tangent(part, trace, holders) for key, part in parts.items()}
    if all(isinstance(tangent, AbstractZero) for tangent in tangents.values()):
        return ZeroTangent()
    return tangent_from_parts(type(y), len(parts), tangents)
