"""Numbers that a program has written: they are known again where it reads them, from a file or other text.

Text that goes through a file, a regular expression or bytes does not know any more what it was made of. But
numbers of many digits are not equal to each other by accident.
"""

import contextlib
import re
import types
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from chainrules.ad.syntax.classes_of_values import let_hooks_see_text
from chainrules.ad.traced.program_places import place_in_program
from chainrules.ad.traced.trace import RUNNING, Trace

_NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")

# Numbers of fewer digits may be equal by accident, and of so many that were written more are not remembered.
_FEWEST_DIGITS, _MOST_NUMBERS = 7, 10_000


def numbers_in_text(text: str) -> list[float]:
    """The numbers in a text, without their signs; none where it is too short for one to be remembered."""
    return list(map(float, _NUMBER.findall(text))) if len(text) >= _FEWEST_DIGITS else []


def note_numbers(trace: Trace, numbers: list[float], line: str) -> None:
    """Note numbers that a program makes text of, or bytes, for values of a differentiation.

    Parameters
    ----------
    trace
        The differentiation.
    numbers
        The numbers.
    line
        The line of the program.
    """
    if trace.has_ended or trace.is_constant:
        return
    if trace.written_numbers is None:
        trace.written_numbers = {}
        let_hooks_see_text(True)
    for number in numbers:
        if len(trace.written_numbers) < _MOST_NUMBERS and _n_digits(number) >= _FEWEST_DIGITS:
            trace.written_numbers.setdefault(abs(number), line)


def _n_digits(x: float) -> int:
    """How many digits a number has, without zeros around them."""
    return len(repr(x).partition("e")[0].replace(".", "").strip("-0"))


def check_numbers_read(y: Any, frame: types.FrameType | None) -> None:
    """Raise if a number that a program has read was written into text by a differentiation that runs.

    Parameters
    ----------
    y
        What was read: a number, an array, or a list or a dict of them.
    frame
        Who reads it.

    Raises
    ------
    TypeError
        If it was: the derivative would be lost.
    """
    for trace in tuple(RUNNING):
        written = trace.written_numbers
        for number in _numbers_in(y) if written else ():
            line = written.get(abs(number))  # type: ignore[union-attr]  # it is not empty
            if line is not None:
                raise trace.refuse(
                    TypeError(
                        f"The number {number!r} was read{place_in_program(frame)}. A traced value with these "
                        f"digits was written at {line}, and what is written has no derivative: it would be "
                        "lost. Compute with the value itself; or, if a constant is meant, write the plain "
                        "value, `chainrules_core.primal_of(x)`."
                    )
                )


def _numbers_in(y: Any) -> Iterator[float]:
    if isinstance(y, float):
        yield y
    elif isinstance(y, complex):
        yield from (y.real, y.imag)
    elif isinstance(y, np.ndarray):
        yield from numbers_of_array(y)
    elif isinstance(y, list | dict):
        for part in y.values() if isinstance(y, dict) else y:
            yield from _numbers_in(part)
    elif isinstance(y, Decimal | Fraction):
        with contextlib.suppress(OverflowError):
            yield float(y)


def numbers_of_array(x: Any) -> list[float]:
    """The real numbers in an array, in a row."""
    return np.ravel(x).tolist() if np.result_type(x).kind == "f" else []
