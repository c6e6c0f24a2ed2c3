"""A function, a callable object and methods with rules that say too much, so that their use shows."""

import functools
import math

import numpy as np

from chainrules_core import NoTangent, ZeroTangent, frule, rrule, typeof_


def cube(x):
    """A function with a rule."""
    return x * x * x


@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    """Say that the slope is 100 times what it is."""
    return cube(x), lambda y_bar: (NoTangent(), 300.0 * x * x * y_bar)


@frule.dispatch
def cube_frule(tangents, f: typeof_(cube), x: float):
    """Say the same forwards."""
    return cube(x), 300.0 * x * x * tangents[1]


class Clip:
    """A functor of an ordinary class, with a rule."""

    def __init__(self, bound):
        self.bound = bound

    def __call__(self, x):
        """Clip."""
        return np.clip(x, -self.bound, self.bound)


@rrule.dispatch
def clip_rrule(f: Clip, x: np.ndarray):
    """Let everything pass, ten times."""
    return f(x), lambda y_bar: (NoTangent(), 10.0 * y_bar)


class Model:
    """A class with a method that has a rule."""

    def __init__(self, w):
        self.w = w

    def predict(self, x):
        """Predict."""
        return self.w * x

    def score(self, x):
        """Score."""
        return self.predict(x) + 1.0


@rrule.dispatch
def predict_rrule(f: typeof_(Model.predict), model: Model, x: float):
    """Say ten times too much."""
    return f(model, x), lambda y_bar: (NoTangent(), NoTangent(), 10.0 * model.w * y_bar)


class Inheriting(Model):
    """It does not override the method."""


class Overriding(Model):
    """It does, and calls the other one."""

    def predict(self, x):
        """Predict more."""
        return 2.0 * super().predict(x) + math.sin(x)


def total(x):
    """A function of a list, with a rule."""
    return sum(x)


@rrule.dispatch
def total_rrule(f: typeof_(total), x: list):
    """Say 100 times too much."""
    return f(x), lambda y_bar: (NoTangent(), [100.0 * y_bar] * len(x))


def first(a, b):
    """A function of which one argument has no influence."""
    return a


@rrule.dispatch
def first_rrule(f: typeof_(first), a: float, b: float):
    """Say so."""
    return a, lambda y_bar: (NoTangent(), y_bar, ZeroTangent())


def scaled(x, *, scale):
    """A function with an argument by keyword alone."""
    return math.sin(x) * scale


@rrule.dispatch
def scaled_rrule(f: typeof_(scaled), x: float, **named: float):
    """Say 100."""
    return f(x, **named), lambda y_bar: (NoTangent(), 100.0 * y_bar)


def only_forwards(x):
    """A function with a rule of one mode."""
    return math.sin(x)


@frule.dispatch
def only_forwards_frule(tangents, f: typeof_(only_forwards), x: float):
    """Say 100."""
    return f(x), 100.0 * tangents[1]


class OnlyForwards:
    """A callable with a rule of one mode, and a method with one."""

    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        """Call."""
        return math.sin(self.w * x)

    def scaled(self, x):
        """Call."""
        return math.sin(self.w * x)


@frule.dispatch
def call_frule(tangents, f: OnlyForwards, x: float):
    """Say 100."""
    return f(x), 100.0 * tangents[1]


@frule.dispatch
def method_frule(tangents, f: typeof_(OnlyForwards.scaled), model: OnlyForwards, x: float):
    """Say 100."""
    return f(model, x), 100.0 * tangents[2]


# --- Without rules ----------------------------------------------------------------------------------------


class Remembering:
    """A class with methods that are not functions in Python."""

    @functools.lru_cache  # noqa: B019 - as people write it
    def method(self, x):
        """Remember."""
        return 2.0 * x

    @staticmethod
    def static(x):
        """Stand here for its name."""
        return 2.0 * x


class Wrapping:
    """What decorators make: an object that is called, and is bound where it stands in a class."""

    def __init__(self, f):
        functools.update_wrapper(self, f)

    def __call__(self, x):
        """Call the function."""
        return self.__wrapped__(x)

    def __get__(self, instance, owner=None):
        """Bind the function."""
        return functools.partial(self.__wrapped__, instance)


def double(x):
    """A function without a rule."""
    return 2.0 * x


@functools.wraps(double)
def wrapped(x):
    """A function in Python that forwards."""
    return double(x)
