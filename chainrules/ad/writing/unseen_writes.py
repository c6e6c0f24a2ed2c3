"""Code that is called as it is, and may write into an array that a rule keeps: that is seen afterwards."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.trace import RUNNING
from chainrules.ad.writing.kept_arrays import check_unchanged


def watched(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, a function of a library, with an error if it wrote into an array that a rule was given before.

    Those of SciPy with ``overwrite_a=True``, and BLAS, do that. A copy is made of an array that was given to
    both, and of no other.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        held = [
            (x, x.copy())
            for trace in RUNNING
            if trace.kept
            for x in (*args, *kwargs.values())
            if x.__class__ is np.ndarray and (id(x) in trace.kept or id(x.base) in trace.kept)
        ]
        if not held:
            return f(*args, **kwargs)
        y = f(*args, **kwargs)
        for x, before in held:
            check_unchanged(x, before)
        return y

    return call
