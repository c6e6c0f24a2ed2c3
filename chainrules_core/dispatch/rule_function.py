"""What `frule` and `rrule` have in common: how a rule enters their tables, and how it is looked up."""

import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, overload

from chainrules_core.backends import primal_of
from chainrules_core.config import is_config
from chainrules_core.dispatch.answers import Answers
from chainrules_core.dispatch.callee_names import name_of_member
from chainrules_core.dispatch.callees import CalleeAnnotation, is_callee_annotation, unwrap_primitive
from chainrules_core.dispatch.explain import Call, explain_lookup, methods_of
from chainrules_core.dispatch.method_tables import MethodTables
from chainrules_core.dispatch.new_rules import announce, has_hooks
from chainrules_core.dispatch.rule_location import place_of_rule
from chainrules_core.dispatch.rule_method import Mode, RuleMethod
from chainrules_core.dispatch.rule_reading import read_rule
from chainrules_core.dispatch.rulesets import load_rulesets, load_rulesets_for, load_rulesets_named_for
from chainrules_core.exceptions import RuleNotFoundError

Rule = TypeVar("Rule", bound=Callable[..., Any])


class RuleRedefinitionWarning(UserWarning):
    """A rule replaces an earlier one whose signature is written identically."""


class RuleFunction:
    """A function whose methods are rules: what `frule` and `rrule` have in common.

    Attributes
    ----------
    remembered
        For AD systems that look the same rules up again and again: ``remembered((type(config), f,
        *types))`` is the rule for arguments of these types, if it takes no configuration; `None` where a
        call has to find out.
    """

    __slots__ = ("_recall", "_recall_with_config", "_tables", "answers", "mode", "remembered")

    def __init__(self, mode: Mode) -> None:
        self.mode = mode
        self.answers = Answers()
        self._tables = MethodTables(mode.name, self.answers)
        # What the hot path asks, without another step.
        self._recall = self.answers.at_hand
        self._recall_with_config = self.answers.at_hand_with_config
        self.remembered = self.answers.remembered

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
    def dispatch(self, what: Any = None, /, *, precedence: int = 0) -> Any:
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
        scope = sys._getframe(1).f_locals  # noqa: SLF001 - where string annotations find local names
        callee = what if is_callee_annotation(what) else None

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

    def callees(self) -> list[Any]:
        """The functions and classes that have a rule of their own; those that `typeof_` named come first."""
        load_rulesets()
        return self._tables.callees()

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """Say in plain text which rule serves a call and which rules it beat, or why there is none.

        Takes the arguments of a call of the rule function itself. It calls no rule, so it cannot say
        whether the rule declines, by returning `None`; `require` does.
        """
        del kwargs  # they do not take part in dispatch
        config, leading, f, args = self._split(args)
        load_rulesets()
        return explain_lookup(self._tables, Call(config, leading, primal_of(f), tuple(map(primal_of, args))))

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
            If no rule applies, or the rule that applies declines; the message is that of `explain`.
        """
        answer = self(*args, **kwargs)
        if answer is None:
            reason = self.explain(*args, **kwargs)
            if self.find(*args) is not None:
                reason += "\nThat rule declined: it returned None for these arguments."
            raise RuleNotFoundError(reason)
        return answer

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Find the rule for a call, and call it."""
        raise NotImplementedError

    def _split(self, args: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...], Any, tuple[Any, ...]]:
        """Take the arguments of a call apart: configuration, what stands before the callee, it, the rest."""
        config, rest = (args[0], args[1:]) if args and is_config(args[0]) else (None, args)
        place = len(self.mode.leading)
        if len(rest) <= place:
            expected = ", ".join((*self.mode.leading, "f"))
            raise TypeError(f"{self.mode.name}({expected}, *args): the function to differentiate is missing.")
        leading, f, rest = rest[:place], rest[place], rest[place + 1 :]
        self._check_leading(leading, f, rest)
        return config, leading, unwrap_primitive(f), rest

    def _check_leading(self, leading: tuple[Any, ...], f: Any, args: tuple[Any, ...]) -> None:
        """Refuse what stands before the callee where it cannot be what it should be."""

    def _find(
        self, config: Any, leading: tuple[Any, ...], f: Any, args: tuple[Any, ...]
    ) -> RuleMethod | None:
        f = primal_of(f)  # an object that is traced is called by the rule of its class
        if has_hooks():
            load_rulesets()  # each rule is announced, called or not
        else:
            load_rulesets_for(f, args)
        return self._tables.find(config, leading, f, args)

    def _call_new(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the rule for arguments whose answer is not at hand, and keep the answer if possible."""
        config, leading, f, rest = self._split(args)
        method = self._find(config, leading, f, rest)
        if method is None or method.opts_out:
            return None
        if method.config is None:
            return method.function(*leading, f, *rest, **kwargs)
        return method.function(config, *leading, f, *rest, **kwargs)


def _warn_of_redefinition(method: RuleMethod, redefined: RuleMethod) -> None:
    file, line = place_of_rule(method.function) or ("<unknown>", 0)
    # At the rule's own place, whichever helper registered it.
    warnings.warn_explicit(
        f"The {method.mode} `{method.name}` redefines `{redefined.name}` ({redefined.location}), whose "
        f"signature is the same: {method.describe_parameters()}.",
        RuleRedefinitionWarning,
        file,
        line,
    )
