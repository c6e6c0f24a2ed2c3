"""Splines through points, near to them and smooth: their coefficients solve sparse linear systems.

SciPy decides on the knots and on how smooth a spline is. At these the coefficients ``c`` are least squares,

    N c = Bᵀ W y,   N = Bᵀ W B + q Dᵀ D

with the B-splines at the points in the rows of ``B``, squared weights ``W``, and the jumps of the highest
derivative at the knots in the rows of ``D``. A smoothing spline has the ``q`` for which the sum of squares is
the one asked for: its derivative is that of two of Newton's steps, which are exact to the third order. P.
Dierckx, "Curve and surface fitting with splines", 1993, section 5.2.
"""

import copy
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.numerics.spline_bases import basis, intervals_of
from chainrules.operations.cubic_pieces import b_splines, spline_through
from chainrules.operations.entry_systems import solve_entries
from chainrules.operations.piece_slopes import smooth_maps
from chainrules.operations.scatter import scatter
from chainrules.operations.spline_values import value
from chainrules_core import contains_carrier, primal_of, primitive
from chainrules_core.speed import value_for_dispatch

# How small the gradient is, beside its terms, where a spline is one of least squares and not a smoothing one.
_FLAT, _ROUNDING = 1e-9, 1e-13


class Rows(NamedTuple):
    """A sparse matrix with as many entries in each row."""

    values: list[Any]
    columns: list[Any]

    def __matmul__(self, c: Any) -> Any:
        """The product with columns."""
        terms = [
            v[:, np.newaxis] * np.take(c, at, 0) for v, at in zip(self.values, self.columns, strict=True)
        ]
        return sum(terms[1:], terms[0])

    def adjoint(self, r: Any, like: Any) -> Any:
        """The product of the transposed matrix with columns, in the shape of `like`."""
        parts = [v[:, np.newaxis] * r for v in self.values]
        return scatter(np.concatenate(parts), like, np.concatenate(self.columns))

    def gram(self, weights: Any) -> tuple[Any, Any, Any]:
        """The entries of the transposed matrix times weights times the matrix, and where they are."""
        pairs = list(zip(self.values, self.columns, strict=True))
        products = [(weights * a * b, i, j) for a, i in pairs for b, j in pairs]
        return tuple(map(np.concatenate, zip(*products, strict=True)))  # type: ignore[return-value]  # of three


def rows_at(t: Any, k: int, x: Any, nu: int = 0, n: int | None = None) -> Rows:
    """The B-splines, or derivatives, at places; of a periodic spline with `n` different coefficients."""
    interval = intervals_of(t, k, x)
    columns = [interval - k + j for j in range(k + 1)]
    return Rows(basis(t, k, x, nu, interval), columns if n is None else [at % n for at in columns])


def jumps(t: Any, k: int, n: int | None) -> Rows:
    """The jumps of the derivative of order `k` at the inner knots."""
    at = np.arange(k + 1, len(primal_of(t)) - k - 1)
    right, left = (basis(t, k, t[at], k, at - side) for side in (0, 1))
    values = [b - a for a, b in zip([*left, 0.0], [0.0, *right], strict=True)]
    columns = [at - 1 - k + j for j in range(k + 2)]
    return Rows(values, columns if n is None else [i % n for i in columns])


def through(parts: list[Rows], right: list[Any], known: Any) -> Any:
    """The coefficients that solve as many equations, some rows after others; SciPy's, if they do."""
    known = _solving(known, right, [_plain(part) @ known for part in parts])
    ends = np.cumsum([len(part.columns[0]) for part in parts])
    places = [np.arange(end - len(part.columns[0]), end) for end, part in zip(ends, parts, strict=True)]
    entries = np.concatenate([v for part in parts for v in part.values])
    columns = np.concatenate([at for part in parts for at in part.columns])
    rows = np.concatenate([at for at, part in zip(places, parts, strict=True) for _ in part.columns])
    return solve_entries(entries, np.concatenate(right), rows, columns, known)


