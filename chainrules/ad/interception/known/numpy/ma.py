"""Functions of `numpy.ma`: given traced elements, they make and take what stands for a masked array of these.

Masked arrays without traced elements are NumPy's own.
"""

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.ruled_calls import array_if_traced
from chainrules.ad.interception.choosing.unentered import refusing
from chainrules.ad.traced.masked_arrays import COMPARISONS, INSTEAD, MASKED, OPERATORS, lifted
from chainrules.ad.traced.masked_functions import FUNCTIONS, along_axis, outer
from chainrules.ad.traced.masked_reductions import REDUCTIONS
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of

# They are made of other functions.
_ENTERED = frozenset({"append", "average", "corrcoef", "cov", "_covhelper"})
fact("numpy.ma", refused=INSTEAD, refused_values=INSTEAD, questions=_ENTERED)


def _operator(name: str) -> Callable[..., Any]:
    f = getattr(operator, name)
    return lambda x, y: f(lifted(x), y)


def _along_axis(f: Any, *args: Any, **kwargs: Any) -> Any:
    return along_axis(choose(f), *args, **kwargs)


def _reduce(operation: Any, target: Any, axis: Any = None) -> Any:
    return REDUCTIONS["min" if operation is np.ma.minimum else "max"](target, axis)


def _outer(operation: Any, x: Any, y: Any) -> Any:
    return outer(_STANDING[operation], x, y)


# By the object that is called, which may be an instance of a private class.
_STANDING: dict[Any, Callable[..., Any]] = {
    **{getattr(np.ma, name): f for name, f in FUNCTIONS.items() if hasattr(np.ma, name)},
    **{getattr(np.ma.MaskedArray, f"__{name}__"): _operator(name) for name in (*OPERATORS, *COMPARISONS)},
    np.ma.apply_along_axis: _along_axis,
    type(np.ma.minimum).reduce: _reduce,
    type(np.ma.multiply).outer: _outer,
}


def _elements(x: Any) -> Any:
    """A list of numbers as an array; other lists are several arguments."""
    if x.__class__ in {list, tuple} and any(
        isinstance(item, MASKED) or np.ndim(primal_of(item)) for item in x
    ):
        return x
    return array_if_traced(x)


def _standing(f: Any) -> Callable[..., Any]:
    stands = _STANDING.get(f)
    if stands is None:
        return refusing(f, INSTEAD)

    @functools.wraps(f, updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        if any(map(is_traced, (*args, *kwargs.values()))):
            return stands(*map(_elements, args), **kwargs)
        return f(*args, **kwargs)

    return call


_FUNCTIONS = {f for f in _STANDING if isinstance(f, type | type(_standing))}
fact(*_FUNCTIONS, wrapped=_standing)
_CLASSES = {type(f) for f in _STANDING if f not in _FUNCTIONS}
# Others are NumPy's own, which ask their arguments.
fact(*(cls for cls in _CLASSES if cls.__module__.startswith("numpy.ma.")), of_instances=_standing)
