"""Within which bounds the numbers of a program lie, if some of them are looked at.

Where its operands are bounded, an operation neither warns nor makes a NaN. So it is left out if nobody needs
its result, such as the value of a loss whose gradient is wanted; and no rule has to look for a NaN in it.

All of this is about floats in double precision, and in single where nobody writes into them. Where a look
fails, the program is recorded anew, for larger numbers.
"""

import math
import operator
from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

import numpy as np

from chainrules.ad.recording.identities import TIMES, factor_and_operand
from chainrules.ad.recording.intervals import (
    OF_ONE,
    OF_TWO,
    Range,
    add,
    add_up,
    divide,
    hull,
    in_single_precision,
    multiply,
    power,
    same,
)
from chainrules.ad.recording.looks import PRODUCTS, REARRANGING
from chainrules.ad.recording.recorded import inputs_of, is_recorded, recorded_in
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules.ad.recording.tape import OF_NUMPY, Step

# By the bytes of a number: up to the first size it is assumed to stay below the second. Exponentials of 500
# are no zeros and do not overflow, nor do ninth powers of 1e30; in single precision those of 80 and of 1e4.
_ASSUMED = {8: ((50.0, 500.0), (1e25, 1e30)), 4: ((8.0, 80.0), (1e3, 1e4))}
_LARGEST, _ROUNDING = {8: 1e300, 4: 1e37}, {8: 2.0**-52, 4: 2.0**-23}
# Of more values together nothing is assumed.
_MOST_TOGETHER = 16


class _Transfer(NamedTuple):
    """How the range of a result follows from those of operands.

    Attributes
    ----------
    slot
        The operation or write.
    key
        Of the result: its slot, or the memory that is written into.
    compute, operands
        A function, and what it is given: ranges, or the keys of these.
    keys
        Of the result and the operands, as far as they are no ranges.
    inputs
        Recorded operands that can be looked at, and that nobody read before, each with its slot.
    is_write, may_fail
        Whether it is a write; whether it may fail for a reason other than its numbers.
    length
        The bytes of a number of the result.
    """

    slot: Slot
    key: Any
    compute: Callable[..., Range | None]
    operands: list[Any]
    keys: list[Any]
    inputs: list[tuple[Slot, Any]]
    is_write: bool
    may_fail: bool
    length: int


