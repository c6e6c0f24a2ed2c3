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


def product(x: Any, y: Any) -> Any:
    return x * y


scalar_rule(softplus, lambda y, x: 1.0 / (1.0 + math.exp(-x)))


@scalar_rule(ratio)
def ratio_partials(z: Any, x: float | np.ndarray, y: float | np.ndarray) -> tuple[Any, Any]:
    d = 1.0 + y * y
    return 1.0 / d, -2.0 * y * z / d


@scalar_rule(product)
def product_partials(z: Any, x: float | np.ndarray, y: float | np.ndarray) -> tuple[Any, Any]:
    return y, x


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


def product_rrule(f: Any, x: Any, y: Any) -> Any:
    z = product(x, y)

    def product_pullback(z_bar: Any) -> Any:
        return NoTangent(), z_bar * y, z_bar * x

    return z, product_pullback


def product_frule(tangents: Any, f: Any, x: Any, y: Any) -> Any:
    _, x_dot, y_dot = tangents
    return product(x, y), x_dot * y + y_dot * x


# --- By hand, with zeros that are strong, as those of `scalar_rule` are -------------------------------------


def strong(partial: Any, tangent: Any) -> Any:
    """The product, and zero where the tangent is zero and the partial derivative infinite or NaN."""
    result = partial * tangent
    is_nan = np.isnan(result)
    return np.where(is_nan & (tangent == 0.0), 0.0, result) if is_nan.any() else result


def strong_product_rrule(f: Any, x: Any, y: Any) -> Any:
    z = product(x, y)

    def product_pullback(z_bar: Any) -> Any:
        with np.errstate(invalid="ignore"):
            return NoTangent(), strong(y, z_bar), strong(x, z_bar)

    return z, product_pullback


def strong_product_frule(tangents: Any, f: Any, x: Any, y: Any) -> Any:
    _, x_dot, y_dot = tangents
    with np.errstate(invalid="ignore"):
        return product(x, y), strong(y, x_dot) + strong(x, y_dot)


class Case(NamedTuple):
    """A function, its rules by hand, and arguments."""

    name: str
    f: Callable[..., Any]
    rrule: Callable[..., Any]
    frule: Callable[..., Any]
    xs: tuple[Any, ...]
    against: str = "written by hand"
    target: float | None = TARGET


_grid = np.linspace(0, 1, 1000)
_two_grids = _grid, _grid + 1.0
CASES = (
    Case("np.sin of a float", np.sin, sin_rrule, sin_frule, (1.0,)),
    Case("np.sin of 1000 elements", np.sin, sin_rrule, sin_frule, (_grid,)),
    Case("a function of a float", softplus, softplus_rrule, softplus_frule, (1.0,)),
    Case("a function of two floats", ratio, ratio_rrule, ratio_frule, (1.0, 2.0)),
    Case("a function of two times 1000 elements", ratio, ratio_rrule, ratio_frule, _two_grids),
    # Without a target: most of what it costs more is the search for NaN that strong zeros need.
    Case(
        "a product of two times 1000 elements", product, product_rrule, product_frule, _two_grids, target=None
    ),
    Case(
        "a product of two times 1000 elements",
        product,
        strong_product_rrule,
        strong_product_frule,
        _two_grids,
        "by hand, strong zeros",
    ),
)


def rows() -> Iterator[Row]:
    """Both modes of each function."""
    for case in CASES:
        by_hand, made = fastest(*reverse(case))
        yield Row(f"scalar_rule's rrule and pullback, {case.name}", case.against, made / by_hand, case.target)
        by_hand, made = fastest(*forward(case))
        yield Row(f"scalar_rule's frule, {case.name}", case.against, made / by_hand, case.target)


def reverse(case: Case) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """The calls by hand and by `scalar_rule`; thunks are computed."""
    method = rrule.find(case.f, *case.xs)
    assert method is not None
    f, xs, y_bar = case.f, case.xs, 0.5 * case.f(*case.xs)
    by_hand, made = case.rrule, method.function
    np.testing.assert_allclose(
        [unthunk(x_bar) for x_bar in made(f, *xs)[1](y_bar)[1:]], by_hand(f, *xs)[1](y_bar)[1:]
    )
    return lambda: pulled(by_hand, f, xs, y_bar), lambda: pulled(made, f, xs, y_bar)


def pulled(rule: Callable[..., Any], f: Any, xs: tuple[Any, ...], y_bar: Any) -> Any:
    """The cotangents; the result is kept until then, as programs keep it."""
    _, pullback = rule(f, *xs)
    return pullback(y_bar)


def forward(case: Case) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """The same forwards."""
    f, xs = case.f, case.xs
    tangents = (NoTangent(), *(0.5 + x for x in xs))
    method = frule.find(tangents, f, *xs)
    assert method is not None
    by_hand, made = case.frule, method.function
    np.testing.assert_allclose(made(tangents, f, *xs)[1], by_hand(tangents, f, *xs)[1])
    return lambda: by_hand(tangents, f, *xs), lambda: made(tangents, f, *xs)
