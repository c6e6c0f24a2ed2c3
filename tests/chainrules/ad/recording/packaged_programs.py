"""The text of a package that the tests install: functions, classes and objects over NumPy."""

import dataclasses
import functools
import math
import types
from zlib import crc32

import numpy as np
import scipy.optimize
from installed_package.inside import polynomial

from chainrules_core import NoTangent, primitive, rrule, typeof_

SCALE = 2.0
TABLE = {"a": [1.0, 2.0]}
CALLS = []
VALUES = {"made": 2.0}
SETTINGS = types.SimpleNamespace(scale=2.0)


def __getattr__(name):
    """Names that are looked up elsewhere."""
    if name in VALUES:
        return VALUES[name]
    raise AttributeError(name)


def energy(x):
    """Reads names of two modules."""
    return np.sum(x * x) * SCALE + polynomial(np.sum(x)) * TABLE["a"][1]


def doubled(f):
    """A decorator."""

    @functools.wraps(f)
    def wrapper(*args):
        """What stands for the function."""
        return f(*args) * SCALE

    return wrapper


@doubled
def decorated(x):
    """It is called by a wrapper."""
    return np.sum(np.sin(x))


@dataclasses.dataclass
class Model:
    """Data, with methods."""

    k: float = 2.0
    shift: np.ndarray = dataclasses.field(default_factory=lambda: np.ones(4))

    def loss(self, x):
        """Reads an array, and a property."""
        return np.sum(self.k * (x - self.shift) ** 2) * self.half

    @property
    def half(self):
        """A property."""
        return self.k / 2

    @classmethod
    def usual(cls):
        """Another way to make one."""
        return cls(3.0)

    @staticmethod
    def penalty(x):
        """A method that needs no instance."""
        return np.sum(np.abs(x))


def fitted(x):
    """Makes an instance."""
    return Model.usual().loss(x) + Model.penalty(x)


class Vector:
    """An array with Python's own methods."""

    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return Vector(self.x + other.x)

    def __getitem__(self, i):
        return self.x[i]

    def __len__(self):
        return len(self.x)

    def __iter__(self):
        return iter([self.x[0], self.x[1]])

    def __contains__(self, item):
        return item == 1

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def __neg__(self):
        return Vector(-self.x)

    def __lt__(self, other):
        return True

    def __call__(self, y):
        """The product of the two."""
        return np.sum(self.x * y) * SCALE


class Longer(Vector):
    """It calls the class above."""

    def __init__(self, x):
        super().__init__(x * 2.0)


def vectors(x):
    """Operators, items, loops, blocks and comparisons of objects."""
    v = -(Vector(x) + Longer(np.ones(4)))
    total = v(x) * v[0] + len(v)
    for item in v:
        total = total + item * item
    with v as w:
        total = total + w[1] if 1 in w and w < v else total
    return total


class Searching:
    """Has all attributes that its dict names."""

    def __init__(self):
        self.known = {"k": 2.0}

    def __getattr__(self, name):
        return self.known[name]


SEARCHING = Searching()


class Slotted:
    """Has no dict."""

    __slots__ = ("k",)

    def __init__(self, k):
        self.k = k


SLOTTED = Slotted(2.0)


def counting(x):
    """Changes a list."""
    CALLS.append(1)
    return np.sum(x * x)


def talking(x):
    """Prints."""
    print("called")
    return np.sum(x * x)


def in_c(x):
    """Calls a function in C."""
    return np.sum(x * x) * hash_of("text")


def hash_of(text):
    """That function."""
    return crc32(text.encode()) * 1e-9


def solved(x):
    """Calls a search that goes by chance."""
    return scipy.optimize.dual_annealing(lambda t: t[0] ** 2, [(0.0, 2.0)]).fun * np.sum(x)


def ruled(x):
    """A function that gets a rule."""
    return np.sum(x * x)


def applied(f, x):
    """Calls what it is given."""
    return f(x) * SCALE


def given_rule(f):
    """A function of others, with a rule of the package."""

    @rrule.dispatch
    def scaled_rrule(g: typeof_(f), x: np.ndarray):
        """Not the right one, so that it is seen which was taken."""
        return f(x), lambda y_bar: (NoTangent(), y_bar * SCALE * TABLE["a"][1])

    return f


@given_rule
def sloped(x):
    """A function with a rule."""
    return 2.0 * x


@given_rule
@primitive
def primitive_sloped(x):
    """The same for all AD systems."""
    return 2.0 * x


def wave(x):
    """A function whose rule calls functions of numbers."""
    return math.sin(x)


@rrule.dispatch
def wave_rrule(f: typeof_(wave), x: float):
    """By the usual formula."""
    return math.sin(x), lambda y_bar: (NoTangent(), y_bar * math.cos(x))
