"""Notes that errors of Python and NumPy get on their way out of a function that is differentiated."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from chainrules.ad.plain_values import SEQUENCES
from chainrules_core import primal_of


def add_hints(error: Exception, args: Iterable[Any]) -> None:
    """Note beside an error, if it may come from the differentiation, what to write instead.

    Parameters
    ----------
    error
        What the function raised.
    args
        Its arguments, traced.
    """
    message = str(error)
    if isinstance(error, ValueError) and message.startswith("The truth value of an array"):
        error.add_note("Where each element chooses, write `np.where(condition, a, b)`.")
    if isinstance(error, ValueError) and isinstance(error.__cause__, TypeError):
        # NumPy hides why an element could not be written, `y[i] = x[i]`.
        error.add_note(str(error.__cause__))
    if isinstance(error, TypeError) and ("list" in message or "tuple" in message or "sequence" in message):
        for place, x in enumerate(args):
            if isinstance(x, SEQUENCES) and _holds_numbers_only(x):
                error.add_note(
                    f"Argument {place} is a {type(x).__name__} of numbers, and is one while it is "
                    "differentiated by. If an array is meant, give `np.array(...)`."
                )


def _holds_numbers_only(x: Sequence[Any]) -> bool:
    return bool(x) and all(isinstance(primal_of(item), float | complex | np.inexact) for item in x)
