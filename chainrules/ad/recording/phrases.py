"""NumPy's own ways to write a call, which take a part of the time of its general functions.

``np.sum(x)`` looks at each argument, and at the class of `x`, before it calls ``np.add.reduce``. In a
generated program all of that is known. Each phrase computes the same, to the bit.
"""

import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.recording.recorded import is_recorded
from chainrules.ad.recording.tape import OF_NUMPY, Step

_Write = Callable[[Any], str]

_INFIX: dict[Any, str] = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.pow: "**",
    operator.matmul: "@", operator.floordiv: "//", operator.mod: "%", operator.and_: "&", operator.or_: "|",
    operator.xor: "^", operator.lshift: "<<", operator.rshift: ">>", operator.eq: "==", operator.ne: "!=",
    operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=",
}  # fmt: skip
# Of ufuncs, where an operand is an array or a number of NumPy's.
_OF_UFUNCS: dict[Any, str] = {
    np.add: "+", np.subtract: "-", np.multiply: "*", np.divide: "/", np.matmul: "@", np.equal: "==",
    np.not_equal: "!=", np.less: "<", np.less_equal: "<=", np.greater: ">", np.greater_equal: ">=",
}  # fmt: skip
_CONTAINERS = (tuple, list)
PREFIX: dict[Any, str] = {operator.neg: "-", operator.pos: "+", operator.invert: "~"}

_REDUCTIONS: dict[Any, str] = {
    np.sum: "np.add", np.ndarray.sum: "np.add", np.prod: "np.multiply", np.ndarray.prod: "np.multiply",
    np.max: "np.maximum", np.ndarray.max: "np.maximum", np.min: "np.minimum", np.ndarray.min: "np.minimum",
}  # fmt: skip
_MEANS = (np.mean, np.ndarray.mean)
_TRANSPOSING = (np.swapaxes, np.ndarray.swapaxes, np.transpose, np.ndarray.transpose)
_METHODS: dict[Any, str] = {
    np.reshape: "reshape", np.ravel: "ravel", np.squeeze: "squeeze", np.any: "any", np.all: "all",
    np.swapaxes: "swapaxes",
}  # fmt: skip


def phrase(step: Step, write: _Write, write_operand: _Write) -> str | None:
    """The text of a call in NumPy's own words; `None` if there is nothing better than the call.

    Parameters
    ----------
    step
        An operation or a write.
    write
        Gives the text of an argument.
    write_operand
        Gives the text of what a dot follows.
    """
    f, args = step.f, step.args
    if f is np.zeros_like or f is np.ones_like or f is np.full_like or f is np.einsum:
        return _einstein_sum(step, write, write_operand) if f is np.einsum else _filled(step, write)
    if not args or not is_recorded(args[0]) or not isinstance(args[0]._plain, np.ndarray):
        return None
    x = write_operand(args[0])
    if f in _REDUCTIONS or f in _MEANS:
        return _reduction(step, write(args[0]), write)
    if is_transpose(step):
        return f"{x}.T"
    name = _METHODS.get(f) if _is_called_alike(step) else None
    if f is np.expand_dims and len(args) == 2 and type(args[1]) is int and not step.kwargs:
        before = args[1] % step.value.ndim
        is_last = 0 < before == step.value.ndim - 1
        return f"{x}[{'..., ' if is_last else ':, ' * before}None]"
    if getattr(f, "__objclass__", None) is np.ndarray:
        name = f.__name__
    if name is None:
        return None
    options = [f"{key}={write(value)}" for key, value in step.kwargs.items()]
    return f"{x}.{name}({', '.join([*map(write, args[1:]), *options])})"


def _are_laid_out_alike(x: Any, y: Any) -> bool:
    return isinstance(x, np.ndarray) and (x.shape, x.strides, x.dtype) == (y.shape, y.strides, y.dtype)


def _is_called_alike(step: Step) -> bool:
    """Whether the method takes the arguments of the function as they are given."""
    most = 2 if step.f is np.reshape else 3  # what follows the shape is another length to the method
    return len(step.args) <= most and not step.kwargs.keys() & {"shape", "axis1", "axis2"}


def _reduction(step: Step, x: str, write: _Write) -> str | None:
    names = ("axis", "dtype", "out", "keepdims")
    given = {**dict(zip(names, step.args[1:], strict=False)), **step.kwargs}
    array = step.args[0]._plain
    if given.keys() - {"axis", "keepdims"} or len(step.args) > 2 or array.dtype.kind not in "fc":
        return None
    axis = f"axis={write(given.get('axis'))}"
    options = axis + (f", keepdims={write(given['keepdims'])}" if "keepdims" in given else "")
    if step.f not in _MEANS:
        return f"{_REDUCTIONS[step.f]}.reduce({x}, {options})"
    if array.dtype != np.float64 or not array.size or not np.size(step.value):
        return None  # the mean of others is computed in another precision
    return f"np.add.reduce({x}, {options}) / {array.size // np.size(step.value)}"


