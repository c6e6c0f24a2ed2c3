"""Functions over functions, over iterators, and questions."""

import collections
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.composing import listing
from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.facts import FACTS, fact
from chainrules_core import primal_of

# The Python function of a ufunc cannot be had back from it. The last ones that were made are remembered, and
# not weakly, since ufuncs bear no weak references.
_made: collections.deque[np.ufunc] = collections.deque()
_MOST = 1_000


def _frompyfunc(f: Any, *args: Any, **kwargs: Any) -> np.ufunc:
    made: np.ufunc = np.frompyfunc(choose(f), *args, **kwargs)
    each = choose(np.vectorize(f))

    def call(*args: Any, **kwargs: Any) -> Any:
        return (each if any(map(is_traced, args)) else made)(*args, **kwargs)

    fact(made, stands_for_it=call)
    _made.append(made)
    if len(_made) > _MOST:
        del FACTS[_made.popleft()]
    return made


def _isscalar(x: Any) -> bool:
    return np.isscalar(primal_of(x))


fact(np.frompyfunc, stands_for_it=_frompyfunc)
# NumPy asks the array alone, and not the function, which may hold what is traced.
fact(np.apply_along_axis, wrapped=lambda f: ruled(f, f))
fact(np.fromiter, wrapped=listing)
fact(np.isscalar, stands_for_it=_isscalar)
fact(np.bmat, refused="It makes one of NumPy's matrices, which have no derivative: write `np.block`.")
