"""Functions of JAX from arrays to arrays, as functions of NumPy with rules in both modes."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from chainrules.ad.modes.nodes import component, evaluated
from chainrules.ad.values.structures import tangent_from_parts
from chainrules.adapters.jax.derivatives_by_jax import (
    Arrays,
    KeptPullback,
    OfArrays,
    Places,
    pullback_of,
    pushforward_of,
)
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
)


@dataclass(eq=False, init=False)
class FunctionOfJax:
    """A function of JAX from arrays to a list of arrays, which is given arrays of NumPy and returns some.

    It is compiled when it is first called, and so are its derivatives, which are such functions again. It is
    a dataclass of no fields: nobody takes it apart.

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

        # For arguments with these shapes and dtypes, which are not used otherwise.
        def kept(moving: Places, *kinds: Any) -> KeptPullback:
            return KeptPullback(f, moving)

        def derivative(transform: Any, moving: Places, count: int) -> Any:
            of_name = f"{transform.__name__.replace('_', ' ')} {name}"
            return primitive(FunctionOfJax(of_name, transform(f, moving, count)))

        self._kept = functools.lru_cache(maxsize=128)(kept)
        self._derivative = functools.cache(derivative)

    def __call__(self, *xs: Any) -> tuple[Any, ...]:
        """The arrays of the result, whose memory nobody else holds."""
        with evaluating(self.__name__, xs):
            return to_numpy(self.__name__, self._compiled(*xs))

    def pull(self, xs: Arrays) -> tuple[Arrays, Callable[[Arrays], list[Any]]]:
        """The result, and a function from cotangents of it, or zeros, to those of the arguments."""
        moving = tuple(place for place, x in enumerate(xs) if is_inexact(x))
        ys, pull = self._traced(xs, moving) if contains_carrier(xs) else self._kept_by_jax(xs, moving)

        def pullback(y_bars: Arrays) -> list[Any]:
            pairs = [(y, _projected(y, y_bar)) for y, y_bar in zip(ys, y_bars, strict=True) if is_inexact(y)]
            if not moving or all(isinstance(y_bar, AbstractZero) for _, y_bar in pairs):
                return [ZERO_TANGENT if is_inexact(x) else NO_TANGENT for x in xs]
            whole = [np.zeros_like(y) if isinstance(y_bar, AbstractZero) else y_bar for y, y_bar in pairs]
            found = dict(zip(moving, pull(whole), strict=True))
            return [found.get(place, NO_TANGENT) for place in range(len(xs))]

        return ys, pullback

    def push(self, xs: Arrays, x_dots: Arrays) -> tuple[Arrays, list[Any]]:
        """The result, and tangents of it, or zeros, along tangents or zeros of the arguments."""
        projected = [_projected(x, x_dot) for x, x_dot in zip(xs, x_dots, strict=True)]
        moving = tuple(place for place, x_dot in enumerate(projected) if not isinstance(x_dot, AbstractZero))
        if not moving:
            ys = self.marked(*xs)
            return ys, [ZERO_TANGENT if is_inexact(y) else NO_TANGENT for y in ys]
        push = self._derivative(pushforward_of, moving, len(xs))
        both = push(*xs, *[projected[place] for place in moving])
        ys, y_dots = both[: len(both) // 2], both[len(both) // 2 :]
        return ys, [y_dot if is_inexact(y) else NO_TANGENT for y, y_dot in zip(ys, y_dots, strict=True)]

    def _traced(self, xs: Arrays, moving: Places) -> tuple[Arrays, Callable[[Arrays], Arrays]]:
        """The result, and the pullback as a function that AD systems intercept."""
        pull = self._derivative(pullback_of, moving, len(xs))
        return self.marked(*xs), lambda y_bars: pull(*xs, *y_bars)

    def _kept_by_jax(self, xs: Arrays, moving: Places) -> tuple[Arrays, Callable[[Arrays], Arrays]]:
        """The result, and the pullback by what JAX keeps, so that the result is not computed again."""
        # JAX may keep the memory of an argument, into which its owner may write meanwhile.
        xs = [np.array(x) if isinstance(x, np.ndarray) else x for x in xs]
        kinds: list[Any] = [
            (x.shape, x.dtype) if isinstance(x, np.ndarray | np.generic) else type(x) for x in xs
        ]
        kept = self._kept(moving, jax.config.jax_enable_x64, *kinds)
        with evaluating(self.__name__, xs):
            results, arrays = kept.value(*xs)
            ys = to_numpy(self.__name__, results)

        def pull(y_bars: Arrays) -> Arrays:
            if contains_carrier(y_bars) or not kept.value.is_compiled:
                return self._derivative(pullback_of, moving, len(xs))(*xs, *y_bars)
            with evaluating(self.__name__, xs):
                return to_numpy(self.__name__, kept.pull(arrays, y_bars))

        return ys, pull


def is_inexact(x: Any) -> bool:
    """Whether `x` is a real or complex number, or an array of these."""
    x = primal_of(x)
    return isinstance(x, float | complex) or (hasattr(x, "dtype") and x.dtype.kind in "fc")


def _projected(x: Any, tangent: Any) -> Any:
    """A tangent or cotangent with the shape and dtype of `x`, or a zero."""
    tangent = evaluated(tangent)
    if isinstance(tangent, AbstractZero) or not is_inexact(x):
        return ZERO_TANGENT
    return ProjectTo(x)(tangent)


@frule.dispatch
def function_of_jax_frule(tangents: tuple[Any, ...], f: FunctionOfJax, *xs: Any) -> Any:
    """The tangents by `jax.jvp`."""
    ys, y_dots = f.push(xs, tangents[1:])
    return ys, tangent_from_parts(tuple, len(ys), dict(enumerate(y_dots)))


@rrule.dispatch
def function_of_jax_rrule(f: FunctionOfJax, *xs: Any) -> Any:
    """The pullback by `jax.vjp`."""
    ys, pull = f.pull(xs)

    def function_of_jax_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, *pull([component(y_bar, (place,)) for place in range(len(ys))])

    return ys, function_of_jax_pullback
