"""Programs that call libraries of Python and NumPy, and SciPy: functions of one real number."""

import functools
import itertools
import math
import operator
import statistics
from math import cos, sin
from typing import NamedTuple

import numpy as np
import scipy.stats


class Point(NamedTuple):
    a: float
    b: float


def helper(x):
    return math.exp(-x * x)


@functools.lru_cache
def cached(x):
    return sin(x)


def lru_cache(x):
    return cached(x) + cached(x) + cached(1.0)


def callbacks(x):
    ys = [x, 2.0 * x, 3.0 * x]
    return (
        sum(map(helper, ys))
        + sum(filter(lambda y: sin(y) > -2.0, ys))
        + functools.reduce(lambda a, b: sin(a) + b, ys)
        + sorted(ys, key=lambda y: -cos(y))[0]
        + max(ys, key=lambda y: helper(y))
        + sum(itertools.starmap(lambda a, b: a * sin(b), zip(ys, ys, strict=True)))
        + sum(itertools.accumulate(ys, lambda a, b: sin(a) * b))
    )


def operators_as_functions(x):
    return (
        operator.mul(sin(x), x)
        + operator.itemgetter(1)([1.0, cos(x)])
        + operator.attrgetter("a")(Point(x, 1.0))
    )


@functools.singledispatch
def dispatched(x):
    raise TypeError(type(x))


@dispatched.register
def _(x: float):
    return sin(x)


def single_dispatch(x):
    return dispatched(x)


def arrays_of_numbers(x):
    rotation = np.array([[math.cos(x), -math.sin(x)], [math.sin(x), math.cos(x)]])
    v = np.asarray([x, 1.0])
    return np.sum(rotation @ v * np.full(2, x))


def conversions(x):
    y = float(x)
    return math.sin(y) * float(np.sum(np.array([x, x])))


def questions(x):
    assert isinstance(x, float)
    assert np.isscalar(x)
    assert type(x) in {float, np.float64}
    assert not hasattr(x, "__len__")
    return sin(x) if isinstance(x, int | float) else 0.0


def means(x):
    return statistics.fmean([x, sin(x), 2.0])


def formatted(x):
    text = f"{x:.3f} {x!r} {math.floor(x)}" + str(int(x)) + str(round(x, 2))
    return sin(x) if text else 0.0


def distributions(x):
    frozen = scipy.stats.norm(x, scale=2.0)
    return np.sum(frozen.logpdf([0.3, 1.2])) + scipy.stats.expon.pdf(0.5, scale=x) + frozen.mean()


PROGRAMS_WITH_LIBRARIES = [
    lru_cache,
    callbacks,
    operators_as_functions,
    single_dispatch,
    arrays_of_numbers,
    conversions,
    questions,
    means,
    formatted,
    distributions,
]
