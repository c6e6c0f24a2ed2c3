"""Annotations of a rule's arguments: dispatch refuses some, and the error says their replacement."""

import types
import typing
from collections.abc import Callable
from typing import Any

import numpy as np
import plum

from chainrules_core.dispatch.descriptions import describe_hint
from chainrules_core.dispatch.parameters import is_union
from chainrules_core.exceptions import RuleDefinitionError


def checked_hint(name: str, annotation: Any) -> Any:
    """The annotation of a parameter, for plum.

    An alias of `typing`, such as ``typing.Callable``, becomes the class that it stands for; so does a hint
    listed in `CLASSES_FOR_HINTS`. A name made by a ``type`` statement becomes its value.

    Raises
    ------
    RuleDefinitionError
        If it is neither a class nor a type hint that can be dispatched on.
    """
    if not isinstance(annotation, type):  # as most are
        annotation = _unaliased(annotation)
    if isinstance(annotation, type):
        return annotation
    if not _is_hint(annotation):
        raise RuleDefinitionError(
            f"its parameter `{name}` is annotated {annotation!r}, which is neither a class nor a type hint "
            f"that can be dispatched on.{_mend_of_annotation(name, annotation)}"
        )
    return _of_class(annotation)


# Since Python 3.12. `npt.NDArray` is one there, in younger versions of NumPy.
_ALIASES: Any = getattr(typing, "TypeAliasType", ())


def _unaliased(hint: Any) -> Any:
    """What the name of a statement ``type Name = ...`` stands for."""
    if isinstance(hint, _ALIASES):
        return _unaliased(hint.__value__)
    generic = typing.get_origin(hint)
    return _unaliased(generic.__value__[typing.get_args(hint)]) if isinstance(generic, _ALIASES) else hint


def _is_hint(annotation: Any) -> bool:
    if annotation is plum.Missing or annotation is None or annotation is Any:
        return True
    try:
        hash(annotation)
    except TypeError:
        return False
    return isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is not None


# By generic class: what makes a class to dispatch on from a hint that says more than the class.
CLASSES_FOR_HINTS: dict[type, Callable[[Any], Any]] = {}


def _of_class(hint: Any) -> Any:
    if isinstance(hint, type):  # as most members of unions are
        return hint
    origin = typing.get_origin(hint)
    if is_union(hint):
        members = tuple([x if isinstance(x, type) else _unaliased(x) for x in typing.get_args(hint)])
        meant = tuple(map(_of_class, members))
        return hint if meant == typing.get_args(hint) else typing.Union[meant]  # noqa: UP007 - of several
    if origin in CLASSES_FOR_HINTS:
        return CLASSES_FOR_HINTS[origin](hint)
    # beartype warns of these aliases at length, and at each call.
    if type(hint).__module__ != "typing" or not isinstance(origin, type):
        return hint
    arguments = typing.get_args(hint)
    if issubclass(origin, typing.Generic) and origin.__module__ != "typing":
        _check_says_nothing(origin, arguments)
        return origin
    return origin[arguments] if arguments else origin  # type: ignore[index]  # a generic class


def _check_says_nothing(generic: type, arguments: tuple[Any, ...]) -> None:
    """Refuse parameters of a generic class: beartype asks for the class alone, and so would dispatch."""
    if not all(argument is Any or isinstance(argument, typing.TypeVar) for argument in arguments):
        name, shown = generic.__name__, ", ".join(map(describe_hint, arguments))
        raise RuleDefinitionError(
            f"it is annotated `{name}[{shown}]`, and no instance keeps what its class was subscripted with: "
            f"the rule would be chosen for each `{name}`. Write `{name}`, and ask for the rest in the rule, "
            "which may return `None`; or decorate the class with `plum.parametric`."
        )


_MEANT: dict[Any, str] = {
    np.array: "np.ndarray",
    np.asarray: "np.ndarray",
    callable: "collections.abc.Callable",
    any: "Any",
}


def _mend_of_annotation(name: str, annotation: Any) -> str:
    meant = None
    if isinstance(annotation, types.BuiltinFunctionType):
        meant = _MEANT.get(annotation)
    elif isinstance(annotation, tuple) and all(isinstance(member, type) for member in annotation):
        meant = " | ".join(map(describe_hint, annotation))
    elif isinstance(annotation, list) and len(annotation) == 1:
        meant = f"list[{describe_hint(annotation[0])}]"
    elif isinstance(annotation, np.ndarray):
        meant = "np.ndarray"
    elif isinstance(annotation, int | float | complex):
        meant = type(annotation).__name__
    return f" Write `{name}: {meant}`." if meant else ""
