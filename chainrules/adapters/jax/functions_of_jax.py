"""Functions of JAX from arrays to arrays, as functions of NumPy with derivatives of every order.

JAX pairs cotangents and tangents without conjugation, rules with it; so complex cotangents are conjugated on
their way to a pullback of JAX, and on their way back: see `derivatives`.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from chainrules.ad.nodes import component
from chainrules.ad.structures import tangent_from_parts
from chainrules.adapters.jax.evaluation import Compiled, evaluating, to_numpy
from chainrules_core import (
    NO_TANGENT,
    ZERO_TANGENT,
    AbstractZero,
    ProjectTo,
    contains_carrier,
    frule,
    primal_of,
    primitive,
    rrule,
    unthunk,
)

Arrays = Sequence[Any]
OfArrays = Callable[..., list[Any]]
Places = tuple[int, ...]


class FunctionOfJax:
    """A function of JAX from arrays to a list of arrays, which is given arrays of NumPy and returns some.

    It is compiled when it is first called, and so are its derivatives, which are such functions again.

    Parameters
    ----------
    name
        Its name in errors.
    f
        The function.

    Attributes
    ----------
    marked
        It, as a function that AD systems intercept.
    """

    def __init__(self, name: str, f: OfArrays) -> None:
        self.__name__ = name
        self.marked = primitive(self)
        self._compiled = Compiled(f)
        # A function of its own, so that what is compiled goes with it.
        self._pull = Compiled(lambda kept, y_bars: _pulled(kept, y_bars))
        self._keeping = functools.cache(lambda moving: Compiled(_keeping(f, moving)))
        self._pullback_of = functools.cache(
            lambda *places: primitive(FunctionOfJax(f"pullback of {name}", _pullback_of(f, *places)))
        )
        self._pushforward_of = functools.cache(
            lambda *places: primitive(FunctionOfJax(f"pushforward of {name}", _pushforward_of(f, *places)))
        )

    def __call__(self, *xs: Any) -> tuple[Any, ...]:
        """The arrays of the result, whose memory nobody else holds."""
        with evaluating(self.__name__, xs):
            return to_numpy(self.__name__, self._compiled(*xs))

    def pull(self, xs: Arrays) -> tuple[Arrays, Callable[[Arrays], list[Any]]]:
        """The result, and a function from cotangents of it, or zeros, to those of the arguments."""
        moving = tuple(place for place, x in enumerate(xs) if is_inexact(x))
        if contains_carrier(xs):
            ys, kept = self.marked(*xs), None
        else:
            # JAX may keep the memory of an argument, and its owner may write into it before the pullback is called.
            xs = [np.array(x) if isinstance(x, np.ndarray) else x for x in xs]
            with evaluating(self.__name__, xs):
                results, kept = self._keeping(moving)(*xs)
                ys = to_numpy(self.__name__, results)

        def pullback(y_bars: Arrays) -> list[Any]:
            pairs = [(y, projected(y, y_bar)) for y, y_bar in zip(ys, y_bars, strict=True) if is_inexact(y)]
            if not moving or all(isinstance(y_bar, AbstractZero) for _, y_bar in pairs):
                return [ZERO_TANGENT if is_inexact(x) else NO_TANGENT for x in xs]
            whole = [np.zeros_like(y) if isinstance(y_bar, AbstractZero) else y_bar for y, y_bar in pairs]
            if kept is None or contains_carrier(whole):
                x_bars = self._pullback_of(moving, len(xs))(*xs, *whole)
            else:
                with evaluating(self.__name__, xs):
                    x_bars = to_numpy(self.__name__, self._pull(kept, whole))
            found = dict(zip(moving, x_bars, strict=True))
            return [found.get(place, NO_TANGENT) for place in range(len(xs))]

        return ys, pullback

    def push(self, xs: Arrays, x_dots: Arrays) -> tuple[Arrays, list[Any]]:
        """The result, and tangents of it, or zeros, along tangents or zeros of the arguments."""
        given = {
            place: projected(x, x_dot)
            for place, (x, x_dot) in enumerate(zip(xs, x_dots, strict=True))
            if is_inexact(x) and not isinstance(x_dot, AbstractZero)
        }
        if not given:
            ys = self.marked(*xs)
            return ys, [ZERO_TANGENT if is_inexact(y) else NO_TANGENT for y in ys]
        both = self._pushforward_of(tuple(given), len(xs))(*xs, *given.values())
        ys, y_dots = both[: len(both) // 2], both[len(both) // 2 :]
        return ys, [y_dot if is_inexact(y) else NO_TANGENT for y, y_dot in zip(ys, y_dots, strict=True)]


def is_inexact(x: Any) -> bool:
    """Whether `x` is a real or complex number, or an array of these."""
    x = primal_of(x)
    return isinstance(x, float | complex) or (hasattr(x, "dtype") and x.dtype.kind in "fc")


def projected(x: Any, tangent: Any) -> Any:
    """A tangent or cotangent with the shape and dtype of `x`, or a zero."""
    tangent = unthunk(tangent)
    return tangent if isinstance(tangent, AbstractZero) else ProjectTo(x)(tangent)


def _keeping(f: OfArrays, moving: Places) -> Callable[..., Any]:
    """A function of JAX: the results, and JAX's pullback for them, with all that this keeps."""

    def keeping(*xs: Any) -> tuple[list[Any], Any]:
        def of_moving(moved: Arrays) -> tuple[list[Any], list[Any]]:
            ys = f(*_replaced(xs, moving, moved))
            return [y for y in ys if _has_tangent(y)], ys

        _, kept, ys = jax.vjp(of_moving, [xs[place] for place in moving], has_aux=True)
        return ys, kept

    return keeping


