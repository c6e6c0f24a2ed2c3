"""Functions that read numbers from text, or make integers or bytes of floats: derivatives would be lost."""

import decimal
import fractions
import struct
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import lending
from chainrules.ad.interception.choosing.replacements import REPLACEMENTS, replaces, replaces_named
from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.syntax.classes_of_values import is_text_seen
from chainrules.ad.syntax.hooks import hook
from chainrules.ad.traced.conversions import refused_conversion
from chainrules.ad.traced.formatted_text import FormattedText, formatted_text
from chainrules.ad.traced.program_places import line_in_program
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.tracing import innermost_trace
from chainrules.ad.traced.written_numbers import check_numbers_read, note_numbers, numbers_of_array
from chainrules_core import ignore_derivatives, primal_of

# What these make of numbers has no derivative.
_CONVERTING: dict[Any, str] = {
    decimal.Decimal: "a decimal number",
    decimal.Decimal.from_float: "a decimal number",
    fractions.Fraction: "a fraction",
    fractions.Fraction.from_float: "a fraction",
    struct.pack: "bytes",
}

_READING = (
    *(float, int, complex, float.fromhex, *_CONVERTING),
    *(np.float64, np.fromstring, np.loadtxt, np.genfromtxt, np.load),
)


def _reading(f: Any, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """`otherwise`, the function to call in the place of `f`, with errors where derivatives would be lost."""
    becomes = _CONVERTING.get(f)

    def read(*args: Any, **kwargs: Any) -> Any:
        if not is_text_seen() and len(args) == 1 and args[0].__class__ is str:
            return otherwise(*args, **kwargs)
        if becomes is None and len(args) == 1 and args[0].__class__ in TRACED:
            return otherwise(args[0])
        for x in args:
            if becomes is not None and x.__class__ in TRACED:
                raise x._trace.refuse(refused_conversion(sys._getframe(1), becomes, x._trace.has_ended))
            for part in x if x.__class__ is list or x.__class__ is tuple else (x,):
                if part.__class__ is FormattedText:
                    part.check(sys._getframe(1))
        y = otherwise(*args, **kwargs)
        if y.__class__ not in TRACED:
            check_numbers_read(y, sys._getframe(1))
        return y

    return read


for _f in _READING:
    _otherwise = REPLACEMENTS.get(_f) or ruled(_f, lending(_f) if isinstance(_f, FunctionType) else _f)
    replaces(_f)(_reading(_f, _otherwise))


_astype = ruled(np.ndarray.astype, np.ndarray.astype)


@replaces(np.ndarray.astype)
def astype(x: Any, *args: Any, **kwargs: Any) -> Any:
    """As `np.ndarray.astype`, which makes numbers of an array of text."""
    if x.__class__ is not np.ndarray:
        return _astype(x, *args, **kwargs)
    y = x.astype(*args, **kwargs)
    if x.dtype.kind in "SU":
        check_numbers_read(y, sys._getframe(1))
    return y


@replaces_named("json.load", "json.loads", "ast.literal_eval")
def _reading_in_python(f: Any) -> Callable[..., Any]:
    return _reading(f, lending(f))


@hook("evaluated")
def evaluated(source: Any) -> Any:
    """What `eval` is given."""
    if source.__class__ is FormattedText:
        source.check(sys._getframe(1))
    return source


def _writing(f: Any, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """`otherwise`, the function to call in the place of `f`, which writes arrays into files."""

    def write(*args: Any, **kwargs: Any) -> Any:
        for x in args:
            if x.__class__ in TRACED:
                line = line_in_program(sys._getframe(1))
                note_numbers(x._trace, numbers_of_array(primal_of(x)), line)
        return otherwise(*args, **kwargs)

    return write


for _f in (np.save, np.savetxt):
    replaces(_f)(_writing(_f, ruled(_f, lending(_f))))


@replaces_named("json.dump", "json.dumps")
def _writing_values(f: Any) -> Callable[..., Any]:
    """`f`, which is given the values that are carried: text has no derivative."""
    lent = lending(f)

    def write(*args: Any, **kwargs: Any) -> Any:
        trace = innermost_trace(args[:1])
        if trace is None:
            return lent(*args, **kwargs)
        text = f(ignore_derivatives(args[0]), *args[1:], **kwargs)
        return formatted_text(text, trace) if text.__class__ is str else text

    return write
