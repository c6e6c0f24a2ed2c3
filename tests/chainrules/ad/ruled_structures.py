"""Functions of structures with rules: of a list of dataclasses, of a callable object, to containers."""

from dataclasses import dataclass
from typing import NamedTuple

from chainrules_core import NoTangent, StructuralTangent, Tangent, primitive, rrule, typeof_, unthunk


@dataclass
class Pair:
    """Two numbers."""

    a: float
    b: float


@primitive
def products(pairs, scale):
    """A function of a list of dataclasses."""
    return scale * sum(pair.a * pair.b for pair in pairs)


@rrule.dispatch
def products_rrule(f: typeof_(products), pairs: list, scale: float):
    """Have a structural cotangent for a list."""

    def products_pullback(y_bar):
        bars = [StructuralTangent[Pair](a=scale * p.b * y_bar, b=scale * p.a * y_bar) for p in pairs]
        return NoTangent(), Tangent[list](*bars), y_bar * products(pairs, 1.0)

    return products(pairs, scale), products_pullback


@dataclass
class Polynomial:
    """A callable object with parameters of its own."""

    slope: float
    offset: float

    def __call__(self, x):
        """The value at `x`."""
        return self.slope * x + self.offset


@rrule.dispatch
def polynomial_rrule(p: Polynomial, x: float):
    """Have a cotangent for the function itself."""

    def polynomial_pullback(y_bar):
        return StructuralTangent[Polynomial](slope=x * y_bar, offset=y_bar), p.slope * y_bar

    return p(x), polynomial_pullback


class Parts(NamedTuple):
    """A named result."""

    whole: float
    rest: float


def several_results(make, cls):
    """A primitive function that returns a number twice and an integer in a container, and its rule."""

    def split(x):
        return make(3.0 * x, x * x)

    @rrule.dispatch
    def split_rrule(f: typeof_(split), x: float):
        def split_pullback(y_bar):
            assert isinstance(y_bar, StructuralTangent[cls])
            first, second = (unthunk(y_bar[key]) for key in keys_of(cls))
            return NoTangent(), 3.0 * first + 2.0 * x * second

        return split(x), split_pullback

    return primitive(split)


def keys_of(cls):
    """By what the results are found."""
    return ("whole", "rest") if cls in (Parts, dict) else ("a", "b") if cls is Pair else (0, 1)