def _pulled(kept: Any, y_bars: Arrays) -> list[Any]:
    (x_bars,) = kept([jnp.conj(y_bar) for y_bar in y_bars])
    return [jnp.conj(x_bar) for x_bar in x_bars]


def _pullback_of(f: OfArrays, moving: Places, count: int) -> OfArrays:
    """A function of JAX: from arguments and cotangents of the inexact results to those of moving arguments."""

    def pullback_of(*xs: Any) -> list[Any]:
        _, kept = _keeping(f, moving)(*xs[:count])
        return _pulled(kept, xs[count:])

    return pullback_of


def _pushforward_of(f: OfArrays, moving: Places, count: int) -> OfArrays:
    """A function of JAX: from arguments and tangents of the moving ones to the results, and their tangents."""

    def pushforward_of(*xs: Any) -> list[Any]:
        def of_moving(*moved: Any) -> list[Any]:
            return f(*_replaced(xs[:count], moving, moved))

        ys, y_dots = jax.jvp(of_moving, [xs[place] for place in moving], list(xs[count:]))
        return [*ys, *(y_dot if _has_tangent(y) else y for y, y_dot in zip(ys, y_dots, strict=True))]

    return pushforward_of


def _has_tangent(y: Any) -> bool:
    return bool(jnp.issubdtype(jnp.result_type(y), jnp.inexact))


def _replaced(xs: Arrays, places: Places, others: Arrays) -> list[Any]:
    replaced = list(xs)
    for place, other in zip(places, others, strict=True):
        replaced[place] = other
    return replaced


@frule.dispatch
def function_of_jax_frule(tangents: tuple[Any, ...], f: FunctionOfJax, *xs: Any) -> Any:
    ys, y_dots = f.push(xs, tangents[1:])
    return ys, tangent_from_parts(tuple, len(ys), dict(enumerate(y_dots)))


@rrule.dispatch
def function_of_jax_rrule(f: FunctionOfJax, *xs: Any) -> Any:
    ys, pull = f.pull(xs)

    def function_of_jax_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, *pull([component(y_bar, (place,)) for place in range(len(ys))])

    return ys, function_of_jax_pullback
