"""B-splines: SciPy's functions in C that evaluate, integrate and refine them, and find their zeros.

The objects are made in Python, and calls are followed into their constructors. So a spline keeps its
derivative by knots and coefficients.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered, entered_if_traced
from chainrules.ad.interception.known.scipy.interpolate.fits import as_array, plain, with_parts
from chainrules.ad.values.facts import fact
from chainrules.numerics.spline_bases import basis, intervals_of
from chainrules.operations.spline_values import spline_values
from chainrules_core import ProjectTo, primal_of


def _evaluating(evaluate: Any) -> Callable[..., Any]:
    """The function for the place of `_dierckx.evaluate_spline`."""

    def call(t: Any, c: Any, k: int, xp: Any, nu: int, *others: Any) -> Any:
        extrapolate, *outs = others
        at, (low, high) = primal_of(xp), primal_of(t)[[k, len(t) - k - 1]]
        y = spline_values(t, c, k, xp, nu)
        if not (low <= np.min(at, initial=high) and np.max(at, initial=low) <= high):
            is_refused = np.isnan(at) | (((at < low) | (at > high)) & (not extrapolate))
            y = y + np.where(is_refused, np.nan, 0.0)[:, np.newaxis]
        for out in outs:
            out[...] = y  # pragma: no cover - SciPy 1.15 alone gives an array to fill
        return y

    return entered_if_traced(evaluate, call)


def _evaluating_complex(method: Any) -> Callable[..., Any]:
    """The function for the place of `BSpline.__call__`, which reads complex numbers as pairs."""

    def call(self: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        evaluate = entered(method) or method
        c = vars(self).get("_c", vars(self).get("c"))
        if c is None or c.dtype.kind != "c":  # (since SciPy 1.18 another object holds them)
            return evaluate(self, x, *args, **kwargs)
        real, imag = with_parts(self, c=c.real), with_parts(self, c=c.imag)
        return evaluate(real, x, *args, **kwargs) + 1j * evaluate(imag, x, *args, **kwargs)

    return entered_if_traced(method, call)


def _of_each_coordinate(f: Any, one: Callable[..., Any], place: int) -> Callable[..., Any]:
    """A function of a tuple of knots, coefficients and degree; of a curve, one result for each coordinate."""

    def call(*args: Any, **kwargs: Any) -> Any:
        t, c, k = args[place] if len(args) > place else kwargs.pop("tck")
        t, args = as_array(t), (*args[:place], *args[place + 1 :])
        if np.ndim(plain(c[0])):
            return _joined([one(t, as_array(part), k, *args, **kwargs) for part in c])
        return one(t, as_array(c), k, *args, **kwargs)

    return entered_if_traced(f, call)


def _joined(results: list[Any]) -> Any:
    """The results for the coordinates of a curve: one tuple, if they are tuples of knots and coefficients."""
    if not isinstance(results[0], tuple):
        return results
    t, _, k = results[0]
    return t, [c for _, c, _ in results], k


def _evaluating_tuples(splev: Any) -> Callable[..., Any]:
    """The function for the place of `_fitpack_impl.splev`."""

    def one(t: Any, c: Any, k: int, x: Any, der: int = 0, ext: int = 0) -> Any:  # noqa: PLR0913, PLR0917 - as above
        if not 0 <= der <= k or ext not in {0, 1, 3}:
            splev(plain(x), (primal_of(t), primal_of(c), k), der, ext)  # may raise an error
        x = as_array(x)
        x, shape, n = np.ravel(x), x.shape, len(t) - k - 1
        at, (low, high) = primal_of(x), primal_of(t)[[k, n]]
        outside = (at < low) | (at > high)
        if ext == 3 and not der:  # derivatives go on beyond the ends, as FITPACK has it
            x = clipped(t, k, x)
        y = _values(t, c, k, x, der)
        return np.reshape(np.where(outside, 0.0, y) if ext == 1 else y, shape)

    return _of_each_coordinate(splev, one, 1)


def _values(t: Any, c: Any, k: int, x: Any, nu: int = 0) -> Any:
    return spline_values(t, c[:, np.newaxis], k, x, nu)[:, 0]


def clipped(t: Any, k: int, x: Any) -> Any:
    """Places beyond the ends, moved to the ends."""
    at, n = primal_of(x), len(t) - k - 1
    low, high = primal_of(t)[[k, n]]
    return np.where(at < low, t[k], np.where(at > high, t[n], x))


def integral(t: Any, c: Any, k: int, a: Any, b: Any) -> Any:
    """The integrals of splines that are zero beyond their ends, whose coefficients are columns."""
    n = len(t) - k - 1
    widths = (t[k + 1 : k + 1 + n] - t[:n])[:, np.newaxis]
    sums = np.cumsum(np.concatenate([0.0 * c[:1], c[:n] * widths]), axis=0) / (k + 1)
    longer = np.concatenate([t[:1], t, t[-1:]])
    y = spline_values(longer, sums, k + 1, clipped(t, k, np.stack([a, b])), 0)
    return y[1] - y[0]


def _integrating(splint: Any) -> Callable[..., Any]:
    """The function for the place of `_fitpack_impl.splint`."""

    def one(  # noqa: PLR0913, PLR0917 - SciPy's
        t: Any, c: Any, k: int, a: Any, b: Any, full_output: int = 0
    ) -> Any:
        y = integral(t, c[:, np.newaxis], k, a, b)[0]
        if not full_output:
            return y
        _, parts = splint(primal_of(a), primal_of(b), (primal_of(t), primal_of(c), k), 1)
        if parts is None:
            return y, None  # pragma: no cover - since SciPy 1.18
        return y, np.concatenate([integral(t, np.eye(len(t) - k - 1), k, a, b), np.zeros(k + 1)])

    return _of_each_coordinate(splint, one, 2)


def _zeros(sproot: Any) -> Callable[..., Any]:
    def one(t: Any, c: Any, k: int, mest: int = 10) -> Any:
        z = sproot((primal_of(t), primal_of(c), k), mest)
        for _ in range(2):  # two steps of Newton's method have the first two derivatives
            z = z - _values(t, c, k, z) / _values(t, c, k, z, 1)
        return z

    return _of_each_coordinate(sproot, one, 0)


def _derivatives(spalde: Any) -> Callable[..., Any]:
    def one(t: Any, c: Any, k: int, x: Any) -> Any:
        spalde(plain(x), (primal_of(t), primal_of(c), k))  # which refuses places beyond the ends
        at = np.ravel(as_array(x))
        rows = np.stack([_values(t, c, k, at, nu) for nu in range(k + 1)], axis=1)
        return rows[0] if len(at) == 1 else [rows[i] for i in range(len(at))]

    return _of_each_coordinate(spalde, one, 1)


def _refined(insert: Any) -> Callable[..., Any]:
    """Knots inserted, by Boehm's algorithm."""

    def one(t: Any, c: Any, k: int, x: Any, m: int = 1, per: int = 0) -> Any:  # noqa: PLR0913, PLR0917 - as above
        if per:
            raise NotImplementedError(
                "The knots of a periodic spline that `scipy.interpolate.insert` returns have no derivative "
                "with `per=1`: insert a knot that is farther than `k` knots from the ends, without `per`."
            )
        _, padded, _ = insert(primal_of(x), (primal_of(t), primal_of(c), k), m)
        c = c[: len(t) - k - 1]
        for _ in range(m):
            t, c = _with_knot(x, t, c, k)
        return t, np.concatenate([c, np.zeros(len(padded) - len(c))]), k

    return _of_each_coordinate(insert, one, 1)


