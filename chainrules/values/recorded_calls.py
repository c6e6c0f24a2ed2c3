"""Calls that are one line of a recorded program, since code in C reads what they are given."""

from collections.abc import Callable
from typing import Any

from chainrules_core import primitive
from chainrules_core.speed import STAND_INS


def in_one_line(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, whose calls with a recorded value go to the recorder, as those of a `primitive` do.

    All others go to `f` at once: it is no primitive for traced values.
    """
    whole = primitive(f)

    def call(*args: Any) -> Any:
        for x in args:
            if type(x) in STAND_INS:
                return whole(*args)
        return f(*args)

    return call
