"""Rules for probabilities of Student's distribution of vectors, by points, location and shape matrix.

See `chainrules/formulas/probabilities/student_rectangles.py`. A rectangle is the sum of its corners, each
with its sign. By the degrees of freedom the derivative is an integral over all scales, which has not been
worked out; a shape matrix that is singular has none. SciPy finds values at random points, and derivatives in
more than two dimensions are made of such values; in up to two they are exact.
"""

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.stats import multivariate_t

from chainrules.formulas.probabilities.student_rectangles import by_matrix, slopes
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Thunk,
    define,
    not_implemented,
    primal_of,
    primitive,
    rule_maker,
    typeof_,
    unbroadcast,
)

# From the shape of an argument to its cotangent.
Function = Callable[[Any], Any]

STUDENT = type(multivariate_t)
BY_DF = not_implemented(
    "`multivariate_t.cdf` by `df`: an integral over all scales of the normal one. Write `quad` over "
    "`multivariate_normal.cdf` of scaled points, or give `df` as a constant with `stop_gradient`."
)
# The arguments of the method, and of the one behind it, which frozen distributions call too.
PUBLIC = ("x", "loc", "shape", "df", "allow_singular")
MOVED = ("x", "loc", "shape", "lower_limit")
PRIVATE = ("x", "loc", "shape", "df", "dim", "maxpts", "lower_limit", "random_state")


class Corners:
    """The corners of the rectangles of one call, with their signs."""

    def __init__(self, x: Any, loc: Any, shape: Any, df: Any, low: Any) -> None:
        self.M, self.df, n = np.tril(shape) + np.transpose(np.tril(shape, -1)), df, len(shape)
        self.loc = np.zeros(n) if loc is None else loc
        self.shape = np.shape(x)
        x = np.reshape(x, (-1, n))
        self.count, sides, signs = len(x), [x], [1.0]
        if low is not None:
            low = np.reshape(np.broadcast_to(low, self.shape), np.shape(x))
            choices = list(itertools.product((True, False), repeat=n))
            sides = [np.where(choice, x, low) for choice in choices]
            signs = [(-1.0) ** (n - sum(choice)) for choice in choices]
            self.is_high = np.repeat(np.array(choices, float), self.count, axis=0)
        else:
            self.is_high = np.ones((self.count, n))
        self.b = np.concatenate(sides) - self.loc
        self.signs = np.repeat(np.array(signs), self.count)[:, None]

    def summed(self, values: Any) -> Any:
        """The sums over corners of each rectangle."""
        return np.sum(np.reshape(values, (-1, self.count, *np.shape(values)[1:])), axis=0)

    def push(self, y: Any, points_dots: Any, shape_dot: Any) -> Any:
        """The tangent of the probabilities, from those of (points, location, lower limits) and the shape."""
        terms = []
        if not all(isinstance(dot, AbstractZero) for dot in points_dots):
            for by, dot in zip(self.by_points(), points_dots, strict=True):
                if not isinstance(dot, AbstractZero):
                    rows_dot = np.reshape(np.broadcast_to(dot, self.shape), by.shape)
                    terms.append(np.sum(by * rows_dot, axis=-1))
        if not isinstance(shape_dot, AbstractZero):
            terms.append(np.sum(self.by_shape() * shape_dot, axis=(-2, -1)))
        return np.reshape(sum(terms), np.shape(primal_of(y)))[()] if terms else NO_TANGENT

    def pull(self, y_bar: Any) -> tuple[Function, Function, Function, Function]:
        """The cotangents of points, location, shape matrix and lower limits, as functions of these."""
        rows_bar, once = np.reshape(y_bar, (-1, 1)), functools.cache(self.by_points)

        def of_points(place: int) -> Function:
            return lambda x: unbroadcast(x, np.reshape(rows_bar * once()[place], self.shape))

        def of_shape(shape: Any) -> Any:
            return np.sum(rows_bar[..., None] * self.by_shape(), axis=0)

        return of_points(0), of_points(1), of_shape, of_points(2)

    def by_points(self) -> tuple[Any, Any, Any]:
        """The derivatives by the points, by the location, and by the lower limits."""
        moved = self.signs * slopes(self.b, self.M, self.df)
        by_high, all_of_them = self.summed(moved * self.is_high), self.summed(moved)
        return by_high, -all_of_them, all_of_them - by_high

    def by_shape(self) -> Any:
        """The derivatives by the shape matrix."""
        return self.summed(self.signs[..., None] * by_matrix(self.b, self.M, self.df))


def read(names: Any, given: tuple[Any, ...], named: dict[str, Any]) -> Corners | None:
    """The corners of a call; `None` for what is left to SciPy."""
    call = dict(zip(names, given, strict=False)) | named
    parts: list[Any] = [None if call.get(name) is None else array_of(call[name]) for name in names[:3]]
    x, loc, shape = parts
    df, low = call.get("df", 1), call.get("lower_limit")
    n = np.shape(shape)[0] if np.ndim(shape) == 2 else 0
    if not n or np.shape(x)[-1:] != (n,) or (loc is not None and np.shape(loc) != (n,)):
        return None
    if np.ndim(df) or not np.isfinite(primal_of(df)) or np.size(x) == 0 or primal_of(low) is not low:
        return None
    M = np.tril(primal_of(shape))
    is_regular = np.linalg.matrix_rank(M + np.tril(M, -1).T, hermitian=True) == n
    return Corners(x, loc, shape, df, low) if is_regular else None


def pulled(name: str, x: Any, bar: Any) -> Any:
    """The cotangent of an argument with this name."""
    if bar is None or isinstance(x, int | None):
        return BY_DF if name == "df" and not isinstance(x, int) else NO_TANGENT
    return Thunk(lambda: cotangent_in_lists(x, bar(array_of(x))))


@rule_maker
def rules_of_probability(method: Any, names: Any) -> None:
    """Define the rules of a method with these arguments."""

    def student_frule(tangents: Any, f: typeof_(method), self: STUDENT, *given: Any, **named: Any) -> Any:
        corners = read(names, given, named)
        if corners is None:
            return None
        y, dots = primitive(method)(self, *given, **named), dict(zip(names, tangents[2:], strict=False))
        if not isinstance(dots.get("df", NO_TANGENT), AbstractZero):
            return y, BY_DF
        arrays = dict.fromkeys(MOVED, NO_TANGENT) | {
            name: tangent_as_array(part, dots[name])
            for name, part in zip(names, given, strict=False)
            if name in MOVED and not isinstance(dots.get(name, NO_TANGENT), AbstractZero)
        }
        shape_dot = arrays.pop("shape")
        return y, corners.push(y, arrays.values(), shape_dot)

    def student_rrule(f: typeof_(method), self: STUDENT, *given: Any, **named: Any) -> Any:
        corners = read(names, given, named)
        if corners is None:
            return None
        y = primitive(method)(self, *given, **named)

        def student_pullback(y_bar: Any) -> Any:
            bars: dict[str, Any] = dict(zip(MOVED, corners.pull(y_bar), strict=True))
            return (
                NO_TANGENT,
                NO_TANGENT,
                *(pulled(name, x, bars.get(name)) for name, x in zip(names, given, strict=False)),
            )

        return y, student_pullback

    define(student_frule, student_rrule)


rules_of_probability(STUDENT.cdf, PUBLIC)
rules_of_probability(STUDENT._cdf, PRIVATE)  # noqa: SLF001 - frozen distributions call it
