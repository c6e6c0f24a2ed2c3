"""An object of the user's is gone through by its twin, whoever goes through it."""

import functools
import itertools
import math
import operator

import pytest

from chainrules.ad import grad
from chainrules_testutils import grad as grad_by_differences


class Sines:
    """Some sines, by an iterator of its own class."""

    def __init__(self, x):
        self.x, self.k = x, 0

    def __iter__(self):
        return Sines(self.x)

    def __next__(self):
        if self.k == 3:
            raise StopIteration
        self.k += 1
        return math.sin(self.k * self.x)


class Sequence:
    """The same, by items alone."""

    def __init__(self, x):
        self.x = x

    def __getitem__(self, k):
        if k == 3:
            raise IndexError
        return math.sin((k + 1) * self.x)


@pytest.mark.parametrize("cls", [Sines, Sequence])
@pytest.mark.parametrize(
    "go_through",
    [
        sum,
        lambda xs: sum(list(xs)),
        lambda xs: sum(tuple(xs)),
        lambda xs: sum(y for _, y in enumerate(xs)),
        lambda xs: sum(a * b for a, b in zip([1.0, 1.0, 1.0], xs, strict=True)),
        lambda xs: sum(map(lambda y: y, xs)),  # noqa: C417 - what is tested
        lambda xs: sum(filter(lambda y: y > -2.0, xs)),
        lambda xs: sum(itertools.chain(xs, [])),
        lambda xs: sum(sorted(xs)),
        lambda xs: math.fsum(xs),
        lambda xs: math.fsum(y for y in xs),
        lambda xs: sum(y for y in iter(xs)),
        lambda xs: max(xs) + min(xs) + sorted(xs)[1],
    ],
)
def test_going_through(cls, go_through):
    """Each of them adds three sines up."""
    expected = sum(k * math.cos(0.3 * k) for k in (1, 2, 3))
    assert grad(lambda x: go_through(cls(x)))(0.3) == pytest.approx(expected)


def test_products():
    """An iterator is a list to a function that makes one number of it."""
    assert grad(lambda x: math.prod(y for y in [x, 2.0, x]))(3.0) == 12.0


def sine(x):
    """A function without a rule."""
    return math.sin(x)


class Held:
    """An object with a traced value."""

    def __init__(self, x):
        self.x = x


@pytest.mark.parametrize(
    "f",
    [
        lambda x: sum(map(sine, Sines(x))),
        lambda x: sorted(Sines(x), key=sine)[1],
        lambda x: next(filter(sine, Sines(x))),
    ],
)
def test_functions_that_are_called_for_each_item(f):
    """They are entered, whatever holds the items."""
    step = 1e-6
    assert grad(f)(0.5) == pytest.approx((f(0.5 + step) - f(0.5 - step)) / (2.0 * step))


@pytest.mark.parametrize(
    "first",
    [
        lambda items: list(items)[-1],
        lambda items: tuple(items)[-1],
        lambda items: next(iter(enumerate(items)))[1],
        lambda items: next(iter(zip(items, items, strict=True)))[1],
        lambda items: next(iter(itertools.chain(items))),
        lambda items: next(iter(itertools.islice(items, 1))),
    ],
)
def test_items_are_the_very_objects(first):
    """Not copies, as from a rule."""

    def f(x):
        held = Held(x)
        assert first([held, held]) is held
        return held.x

    assert grad(f)(1.0) == 1.0


class Vector:
    """A sequence that is added, compared and called, too."""

    def __init__(self, *parts):
        self.parts = parts

    def __iter__(self):
        return iter(self.parts)

    def __getitem__(self, k):
        return self.parts[k]

    def __len__(self):
        return len(self.parts)

    def __add__(self, other):
        return Vector(*[a + b for a, b in zip(self, other, strict=True)])

    def __lt__(self, other):
        return self.parts[0] < other.parts[0]

    def __gt__(self, other):
        return other < self

    def __call__(self, *t):
        """Scale numbers."""
        return self.parts[0] * math.prod(t)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: sum([Vector(x, 1.0), Vector(2.0, x)], Vector(0.0, x))[1],
        lambda x: functools.reduce(operator.add, [Vector(x, 1.0)], Vector(x, x))[0],
        lambda x: functools.reduce(lambda v, t: Vector(v[0] * t), Vector(x, x), Vector(x))[0],
        lambda x: functools.reduce(Vector(x), Vector(x, 2.0)),
        lambda x: sum(map(Vector(x), Vector(1.0, x), [2.0, x])),
        lambda x: sum(filter(Vector(1.0), Vector(0.0, x, x))),
        lambda x: sum(itertools.starmap(Vector(x), Vector([x], [2.0]))),
        lambda x: max(Vector(x, x), Vector(1.0), key=len)[1] ** 2,
        lambda x: min(Vector(x, x), Vector(1.0))[1] ** 2,
        lambda x: max(Vector(x, x * x)),
        lambda x: max(Vector(x, x * x), key=lambda t: -t),
        lambda x: max([], default=Vector(x, x))[0] * x,
        lambda x: list(itertools.accumulate([Vector(x)], initial=Vector(x)))[1][0] * x,
        lambda x: next(itertools.zip_longest(Vector(x), [], fillvalue=Vector(x)))[1][0] * x,
    ],
)
def test_what_is_not_gone_through(f):
    """Of a sum the start, of several extrema the first ones, and what is called: each may be iterable too."""
    assert grad(f)(0.7) == pytest.approx(grad_by_differences(None, f, 0.7)[0])
