# ruff: noqa: D102 - stand-ins have nothing to document
"""A carrier for tests: `Box` stands for the traced values of an AD system, `OtherBox` for another's."""

import operator

import numpy as np

from chainrules_core import primal_of, register_carrier


class Box:
    """Carries a value, possibly another box."""

    def __init__(self, value):
        self.value = value

    @property
    def shape(self):
        return np.shape(primal_of(self))

    @property
    def dtype(self):
        return np.asarray(primal_of(self)).dtype


class OtherBox(Box):
    """The carrier of a second AD system."""


class BoxBackend:
    """Records the calls that are handed over, and calls the function on the carried values."""

    def __init__(self):
        self.calls = []

    def call(self, f, args, kwargs):
        self.calls.append((f, args, dict(kwargs)))
        return Box("result")

    def primal(self, x):
        return x.value


class UncalledBackend:
    """For carriers with an attribute `primal`, which are in no call."""

    primal = operator.attrgetter("primal")

    def call(self, f, args, kwargs):
        raise NotImplementedError


backend = BoxBackend()
other_backend = BoxBackend()
register_carrier(__name__, "Box", backend)
register_carrier(__name__, "OtherBox", other_backend)