class Ranges:
    """The ranges of what a program computes.

    Parameters
    ----------
    steps
        The operations and writes that run, by their numbers.
    slot_of
        The slot that a value has in the program.
    memory_of
        A key of the memory that a value lies in, if somebody writes into that; else `None`.
    ask
        The answer to a question about the numbers of a recorded value.
    """

    def __init__(
        self,
        steps: dict[int, Step],
        slot_of: Callable[[Any], Slot],
        memory_of: Callable[[Any], Any],
        ask: Callable[[Callable[[Any], Any], Any], Any],
    ) -> None:
        self._slot_of, self._memory_of, self._steps, self._ask = slot_of, memory_of, steps, ask
        self._constants: dict[int, tuple[Any, Range | None]] = {}
        # By a slot, or by the memory that is written into: that of all which it ever holds.
        self._known: dict[Any, Range] = {}
        self._bounds: dict[Slot, float] = {}
        self._read: dict[Slot, Any] = {}
        made = (self._transfer(step_slot(i), step) for i, step in steps.items())
        self._transfers = [transfer for transfer in made if transfer is not None]

    def known(self, looked_at: Iterable[Any]) -> set[int]:
        """The numbers of operations whose results are within bounds if these values are looked at."""
        bounds = {slot: self._bound(slot, x) for x in looked_at for slot in [self._slot_of(x)]}
        self._known = {slot: (-bound, bound) for slot, bound in bounds.items()}
        return {made.slot.at for made in self._transfers if self._follow(made) and not made.may_fail}

    def possible(self) -> set[int]:
        """The numbers of operations whose results can be within bounds."""
        return {made.slot.at for made in self._transfers if not made.may_fail}

    def cheapest(
        self,
        is_offered: Callable[[Slot], bool],
        wanted: Iterable[Collection[int]],
        cost: Callable[[Any], float],
    ) -> list[list[Any]]:
        """The values to look at, out of those that are offered, so that results are within bounds.

        Parameters
        ----------
        is_offered, cost
            Whether a value can be looked at, and how long that takes.
        wanted
            The numbers of results, several times: for each there is an answer.
        """
        self._known = {}
        offered: list[tuple[Any, float]] = []
        needed: dict[Any, int] = {}  # the bits of a number stand for those offered
        for made in self._transfers:
            for slot, x in made.inputs:
                if not is_offered(slot) or self._bound(slot, x) == math.inf:
                    continue
                price = cost(x)
                if slot not in needed or price < sum(paid for _, paid in _chosen(offered, needed[slot])):
                    needed[slot] = 1 << len(offered)
                    offered.append((x, price))
                    self._known[slot] = -self._bounds[slot], self._bounds[slot]
            if self._follow(made):
                together = 0
                for key in made.keys:
                    together |= needed.get(key, 0)
                needed[made.key] = together
                if together.bit_count() > _MOST_TOGETHER:
                    del self._known[made.key], needed[made.key]
        return [[x for x, _ in _chosen(offered, _bits_of(needed, numbers))] for numbers in wanted]

    def looks(self, looked_at: Iterable[Any]) -> dict[int, Step]:
        """The looks at values, by the number of the step that each stands behind, or by negative numbers."""
        found = {}
        for i, x in enumerate(looked_at):
            slot = self._slot_of(x)
            at = slot.at if slot.kind == "step" and slot.at in self._steps else -1 - i
            found[at] = Step("within", None, (x,), {}, self._bounds[slot])
        return found

    def _bound(self, slot: Slot, x: Any) -> float:
        """The bound that a recorded value is assumed to stay within; infinite if there is none."""
        if slot not in self._bounds:
            self._bounds[slot] = self._ask(bound_of, x)
        return self._bounds[slot]

    def number(self, x: Any) -> int | None:
        """The number of the step whose result a value is."""
        slot = self._slot_of(x)
        return slot.at if slot.kind == "step" else None

    def is_bounded(self, x: Any) -> bool:
        """Whether a value, if it is one, has neither a NaN nor an infinite number."""
        return x is not None and self._key(x) in self._known

    def is_off_zero(self, x: Any) -> bool:
        """Whether a number, if it is one, is not zero."""
        low, high = (0.0, 0.0) if x is None else self._known.get(self._key(x), (0.0, 0.0))
        return low > 0.0 or high < 0.0

    def _follow(self, made: _Transfer) -> bool:
        """Find the range of a result; whether it follows from those of the operands."""
        known, key, y, largest = self._known, made.key, None, _LARGEST[made.length]
        operands: list[Any] = [x if type(x) is tuple else known.get(x) for x in made.operands]
        if None not in operands:
            try:
                if made.length == 8:
                    y = made.compute(*operands)
                elif all(-largest <= low <= high <= largest for low, high in operands):
                    # To convert a larger number is an overflow, too.
                    y = made.compute(*map(in_single_precision, operands))
                    y = None if y is None else in_single_precision(y)
            except (ArithmeticError, ValueError):  # the result has none
                y = None
        if y is None or not -largest <= y[0] <= y[1] <= largest:
            if made.is_write:
                known.pop(key, None)
            return False
        old = known.get(key)
        if old is not None:
            y = hull(old, y) if key is not made.slot else (max(old[0], y[0]), min(old[1], y[1]))
        known[key] = y
        return True

    def _key(self, x: Any) -> Any:
        memory = self._memory_of(x)
        return self._slot_of(x) if memory is None else memory

    def _operand(self, x: Any) -> Any:
        """The range of a constant or of whole numbers, or the key of another one; `None` if there is none."""
        if is_recorded(x):
            plain = x._plain
            is_float = isinstance(plain, float) or not isinstance(plain, OF_NUMPY)
            kind = "f" if is_float else plain.dtype.kind
            return self._key(x) if kind not in "iub" else (0.0, 1.0) if kind == "b" else (-(2.0**64), 2.0**64)
        if type(x) in (int, float):
            return (float(x), float(x)) if abs(x) <= _LARGEST[8] else None
        if id(x) not in self._constants:
            is_one = isinstance(x, OF_NUMPY) and x.dtype.kind in "fiub" and x.size
            is_finite = bool(is_one) and bool(np.isfinite(x).all())
            self._constants[id(x)] = x, (float(np.min(x)), float(np.max(x))) if is_finite else None
        return self._constants[id(x)][1]

    # --- Steps ----------------------------------------------------------------------------------------------

    def _transfer(self, slot: Slot, step: Step) -> _Transfer | None:
        is_write = step.kind == "write"
        if step.kind != "operation" and not is_write:
            return None
        is_loud = step.errors[2:3] != ("ignore",)  # of underflow
        compute, values = (None, ()) if is_loud else (self._written if is_write else self._computed)(step)
        operands = [self._operand(x) for x in values]
        if compute is None or any(x is None for x in operands):
            if not is_write:
                return None
            compute, operands = hull, []  # of nothing, which is an error
        memory = self._memory_of(step.target if is_write else step.value)
        length = 8 if is_write else _length(step.value)
        if length == 4 and memory is not None:
            return None
        key = slot if memory is None else memory
        keys = [x for x in (key, *operands) if type(x) is not tuple]
        inputs = []
        for x in inputs_of(step):
            read = self._slot_of(x)
            if read not in self._read and self._memory_of(x) is None:
                self._read[read] = x
                inputs.append((read, x))
        is_placed = step.f is operator.setitem and bool(recorded_in(step.args[1:2]))  # it may lie outside
        may_fail = step.f is operator.getitem or is_placed
        return _Transfer(slot, key, compute, operands, keys, inputs, is_write, may_fail, length)

    def _written(self, step: Step) -> tuple[Any, Iterable[Any]]:
        """How an array is written into; a function of its range before, and of others."""
        known = {operator.setitem: lambda _, new: new, operator.iadd: add}
        is_known = step.f in known and _length(step.target._plain) == 8
        return (known[step.f], (step.target, step.args[2])) if is_known else (None, ())

    def _computed(self, step: Step) -> tuple[Any, Iterable[Any]]:
        """How a result is computed; a function of the ranges of some operands."""
        f, args = step.f, step.args
        y = step.value
        is_empty = isinstance(y, np.ndarray) and not y.size
        if _length(y) not in _LARGEST or is_empty or (step.kwargs and step.kwargs.keys() - _OPTIONS):
            return None, ()
        sign = self._sign_of_square(*args) if f in TIMES and len(args) == 2 else 0.0
        if sign:
            return (lambda x: multiply(power(x, 2), (sign, sign))), args[:1]
        if f in OF_ONE or f in OF_TWO:
            return (OF_ONE, OF_TWO)[len(args) - 1].get(f) if len(args) < 3 else None, args
        return _OTHERS[f](step) if f in _OTHERS else (None, ())

    def _sign_of_square(self, a: Any, b: Any) -> float:
        """Of a product of a value with itself 1, with its negative -1, otherwise 0."""
        if not is_recorded(a) or not is_recorded(b):
            return 0.0
        slots, sign = [], 1.0
        for x in (a, b):
            slot = self._slot_of(x)
            made = self._steps.get(slot.at) if slot.kind == "step" else None
            factor, operand = (None, None) if made is None else factor_and_operand(made)
            if factor == -1.0 and self._memory_of(operand) is not None:
                return 0.0
            slots.append(self._slot_of(operand) if factor == -1.0 else slot)
            sign *= -1.0 if factor == -1.0 else 1.0
        is_own = self._memory_of(a) is None and self._memory_of(b) is None
        return sign if slots[0] == slots[1] and is_own else 0.0


