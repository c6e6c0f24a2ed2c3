"""The functions of NumPy that write into an array, and what they do to a traced one."""

import functools
from typing import Any

import numpy as np

from chainrules.ad.calls.calling import apply
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.traced.operators import own_index
from chainrules.ad.values.facts import fact, fact_of
from chainrules.ad.values.plain_values import ARRAY_LIKE
from chainrules.ad.writing.statements import update, write
from chainrules.operations.scatter import scatter
from chainrules_core import primal_of, primitive, unwrap_primitive


def copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """As `np.copyto`."""
    src = _as_array(src)
    source, target = np.result_type(primal_of(src)), primal_of(dst).dtype
    if not np.can_cast(source, target, casting):
        raise TypeError(
            f"Cannot cast array data from {source!r} to {target!r} according to the rule {casting!r}"
        )
    if where is True:
        write(dst, ..., src)
    else:
        write(dst, ..., np.where(where, src, dst))


def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """As `np.fill_diagonal`, which repeats values where there are too few."""
    places = np.zeros(a.shape, bool)
    np.fill_diagonal(places, True, wrap)
    # In C's order, in which the diagonal is gone through.
    _write_in_turn(a, np.flatnonzero(places), val)


def place(arr: Any, mask: Any, vals: Any) -> None:
    """As `np.place`."""
    vals, positions = _as_array(vals), np.flatnonzero(np.reshape(primal_of(mask), arr.shape))
    if positions.size and not np.size(primal_of(vals)):
        raise ValueError("Cannot insert from an empty array!")
    _write_in_turn(arr, positions, vals)


def put(a: Any, ind: Any, v: Any, mode: Any = "raise") -> None:
    """As `np.put`: the index is of the flattened array."""
    _write_in_turn(a, np.ravel(np.take(np.arange(a.size), primal_of(ind), mode=mode)), v)


def putmask(a: Any, mask: Any, values: Any) -> None:
    """As `np.putmask`: repeated values count from the first element, not from the first that is written."""
    values = _as_array(values)
    if np.size(primal_of(values)):
        if np.ndim(primal_of(values)):
            values = np.reshape(_repeated(values, a.size), a.shape)
        write(a, ..., np.where(np.reshape(mask, a.shape), values, a))


def put_along_axis(arr: Any, indices: Any, values: Any, axis: int | None) -> None:
    """As `np.put_along_axis`."""
    positions = np.arange(arr.size).reshape(arr.shape)
    picked = np.take_along_axis(positions, primal_of(indices), axis)
    write(arr, np.unravel_index(picked, arr.shape), values)


def add_at(a: Any, indices: Any, b: Any) -> None:
    """As ``np.add.at``."""
    update(a, a + _scattered(a, indices, b))


def subtract_at(a: Any, indices: Any, b: Any) -> None:
    """As ``np.subtract.at``."""
    update(a, a - _scattered(a, indices, b))


def at(ufunc: np.ufunc, a: Any, indices: Any, *b: Any) -> None:
    """As ``ufunc.at``: an element that is met several times is written several times, in turn."""
    positions = np.asarray(np.arange(a.size).reshape(a.shape)[own_index(indices)])
    others = [np.ravel(np.broadcast_to(_as_array(y), positions.shape)) for y in b]
    positions = positions.ravel()
    if positions.size == 0:
        return
    if not a.ndim:
        write(a, (), ufunc(a[()], *[other[0] for other in others]))
        return
    order = np.argsort(positions, kind="stable")
    _, firsts, counts = np.unique(positions[order], return_index=True, return_counts=True)
    turns = np.empty_like(positions)
    turns[order] = np.arange(positions.size) - np.repeat(firsts, counts)
    for turn in np.unique(turns):
        picked = np.flatnonzero(turns == turn)
        places = np.unravel_index(positions[picked], a.shape)
        y = ufunc(a[places], *[other[picked] for other in others])
        y_dtype = np.result_type(primal_of(y))
        if not np.can_cast(y_dtype, a.dtype, "same_kind"):
            raise TypeError(
                f"Cannot write {y_dtype} into an array of {a.dtype}, as np.{ufunc.__name__}.at does."
            )
        write(a, places, y)


def _as_array(values: Any) -> Any:
    """Values that NumPy takes for an array, as one."""
    return apply(np.array, (values,)) if isinstance(values, ARRAY_LIKE) else values


def _scattered(a: Any, indices: Any, b: Any) -> Any:
    shape = np.empty(a.shape, bool)[indices].shape
    return apply(scatter, (np.broadcast_to(_as_array(b), shape), np.zeros(a.shape), indices))


def _write_in_turn(a: Any, positions: Any, values: Any) -> None:
    """Write values one after the other, from the first again where there are too few; nothing if none.

    Positions are of the flattened array, in C's order.
    """
    values = _as_array(values)
    if not np.size(primal_of(values)):
        return
    values = _repeated(values, positions.size)
    if a.ndim:
        write(a, np.unravel_index(positions, a.shape), values)
    elif positions.size:
        write(a, (), values[-1] if np.ndim(primal_of(values)) else values)


def _repeated(values: Any, n: int) -> Any:
    """`values` in a row, from the first again where there are fewer than `n`."""
    return values if np.ndim(primal_of(values)) == 0 else np.resize(values, n)


_ADDING: dict[Any, Any] = {np.add.at: add_at, np.subtract.at: subtract_at}
_UFUNCS = {
    ufunc.at: ufunc
    for ufunc in vars(np).values()
    if isinstance(ufunc, np.ufunc) and ufunc.signature is None and ufunc.nin <= 2 and ufunc.nout == 1
}

fact(np.copyto, writes=0, writer=copyto)
fact(np.fill_diagonal, writes=0, writer=fill_diagonal)
fact(np.place, writes=0, writer=place)
fact(np.put, writes=0, writer=put)
fact(np.put_along_axis, writes=0, writer=put_along_axis)
fact(np.putmask, writes=0, writer=putmask)
for _f, _ufunc in _UFUNCS.items():
    fact(_f, writes=0, writer=_ADDING.get(_f) or functools.partial(at, _ufunc))

# Functions that are told whether to write into their first argument.
fact(np.median, np.nanmedian, overwrites=("overwrite_input", 3, True))
fact(np.percentile, np.quantile, overwrites=("overwrite_input", 4, True))
fact(np.nanpercentile, np.nanquantile, overwrites=("overwrite_input", 4, True))
fact(np.nan_to_num, overwrites=("copy", 1, False), returns=("its argument",))


def _writing_itself(marked: Any) -> Any:
    """What stands for a function that is marked for AD systems: if it writes, what stands for itself."""
    f = unwrap_primitive(marked)
    return marked if fact_of(f).writes is None else choose(f, False)


fact(type(primitive(np.copyto)), of_instances=_writing_itself)
