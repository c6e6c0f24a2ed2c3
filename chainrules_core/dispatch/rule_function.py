"""What `frule` and `rrule` have in common: how a rule enters their tables, and how it is looked up."""

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, overload

import plum

from chainrules_core.backends import primal_of
from chainrules_core.config import is_config
from chainrules_core.dispatch.answers import Answers
from chainrules_core.dispatch.callee_names import name_of_member
from chainrules_core.dispatch.callees import (
    NEVER_CALLED,
    CalleeAnnotation,
    is_callee_annotation,
    is_rule,
    unwrap_primitive,
)
from chainrules_core.dispatch.descriptions import describe_value
from chainrules_core.dispatch.explain import Call, explain_lookup, methods_of
from chainrules_core.dispatch.keyword_calls import calls_by_position
from chainrules_core.dispatch.method_tables import MethodTables
from chainrules_core.dispatch.new_rules import announce, has_hooks, rules_changed
from chainrules_core.dispatch.rule_location import describe_place, place_of_rule
from chainrules_core.dispatch.rule_method import Mode, RuleMethod
from chainrules_core.dispatch.rule_reading import beginning_of, read_rule
from chainrules_core.dispatch.rulesets import load_rulesets, load_rulesets_for, load_rulesets_named_for
from chainrules_core.exceptions import RuleDefinitionError, RuleNotFoundError

Rule = TypeVar("Rule", bound=Callable[..., Any])


class RuleRedefinitionWarning(UserWarning):
    """A rule replaces an earlier one whose signature is written identically."""


