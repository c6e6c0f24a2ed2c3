"""Text that intercepted code puts together: it is known to be made of traced values if a part of it is."""

from collections.abc import Iterable
from typing import Any

from chainrules.ad.formatted_text import FormattedText, formatted_text, text_of_parts
from chainrules.ad.interception.placeholders import hook
from chainrules.ad.traced_classes import TRACED
from chainrules.ad.tracing import innermost_trace


@hook("text")
def joined(*parts: str) -> str:
    """An f-string of several parts."""
    text = "".join(parts)
    for part in parts:
        if part.__class__ is FormattedText:
            return text_of_parts(text, parts)
    return text


def representation(x: Any, /) -> str:
    """As `repr`: a traced value is shown as one, and the text is made of it."""
    return formatted_text(repr(x), x._trace) if x.__class__ in TRACED else repr(x)


def text_made_of(text: str, parts: Iterable[Any]) -> str:
    """Text that was made of values, of which some may be traced, and some text that was made of such."""
    trace = innermost_trace(parts)
    return text_of_parts(text, parts) if trace is None else formatted_text(text, trace)


def put_together(method: Any, *args: Any, **kwargs: Any) -> str:
    """Call one of the methods of text that make text of others: `str.join`, `str.format`."""
    if method.__name__ == "join" and len(args) == 1:
        (parts,) = args = (list(args[0]),)
    else:
        parts = (*args, *kwargs.values())
    return text_made_of(method(*args, **kwargs), parts)
