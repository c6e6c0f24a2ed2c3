"""Primals of every kind, each with right rules, and ways to get them wrong."""

# ruff: noqa: D102, D103 - a rule's name says whose rule it is

import types
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from chainrules_core import (
    AbstractArray,
    InplaceableThunk,
    NoTangent,
    ProjectTo,
    Tangent,
    ZeroTangent,
    frule,
    non_differentiable,
    not_implemented,
    rrule,
    thunk,
    typeof_,
    unthunk,
)

Number = int | float | complex | np.number

# --- Numbers -------------------------------------------------------------------------------------


def square(x):
    """A function of a real or complex number."""
    return x * x


@rrule.dispatch
def square_rrule(f: typeof_(square), x: Number):
    project_x = ProjectTo(x)

    def square_pullback(y_bar):
        return NoTangent(), project_x(2 * np.conj(x) * y_bar)

    return x * x, square_pullback


@frule.dispatch
def square_frule(tangents, f: typeof_(square), x: Number):
    return x * x, 2 * x * tangents[1]


def absolute_squared(z):
    """A function of a complex number that is not holomorphic, with real values."""
    return z.real**2 + z.imag**2


@rrule.dispatch
def absolute_squared_rrule(f: typeof_(absolute_squared), z: complex):
    return absolute_squared(z), lambda y_bar: (NoTangent(), 2 * z * y_bar.real)


@frule.dispatch
def absolute_squared_frule(tangents, f: typeof_(absolute_squared), z: complex):
    return absolute_squared(z), 2 * (z.conjugate() * tangents[1]).real


def power(x, n, *, scale=1.0):
    """A function with an integer that may be a real number, and a keyword."""
    return scale * x**n


@rrule.dispatch
def power_rrule(f: typeof_(power), x: float, n: Number, *, scale=1.0):
    def power_pullback(y_bar):
        return NoTangent(), scale * n * x ** (n - 1) * y_bar, scale * np.log(x) * x**n * y_bar

    return scale * x**n, power_pullback


@frule.dispatch
def power_frule(tangents, f: typeof_(power), x: float, n: Number, *, scale=1.0):
    _, x_dot, n_dot = tangents
    return scale * x**n, scale * (n * x ** (n - 1) * x_dot + np.log(x) * x**n * n_dot)


def sine_and_cosine(x):
    """A function with two results."""
    return np.sin(x), np.cos(x)


@rrule.dispatch
def sine_and_cosine_rrule(f: typeof_(sine_and_cosine), x: float):
    s, c = sine_and_cosine(x)

    def sine_and_cosine_pullback(y_bar):
        y_bar = unthunk(y_bar)
        return NoTangent(), c * y_bar[0] - s * y_bar[1]

    return (s, c), sine_and_cosine_pullback


@frule.dispatch
def sine_and_cosine_frule(tangents, f: typeof_(sine_and_cosine), x: float):
    s, c = sine_and_cosine(x)
    return (s, c), Tangent[tuple](c * tangents[1], -s * tangents[1])


# --- Arrays --------------------------------------------------------------------------------------


def matmul(A, B):
    """A product of two matrices."""
    return A @ B


@rrule.dispatch
def matmul_rrule(f: typeof_(matmul), A: AbstractArray, B: AbstractArray):
    def matmul_pullback(y_bar):
        y_bar = unthunk(y_bar)

        def add_to(A_bar):
            A_bar += y_bar @ B.conj().T
            return A_bar

        A_bar = InplaceableThunk(add_to, thunk(lambda: y_bar @ B.conj().T))
        return NoTangent(), A_bar, thunk(lambda: A.conj().T @ y_bar)

    return A @ B, matmul_pullback


@frule.dispatch
def matmul_frule(tangents, f: typeof_(matmul), A: AbstractArray, B: AbstractArray):
    _, A_dot, B_dot = tangents
    return A @ B, A_dot @ B + A @ B_dot


def add(x, y):
    """A sum that broadcasts `x`, of shape ``(n,)``, to the shape ``(m, n)`` of `y`."""
    return x + y


@rrule.dispatch
def add_rrule(f: typeof_(add), x: np.ndarray, y: np.ndarray):
    return x + y, lambda y_bar: (NoTangent(), unthunk(y_bar).sum(axis=0), y_bar)


@frule.dispatch
def add_frule(tangents, f: typeof_(add), x: np.ndarray, y: np.ndarray):
    return x + y, tangents[1] + tangents[2]


def take(x, i):
    """A function with an index."""
    return x[i]


@rrule.dispatch
def take_rrule(f: typeof_(take), x: np.ndarray, i: int):
    def take_pullback(y_bar):
        x_bar = np.zeros_like(x)
        x_bar[i] = y_bar
        return NoTangent(), x_bar, NoTangent()

    return x[i], take_pullback


