"""Within which bounds the numbers of a program lie, if some of them are looked at.

Where its operands are bounded, an operation neither warns nor makes a NaN. So it is left out if nobody needs its
result, such as the value of a loss whose gradient is wanted; and no rule has to look for a NaN in that. This is
interval arithmetic: R. E. Moore, "Interval Analysis", Prentice-Hall 1966.

All of it is about floats in double precision. Where a look fails, the program is recorded anew, for larger numbers.
"""

import math
import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from chainrules.ad.recording.identities import factor_and_operand
from chainrules.ad.recording.looks import PRODUCTS, REARRANGING
from chainrules.ad.recording.recorded import inputs_of, is_recorded
from chainrules.ad.recording.tape import Slot, Step

Range = tuple[float, float]

# Numbers up to the first size are assumed to stay below the second: exponentials of 500 are no zeros and do not
# overflow, nor do ninth powers of 1e30.
_ASSUMED = ((50.0, 500.0), (1e25, 1e30))
_LARGEST = 1e300
# Within this, relatively, are sums and the functions of libraries exact.
_SLACK = 1e-6
# Of more values together nothing is assumed.
_MOST_TOGETHER = 16


def bound_of(x: Any) -> float | None:
    """The bound that a recorded value is assumed to stay within; `None` if there is none."""
    if not _is_double(x) or not np.size(x):
        return None
    largest = float(np.max(np.abs(x)))
    return next((bound for size, bound in _ASSUMED if largest <= size), None)


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
    """

    def __init__(
        self, steps: dict[int, Step], slot_of: Callable[[Any], Slot], memory_of: Callable[[Any], Any]
    ) -> None:
        self._steps, self._slot_of, self._memory_of = steps, slot_of, memory_of
        self._constants: dict[int, Range | None] = {}
        # By a slot, or by the memory that is written into.
        self._known: dict[Any, Range] = {}

    def known(self, looked_at: Iterable[Any]) -> set[Slot]:
        """The operations whose results are within bounds if these values are looked at."""
        self._known = {self._slot_of(x): _assumed(x) for x in looked_at}
        found = {i for i, step in self._steps.items() if self._follow(Slot("step", i), step)}
        # To pick an element may fail, too, and is quiet anyway.
        return {Slot("step", i) for i in found if self._steps[i].f is not operator.getitem}

    def possible(self) -> set[Slot]:
        """The operations whose results can be within bounds."""
        return {Slot("step", i) for i, step in self._steps.items() if step.f in _ALL and _is_double(step.value)}

    def cheapest(
        self, is_offered: Callable[[Slot], bool], wanted: Iterable[Slot], cost: Callable[[Any], float]
    ) -> list[Any]:
        """The values to look at, out of those that are offered, so that results are within bounds."""
        self._known = {}
        needed: dict[Any, frozenset[Slot]] = {}
        seen: dict[Slot, Any] = {}
        for i, step in self._steps.items():
            for x in inputs_of(step):
                slot = self._slot_of(x)
                if slot in seen or self._memory_of(x) is not None:
                    continue
                seen[slot] = x
                is_cheaper = slot not in needed or cost(x) < sum(cost(seen[part]) for part in needed[slot])
                if is_cheaper and is_offered(slot) and bound_of(x._plain) is not None:
                    needed[slot], self._known[slot] = frozenset({slot}), _assumed(x)
            slot = Slot("step", i)
            if self._follow(slot, step):
                y = step.value if step.kind == "operation" else step.target
                key, keys = self._key(y, slot), {self._key(x, self._slot_of(x)) for x in inputs_of(step)}
                needed[key] = needed.get(key, frozenset()).union(*(needed.get(key, ()) for key in keys))
                if len(needed[key]) > _MOST_TOGETHER:
                    del self._known[key], needed[key]
        return [seen[slot] for slot in frozenset().union(*(needed.get(slot, ()) for slot in wanted))]

    def is_bounded(self, x: Any) -> bool:
        """Whether a value, if it is one, has neither a NaN nor an infinite number."""
        return x is not None and self.range_of(x) is not None

    def is_off_zero(self, x: Any) -> bool:
        """Whether a number, if it is one, is not zero."""
        low, high = (None if x is None else self.range_of(x)) or (0.0, 0.0)
        return low > 0.0 or high < 0.0

    def range_of(self, x: Any) -> Range | None:
        """Within which bounds all elements of an operand lie."""
        if is_recorded(x):
            kind = getattr(x._plain, "dtype", np.dtype(object)).kind
            if kind in "iub":
                return (0.0, 1.0) if kind == "b" else (-(2.0**64), 2.0**64)
            return self._known.get(self._key(x, self._slot_of(x)))
        if id(x) not in self._constants:
            is_finite = isinstance(x, _NUMBERS) and _kind(x) in "fiub" and np.size(x) and np.isfinite(x).all()
            self._constants[id(x)] = x, (float(np.min(x)), float(np.max(x))) if is_finite else None
        return self._constants[id(x)][1]

    def _key(self, x: Any, slot: Slot) -> Any:
        """Under which the range of a value is kept: that of all which is ever written into its memory."""
        memory = self._memory_of(x)
        return slot if memory is None else memory

    def _follow(self, slot: Slot, step: Step) -> bool:
        """Find the range of a result; whether it follows from those of the operands."""
        if step.kind not in ("operation", "write") or step.errors[2] != "ignore":
            return False
        is_write = step.kind == "write"
        key = self._key(step.target if is_write else step.value, slot)
        try:
            y = self._written(step) if is_write else self._computed(step)
        except (ArithmeticError, ValueError):
            y = None
        if y is None or not -_LARGEST <= y[0] <= y[1] <= _LARGEST:
            if is_write:
                self._known.pop(key, None)
            return False
        if is_write or key != slot:  # all that the memory has ever held
            old = self._known.get(key, (0.0, 0.0))
            self._known[key] = min(old[0], y[0]), max(old[1], y[1])
        else:
            old = self._known.get(key, (-math.inf, math.inf))
            self._known[key] = max(old[0], y[0]), min(old[1], y[1])
        return True

    def _written(self, step: Step) -> Range | None:
        """The range of an array once it is written into; none if it had none."""
        before = self.range_of(step.target)
        if before is None or not _is_double(step.target._plain):
            return None
        if step.f in (operator.setitem, operator.iadd):
            new = self.range_of(step.args[2])
            return new if new is None or step.f is operator.setitem else _add(before, new)
        return self._computed(step) if step.kwargs.keys() == {"out"} else None

    def _computed(self, step: Step) -> Range | None:
        f, args, y = step.f, step.args, step.value
        if not _is_double(y) or not np.size(y):
            return None
        if f in _SUMS:
            return self._summed(step)
        if f in _FILLED:
            return _FILLED[f] or self.range_of(args[1])
        if step.kwargs.keys() - {"axis", "out"}:
            return None
        if f in _KEEPING:
            return self.range_of(args[0])
        parts = args[0] if f in _JOINING and isinstance(args[0], list | tuple) else args
        ranges = [self.range_of(x) for x in (parts[1:] if f is np.where else parts)]
        if f in _POWERS and not is_recorded(args[1]):
            return None if ranges[0] is None else _power(ranges[0], args[1])
        if not ranges or any(x is None for x in ranges):
            return None
        if f in _JOINING:
            return min(x[0] for x in ranges), max(x[1] for x in ranges)
        if f in _OF_ONE and len(ranges) == 1:
            return _OF_ONE[f](*ranges[0])
        if len(ranges) != 2:
            return None
        if f in PRODUCTS:
            return _sum(_multiply(*ranges), 1 if f is np.outer else np.shape(_plain(args[0]))[-1])
        if f in _TIMES and self._sign_of_square(*args):
            low, high = _power(ranges[0], 2)
            return (low, high) if self._sign_of_square(*args) > 0 else (-high, -low)
        return _OF_TWO[f](*ranges) if f in _OF_TWO else None

    def _summed(self, step: Step) -> Range | None:
        given, x = step.kwargs.keys() - {"axis", "keepdims", "dtype"}, self.range_of(step.args[0])
        if given or len(step.args) > 2 or x is None:
            return None
        number = np.size(_plain(step.args[0])) // (1 if step.f is np.cumsum else np.size(step.value))
        low, high = _sum(x, number)
        return (low / number, high / number) if step.f in _MEANS else (low, high)

    def _sign_of_square(self, a: Any, b: Any) -> float:
        """Of a product of a value with itself 1, with its negative -1, otherwise 0."""
        if not is_recorded(a) or not is_recorded(b):
            return 0
        slots, sign = [], 1.0
        for x in (a, b):
            slot = self._slot_of(x)
            made = self._steps.get(slot.at) if slot.kind == "step" else None
            factor, operand = (None, None) if made is None else factor_and_operand(made)
            is_negative = factor == -1.0
            slots.append(self._slot_of(operand) if is_negative else slot)
            sign *= -1.0 if is_negative else 1.0
        return sign if slots[0] == slots[1] and self._memory_of(a) is None is self._memory_of(b) else 0


# --- Intervals -----------------------------------------------------------------------------------------------


def _add(a: Range, b: Range) -> Range:
    return a[0] + b[0], a[1] + b[1]


def _subtract(a: Range, b: Range) -> Range:
    return a[0] - b[1], a[1] - b[0]


def _multiply(a: Range, b: Range) -> Range:
    products = [x * y for x in a for y in b]
    return min(products), max(products)


def _divide(a: Range, b: Range) -> Range:
    if b[0] <= 0.0 <= b[1]:
        raise ZeroDivisionError
    return _widened(_multiply(a, (1.0 / b[1], 1.0 / b[0])))


def _power(x: Range, p: Any) -> Range | None:
    if type(p) not in (int, float, np.float64) or (p < 0 or p != int(p)):
        return None
    powers = [math.pow(end, p) for end in x]
    low = 0.0 if p % 2 == 0 and x[0] <= 0.0 <= x[1] else min(powers)
    return _widened((low, max(powers)))


def _sum(x: Range, number: int) -> Range:
    """The range of a sum of so many numbers, in any order."""
    if not number:
        return 0.0, 0.0
    low, high = _widened((number * x[0], number * x[1]))
    return max(low, x[0]) if x[0] >= 0.0 else low, min(high, x[1]) if x[1] <= 0.0 else high


def _widened(x: Range) -> Range:
    low, high = x
    return low * (1.0 - math.copysign(_SLACK, low)), high * (1.0 + math.copysign(_SLACK, high))


def _rising(f: Callable[[float], float]) -> Callable[[float, float], Range]:
    return lambda low, high: _widened((f(low), f(high)))


def _within(low: float, high: float) -> Callable[[float, float], Range]:
    return lambda *_: (low, high)


def _absolute(low: float, high: float) -> Range:
    return max(low, -high, 0.0), max(-low, high)


_ONE = 1.0 + _SLACK
_OF_ONE: dict[Any, Callable[[float, float], Range | None]] = {
    **dict.fromkeys((operator.neg, np.negative), lambda low, high: (-high, -low)),
    **dict.fromkeys((abs, np.absolute), _absolute),
    **dict.fromkeys((np.sin, np.cos, np.tanh), _within(-_ONE, _ONE)),
    np.arctan: _within(-1.6, 1.6),
    np.exp: _rising(math.exp), np.expm1: _rising(math.expm1), np.sqrt: _rising(math.sqrt),
    np.log1p: _rising(math.log1p), np.log: _rising(math.log),
    np.square: lambda low, high: _power((low, high), 2),
}  # fmt: skip
_TIMES: set[Any] = {operator.mul, np.multiply}
_OF_TWO: dict[Any, Callable[[Range, Range], Range]] = {
    **dict.fromkeys((operator.add, np.add), _add),
    **dict.fromkeys((operator.sub, np.subtract), _subtract),
    **dict.fromkeys(_TIMES, _multiply),
    **dict.fromkeys((operator.truediv, np.divide), _divide),
    np.maximum: lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
    np.minimum: lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    np.logaddexp: lambda a, b: (max(a[0], b[0]), max(a[1], b[1]) + 1.0),
}  # fmt: skip
_POWERS: set[Any] = {operator.pow, np.power}
_MEANS: set[Any] = {np.mean, np.ndarray.mean}
_SUMS: set[Any] = {np.sum, np.ndarray.sum, np.add.reduce, np.cumsum, *_MEANS}
_JOINING: set[Any] = {np.concatenate, np.stack, np.where}
_KEEPING: set[Any] = (REARRANGING - _SUMS - _JOINING) | {operator.getitem, operator.pos}
_FILLED: dict[Any, Any] = {np.zeros_like: (0.0, 0.0), np.ones_like: (1.0, 1.0), np.full_like: None}
_ALL = {
    *_OF_ONE, *_OF_TWO, *PRODUCTS, *_POWERS, *_SUMS, *_JOINING, *_KEEPING, *_FILLED,
} - {operator.getitem}  # fmt: skip
_NUMBERS = (int, float, np.generic, np.ndarray)


def _assumed(x: Any) -> Range:
    bound = bound_of(x._plain)
    return (-math.inf, math.inf) if bound is None else (-bound, bound)


def _is_double(x: Any) -> bool:
    return type(x) is float or (isinstance(x, np.ndarray | np.generic) and x.dtype == np.float64)


def _kind(x: Any) -> str:
    return np.asarray(x).dtype.kind


def _plain(x: Any) -> Any:
    return x._plain if is_recorded(x) else x
