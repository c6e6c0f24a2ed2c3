"""Gradients that were recorded and compiled, beside plain ones and those by hand."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.measure import Row, fastest
from benchmarks.programs import PROGRAMS
from chainrules.ad import compiled, grad


def rows() -> Iterator[Row]:
    """Each program; one that is not recorded has no row."""
    for program in PROGRAMS:

        def f(x: Any, function: Any = program.function) -> Any:
            return function(np, x)

        ours, plain, x, by_hand = compiled(grad(f)), grad(f), program.x, program.by_hand
        for _ in range(4):  # the first calls record, and compare
            ours(x)
        if ours.variants:
            calls = [partial(call, x) for call in (ours, plain, by_hand)]
            times = fastest(*calls)
            yield Row(f"{program.name}, compiled", "grad", times[0] / times[1])
            yield Row(f"{program.name}, compiled", "by hand", times[0] / times[2])
