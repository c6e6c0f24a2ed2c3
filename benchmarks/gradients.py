"""Gradients of whole programs by `chainrules.ad`, beside other AD systems where they are installed."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest
from benchmarks.peers import gradients_by_peers
from benchmarks.programs import PROGRAMS, Program
from chainrules.ad import grad


def rows() -> Iterator[Row]:
    """Each program, beside its gradient written by hand and each peer that can run it."""
    for program in PROGRAMS:
        yield from _rows_of(program)


def _rows_of(program: Program) -> Iterator[Row]:
    peers = dict(gradients_by_peers(program.function))
    others = {"by hand": program.by_hand} | {
        name: gradient for name, gradient in peers.items() if name not in program.without
    }

    def ours(x: Any) -> Any:
        return grad(lambda x: program.function(np, x))(x)

    x = program.x
    for other in others.values():
        _assert_alike(ours(x), other(x))
    our_time, *times = fastest(lambda: ours(x), *[lambda other=other: other(x) for other in others.values()])
    for name, time in zip(others, times, strict=True):
        yield Row(program.name, name, our_time / time, program.targets.get(name))


def _assert_alike(actual: Any, expected: Any) -> None:
    pairs = zip(actual, expected, strict=True) if isinstance(actual, tuple) else [(actual, expected)]
    for ours, theirs in pairs:
        np.testing.assert_allclose(ours, np.asarray(theirs), rtol=1e-7, atol=1e-9)
