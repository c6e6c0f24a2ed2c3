"""Programs with classes of their own, like those of `tests.chainrules.ad.interception.programs`."""

import copy
import dataclasses
import functools
import math
from math import cos, sin


class Base:
    factor = 2.0
    made = 0

    def __init__(self, w):
        self.w = w
        self.__private = sin(w)

    def method(self, x):
        return sin(self.w * x)

    def private(self):
        return self.__private

    @property
    def square(self):
        return math.pow(self.w, 2.0)

    @functools.cached_property
    def cube(self):
        return math.pow(self.w, 3.0)

    @classmethod
    def of(cls, x):
        return cls(cos(x))

    @staticmethod
    def static(x):
        return math.tanh(x)

    def __call__(self, x):
        return math.atan(self.w * x)


class Derived(Base):
    def __init__(self, w):
        super().__init__(w)
        self.v = cos(w)

    def method(self, x):
        return super().method(x) * self.v + super(Derived, self).method(x)


def methods(x):
    base = Base(x)
    bound = base.method
    return base.method(x) + bound(2.0) + Base.method(base, 3.0) + base.private()


def class_and_static_methods(x):
    return Base.of(x).w + Derived.of(x).v + Base.static(x) + Derived(x).static(2.0 * x)


def inheritance(x):
    return Derived(x).method(2.0)


def functors(x):
    return Base(x)(2.0) + Base(2.0)(x)


def properties(x):
    base = Base(x)
    return base.square + base.cube * base.cube


@dataclasses.dataclass
class Model:
    a: float
    b: float = 2.0
    c: float = dataclasses.field(init=False)

    def __post_init__(self):
        self.c = sin(self.a) * self.b

    def __add__(self, other):
        return Model(math.hypot(self.a, other.a), self.b)


@dataclasses.dataclass(frozen=True, slots=True)
class Frozen:
    a: float

    def doubled(self):
        return sin(self.a) * 2.0


def dataclass_instances(x):
    model = Model(x) + Model(2.0, b=x)
    return model.c + dataclasses.replace(model, b=x).c + Frozen(x).doubled()


class Copied:
    """With copies of its own."""

    def __init__(self, a):
        self.a = a

    def __copy__(self):
        return Copied(math.sin(self.a))

    def __deepcopy__(self, memo):
        return Copied(math.exp(self.a))


def copies(x):
    held = Copied(x)
    fields = dataclasses.asdict(Model(x))
    return copy.copy(held).a * copy.deepcopy(held).a + copy.deepcopy([x])[0] * fields["a"]


class Vector:
    """Operators, items, iteration, length, truth, comparison, formatting."""

    def __init__(self, *parts):
        self.parts = parts

    def __mul__(self, other):
        return Vector(*(sin(part) * other for part in self.parts))

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(*(-math.exp(part) for part in self.parts))

    def __abs__(self):
        return math.hypot(*self.parts)

    def __getitem__(self, k):
        return cos(self.parts[k])

    def __iter__(self):
        return (math.atan(part) for part in self.parts)

    def __len__(self):
        return int(math.floor(self.parts[0])) * 0 + len(self.parts)

    def __lt__(self, other):
        return math.fsum(map(abs, self.parts)) < other

    def __contains__(self, item):
        return math.floor(self.parts[0]) == item

    def __getattr__(self, name):
        if name == "total":
            return math.fsum([1.0, 2.0]) * sin(self.parts[0])
        raise AttributeError(name)


def special_methods(x):
    v = Vector(x, 2.0 * x)
    w = 3.0 * v * 2.0
    total = sum(w.parts) + sum((-v).parts) + abs(v) + v[0] + sum(v) + len(v) + v.total
    for part in v:
        total = total + part
    if v < 100.0 and 0 not in Vector(x + 5.0):
        total = total * x
    return total


class Countdown:
    def __init__(self, x):
        self.x, self.left = x, 3

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return sin(self.x * self.left)


def iterator_class(x):
    total = 0.0
    for y in Countdown(x):
        total = total + y
    return total + next(Countdown(x)) + sum(y for y in Countdown(2.0 * x))


def classes_made_inside(x):
    class Local:
        scale = sin(x)

        def method(self, y):
            return cos(y) * self.scale

    return Local().method(x)


PROGRAMS_WITH_CLASSES = [
    methods,
    class_and_static_methods,
    inheritance,
    functors,
    properties,
    dataclass_instances,
    copies,
    special_methods,
    iterator_class,
    classes_made_inside,
]
