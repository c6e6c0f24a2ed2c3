"""The parameters of a function that positional arguments reach, and how they are annotated."""

import inspect
import types
import typing
from collections.abc import Callable
from typing import Any

import plum

# The names; the annotation of each; the annotation of ``*args``, or `plum.Missing`; and whether there are
# other parameters, which only keywords reach.
PositionalParameters = tuple[tuple[str, ...], list[Any], Any, bool]

# `made_at` writes this attribute. Others may hold a signature, or the function that a function wraps.
_SAYS_NOTHING_OF_PARAMETERS = frozenset({"__rule_location__"})

# The kinds of parameters that positional arguments reach, one each.
POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def signature_of(f: Any) -> inspect.Signature | None:
    """The signature of a callable; `None` if it does not tell, as many functions in C."""
    try:
        return inspect.signature(f)
    except (TypeError, ValueError):
        return None


def is_union(hint: Any) -> bool:
    """Whether an annotation is a union, ``A | B`` or ``typing.Union[A, B]``."""
    # Asked of each annotation of each rule, and most are classes.
    return not isinstance(hint, type) and typing.get_origin(hint) in (typing.Union, types.UnionType)


def positional_parameters(function: Callable[..., Any], unannotated: Any) -> PositionalParameters:
    """Read the signature of a function; parameters without an annotation get `unannotated`."""
    if isinstance(function, types.FunctionType) and "__shortcut__" in function.__dict__:
        function = inspect.unwrap(function)  # it takes the arguments of the function that it shortens
    if is_plain(function):
        return _read_code(function.__code__, function.__annotations__, unannotated)
    return _inspected(function, unannotated)


def places_and_defaults(f: Any) -> list[tuple[str, bool, Any]] | None:
    """The name of each parameter that a positional argument reaches, whether a keyword does, the default.

    `None` if the callable does not tell; a default that is not there is `inspect.Parameter.empty`.
    """
    if is_plain(f):
        code, defaults = f.__code__, f.__defaults__ or ()
        names = code.co_varnames[: code.co_argcount]
        values = (*[inspect.Parameter.empty] * (len(names) - len(defaults)), *defaults)
        return [(name, i >= code.co_posonlyargcount, values[i]) for i, name in enumerate(names)]
    signature = signature_of(f)
    if signature is None:
        return None
    parameters = [x for x in signature.parameters.values() if x.kind in POSITIONAL]
    return [(x.name, x.kind is x.POSITIONAL_OR_KEYWORD, x.default) for x in parameters]


def is_plain(function: Any) -> bool:
    """Whether the code of a function says all of its parameters: `inspect.signature` takes longer."""
    return isinstance(function, types.FunctionType) and (
        function.__dict__.keys() <= _SAYS_NOTHING_OF_PARAMETERS
    )


def _read_code(code: types.CodeType, written: dict[str, Any], unannotated: Any) -> PositionalParameters:
    names = code.co_varnames[: code.co_argcount]
    varargs = plum.Missing
    if code.co_flags & inspect.CO_VARARGS:
        varargs = written.get(code.co_varnames[code.co_argcount + code.co_kwonlyargcount], unannotated)
    takes_keywords = code.co_kwonlyargcount > 0 or code.co_flags & inspect.CO_VARKEYWORDS != 0
    return names, [written.get(name, unannotated) for name in names], varargs, takes_keywords


def _inspected(function: Callable[..., Any], unannotated: Any) -> PositionalParameters:
    names: list[str] = []
    annotations: list[Any] = []
    varargs = plum.Missing
    takes_keywords = False
    known = getattr(function, "__dict__", {}).get("__signature__")
    signature = known if isinstance(known, inspect.Signature) else inspect.signature(function)
    for parameter in signature.parameters.values():
        annotation = unannotated if parameter.annotation is parameter.empty else parameter.annotation
        if parameter.kind in POSITIONAL:
            names.append(parameter.name)
            annotations.append(annotation)
        elif parameter.kind is parameter.VAR_POSITIONAL:
            varargs = annotation
        else:
            takes_keywords = True
    return tuple(names), annotations, varargs, takes_keywords
