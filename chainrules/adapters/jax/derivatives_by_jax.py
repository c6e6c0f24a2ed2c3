"""Derivatives of functions of JAX, as functions of JAX: with what a pullback keeps, and from the beginning.

JAX pairs cotangents and tangents without conjugation, rules with it; so complex cotangents are conjugated on
their way to a pullback of JAX, and on their way back: see `derivatives`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from chainrules.adapters.jax.evaluation import Compiled

Arrays = Sequence[Any]
OfArrays = Callable[..., list[Any]]
Places = tuple[int, ...]


class KeptPullback:
    """A function and its pullback, each compiled, for arguments of the same shapes and dtypes.

    Parameters
    ----------
    f
        The function.
    moving
        The places of the arguments to pull back to.

    Attributes
    ----------
    value
        Returns the results, and arrays that the pullback needs.
    pull
        From these arrays, and cotangents of the inexact results, to cotangents of the moving arguments.
    """

    def __init__(self, f: OfArrays, moving: Places) -> None:
        self._f = f
        self._moving = moving
        self._tree: Any = None
        self.value = Compiled(self._value)
        self.pull = Compiled(self._pull)

    def _value(self, *xs: Any) -> tuple[list[Any], list[Any]]:
        ys, pullback = _with_pullback(self._f, self._moving, xs)
        # A pullback is a container of arrays to JAX. A list is handed over in a fraction of the time.
        arrays, self._tree = jax.tree_util.tree_flatten(pullback)
        return ys, arrays

    def _pull(self, arrays: Arrays, y_bars: Arrays) -> list[Any]:
        return _pulled(jax.tree_util.tree_unflatten(self._tree, arrays), y_bars)


def pullback_of(f: OfArrays, moving: Places, count: int) -> OfArrays:
    """From `count` arguments, and cotangents of inexact results, to those of the moving arguments."""

    def pull(*xs: Any) -> list[Any]:
        _, pullback = _with_pullback(f, moving, xs[:count])
        return _pulled(pullback, xs[count:])

    return pull


def pushforward_of(f: OfArrays, moving: Places, count: int) -> OfArrays:
    """From `count` arguments, and tangents of the moving ones, to the results and their tangents.

    A result without tangents, such as an integer, stands for its own.
    """

    def push(*xs: Any) -> list[Any]:
        def of_moving(*moved: Any) -> list[Any]:
            return f(*_replaced(xs[:count], moving, moved))

        ys, y_dots = jax.jvp(of_moving, [xs[place] for place in moving], list(xs[count:]))
        return [*ys, *(y_dot if _has_tangents(y) else y for y, y_dot in zip(ys, y_dots, strict=True))]

    return push


def _with_pullback(f: OfArrays, moving: Places, xs: Arrays) -> tuple[list[Any], Any]:
    """The results, and JAX's pullback of the inexact ones."""

    def of_moving(moved: Arrays) -> tuple[list[Any], list[Any]]:
        ys = f(*_replaced(xs, moving, moved))
        return [y for y in ys if _has_tangents(y)], ys

    _, pullback, ys = jax.vjp(of_moving, [xs[place] for place in moving], has_aux=True)
    return ys, pullback


def _pulled(pullback: Any, y_bars: Arrays) -> list[Any]:
    (x_bars,) = pullback([jnp.conj(y_bar) for y_bar in y_bars])
    return [jnp.conj(x_bar) for x_bar in x_bars]


def _has_tangents(y: Any) -> bool:
    return bool(jnp.issubdtype(jnp.result_type(y), jnp.inexact))


def _replaced(xs: Arrays, places: Places, others: Arrays) -> list[Any]:
    replaced = list(xs)
    for place, other in zip(places, others, strict=True):
        replaced[place] = other
    return replaced
