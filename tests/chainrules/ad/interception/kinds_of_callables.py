"""Callables of all kinds, and what is called in the place of each where calls are intercepted."""

import colorsys
import dataclasses
import functools
import inspect
import math
import operator
import statistics
import threading

import numpy as np
import scipy.linalg
import scipy.optimize
import scipy.sparse
from scipy import ndimage

from chainrules.ad.interception.choosing.choosing import choose
from chainrules_core import Tangent, rrule, typeof_
from tests.chainrules.ad.interception.ruled_callables import Clip, Model, cube


class Plain:
    """A class without methods."""


class Made:
    """A class with some."""

    def __init__(self):
        pass

    def method(self):
        """Do nothing."""


def mine(x):
    """A function without a rule."""
    return x


@dataclasses.dataclass(frozen=True)
class WithRule:
    """A class of which an instance has a rule of its own."""

    w: float = 1.0

    def __call__(self, x):
        """Call."""
        return x


instance, partial = WithRule(), functools.partial(mine)


@rrule.dispatch
def instance_rrule(f: typeof_(instance), x: float):
    """Decline."""


@rrule.dispatch
def partial_rrule(f: typeof_(partial), x: float):
    """Decline."""


def answer_of(f):
    """The name of what is called in the place of `f`; ``"itself"``, if it is called."""
    chosen = choose(f)
    if chosen is f:
        return "itself"
    function = chosen.func if isinstance(chosen, functools.partial) else chosen
    return function.__qualname__.partition(".")[0]


KINDS = [
    (cube, "ruled"),
    (mine, "mine"),  # its twin
    (math.sin, "ruled"),
    (np.sin, "ruled_by_numpy"),
    (np.sum, "ruled_by_numpy"),
    (np.add.reduce, "ruled_by_numpy"),
    (np.array, "making"),
    (np.broadcast_shapes, "ruled_in_numpy"),
    (np.random.default_rng, "ruled"),
    (np.random.Generator.normal, "ruled"),
    (scipy.linalg.det, "ruled_in_scipy"),
    (scipy.sparse.block_array, "ruled"),
    (np.copyto, "copyto"),
    (scipy.optimize._optimize.approx_fhess_p, "guarding"),
    (scipy.optimize.rosen, "entered_if_traced"),
    (ndimage._nd_image.correlate1d, "guarding"),
    (colorsys.rgb_to_yiq, "entered_if_traced"),
    (statistics.fmean, "ruled"),
    (dataclasses.replace, "entered_if_traced"),
    (threading.Thread.start, "_starting_thread"),
    (inspect.stack, "itself"),
    (np.asmatrix, "refusing"),
    (np.matrix, "refusing"),
    (scipy.sparse.csr_array, "constructor_from_arrays"),
    (statistics.NormalDist, "ruled"),
    (Plain, "itself"),
    (Made, "usual_constructor"),
    (Tangent, "itself"),
    (functools.partial(cube), "ruled"),
    (functools.lru_cache(mine), "entered_if_traced"),
    (functools.lru_cache(colorsys.rgb_to_yiq), "entered_if_traced"),
    (operator.itemgetter(1), "_reading"),
    ([].append, "itself"),
    ({}.get, "looking_up"),
    ({}.items, "itself"),
    (np.ones(2).sum, "ruled_method"),
    (Model(1.0).predict, "ruled"),
    (Made().method, "Made"),
    (Clip(1.0), "ruled"),
    (Model(1.0), "itself"),
    (WithRule(2.0), "WithRule"),
    (instance, "ruled"),
    (partial, "ruled"),
]
