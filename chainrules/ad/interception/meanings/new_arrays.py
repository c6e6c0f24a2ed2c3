"""Plain arrays that intercepted code makes can be filled with traced values."""

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.composing import making
from chainrules.ad.interception.meanings.special_methods import getitem
from chainrules.ad.syntax.hooks import hook, registered
from chainrules.ad.syntax.made_arrays import MAKERS, Path, makers_in
from chainrules.ad.syntax.operators import BINARY, UNARY
from chainrules.ad.syntax.origins import Origin, origin_of
from chainrules.ad.values.facts import fact_of
from chainrules.ad.values.memory import remember
from chainrules.ad.writing.fillable import fillable, is_of_numpy, own_array


@hook("new call")
def choose_for_new(f: Any, /) -> Any:
    """The callable for the place of `f`, whose result is assigned to a name that is written into."""
    chosen = choose(f)
    if f.__class__ in _CLASSES_OF_NUMPY:
        known = _known.get(f)
        if known is None or known[0] is not chosen:
            known = chosen, chosen if fact_of(f).is_replaced else making(f, chosen, chosen)
            remember(_known, f, known)
        return known[1]
    if f.__class__ is types.BuiltinFunctionType and isinstance(f.__self__, np.ndarray):
        return making(f, chosen, chosen, f.__self__)
    if f.__class__ is types.MethodType:
        if isinstance(f.__self__, _DRAWING):
            return making(f, chosen, chosen)
        return _filling(f.__func__, chosen) if f.__func__.__class__ is types.FunctionType else chosen
    if is_of_numpy(f):
        return chosen if fact_of(f).is_replaced else making(f, chosen, chosen)
    return _filling(f, chosen) if f.__class__ is types.FunctionType else chosen


def _filling(f: types.FunctionType, chosen: Callable[..., Any]) -> Callable[..., Any]:
    """`chosen`, which stands for a function: a new array that a library's returns can be filled."""
    code = f.__code__
    known = _makers.get(id(code))
    if known is None or known[0] is not code:
        known = code, makers_in(code) if origin_of(f) is Origin.LIBRARY else frozenset()
        remember(_makers, id(code), known)
    makers = known[1]
    if not makers:
        return chosen

    def call(*args: Any, **kwargs: Any) -> Any:
        y = chosen(*args, **kwargs)
        is_new = y.__class__ is np.ndarray and y.base is None
        return fillable(y) if is_new and all(_makes_arrays(_found(f, path)) for path in makers) else y

    return call


def _makes_arrays(found: Any) -> bool:
    return any(found is maker for maker in MAKERS)


def _found(f: types.FunctionType, path: Path) -> Any:
    """What a dotted name is in a function."""
    found = f.__globals__.get(path[0])
    for name in path[1:]:
        found = getattr(found, name, None)
    return found


# By number, a code object, and the names that make the arrays that it returns.
_makers: dict[int, tuple[types.CodeType, frozenset[Path]]] = {}

# Each sample is a new array.
_DRAWING = (np.random.Generator, np.random.RandomState)

_CLASSES_OF_NUMPY = frozenset({np.ufunc, type(np.sum)})

# By the function: what `choose` answers, and what is called then.
_known: dict[Any, tuple[Any, Callable[..., Any]]] = {}


def _new(name: str) -> None:
    compute = registered(name)

    @hook(f"new {name}")
    def call(x: Any, y: Any) -> Any:
        z = compute(x, y)
        is_new = z.__class__ is np.ndarray and (x.__class__ is np.ndarray or y.__class__ is np.ndarray)
        return fillable(z) if is_new and z.base is None else z


def _new_of_one(name: str) -> None:
    compute = registered(name)

    @hook(f"new {name}")
    def call(x: Any) -> Any:
        y = compute(x)
        return fillable(y) if x.__class__ is y.__class__ is np.ndarray and y.base is None else y


for _name in BINARY.values():
    _new(_name)
for _name in UNARY.values():
    _new_of_one(_name)


@hook("new getitem")
def new_item(x: Any, index: Any) -> Any:
    """``x[index]``, a new array if the index is a list or a mask."""
    y = getitem(x, index)
    own = own_array(getitem, y, (x,), None) if x.__class__ is np.ndarray else None
    return y if own is None else fillable(own)
