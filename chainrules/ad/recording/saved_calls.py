"""Functions that a saved program takes along: their text is copied into its module."""

from typing import Any

import numpy as np

from chainrules.ad.recording.signature import described


def laid_out(x: Any, order: Any) -> Any:
    """An array with its elements in memory as the program has to have them; a copy if need be."""
    is_in_order = x.flags.c_contiguous if order == "C" else x.flags.f_contiguous
    return x if is_in_order and x.flags.behaved else np.array(x, order=order)


def read_only(x: Any) -> Any:
    """A constant, which nobody writes into: a result that is one is copied."""
    x.flags.writeable = False
    return x


def refusal(name: str, arguments: str, given: dict[str, Any]) -> TypeError:
    """The error for arguments of another kind than those that a program was recorded for."""
    others = ", ".join(f"{key}: {described(x)}" for key, x in given.items())
    return TypeError(
        f"{name} was recorded for ({arguments}), and was given ({others}). Record and save it for these too; "
        "an array that is given twice is another kind of call."
    )


def otherwise(name: str, arguments: str) -> ValueError:
    """The error where a program decides otherwise than it did when it was recorded."""
    return ValueError(
        f"{name} was recorded for ({arguments}) with values for which the function decided otherwise: an "
        "`if`, a loop, an index, or a rule that looks for NaN. Record and save it with these values, too."
    )
