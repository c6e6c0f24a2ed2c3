"""The cost of a rule made by `scalar_rule`, beside the same rule written by hand."""

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import chainrules  # noqa: F401 - whose rule of `sin` is made by `scalar_rule`
from benchmarks.measure import Row, fastest
from chainrules_core import NoTangent, frule, rrule, scalar_rule, unthunk

TARGET = 1.2

# --- Functions of one's own, and their partial derivatives --------------------------------------------------


def softplus(x: Any) -> Any:
    return math.log1p(math.exp(x))


def ratio(x: Any, y: Any) -> Any:
    return x / (1.0 + y * y)


scalar_rule(softplus, lambda y, x: 1.0 / (1.0 + math.exp(-x)))


@scalar_rule(ratio)
def ratio_partials(z: Any, x: float | np.ndarray, y: float | np.ndarray) -> tuple[Any, Any]:
    d = 1.0 + y * y
    return 1.0 / d, -2.0 * y * z / d


# --- The same by hand ---------------------------------------------------------------------------------------


def sin_rrule(f: Any, x: Any) -> Any:
    y = np.sin(x)

    def sin_pullback(y_bar: Any) -> Any:
        return NoTangent(), y_bar * np.cos(x)

    return y, sin_pullback


def sin_frule(tangents: Any, f: Any, x: Any) -> Any:
    _, x_dot = tangents
    return np.sin(x), np.cos(x) * x_dot


def softplus_rrule(f: Any, x: Any) -> Any:
    y = softplus(x)

    def softplus_pullback(y_bar: Any) -> Any:
        return NoTangent(), y_bar / (1.0 + math.exp(-x))

    return y, softplus_pullback


def softplus_frule(tangents: Any, f: Any, x: Any) -> Any:
    _, x_dot = tangents
    return softplus(x), x_dot / (1.0 + math.exp(-x))


def ratio_rrule(f: Any, x: Any, y: Any) -> Any:
    z = ratio(x, y)

    def ratio_pullback(z_bar: Any) -> Any:
        d = 1.0 + y * y
        return NoTangent(), z_bar * (1.0 / d), z_bar * (-2.0 * y * z / d)

    return z, ratio_pullback


def ratio_frule(tangents: Any, f: Any, x: Any, y: Any) -> Any:
    _, x_dot, y_dot = tangents
    z, d = ratio(x, y), 1.0 + y * y
    return z, x_dot * (1.0 / d) + y_dot * (-2.0 * y * z / d)


class Case(NamedTuple):
    """A function, its rules by hand, and arguments."""

    name: str
    f: Callable[..., Any]
    rrule: Callable[..., Any]
    frule: Callable[..., Any]
    xs: tuple[Any, ...]


_grid = np.linspace(0, 1, 1000)
CASES = (
    Case("np.sin of a float", np.sin, sin_rrule, sin_frule, (1.0,)),
    Case("np.sin of 1000 elements", np.sin, sin_rrule, sin_frule, (_grid,)),
    Case("a function of a float", softplus, softplus_rrule, softplus_frule, (1.0,)),
    Case("a function of two floats", ratio, ratio_rrule, ratio_frule, (1.0, 2.0)),
    Case("a function of two times 1000 elements", ratio, ratio_rrule, ratio_frule, (_grid, _grid + 1.0)),
)


def rows() -> Iterator[Row]:
    """Both modes of each function."""
    for case in CASES:
        by_hand, made = fastest(*reverse(case))
        yield Row(f"scalar_rule's rrule and pullback, {case.name}", "written by hand", made / by_hand, TARGET)
        by_hand, made = fastest(*forward(case))
        yield Row(f"scalar_rule's frule, {case.name}", "written by hand", made / by_hand, TARGET)


def reverse(case: Case) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """The calls by hand and by `scalar_rule`; thunks are computed."""
    method = rrule.find(case.f, *case.xs)
    assert method is not None
    f, xs, y_bar = case.f, case.xs, 0.5 * case.f(*case.xs)
    by_hand, made = case.rrule, method.function
    np.testing.assert_allclose(
        [unthunk(x_bar) for x_bar in made(f, *xs)[1](y_bar)[1:]], by_hand(f, *xs)[1](y_bar)[1:]
    )
    return lambda: by_hand(f, *xs)[1](y_bar), lambda: made(f, *xs)[1](y_bar)


def forward(case: Case) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """The same forwards."""
    f, xs = case.f, case.xs
    tangents = (NoTangent(), *(0.5 + x for x in xs))
    method = frule.find(tangents, f, *xs)
    assert method is not None
    by_hand, made = case.frule, method.function
    np.testing.assert_allclose(made(tangents, f, *xs)[1], by_hand(tangents, f, *xs)[1])
    return lambda: by_hand(tangents, f, *xs), lambda: made(tangents, f, *xs)