def _solving(known: Any, right: list[Any], found: list[Any]) -> Any:
    """What is known, if it solves equations; otherwise `None`."""
    size = max(np.max(np.abs(primal_of(r)), initial=0.0) for r in right)
    misses = [np.abs(primal_of(r) - part) for r, part in zip(right, found, strict=True)]
    return known if all(np.all(miss <= _FLAT * size) for miss in misses) else None


def interpolated(t: Any, k: int, x: Any, y: Any, known: Any, n: int | None = None) -> Any:  # noqa: PLR0913, PLR0917 - a spline and its points
    """The coefficients of a spline through all points, which SciPy has found; `n` if it is periodic."""
    is_plain = n is None and primal_of(x) is x and primal_of(t) is t
    if is_plain and k == 3 and len(x) > 5 and np.array_equal(t, default_knots(x, k)):
        h = (x[1:] - x[:-1])[:, np.newaxis]
        known = _solving(known, [y], [_at_points(t, known, x)])
        return spline_through(y, h, smooth_maps, "not-a-knot", b_splines, known)
    return through([rows_at(t, k, x, 0, n)], [y], known)


def _at_points(t: Any, c: Any, x: Any) -> Any:
    """The values of a cubic spline whose knots are all points but the second and the last but one.

    At a knot it is ``c₁ + (h₀² d₁ - h₁² d₀) / (h₀ + h₁)`` with the widths ``h`` beside it. Of the three
    coefficients that count there ``c₁`` is the middle one, and ``d`` are their divided differences.
    """
    h = (t[4:-3] - t[3:-4])[:, np.newaxis]
    d, bends = (c[1:] - c[:-1]) / (t[4:-1] - t[1:-4])[:, np.newaxis], h * h
    inner = c[2:-2] + (bends[:-1] * d[2:-1] - bends[1:] * d[1:-2]) / (h[:-1] + h[1:])
    others = value(c, x[[1, -2]], t, 3, 0, None)
    return np.concatenate([c[:1], others[:1], inner, others[1:], c[-1:]])


class Fit(NamedTuple):
    """What a spline was fitted to; the weights are not squared, and `y` has columns."""

    t: Any
    k: int
    x: Any
    y: Any
    w: Any
    is_periodic: bool = False

    def coefficients(self, c: Any, smooths: bool) -> tuple[Any, Any]:
        """The coefficients and the sum of squares.

        Parameters
        ----------
        c
            Those that SciPy found.
        smooths
            Whether the spline may be smoother than one of least squares.
        """
        n = len(c) - self.k if self.is_periodic else None
        points = slice(-1) if self.is_periodic else slice(None)
        y, weights, c = self.y[points], self.w[points] ** 2, c[:n]

        if not smooths and len(c) == len(y):  # through all points, whatever the weights
            new = interpolated(self.t, self.k, self.x[points], y, c, n)
            if primal_of(new) is not c:
                check_solved(new, c)
            return (new if n is None else new[np.arange(n + self.k) % n]), np.float64(0.0)
        B, D = rows_at(self.t, self.k, self.x[points], 0, n), jumps(self.t, self.k, n)

        def solved(q: Any) -> Any:
            entries, rows, columns = B.gram(weights)
            right = B.adjoint(weights[:, np.newaxis] * (y - B @ c), c)
            if D.columns[0].size:
                added = D.gram(1.0)
                entries = np.concatenate([entries, q * added[0]])
                rows, columns = (np.concatenate(pair) for pair in ((rows, added[1]), (columns, added[2])))
                right = right - q * D.adjoint(D @ c, c)
            return entries, rows, columns, right

        def squares(c: Any) -> Any:
            return np.sum(weights[:, np.newaxis] * (y - B @ c) ** 2)

        q = _smoothness(_plain(B), _plain(D), primal_of(weights), primal_of(y), c) if smooths else 0.0
        new = _refined(c, *solved(q))
        check_solved(new, c)
        if q:
            asked = primal_of(squares(new))
            for _ in range(2):
                entries, rows, columns, _right = solved(q)
                pull = D.adjoint(D @ new, c)
                slope = 2.0 * q * np.sum(pull * solve_entries(entries, pull, rows, columns))
                q = q - (squares(new) - asked) / slope
                new = _refined(c, *solved(q))
        return (new if n is None else new[np.arange(n + self.k) % n]), squares(new)


