"""Text that was made of traced values: it goes on as text, and to read a number from it is an error.

Text has no derivative, so that a number that is read from it, or from a part of it, would be a constant in
silence. The text is a string that knows the line that made it, and its parts are such strings too.
"""

import sys
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from chainrules.ad.traced.program_places import (
    caller_of_engine,
    is_of_library,
    line_in_program,
    place_in_program,
)
from chainrules.ad.traced.trace import RUNNING, Trace
from chainrules.ad.traced.written_numbers import note_numbers, numbers_in_text


class FormattedText(str):
    """Text that was made of a traced value.

    It is equal to the plain text, and has its hash: it may be printed, compared and looked up by. It is no
    number while the differentiation runs whose value it shows.
    """

    __slots__ = ("_line", "_number")

    _line: str
    _number: int

    def plain(self) -> str:
        """The same text, as an ordinary string: so libraries have it that ask for the very class."""
        return str(self)

    def _as(self, y: Any) -> Any:
        """Parts of the text, in the place of strings that know nothing."""
        if y.__class__ is str:
            return _marked(y, self._line, self._number)
        return type(y)(map(self._as, y)) if y.__class__ is list or y.__class__ is tuple else y

    def check(self, frame: types.FrameType | None) -> None:
        """Raise if a number is about to be read from the text.

        Parameters
        ----------
        frame
            Who reads it.

        Raises
        ------
        TypeError
            If the differentiation runs, and it is the program that reads.
        ValueError
            If it is a library that tries whether the text is a number, as those do that print tables.
        """
        trace = next((trace for trace in tuple(RUNNING) if trace.number == self._number), None)
        if trace is None:
            return
        message = (
            f"A number was about to be read from text{place_in_program(frame)}. The text was made of a "
            f"traced value at {self._line}, and text has no derivative: it would be lost. Compute with the "
            "value itself, and round it, if at all, outside of the function that is differentiated. If a "
            "constant is meant, make the text of the plain value, `chainrules_core.primal_of(x)`."
        )
        if is_of_library(caller_of_engine(frame)):
            raise ValueError(message)
        raise trace.refuse(TypeError(message))

    def __float__(self) -> float:
        self.check(sys._getframe(1))
        return float(self.plain())

    def __int__(self) -> int:
        self.check(sys._getframe(1))
        return int(self.plain())

    def __radd__(self, other: Any) -> Any:
        return self._as(other + self.plain()) if isinstance(other, str) else NotImplemented

    def __iter__(self) -> Iterator[str]:
        return map(self._as, self.plain())

    def __copy__(self) -> "FormattedText":
        return self

    def __deepcopy__(self, memo: Any) -> "FormattedText":
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        return str, (self.plain(),)


def _method(f: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: FormattedText, *args: Any, **kwargs: Any) -> Any:
        return self._as(f(self, *args, **kwargs))

    method.__name__, method.__doc__ = f.__name__, f.__doc__
    return method


# What makes other text of a text.
for _name in (
    *("__add__", "__format__", "__getitem__", "__mod__", "__mul__", "__repr__", "__rmod__", "__rmul__"),
    *("capitalize", "casefold", "center", "expandtabs", "format", "format_map", "join", "ljust", "lower"),
    *("lstrip", "partition", "removeprefix", "removesuffix", "replace", "rjust", "rpartition", "rsplit"),
    *("rstrip", "split", "splitlines", "strip", "swapcase", "title", "translate", "upper", "zfill"),
):
    setattr(FormattedText, _name, _method(getattr(str, _name)))


# Messages call it text.
FormattedText.__name__ = FormattedText.__qualname__ = "str"


def _marked(text: str, line: str, number: int) -> FormattedText:
    y = str.__new__(FormattedText, text)
    y._line, y._number = line, number
    return y


def formatted_text(text: str, trace: Trace) -> str:
    """Text that was made of a value of a differentiation, as text that knows the line of the program.

    Parameters
    ----------
    text
        The text.
    trace
        The differentiation; there is nothing to be lost once it has ended, or if it is of constants.
    """
    if trace.has_ended or trace.is_constant or text.__class__ is not str:
        return text
    line = line_in_program(sys._getframe(1))
    note_numbers(trace, numbers_in_text(text), line)
    return _marked(text, line, trace.number)


def text_of_parts(text: str, parts: Iterable[Any]) -> str:
    """Text that was put together, which is known to be made of traced values if a part of it is."""
    for part in parts:
        if part.__class__ is FormattedText:
            return _marked(text, part._line, part._number)
    return text
