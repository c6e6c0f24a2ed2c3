"""A rule as it is registered: its function, and what the parameters of that function say about dispatch.

What can be known is checked when the rule is defined. What only dispatch needs, plum's signature, is made when
a table first needs it: most rules of a large ruleset are never looked up in one program.
"""

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import plum

from chainrules_core.callees import callee_annotation
from chainrules_core.config import RuleConfig
from chainrules_core.exceptions import RuleDefinitionError

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class Mode:
    """A kind of rule, and the parameters that stand before the callee in its signature."""

    name: str
    leading: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class RuleMethod:
    """One rule, as `rrule.methods` lists it and `on_new_rule` passes it on.

    Attributes
    ----------
    mode
        ``"frule"`` or ``"rrule"``.
    function
        The function that its author wrote, unchanged.
    callee
        What its callee parameter says: a type that `typeof_(foo)` made, or its likes for classes; a union of such.
    members
        The types that `callee` consists of; one, unless it is a union.
    config
        The annotation of its configuration parameter, or `None` for a rule without one.
    hints
        The annotations of all positional parameters that take part in dispatch, `callee` in the callee's place.
    varargs
        The annotation of its ``*args``, or `plum.Missing`.
    opts_out
        Whether it says, as `opt_out` does, that there is no rule.
    precedence
        plum's precedence, for breaking ties.
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

    @cached_property
    def signature(self) -> plum.Signature:
        """plum's signature: what decides applicability and specificity."""
        hints = [plum.resolve_type_hint(hint) for hint in self.hints]
        varargs = self.varargs
        if varargs is not plum.Missing:
            varargs = plum.resolve_type_hint(varargs)
        return plum.Signature(*hints, varargs=varargs, precedence=self.precedence)

    @cached_property
    def stand_in(self) -> Callable[..., Any]:
        """The function to register with plum, in place of the rule itself.

        plum reads names, defaults and the return annotation of what it registers. A rule's return annotation says
        nothing about dispatch and may name types that exist for type checkers only.
        """
        function = self.function
        if isinstance(function, types.FunctionType):
            stand_in = types.FunctionType(function.__code__, function.__globals__, function.__name__, None, function.__closure__)
        else:

            def stand_in(*args: Any, **kwargs: Any) -> Any:
                return function(*args, **kwargs)

            stand_in.__name__ = stand_in.__qualname__ = self.name
        signature = inspect.signature(function).replace(return_annotation=inspect.Signature.empty)
        stand_in.__signature__ = signature  # type: ignore[attr-defined]  # `inspect` reads it
        return stand_in

    @property
    def name(self) -> str:
        """The name of the rule's function."""
        return getattr(self.function, "__name__", None) or type(self.function).__name__

    @property
    def location(self) -> str:
        """Where the rule stands, as ``file:line``."""
        return location(self.function)

    @property
    def identity(self) -> tuple[Any, ...]:
        """Equal for two rules whose signatures are written identically, so that the second redefines the first."""
        return (self.config is not None, self.hints, self.varargs)

    def __repr__(self) -> str:
        return f"<{self.mode} {self.name}{self.describe_parameters()} at {self.location}>"

    def describe_parameters(self) -> str:
        """The types of the positional parameters, as a reader would write them."""
        shown = [_shown(hint) for hint in self.hints]
        if self.varargs is not plum.Missing:
            shown.append(f"*{_shown(self.varargs)}")
        return f"({', '.join(shown)})"


def read_rule(
    mode: Mode,
    function: Callable[..., Any],
    scope: Mapping[str, Any],
    *,
    opts_out: bool = False,
    precedence: int = 0,
) -> RuleMethod:
    """Read what a rule's signature says.

    Parameters
    ----------
    mode
        Which kind of rule it is.
    function
        The rule.
    scope
        The local names of the place where it is defined, to resolve annotations that are strings.

    Raises
    ------
    RuleDefinitionError
        If the signature does not say which callee the rule is for; names the function, its place and the mend.
    """
    try:
        names, annotations, varargs = _positional_parameters(function, scope)
        config = annotations[0] if annotations and is_config_annotation(annotations[0]) else None
        place = len(mode.leading) + (config is not None)
        _check_parameters(mode, names, annotations, place)
        callee, members = callee_annotation(annotations[place])
    except RuleDefinitionError as error:
        name = getattr(function, "__qualname__", repr(function))
        raise RuleDefinitionError(f"The {mode.name} `{name}` ({location(function)}) is not registered: {error}") from None
    annotations[place] = callee
    return RuleMethod(
        mode.name, function, callee, members, config, tuple(annotations), varargs, opts_out, precedence
    )