def _refined(c: Any, entries: Any, rows: Any, columns: Any, right: Any) -> Any:
    """The solution, from SciPy's: what is added is zero but for rounding, and has the derivative."""
    return c + solve_entries(entries, right, rows, columns)


def check_solved(new: Any, c: Any) -> None:
    """Raise an error, if coefficients are others than those that SciPy found."""
    if not np.allclose(primal_of(new), c, rtol=1e-5, atol=1e-5 * np.max(np.abs(c), initial=0.0)):
        raise np.linalg.LinAlgError(
            "The coefficients of the spline have no derivative, as the points do not determine them: take "
            "fewer knots, or more points."
        )


def _plain(rows: Rows) -> Rows:
    return Rows([primal_of(v) for v in rows.values], rows.columns)


def _smoothness(B: Rows, D: Rows, weights: Any, y: Any, c: Any) -> Any:
    """The factor `q` of a spline that SciPy found; 0 if it is one of least squares."""
    if not D.columns[0].size:
        return 0.0
    weights, r = weights[:, np.newaxis], y - B @ c
    gradient, pull = B.adjoint(weights * r, c), D.adjoint(D @ c, c)
    sizes = [np.linalg.norm(B.adjoint(weights * np.abs(a), c)) for a in (r, y)]
    if np.linalg.norm(gradient) <= _FLAT * sizes[0] + _ROUNDING * sizes[1]:
        return 0.0
    return np.sum(gradient * pull) / np.sum(pull * pull)


def called(f: Any, given: Callable[..., Any]) -> Callable[..., Any]:
    """What stands for `f`, which hands on SciPy's result for plain arguments, and all arguments by name."""
    names = tuple(inspect.signature(f).parameters)
    defaults = {name: p.default for name, p in inspect.signature(f).parameters.items()}

    def call(*args: Any, **kwargs: Any) -> Any:
        result = _result_of(f, tuple(map(plain, args)), {name: plain(x) for name, x in kwargs.items()})
        # These are all: SciPy would have refused others.
        return given(result, **{**defaults, **dict(zip(names, args, strict=False)), **kwargs})

    return entered_if_traced(f, call)


