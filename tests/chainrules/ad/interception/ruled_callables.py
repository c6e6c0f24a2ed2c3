"""A function, a callable object and methods with rules that say too much, so that their use shows."""

import math

import numpy as np

from chainrules_core import NoTangent, frule, rrule, typeof_


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
