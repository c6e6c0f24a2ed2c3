"""Programs that call methods without saying so, in assignments and conditions: functions of three numbers.

The methods call functions of `math`, which traced values would refuse: so one that is not entered shows.
"""

import math

import numpy as np


class Vector:
    """A vector whose every method computes."""

    def __init__(self, *parts):
        self.parts = [float(part) for part in parts]

    def __add__(self, other):
        return Vector(*[math.fsum([a, b]) for a, b in zip(self.parts, other.parts, strict=True)])

    def __iadd__(self, other):
        self.parts = (self + other).parts
        return self

    def __isub__(self, other):
        return NotImplemented

    def __sub__(self, other):
        return Vector(*[math.fsum([a, -b]) for a, b in zip(self.parts, other.parts, strict=True)])

    def __mul__(self, k):
        return Vector(*[math.fsum([a * k]) for a in self.parts])

    def __and__(self, other):
        return math.fsum(a * b for a, b in zip(self.parts, other.parts, strict=True))

    def __rshift__(self, f):
        return f(math.fsum(self.parts))

    def __ror__(self, x):
        return Vector(*[math.sin(x * a) for a in self.parts])

    def __bool__(self):
        return math.sqrt(self.parts[0]) > 0.1

    def __lt__(self, other):
        return math.sqrt(self.parts[0]) < math.sqrt(other.parts[0])

    def __iter__(self):
        for part in self.parts:
            yield math.sin(part)

    def __setitem__(self, i, value):
        self.parts[i] = math.exp(value)

    def __getitem__(self, i):
        return math.log(self.parts[i])

    @property
    def first(self):
        return math.sqrt(self.parts[0])

    @first.setter
    def first(self, value):
        self.parts[0] = math.exp(value)

    @property
    def second(self):
        return self.parts[1]

    def norm(self):
        return math.hypot(*self.parts)


class Length:
    """What is true by its length."""

    def __init__(self, x):
        self.x = x

    def __len__(self):
        return int(math.sqrt(self.x) * 2.0)


class Holder:
    """An object for anything."""


def augmented_assignments(x):
    a, b = Vector(x[0], x[1]), Vector(x[2], 1.0)
    same = a
    same += b
    a -= b
    c = b * 2.0
    c *= x[0]
    return same.norm() * a.norm() + c.norm()


def augmented_attributes_and_items(x):
    holder = Holder()
    holder.v, holder.table = Vector(x[0], x[1]), {"w": Vector(x[2], 2.0)}
    holder.v += holder.table["w"]
    holder.table["w"] *= x[0]
    holder.table["w"] -= holder.v
    holder.number = 1.0
    holder.number *= x[1]
    holder.numbers = [x[0], x[1]]
    holder.numbers[0] += x[2]
    holder.numbers += [x[1]]
    holder.numbers += Vector(x[0], x[2])
    return holder.v.norm() * holder.table["w"].norm() + holder.number * sum(holder.numbers)


def items(x):
    a = Vector(x[0], x[1])
    a[0] = x[2]
    a[1] += x[1]
    a[0], a[1] = x[1], a[0]
    return a.norm() + a[0]


def setters(x):
    a = Vector(x[0], x[1])
    a.first = x[2]
    a.first += x[1] * 0.1
    a.first, b = x[0], a.first
    c = a.first = x[1] * 0.5
    return a.norm() * b + c


def unpacked(x):
    a, b = Vector(x[0], x[1])
    c, *d = Vector(*x)
    add = lambda *parts: sum(parts)
    return a * b + c + d[0] + add(*Vector(x[2], x[1])) + sum([*Vector(x[0], x[1]), x[0]])


def delegated(x):
    def inner():
        yield x[2]
        return math.exp(x[1])

    def outer():
        yield from Vector(x[0], x[1])
        yield (yield from inner())

    return sum(outer())


def conditions(x):
    a, total = Vector(x[0], x[1]), 0.0
    if a:
        total += x[0]
    if not a:
        total += 100.0
    while a and total < 5.0 and Length(x[0]):
        total += x[1] ** 2
    total += x[2] if Length(x[1]) else x[0]
    assert Length(x[2])
    return total + sum(part for part in x if a and Length(part))


def chains(x):
    a, b, c, total = Vector(x[0]), Vector(x[1]), Vector(x[2]), 0.0
    if a < b < c:
        total += x[0] ** 2
    if a < c < b:
        total += 100.0
    total += x[1] if not a < b < c is a else 0.0
    total += sum(part for part in x if 0.5 < part < 2.0)
    return total + (1.0 if 0 < len(x) <= 3 in [3, 4] else x[0])


