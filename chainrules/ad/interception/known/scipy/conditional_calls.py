"""Functions of SciPy that compute each element by one of two functions, and write the results together.

They write into a plain array, made where nothing traced is given, which no traced value can enter. Here the
array can be filled. SciPy is not imported: the functions are known by their names, of which some versions of
SciPy have one, and some another.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.values.facts import fact
from chainrules.ad.writing.fillable import fillable
from chainrules_core import primal_of


def applying_where(apply_where: Any) -> Callable[..., Any]:
    """The function for the place of `array_api_extra.apply_where`."""

    def call(  # noqa: PLR0913 - as many as the function has
        cond: Any, args: Any, f1: Any, f2: Any = None, /, *, fill_value: Any = None, xp: Any = None
    ) -> Any:
        if (f2 is None) == (fill_value is None):
            return apply_where(cond, args, f1, f2, fill_value=fill_value, xp=xp)  # an error
        return _by_condition(cond, args if isinstance(args, tuple) else (args,), f1, f2, fill_value)

    return entered_if_traced(apply_where, call)


def _lazywhere_in_place_of(lazywhere: Any) -> Callable[..., Any]:
    def call(cond: Any, arrays: Any, f: Any, fillvalue: Any = None, f2: Any = None) -> Any:
        if (f2 is None) == (fillvalue is None):
            return lazywhere(cond, arrays, f, fillvalue, f2)  # an error
        return _by_condition(cond, arrays, f, f2, fillvalue)

    return entered_if_traced(lazywhere, call)


def _by_condition(cond: Any, args: Any, f: Any, otherwise: Any, fill: Any) -> Any:
    """``f(*args)`` where the condition holds, elsewhere ``otherwise(*args)`` or the value to fill with."""
    cond = np.asarray(primal_of(cond))
    shape = np.broadcast_shapes(cond.shape, np.shape(fill), *map(np.shape, args))
    here = np.broadcast_to(cond, shape)
    args = [np.broadcast_to(x, shape) for x in args]
    chosen = choose(f)(*(x[here] for x in args))
    if otherwise is None:
        rest = np.broadcast_to(fill, shape)[~here] if np.ndim(fill) else fill
    else:
        rest = choose(otherwise)(*(x[~here] for x in args))
    y = fillable(np.empty(shape, np.result_type(*map(_dtype_of, (chosen, rest)))))
    y[here], y[~here] = chosen, rest
    return y


def _dtype_of(x: Any) -> Any:
    x = primal_of(x)
    return getattr(x, "dtype", x)


fact(
    "scipy._lib.array_api_extra._lib._funcs.apply_where",  # SciPy 1.16 and 1.17
    "scipy._external.array_api_extra._lib._funcs.apply_where",  # since SciPy 1.18
    wrapped=applying_where,
)
fact("scipy._lib._util._lazywhere", wrapped=_lazywhere_in_place_of)  # SciPy 1.15