def is_transpose(step: Step) -> bool:
    """Whether an operation is the transpose of a recorded matrix."""
    is_one = step.kind == "operation" and any(step.f is f for f in _TRANSPOSING)
    if not is_one or step.kwargs or not is_recorded(step.args[0]) or step.args[0]._plain.ndim != 2:
        return False
    axes = step.args[1:]
    if step.f in (np.transpose, np.ndarray.transpose):
        return not axes
    return all(type(axis) is int for axis in axes) and sorted(axis % 2 for axis in axes) == [0, 1]


def _filled(step: Step, write: _Write) -> str | None:
    """Zeros or ones, by the function that makes them of a shape, and a copy of another constant."""
    y = step.value
    if step.f is np.full_like:
        constant = step.args[1]
        if not _are_laid_out_alike(constant, y):
            return None
        if any(constant.tobytes()):  # to the bit, since zeros have signs
            return f"{write(constant)}.copy('K')"
    if type(y) is not np.ndarray or not y.flags.c_contiguous or not _has_native_name(y.dtype):
        return None
    dtype = "" if y.dtype == np.float64 else f", np.{y.dtype.name}"
    return f"np.{'ones' if step.f is np.ones_like else 'zeros'}({y.shape}{dtype})"


def _has_native_name(dtype: np.dtype[Any]) -> bool:
    return dtype.isnative and getattr(np, dtype.name, None) is dtype.type


def _einstein_sum(step: Step, write: _Write, write_operand: _Write) -> str | None:
    """A product of matrices, which BLAS computes; or a sum whose order is known, and need not be sought."""
    letters, *operands = step.args
    plain = [x._plain if is_recorded(x) else x for x in operands]
    if not isinstance(letters, str) or step.kwargs != {"optimize": True}:
        return None
    if len(operands) > 2:
        path = np.einsum_path(letters, *plain, optimize=True)[0]
        return f"np.einsum({', '.join(map(write, step.args))}, optimize={path!r})"
    found = re.fullmatch(r"(\w\w),(\w\w)->(\w\w)", letters.replace(" ", ""))
    if found is None or not all(isinstance(x, np.ndarray) and x.dtype.kind in "fc" for x in plain):
        return None
    *pairs, output = found.groups()
    summed, kept = {*pairs[0]} & {*pairs[1]}, {*pairs[0]} ^ {*pairs[1]}
    lengths = {x.shape[pair.index(i)] for x, pair in zip(plain, pairs, strict=True) for i in summed}
    if len(summed) != 1 or len(kept) != 2 or kept != {*output} or len(lengths) != 1:
        return None
    terms = sorted(zip(pairs, operands, strict=True), key=lambda term: output[0] not in term[0])
    written = [
        write(x) if pair[1 - i] in summed else f"{write_operand(x)}.T" for i, (pair, x) in enumerate(terms)
    ]
    return f"np.dot({', '.join(written)})"


def infix_of(step: Step) -> str | None:
    """The operator by which a call is written; `None` if by none."""
    if len(step.args) != 2 or step.kwargs:
        return None
    if step.f in _INFIX:
        return _INFIX[step.f]
    infix = _OF_UFUNCS.get(step.f)
    if infix is None:
        return None
    # `np.add(2, 3)` of Python's numbers is a number of NumPy's, unlike `2 + 3`.
    plain = [x._plain if is_recorded(x) else x for x in step.args]
    is_of_numpy = any(isinstance(x, OF_NUMPY) for x in plain)
    is_infix = is_of_numpy and not any(isinstance(x, _CONTAINERS) for x in plain)
    return infix if is_infix else None


def plain_numbers(infix: str, a: Any, b: Any) -> tuple[Any, Any]:
    """The operands of arithmetic, with Python's number for one of NumPy's that need not be made at each call.

    The result is the same, to the bit, where the other operand is of double precision.
    """
    return (_plain_beside(a, b), _plain_beside(b, a)) if infix in ("+", "-", "*", "/") else (a, b)


def _plain_beside(x: Any, other: Any) -> Any:
    is_double = is_recorded(other) and getattr(other._plain, "dtype", None) == np.float64
    return float(x) if type(x) is np.float64 and is_double else x
