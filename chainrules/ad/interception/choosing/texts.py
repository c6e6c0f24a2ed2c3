"""Text that intercepted code puts together: it is known to be made of traced values if a part of it is."""

from collections.abc import Callable, Iterable
from typing import Any

from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.syntax.classes_of_values import PLAIN
from chainrules.ad.syntax.hooks import hook
from chainrules.ad.traced.formatted_text import FormattedText, formatted_text, text_of_parts
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.tracing import innermost_trace
from chainrules.ad.traced.views import plain_array
from chainrules_core import primal_of


@hook("text")
def joined(*parts: str) -> str:
    """An f-string of several parts."""
    text = "".join(parts)
    return text_of_parts(text, parts) if FormattedText in map(type, parts) else text


def representation(x: Any, /) -> str:
    """As `repr`: a traced value is shown as one, and the text is made of it."""
    return formatted_text(repr(x), x._trace) if x.__class__ in TRACED else repr(x)


@hook("as text")
def text(*args: Any, **kwargs: Any) -> str:
    """As `str`; text that was made of a traced value stays the same."""
    if len(args) == 1 and args[0].__class__ is FormattedText:
        return args[0]
    if len(args) == 1 and args[0].__class__ in TRACED and args[0]._trace.is_constant:
        return str(plain_array(args[0]))
    made: str = _text(*args, **kwargs)
    return made


_text = ruled(str, str)


def text_made_of(text: str, parts: Iterable[Any]) -> str:
    """Text that was made of values, of which some may be traced, and some text that was made of such."""
    for part in parts:
        if part.__class__ not in PLAIN:
            trace = innermost_trace(parts)
            return text_of_parts(text, parts) if trace is None else formatted_text(text, trace)
    return text


def join(between: str, items: Iterable[str], /) -> str:
    """As `str.join`."""
    parts = items if items.__class__ is list else list(items)
    text = str.join(between, parts)
    return text_of_parts(text, parts) if FormattedText in map(type, parts) else text


def putting_together(method: Callable[..., str]) -> Callable[..., str]:
    """`str.format` or `str.format_map`, given the text with places for values."""

    def put_together(template: str, /, *args: Any, **kwargs: Any) -> str:
        made = method(template, *args, **kwargs)
        if not kwargs and PLAIN.issuperset(map(type, args)):
            return made
        return text_made_of(made, (*args, *kwargs.values()))

    return put_together


def filled_in(template: str, values: Any) -> str:
    """``template % values``, made of the values that are carried."""
    return text_made_of(template % _plain(values), values if values.__class__ is tuple else (values,))


def _plain(x: Any) -> Any:
    if x.__class__ is tuple:
        return tuple(map(_plain, x))
    if x.__class__ is dict:
        return {key: _plain(value) for key, value in x.items()}
    return primal_of(x) if x.__class__ in TRACED else x
