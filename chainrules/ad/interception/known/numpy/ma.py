"""Functions of `numpy.ma` that hand an array on: a traced array has no mask, and stays the array that it is.

Programs that can do with masks call them for all arrays that they are given. What masks something is refused.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.unentered import refusing
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.facts import fact

_INSTEAD = (
    "Masked arrays would lose their masks, or the derivative: write `np.where(mask, 0.0, x)`, or sum by "
    "`np.sum(x, where=~mask)`."
)
_QUESTIONS = "filled getmask getmaskarray isMaskedArray is_mask is_masked make_mask_none"
fact(
    "numpy.ma",
    refused=_INSTEAD,
    refused_values=_INSTEAD,
    questions=frozenset(_QUESTIONS.split()),
)

_PLAIN: dict[Any, Callable[..., Any]] = {
    np.ma.array: np.asarray,
    np.ma.asarray: np.asarray,
    np.ma.asanyarray: np.asanyarray,
    np.ma.atleast_1d: np.atleast_1d,
    np.ma.atleast_2d: np.atleast_2d,
    np.ma.atleast_3d: np.atleast_3d,
    np.ma.getdata: np.asarray,
}


def _handing_on(f: Any) -> Callable[..., Any]:
    otherwise = refusing(f, _INSTEAD)

    def call(*args: Any, **kwargs: Any) -> Any:
        # An array that depends on nothing may get a mask.
        if len(args) == 1 and not kwargs and args[0].__class__ in TRACED and not args[0]._trace.is_constant:
            return choose(_PLAIN[f])(*args)
        return otherwise(*args, **kwargs)

    return call


fact(*_PLAIN, wrapped=_handing_on)
