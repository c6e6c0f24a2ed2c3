"""What `frule` and `rrule` have in common: how a rule enters their tables, and how it is looked up."""

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar, overload

import plum

from chainrules_core.backends import primal_of
from chainrules_core.config import is_config
from chainrules_core.dispatch.answers import Answers
from chainrules_core.dispatch.callees import (
    NEVER_CALLED,
    CalleeAnnotation,
    is_callee_annotation,
    is_rule,
    is_type_of_callee,
    unwrap_primitive,
)
from chainrules_core.dispatch.descriptions import describe_value
from chainrules_core.dispatch.explain import Call, describe_call, explain_lookup, methods_of
from chainrules_core.dispatch.keyword_calls import calls_by_position, takes_keywords
from chainrules_core.dispatch.method_tables import MethodTables
from chainrules_core.dispatch.new_rules import announce, has_hooks, rules_changed
from chainrules_core.dispatch.pending_rulesets import pending_for
from chainrules_core.dispatch.recursion import TOO_DEEP, name_rule_that_asks_for_itself
from chainrules_core.dispatch.redefinitions import note_redefinition
from chainrules_core.dispatch.rule_errors import not_registered, note_of_error
from chainrules_core.dispatch.rule_method import Mode, RuleMethod
from chainrules_core.dispatch.rule_reading import beginning_of, read_rule
from chainrules_core.dispatch.rulesets import (
    load_rulesets,
    load_rulesets_for,
    load_rulesets_of_others,
    ruleset_being_imported,
)
from chainrules_core.exceptions import RuleDefinitionError, RuleNotFoundError
from chainrules_core.missing_names import Elsewhere

Rule = TypeVar("Rule", bound=Callable[..., Any])


class Served(NamedTuple):
    """A rule, and the call that it serves.

    Attributes
    ----------
    method
        The rule.
    call
        The call, with those keyword arguments moved to positions that the rule takes by position.
    written
        The number of arguments that were given by position.
    """

    method: RuleMethod
    call: Call
    written: int


