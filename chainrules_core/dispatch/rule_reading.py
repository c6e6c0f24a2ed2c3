"""Reading a rule: its signature says how to dispatch, and is checked when the rule is defined."""

import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import plum

from chainrules_core.config import RuleConfig
from chainrules_core.dispatch.callees import TypeOf, callee_annotation
from chainrules_core.dispatch.descriptions import describe_hint, describe_value
from chainrules_core.dispatch.hint_checks import checked_hint
from chainrules_core.dispatch.number_checks import check_number
from chainrules_core.dispatch.parameters import is_plain, is_union, positional_parameters, signature_of
from chainrules_core.dispatch.rule_location import describe_place
from chainrules_core.dispatch.rule_method import Mode, RuleMethod
from chainrules_core.exceptions import RuleDefinitionError
from chainrules_core.fields import closure
from chainrules_core.parametric_types import Promise


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
        If the signature does not say which callee the rule is for, or has an annotation that cannot be
        dispatched on. The message names the function and its place, and says how to mend it.
    """
    try:
        _check_is_function(mode, function)
        names, written, varargs, takes_keywords = positional_parameters(function, Any)
        annotations = [_evaluated(a, function, scope) if isinstance(a, str) else a for a in written]
        if isinstance(varargs, str):
            varargs = _evaluated(varargs, function, scope)
        config = annotations[0] if annotations and is_config_annotation(annotations[0]) else None
        place = len(mode.leading) + (config is not None)
        if callee is not None and place < len(names):
            _check_is_said_once(mode, names[place], annotations[place])
            annotations[place] = callee
        _check_parameters(mode, function, names, annotations, place)
        annotations[place], members = callee_annotation(annotations[place])
        if varargs is plum.Missing and not opts_out:
            check_number(mode, function, members, names[place + 1 :])
        annotations = [checked_hint(name, a) for name, a in zip(names, annotations, strict=True)]
        varargs = checked_hint("*", varargs)
        if takes_keywords:
            _check_keywords(function, members)
    except RuleDefinitionError as error:
        name = getattr(function, "__qualname__", repr(function))
        raise RuleDefinitionError(
            f"The {mode.name} `{name}` ({describe_place(function)}) is not registered: {error}"
        ) from None
    hint, hints = annotations[place], tuple(annotations)
    return RuleMethod(mode.name, function, hint, members, config, hints, varargs, opts_out, precedence)


def _evaluated(annotation: str, function: Any, scope: Mapping[str, Any]) -> Any:
    function = inspect.unwrap(function)
    captured = closure(function) if isinstance(function, types.FunctionType) else {}
    names = {**getattr(function, "__globals__", {}), **scope, **captured}
    try:
        # What `typing.get_type_hints` does, and the local names of the definition: rules often stand beside a
        # local primal.
        return eval(annotation, names)  # noqa: S307 - what the author of the rule wrote
    except Exception as error:
        raise RuleDefinitionError(
            f"its annotation {annotation!r} is a string that cannot be evaluated ({type(error).__name__}: "
            f"{error}). Import or define what it names before the rule, outside `if TYPE_CHECKING`."
        ) from error


def is_config_annotation(annotation: Any) -> bool:
    """Whether a parameter with this annotation takes a configuration."""
    if isinstance(annotation, type):
        return RuleConfig in getattr(annotation, "__mro__", ())
    return is_union(annotation) and all(map(is_config_annotation, typing.get_args(annotation)))


def _check_is_function(mode: Mode, function: Any) -> None:
    if isinstance(function, type) and hasattr(function, "backward"):
        raise RuleDefinitionError(
            "a rule is one function, not a class with `forward` and `backward`. Write the forward pass, and "
            f"return its result with the backward pass as an inner function. {beginning_of(mode)}"
        )
    if not callable(function):
        raise RuleDefinitionError(
            f"a rule is a function, not {describe_value(function)}. {beginning_of(mode)}"
        )

    code = getattr(function, "__code__", None)
    if code is not None and code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | _ASYNCHRONOUS):
        raise RuleDefinitionError(
            "a rule returns a pair, and this one makes a generator or a coroutine. Write `def` without "
            "`async`, and `return` in the place of `yield`."
        )


_ASYNCHRONOUS = inspect.CO_ASYNC_GENERATOR | inspect.CO_ITERABLE_COROUTINE


def _check_keywords(function: Any, members: tuple[Any, ...]) -> None:
    """Refuse a parameter that only keywords reach and that has no default, where the primal's has one."""
    if is_plain(function) and not function.__code__.co_kwonlyargcount:
        return
    required = [
        p.name
        for p in inspect.signature(function).parameters.values()
        if p.kind is p.KEYWORD_ONLY and p.default is p.empty
    ]
    if not required:
        return
    for member in members:
        signature = signature_of(member.type_parameter)
        defaults = {} if signature is None else {p.name: p.default for p in signature.parameters.values()}
        for name in required:
            default = defaults.get(name, inspect.Parameter.empty)
            if default is not inspect.Parameter.empty:
                raise RuleDefinitionError(
                    f"its parameter `{name}` can only be given by keyword and has no default, so that no "
                    f"call without it has a rule. Give it the default of the function: `{name}={default!r}`."
                )


