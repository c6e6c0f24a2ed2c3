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
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import Covariance as CovarianceObject
from scipy.stats import _multivariate

from chainrules.formulas.matrices.matrix_readings import HERMITIAN, WHOLE, Elements
from chainrules.formulas.probabilities.normal_rectangles import curvature, slopes
from chainrules.operations.normal_vectors import LOG_2PI, Covariance, log_density, log_determinant
from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Thunk,
    define,
    frule,
    primal_of,
    primitive,
    rrule,
    rule_maker,
    typeof_,
    unbroadcast,
    unthunk,
)

NORMAL, FROZEN = _multivariate.multivariate_normal_gen, _multivariate.multivariate_normal_frozen
Parameter = Operand | None


# --- The arguments -----------------------------------------------------------------------------------------


def _form(cov, n):
    """How the matrix is made of a number, of a vector, or is the array itself."""
    if n == 1:
        shape = np.shape(primal_of(cov))
        return Elements(lambda v: np.reshape(v, (1, 1)), lambda M: np.reshape(M, shape))
    forms = Elements(lambda v: v * np.eye(n), np.trace), Elements(np.diag, np.diag), WHOLE
    return forms[np.ndim(primal_of(cov))]


class Matrix:
    """The covariance matrix of one call, of an argument that may be traced; what is known of its values."""

    def __init__(self, cov, cov_object):
        n, _ = cov_object.shape
        self.cov_object = cov_object
        self.argument = 1.0 if cov is None else cov
        self.form = _form(self.argument, n)
        self.elements = self.form.matrix(self.argument)
        factor = cov_object.whiten(np.eye(n))
        self.known = Covariance(factor, cov_object.log_pdet, cov_object.rank, HERMITIAN[True])

    def push_log_det(self, cov_dot):
        """The logarithm of the determinant, and its tangent."""
        return frule(
            (NO_TANGENT, self.moved(cov_dot), NO_TANGENT), log_determinant, self.elements, self.known
        )

    def pull_log_det(self):
        """The same, and its pullback to the matrix."""
        return rrule(log_determinant, self.elements, self.known)

    def moved(self, cov_dot):
        """The tangent of the matrix."""
        return cov_dot if isinstance(cov_dot, AbstractZero) else self.form.matrix(cov_dot)

    def pull(self, M_bar):
        """The cotangent of the argument."""
        return unbroadcast(self.argument, self.form.cotangent(unthunk(M_bar)))


class Points:
    """The points of one call, as SciPy reads them, and their distances from the mean, as rows."""

    def __init__(self, x, mean, cov_object):
        n, _ = cov_object.shape
        self.given = x, 0.0 if mean is None else mean
        shape = np.shape(primal_of(x))
        if len(shape) < 2:
            shape = (-1, 1) if n == 1 else (1, -1)
        self.shaped_as = shape, -1
        self.parts = tuple(map(np.reshape, self.given, self.shaped_as))
        distances = np.subtract(*self.parts)
        self.shape = np.shape(primal_of(distances))
        if self.shape[-1] != n:
            raise ValueError(
                f"Points of {n} coordinates were expected; the shape of `x` is {np.shape(primal_of(x))}."
            )
        self.rows = np.reshape(distances, (-1, n))
        self.is_inside = True
        if cov_object.rank < n:
            self.is_inside = cov_object._support_mask(primal_of(self.rows))  # noqa: SLF001 - nothing else says it

    def only_inside(self, y, rest=0.0):
        """What belongs to points of the subspace that the matrix spans, and the rest for others."""
        return y if self.is_inside is True else np.where(self.is_inside, y, rest)

    def result(self, y):
        """The results of all points in the shape that SciPy gives to them, without axes of length one."""
        return np.reshape(y, [count for count in self.shape[:-1] if count != 1])[()]

    def moved(self, *dots):
        """The tangent of the rows."""
        terms = [
            sign * np.reshape(dot, shape)
            for sign, dot, shape in zip((1.0, -1.0), dots, self.shaped_as, strict=True)
            if not isinstance(dot, AbstractZero)
        ]
        return (
            np.reshape(np.broadcast_to(sum(terms), self.shape), (-1, self.shape[-1])) if terms else NO_TANGENT
        )

    def pull(self, rows_bar):
        """The cotangents of the points and of the mean."""
        bar = np.reshape(rows_bar, self.shape)

        def pull_part(x, part, sign):
            return unbroadcast(x, np.reshape(unbroadcast(part, sign * bar), np.shape(primal_of(x))))

        return [Thunk(pull_part, *these) for these in zip(self.given, self.parts, (1.0, -1.0), strict=True)]


# --- Densities ---------------------------------------------------------------------------------------------


def _read_matrix(distribution, mean=None, cov=1, allow_singular=True):
    check = distribution._process_parameters  # noqa: SLF001 - it makes the decomposition that densities use
    return Matrix(cov, check(primal_of(mean), primal_of(cov), allow_singular)[-1])


def _read(distribution, x, mean=None, cov=1, allow_singular=False):
    """The matrix and the points, checked by SciPy."""
    matrix = _read_matrix(distribution, mean, cov, allow_singular)
    return matrix, Points(x, mean, matrix.cov_object)


