"""NumPy's hooks for tangents: a ufunc, or another function of NumPy, with a tangent among its arguments.

Without ``__array_ufunc__`` NumPy would take a tangent for an element and ``np.ones(2) + ZeroTangent()``
for an array of objects. The hooks look the operation up in the tables of
`chainrules_core.tangents.arithmetic`, so that ``np.add(a, b)`` is ``a + b`` whatever the operands are. Thunks
take part by their values.
"""

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any

import numpy as np

from chainrules_core.exceptions import MutateThunkError
from chainrules_core.tangents.arithmetic import (
    DIFFERENCE,
    MATRIX_PRODUCT,
    NEGATIVE,
    PRODUCT,
    QUOTIENT,
    SUM,
    Rank,
    by_parts_only,
    is_tangent,
    itself,
    rank_of,
    unthunk_fully,
)
from chainrules_core.tangents.linear_operations import conjugate_tangent

_OPERATIONS: dict[np.ufunc, Callable[..., Any]] = {
    np.add: SUM,
    np.subtract: DIFFERENCE,
    np.multiply: PRODUCT,
    np.matmul: MATRIX_PRODUCT,
    np.true_divide: QUOTIENT,
    np.negative: NEGATIVE,
    np.positive: itself,
    np.conjugate: conjugate_tangent,
}

# Functions that are linear in each of their array arguments, and zero if one of these is.
_LINEAR = frozenset(
    {
        *(np.sum, np.mean, np.cumsum, np.trace, np.diff, np.real, np.imag),
        *(np.reshape, np.ravel, np.squeeze, np.expand_dims, np.broadcast_to, np.tile, np.repeat),
        *(np.transpose, np.matrix_transpose, np.swapaxes, np.moveaxis, np.rollaxis),
        *(np.flip, np.roll, np.rot90, np.take, np.diagonal, np.diag, np.triu, np.tril),
        *(np.dot, np.vdot, np.inner, np.outer, np.tensordot, np.einsum, np.kron, np.cross, np.convolve),
    }
)

# Functions that write into their first argument.
_WRITING = frozenset({np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal})


def array_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of a ufunc that has a tangent among its operands, or `NotImplemented`."""
    if method == "__call__" and not kwargs and ufunc in _OPERATIONS:
        return _OPERATIONS[ufunc](*inputs)
    outputs = inputs[:1] if method == "at" else kwargs.get("out", ())
    if any(rank_of(out) is Rank.THUNK for out in outputs):
        raise mutation_error()
    inputs = tuple(map(unthunk_fully, inputs))
    if all(not is_tangent(x) for x in inputs):
        return getattr(ufunc, method)(*inputs, **kwargs)
    if method != "__call__":
        return NotImplemented
    if ufunc in (np.equal, np.not_equal):
        # Tangents of different kinds are never equal, nor is one to an array.
        return (inputs[0] is inputs[1]) is (ufunc is np.equal)
    if ufunc in _OPERATIONS and kwargs.keys() == {"out"}:
        return _written(_OPERATIONS[ufunc](*inputs), outputs[0])
    tangent = next((x for x in inputs if rank_of(x) is Rank.STRUCTURAL), None)
    if tangent is None:
        return NotImplemented
    return by_parts_only(tangent, next((x for x in inputs if x is not tangent), None))


def _written(result: Any, out: Any) -> Any:
    """`out`, with `result` in it: ``a += ZeroTangent()`` leaves `a` as it is."""
    rank = rank_of(result)
    if rank is Rank.NOT_IMPLEMENTED:
        raise result.error()
    if result is NotImplemented or rank is Rank.STRUCTURAL:
        return NotImplemented
    if result is not out:
        out[...] = 0 if rank in (Rank.ZERO, Rank.NO_TANGENT) else result
    return out


def array_function(func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of a function of NumPy that has a tangent among its arguments, or `NotImplemented`.

    Thunks are replaced by their values, in nested lists and tuples too. Linear functions of a zero are
    that zero; elsewhere a zero takes part as the number ``0.0``, which has no precision of its own.
    """
    if rank_of(kwargs.get("out")) is Rank.THUNK or (func in _WRITING and rank_of(args[0]) is Rank.THUNK):
        raise mutation_error()
    args = _replaced(unthunk_fully, args)
    kwargs = {name: _replaced(unthunk_fully, value) for name, value in kwargs.items()}
    tangents = [*_tangents_in(args), *_tangents_in(list(kwargs.values()))]
    if any(rank_of(x) >= Rank.STRUCTURAL for x in tangents):
        return NotImplemented
    if tangents and func in _LINEAR and kwargs.get("out") is None:
        return reduce(PRODUCT, tangents)
    kwargs = {name: _replaced(_zero_as_number, value) for name, value in kwargs.items()}
    return func(*_replaced(_zero_as_number, args), **kwargs)


def _replaced(replace: Callable[[Any], Any], x: Any) -> Any:
    """`x` with every item of its nested lists and tuples replaced."""
    if type(x) in (tuple, list):
        return type(x)(_replaced(replace, item) for item in x)
    return replace(x)


def _tangents_in(x: Any) -> Iterator[Any]:
    if type(x) in (tuple, list):
        for item in x:
            yield from _tangents_in(item)
    elif is_tangent(x):
        yield x


def _zero_as_number(x: Any) -> Any:
    """0.0 for a zero, an error for a derivative that is not implemented, `x` itself otherwise."""
    if rank_of(x) is Rank.NOT_IMPLEMENTED:
        raise x.error()
    return 0.0 if rank_of(x) in (Rank.ZERO, Rank.NO_TANGENT) else x


def mutation_error() -> MutateThunkError:
    """The error for writing into a thunk."""
    return MutateThunkError(
        "Tried to write into a thunk: it stands for a value that may not be computed yet, and that others "
        "may share. `unthunk` it first, and write into a copy: `x = unthunk(t).copy()`."
    )
