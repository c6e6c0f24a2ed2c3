"""NumPy's random generators. One that shuffles a traced array writes into it, in the order drawn."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.plain_writes import written_into
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of

_Generator: Any = np.random.Generator
_RandomState: Any = np.random.RandomState


def _shuffling(f: Any) -> Callable[..., None]:
    def shuffle(generator: Any, x: Any, *axis: Any, **kwargs: Any) -> None:
        if x.__class__ not in TRACED:
            written_into(x)
            f(generator, x, *axis, **kwargs)
            return
        shape = np.shape(primal_of(x))
        positions = np.arange(int(np.prod(shape))).reshape(shape)
        f(generator, positions, *axis, **kwargs)
        x[...] = np.take(x, positions)

    return shuffle


_METHODS = {
    getattr(cls, name)
    for cls in (_Generator, _RandomState)
    for name in dir(cls)
    if not name.startswith("_") and callable(getattr(cls, name))
}
_SHUFFLING = {_Generator.shuffle, _RandomState.shuffle}
_OUT_THIRD = {_Generator.random, _Generator.standard_normal}
_OUT_FOURTH = {_Generator.standard_exponential, _Generator.standard_gamma}

fact(*_SHUFFLING, writes=1, wrapped=_shuffling, is_not_the_same_each_time=True)
fact(*_OUT_THIRD, out=3, is_not_the_same_each_time=True)
fact(*_OUT_FOURTH, out=4, is_not_the_same_each_time=True)
fact(*(_METHODS - _SHUFFLING - _OUT_THIRD - _OUT_FOURTH), is_not_the_same_each_time=True)
