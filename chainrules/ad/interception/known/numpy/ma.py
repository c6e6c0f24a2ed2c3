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
from chainrules.ad.traced.masked_arrays import INSTEAD, MASKED, lifted
from chainrules.ad.traced.masked_functions import FUNCTIONS, along_axis, outer
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of


_ENTERED = frozenset({"average", "cov", "corrcoef", "_covhelper"})
fact("numpy.ma", refused=INSTEAD, refused_values=INSTEAD, questions=_ENTERED)

_OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "pow", "lt", "le", "gt", "ge", "eq", "ne")


def _operator(name: str) -> Callable[..., Any]:
    f = getattr(operator, name)
    return lambda x, y: f(lifted(x), y)


# By the object that is called. In older versions of NumPy most of them are instances of private classes.
_STANDING = {getattr(np.ma, name): f for name, f in FUNCTIONS.items() if hasattr(np.ma, name)}
_STANDING |= {getattr(np.ma.MaskedArray, f"__{name}__"): _operator(name) for name in _OPERATORS}


def _elements(x: Any) -> Any:
    """A list of numbers as an array; other lists are several arguments."""
    is_several = x.__class__ in {list, tuple} and any(np.ndim(primal_of(item)) or isinstance(item, MASKED) for item in x)
    return x if is_several else array_if_traced(x)


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


_STANDING[np.ma.apply_along_axis] = lambda f, *args, **kwargs: along_axis(choose(f), *args, **kwargs)
_REDUCED = {np.ma.minimum: FUNCTIONS["min"], np.ma.maximum: FUNCTIONS["max"]}


def _reduce(operation: Any, target: Any, axis: Any = None) -> Any:
    return _REDUCED[operation](target, axis=axis)


_STANDING[type(np.ma.minimum).reduce] = _reduce
_STANDING[type(np.ma.multiply).outer] = lambda f, x, y: outer(_STANDING[f], x, y)

_IS_CALLED = {f for f in _STANDING if isinstance(f, type | type(_standing))}
fact(*_IS_CALLED, wrapped=_standing)
fact(*{type(f) for f in _STANDING if f not in _IS_CALLED}, of_instances=_standing)
