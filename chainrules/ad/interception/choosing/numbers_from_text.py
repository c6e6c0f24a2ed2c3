"""Functions that read numbers from text, or make integers or bytes of floats: derivatives would be lost."""

import sys
from collections.abc import Callable
from typing import Any

from chainrules.ad.syntax.classes_of_values import is_text_seen
from chainrules.ad.syntax.hooks import hook
from chainrules.ad.traced.conversions import refused_conversion
from chainrules.ad.traced.formatted_text import FormattedText
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.written_numbers import check_numbers_read


def reading(otherwise: Callable[..., Any], becomes: str | None = None) -> Callable[..., Any]:
    """`otherwise`, which makes numbers of text, with errors where derivatives would be lost.

    Parameters
    ----------
    otherwise
        The function to call.
    becomes
        What it makes of numbers, if that has no derivative.
    """

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


@hook("evaluated")
def evaluated(source: Any) -> Any:
    """What `eval` is given."""
    if source.__class__ is FormattedText:
        source.check(sys._getframe(1))
    return source