def _bits_of(needed: dict[Any, int], numbers: Collection[int]) -> int:
    found = 0
    for key, bits in needed.items():
        if type(key) is Slot and key.kind == "step" and key.at in numbers:
            found |= bits
    return found


def _chosen(offered: list[tuple[Any, float]], bits: int) -> list[tuple[Any, float]]:
    found = []
    while bits:
        last = bits.bit_length() - 1
        found.append(offered[last])
        bits ^= 1 << last
    return found[::-1]


def _summed(step: Step) -> tuple[Any, Iterable[Any]]:
    if len(step.args) > 2:
        return None, ()
    x, rounding = _plain(step.args[0]), _ROUNDING[_length(step.value)]
    if step.f is np.cumsum:
        return (lambda a: hull(a, add_up(a, np.size(x), rounding))), step.args[:1]
    number, largest = np.size(x) // np.size(step.value), _LARGEST[_length(step.value)]
    size = float(number if step.f in _MEANS else 1)

    def compute(a: Range) -> Range | None:
        total = add_up(a, number, rounding)
        return divide(total, (size, size)) if max(-total[0], total[1]) <= largest else None

    return compute, step.args[:1]


def _filled(step: Step) -> tuple[Any, Iterable[Any]]:
    return same, step.args[1:2] if step.f is np.full_like else (float(step.f is np.ones_like),)


