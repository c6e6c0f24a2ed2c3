"""Functions that make arrays, rearrange them, or take lists of them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.traced.masked_arrays import TracedMasked
from chainrules.ad.traced.masked_functions import converted
from chainrules.ad.values.facts import fact


def _of_masked(f: Any) -> Callable[..., Any]:
    """A conversion, which takes the elements of a masked array of which none is masked, or keeps its mask."""
    otherwise = ruled(f, f)

    def call(*args: Any, **kwargs: Any) -> Any:
        if args and args[0].__class__ is TracedMasked:
            if f is np.asanyarray:
                return converted(*args, **kwargs)
            if not np.any(args[0].mask):
                args = args[0].traced, *args[1:]
        return otherwise(*args, **kwargs)

    return call


# Whoever calls one of these wants an array that is filled later, most often.
fact(*(np.zeros, np.ones, np.empty, np.full), returns=("an array to fill",))
fact(*(np.zeros_like, np.ones_like, np.empty_like, np.full_like), returns=("an array to fill",))
fact(*(np.eye, np.identity, np.copy, np.arange, np.linspace), returns=("an array to fill",))
fact(*(np.tile, np.repeat, np.diag), returns=("an array to fill",))
fact(np.asarray, returns=("an array to fill", "its argument"), wrapped=_of_masked)
fact(np.array, returns=("an array to fill",), wrapped=_of_masked)

fact(np.asanyarray, returns=("its argument",), wrapped=_of_masked)
fact(*(np.asarray_chkfinite, np.ascontiguousarray), returns=("its argument",))
fact(*(np.asfortranarray, np.require), returns=("its argument",))

# Functions that return an array that somebody holds, or a view of it. Views do not depend on the elements, so
# that they can be taken again of other ones. Some functions are younger than the oldest NumPy that is served,
# and some are the same under two names.
_VIEWS = """
    array_split broadcast_to diagonal dsplit expand_dims flip fliplr flipud hsplit imag matrix_transpose
    moveaxis permute_dims ravel reshape rollaxis rot90 split swapaxes transpose unstack vsplit
"""

fact(*{getattr(np, name) for name in _VIEWS.split() if hasattr(np, name)}, returns=("a view",))
fact(*(np.atleast_1d, np.atleast_2d, np.atleast_3d), returns=("its argument", "a view"))
fact(*(np.broadcast_arrays, np.real, np.squeeze), returns=("its argument", "a view"))
fact(np.real_if_close, returns=("its argument",))

# Functions whose rules take lists of traced numbers, or of arrays, but not in all modes and orders.
fact(*(np.append, np.average, np.clip, np.einsum, np.histogram, np.insert), takes_lists="as arrays")
fact(*(np.concatenate, np.column_stack, np.dstack, np.hstack), takes_lists="of arrays")
fact(*(np.stack, np.vstack, np.linalg.multi_dot), takes_lists="of arrays")
