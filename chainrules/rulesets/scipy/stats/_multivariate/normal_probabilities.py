"""Rules for probabilities of the multivariate normal distribution, by points, mean and covariance.

See `chainrules/formulas/probabilities/normal_rectangles.py`. In up to three dimensions the derivatives are
exact; in more, they are made of probabilities that SciPy finds at random points. Where the covariance is
singular, or an object of `scipy.stats.Covariance`, there are none; in a frozen distribution it is a constant.
"""

from typing import Any

import numpy as np

from chainrules.formulas.probabilities.normal_arguments import (
    FROZEN,
    NORMAL,
    is_left_to_scipy,
    read_arguments,
)
from chainrules.formulas.probabilities.normal_rectangles import curvature, slopes
from chainrules.values.operands import OperandInLists
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Thunk,
    define,
    primal_of,
    primitive,
    rule_maker,
    typeof_,
    unthunk,
)

Parameter = OperandInLists | None


class Rectangles:
    """The rectangles of one call, from lower limits to the points, and how their probabilities change."""

    def __init__(self, distribution, x, given, named):
        named = {name: named[name] for name in ("mean", "cov", "allow_singular") if name in named}
        self.matrix, self.points = read_arguments(distribution, x, *given[:3], **named)

    def read_limits(self, low):
        """Whether there are derivatives; `low` is the lower limits."""
        points, M = self.points, self.matrix.elements
        if low is not None:
            low = np.broadcast_to(low, points.shape) - points.parts[1]
            low = np.reshape(low, (-1, points.shape[-1]))
        self.low, self.M = low, np.tril(M) + np.transpose(np.tril(M, -1))
        return self.matrix.cov_object.rank == len(self.M)

    def push(self, dots):
        """The tangents of the probabilities."""
        x_dot, mean_dot, cov_dot = dots
        below, above = slopes(self.low, self.points.rows, self.M)
        y_dot = 0.0
        if not isinstance(rows_dot := self.points.moved(x_dot, mean_dot), AbstractZero):
            y_dot = np.sum(above * rows_dot, axis=-1)
        if not isinstance(mean_dot, AbstractZero):
            y_dot = y_dot - np.sum(below * self.points.moved(NO_TANGENT, mean_dot), axis=-1)
        if not isinstance(cov_dot, AbstractZero):
            M_dot = self.matrix.known.system.reading.push(
                self.matrix.elements, self.matrix.moved(cov_dot), np.eye(len(self.M))
            )
            y_dot = y_dot + 0.5 * np.sum(curvature(self.low, self.points.rows, self.M) * M_dot, axis=(-2, -1))
        return self.points.result(y_dot)

    def pull(self, y_bar):
        """The cotangents of points, mean and matrix."""
        y_bar = np.reshape(y_bar, (-1, 1))
        below, above = slopes(self.low, self.points.rows, self.M)

        def pull_matrix():
            M_bar = np.sum(y_bar[..., None] * curvature(self.low, self.points.rows, self.M), axis=0)
            return self.matrix.pull(self.matrix.known.pull(self.matrix.elements, 0.5 * M_bar))

        x_bar, mean_bar = self.points.pull(y_bar * above)[0], self.points.pull(y_bar * (above - below))[1]
        return x_bar, mean_bar, Thunk(pull_matrix)


def _in_lists(x, bar):
    """The cotangent of an argument, which may be a list of numbers."""
    return Thunk(lambda: cotangent_in_lists(x, unthunk(bar))) if isinstance(x, list | tuple) else bar


def _read_probability(value, self, x, *rest):
    """The probability, or its logarithm, and the rectangles; `None` for what is left to SciPy."""
    *given, named = rest
    low = named.get("lower_limit")
    if is_left_to_scipy(self, (x, *given), named) or primal_of(low) is not low:
        return None
    rectangles = Rectangles(self, x, given, named)
    if not rectangles.read_limits(low):
        return None
    y = value(self, x, *given, **named)
    return None if np.iscomplexobj(primal_of(y)) else (y, rectangles)


@rule_maker
def _rules_of_probabilities(method, frozen_method, slope):
    """Define the rules of a function of the probability, whose derivative is `slope` of its value."""
    value = primitive(method)

    def probability_frule(
        tangents, f: typeof_(method), self: NORMAL, x: OperandInLists, *given: Parameter, **named: Any
    ):
        args = map(array_of, (x, *given))
        given_dots = [
            dot if isinstance(dot, AbstractZero) else tangent_as_array(part, dot)
            for part, dot in zip((x, *given), tangents[2:], strict=True)
        ]
        answer, dots = _read_probability(value, self, *args, named), (*given_dots, *[NO_TANGENT] * 3)[:3]
        if answer is None or all(isinstance(dot, AbstractZero) for dot in dots):
            return answer and (answer[0], NO_TANGENT)
        y, rectangles = answer
        return y, rectangles.push(dots) * slope(y)

    def probability_rrule(
        f: typeof_(method), self: NORMAL, x: OperandInLists, *given: Parameter, **named: Any
    ):
        answer = _read_probability(value, self, *map(array_of, (x, *given)), named)
        if answer is None:
            return None
        y, rectangles = answer

        def probability_pullback(y_bar):
            bars = (*rectangles.pull(y_bar * slope(y)), *[NO_TANGENT] * 4)
            return NO_TANGENT, NO_TANGENT, *map(_in_lists, (x, *given), bars)

        return y, probability_pullback

    define(probability_frule, probability_rrule)

    def of_frozen(frozen, x):
        return frozen._dist, x, frozen.mean, frozen.cov, frozen.allow_singular  # noqa: SLF001 - it has the method

    def frozen_frule(tangents, f: typeof_(frozen_method), self: FROZEN, x: OperandInLists, **named: Any):
        dots = NO_TANGENT, NO_TANGENT, tangents[2], NO_TANGENT, NO_TANGENT, NO_TANGENT
        return probability_frule(dots, method, *of_frozen(self, x), **named)

    def frozen_rrule(f: typeof_(frozen_method), self: FROZEN, x: OperandInLists, **named: Any):
        answer = probability_rrule(method, *of_frozen(self, x), **named)
        return answer and (answer[0], lambda y_bar: answer[1](y_bar)[:3])

    define(frozen_frule, frozen_rrule)


_rules_of_probabilities(NORMAL.cdf, FROZEN.cdf, np.ones_like)
_rules_of_probabilities(NORMAL.logcdf, FROZEN.logcdf, lambda y: np.exp(-y))
