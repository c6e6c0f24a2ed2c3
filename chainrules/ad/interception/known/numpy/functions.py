"""Functions over functions, over iterators, and questions."""

from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.composing import listing
from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.facts import PASSING, Fact, fact
from chainrules.ad.values.memory import remember
from chainrules_core import primal_of


def _frompyfunc(f: Any, *args: Any, **kwargs: Any) -> np.ufunc:
    made: np.ufunc = np.frompyfunc(choose(f), *args, **kwargs)
    each = choose(np.vectorize(f))

    def call(*args: Any, **kwargs: Any) -> Any:
        return (each if any(map(is_traced, args)) else made)(*args, **kwargs)

    # The Python function cannot be had back from a ufunc.
    remember(PASSING, made, Fact(stands_for_it=call))
    return made


def _isscalar(x: Any) -> bool:
    return np.isscalar(primal_of(x))


fact(np.frompyfunc, stands_for_it=_frompyfunc)
# NumPy asks the array alone, and not the function, which may hold what is traced.
fact(np.apply_along_axis, wrapped=lambda f: ruled(f, f))
fact(np.fromiter, wrapped=listing)
fact(np.isscalar, stands_for_it=_isscalar)
