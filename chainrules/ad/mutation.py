"""In debug mode: arrays that rules keep, and that a program wrote into before the derivative was taken."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core import ChainRulesError
from chainrules_core.descriptions import describe_callee


class MutatedInputError(ChainRulesError, RuntimeError):
    """An array changed between the call of a function and that of its pullback."""


def watched(pullback: Callable[[Any], Any], f: Any, values: list[Any]) -> Callable[[Any], Any]:
    """A pullback that first makes sure that the arrays which the call was given are what they were.

    Raises
    ------
    MutatedInputError
        When called, if one of them was written into: rules keep their arguments without copying them.
    """
    saved = [(place, x, x.copy()) for place, x in enumerate(values) if type(x) is np.ndarray]

    def watched_pullback(y_bar: Any) -> Any:
        for place, x, before in saved:
            # As bytes: a NaN that stayed where it was is no change.
            if x.tobytes() != before.tobytes():
                raise MutatedInputError(
                    f"Argument {place} of {describe_callee(f)} was written into after the call and before "
                    "its derivative was taken, which would be wrong. Write into a copy, `x = x.copy()`."
                )
        return pullback(y_bar)

    return watched_pullback
