"""Gradients that were recorded and compiled, beside plain ones, those by hand, and JAX's compiler."""

import importlib.util
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest
from benchmarks.programs import PROGRAMS
from chainrules.ad import compiled, grad

# By the letter of the program: the time that a call may take, as a multiple of that of the gradient by hand.
_BY_HAND = {"a": 2.5, "b": 1.1, "c": 5.0, "d": 1.3, "e": 1.3, "i": 1.1, "j": 5.0}


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

        ours, x = compiled(grad(f)), program.x
        for _ in range(4):  # the first calls record, and compare
            ours(x)
        if not ours.variants:
            continue
        others = {"grad": grad(f), "by hand": program.by_hand}
        if importlib.util.find_spec("jax") is not None:
            others["jax.jit"] = _by_jax(program.function)
        time, *times = fastest(*[partial(call, x) for call in (ours, *others.values())])
        for against, other in zip(others, times, strict=True):
            target = _BY_HAND.get(program.name[0]) if against == "by hand" else None
            yield Row(f"{program.name}, compiled", against, time / other, target)


def _by_jax(function: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """The gradient by JAX's compiler, from and to NumPy arrays in double precision."""
    import jax
    import jax.numpy as jnp

    jitted = jax.jit(jax.grad(lambda x: function(jnp, x)))
    return lambda x: jax.tree_util.tree_map(np.asarray, jitted(x))