def bitwise(x):
    a, b = Vector(x[0], x[1]), Vector(x[2], 2.0)
    mask = (x > 0.5) & (x < 2.0) | (x > 5.0) ^ False
    return (a & b) + (a >> math.sin) + (x[0] | a).norm() + np.sum(x[mask]) + (5 & len(x)) + (1 << len(x))


def order_of_evaluation(x):
    y, met = x.copy(), []

    def changed(i):
        y[0] += 10.0 * x[i]
        return y[0]

    def place(i):
        met.append(i)
        return i

    y[0] += changed(1)
    y[place(2)] += changed(place(0))
    y[place(1)], y[place(0)] = changed(1), changed(2)
    return np.sum(y**2) + sum(i * j for i, j in enumerate(met, 1))


def many_targets(x):
    holder = Holder()
    a = holder.z = b = np.zeros(3)
    a[0] = x[0]
    holder.z[1] = x[1]
    b[2:] = x[2:]
    (holder.p, (q, holder.r)), [*holder.s] = (x[0], (x[1], x[2])), x
    holder.t, *holder.u, holder.t.v = Holder(), x[0], x[1], 3.0
    return np.sum(a**2) + holder.p * q * holder.r + sum(holder.s) + sum(holder.u) * holder.t.v


class Node:
    """A part of a chain."""

    def __init__(self, value, after):
        self.value, self.after = value, after


def reversed_chain(x):
    head = None
    for value in x:
        head = Node(value, head)
    before = None
    while head:
        before, head.after, head = head, before, head.after
    total, k = 0.0, 1
    while before is not None:
        total += k * before.value**2
        before, k = before.after, k + 1
    return total


class Guarded:
    """All its attributes are assigned by a function."""

    def __init__(self, x):
        self.__private, self.w = x, x

    def __setattr__(self, name, value):
        object.__setattr__(self, name, math.exp(value) if name == "w" else value)

    def get(self):
        self.__private += 1.0
        return self.__private


def guarded_attributes(x):
    a = Guarded(x[0])
    a.w += x[1] * 0.01
    a.v = x[2]
    return a.get() * a.w * a.v


class Described:
    """A descriptor that computes, both ways."""

    def __set_name__(self, owner, name):
        self.name = f"_{name}"

    def __get__(self, instance, owner):
        return math.sin(getattr(instance, self.name))

    def __set__(self, instance, value):
        setattr(instance, self.name, math.exp(value))


def descriptors(x):
    class Model:
        d = Described()

    model = Model()
    model.d = x[0]
    model.d += x[1]
    model.d *= 2.0
    return model.d**2


def bodies_of_classes(x):
    class Model:
        k = [1.0]  # noqa: RUF012 - one for the test
        k[0] = x[0]
        k += [x[1]]
        k[1] *= 2.0
        a, b = x[2], x[0]
        c: float = x[1]
        d: float

    assert set(Model.__annotations__) == {"c", "d"}
    return sum(Model.k) * Model.a * Model.b * Model.c


def local_names(x):
    a, (b, c) = x[0], (x[1], x[2])
    pair = [0.0, 0.0]
    pair[0], pair[1] = a, b
    names = locals()
    assert set(names) == {"a", "b", "c", "pair", "x"}
    return sum(pair) * names["c"]


def annotated(x):
    y: np.ndarray = 2.0 * np.ones(3)
    y[0] = x[0]
    holder = Holder()
    holder.v: Vector = Vector(x[1])
    z: float
    z = x[2]
    if (w := np.ones(3) * 3.0) is not None:
        w[1] = x[1]
    return np.sum(y * w) * holder.v.norm() * z


def classes_of_numbers(x):
    total = 0.0
    for value in [x[0], x[1:], 3, "a", (x[2], x[1]), {"k": x[1]}, None]:
        match value:
            case float() if value > 1.0:
                total += 100.0
            case float():
                total += value
            case np.ndarray(shape=(2,), ndim=1):
                total += np.sum(value**2)
            case int() | str():
                total += 1.0
            case (float(a), float() as b):
                total += a * b
            case {"k": float(c)}:
                total += c**3
            case _:
                total += 7.0
    return total


def classes_among_alternatives(x):
    total = 0.0
    for value in [x[0], 2, None, x, "b", x[1]]:
        match value:
            case None | np.ndarray():
                total += 0.0 if value is None else np.sum(value**2)
            case "b" | np.floating() | 2:
                total += 5.0 if value == "b" else value
    return total


PROGRAMS_WITH_IMPLICIT_CALLS = [
    value
    for name, value in list(globals().items())
    if callable(value) and value.__module__ == __name__ and name.islower()
]
