"""Gradients that were recorded and compiled, beside plain ones, those by hand, and JAX's compiler."""

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest
from benchmarks.programs import PROGRAMS, RNG
from chainrules.ad import compiled, grad, hvp, jacobian, vectorized

# By the letter of the program: the time that a call may take, as a multiple of that of the gradient by hand.
_BY_HAND = {
    "a": 2.5, "b": 1.1, "c": 5.0, "d": 1.3, "e": 1.3, "f": 0.8, "h": 1.1, "i": 1.1, "j": 5.0,
    "k": 5.0, "l": 5.0,
}  # fmt: skip
# Those that numba compiles.
_OF_NUMBERS = "bj"


@dataclass(frozen=True)
class _Derivative:
    """A derivative other than a gradient, by us, by hand, and by JAX."""

    name: str
    ours: Callable[..., Any]
    args: tuple[Any, ...]
    by_hand: Callable[..., Any]
    by_jax: Callable[[Any, Any], Callable[..., Any]]


def _rosenbrock(x: Any) -> Any:
    a, b = x[:-1], x[1:]
    return (100.0 * (b - a**2) ** 2 + (1.0 - a) ** 2).sum()


def _rosenbrock_by_hand(x: Any, v: Any) -> Any:
    y, a, b, a_dot, b_dot = np.zeros_like(x), x[:-1], x[1:], v[:-1], v[1:]
    y[:-1] += (1200.0 * a * a - 400.0 * b + 2.0) * a_dot - 400.0 * a * b_dot
    y[1:] += 200.0 * b_dot - 400.0 * a * a_dot
    return y


_WEIGHTS = RNG.normal(size=(50, 50)) / 7.0


def _layer(np: Any, x: Any) -> Any:
    return np.tanh(np.asarray(_WEIGHTS) @ x)


def _layer_by_hand(x: Any) -> Any:
    y = np.tanh(_WEIGHTS @ x)
    return (1.0 - y * y)[:, None] * _WEIGHTS


def _loss(np: Any, w: Any, x: Any, y: Any) -> Any:
    return np.logaddexp(0.0, -y * (w @ x))


def _slopes_by_hand(w: Any, xs: Any, ys: Any) -> Any:
    z = -ys * (xs @ w)
    return (-ys * np.exp(z - np.logaddexp(0.0, z)))[:, None] * xs


def _slopes() -> Any:
    return vectorized(grad(partial(_loss, np)), (None, 0, 0))


_ITEMS = RNG.normal(size=20), RNG.normal(size=(1000, 20)), np.sign(RNG.normal(size=1000))

_DERIVATIVES = [
    _Derivative(
        "k product of a Hessian and a vector of 100",
        compiled(lambda x, v: hvp(_rosenbrock, x, v)),
        (RNG.normal(size=100), RNG.normal(size=100)),
        _rosenbrock_by_hand,
        lambda jax, jnp: lambda x, v: jax.jvp(jax.grad(_rosenbrock), (x,), (v,))[1],
    ),
    _Derivative(
        "l Jacobian 50 to 50",
        compiled(jacobian(partial(_layer, np))),
        (RNG.normal(size=50),),
        _layer_by_hand,
        lambda jax, jnp: jax.jacrev(partial(_layer, jnp)),
    ),
    _Derivative(
        "m gradients of 1000 items of 20, vectorized",
        _slopes(),
        _ITEMS,
        _slopes_by_hand,
        lambda jax, jnp: jax.vmap(jax.grad(partial(_loss, jnp)), (None, 0, 0)),
    ),
    _Derivative(
        "n gradients of 1000 items of 20, compiled",
        compiled(_slopes()),
        _ITEMS,
        _slopes_by_hand,
        lambda jax, jnp: jax.vmap(jax.grad(partial(_loss, jnp)), (None, 0, 0)),
    ),
]


def rows() -> Iterator[Row]:
    """Each program; one that is not recorded has no row."""
    if importlib.util.find_spec("jax") is None:
        yield from _rows()
        return
    import jax

    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    try:
        yield from _rows()
    finally:
        jax.config.update("jax_enable_x64", before)


def _rows() -> Iterator[Row]:
    for program in PROGRAMS:

        def f(x: Any, function: Any = program.function) -> Any:
            return function(np, x)

        others = {"grad": grad(f), "by hand": program.by_hand}
        derivative = _Derivative(
            f"{program.name}, compiled",
            compiled(grad(f)),
            (program.x,),
            program.by_hand,
            lambda jax, jnp, function=program.function: jax.grad(lambda x: function(jnp, x)),
        )
        yield from _rows_of(derivative, others)
        if program.name[0] in _OF_NUMBERS and importlib.util.find_spec("numba") is not None:
            name, ours = f"{derivative.name} by numba", compiled(grad(f), numba=True)
            by_numba = replace(derivative, name=name, ours=ours)
            yield from _rows_of(by_numba, {"compiled": derivative.ours})
    for derivative in _DERIVATIVES:
        f = getattr(derivative.ours, "f", derivative.ours)
        plain = {} if isinstance(derivative.ours, type(_slopes())) else {"not compiled": f}
        yield from _rows_of(derivative, {**plain, "by hand": derivative.by_hand})


def _rows_of(derivative: _Derivative, others: dict[str, Callable[..., Any]]) -> Iterator[Row]:
    ours, args = derivative.ours, derivative.args
    for _ in range(4):  # the first calls record, and compare
        ours(*args)
    if not ours.variants:  # type: ignore[attr-defined]  # it is compiled or vectorized
        return
    if importlib.util.find_spec("jax") is not None:
        others = {**others, "jax.jit": _by_jax(derivative.by_jax)}
    time, *times = fastest(*[partial(call, *args) for call in (ours, *others.values())])
    for against, other in zip(others, times, strict=True):
        target = _BY_HAND.get(derivative.name[0]) if against == "by hand" else None
        yield Row(derivative.name, against, time / other, target)


def _by_jax(make: Callable[[Any, Any], Callable[..., Any]]) -> Callable[..., Any]:
    """A derivative by JAX's compiler, from and to NumPy arrays in double precision."""
    import jax
    import jax.numpy as jnp

    jitted = jax.jit(make(jax, jnp))
    return lambda *args: jax.tree_util.tree_map(np.asarray, jitted(*args))