def _kept(step: Step) -> tuple[Any, Iterable[Any]]:
    return same, step.args[:1]


def _joined(step: Step) -> tuple[Any, Iterable[Any]]:
    first, *others = step.args
    return hull, others if step.f is np.where else first if isinstance(first, list | tuple) else (first,)


def _raised(step: Step) -> tuple[Any, Iterable[Any]]:
    x, p = step.args
    return (None, ()) if is_recorded(p) else (lambda x: power(x, p), (x,))


def _contracted(step: Step) -> tuple[Any, Iterable[Any]]:
    if any(isinstance(x, list | tuple) for x in step.args[:2]):
        return None, ()
    first, second = (np.shape(_plain(x)) for x in step.args[:2])
    number = first[-1] if first and second and step.f is not np.outer else 1
    rounding = _ROUNDING[_length(step.value)]
    return (lambda a, b: add_up(multiply(a, b), number, rounding)), step.args[:2]


# They matter to the kind of a result, which is that of the recorded one.
_OPTIONS = {"axis", "keepdims", "dtype", "order", "shape", "out"}
_MEANS: set[Any] = {np.mean, np.ndarray.mean}
_SUMS: set[Any] = {np.sum, np.ndarray.sum, np.add.reduce, np.cumsum, *_MEANS}
_JOINING: set[Any] = {np.concatenate, np.stack, np.where}
_OTHERS: dict[Any, Callable[[Step], tuple[Any, Iterable[Any]]]] = {
    **dict.fromkeys(REARRANGING - _SUMS - _JOINING, _kept),
    **dict.fromkeys((operator.getitem, operator.pos), _kept),
    **dict.fromkeys(_SUMS, _summed),
    **dict.fromkeys((np.zeros_like, np.ones_like, np.full_like), _filled),
    **dict.fromkeys(_JOINING, _joined),
    **dict.fromkeys((operator.pow, np.power), _raised),
    **dict.fromkeys(PRODUCTS, _contracted),
}


def bound_of(x: Any) -> float:
    """The bound that a number, or those in an array, are assumed to stay within; infinite if none is."""
    assumed, largest = _ASSUMED.get(_length(x), ()), math.inf
    if isinstance(x, float):
        largest = abs(x)
    elif assumed and x.size:
        largest = np.abs(x).max()
    return next((bound for size, bound in assumed if largest <= size), math.inf)


def _length(x: Any) -> int:
    """The bytes of a float; 0 of what is none."""
    if type(x) is float or type(x) is np.float64:
        return 8
    return int(x.dtype.itemsize) if isinstance(x, OF_NUMPY) and x.dtype.kind == "f" else 0


def _plain(x: Any) -> Any:
    return x._plain if is_recorded(x) else x
