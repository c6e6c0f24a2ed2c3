"""The derivatives of a function at many points, by one call if it can be called with all points at once.

A function that is written for a number and a vector often serves arrays with a further axis as well, as most
right-hand sides of differential equations do. Whether it does is never assumed. It has to have at each point
the value that it has there alone, and at the first and the last one the same derivatives; otherwise it is
called at each point by itself.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from chainrules.values.held_numbers import as_vector, places_in
from chainrules.values.iterables import item_tangents, tuple_tangent, zeros_if_zero
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    frule_via_ad,
    primal_of,
    rrule_via_ad,
    unbroadcast,
    unthunk,
)

# From cotangents of the values, with shape ``(n, points)``, to those of the function, the points, and `args`;
# with up to as many columns for each point as there are copies.
Pull = Callable[[Any], tuple[Any, list[Any], list[Any]]]
# From tangents of the function, the points and `args` to those of the values, with shape ``(n, points)``.
Push = Callable[[Any, Sequence[Any], Sequence[Any]], Any]

# How far values and derivatives may be apart, as a part of their own and of the largest: sums in another
# order differ by less.
ROUNDING, CANCELLATION = 1e-9, 1e-13


class NotTogetherError(Exception):
    """A function cannot be called with many points at once."""


@contextmanager
def called_together() -> Iterator[None]:
    """Take whatever a call with many points at once raises as a sign that it was not written for them.

    A call at one point stands outside: an error there is the user's own.
    """
    try:
        yield
    except Exception as error:
        raise NotTogetherError from error


class WritingError(Exception):
    """A function has written into an argument, so that its calls are more than their values."""


class TooManyPointsError(Exception):
    """A function that has to be called at each point by itself has more of them than somebody wants."""


class Points:
    """A function, its first arguments at many points, and its further ones.

    Parameters
    ----------
    config
        The configuration of the AD system.
    f, args
        The function, and its further arguments.
    points
        Each of its first arguments at all points, which are the last axis.
    copies
        How many cotangents for each point a pullback takes at once, one behind the other.
    """

    def __init__(
        self, config: Any, f: Any, points: Sequence[Any], args: tuple[Any, ...], copies: int = 1
    ) -> None:
        self.config, self.f, self.points, self.args, self.copies = config, f, points, args, copies
        self.count: int = np.shape(primal_of(points[0]))[-1]

    def each(self) -> list[tuple[Any, ...]]:
        """The first arguments of the function at each point."""
        return list(zip(*(np.moveaxis(x, -1, 0) for x in self.points), strict=True))

    def values(self, mode: str = "") -> Any:
        """The values, one column for each point.

        Parameters
        ----------
        mode
            By way of which mode of AD, "forwards" or "backwards"; not needed if nothing is traced.
        """
        return in_columns([self.value(mode, x) for x in self.each()] if mode else list(self.plain_values()))

    def plain_values(self) -> Iterator[Any]:
        """The value at each point, where no argument can be written into."""
        parts = [np.moveaxis(x, -1, 0) for x in self.points]
        for part in parts:
            part.setflags(write=False)
        try:
            for x in zip(*parts, strict=True):
                yield self.f(*x, *self.args)
        except ValueError as error:
            if "read-only" in str(error):
                raise WritingError from error
            raise

    def value(self, mode: str, x: Sequence[Any]) -> Any:
        """The value at one point, by way of one mode."""
        if mode == "forwards":
            still = (NO_TANGENT,) * (1 + len(x) + len(self.args))
            return frule_via_ad(self.config, still, self.f, *x, *self.args)[0]
        return rrule_via_ad(self.config, self.f, *x, *self.args)[0]

    # --- Backwards -----------------------------------------------------------------------------------------

    def pull(self, together: bool, most: float = np.inf) -> Pull:
        """The pullback from the values at all points.

        Parameters
        ----------
        together
            Whether to try all points at once. An AD system whose values the function holds would refuse an
            operation that fails, though it was only tried.
        most
            The largest number of points to call the function at, each by itself; if there is any, none for a
            function that writes into its arguments.

        Raises
        ------
        TooManyPointsError
            If there are more, so that the caller has to do something else.
        """
        if together:
            try:
                self.check_values()
                y, pull = self.pull_together()
                self.check_cotangents(pull, len(y))
            except WritingError as error:
                if np.isfinite(most):
                    raise TooManyPointsError from error
            except NotTogetherError:
                pass
            else:
                return pull
        self.check_number(most)
        return self.pull_one_by_one()

    def check_number(self, most: float) -> None:
        """Refuse more points than this."""
        if self.count > most:
            raise TooManyPointsError

    def pull_together(self) -> tuple[Any, Pull]:
        """The values by one call, with shape ``(n, points)``, and the pullback."""
        points = self.copied()
        count = self.count * self.copies
        with called_together():
            y, pullback = rrule_via_ad(self.config, self.f, *points, *self.args)
            rows = rows_of(y, count)

        def pull(rows_bar: Any) -> Any:
            width = rows_bar.shape[1]
            if width < count:
                rows_bar = np.concatenate([rows_bar, np.zeros((len(rows_bar), count - width))], axis=1)
            if isinstance(y, list | tuple):
                y_bar = tuple_tangent(type(y), list(map(unbroadcast, y, rows_bar)))
            else:
                y_bar = unbroadcast(y, rows_bar if np.ndim(y) > 1 else rows_bar[0])
            f_bar, *bars = pullback(y_bar)
            point_bars = [zeros_if_zero(x, bar)[..., :width] for x, bar in zip(points, bars, strict=False)]
            return f_bar, point_bars, bars[len(points) :]

        return rows, pull

    def copied(self) -> list[Any]:
        """The first arguments at all points, which are repeated for each copy."""
        return [np.tile(x, self.copies) if self.copies > 1 else x for x in self.points]

    def pull_one_by_one(self) -> Pull:
        """The pullback that calls the function at each point by itself."""
        each = self.each()
        results = [rrule_via_ad(self.config, self.f, *x, *self.args) for x in each]

        def pull(rows_bar: Any) -> Any:
            all_bars: list[Any] = []
            columns = []
            for k in range(rows_bar.shape[1]):
                x, (y, pullback) = each[k % self.count], results[k % self.count]
                f_bar, *bars = pullback(in_shape(y, rows_bar[:, k]))
                columns.append(list(map(zeros_if_zero, x, bars)))
                own_bars = [f_bar, *bars[len(x) :]]
                all_bars = [a + b for a, b in zip(all_bars, own_bars, strict=True)] if k else own_bars
            f_bar, *arg_bars = all_bars
            return f_bar, [np.stack(column, axis=-1) for column in zip(*columns, strict=True)], arg_bars

        return pull

    def check_values(self) -> None:
        """Refuse a call with all points that gives other values than those of each by itself."""
        values = self.plain_values()
        first = next(values)  # which may say that the function writes
        # Most functions that cannot be called so say it at once, so that this comes before many calls.
        with called_together():
            y = self.f(*map(np.copy, self.copied()), *self.args)
            rows = rows_of(y, self.count * self.copies)
        check_close(rows, np.tile(in_columns([first, *values]), self.copies))

    def check_cotangents(self, pull: Pull, n: int) -> None:
        """Refuse other cotangents than those at the first and the last point by themselves."""
        ends, ends_of_all = (slice(None, None, max(k - 1, 1)) for k in (self.count, self.count * self.copies))
        rows_bar = np.zeros((n, self.count * self.copies))
        weights = 1.0 + np.arange(2.0 * n).reshape(n, 2)[:, : rows_bar.shape[1]] / (1.0 + n)
        rows_bar[:, ends_of_all] = weights
        with called_together():
            f_bar, point_bars, arg_bars = pull(rows_bar)
        alone = Points(self.config, self.f, [x[..., ends] for x in self.points], self.args)
        f_bar_alone, bars_alone, arg_bars_alone = alone.pull_one_by_one()(weights)
        for x_bar, bar_alone in zip(point_bars, bars_alone, strict=True):
            expected = np.zeros_like(x_bar)
            expected[..., ends_of_all] = bar_alone
            check_close(x_bar, expected)
        places = places_in((self.f, self.args))
        if places:
            held_bar, held_bar_alone = (
                as_vector(tuple_tangent(tuple, (unthunk(a), tuple_tangent(tuple, b))), places)
                for a, b in ((f_bar, arg_bars), (f_bar_alone, arg_bars_alone))
            )
            check_close(held_bar, held_bar_alone)

    # --- Forwards ------------------------------------------------------------------------------------------

    def push(self, together: bool, most: float = np.inf) -> Push:
        """The pushforward to the values at all points; the arguments are those of `pull`."""
        if together:
            try:
                self.check_values()
            except WritingError as error:
                if np.isfinite(most):
                    raise TooManyPointsError from error
                together = False
            except NotTogetherError:
                together = False
        if not together:
            self.check_number(most)

        def push(f_dot: Any, point_dots: Sequence[Any], arg_dots: Sequence[Any]) -> Any:
            if together:
                try:
                    rows = self.push_together([f_dot, *point_dots, *arg_dots])[1]
                    ends = [0, self.count - 1]
                    check_close(rows[:, ends], self.push_one_by_one(ends, f_dot, point_dots, arg_dots))
                except NotTogetherError:
                    pass
                else:
                    return rows
            return self.push_one_by_one(range(self.count), f_dot, point_dots, arg_dots)

        return push

    def push_together(self, dots: Sequence[Any]) -> tuple[Any, Any]:
        """The values by one call, and their tangents, both with shape ``(n, points)``."""
        with called_together():
            y, y_dot = frule_via_ad(self.config, tuple(dots), self.f, *self.points, *self.args)
            if isinstance(y, list | tuple):
                y_dot = list(map(zeros_if_zero, y, item_tangents(y_dot, len(y))))
            else:
                y_dot = zeros_if_zero(y, y_dot)
            return rows_of(y, self.count), rows_of(y_dot, self.count)

    def push_one_by_one(
        self, chosen: Sequence[int], f_dot: Any, point_dots: Sequence[Any], arg_dots: Sequence[Any]
    ) -> Any:
        """The tangents at the chosen points, each by a call of its own."""
        columns = []
        for k in chosen:
            dots = [dot if isinstance(dot, AbstractZero) else at(dot, k) for dot in point_dots]
            x = [at(x, k) for x in self.points]
            y, y_dot = frule_via_ad(self.config, (f_dot, *dots, *arg_dots), self.f, *x, *self.args)
            columns.append(np.reshape(tangent_as_array(y, y_dot), -1))
        return np.stack(columns, axis=-1)


def in_columns(values: list[Any]) -> Any:
    """The value at each point as one column of numbers."""
    if all(isinstance(y, float) for y in values):
        return np.array(values)[None]
    return np.reshape(np.stack(list(map(array_of, values))), (len(values), -1)).T


def at(x: Any, k: int) -> Any:
    """The argument at one point: a number or an array."""
    return x[k] if len(np.shape(primal_of(x))) == 1 else x[..., k]


def in_shape(y: Any, flat_bar: Any) -> Any:
    """The cotangent of what the function returns at one point, from that of its numbers."""
    shape = np.shape(primal_of(array_of(y)))
    return cotangent_in_lists(y, np.reshape(flat_bar, shape) if shape else flat_bar[0])


def rows_of(y: Any, count: int) -> Any:
    """What the function returns of all points, with shape ``(n, points)``."""
    if isinstance(y, list | tuple):
        return np.stack([np.broadcast_to(item, (count,)) for item in y])
    if np.ndim(y) < 2:
        return np.broadcast_to(y, (1, count))
    if np.ndim(y) > 2 or np.shape(y)[1] != count:
        raise NotTogetherError
    return y


def check_close(x: Any, y: Any) -> None:
    """Refuse arrays that are not equal but for rounding."""
    if np.shape(x) != np.shape(y) or x.dtype.kind not in "biufc" or not np.isfinite(x).all():
        raise NotTogetherError
    sizes = np.abs(y)
    largest = sizes.max(initial=0.0, axis=-1, keepdims=True)
    if not (np.abs(x - y) <= ROUNDING * sizes + CANCELLATION * largest).all():
        raise NotTogetherError
