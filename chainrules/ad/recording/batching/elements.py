"""Functions of each element, with a leading axis for the items."""

import operator
from typing import Any

import numpy as np

from chainrules.ad.recording.batching.items import (
    PYTHON_NUMBERS,
    Call,
    Items,
    NoBatchedFormError,
    call_of,
    items_in,
    only_first,
)


def elementwise(call: Call) -> Any:
    """Operands are aligned, so that axes meet as in each item."""
    options = {name: x for name, x in call.kwargs.items() if name not in {"out", "where"}}
    operands = [*call.args, *(call.kwargs[name] for name in ("out", "where") if name in call.kwargs)]
    if next(items_in(options), None) is not None or any(isinstance(x, tuple | list) for x in operands):
        raise NoBatchedFormError
    ndim = max(np.ndim(x.plain if isinstance(x, Items) else x) for x in operands)
    # Python's numbers are in double precision, whatever they are made of.
    dtype = np.dtype(float) if type(call.plain) is float else _dtype_beside_python_numbers(call.args)
    args = [_operand(x, ndim, dtype) for x in call.args]
    return call_of(call.f, args, {name: _operand(x, ndim, None) for name, x in call.kwargs.items()})


def _operand(x: Any, ndim: int, dtype: Any) -> Any:
    if not isinstance(x, Items):
        return x
    y = x.aligned(ndim)
    is_free = x.ndim == 0  # as numbers are, in the place of which an array stands
    is_changed = dtype is not None and is_free and y.dtype != dtype
    return y.astype(dtype) if is_changed else y


def _dtype_beside_python_numbers(args: tuple[Any, ...]) -> Any:
    """The dtype that numbers of Python's take beside arrays, which an array of them would not."""
    plains = [x.plain if isinstance(x, Items) else x for x in args]
    if not any(type(x.plain) in PYTHON_NUMBERS for x in args if isinstance(x, Items)):
        return None
    kinds = [
        getattr(x, "dtype", x)
        for x in plains
        if isinstance(x, np.ndarray | np.generic | int | float | complex)
    ]
    return np.result_type(*kinds) if any(isinstance(x, np.dtype) for x in kinds) else None


def power(call: Call) -> Any:
    """``x ** y``, of numbers as `np.power`; of arrays NumPy takes a square root, another function."""
    is_of_numbers = np.ndim(call.plain) == 0
    if is_of_numbers and type(call.args[1]) is not Items and call.args[1] == 0.5:
        raise NoBatchedFormError
    f = np.power if is_of_numbers and call.f is operator.pow else call.f
    return elementwise(Call(f, call.args, call.kwargs, call.plain, call.size))


def first_alone(call: Call) -> Any:
    """Whatever does the same with each element of the first argument."""
    return call_of(call.f, (only_first(call).value, *call.args[1:]), call.kwargs)