def _with_knot(x: Any, t: Any, c: Any, k: int) -> tuple[Any, Any]:
    """One more knot, and the coefficients."""
    at = int(intervals_of(t, k, np.reshape(primal_of(x), 1))[0])
    i = np.arange(at - k + 1, at + 1)
    share = np.reshape((x - t[i]) / (t[i + k] - t[i]), (k, *[1] * (np.ndim(c) - 1)))
    new = np.concatenate([c[: at - k + 1], share * c[i] + (1.0 - share) * c[i - 1], c[at:]])
    return np.concatenate([t[: at + 1], np.reshape(x, 1), t[at + 1 :]]), new


def _design_matrix(design_matrix: Any) -> Callable[..., Any]:
    """The function for the place of `BSpline.design_matrix`, whose entries are B-splines at places."""

    def call(cls: Any, x: Any, t: Any, k: int, extrapolate: Any = False) -> Any:
        from chainrules.operations.sparse_entries import with_entries  # noqa: PLC0415 - it imports SciPy's

        matrix = design_matrix(cls, primal_of(x), primal_of(t), k, extrapolate)
        if extrapolate == "periodic":
            n = len(t) - k - 1
            turns = np.floor((primal_of(x) - primal_of(t)[k]) / (primal_of(t)[n] - primal_of(t)[k]))
            x = x - turns * (t[n] - t[k])
        first = matrix.indices.reshape(-1, k + 1)[:, 0]
        parts = basis(t, k, x, 0, first + k)
        return with_entries(np.ravel(np.stack(parts, axis=1)), ProjectTo(matrix))

    return entered_if_traced(design_matrix, call)


fact("scipy.interpolate._dierckx.evaluate_spline", wrapped=_evaluating)
fact(
    "scipy.interpolate._bsplines.BSpline.__call__",
    "scipy.interpolate._bsplines._BSpline.__call__",
    wrapped=_evaluating_complex,
)
fact("scipy.interpolate._fitpack_impl.splev", wrapped=_evaluating_tuples)
fact("scipy.interpolate._fitpack_impl.splint", wrapped=_integrating)
fact("scipy.interpolate._fitpack_impl.sproot", wrapped=_zeros)
fact("scipy.interpolate._fitpack_impl.spalde", wrapped=_derivatives)
fact("scipy.interpolate._fitpack_impl.insert", wrapped=_refined)
fact(
    "scipy.interpolate._dierckx.find_interval",
    wrapped=lambda find: lambda *args: find(*map(primal_of, args)),
)
fact("scipy.interpolate._bsplines.BSpline.design_matrix", wrapped=_design_matrix)
