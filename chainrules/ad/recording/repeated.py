"""What makes two operations the same, so that the second one need not run."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.recording.recorded import is_recorded
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import Step

# Each call makes a new array, into which somebody may write.
_MAKING: set[Any] = {np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.copy, np.array}
_COMMUTING = frozenset({operator.add, operator.mul, np.add, np.multiply})


def key_of_step(step: Step, slot_of: Callable[[Any], Slot]) -> Any:
    """What an operation has in common with those of the same result; `None` if each makes a new one.

    Parameters
    ----------
    step
        The operation.
    slot_of
        The slot that a recorded value has in the program.
    """
    if step.f in _MAKING:
        return None
    operands = [key_within(slot_of, x) for x in step.args]
    # Of complex numbers the order may change a last digit.
    if step.f in _COMMUTING and len(operands) == 2 and not np.iscomplexobj(step.value):
        operands.sort(key=hash)
    return step.f, tuple(operands), key_within(slot_of, dict(step.kwargs)) if step.kwargs else ()


def key_within(slot_of: Callable[[Any], Slot], x: Any) -> Any:
    """What an argument has in common with equal ones."""
    cls = type(x)
    if is_recorded(x):
        return slot_of(x)
    if cls is int or cls is str or cls is bool:
        return cls, x
    if isinstance(x, _CONTAINERS):
        return cls, *[key_within(slot_of, part) for part in x]
    if cls is dict:
        return cls, *[(name, key_within(slot_of, part)) for name, part in x.items()]
    if cls is slice:
        return cls, *[key_within(slot_of, part) for part in (x.start, x.stop, x.step)]
    if isinstance(x, np.ndarray) or cls.__hash__ is None:  # such as a sparse array
        return cls, id(x)
    return cls, repr(x) if isinstance(x, _NUMBERS) else x


_CONTAINERS, _NUMBERS = (tuple, list), (float, complex, np.generic)
