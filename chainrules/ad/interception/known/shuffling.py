"""Random generators that shuffle an array in place: a traced one is written into, in the order drawn."""

import random
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.plain_writes import written_into
from chainrules.ad.interception.choosing.replacements import replaces
from chainrules.ad.traced.traced_classes import TRACED
from chainrules_core import primal_of


def _shuffling(f: Any) -> None:
    @replaces(f)
    def shuffle(generator: Any, x: Any, *axis: Any, **named: Any) -> None:
        if x.__class__ not in TRACED:
            written_into(x)
            f(generator, x, *axis, **named)
            return
        shape = np.shape(primal_of(x))
        positions = np.arange(int(np.prod(shape))).reshape(shape)
        f(generator, positions, *axis, **named)
        x[...] = np.take(x, positions)


_shuffling(np.random.Generator.shuffle)
_shuffling(np.random.RandomState.shuffle)


@replaces(random.Random.shuffle)
def _shuffle(generator: random.Random, x: Any) -> None:
    written_into(x)
    generator.shuffle(x)
