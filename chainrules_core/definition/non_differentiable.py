"""Declaring that the result of a function does not depend differentiably on any argument."""

import functools
import inspect
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, overload

import plum

from chainrules_core.carriers.primitive import primitive
from chainrules_core.carriers.search import ORDINARY_CLASSES, contains_carrier
from chainrules_core.definition.declared_types import check_are_types, parameters_of_types
from chainrules_core.definition.define import definition_frame
from chainrules_core.dispatch.callees import is_rule, typeof_
from chainrules_core.dispatch.descriptions import describe_callee
from chainrules_core.dispatch.redefinitions import warned_of_once
from chainrules_core.dispatch.rule_location import made_at, place_in
from chainrules_core.dispatch.rule_method import RuleMethod
from chainrules_core.dispatch.rules import frule, rrule
from chainrules_core.exceptions import RuleDefinitionError
from chainrules_core.tangents.abstract_zero import NO_TANGENT, NoTangent

F = TypeVar("F", bound=Callable[..., Any])


@overload
def non_differentiable() -> Callable[[F], F]: ...
@overload
def non_differentiable(f: F, /) -> F: ...
@overload
def non_differentiable(f: Callable[..., Any], what: Any, /, *others: Any, varargs: Any = ...) -> None: ...
@overload
def non_differentiable(f: Callable[..., Any], /, *, varargs: Any) -> None: ...
def non_differentiable(*what: Any, varargs: Any = plum.Missing) -> Any:
    """Declare calls as non-differentiable: both rules exist, and every tangent is `NoTangent()`.

    Parameters
    ----------
    *what
        One function followed by the types of its arguments; or several functions, whose calls with any
        arguments are meant; or nothing, for a decorator over a stub with the signature of an `rrule`. One
        function by itself may be decorated, too.
    varargs
        The type of further positional arguments.

    Returns
    -------
    callable or None
        The function that was decorated, or the only one that was named; else `None`.

    Raises
    ------
    RuleDefinitionError
        If a function is not callable or a type is not a class or hint. Nothing is registered then.

    Examples
    --------
    >>> @non_differentiable
    ... def count_positive(x):
    ...     return sum(x > 0)
    >>> _, pullback = rrule(count_positive, np.array([1.0, -1.0]))
    >>> pullback(1.0)
    (NoTangent(), NoTangent())

    For some types of the arguments only, as a call and over a stub:

    >>> def longest(*items):
    ...     return max(items, key=len)
    >>> non_differentiable(longest, str, varargs=str)
    >>> @non_differentiable()
    ... def _(f: typeof_(longest), first: bytes, *rest: bytes): ...
    >>> frule((NoTangent(),) * 3, longest, b"short", b"longer")
    (b'longer', NoTangent())
    """
    place = place_in(definition_frame())
    if not what:
        scope = sys._getframe(1).f_locals  # noqa: SLF001 - where annotations that are strings find local names
        return functools.partial(_declare_stub, scope=scope, place=place)
    f, *hints = what
    if is_rule(f):
        raise RuleDefinitionError(
            f"non_differentiable({f!r}): it says by `typeof_` which function is meant, so it is a stub. "
            "Write `@non_differentiable()`, with parentheses."
        )
    if varargs is plum.Missing and all(map(_is_function, hints)):
        callee_types = [typeof_(callee) for callee in what]  # all are checked before the first is registered
        with warned_of_once:
            _declare_calls(callee_types, place)
        return None if hints else f
    for annotation in (*hints, varargs):
        if _is_function(annotation):
            raise RuleDefinitionError(
                f"non_differentiable({f!r}, ..., {annotation!r}): declare either several functions, or one "
                "function and the types of its arguments."
            )
    call = f"non_differentiable({describe_callee(f)}, ...)"
    check_are_types(call, place, hints if varargs is plum.Missing else (*hints, varargs))
    parameters = parameters_of_types((typeof_(f), *hints))
    if varargs is not plum.Missing:
        parameters.append(inspect.Parameter("ps", inspect.Parameter.VAR_POSITIONAL, annotation=varargs))
    _declare(parameters, {}, place)
    return None


def _is_function(x: Any) -> bool:
    return callable(x) and not isinstance(x, type) and not hasattr(x, "__origin__")


def _declare_stub(
    stub: Callable[..., Any], *, scope: Mapping[str, Any], place: tuple[str, int]
) -> Callable[..., Any]:
    parameters = inspect.signature(stub).parameters.values()
    # Renamed: none may have the name of a parameter that stands before it in an `frule`.
    positional = [
        p.replace(name=f"p{i}", kind=p.POSITIONAL_ONLY if p.kind is p.POSITIONAL_OR_KEYWORD else p.kind)
        for i, p in enumerate(parameters)
    ]
    _declare(positional, {**stub.__globals__, **scope}, place)
    return stub


def _declare_calls(callees: list[Any], place: tuple[str, int]) -> None:
    """Declare the calls of some functions with any arguments."""
    # Most declarations are these. To give the rules signatures and read them takes longer than all the rest.
    for rules, rule in ((rrule, _non_differentiable_rrule), (frule, _non_differentiable_frule)):
        leading = (Any,) * len(rules.mode.leading)
        declared = _declared(rule, place)
        for callee in callees:
            hints = (*leading, callee)
            rules.add(RuleMethod(rules.mode.name, declared, callee, (callee,), None, hints, varargs=object))


def _declare(parameters: list[inspect.Parameter], scope: Mapping[str, Any], place: tuple[str, int]) -> None:
    """Declare the calls with arguments of some types only."""
    tangents = inspect.Parameter("tangents", inspect.Parameter.POSITIONAL_ONLY)
    with warned_of_once:
        for rules, rule, leading in (
            (rrule, _non_differentiable_rrule, []),
            (frule, _non_differentiable_frule, [tangents]),
        ):
            declared = _declared(rule, place)
            declared.__signature__ = inspect.Signature([*leading, *parameters])
            rules.add_read(declared, scope)


def _declared(rule: Any, place: tuple[str, int]) -> Any:
    """A rule that does what `rule` does, and stands where its callees are declared."""
    declared = types.FunctionType(rule.__code__, rule.__globals__, rule.__name__, None, rule.__closure__)
    made_at(declared, place)
    return declared


def _non_differentiable_rrule(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    return _called(f, args, kwargs), _pullback(len(args) + 1)


def _non_differentiable_frule(tangents: Any, f: Any, /, *args: Any, **kwargs: Any) -> Any:
    return _called(f, args, kwargs), NO_TANGENT


def _called(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    # Carriers are those of an outer differentiation, by which the result has no derivative either.
    for x in args:
        if type(x) not in ORDINARY_CLASSES and contains_carrier(x):
            return primitive(f)(*args, **kwargs)
    return f(*args, **kwargs)


class NonDifferentiablePullback:
    """The pullback of a call without a derivative. AD systems may take the result for a constant."""

    __slots__ = ("_cotangents",)

    def __init__(self, number: int) -> None:
        self._cotangents = (NO_TANGENT,) * number

    def __call__(self, y_bar: Any) -> tuple[NoTangent, ...]:
        """One `NoTangent` for the function, and one for each argument."""
        return self._cotangents

    def of_first(self, number: int) -> "NonDifferentiablePullback":
        """The pullback that returns the first cotangents only."""
        return _pullback(number)


@functools.cache
def _pullback(number: int) -> NonDifferentiablePullback:
    # One object per number of arguments, and none per call: many of the functions declared here are cheap.
    return NonDifferentiablePullback(number)