def _result_of(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """SciPy's result; where an argument is recorded, the arrays of a cubic spline or a `BSpline` are, too."""
    name = _BY_PLACES.get(f.__module__.rpartition(".")[2])
    if name is None or not contains_carrier((*args, *kwargs.values())):
        return f(*args, **kwargs)
    is_made = f.__name__ == "__init__"
    first, rest = args[:is_made], args[is_made:]
    names = (name, "c") if contains_carrier((*rest[:1], kwargs.get("x"))) else ("c",)
    named = {name: value_for_dispatch(x) for name, x in kwargs.items()}
    result = f(*first, *map(value_for_dispatch, rest), **named)
    spline = args[0] if is_made else result
    hold_parts(spline, **dict(zip(names, _found(f, type(spline), names, rest, kwargs), strict=True)))
    return result


# By the module of a constructor, what depends on the places of the points. The coefficients depend on all
# arguments, and whatever else such an object holds on no value.
_BY_PLACES = {"_cubic": "x", "_bsplines": "t"}


def _held(f: Any, cls: Any, names: tuple[str, ...], args: tuple[Any, ...], kwargs: Any) -> tuple[Any, ...]:
    """The arrays that a spline is made of."""
    made = cls.__new__(cls) if f.__name__ == "__init__" else None
    made = f(*args, **kwargs) if made is None else (f(made, *args, **kwargs), made)[1]
    return tuple(part_of(made, name) for name in names)


_found = primitive(_held)


def with_parts(spline: Any, **parts: Any) -> Any:
    """A `BSpline` like another, with other knots `t` or coefficients `c`."""
    new = copy.copy(spline)
    held = vars(new)  # where they are depends on the version
    inner = held.get("_delegate_to")  # since SciPy 1.18
    if inner is not None:
        held["_delegate_to"] = with_parts(inner, **parts)
    else:
        hold_parts(new, **parts)
    return new


def part_of(spline: Any, name: str) -> Any:
    """An array that an object of SciPy holds, which may be a property that makes a plain array of it."""
    inner = getattr(spline, "_delegate_to", None)  # since SciPy 1.18
    spline = spline if inner is None else inner
    return getattr(spline, f"_{name}" if hasattr(spline, f"_{name}") else name)


def hold_parts(spline: Any, **parts: Any) -> None:
    """Change attributes of an object of SciPy, which may be properties over those that hold arrays."""
    inner = getattr(spline, "_delegate_to", None)  # since SciPy 1.18
    spline = spline if inner is None else inner
    for name, x in parts.items():
        setattr(spline, f"_{name}" if hasattr(spline, f"_{name}") else name, x)


def as_array(x: Any) -> Any:
    """An array of numbers, of a list of arrays or numbers too, in double precision as SciPy computes."""
    is_array = contains_carrier(x) and isinstance(x, np.ndarray) and x.dtype.kind in "fcbiu"  # a recorded one
    if primal_of(x) is x and not is_array:
        x = np.stack([as_array(part) for part in x]) if contains_carrier(x) else np.asarray(x)
    dtype = np.result_type(primal_of(x), np.float64)
    return x if x.dtype == dtype else x.astype(dtype)


def columns_of(y: Any, axis: int) -> Any:
    """The interpolated axis first, and all others in one."""
    y = y if axis == 0 else np.moveaxis(y, axis, 0)
    return y[:, np.newaxis] if y.ndim == 1 else np.reshape(y, (len(y), -1))


def plain(x: Any) -> Any:
    """A value without tangents, in lists and tuples too."""
    return type(x)(map(plain, x)) if type(x) in {list, tuple} else primal_of(x)


def chosen_knots(t: Any, k: int, x: Any, ends: tuple[Any, Any], is_periodic: bool) -> Any:
    """The knots that SciPy chose, as functions of the points: inner ones are points, or the middle of two."""
    inner, points = t[k + 1 : -k - 1], primal_of(x)
    after = np.minimum(np.searchsorted(points, inner), len(points) - 1)
    new = np.where(points[after] == inner, x[after], 0.5 * (x[after - 1] + x[after]))
    if not np.allclose(primal_of(new), inner):
        raise ValueError(
            "The knots of the spline are neither points nor in the middle of two: give them by `t`."
        )
    return continued_knots(new, k, ends, is_periodic)


def continued_knots(inner: Any, k: int, ends: tuple[Any, Any], is_periodic: bool) -> Any:
    """All knots of a spline with some inner ones: the ends are repeated, or it goes on periodically."""
    first, last = (np.reshape(end, 1) for end in ends)
    if not is_periodic:
        return np.concatenate([*[first] * (k + 1), inner, *[last] * (k + 1)])
    turns, at = np.divmod(np.arange(-k, len(inner) + k + 2), len(inner) + 1)
    return np.concatenate([first, inner])[at] + turns * (last - first)


def default_knots(x: Any, k: int, is_periodic: bool = False, is_not_a_knot: bool = True) -> Any:
    """The knots of a spline through points."""
    if is_periodic:
        inner = x[1:-1] if k % 2 else 0.5 * (x[1:-1] + x[:-2])
    elif k == 1 or not is_not_a_knot:
        inner = x[1:-1]
    else:
        inner = x if k % 2 else 0.5 * (x[1:] + x[:-1])
        inner = inner[(k + 1) // 2 : len(inner) - (k + 1) // 2]
    return continued_knots(inner, k, (x[0], x[-1]), is_periodic)
