"""Text that holds numbers, and is read again."""

from collections.abc import Callable
from typing import Any

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.choosing.numbers_from_text import reading
from chainrules.ad.traced.formatted_text import formatted_text
from chainrules.ad.traced.tracing import innermost_trace
from chainrules.ad.values.facts import fact
from chainrules_core import ignore_derivatives


def _writing_values(f: Any) -> Callable[..., Any]:
    """`f`, which is given the values that are carried: text has no derivative."""
    lent = entered_if_traced(f)

    def write(*args: Any, **kwargs: Any) -> Any:
        trace = innermost_trace(args[:1])
        if trace is None:
            return lent(*args, **kwargs)
        text = f(ignore_derivatives(args[0]), *args[1:], **kwargs)
        return formatted_text(text, trace) if text.__class__ is str else text

    return write


fact("json.loads", wrapped=lambda f: reading(entered_if_traced(f)))
fact("json.load", wrapped=lambda f: reading(entered_if_traced(f)), is_not_the_same_each_time=True)
fact("json.dumps", wrapped=_writing_values)
fact("json.dump", wrapped=_writing_values, has_effect=True)
