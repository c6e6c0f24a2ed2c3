"""`np.broadcast` of traced arrays: its shape is that of NumPy's, and the items are traced."""

from typing import Any, Self

import numpy as np

from chainrules.ad.interception.choosing.ruled_calls import array_if_traced
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of


class TracedBroadcast:
    """Goes through arrays that are broadcast against each other as `np.broadcast` would, some of them traced.

    Parameters
    ----------
    *arrays
        Arrays and numbers.
    """

    def __init__(self, *arrays: Any) -> None:
        self._places = np.broadcast(*map(primal_of, arrays))
        self._arrays = np.broadcast_arrays(*arrays)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> tuple[Any, ...]:
        place = self._places.index
        next(self._places)
        index = tuple(map(int, np.unravel_index(place, self._places.shape)))
        return tuple(x[index] for x in self._arrays)

    iters = property(lambda self: tuple(x.flat for x in self._arrays), doc="An iterator for each array.")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._places, name)


def _broadcast(*arrays: Any) -> Any:
    if not any(map(is_traced, arrays)):
        return np.broadcast(*arrays)
    return TracedBroadcast(*map(array_if_traced, arrays))


fact(np.broadcast, stands_for_it=_broadcast)
