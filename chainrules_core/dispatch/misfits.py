"""Why a rule cannot serve a call, in words: which argument does not fit, and what to write instead."""

import inspect
import math
import numbers
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import plum

from chainrules_core.dispatch.descriptions import describe_hint, describe_value
from chainrules_core.dispatch.parameters import POSITIONAL, signature_of
from chainrules_core.dispatch.rule_method import RuleMethod


def misfits(method: RuleMethod, config: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[str]:
    """Why a rule cannot serve a call, one sentence for each reason.

    Parameters
    ----------
    method
        A rule for the callee.
    config
        The configuration of the call, or `None`.
    args, kwargs
        The arguments of the call, as many of them by position as can be.
    """
    return [
        *_misfit_of_config(method, config),
        *_misfits_of_number(method, args, kwargs),
        *_of_types(method, args),
        *(() if len(args) < _number_needed(method) else misfits_of_keywords(method, kwargs)),
    ]


def _misfit_of_config(method: RuleMethod, config: Any) -> Iterator[str]:
    if method.config is None:
        return
    if config is None:
        yield (
            "it asks for a configuration: pass your AD system's before the function, such as "
            "`ADConfig()` of `chainrules.ad`"
        )
    elif not plum.Signature(method.signature.types[0]).match((config,)):
        asked, given = describe_hint(method.config), describe_value(config)
        yield f"it asks for {asked}, and {given} does not have all of it"


def _misfits_of_number(method: RuleMethod, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Iterator[str]:
    needed, most = _number_needed(method), len(_positional(method))
    if len(args) > most and method.varargs is plum.Missing:
        yield f"{_takes(needed, most)}, the call has {len(args)}"
        yield from _varargs_of_callee(method)
        parameters = inspect.signature(method.function).parameters.values()
        names = [f"`{p.name}`" for p in parameters if p.kind is p.KEYWORD_ONLY]
        if names:
            yield f"{_words(names)} can only be given by keyword: write `{names[0].strip('`')}=...`"
    elif len(args) < needed:
        yield f"{_takes(needed, most)}, the call has {len(args)}"
        if kwargs:
            names = [f"`{name}`" for name in kwargs]
            yield f"{_words(names)} came by keyword: pass {'it' if len(names) == 1 else 'them'} by position"


def _positional(method: RuleMethod) -> list[inspect.Parameter]:
    """The parameters of a rule that the positional arguments of the call reach: those behind the callee."""
    parameters = inspect.signature(method.function).parameters.values()
    return [p for p in parameters if p.kind in POSITIONAL][method.place_of_callee + 1 :]


def _number_needed(method: RuleMethod) -> int:
    return sum(p.default is p.empty for p in _positional(method))


def misfits_of_keywords(method: RuleMethod, keywords: Iterable[str]) -> list[str]:
    """For each keyword of a call that a rule has no parameter for, what to write in the rule."""
    parameters = inspect.signature(method.function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return []
    return [
        f"it has no parameter for the keyword `{name}`: give it `*, {_parameter(method, name)}`, or "
        "`**options`"
        for name in keywords
        if name not in parameters
    ]


def _parameter(method: RuleMethod, name: str) -> str:
    """A parameter as it is in a function that a rule is for: with its default, as far as that is known."""
    for member in method.members:
        signature = signature_of(member.type_parameter)
        parameter = None if signature is None else signature.parameters.get(name)
        if parameter is not None and parameter.default is not parameter.empty:
            return f"{name}={parameter.default!r}"
    return name


def _varargs_of_callee(method: RuleMethod) -> Iterator[str]:
    for member in method.members:
        code = getattr(member.type_parameter, "__code__", None)
        if code is not None and code.co_flags & inspect.CO_VARARGS:
            name = code.co_varnames[code.co_argcount + code.co_kwonlyargcount]
            yield f"the function takes any number: write `*{name}: float` in the rule"
            return


def _takes(least: int, most: int) -> str:
    number = str(most) if least == most else f"{least} to {most}"
    return f"it takes {number} argument{'' if number == '1' else 's'}"


def _words(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _of_types(method: RuleMethod, args: tuple[Any, ...]) -> Iterator[str]:
    place = method.place_of_callee + 1
    hints = method.signature.expand_varargs(place + len(args))[place:]
    names = [p.name for p in _positional(method)]
    for i, (hint, x) in enumerate(zip(hints, args, strict=False)):
        if not _fits(hint, x):
            name = f"`{names[i]}`" if i < len(names) else f"argument {i + 1}"
            mend = _mend_of_value(hint, x)
            if i >= len(names) and hint is tuple:
                mend += ": the annotation of `*xs` is the type of each item, such as `*xs: float`"
            yield f"{name} is {_a(describe_value(x))}, the rule takes {describe_hint(hint)}{mend}"


def _fits(hint: Any, x: Any) -> bool:
    return bool(plum.Signature(hint).match((x,)))


def _mend_of_value(hint: Any, x: Any) -> str:
    """The end of a sentence that says what to write, where that is clear."""
    if type(x) is int and _fits(hint, _A_FLOAT):
        written = f"write `{float(x)!r}`, or " if abs(x) < _LARGE else ""
        return f": {written}annotate it `numbers.Real` in the rule"
    if isinstance(x, np.generic) and isinstance(x, numbers.Real) and _fits(hint, _A_FLOAT):
        return ": annotate it `numbers.Real`"
    if isinstance(x, list | tuple) and _fits(hint, _AN_ARRAY):
        return ": write `np.array(...)`"
    origin = typing.get_origin(hint)
    if isinstance(origin, type) and isinstance(x, origin):
        return ", which looks at its items as well"
    if isinstance(x, list) and _fits(hint, ()):
        return ": write `tuple(...)`"
    if isinstance(x, np.ndarray) and _fits(hint, _A_FLOAT):
        return ": annotate it `float | np.ndarray` if the rule is right for arrays"
    return ""


_A_FLOAT, _AN_ARRAY = math.pi, np.array([math.pi])  # of any value

_LARGE = 2**53  # from here on integers of float64 have gaps


def _a(noun: str) -> str:
    if noun == "NoneType":
        return noun
    return f"{'an' if noun[0] in 'aeiouAEIOU' or noun.startswith('nd') else 'a'} {noun}"