def _positional_parameters(
    function: Callable[..., Any], scope: Mapping[str, Any]
) -> tuple[list[str], list[Any], Any]:
    if isinstance(function, types.FunctionType) and not function.__dict__:
        # `inspect.signature` costs more than the rest of a registration, and a plain function needs none of its care.
        code = function.__code__
        names = list(code.co_varnames[: code.co_argcount])
        written = function.__annotations__
        annotations = [written.get(name, Any) for name in names]
        varargs: Any = plum.Missing
        if code.co_flags & inspect.CO_VARARGS:
            varargs = written.get(code.co_varnames[code.co_argcount + code.co_kwonlyargcount], Any)
    else:
        names, annotations, varargs = _inspected_parameters(function)
    if any(isinstance(annotation, str) for annotation in (*annotations, varargs)):
        annotations = [_evaluated(annotation, function, scope) for annotation in annotations]
        varargs = _evaluated(varargs, function, scope)
    return names, annotations, varargs


def _inspected_parameters(function: Callable[..., Any]) -> tuple[list[str], list[Any], Any]:
    names, annotations, varargs = [], [], plum.Missing
    for parameter in inspect.signature(function).parameters.values():
        annotation = Any if parameter.annotation is parameter.empty else parameter.annotation
        if parameter.kind in _POSITIONAL:
            names.append(parameter.name)
            annotations.append(annotation)
        elif parameter.kind is parameter.VAR_POSITIONAL:
            varargs = annotation
    return names, annotations, varargs


def _evaluated(annotation: Any, function: Any, scope: Mapping[str, Any]) -> Any:
    if not isinstance(annotation, str):
        return annotation
    function = inspect.unwrap(function)
    names = {**getattr(function, "__globals__", {}), **scope, **_captured(function)}
    try:
        # What `typing.get_type_hints` does, with the local names of the definition added: rules are often defined
        # beside a local primal.
        return eval(annotation, names)  # noqa: S307
    except Exception as error:
        raise RuleDefinitionError(
            f"its annotation {annotation!r} is a string that cannot be evaluated ({type(error).__name__}: {error}). Import or "
            "define what it names before the rule, outside `if TYPE_CHECKING`."
        ) from error


def _captured(function: Any) -> dict[str, Any]:
    cells = getattr(function, "__closure__", None) or ()
    names = function.__code__.co_freevars if cells else ()
    return {name: cell.cell_contents for name, cell in zip(names, cells, strict=True) if _is_filled(cell)}


def _is_filled(cell: types.CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def is_config_annotation(annotation: Any) -> bool:
    if isinstance(annotation, type):
        return RuleConfig in getattr(annotation, "__mro__", ())
    members = typing.get_args(annotation)
    is_union = typing.get_origin(annotation) in (typing.Union, types.UnionType)
    return is_union and all(map(is_config_annotation, members))


def _check_parameters(mode: Mode, names: list[str], annotations: list[Any], place: int) -> None:
    expected = ", ".join((*mode.leading, "f: typeof_(foo)", "x"))
    if len(names) <= place:
        raise RuleDefinitionError(
            f"it has no parameter for the callee. Write `def {mode.name}_of_foo({expected})`."
        )
    for name, annotation in zip(mode.leading, annotations[place - len(mode.leading) : place], strict=True):
        if not _may_stand_for(name, annotation):
            raise RuleDefinitionError(
                f"its parameter `{names[place - 1]}` stands where `{name}` belongs. Write `def {mode.name}_of_foo({expected})`."
            )
    if annotations[place] is Any:
        raise RuleDefinitionError(
            f"its parameter `{names[place]}` does not say which callee the rule is for. Annotate it: "
            f"`{names[place]}: typeof_(foo)`."
        )


def _may_stand_for(leading: str, annotation: Any) -> bool:
    if leading != "tangents":
        return True
    return annotation in (Any, object, tuple) or typing.get_origin(annotation) is tuple


def location(function: Any) -> str:
    """Where a rule is defined, as ``file:line``; the path is relative where it is below the working folder."""
    place = getattr(function, "__rule_location__", None)
    if place is None:
        code = getattr(inspect.unwrap(function), "__code__", None)
        if code is None:
            return "place unknown"
        place = (code.co_filename, code.co_firstlineno)
    path = Path(place[0])
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return f"{path}:{place[1]}"


def place_of(frame: types.FrameType) -> tuple[str, int]:
    """What `location` shows for a rule that is made, not written, at a line of the program."""
    return frame.f_code.co_filename, frame.f_lineno


def _shown(hint: Any) -> str:
    if isinstance(hint, type):
        return hint.__name__
    return str(hint).replace("typing.", "")
