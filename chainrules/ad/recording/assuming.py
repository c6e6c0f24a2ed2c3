"""Which values a program looks at, to assume bounds of what it computes of them."""

import operator
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from chainrules.ad.recording.error_state import modes
from chainrules.ad.recording.looks import warns_never
from chainrules.ad.recording.ranges import Ranges
from chainrules.ad.recording.recorded import inputs_of
from chainrules.ad.recording.tape import Slot, Step

# In nanoseconds: an operation on arrays or numbers, and of each element; a switch of NumPy's warnings; a look for
# all that is not finite.
_OF_ARRAYS, _OF_NUMBERS, _ELEMENT = 600.0, 70.0, 1.0
_SWITCH, _LOOK = 400.0, 1000.0
# Of those that are looked at, so many of the dearest are tried without.
_MOST_TRIED = 8


def cost_of_look(x: Any) -> float:
    """How long it takes to see whether a recorded value is within its bound."""
    return 700.0 + 0.2 * x._plain.size if isinstance(x._plain, np.ndarray) else 80.0


def assume(
    ranges: Ranges,
    steps: dict[int, Step],
    looks_for_nan: Collection[Slot],
    alive_with: Callable[[list[Any], set[Slot]], list[int]],
) -> None:
    """Let a program look at those values that save more time than it takes to look at them.

    Parameters
    ----------
    ranges
        The ranges of its results.
    steps
        What runs if nothing is assumed.
    looks_for_nan
        What rules look for a NaN in.
    alive_with
        The steps that run if these values are looked at, and these results are within bounds. It is called last
        with what is chosen.
    """

    def time_with(values: list[Any]) -> float:
        bounded = ranges.known(values)
        alive = alive_with(values, bounded)
        return sum(map(cost_of_look, values)) + _time_of([(i, steps[i]) for i in alive], bounded)

    alive = {Slot("step", i) for i in alive_with([], ranges.possible())}
    unused = {Slot("step", i) for i in steps} - alive

    def is_given(slot: Slot) -> bool:
        return slot.kind in ("argument", "captured")

    def is_there(slot: Slot) -> bool:
        return slot in alive or is_given(slot)

    choices = [
        ranges.cheapest(is_there, unused, cost_of_look),
        ranges.cheapest(is_there, {*unused, *looks_for_nan}, cost_of_look),
        ranges.cheapest(is_given, {Slot("step", i) for i in steps}, cost_of_look),
    ]
    times = [(time_with(values), values) for values in ([], *choices)]
    least, best = min(times, key=operator.itemgetter(0))
    for x in sorted(best, key=cost_of_look, reverse=True)[:_MOST_TRIED]:
        fewer = [y for y in best if y is not x]
        time = time_with(fewer)
        if time <= least:
            least, best = time, fewer
    time_with(best)


def _time_of(steps: list[tuple[int, Step]], bounded: set[Slot]) -> float:
    """How long steps take, once the looks for a NaN are one, at the end."""
    ambient = modes()
    total, is_switched, is_looked_at = 0.0, False, False
    for i, step in steps:
        if step.f is np.any or step.f is np.not_equal or step.f is operator.ne:
            is_looked_at = True
        elif step.kind in ("operation", "write"):
            arrays = [x for x in (step.value, *(x._plain for x in inputs_of(step))) if isinstance(x, np.ndarray)]
            size = max((x.size for x in arrays), default=0)
            total += _OF_ARRAYS + _ELEMENT * size if arrays else _OF_NUMBERS
            is_loud = step.errors not in ((), ambient) and not warns_never(step)
            is_switched |= is_loud and Slot("step", i) not in bounded
        else:
            total += _OF_NUMBERS
    return total + _SWITCH * is_switched + _LOOK * is_looked_at