def _is_left_to_scipy(distribution, args, named):
    """Whether a number is complex, or the class of the distribution or its covariance computes otherwise."""
    if type(distribution) not in {NORMAL, FROZEN} or isinstance(named.get("cov"), CovarianceObject):
        return True
    return any(np.iscomplexobj(primal_of(x)) for x in (*args, *named.values()))


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
        if isinstance(y_bar, AbstractZero):
            return [y_bar] * 3
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
        if _is_left_to_scipy(self, (x, *given), named):
            return None
        dots = (*tangents[2:], *[NO_TANGENT] * 3)[:3]
        return _push(transform, _read(self, x, *given, **named), dots)

    def density_rrule(f: typeof_(method), self: NORMAL, x: Operand, *given: Parameter, **named):
        if _is_left_to_scipy(self, (x, *given), named):
            return None
        y, pull_to_arguments = _pull(transform, _read(self, x, *given, **named))

        def density_pullback(y_bar):
            bars = *pull_to_arguments(y_bar), NO_TANGENT
            return NO_TANGENT, NO_TANGENT, *bars[: len(given) + 1]

        return y, density_pullback

    define(density_frule, density_rrule)


@rule_maker
def _rules_of_frozen(method, transform):
    """Define the rules of a method of a distribution with parameters of its own."""

    def density_frule(tangents, f: typeof_(method), self: FROZEN, x: Operand):
        if _is_left_to_scipy(self, (x,), {}):
            return None
        return _push(transform, _read_frozen(self, x), (tangents[2], NO_TANGENT, NO_TANGENT))

    def density_rrule(f: typeof_(method), self: FROZEN, x: Operand):
        if _is_left_to_scipy(self, (x,), {}):
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
    if _is_left_to_scipy(self, given, named):
        return None
    matrix = _read_matrix(self, *given, **named)
    M_dot = matrix.moved(tangents[3]) if len(given) > 1 else NO_TANGENT
    log_det, log_det_dot = frule(
        (NO_TANGENT, M_dot, NO_TANGENT), log_determinant, matrix.elements, matrix.known
    )
    return _entropy(matrix, log_det), 0.5 * log_det_dot


@rrule.dispatch
def entropy_rrule(f: typeof_(NORMAL.entropy), self: NORMAL, *given: Parameter, **named):
    """To the matrix; the entropy does not depend on the mean."""
    if _is_left_to_scipy(self, given, named):
        return None
    matrix = _read_matrix(self, *given, **named)
    log_det, pullback = rrule(log_determinant, matrix.elements, matrix.known)

    def entropy_pullback(y_bar):
        cov_bar = Thunk(lambda: matrix.pull(pullback(0.5 * y_bar)[1]))
        return NO_TANGENT, NO_TANGENT, *(NO_TANGENT, cov_bar)[: len(given)]

    return _entropy(matrix, log_det), entropy_pullback


# --- Probabilities -----------------------------------------------------------------------------------------


class Rectangles:
    """The rectangles of one call, from lower limits to the points, and how their probabilities change."""

    def __init__(self, distribution, x, given, named):
        named = {name: named[name] for name in ("mean", "cov", "allow_singular") if name in named}
        self.matrix, self.points = _read(distribution, x, *given[:3], **named)

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


def _read_probability(value, self, x, given, named):
    """The probability, or its logarithm, and the rectangles; `None` for what is left to SciPy."""
    low = named.get("lower_limit")
    if _is_left_to_scipy(self, (x, *given), named) or primal_of(low) is not low:
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
        tangents, f: typeof_(method), self: NORMAL, x: Operand, *given: Parameter, **named: Any
    ):
        answer, dots = _read_probability(value, self, x, given, named), (*tangents[2:], *[NO_TANGENT] * 3)[:3]
        if answer is None or all(isinstance(dot, AbstractZero) for dot in dots):
            return answer and (answer[0], NO_TANGENT)
        y, rectangles = answer
        return y, rectangles.push(dots) * slope(y)

    def probability_rrule(f: typeof_(method), self: NORMAL, x: Operand, *given: Parameter, **named: Any):
        answer = _read_probability(value, self, x, given, named)
        if answer is None:
            return None
        y, rectangles = answer

        def probability_pullback(y_bar):
            bars = [y_bar] * 3 if isinstance(y_bar, AbstractZero) else rectangles.pull(y_bar * slope(y))
            return NO_TANGENT, NO_TANGENT, *(*bars, *[NO_TANGENT] * 4)[: len(given) + 1]

        return y, probability_pullback

    define(probability_frule, probability_rrule)

    def of_frozen(frozen, x):
        return frozen._dist, x, frozen.mean, frozen.cov, frozen.allow_singular  # noqa: SLF001 - it has the method

    def frozen_frule(tangents, f: typeof_(frozen_method), self: FROZEN, x: Operand, **named: Any):
        dots = NO_TANGENT, NO_TANGENT, tangents[2], NO_TANGENT, NO_TANGENT, NO_TANGENT
        return probability_frule(dots, method, *of_frozen(self, x), **named)

    def frozen_rrule(f: typeof_(frozen_method), self: FROZEN, x: Operand, **named: Any):
        answer = probability_rrule(method, *of_frozen(self, x), **named)
        return answer and (answer[0], lambda y_bar: answer[1](y_bar)[:3])

    define(frozen_frule, frozen_rrule)


_rules_of_probabilities(NORMAL.cdf, FROZEN.cdf, np.ones_like)
_rules_of_probabilities(NORMAL.logcdf, FROZEN.logcdf, lambda y: np.exp(-y))
