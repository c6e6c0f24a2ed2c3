"""Functions with rules that have their pullbacks elsewhere, or ask for the rules of others."""

import functools
import math
from typing import ClassVar

import numpy as np

from chainrules_core import NoTangent, frule, primitive, rrule, typeof_


class Weights:
    """What a rule reads from outside."""

    scale: ClassVar[float] = 2.0
    of_rule = np.linspace(1.0, 2.0, 3)
    of_function = np.linspace(0.0, 1.0, 3)


@primitive
def squared(x):
    """A function whose rule has its pullback elsewhere."""
    return x * x


def _squared_pullback(x, y_bar):
    return NoTangent(), 2.0 * x * y_bar * Weights.scale


@rrule.dispatch
def squared_rrule(f: typeof_(squared), x: np.ndarray):
    """By a partial application."""
    return squared(x), functools.partial(_squared_pullback, x)


def squared_sum(x):
    """A function that has no rule."""
    return np.sum(squared(x))


class Held:
    """A value with a pullback for its method, and which is one."""

    def __init__(self, x):
        self.x = x

    def pull(self, y_bar):
        """As above."""
        return NoTangent(), 3.0 * self.x**2 * y_bar

    def __call__(self, y_bar):
        """Not the right one."""
        return NoTangent(), Weights.scale * self.x * y_bar


@primitive
def cubed(x):
    """A function whose rule has its pullback in an object."""
    return x**3


@rrule.dispatch
def cubed_rrule(f: typeof_(cubed), x: np.ndarray):
    """By a method."""
    return cubed(x), Held(x).pull


@primitive
def halved(x):
    """A function whose rule has an object for its pullback."""
    return x / 2.0


@rrule.dispatch
def halved_rrule(f: typeof_(halved), x: np.ndarray):
    """By the object."""
    return halved(x), Held(x)


@primitive
def turned(x):
    """A function with a rule forwards."""
    return np.tanh(x)


@frule.dispatch
def turned_frule(tangents, f: typeof_(turned), x: np.ndarray):
    """Not the right one."""
    return np.tanh(x), tangents[1] * x * Weights.scale


def quartered(x):
    """A function whose rules ask for those of others."""
    return squared(x) / 4.0


@rrule.dispatch
def quartered_rrule(f: typeof_(quartered), x: np.ndarray):
    """By the rule of the square."""
    y, pullback = rrule(squared, x)
    return y / 4.0, lambda y_bar: pullback(y_bar / 4.0)


@frule.dispatch
def quartered_frule(tangents, f: typeof_(quartered), x: np.ndarray):
    """By that of the hyperbolic tangent."""
    return frule(tangents, turned, x)


def summed(parts):
    """A function of a container."""
    return parts[0] + parts[1] * math.sin(2.0)


@rrule.dispatch
def summed_rrule(f: typeof_(summed), parts: list):
    """By a global name."""
    return summed(parts), lambda y_bar: (NoTangent(), [y_bar * Weights.scale, y_bar])