class RuleFunction:
    """A function whose methods are rules: what `frule` and `rrule` have in common.

    Attributes
    ----------
    has_own_rule
        ``has_own_rule(f)`` says whether a rule that is registered by now is for this very callable.
    remembered
        For AD systems that look the same rules up again and again: ``remembered((type(config), f,
        *types))`` is the rule for arguments of these types, if it takes no configuration; `None` where a
        call has to find out.
    """

    __slots__ = (
        "_recall",
        "_recall_with_config",
        "_tables",
        "answers",
        "has_own_rule",
        "mode",
        "remembered",
    )

    def __init__(self, mode: Mode) -> None:
        self.mode = mode
        self.answers = Answers(self._call_without_rule)
        self._tables = MethodTables(mode.name, self.answers)
        # What the hot path asks, without another step.
        self._recall = self.answers.at_hand
        self._recall_with_config = self.answers.at_hand_with_config
        self.remembered = self.answers.remembered
        self.has_own_rule = self._tables.of_objects.__contains__

    def __reduce__(self) -> str:
        # By reference, so that pullbacks that mention `rrule` travel to other processes.
        return self.mode.name

    def __repr__(self) -> str:
        return f"<{self.mode.name}: {len(list(self._tables))} rules>"

    @overload
    def dispatch(self, callee: CalleeAnnotation, /, *, precedence: int = 0) -> Callable[[Rule], Rule]: ...
    @overload
    def dispatch(self, rule: Rule, /, *, precedence: int = 0) -> Rule: ...
    @overload
    def dispatch(self, /, *, precedence: int = 0) -> Callable[[Rule], Rule]: ...
    def dispatch(self, what: Any = None, /, *more: Any, precedence: int = 0) -> Any:
        """Register a rule, and return it unchanged.

        Parameters
        ----------
        what
            A function with the signature of a rule, whose callee parameter is annotated: see `typeof_`. Or
            that annotation, ``@rrule.dispatch(typeof_(foo))``, over a rule whose callee parameter is
            ``f: Any`` or has no annotation: type checkers accept nothing but types after a colon, and
            `typeof_` is a call.
        precedence
            plum's precedence: of several rules that match equally well the highest wins.

        Raises
        ------
        RuleDefinitionError
            If it is not said which callee the rule is for, or said twice. Nothing is registered then.

        Examples
        --------
        >>> def cube(x: float) -> float:
        ...     return x**3
        >>> @frule.dispatch(typeof_(cube))
        ... def cube_frule(tangents: Any, f: Any, x: float) -> tuple[float, float]:
        ...     return cube(x), 3 * x**2 * tangents[1]
        >>> frule((NoTangent(), 1.0), cube, 2.0)
        (8.0, 12.0)
        """
        if more:
            raise RuleDefinitionError(
                f"{self.mode.name}.dispatch takes one function, the rule, which names its callee: "
                f"{beginning_of(self.mode)}"
            )
        scope = sys._getframe(1).f_locals  # noqa: SLF001 - where string annotations find local names
        callee = what if is_callee_annotation(what) and not hasattr(what, "backward") else None

        def decorator(rule: Rule) -> Rule:
            self.add(read_rule(self.mode, rule, scope, callee=callee, precedence=precedence))
            return rule

        return decorator if what is None or callee is not None else decorator(what)

    def register(
        self, rule: Rule, scope: Mapping[str, Any], *, opts_out: bool = False, precedence: int = 0
    ) -> Rule:
        """Register a rule whose string annotations may name what is in `scope`; see `dispatch`."""
        self.add(read_rule(self.mode, rule, scope, opts_out=opts_out, precedence=precedence))
        return rule

    def add(self, method: RuleMethod) -> None:
        """Register a rule whose signature has been read."""
        # Whoever redefines a rule of a ruleset redefines it, whether it was imported already or not.
        load_rulesets_named_for(map(name_of_member, method.members))
        redefined = self._tables.register(method)
        rules_changed()
        if self.mode.announced:
            announce(method)
        if redefined is not None and not method.opts_out:
            _warn_of_redefinition(method, redefined)

    def methods(self, f: Any = None) -> list[RuleMethod]:
        """The rules whose callee parameter matches `f`, most specific first; without `f` all rules."""
        if f is None:
            load_rulesets()
            return list(self._tables)
        f = unwrap_primitive(f)
        load_rulesets_for(f)
        return methods_of(self._tables, f)

    def may_serve(self, f: Any) -> bool:
        """Whether there is a rule, or an opt-out, for a callable, whatever its arguments.

        `False` says that no call of it has a rule, until another one is registered: see `on_changed_rules`.
        """
        f = unwrap_primitive(f)
        load_rulesets_for(f)
        return bool((self._tables.table_of(f) or self._tables.make_table(f)).methods)

    def callees(self) -> list[Any]:
        """The functions and classes that have a rule of their own; those that `typeof_` named come first."""
        load_rulesets()
        return self._tables.callees()

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """Say in plain text which rule serves a call and which rules it beat, or why there is none.

        Takes the arguments of a call of the rule function itself. It calls no rule, so it cannot say
        whether the rule declines, by returning `None`; `require` does.
        """
        config, leading, f, args = self._split(args)
        load_rulesets()
        f, args = primal_of(f), tuple(map(primal_of, args))
        return explain_lookup(self._tables, Call(config, leading, f, args, kwargs), self._calls_by_position)

    def find(self, *args: Any) -> RuleMethod | None:
        """The method that serves a call, or `None`; calls no rule.

        Raises
        ------
        plum.AmbiguousLookupError
            If several rules match and none is the most specific.
        """
        method = self._find(*self._split(args))
        return None if method is None or method.opts_out else method

    def opted_out(self, *args: Any) -> bool:
        """Whether it was said, with `opt_out`, that there is no rule for a call."""
        method = self._find(*self._split(args))
        return method is not None and method.opts_out

    def require(self, *args: Any, **kwargs: Any) -> Any:
        """Call the rule function, but raise where it would return `None`.

        Raises
        ------
        RuleNotFoundError
            If no rule applies, or the rule that applies declines; the message is the text of `explain`.
        """
        answer = self(*args, **kwargs)
        if answer is None:
            reason = self.explain(*args, **kwargs)
            if self._serves(*self._split(args), kwargs):
                reason += "\nThat rule declined: it returned None for these arguments."
            raise RuleNotFoundError(reason)
        return answer

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Find the rule for a call, and call it."""
        raise NotImplementedError

    def _split(self, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...], Any, tuple[Any, ...]]:
        """Take a call apart: configuration, arguments before the callee, callee, other arguments."""
        config, rest = (args[0], args[1:]) if args and is_config(args[0]) else (None, args)
        place = len(self.mode.leading)
        if len(rest) <= place:
            expected = ", ".join((*self.mode.leading, "f"))
            raise TypeError(f"{self.mode.name}({expected}, *args): the function to differentiate is missing.")
        leading, f, rest = rest[:place], rest[place], rest[place + 1 :]
        self._check_leading(leading, f, rest)
        return config, leading, unwrap_primitive(f), rest

    def _check_leading(self, leading: tuple[Any, ...], f: Any, args: tuple[Any, ...]) -> None:
        """Refuse arguments of the wrong kind before the callee."""

    def _find(
        self, config: Any, leading: tuple[Any, ...], f: Any, args: tuple[Any, ...], *, lacking: bool = False
    ) -> RuleMethod | None:
        f = primal_of(f)  # an object that is traced is called by the rule of its class
        _load_rulesets_of(f, args)
        return self._tables.find(config, leading, f, args, lacking=lacking)

    def _call_new(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the rule for arguments whose answer is not at hand, and keep the answer if possible."""
        config, leading, f, rest = self._split(args)
        lacking = False
        if kwargs:
            _load_rulesets_of(primal_of(f), rest)
            lacking = self._tables.lacks_arguments(primal_of(f), rest)
        method = self._find(config, leading, f, rest, lacking=lacking)
        # Where required arguments are missing, a rule with varargs takes the call and knows no names.
        if kwargs and (method is None or (lacking and method.varargs is not plum.Missing)):
            found, answer = self._call_by_position(config, leading, f, rest, kwargs)
            if found:
                return answer
        if method is None:
            self._check_callee(f, rest, kwargs)
        return None if method is None or method.opts_out else _call(method, config, leading, f, rest, kwargs)

    def _check_callee(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Refuse a call without a function, where there is no rule for it."""
        name = self.mode.name
        before = "".join(f"{leading}, " for leading in self.mode.leading)
        if isinstance(f, NEVER_CALLED):
            raise TypeError(
                f"{name}({before}{describe_value(f)}, ...): the function is missing. Write "
                f"`{name}({before}f, x)`, and not `{name}({before}f(x))`."
            )
        if not (args or kwargs) and is_rule(f):
            raise RuleDefinitionError(
                f"The {name} `{f.__qualname__}` ({describe_place(f)}) is not registered: write "
                f"`@{name}.dispatch` over it, not `@{name}`."
            )

    def _call_without_rule(self, /, *args: Any, **kwargs: Any) -> Any:
        """Stand for "no rule takes this call", so that this answer is called like any other."""
        return self._call_by_position(*self._split(args), kwargs)[1] if kwargs else None

    def _call_by_position(
        self, config: Any, leading: tuple[Any, ...], f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[bool, Any]:
        """Whether a rule takes by position the arguments that a call gives by keyword, and its answer."""
        for call in self._calls_by_position(Call(config, leading, f, args, kwargs)):
            lacking = self._tables.lacks_arguments(primal_of(f), call.args)
            method = self._find(config, call.leading, f, call.args, lacking=lacking)
            if method is not None and not (lacking and method.varargs is not plum.Missing):
                if method.opts_out:
                    return True, None
                answer = _call(method, config, call.leading, f, call.args, call.kwargs)
                return True, None if answer is None else self._as_written(answer, len(args))
        return False, None

    def _calls_by_position(self, call: Call) -> Iterator[Call]:
        parameters = self._tables.parameters_of(primal_of(call.f))
        for bound, rest in calls_by_position(parameters, call.args, call.kwargs):
            leading = self._with_constants(call.leading, len(bound) - len(call.args))
            yield Call(call.config, leading, call.f, bound, rest)

    def _serves(
        self, config: Any, leading: tuple[Any, ...], f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> bool:
        """Whether there is a rule for a call, which may still decline."""
        call = Call(config, leading, f, args, kwargs)
        found = (self._find(*c[:4]) for c in (call, *self._calls_by_position(call)))
        method = next((method for method in found if method is not None), None)
        return method is not None and not method.opts_out

    def _with_constants(self, leading: tuple[Any, ...], number: int) -> tuple[Any, ...]:
        """The arguments before the callee, where it has so many more arguments, all of them constants."""
        raise NotImplementedError

    def _as_written(self, answer: Any, number: int) -> Any:
        """The answer of a rule to a call, if only so many of its arguments were given by position."""
        raise NotImplementedError


def _load_rulesets_of(f: Any, args: tuple[Any, ...]) -> None:
    if has_hooks():
        load_rulesets()  # each rule is announced, called or not
    else:
        load_rulesets_for(f, args)


def _call(  # noqa: PLR0913, PLR0917 - a call, taken apart
    method: RuleMethod,
    config: Any,
    leading: tuple[Any, ...],
    f: Any,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> Any:
    if method.config is None:
        return method.function(*leading, f, *args, **kwargs)
    return method.function(config, *leading, f, *args, **kwargs)


def _warn_of_redefinition(method: RuleMethod, redefined: RuleMethod) -> None:
    file, line = place_of_rule(method.function) or ("<unknown>", 0)
    # At the rule's own place, whichever helper registered it.
    warnings.warn_explicit(
        f"The {method.mode} `{method.name}` redefines `{redefined.name}` ({redefined.location}), whose "
        f"signature is the same: {method.describe_parameters()}. If it is for another function, change its "
        "`typeof_`.",
        RuleRedefinitionWarning,
        file,
        line,
    )