def _check_parameters(
    mode: Mode, function: Any, names: tuple[str, ...], annotations: list[Any], place: int
) -> None:
    for i, leading in enumerate(mode.leading, place - len(mode.leading)):
        if i < len(names) and not _may_stand_for(leading, annotations[i]):
            raise RuleDefinitionError(
                f"its parameter `{names[i]}` stands where `{leading}` belongs. {beginning_of(mode)}"
            )
    if len(names) <= place:
        raise RuleDefinitionError(f"it has no parameter for the callee. {beginning_of(mode)}")
    for i, annotation in enumerate(annotations[place + 1 :], place + 1):
        if is_config_annotation(annotation):
            raise RuleDefinitionError(
                f"its parameter `{names[i]}` takes a configuration, whose place is before all others."
            )
        if isinstance(annotation, Promise) and annotation.kind is TypeOf and annotations[place] is Any:
            raise RuleDefinitionError(
                f"its callee, `{names[i]}`, stands behind `{names[place]}`. {beginning_of(mode)}"
            )
    if annotations[place] is Any and names[place] == "self" and "." in function.__qualname__:
        owner, _, name = function.__qualname__.rpartition("<locals>.")[2].rpartition(".")
        primal = f"{owner}.{name.removesuffix(f'_{mode.name}')}"
        parameters = ", ".join((*mode.leading, f"f: typeof_({primal})", f"self: {owner}", "..."))
        raise RuleDefinitionError(
            "it stands in the body of a class, which does not exist yet. Move it behind the class: "
            f"`def foo_{mode.name}({parameters})`."
        )
    if annotations[place] is Any:
        raise RuleDefinitionError(
            f"its parameter `{names[place]}` does not say which callee the rule is for. Annotate it: "
            f"`{names[place]}: typeof_(foo)`, or write `@{mode.name}.dispatch(typeof_(foo))`. If this is "
            f"the function itself, write `@{mode.name}.dispatch(typeof_({function.__name__}))` over its "
            "rule."
        )


def _check_is_said_once(mode: Mode, name: str, annotation: Any) -> None:
    if annotation is not Any:
        raise RuleDefinitionError(
            f"the decorator says which callee the rule is for, and its parameter `{name}` is annotated "
            f"{describe_hint(annotation)} as well. Write one of the two: "
            f"`@{mode.name}.dispatch(typeof_(foo))` over `{name}: Any`, or `@{mode.name}.dispatch` over "
            f"`{name}: typeof_(foo)`."
        )


def beginning_of(mode: Mode) -> str:
    """How a rule of this mode begins, for messages."""
    return f"Write `def foo_{mode.name}({', '.join((*mode.leading, 'f: typeof_(foo)', 'x'))})`."


def _may_stand_for(leading: str, annotation: Any) -> bool:
    if leading != "tangents":
        return True
    return annotation in (Any, object, tuple) or typing.get_origin(annotation) is tuple