class RuleFunction:
    """A function whose methods are rules: what `frule` and `rrule` have in common.

    Attributes
    ----------
    has_own_rule
        ``has_own_rule(f)`` says whether a rule has been registered for this very callable.
    has_rule_of_method
        ``has_rule_of_method(function)`` says whether a rule has been registered for a bound method of this
        very function, or for a method in C of the same name.
    remembered
        For AD systems that look the same rules up again and again: ``remembered((type(config), f,
        *types))`` is the rule for arguments of these types, if it takes no configuration; `None` where a
        call has to find out.
    """

    __slots__ = (
        "_at_hand",
        "_at_hand_with_config",
        "_tables",
        "answers",
        "has_own_rule",
        "has_rule_of_method",
        "mode",
        "remembered",
    )

    def __init__(self, mode: Mode) -> None:
        self.mode = mode
        self.answers = Answers(self._call_without_rule)
        self._tables = MethodTables(mode.name, self.answers)
        # What the hot path asks, without another step.
        self._at_hand = self.answers.at_hand
        self._at_hand_with_config = self.answers.at_hand_with_config
        self.remembered = self.answers.remembered
        self.has_own_rule = self._tables.of_objects.__contains__
        self.has_rule_of_method = self._tables.functions_of_methods.__contains__

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

    def add_read(self, rule: Rule, scope: Mapping[str, Any], **options: Any) -> Rule:
        """Register a rule whose string annotations may use the names in `scope`; see `read_rule`."""
        self.add(read_rule(self.mode, rule, scope, **options))
        return rule

    def add(self, method: RuleMethod) -> None:
        """Register a rule whose signature has been read, unless it gives way to one that is there."""
        method.ruleset = ruleset_being_imported()
        redefinition = self._tables.register(method)
        if redefinition is None or redefinition.redefined is not method:
            rules_changed(method.ruleset)
            if self.mode.announced:
                announce(method)
        if redefinition is not None:
            note_redefinition(redefinition)

    define = Elsewhere("`define(foo_frule, foo_rrule)` of `chainrules_core`")
    defjvp = Elsewhere("a rule, `@frule.dispatch`, or `scalar_rule` of `chainrules_core`")
    defvjp = Elsewhere("a rule, `@rrule.dispatch`, or `scalar_rule` of `chainrules_core`")
    opt_out = Elsewhere("`opt_out({}, typeof_(foo), float)`, of `chainrules_core`")
    register = Elsewhere("`@{}.dispatch` over the rule")

    def add_note(self, error: Exception) -> None:
        """Say in an error of a rule how to mend it, if it lacks a keyword or unpacks one tangent too few."""
        note = note_of_error(error, self._tables)
        if note is not None and note not in getattr(error, "__notes__", ()):
            error.add_note(note)

    def methods(self, f: Any = None) -> list[RuleMethod]:
        """The rules whose callee parameter matches `f`, most specific first; without `f` all rules."""
        if f is None:
            load_rulesets()
            return list(self._tables)
        f = unwrap_primitive(f)
        load_rulesets_for(f)
        return methods_of(self._tables, f)

    def may_serve(self, f: Any) -> bool:
        """Whether there may be a rule, or an opt-out, for a callable, whatever its arguments.

        Rules for arguments that no call has had so far are not imported for it. `False` says that no call has
        a rule, until another one is registered: see `on_changed_rules`.
        """
        f = unwrap_primitive(f)
        load_rulesets_for(f, ())
        table = self._tables.table_of(f) or self._tables.make_table(f)
        return bool(table.methods or pending_for(f))

    def methods_of_others(self, f: Any, package: str) -> list[RuleMethod]:
        """The rules whose callee parameter matches `f` and that do not stand in the files of a package.

        For AD systems that serve some functions in a way of their own, and have rules for these too: whoever
        else writes one wants it used. No ruleset of the package is imported.
        """
        f = unwrap_primitive(f)
        load_rulesets_of_others(f, package)
        return [method for method in self._tables.methods_matching(f) if not method.stands_in(package)]

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

    def find(self, *args: Any, **kwargs: Any) -> RuleMethod | None:
        """The method that serves a call, or `None`; calls no rule.

        Raises
        ------
        plum.AmbiguousLookupError
            If several rules match and none is the most specific.
        """
        served = self._lookup(Call(*self._split(args), kwargs))
        return None if served is None or served.method.opts_out else served.method

    def opted_out(self, *args: Any, **kwargs: Any) -> bool:
        """Whether a call is one of those for which `opt_out` says that there is no rule."""
        served = self._lookup(Call(*self._split(args), kwargs))
        return served is not None and served.method.opts_out

    def require(self, *args: Any, **kwargs: Any) -> Any:
        """Call the rule function, but raise where it would return `None`.

        Raises
        ------
        RuleNotFoundError
            If no rule applies, or the rule that applies returns `None`; the message is that of `why_none`.
        """
        answer = self(*args, **kwargs)
        if answer is None:
            raise RuleNotFoundError(self.why_none(*args, **kwargs))
        return answer

    def why_none(self, *args: Any, **kwargs: Any) -> str:
        """Why a call returned `None`: which rule did, or, as in `explain`, that none matches."""
        method = self.find(*args, **kwargs)
        if method is None:
            return self.explain(*args, **kwargs)
        config, _, f, rest = self._split(args)
        shown = describe_call(self.mode.name, config, primal_of(f), tuple(map(primal_of, rest)), kwargs)
        return (
            f"{method.name} ({method.location}) returned None for {shown}. Either it declines these "
            f"arguments, or its `return {self.mode.returns}` is missing."
        )

    def name_recursion(self, error: BaseException) -> None:
        """Raise an error that names the rule which asks for itself, where an AD system caught `error`."""
        name_rule_that_asks_for_itself(error, self._tables)

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
        self, config: Any, leading: tuple[Any, ...], f: Any, args: tuple[Any, ...], *, lacking: bool
    ) -> RuleMethod | None:
        f = primal_of(f)  # an object that is traced is called by the rule of its class
        _load_rulesets_of(f, args)
        return self._tables.find(config, leading, f, args, lacking=lacking)

    def _serve(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Served | None:
        """The rule for arguments whose answer is not at hand, which is kept if possible; `None` if none."""
        call = Call(*self._split(args), kwargs)
        served = self._lookup(call)
        if served is None:
            self._check_callee(call.f, call.args, kwargs)
        return None if served is None or served.method.opts_out else served

    def _lookup(self, call: Call) -> Served | None:
        """The rule for a call, or what opts it out."""
        config, leading, f, args, kwargs = call
        lacking = False
        if kwargs:
            _load_rulesets_of(primal_of(f), args)
            lacking = self._tables.lacks_arguments(primal_of(f), args)
        method = self._find(config, leading, f, args, lacking=lacking)
        # Where required arguments are missing, a rule with varargs takes the call and knows no names.
        if kwargs and (
            method is None
            or (lacking and method.varargs is not plum.Missing)
            or not takes_keywords(method.function, kwargs)
        ):
            served = self._lookup_by_position(call)
            if served is not None:
                return served
        return None if method is None else Served(method, call, len(args))

    def _check_callee(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Refuse a call without a function, where there is no rule for it."""
        name = self.mode.name
        before = "".join(f"{leading}, " for leading in self.mode.leading)
        if isinstance(f, NEVER_CALLED):
            raise TypeError(
                f"{name}({before}{describe_value(f)}, ...): the function is missing. Write "
                f"`{name}({before}f, x)`, and not `{name}({before}f(x))`."
            )
        if not (args or kwargs) and (is_rule(f) or is_type_of_callee(f)):
            raise not_registered(name, f)

    def _call_without_rule(self, /, *args: Any, **kwargs: Any) -> Any:
        """Stand for "no rule takes this call", so that this answer is called like any other."""
        return self._answer(self._serve(args, kwargs)) if kwargs else None

    def _lookup_by_position(self, call: Call) -> Served | None:
        """The rule that takes by position what a call gives by keyword."""
        first = None
        for moved in self._calls_by_position(call):
            lacking = self._tables.lacks_arguments(primal_of(call.f), moved.args)
            method = self._find(*moved[:4], lacking=lacking)
            if method is not None and not (lacking and method.varargs is not plum.Missing):
                served = Served(method, moved, len(call.args))
                if takes_keywords(method.function, moved.kwargs):
                    return served
                first = first or served  # whose error says which keyword it does not take
        return first

    def own_answer(self, *args: Any, **kwargs: Any) -> Any:
        """As a call, but the rule's answer is not checked: for testers, which check it themselves."""
        return self.answer_by(lambda method: method.function, *args, **kwargs)

    def answer_by(self, rule_of: Callable[[RuleMethod], Any], /, *args: Any, **kwargs: Any) -> Any:
        """As a call, by what is made of the rule that serves it: for AD systems that enter rules."""
        return self._answer(self._serve(args, kwargs), rule_of)

    def _answer(self, served: Served | None, rule_of: Callable[[RuleMethod], Any] | None = None) -> Any:
        """The answer of a rule to the call that it serves."""
        if served is None:
            return None
        method, (config, leading, f, args, kwargs), written = served
        before = leading if method.config is None else (config, *leading)
        rule = rule_of(method) if rule_of else method.function if config is None else method.looked_at
        try:
            answer = rule(*before, f, *args, **kwargs)
        except TOO_DEEP as error:
            self.name_recursion(error)
            raise
        except (TypeError, ValueError) as error:
            self.add_note(error)
            raise
        return answer if answer is None or len(args) == written else self._as_written(answer, written)

    def _calls_by_position(self, call: Call) -> Iterator[Call]:
        parameters = self._tables.parameters_of(primal_of(call.f))
        for bound, rest in calls_by_position(parameters, call.args, call.kwargs):
            leading = self._with_constants(call.leading, len(bound) - len(call.args))
            yield Call(call.config, leading, call.f, bound, rest)

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
