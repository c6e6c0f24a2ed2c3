"""Large results in the memory of operands that nobody reads any more.

To get memory from the system and to give it back takes longer than a sum or a product of large arrays.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.recording.identities import is_new
from chainrules.ad.recording.recorded import is_recorded
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules.ad.recording.tape import Step

# From so many elements on; smaller arrays are quick to get, and the text without it is easier to read.
LARGE = 100_000
# From so many on ``a += b`` is quicker than ``a + b``, and as easy to read.
IN_PLACE = 256

_UFUNCS: dict[Any, Any] = {
    operator.add: np.add, operator.sub: np.subtract, operator.mul: np.multiply, operator.truediv: np.divide,
    operator.neg: np.negative,
}  # fmt: skip


_IN_PLACE: set[Any] = {operator.add, operator.sub, operator.mul, np.add, np.subtract, np.multiply}


def ufunc_of(step: Step) -> Any:
    """The ufunc by which each element of a result is computed of those at its place; `None` if by none.

    It takes as many of the arguments as it has operands.
    """
    if _is_square(step):
        return np.square
    f = _UFUNCS.get(step.f, step.f) if callable(step.f) and step.kind == "operation" else None
    is_elementwise = (
        isinstance(f, np.ufunc) and f.signature is None and f.nout == 1 and f.nin == len(step.args)
    )
    return f if is_elementwise and not step.kwargs else None


def _is_square(step: Step) -> bool:
    """Whether it is ``x ** 2``, which NumPy computes as ``np.square(x)``, unlike ``x ** 2.0``."""
    if step.f is not operator.pow or type(step.args[1]) is not int or step.args[1] != 2:
        return False
    return isinstance(step.value, np.ndarray) and step.value.dtype.kind in "fc"


def reused_operands(
    steps: dict[int, Step],
    inputs_of: Callable[[Step], Any],
    slot_of: Callable[[Any], Slot],
    kept: list[Any],
    donated: dict[Slot, int],
) -> tuple[dict[int, Any], dict[Slot, frozenset[int]]]:
    """By the number of an operation, the operand into whose memory its result goes; and where values lie.

    Parameters
    ----------
    steps
        What runs, in order.
    inputs_of
        Gives the values that a step reads or writes.
    slot_of
        Gives the slot that a value has in the program.
    kept
        The values that are read after all steps.
    donated
        The arguments whose memory may be reused, and from which step on.
    """
    # An array that may be a view lies in the memory of any of the operands.
    places: dict[Slot, frozenset[int]] = {slot: frozenset({-1 - slot.at}) for slot in donated}

    def places_of(x: Any) -> frozenset[int]:
        return places.get(slot_of(x).root(), frozenset())

    last: dict[int, int] = {}
    written: set[int] = set()
    for i, step in steps.items():
        read = frozenset().union(*map(places_of, inputs_of(step)))
        last.update(dict.fromkeys(read, i))
        places[step_slot(i)] = frozenset({i}) if is_new(step) else read
        if step.kind == "write":
            written |= read
    for x in kept:
        written |= places_of(x)

    def is_free(i: int, x: Any) -> bool:
        slot = slot_of(x)
        is_donated = donated.get(slot, i + 1) <= i
        place = -1 - slot.at if is_donated else slot.at if slot.kind == "step" else None
        return place is not None and last.get(place) == i and place not in written

    reused = {
        i: x
        for i, step in steps.items()
        if ufunc_of(step) is not None and np.size(step.value) >= min(IN_PLACE, LARGE)
        for x in [_first_free(i, step, is_free)]
        if x is not None
    }
    return reused, places


def _first_free(i: int, step: Step, is_free: Callable[[int, Any], bool]) -> Any:
    for x in step.args:
        if not is_recorded(x) or not isinstance(step.value, np.ndarray) or type(x._plain) is not np.ndarray:
            continue
        if step.value.size < LARGE and not (x is step.args[0] and step.f in _IN_PLACE):
            continue
        y = x._plain
        is_alike = (
            y.dtype == step.value.dtype and y.shape == step.value.shape and y.strides == step.value.strides
        )
        if is_alike and is_free(i, x):
            return x
    return None
