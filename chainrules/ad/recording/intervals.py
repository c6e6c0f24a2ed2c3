"""Arithmetic of intervals: within which bounds a result lies, if the operands lie within theirs.

R. E. Moore, "Interval Analysis", Prentice-Hall 1966. Where a result may be no finite number, there is an
`ArithmeticError` or a `ValueError`, or a bound is infinite.
"""

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.recording.identities import TIMES

Range = tuple[float, float]

# Within this, relatively, are sums and the functions of libraries exact.
_SLACK = 1e-6
# Below this, numbers have fewer digits, or are rounded to zero.
_SMALLEST, _SMALLEST_IN_SINGLE = 1e-300, 1e-36


def same(x: Range) -> Range:
    """The range of an operand."""
    return x


def hull(*ranges: Range) -> Range:
    """The range of what is in any of others."""
    return min(x[0] for x in ranges), max(x[1] for x in ranges)


def add(a: Range, b: Range) -> Range:
    """The range of sums."""
    return a[0] + b[0], a[1] + b[1]


def _subtract(a: Range, b: Range) -> Range:
    return a[0] - b[1], a[1] - b[0]


def multiply(a: Range, b: Range) -> Range:
    """The range of products."""
    products = [x * y for x in a for y in b]
    return min(products), max(products)


def divide(a: Range, b: Range) -> Range:
    """The range of quotients."""
    if b[0] <= 0.0 <= b[1]:
        raise ZeroDivisionError
    return _widened(multiply(a, (1.0 / b[1], 1.0 / b[0])))


def power(x: Range, p: Any) -> Range:
    """The range of whole powers."""
    if type(p) not in (int, float, np.float64) or p < 0 or p != int(p):
        raise ArithmeticError
    powers = [math.pow(end, p) for end in x]
    low = 0.0 if p % 2 == 0 and x[0] <= 0.0 <= x[1] else min(powers)
    return _widened((low, max(powers)))


def add_up(x: Range, number: int, rounding: float) -> Range:
    """The range of sums of so many numbers, in any order, each rounded by so much, relatively."""
    if not number:
        return 0.0, 0.0
    more, less = math.exp(number * rounding), math.exp(-number * rounding)
    low = number * x[0] * (less if x[0] > 0.0 else more)
    low, high = _widened((low, number * x[1] * (less if x[1] < 0.0 else more)))
    return max(low, x[0]) if x[0] >= 0.0 else low, min(high, x[1]) if x[1] <= 0.0 else high


def _widened(x: Range, smallest: float = _SMALLEST) -> Range:
    low, high = x
    if -smallest < low < smallest:
        low = -smallest if low < 0.0 else 0.0
    if -smallest < high < smallest:
        high = smallest if high >= 0.0 else 0.0
    return low * (1.0 - math.copysign(_SLACK, low)), high * (1.0 + math.copysign(_SLACK, high))


def in_single_precision(x: Range) -> Range:
    """The range of what is rounded to single precision."""
    return x if x[0] == x[1] == 0.0 else _widened(x, _SMALLEST_IN_SINGLE)


def _rising(f: Callable[[float], float]) -> Callable[[Range], Range]:
    return lambda x: _widened((f(x[0]), f(x[1])))


_ONE = 1.0 + _SLACK
_MONOTONE = ((np.exp, math.exp), (np.expm1, math.expm1), (np.log, math.log), (np.log1p, math.log1p))

OF_ONE: dict[Any, Callable[[Range], Range]] = {
    **dict.fromkeys((operator.neg, np.negative), lambda x: (-x[1], -x[0])),
    **dict.fromkeys((abs, np.absolute, np.fabs), lambda x: (max(x[0], -x[1], 0.0), max(-x[0], x[1]))),
    **dict.fromkeys((np.sin, np.cos, np.tanh), lambda _: (-_ONE, _ONE)),
    **{f: _rising(of_floats) for f, of_floats in (*_MONOTONE, (np.sqrt, math.sqrt))},
    np.arctan: lambda _: (-1.6, 1.6),
    np.sign: lambda _: (-1.0, 1.0),
    np.square: lambda x: power(x, 2),
}
OF_TWO: dict[Any, Callable[[Range, Range], Range]] = {
    **dict.fromkeys((operator.add, np.add), add),
    **dict.fromkeys((operator.sub, np.subtract), _subtract),
    **dict.fromkeys((operator.truediv, np.divide), divide),
    **dict.fromkeys(TIMES, multiply),
    np.maximum: lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
    np.minimum: lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    np.logaddexp: lambda a, b: (max(a[0], b[0]), max(a[1], b[1]) + 1.0),
}
