"""Rules for the densities of normally distributed vectors: `scipy.stats.multivariate_normal`.

With the points ``d`` from the mean, and the covariance matrix ``M`` of rank ``r``::

    log f = -(r log 2π + log det M + dᵀ M⁻¹ d) / 2        entropy = (r log 2πe + log det M) / 2

SciPy's own decomposition of the matrix serves values and derivatives; see
`chainrules/operations/normal_vectors.py`. A number or a vector as covariance is the diagonal of a
matrix; of a matrix, the lower triangle is read, and the cotangent stands there. Where the covariance is an
object of `scipy.stats.Covariance`, the code of SciPy is differentiated; in a frozen distribution, it is a
constant.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from chainrules.formulas.probabilities.normal_arguments import (
    FROZEN,
    NORMAL,
    Matrix,
    Points,
    is_left_to_scipy,
    read_arguments,
    read_matrix,
)
from chainrules.operations.normal_vectors import LOG_2PI, log_density, log_determinant
from chainrules.values.operands import Operand
from chainrules_core import NO_TANGENT, AbstractZero, Thunk, define, frule, rrule, rule_maker, typeof_

Parameter = Operand | None

# --- Densities ---------------------------------------------------------------------------------------------


def _read_frozen(frozen, x):
    return Matrix(frozen.cov, frozen.cov_object), Points(x, frozen.mean, frozen.cov_object)


def _push(transform, read, dots):
    """A function of the logarithms of the densities, and its tangent, for those of the three arguments."""
    matrix, points = read
    x_dot, mean_dot, cov_dot = dots
    tangents = NO_TANGENT, points.moved(x_dot, mean_dot), matrix.moved(cov_dot), NO_TANGENT
    y, y_dot = frule(tangents, log_density, points.rows, matrix.elements, matrix.known)
    y = transform.function(points.only_inside(y, -np.inf))
    if isinstance(y_dot, AbstractZero):
        return points.result(y), y_dot
    return points.result(y), points.result(points.only_inside(y_dot) * transform.slope(y))


def _pull(transform, read):
    """A function of the logarithms of the densities, and its pullback to points, mean and matrix."""
    matrix, points = read
    y, pull_rows = rrule(log_density, points.rows, matrix.elements, matrix.known)
    y = transform.function(points.only_inside(y, -np.inf))

    def pullback(y_bar):
        y_bar = points.only_inside(np.reshape(y_bar, -1) * transform.slope(y))
        _, rows_bar, M_bar, _ = pull_rows(y_bar)
        return *points.pull(rows_bar), Thunk(matrix.pull, M_bar)

    return points.result(y), pullback


class Transform(NamedTuple):
    """A function of the logarithm of a density, and its derivative as a function of its value."""

    function: Callable
    slope: Callable


@rule_maker
def _rules_of_distribution(method, transform):
    """Define the rules of a method with all parameters."""

    def density_frule(tangents, f: typeof_(method), self: NORMAL, x: Operand, *given: Parameter, **named):
        if is_left_to_scipy(self, (x, *given), named):
            return None
        dots = (*tangents[2:], *[NO_TANGENT] * 3)[:3]
        return _push(transform, read_arguments(self, x, *given, **named), dots)

    def density_rrule(f: typeof_(method), self: NORMAL, x: Operand, *given: Parameter, **named):
        if is_left_to_scipy(self, (x, *given), named):
            return None
        y, pull_to_arguments = _pull(transform, read_arguments(self, x, *given, **named))

        def density_pullback(y_bar):
            bars = *pull_to_arguments(y_bar), NO_TANGENT
            return NO_TANGENT, NO_TANGENT, *bars[: len(given) + 1]

        return y, density_pullback

    define(density_frule, density_rrule)


@rule_maker
def _rules_of_frozen(method, transform):
    """Define the rules of a method of a distribution with parameters of its own."""

    def density_frule(tangents, f: typeof_(method), self: FROZEN, x: Operand):
        if is_left_to_scipy(self, (x,), {}):
            return None
        return _push(transform, _read_frozen(self, x), (tangents[2], NO_TANGENT, NO_TANGENT))

    def density_rrule(f: typeof_(method), self: FROZEN, x: Operand):
        if is_left_to_scipy(self, (x,), {}):
            return None
        y, pull_to_arguments = _pull(transform, _read_frozen(self, x))

        def density_pullback(y_bar):
            return NO_TANGENT, NO_TANGENT, pull_to_arguments(y_bar)[0]

        return y, density_pullback

    define(density_frule, density_rrule)


for _name, _transform in (
    ("logpdf", Transform(lambda y: y, np.ones_like)),
    ("pdf", Transform(np.exp, lambda y: y)),
):
    _rules_of_distribution(getattr(NORMAL, _name), _transform)
    _rules_of_frozen(getattr(FROZEN, _name), _transform)

# --- Entropy -----------------------------------------------------------------------------------------------


def _entropy(matrix, log_det):
    return 0.5 * (matrix.known.rank * (LOG_2PI + 1.0) + log_det)


@frule.dispatch
def entropy_frule(tangents, f: typeof_(NORMAL.entropy), self: NORMAL, *given: Parameter, **named):
    """By the matrix."""
    if is_left_to_scipy(self, given, named):
        return None
    matrix = read_matrix(self, *given, **named)
    M_dot = matrix.moved(tangents[3]) if len(given) > 1 else NO_TANGENT
    log_det, log_det_dot = frule(
        (NO_TANGENT, M_dot, NO_TANGENT), log_determinant, matrix.elements, matrix.known
    )
    return _entropy(matrix, log_det), 0.5 * log_det_dot


@rrule.dispatch
def entropy_rrule(f: typeof_(NORMAL.entropy), self: NORMAL, *given: Parameter, **named):
    """To the matrix; the entropy does not depend on the mean."""
    if is_left_to_scipy(self, given, named):
        return None
    matrix = read_matrix(self, *given, **named)
    log_det, pullback = rrule(log_determinant, matrix.elements, matrix.known)

    def entropy_pullback(y_bar):
        cov_bar = Thunk(lambda: matrix.pull(pullback(0.5 * y_bar)[1]))
        return NO_TANGENT, NO_TANGENT, *(NO_TANGENT, cov_bar)[: len(given)]

    return _entropy(matrix, log_det), entropy_pullback
