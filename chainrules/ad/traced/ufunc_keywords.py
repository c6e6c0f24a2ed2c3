"""The keywords of NumPy's elementwise functions for traced arguments: ``where``, ``dtype``, `axis`."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chainrules.operations.casting import astype
from chainrules.operations.writing import written
from chainrules_core import primal_of

# What does not change the values of a result.
_OF_MEMORY = frozenset({"order", "subok"})


def without_casting(ufunc: np.ufunc, inputs: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The keywords without ``casting``, which forbids conversions and changes no result.

    Beside ``dtype`` it stays, and is refused.

    Parameters
    ----------
    ufunc, inputs, kwargs
        A call of a ufunc with ``casting``.

    Raises
    ------
    TypeError
        Where NumPy would not convert an argument, or a result.
    """
    if ufunc.signature is not None or {"dtype", "signature"} & kwargs.keys():
        return kwargs
    kwargs = dict(kwargs)
    out = kwargs.get("out") or (None,) * ufunc.nout
    ufunc.resolve_dtypes((*map(_dtype, inputs), *map(_dtype, out)), casting=kwargs.pop("casting"))
    return kwargs


def _dtype(x: Any) -> Any:
    """The dtype of an operand; of Python's numbers, which take the dtype of an array, their class."""
    primal = primal_of(x)
    if primal is None or primal.__class__ in (int, float, complex):
        return None if primal is None else primal.__class__
    return np.asarray(primal).dtype


def without_dtype(
    apply: Callable[..., Any], ufunc: np.ufunc, inputs: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments in the dtype in which to compute, and the keywords that rules take.

    Those are `axis` alone, for products of vectors along an axis.

    Parameters
    ----------
    apply
        Calls a function by its rule.
    ufunc, inputs, kwargs
        A call of a ufunc.

    Raises
    ------
    TypeError
        For other keywords, and where NumPy would not convert an argument.
    """
    kwargs = {
        name: value
        for name, value in kwargs.items()
        if name not in _OF_MEMORY and not (name == "where" and value is True)
    }
    dtype = kwargs.get("dtype")
    if dtype is not None and np.dtype(dtype).kind in "fc" and ufunc.signature is None:
        del kwargs["dtype"]
        inputs = [_as(apply, x, np.dtype(dtype), ufunc) for x in inputs]
    if kwargs and (ufunc.signature is None or kwargs.keys() != {"axis"}):
        raise TypeError(
            f"np.{ufunc.__name__}(..., {next(iter(kwargs))}=...) was called with a traced value: the rules "
            "of ufuncs have no derivative for this keyword. Choose elements with `np.where`, move axes with "
            "`np.moveaxis`, and convert with `x.astype(dtype)`."
        )
    return tuple(inputs), kwargs


def _as(apply: Callable[..., Any], x: Any, dtype: np.dtype[Any], ufunc: np.ufunc) -> Any:
    primal = primal_of(x)
    if not isinstance(primal, np.ndarray | np.generic) or primal.dtype == dtype:
        return x
    if not np.can_cast(primal.dtype, dtype, "same_kind"):
        raise TypeError(
            f"Cannot cast ufunc {ufunc.__name__!r} input from {primal.dtype!r} to {dtype!r} with casting "
            "rule 'same_kind'"
        )
    return apply(astype, (x, dtype))


def computed_where(
    apply: Callable[..., Any], ufunc: np.ufunc, inputs: Sequence[Any], kwargs: dict[str, Any], out: Any
) -> tuple[np.ndarray[Any, Any], Any]:
    """The places where a ufunc is computed, and its results there: nothing is computed elsewhere.

    So a division by zero that ``where`` leaves out gives no infinite derivative.

    Parameters
    ----------
    apply
        Calls a function by its rule.
    ufunc, inputs, kwargs
        A call of a ufunc with the keyword ``where``, which holds booleans.
    out
        The array for the results, or `None`.
    """
    where = primal_of(kwargs["where"])
    kwargs = {name: value for name, value in kwargs.items() if name != "where"}
    shapes = [np.shape(primal_of(x)) for x in (*inputs, where)]
    shape = np.broadcast_shapes(*shapes, *([] if out is None else [np.shape(primal_of(out))]))
    mask = np.broadcast_to(where, shape)
    if mask.dtype != np.bool_:
        raise TypeError(f"np.{ufunc.__name__}(..., where=...) takes booleans, not {mask.dtype}")
    if out is not None and np.shape(primal_of(out)) != shape:
        raise ValueError(
            f"non-broadcastable output operand with shape {np.shape(primal_of(out))} doesn't match the "
            f"broadcast shape {shape}"
        )
    picked = [np.broadcast_to(x, shape)[mask] if np.ndim(primal_of(x)) else x for x in inputs]
    return mask, ufunc(*picked, **kwargs) if mask.any() else np.zeros(0)


def only_there(apply: Callable[..., Any], mask: np.ndarray[Any, Any], y: Any) -> Any:
    """An array of results, zero where there are none; NumPy leaves there what is in the memory."""
    return apply(written, (np.zeros(mask.shape, np.result_type(primal_of(y))), y, mask))
