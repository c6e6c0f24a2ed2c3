"""Functions of structures with rules: of a list of dataclasses, and of a callable object."""

from dataclasses import dataclass

from chainrules_core import NoTangent, StructuralTangent, Tangent, primitive, rrule, typeof_


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