@frule.dispatch
def take_frule(tangents, f: typeof_(take), x: np.ndarray, i: int):
    return x[i], tangents[1][i]


def first_of_two(x, y):
    """A function that ignores its second argument."""
    return x


@rrule.dispatch
def first_of_two_rrule(f: typeof_(first_of_two), x: float, y: float):
    return x, lambda y_bar: (NoTangent(), y_bar, ZeroTangent())


@frule.dispatch
def first_of_two_frule(tangents, f: typeof_(first_of_two), x: float, y: float):
    return x, tangents[1]


def unfinished(x, y):
    """A function of whose derivatives one is not implemented."""
    return x * y


@rrule.dispatch
def unfinished_rrule(f: typeof_(unfinished), x: float, y: float):
    return x * y, lambda y_bar: (NoTangent(), y * y_bar, not_implemented("with respect to y"))


@frule.dispatch
def unfinished_frule(tangents, f: typeof_(unfinished), x: float, y: float):
    return x * y, not_implemented("forwards")


# --- Structures ----------------------------------------------------------------------------------


@dataclass
class Foo:
    """A matrix, and a number that nothing depends on."""

    A: np.ndarray
    c: float


def foo_mul(foo, b):
    """A function of a structure."""
    return foo.A @ b


@rrule.dispatch
def foo_mul_rrule(f: typeof_(foo_mul), foo: Foo, b: np.ndarray):
    def foo_mul_pullback(y_bar):
        y_bar = unthunk(y_bar)
        return NoTangent(), Tangent[Foo](A=y_bar @ b.T, c=ZeroTangent()), thunk(lambda: foo.A.T @ y_bar)

    return foo_mul(foo, b), foo_mul_pullback


@frule.dispatch
def foo_mul_frule(tangents, f: typeof_(foo_mul), foo: Foo, b: np.ndarray):
    _, foo_dot, b_dot = tangents
    return foo_mul(foo, b), foo_dot.A @ b + foo.A @ b_dot


@rrule.dispatch
def make_foo_rrule(f: typeof_(Foo), A: np.ndarray, c: float):
    def make_foo_pullback(y_bar):
        y_bar = unthunk(y_bar)
        return NoTangent(), y_bar.A, y_bar.c

    return Foo(A, c), make_foo_pullback


@frule.dispatch
def make_foo_frule(tangents, f: typeof_(Foo), A: np.ndarray, c: float):
    return Foo(A, c), Tangent[Foo](A=tangents[1], c=tangents[2])


class Pair(NamedTuple):
    """A tuple with names."""

    a: float
    n: int


def total(xs):
    """A function of a nested container, of floats and other things."""
    return xs["pair"].a * xs["list"][0] + xs["tuple"][1]


@rrule.dispatch
def total_rrule(f: typeof_(total), xs: dict):
    def total_pullback(y_bar):
        xs_bar = {
            "pair": Tangent[Pair](a=xs["list"][0] * y_bar),
            "list": Tangent[list](xs["pair"].a * y_bar),
            "tuple": Tangent[tuple](NoTangent(), y_bar),
        }
        return NoTangent(), Tangent[dict](xs_bar)

    return total(xs), total_pullback


@frule.dispatch
def total_frule(tangents, f: typeof_(total), xs: dict):
    xs_dot = tangents[1]
    product_dot = xs["list"][0] * xs_dot["pair"].a + xs["pair"].a * xs_dot["list"][0]
    return total(xs), product_dot + xs_dot["tuple"][1]


def scaled_by(a):
    """A closure over a number."""

    def scale(x):
        return a * x

    return scale


scale = scaled_by(3.0)


@rrule.dispatch
def scale_rrule(f: typeof_(scale), x: float):
    return f(x), lambda y_bar: (Tangent[types.FunctionType](a=x * y_bar), 3.0 * y_bar)


@frule.dispatch
def scale_frule(tangents, f: typeof_(scale), x: float):
    f_dot, x_dot = tangents
    return f(x), f_dot.a * x + 3.0 * x_dot


class Multiplier:
    """A callable that holds an array."""

    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return self.w * x


@rrule.dispatch
def multiplier_rrule(f: Multiplier, x: np.ndarray):
    return f(x), lambda y_bar: (Tangent[Multiplier](w=x * y_bar), f.w * y_bar)


@frule.dispatch
def multiplier_frule(tangents, f: Multiplier, x: np.ndarray):
    f_dot, x_dot = tangents
    return f(x), f_dot.w * x + f.w * x_dot


# --- Results that have no tangents ---------------------------------------------------------------


def label(x):
    """A function of a number with a name as its result."""
    return "large" if x > 1.0 else None if x > 0.0 else np.dtype(np.float32)


non_differentiable(label)
