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
PRIVATE = ("x", "loc", "shape", "df", "dim", "maxpts", "lower_limit", "random_state")


class Corners:
    """The corners of the rectangles of one call, with their signs."""

    def __init__(self, x: Any, loc: Any, shape: Any, df: Any, low: Any) -> None:
        self.M, self.df, n = np.tril(shape) + np.transpose(np.tril(shape, -1)), df, len(shape)
        self.loc = np.zeros(n) if loc is None else loc
        x = np.reshape(x, (-1, n))
        self.count, sides, signs = len(x), [x], [1.0]
        if low is not None:
            low = np.broadcast_to(low, np.shape(x))
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

    def push(self, y: Any, x_dot: Any, loc_dot: Any, shape_dot: Any) -> Any:
        """The tangent of the probabilities."""
        terms = []
        if not (isinstance(x_dot, AbstractZero) and isinstance(loc_dot, AbstractZero)):
            by_x, by_loc = self.by_points()
            if not isinstance(x_dot, AbstractZero):
                terms.append(np.sum(by_x * np.reshape(x_dot, by_x.shape), axis=-1))
            if not isinstance(loc_dot, AbstractZero):
                terms.append(by_loc @ loc_dot)
        if not isinstance(shape_dot, AbstractZero):
            terms.append(np.sum(self.by_shape() * shape_dot, axis=(-2, -1)))
        return np.reshape(sum(terms), np.shape(primal_of(y)))[()] if terms else NO_TANGENT

    def pull(self, y_bar: Any) -> tuple[Function, Function, Function]:
        """The cotangents of points, location and shape matrix, as functions of the shapes of these."""
        rows_bar, once = np.reshape(y_bar, (-1, 1)), functools.cache(self.by_points)
        return (
            lambda shape: np.reshape(rows_bar * once()[0], shape),
            lambda shape: np.sum(rows_bar * once()[1], axis=0),
            lambda shape: np.sum(rows_bar[..., None] * self.by_shape(), axis=0),
        )

    def by_points(self) -> tuple[Any, Any]:
        """The derivatives by the points, and by the location."""
        moved = self.signs * slopes(self.b, self.M, self.df)
        return self.summed(moved * self.is_high), -self.summed(moved)

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


@rule_maker
def rules_of_probability(method: Any, names: Any) -> None:
    """Define the rules of a method with these arguments."""

    def student_frule(tangents: Any, f: typeof_(method), self: STUDENT, *given: Any, **named: Any) -> Any:
        corners = read(names, given, named)
        if corners is None:
            return None
        y, dots = primitive(method)(self, *given, **named), (*tangents[2:], *(NO_TANGENT,) * 4)
        if not isinstance(dots[3], AbstractZero):
            return y, BY_DF
        arrays = [
            dot if isinstance(dot, AbstractZero) else tangent_as_array(part, dot)
            for part, dot in zip((*given, None, None), dots[:3], strict=False)
        ]
        return y, corners.push(y, *arrays)

    def student_rrule(f: typeof_(method), self: STUDENT, *given: Any, **named: Any) -> Any:
        corners = read(names, given, named)
        if corners is None:
            return None
        y = primitive(method)(self, *given, **named)

        def student_pullback(y_bar: Any) -> Any:
            bars: list[Any] = [
                Thunk(lambda x=x, bar=bar: cotangent_in_lists(x, bar(np.shape(primal_of(array_of(x))))))
                for x, bar in zip(given, corners.pull(y_bar), strict=False)
            ]
            bars += [BY_DF, *[NO_TANGENT] * len(given)]
            held = (isinstance(x, int | None) for x in given)
            bars = [NO_TANGENT if is_held else bar for is_held, bar in zip(held, bars, strict=False)]
            return NO_TANGENT, NO_TANGENT, *bars

        return y, student_pullback

    define(student_frule, student_rrule)


rules_of_probability(STUDENT.cdf, PUBLIC)
rules_of_probability(STUDENT._cdf, PRIVATE)  # noqa: SLF001 - frozen distributions call it
