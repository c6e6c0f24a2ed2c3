"""Plain arrays that intercepted code makes can be filled with traced values."""

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.replacements import REPLACEMENTS, replaces
from chainrules.ad.interception.choosing.ruled_calls import ruled, ruled_by_numpy
from chainrules.ad.syntax.hooks import HOOKS, hook, placeholder
from chainrules.ad.syntax.operators import BINARY
from chainrules.ad.values.plain_values import FREQUENT
from chainrules.ad.writing.fillable import fillable, is_of_numpy, own_array

# Whoever calls one of these wants an array, which is filled later, most often.
_MAKING = (
    *(np.zeros, np.ones, np.empty, np.full, np.zeros_like, np.ones_like, np.empty_like, np.full_like),
    *(
        np.eye,
        np.identity,
        np.array,
        np.asarray,
        np.copy,
        np.arange,
        np.linspace,
        np.tile,
        np.repeat,
        np.diag,
    ),
)


def _making(
    f: Any, answer: Callable[..., Any], of_plain: Callable[..., Any], *owner: Any
) -> Callable[..., Any]:
    """`answer`, whose result can be filled if it is a new array.

    Parameters
    ----------
    f
        A function of NumPy.
    answer
        What is called in its place.
    of_plain
        What may be called in its place with one argument that is a number or an array.
    owner
        The array that `f` is a method of, if it is one: its result may be a view of that.
    """

    def make(*args: Any, **kwargs: Any) -> Any:
        if not kwargs and len(args) == 1 and args[0].__class__ in FREQUENT:
            y = of_plain(args[0])
        else:
            y = answer(*args, **kwargs)
        own = own_array(f, y, owner + args, kwargs)
        return y if own is None else fillable(own)

    return make


for _f in _MAKING:
    replaces(_f)(_making(_f, ruled_by_numpy(_f) if isinstance(_f, type(np.sum)) else ruled(_f, _f), _f))


@hook("new call")
def choose_for_new(f: Any, /) -> Any:
    """What to call in the place of `f`, whose result is assigned to a name that is written into."""
    chosen = choose(f)
    if f.__class__ in _CLASSES_OF_NUMPY:
        known = _known.get(f)
        if known is None or known[0] is not chosen:
            known = _known[f] = chosen, chosen if f in REPLACEMENTS else _making(f, chosen, chosen)
        return known[1]
    if f.__class__ is types.BuiltinFunctionType and isinstance(f.__self__, np.ndarray):
        return _making(f, chosen, chosen, f.__self__)
    if f.__class__ is types.MethodType:
        return _making(f, chosen, chosen) if isinstance(f.__self__, _DRAWING) else chosen
    return _making(f, chosen, chosen) if is_of_numpy(f) and f not in REPLACEMENTS else chosen


# Each sample is a new array.
_DRAWING = (np.random.Generator, np.random.RandomState)

_CLASSES_OF_NUMPY = frozenset({np.ufunc, type(np.sum)})

# By the function: what `choose` answers, and what is called then.
_known: dict[Any, tuple[Any, Callable[..., Any]]] = {}


def _new(name: str) -> None:
    compute = HOOKS[placeholder(name)]

    @hook(f"new {name}")
    def call(x: Any, y: Any) -> Any:
        z = compute(x, y)
        is_new = z.__class__ is np.ndarray and (x.__class__ is np.ndarray or y.__class__ is np.ndarray)
        return fillable(z) if is_new and z.base is None else z


for _name in BINARY.values():
    _new(_name)


_getitem = HOOKS[placeholder("getitem")]


@hook("new getitem")
def new_item(x: Any, index: Any) -> Any:
    """``x[index]``, a new array if the index is a list or a mask."""
    y = _getitem(x, index)
    own = own_array(_getitem, y, (x,), None) if x.__class__ is np.ndarray else None
    return y if own is None else fillable(own)
