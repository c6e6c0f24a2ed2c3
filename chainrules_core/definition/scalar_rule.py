"""`scalar_rule`: both rules of a function from the partial derivatives of its scalar arguments."""

import functools
import inspect
import sys
import types
from collections.abc import Callable, Mapping
from numbers import Number
from typing import Any, TypeVar, overload

import numpy as np
import plum

from chainrules_core.arrays.abstract_array import AbstractArray
from chainrules_core.definition.define import definition_frame
from chainrules_core.definition.derivatives_given_output import derivatives_given_output
from chainrules_core.definition.held_data import check_holds_no_data
from chainrules_core.definition.scalar_propagation import ScalarRule
from chainrules_core.definition.scalar_rule_code import generate
from chainrules_core.dispatch.callees import typeof_, unwrap_primitive
from chainrules_core.dispatch.descriptions import describe_callee
from chainrules_core.dispatch.parameters import POSITIONAL, positional_parameters
from chainrules_core.dispatch.redefinitions import warned_of_once
from chainrules_core.dispatch.rule_location import made_at, place_in
from chainrules_core.dispatch.rule_reading import read_rule
from chainrules_core.dispatch.rules import frule, rrule
from chainrules_core.exceptions import RuleDefinitionError

Partials = TypeVar("Partials", bound=Callable[..., Any])


@overload
def scalar_rule(primal: Callable[..., Any], /) -> Callable[[Partials], Partials]: ...
@overload
def scalar_rule(primal: Callable[..., Any], partials: Callable[..., Any], /) -> None: ...
def scalar_rule(primal: Callable[..., Any], partials: Callable[..., Any] | None = None, /) -> Any:
    """Define `frule`, `rrule` and `derivatives_given_output` of a function by its partial derivatives.

    Parameters
    ----------
    primal
        A function of scalars; a `np.ufunc` gets rules for arrays as well, with broadcasting undone in
        reverse. It must be differentiable in the sense of the arguments, that is, holomorphic where they
        are complex.
    partials
        ``partials(Ω, x, y, ...)`` returns the partial derivative by each argument, where ``Ω`` is the
        result ``primal(x, y, ...)``; a function of one argument may return it bare. If the primal returns a
        tuple, there is one such tuple for each of its results. Annotations constrain the arguments; without
        one an argument is a number (for a `np.ufunc` a number or an array). Without `partials`,
        `scalar_rule` is a decorator over it.

        A partial derivative may be ``ZeroTangent()``, or ``not_implemented(...)``.

    Raises
    ------
    RuleDefinitionError
        If `primal` holds data (a functor, a closure, a bound method), since this form has no place for their
        tangent, or if the number of parameters cannot be right: nothing is registered then. When the rule is
        used, if `partials` returns a tuple of the wrong length.

    Notes
    -----
    Forwards, ``y_dot = Σ ∂y/∂xᵢ xᵢ_dot``; in reverse, ``xᵢ_bar = conj(∂y/∂xᵢ) y_bar``, projected onto the
    tangent space of ``xᵢ``. A zero tangent is a strong zero: it contributes zero where the partial
    derivative is infinite.

    Examples
    --------
    >>> def distance(x, y):
    ...     return (x**2 + y**2) ** 0.5
    >>> @scalar_rule(distance)
    ... def _(r, x, y):
    ...     return x / r, y / r
    >>> r, pullback = rrule(distance, 3.0, 4.0)
    >>> pullback(1.0)
    (NoTangent(), 0.6, 0.8)

    As a call, for a function of one argument:

    >>> def square(x):
    ...     return x**2
    >>> scalar_rule(square, lambda y, x: 2 * x)
    >>> frule((NoTangent(), 1.0), square, 3.0)
    (9.0, 6.0)
    """
    scope = sys._getframe(1).f_locals  # noqa: SLF001 - where annotations that are strings find local names
    place = place_in(definition_frame())
    if partials is None:
        return lambda partials: _define(primal, partials, scope, place)
    _define(primal, partials, scope, place)
    return None


