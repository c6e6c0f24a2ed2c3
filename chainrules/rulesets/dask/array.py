"""Rules for the functions of `dask.array` that are NumPy's by the same name, and for other chunks.

``da.exp(x)`` has the rules of ``np.exp(x)``: these call NumPy's function, which hands a lazy array on.
"""

from types import ModuleType
from typing import Any

import dask.array as da  # type: ignore[import-not-found,import-untyped,unused-ignore]  # an extra
import numpy as np

from chainrules.makers.aliases import alias_rule
from chainrules.values.lazy_functions import LAZY_FUNCTIONS
from chainrules.values.operands import LazyOperand
from chainrules_core import NO_TANGENT, ProjectTo, frule, rrule, typeof_

# These take other arguments, or give something else, by the same name.
_OTHERS = {"cholesky", "qr", "svd"}


def _alias_rules(dasks: ModuleType, numpys: ModuleType, names: frozenset[str]) -> None:
    """Let each function have the rules of the one of its name."""
    for name in sorted(names - _OTHERS):
        alias: Any = getattr(dasks, name, None)
        primal: Any = getattr(numpys, name, None)
        # Some names of NumPy's are second ones, and some of Dask's functions are NumPy's own.
        if alias is not None and alias is not primal and getattr(primal, "__name__", None) == name:
            alias_rule(alias, primal)


_alias_rules(da, np, LAZY_FUNCTIONS["numpy"])
_alias_rules(da.linalg, np.linalg, LAZY_FUNCTIONS["numpy.linalg"])
_alias_rules(da.fft, np.fft, LAZY_FUNCTIONS["numpy.fft"])


@frule.dispatch
def rechunk_frule(tangents: Any, f: typeof_(da.Array.rechunk), x: LazyOperand, *options: Any, **named: Any):
    return x.rechunk(*options, **named), tangents[1].rechunk(*options, **named)


@rrule.dispatch
def rechunk_rrule(f: typeof_(da.Array.rechunk), x: LazyOperand, *options: Any, **named: Any):
    project = ProjectTo(x)  # which brings a cotangent into the chunks of the argument

    def rechunk_pullback(y_bar):
        return NO_TANGENT, project(y_bar), *(NO_TANGENT,) * len(options)

    return x.rechunk(*options, **named), rechunk_pullback
