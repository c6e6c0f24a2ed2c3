"""Saying that there is no rule: `opt_out`."""

import inspect
import sys
from collections.abc import Callable
from typing import Any

from chainrules_core.exceptions import RuleDefinitionError
from chainrules_core.rule_function import RuleFunction
from chainrules_core.rule_method import is_config_annotation


def opt_out(rules: RuleFunction, *types: Any) -> Any:
    """Say that some calls have no rule, although a more general rule would apply.

    An AD system then differentiates through the body of the function. The opt-out takes part in dispatch like a rule
    of its signature, and wins where both are equally specific. Where the general rule takes a configuration, the opt-out
    has to as well.

    Parameters
    ----------
    rules
        `rrule` or `frule`.
    *types
        What the rule's parameters would be annotated with, the callee first (for a rule with a configuration,
        that before it). Without them `opt_out` is a decorator over a stub with the rule's signature, whose body is not run.

    Raises
    ------
    RuleDefinitionError
        If `rules` is neither of the two, or no callee is named.

    Examples
    --------
    >>> @opt_out(rrule)
    ... def _(f: typeof_(sum_array), A: Diagonal): ...
    >>> opt_out(rrule, typeof_(sum_array), Diagonal)
    """
    if not isinstance(rules, RuleFunction):
        raise RuleDefinitionError(f"opt_out({rules!r}): expected `rrule` or `frule`.")
    scope = sys._getframe(1).f_locals  # noqa: SLF001 - where annotations that are strings find local names
    if types:
        return rules.register(_stub(rules, types), scope, opts_out=True)

    def register(stub: Callable[..., Any]) -> Callable[..., Any]:
        return rules.register(stub, scope, opts_out=True)

    return register


def _stub(rules: RuleFunction, types: tuple[Any, ...]) -> Callable[..., Any]:
    """A function whose signature has these types, with what stands before the callee in rules of this mode."""

    def opted_out(*_: Any) -> None: ...

    before = 1 if is_config_annotation(types[0]) else 0
    annotations = [*types[:before], *(inspect.Parameter.empty for _ in rules.mode.leading), *types[before:]]
    parameters = [
        inspect.Parameter(f"p{place}", inspect.Parameter.POSITIONAL_ONLY, annotation=annotation)
        for place, annotation in enumerate(annotations)
    ]
    opted_out.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # `inspect` reads it
    return opted_out


def opted_out(rules: RuleFunction, *args: Any) -> bool:
    """Whether it was said, with `opt_out`, that a call has no rule.

    Parameters
    ----------
    rules
        `rrule` or `frule`.
    *args
        What the rule function would be called with.
    """
    return rules.opted_out(*args)
