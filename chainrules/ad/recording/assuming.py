"""Which values a program looks at, to assume bounds of what it computes of them."""

import operator
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from chainrules.ad.recording.blocks import form_of, is_large, says_nothing
from chainrules.ad.recording.decisions import Decisions
from chainrules.ad.recording.error_state import modes
from chainrules.ad.recording.looks import state_that_matters, warns_never
from chainrules.ad.recording.ranges import Ranges
from chainrules.ad.recording.recorded import inputs_of
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import DECIDING, Step

# In nanoseconds: an operation on arrays or numbers, of each element, and of each product in one of matrices;
# what it saves for each element of eight bytes to go through a large array part by part, which takes that
# nothing warns; a switch of NumPy's warnings; a look for all that is not finite.
_OF_ARRAYS, _OF_NUMBERS, _ELEMENT, _OF_PRODUCTS, _IN_PARTS = 600.0, 70.0, 1.0, 0.1, 0.5
_SWITCH, _LOOK = 400.0, 1000.0
# Of so many values to look at, each is tried to be left out.
_MOST_TRIED = 4


def cost_of_look(x: Any) -> float:
    """How long it takes to see whether a recorded value is within its bound."""
    return 700.0 + 0.2 * x._plain.size if isinstance(x._plain, np.ndarray) else 80.0


def assume(  # noqa: PLR0913, PLR0917 - each has a name
    steps: dict[int, Step],
    ranges: Ranges,
    decisions: Decisions,
    with_identity: Collection[int],
    alive_with: Callable[[dict[int, Step], set[int], set[int]], list[int]],
    given: Collection[int] = (),
) -> None:
    """Let a program look at those values that save more time than it takes to look at them.

    Parameters
    ----------
    steps
        What runs if nothing is assumed, by its numbers.
    ranges
        The ranges of its results.
    decisions
        What its decisions are about.
    with_identity
        The products that are shorter if their numbers are within bounds.
    alive_with
        The steps that run with these looks, if these results are within bounds, and this is decided. It is
        called last with what is chosen.
    given
        The numbers of steps whose results there are before the program begins.
    """
    truths = [i for i, step in steps.items() if step.kind in DECIDING]
    without_nan = {i: x for i in truths if (x := decisions.without_nan(steps[i])) is not None}
    not_zero = {i: x for i in truths if (x := decisions.not_zero(steps[i])) is not None}
    tried: list[Any] = []
    times = _times_of(steps, with_identity)

    def time_with(values: list[Any]) -> float:
        tried[:] = values
        bounded = ranges.known(values)
        decided = {i for i, x in without_nan.items() if ranges.is_bounded(x)}
        decided |= {i for i, x in not_zero.items() if ranges.is_off_zero(x)}
        total, is_switched, is_looked_at = sum(map(cost_of_look, values)), False, False
        for i in alive_with(ranges.looks(values), bounded, decided):
            time, more, is_loud, is_look = times[i]
            total += time if i in bounded else time + more
            is_switched |= is_loud and i not in bounded
            is_looked_at |= is_look
        return total + _SWITCH * is_switched + _LOOK * is_looked_at  # for a NaN there is one, at the end

    def is_given(slot: Slot) -> bool:
        return slot.kind in ("argument", "captured") or (slot.kind == "step" and slot.at in given)

    def is_there(slot: Slot) -> bool:
        return is_given(slot) or (slot.kind == "step" and slot.at in alive)

    alive = set(alive_with({}, ranges.possible(), set()))
    unused = steps.keys() - alive
    looked_at = {i for x in without_nan.values() if (i := ranges.number(x)) is not None}
    wanted = [unused, unused | looked_at] if looked_at else [unused]
    there = ranges.cheapest(is_there, wanted, cost_of_look)
    choices = [there[0], *ranges.cheapest(is_given, [steps.keys()], cost_of_look), *there[1:]]
    least, best = time_with([]), list[Any]()
    for values in {frozenset(map(id, values)): values for values in choices if values}.values():
        time = time_with(values)
        if time < least:
            least, best = time, values
    for x in best if 1 < len(best) <= _MOST_TRIED else ():
        fewer = [y for y in best if y is not x]
        time = time_with(fewer)
        if time <= least:
            least, best = time, fewer
    if list(map(id, tried)) != list(map(id, best)):
        time_with(best)


def _times_of(
    steps: dict[int, Step], with_identity: Collection[int]
) -> dict[int, tuple[float, float, bool, bool]]:
    """How long steps take, how much more out of bounds, if they may warn, and if they look for a NaN."""
    ambient = modes()
    times = {}
    for i, step in steps.items():
        if step.f is np.any or step.f is np.not_equal or step.f is operator.ne:
            times[i] = 0.0, 0.0, False, True
        elif step.kind in ("operation", "write"):
            values = [step.value, *(x._plain for x in inputs_of(step))]
            sizes = [x.size for x in values if isinstance(x, np.ndarray)]
            time = _OF_ARRAYS + _ELEMENT * max(sizes) if sizes else _OF_NUMBERS
            more = _OF_PRODUCTS * max(sizes) * len(step.value) if i in with_identity else 0.0
            is_chained = form_of(step) is not None and is_large(step.value)
            if is_chained and not says_nothing(state_that_matters(step, False)):
                more += _IN_PARTS * max(sizes) * min(step.value.itemsize / 8, 1.0)
            is_loud = step.errors not in ((), ambient) and not warns_never(step)
            times[i] = time, more, is_loud, False
        else:
            times[i] = _OF_NUMBERS, 0.0, False, step.kind == "no NaN"
    return times
