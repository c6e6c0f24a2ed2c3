"""A rule as it is registered: its function, and the annotations of the function's parameters.

The types of callees and plum's signature, which only dispatch needs, are made when a table first needs them:
most rules of a large ruleset are never looked up in one program.
"""

import functools
import inspect
import operator
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import plum

from chainrules_core.dispatch.descriptions import describe_hint
from chainrules_core.dispatch.rule_location import describe_place, place_of_rule


@dataclass(frozen=True, slots=True)
class Mode:
    """A kind of rule.

    Attributes
    ----------
    name
        The name of the function that looks these rules up.
    leading
        The parameters that stand before the callee in their signatures.
    announced
        Whether the hooks of `on_new_rule` are told about them.
    returns
        What they return, as it is written behind `return`.
    """

    name: str
    leading: tuple[str, ...] = ()
    announced: bool = True
    returns: str = "y, pullback"


# Not frozen, though nobody changes one: that would make registering a rule a tenth slower.
@dataclass(eq=False)
class RuleMethod:
    """One rule, as `rrule.methods` lists it and `on_new_rule` passes it on.

    Attributes
    ----------
    mode
        ``"frule"`` or ``"rrule"``.
    function
        The function that its author wrote, unchanged.
    callee
        The annotation of its callee parameter: a type that `typeof_(foo)` made, its like for classes, or a
        union of these.
    members
        The types that `callee` consists of; one, unless it is a union.
    config
        The annotation of its configuration parameter, or `None` for a rule without one.
    hints
        The annotations of all positional parameters, with `callee` in the callee's place.
    varargs
        The annotation of its ``*args``, or `plum.Missing`.
    opts_out
        Whether it says, as `opt_out` does, that there is no rule.
    precedence
        plum's precedence, for breaking ties.
    ruleset
        The ruleset whose import registered it, or `None` where a program did.
    """

    mode: str
    function: Callable[..., Any]
    callee: Any
    members: tuple[Any, ...]
    config: Any
    hints: tuple[Any, ...]
    varargs: Any
    opts_out: bool = False
    precedence: int = 0
    ruleset: str | None = None

    # From a rule to the function that AD systems are to call; whoever defines the tangents sets it.
    looking_at: ClassVar[Callable[["RuleMethod"], Callable[..., Any]]]

    def for_mode(self, mode: Mode, function: Callable[..., Any]) -> "RuleMethod":
        """A rule of another mode for the same callee and arguments, where this one takes no configuration."""
        hints = (Any,) * len(mode.leading) + self.hints
        return replace(self, mode=mode.name, function=function, hints=hints)

    @functools.cached_property
    def signature(self) -> plum.Signature:
        """plum's signature, which decides applicability and specificity."""
        callee = functools.reduce(operator.or_, [member.resolve() for member in self.members])
        hints = [callee if hint is self.callee else plum.resolve_type_hint(hint) for hint in self.hints]
        varargs = self.varargs
        if varargs is not plum.Missing:
            varargs = plum.resolve_type_hint(varargs)
        return plum.Signature(*hints, varargs=varargs, precedence=self.precedence)

    def matches(self, target: tuple[Any, ...]) -> bool:
        """Whether the rule applies to a call with these positional arguments."""
        signatures = plum.append_default_args(self.signature, self.stand_in)
        return any(signature.match(target) for signature in signatures)

    @functools.cached_property
    def stand_in(self) -> Callable[..., Any]:
        """The function to register with plum, in place of the rule itself.

        plum reads the names, the defaults and the return annotation of a function that it registers, and
        quotes its place. A rule's return annotation says nothing about dispatch, and may use names that only
        type checkers know.
        """
        function = self.function
        # Only quoted, never called: any code will do for a rule that is not a plain function.
        like = function if isinstance(function, types.FunctionType) else _any_function
        stand_in = types.FunctionType(like.__code__, like.__globals__, self.name, None, like.__closure__)
        signature = inspect.signature(function)
        if signature.return_annotation is not inspect.Signature.empty:
            signature = signature.replace(return_annotation=inspect.Signature.empty)
        stand_in.__signature__ = signature  # type: ignore[attr-defined]  # `inspect` reads it
        return stand_in

    @property
    def place_of_callee(self) -> int:
        """The place of the callee among the positional parameters; the arguments stand behind it."""
        return self.hints.index(self.callee)

    @functools.cached_property
    def looked_at(self) -> Callable[..., Any]:
        """The function that AD systems call: the rule's own, or one that also checks the rule's answer."""
        return RuleMethod.looking_at(self)

    @property
    def name(self) -> str:
        """The name of the rule's function."""
        return getattr(self.function, "__name__", None) or type(self.function).__name__

    @property
    def location(self) -> str:
        """Where the rule stands, as ``file:line``."""
        return describe_place(self.function)

    def stands_in(self, package: str) -> bool:
        """Whether the rule stands in a file of a package that has been imported."""
        if self.ruleset is not None:
            return self.ruleset.partition(".")[0] == package
        place = place_of_rule(self.function)
        folders = getattr(sys.modules.get(package), "__path__", ())
        return place is not None and any(Path(folder) in Path(place[0]).parents for folder in folders)

    @property
    def identity(self) -> tuple[Any, ...]:
        """Equal for two rules if one redefines the other: their signatures are written identically.

        An opt-out does not redefine a rule, nor a rule an opt-out: whichever comes first, the opt-out wins.
        """
        return (self.hints, self.varargs, self.precedence, self.opts_out)

    def rivals_among(self, methods: Mapping[Any, "RuleMethod"]) -> Iterator["RuleMethod"]:
        """Those of `methods`, a mapping by identity, that cannot stay beside this one: see `yields_to`."""
        same = methods.get(self.identity)
        if same is not None:
            yield same
        *signature, opts_out = self.identity
        other = methods.get((*signature, not opts_out))
        if other is not None:
            opt_out, rule = (self, other) if opts_out else (other, self)
            if opt_out.yields_to(rule):
                yield other

    def yields_to(self, other: "RuleMethod") -> bool:
        """Whether it gives way to another rule for the same calls, because a ruleset brought it.

        Earlier lookups decide when a ruleset is loaded; they must never decide which rule is used.
        """
        return self.ruleset is not None and self.ruleset != other.ruleset

    def __repr__(self) -> str:
        return f"<{self.mode} {self.name}{self.describe_parameters()} at {self.location}>"

    def describe_parameters(self) -> str:
        """The types of the positional parameters, as a reader would write them."""
        shown = [describe_hint(hint) for hint in self.hints]
        if self.varargs is not plum.Missing:
            shown.append(f"*{describe_hint(self.varargs)}")
        return f"({', '.join(shown)})"


def _any_function() -> None: ...
