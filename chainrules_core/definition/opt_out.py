"""Saying that there is no rule: `opt_out`."""

import inspect
import sys
import typing
from collections.abc import Callable
from typing import Any, TypeVar, overload

from chainrules_core.definition.declared_types import check_are_types, parameters_of_types
from chainrules_core.definition.define import definition_frame
from chainrules_core.dispatch.descriptions import describe_hint
from chainrules_core.dispatch.rule_function import RuleFunction
from chainrules_core.dispatch.rule_location import made_at, place_in
from chainrules_core.dispatch.rule_reading import is_config_annotation
from chainrules_core.exceptions import RuleDefinitionError

Stub = TypeVar("Stub", bound=Callable[..., Any])


@overload
def opt_out(rules: RuleFunction, /) -> Callable[[Stub], Stub]: ...
@overload
def opt_out(rules: RuleFunction, type_: Any, /, *types: Any) -> None: ...
def opt_out(rules: RuleFunction, *types: Any) -> Any:
    """Say that some calls have no rule, although a more general rule would apply.

    An AD system then differentiates through the body of the function. The opt-out takes part in dispatch
    like a rule of its signature, and wins where both are equally specific, whichever was written first.
    Where the general rule takes a configuration, the opt-out has to as well.

    Parameters
    ----------
    rules
        `rrule` or `frule`.
    *types
        The annotations that a rule for these calls would have, without the tangents: of the configuration if
        the rule takes one, of the callee, and of the arguments. If none is given, `opt_out` is a decorator
        over a stub with the rule's signature, whose body is not run.

    Raises
    ------
    RuleDefinitionError
        If `rules` is neither of the two, or no callee is named.

    Examples
    --------
    The general rule would send a cotangent to masked entries, on which the sum does not depend:

    >>> def total(xs):
    ...     return xs.sum()
    >>> @rrule.dispatch
    ... def total_rrule(f: typeof_(total), xs: AbstractArray):
    ...     def total_pullback(y_bar):
    ...         return NoTangent(), np.full(xs.shape, y_bar)
    ...
    ...     return total(xs), total_pullback
    >>> opt_out(rrule, typeof_(total), np.ma.MaskedArray)
    >>> rrule(total, np.ma.masked_array([1.0, 2.0], [False, True])) is None
    True

    The same as a decorator:

    >>> @opt_out(rrule)
    ... def _(f: typeof_(total), xs: np.recarray): ...
    >>> opted_out(rrule, total, np.recarray(2, dtype=float))
    True
    """
    if not isinstance(rules, RuleFunction):
        raise RuleDefinitionError(
            f"opt_out({describe_hint(rules)}, ...): expected `rrule` or `frule` first. Write "
            "`opt_out(rrule, typeof_(foo), float)`."
        )
    if types and _is_plain_function(types[0]):
        name = types[0].__name__
        raise RuleDefinitionError(
            f"opt_out({rules.mode.name}, {name}, ...): the first type says which callee is meant. Write "
            f"`typeof_({name})`."
        )
    scope = sys._getframe(1).f_locals  # noqa: SLF001 - where annotations that are strings find local names
    if not types:
        return lambda stub: rules.add_read(stub, scope, opts_out=True)
    place = place_in(definition_frame())
    check_are_types(f"opt_out({rules.mode.name}, ...)", place, types)
    stub = _rule_stub(rules, types)
    made_at(stub, place)
    rules.add_read(stub, scope, opts_out=True)
    return None


def _is_plain_function(x: Any) -> bool:
    return callable(x) and not isinstance(x, type) and hasattr(x, "__name__") and typing.get_origin(x) is None


def _rule_stub(rules: RuleFunction, types: tuple[Any, ...]) -> Callable[..., Any]:
    """A function whose signature has these types, after the parameters before the callee in this mode."""

    def opted_out(*_: Any) -> None: ...

    before = 1 if is_config_annotation(types[0]) else 0
    annotations = [*types[:before], *(inspect.Parameter.empty for _ in rules.mode.leading), *types[before:]]
    signature = inspect.Signature(parameters_of_types(annotations))
    opted_out.__signature__ = signature  # type: ignore[attr-defined]  # `inspect` reads it
    return opted_out


def opted_out(rules: RuleFunction, *args: Any, **kwargs: Any) -> bool:
    """Whether a call is one of those for which `opt_out` says that there is no rule.

    Parameters
    ----------
    rules
        `rrule` or `frule`.
    *args, **kwargs
        The arguments with which the rule function would be called.

    Raises
    ------
    RuleDefinitionError
        If `rules` is neither of the two.
    """
    if not isinstance(rules, RuleFunction):
        raise RuleDefinitionError(
            "opted_out: expected `rrule` or `frule` first: `opted_out(rrule, foo, 1.0)`."
        )
    return rules.opted_out(*args, **kwargs)
