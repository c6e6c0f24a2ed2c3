"""Functions that read numbers from text, or make integers or bytes of floats: derivatives would be lost."""

import decimal
import fractions
import struct
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from chainrules.ad.conversions import refused_conversion
from chainrules.ad.formatted_text import FormattedText, formatted_text
from chainrules.ad.interception.entering import lending
from chainrules.ad.interception.placeholders import hook
from chainrules.ad.interception.replacements import REPLACEMENTS, replaces, replaces_named
from chainrules.ad.interception.ruled_calls import ruled
from chainrules.ad.traced_classes import TRACED
from chainrules.ad.tracing import innermost_trace
from chainrules_core import ignore_derivatives

# What these make of numbers has no derivative.
_CONVERTING: dict[Any, str] = {
    decimal.Decimal: "a decimal number",
    decimal.Decimal.from_float: "a decimal number",
    fractions.Fraction: "a fraction",
    fractions.Fraction.from_float: "a fraction",
    struct.pack: "bytes",
}

# `float` is not among them: it asks the text itself.
_READING = (int, complex, float.fromhex, np.fromstring, np.loadtxt, np.genfromtxt, *_CONVERTING)


def _reading(f: Any, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """`otherwise`, the function to call in the place of `f`, with an error for text made of traced values."""
    becomes = _CONVERTING.get(f)

    def read(*args: Any, **kwargs: Any) -> Any:
        for x in args:
            if becomes is not None and x.__class__ in TRACED:
                raise x._trace.refuse(refused_conversion(sys._getframe(1), becomes, x._trace.has_ended))
            for part in x if x.__class__ is list or x.__class__ is tuple else (x,):
                if part.__class__ is FormattedText:
                    part.check(sys._getframe(1))
        return otherwise(*args, **kwargs)

    return read


for _f in _READING:
    _otherwise = REPLACEMENTS.get(_f) or ruled(_f, lending(_f) if isinstance(_f, FunctionType) else _f)
    replaces(_f)(_reading(_f, _otherwise))


@replaces_named("json.loads", "ast.literal_eval")
def _reading_in_python(f: Any) -> Callable[..., Any]:
    return _reading(f, lending(f))


@hook("evaluated")
def evaluated(source: Any) -> Any:
    """What `eval` is given."""
    if source.__class__ is FormattedText:
        source.check(sys._getframe(1))
    return source


@replaces_named("json.dump", "json.dumps")
def _writing_values(f: Any) -> Callable[..., Any]:
    """`f`, which is given the values that are carried: text has no derivative."""

    def write(x: Any, *args: Any, **kwargs: Any) -> Any:
        trace = innermost_trace((x,))
        if trace is None:
            return lending(f)(x, *args, **kwargs)
        text = f(ignore_derivatives(x), *args, **kwargs)
        return formatted_text(text, trace) if text.__class__ is str else text

    return write