def _define(
    primal: Any, partials: Callable[..., Any], scope: Mapping[str, Any], place: tuple[str, int]
) -> Callable[..., Any]:
    primal = unwrap_primitive(primal)
    try:
        _check_is_function(primal, partials)
        check_holds_no_data(primal)
        annotations = _argument_annotations(primal, partials)
        rrule_, frule_, derivatives = _generated(primal, partials, len(annotations), place)
    except RuleDefinitionError as error:
        name = describe_callee(primal) if callable(primal) else repr(primal)
        raise RuleDefinitionError(f"scalar_rule({name}, ...) at {place[0]}:{place[1]}: {error}") from None
    names = rrule_.__code__.co_varnames[: rrule_.__code__.co_argcount]
    rrule_.__annotations__ = dict(zip(names, [typeof_(primal), *annotations], strict=True))
    method = read_rule(rrule.mode, rrule_, {**getattr(partials, "__globals__", {}), **scope})
    with warned_of_once:
        rrule.add(method)
        frule.add(method.for_mode(frule.mode, frule_))
        derivatives_given_output.add(method.for_mode(derivatives_given_output.mode, derivatives))
    return partials


def _generated(
    primal: Any, partials: Callable[..., Any], n: int, place: tuple[str, int]
) -> list[types.FunctionType]:
    """The functions for `rrule`, `frule` and `derivatives_given_output`.

    Each says which are its partial derivatives, and makes another one of others.
    """

    def remade(i: int, others: Callable[..., Any]) -> types.FunctionType:
        return _generated(primal, others, n, place)[i]

    functions = generate(primal, partials, ScalarRule(primal, partials, n, place), n, place)
    for i, function in enumerate(functions):
        made_at(function, place)
        function.__module__ = getattr(partials, "__module__", __name__)
        function.__partials__ = partials, functools.partial(remade, i)  # type: ignore[attr-defined]  # ours
    return functions


def _check_is_function(primal: Any, partials: Any) -> None:
    if not callable(primal):
        raise RuleDefinitionError(
            f"this {type(primal).__name__} is not a function. Write `scalar_rule(foo, ...)`, and not "
            "`scalar_rule(foo(x), ...)`."
        )
    if not callable(partials):
        raise RuleDefinitionError(
            "the partial derivatives are a function of the result and the arguments: write "
            f"`lambda y, x: {partials!r}`."
        )


def _check_number(primal: Any, number: int) -> None:
    """Refuse partial derivatives by more arguments than a function has, or fewer than it requires."""
    if not isinstance(primal, types.FunctionType):
        return
    parameters = inspect.signature(primal).parameters.values()
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return
    positional = [p for p in parameters if p.kind in POSITIONAL]
    required = [p for p in positional if p.default is p.empty]
    if not len(required) <= number <= len(positional):
        names = [p.name for p in positional]
        result = next(name for name in ("y", "Ω", "result", "_") if name not in names)
        raise RuleDefinitionError(
            f"{primal.__name__}({', '.join(names)}) has {len(names)} argument{'s' * (len(names) != 1)}, and "
            f"the partial derivatives are a function of the result and of {number}. Write "
            f"`lambda {', '.join([result, *names])}: ...`, the result first."
        )


def _argument_annotations(primal: Any, partials: Callable[..., Any]) -> list[Any]:
    default = Number | AbstractArray if isinstance(primal, np.ufunc) else Number
    names, annotations, varargs, takes_keywords = positional_parameters(partials, default)
    if varargs is not plum.Missing or takes_keywords or len(names) <= 1:
        raise RuleDefinitionError(
            "the function of the partial derivatives takes the result and each argument by position: "
            "`lambda Ω, x: ...`."
        )
    if isinstance(primal, np.ufunc) and primal.nin != len(names) - 1:
        raise RuleDefinitionError(
            f"{primal.__name__} has {primal.nin} arguments, so the partial derivatives are a function of "
            f"{primal.nin + 1}, the result first, not of {len(names)}."
        )
    _check_number(primal, len(names) - 1)
    return annotations[1:]
