"""Reading a rule: what the signature of its function says about dispatch, checked when it is defined."""

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import plum

from chainrules_core.config import RuleConfig
from chainrules_core.dispatch.callees import callee_annotation
from chainrules_core.dispatch.descriptions import describe_hint
from chainrules_core.dispatch.parameters import positional_parameters
from chainrules_core.dispatch.rule_location import describe_place
from chainrules_core.dispatch.rule_method import Mode, RuleMethod
from chainrules_core.exceptions import RuleDefinitionError


def read_rule(  # noqa: PLR0913 - what is not in the signature is said by name
    mode: Mode,
    function: Callable[..., Any],
    scope: Mapping[str, Any],
    *,
    callee: Any = None,
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
    callee
        The annotation of the callee's parameter, where that stands in the decorator.
    opts_out, precedence
        As `RuleMethod` has them.

    Raises
    ------
    RuleDefinitionError
        If the signature does not say which callee the rule is for, or says what cannot be dispatched on;
        names the function, its place and the mend.
    """
    try:
        names, written, varargs, _ = positional_parameters(function, Any)
        annotations = [_evaluated(a, function, scope) if isinstance(a, str) else a for a in written]
        if isinstance(varargs, str):
            varargs = _evaluated(varargs, function, scope)
        config = annotations[0] if annotations and is_config_annotation(annotations[0]) else None
        place = len(mode.leading) + (config is not None)
        if callee is not None and place < len(names):
            _check_is_said_once(mode, names[place], annotations[place])
            annotations[place] = callee
        _check_parameters(mode, names, annotations, place)
        annotations[place], members = callee_annotation(annotations[place])
        _check_hints(names, (*annotations, varargs))
    except RuleDefinitionError as error:
        name = getattr(function, "__qualname__", repr(function))
        raise RuleDefinitionError(
            f"The {mode.name} `{name}` ({describe_place(function)}) is not registered: {error}"
        ) from None
    hint, hints = annotations[place], tuple(annotations)
    return RuleMethod(mode.name, function, hint, members, config, hints, varargs, opts_out, precedence)


def _evaluated(annotation: str, function: Any, scope: Mapping[str, Any]) -> Any:
    function = inspect.unwrap(function)
    names = {**getattr(function, "__globals__", {}), **scope, **_captured(function)}
    try:
        # What `typing.get_type_hints` does, and the local names of the definition: rules often stand beside a
        # local primal.
        return eval(annotation, names)  # noqa: S307 - what the author of the rule wrote
    except Exception as error:
        raise RuleDefinitionError(
            f"its annotation {annotation!r} is a string that cannot be evaluated ({type(error).__name__}: "
            f"{error}). Import or define what it names before the rule, outside `if TYPE_CHECKING`."
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
    """Whether a parameter with this annotation takes a configuration."""
    if isinstance(annotation, type):
        return RuleConfig in getattr(annotation, "__mro__", ())
    members = typing.get_args(annotation)
    is_union = typing.get_origin(annotation) in (typing.Union, types.UnionType)
    return is_union and all(map(is_config_annotation, members))


def _check_parameters(mode: Mode, names: tuple[str, ...], annotations: list[Any], place: int) -> None:
    for i, leading in enumerate(mode.leading, place - len(mode.leading)):
        if i < len(names) and not _may_stand_for(leading, annotations[i]):
            raise RuleDefinitionError(
                f"its parameter `{names[i]}` stands where `{leading}` belongs. {_example(mode)}"
            )
    if len(names) <= place:
        raise RuleDefinitionError(f"it has no parameter for the callee. {_example(mode)}")
    if annotations[place] is Any:
        raise RuleDefinitionError(
            f"its parameter `{names[place]}` does not say which callee the rule is for. Annotate it: "
            f"`{names[place]}: typeof_(foo)`, or write `@{mode.name}.dispatch(typeof_(foo))`."
        )


def _check_is_said_once(mode: Mode, name: str, annotation: Any) -> None:
    if annotation is not Any:
        raise RuleDefinitionError(
            f"the decorator says which callee the rule is for, and its parameter `{name}` is annotated "
            f"{describe_hint(annotation)} as well. Write one of the two: "
            f"`@{mode.name}.dispatch(typeof_(foo))` over `{name}: Any`, or `@{mode.name}.dispatch` over "
            f"`{name}: typeof_(foo)`."
        )


def _example(mode: Mode) -> str:
    return f"Write `def foo_{mode.name}({', '.join((*mode.leading, 'f: typeof_(foo)', 'x'))})`."


def _may_stand_for(leading: str, annotation: Any) -> bool:
    if leading != "tangents":
        return True
    return annotation in (Any, object, tuple) or typing.get_origin(annotation) is tuple


def _check_hints(names: tuple[str, ...], annotations: tuple[Any, ...]) -> None:
    for i, annotation in enumerate(annotations):
        if not (isinstance(annotation, type) or _is_hint(annotation)):
            name = (*names, "*")[i]
            raise RuleDefinitionError(
                f"its parameter `{name}` is annotated {annotation!r}, which is neither a class nor a type "
                "hint that can be dispatched on."
            )


def _is_hint(annotation: Any) -> bool:
    if annotation is plum.Missing or annotation is None or annotation is Any:
        return True
    try:
        hash(annotation)
    except TypeError:
        return False
    return isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is not None
