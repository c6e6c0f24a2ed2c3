"""Operations whose result is one of their operands, to the bit, and those that do with smaller operands."""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.recording.recorded import is_recorded, recorded_in
from chainrules.ad.recording.tape import OF_NUMPY, Step

TIMES = (operator.mul, np.multiply)
_MATRIX_PRODUCTS = (np.matmul, operator.matmul, np.dot)
_COPYING = (np.copy, np.ndarray.copy)
_RAVELLED = (np.ravel, np.ndarray.ravel)
_SHAPED = (np.reshape, np.broadcast_to, np.ndarray.reshape, *_RAVELLED)


def operand_that_is_the_result(step: Step) -> Any:
    """The recorded operand that an operation returns as it is; `None` if there is none.

    An infinite complex number times one has a NaN for a part.
    """
    x: Any = None
    if step.f in TIMES and len(step.args) == 2 and not step.kwargs:
        if getattr(step.value, "dtype", np.dtype(float)).kind == "c":
            return None
        a, b = step.args
        x = a if _is_one(b) else b if _is_one(a) else None
    elif step.f in _COPYING and len(step.args) == 1:
        x = step.args[0]  # nobody writes into either of them
    elif step.f in _SHAPED and len(step.args) > (step.f not in _RAVELLED):
        x = None if step.kwargs or recorded_in(step.args[1:]) else step.args[0]  # the shape may vary
    return x if is_recorded(x) and _are_laid_out_alike(x._plain, step.value) else None


def without_identity(step: Step, made_by: Callable[[Any], Step | None]) -> Step:
    """A product ``(v * I) @ A`` as the matrix `A` with its rows scaled; of finite numbers alone.

    Jacobians begin with it, since they pull back all unit vectors at once. Signs of zeros may differ.
    """
    if step.f not in _MATRIX_PRODUCTS or len(step.args) != 2 or step.kwargs or np.ndim(step.value) != 2:
        return step
    made, A = made_by(step.args[0]), step.args[1]
    if made is None or made.f not in TIMES or made.kwargs:
        return step
    if np.ndim(_plain(A)) != 2 or not _plain(A).flags.c_contiguous:
        return step
    for v, other in (made.args, made.args[::-1]):
        if is_recorded(v) and np.ndim(v._plain) == 1 and _is_identity(other, step.value.dtype):
            return Step(step.kind, rows_scaled, (v, A), {}, step.value, step.errors, step.target, step.place)
    return step


def rows_scaled(v: Any, A: Any) -> Any:
    """The matrix whose rows are multiples of those of another one."""
    return v[:, None] * A


def _is_identity(x: Any, dtype: Any) -> bool:
    is_matrix = isinstance(x, np.ndarray) and x.ndim == 2 and x.dtype == dtype and dtype.kind == "f"
    return is_matrix and x.shape[0] == x.shape[1] and bool(np.array_equal(x, np.eye(len(x))))


def without_negation(step: Step, made_by: Callable[[Any], Step | None]) -> Step:
    """A sum of which one term is negated, as a difference: the same to the bit. NumPy's warnings name it."""
    y = step.value
    if step.f not in PLUS or len(step.args) != 2 or step.kwargs:
        return step
    if not isinstance(y, OF_NUMPY) or y.dtype.kind != "f":
        return step
    a, b = step.args
    for x, other in ((b, a), (a, b)):
        made = made_by(x)
        if made is None or made.f not in (operator.neg, np.negative) or len(made.args) != 1 or made.kwargs:
            continue
        if is_recorded(made.args[0]) and _are_laid_out_alike(made.args[0]._plain, x._plain):
            args = (other, made.args[0])
            return Step(step.kind, PLUS[step.f], args, {}, y, step.errors, step.target, step.place)
    return step


PLUS: dict[Any, Any] = {operator.add: operator.sub, np.add: np.subtract}


def factor_and_operand(step: Step) -> tuple[Any, Any]:
    """A finite number and the recorded value that it is multiplied by; `None` twice for other operations."""
    if step.f is operator.neg:
        return -1.0, step.args[0]
    if step.f in TIMES and len(step.args) == 2 and not step.kwargs:
        for a, b in (step.args, step.args[::-1]):
            # Within what single and half precision hold, where another number would be zero or infinite.
            if is_recorded(b) and not is_recorded(a) and isinstance(a, _REAL) and 1e-3 <= abs(a) <= 1e3:
                return a, b
    return None, None


def _is_one(x: Any) -> bool:
    """Whether a constant is one, in all elements."""
    if is_recorded(x):
        return False
    if isinstance(x, np.ndarray):
        return bool(x.size and x.dtype.kind == "f" and np.all(x == 1))
    return isinstance(x, _REAL) and not isinstance(x, bool) and x == 1


_REAL = (int, float)


def _are_laid_out_alike(x: Any, y: Any) -> bool:
    if type(x) is not type(y) or isinstance(x, complex):
        return False
    if not isinstance(x, np.ndarray):
        return True
    return bool(x.dtype == y.dtype and x.shape == y.shape and x.strides == y.strides)


def without_broadcasting(step: Step, made_by: Callable[[Any], Step | None]) -> Step:
    """An elementwise operation whose operands are as small as they can be, since NumPy broadcasts them.

    Parameters
    ----------
    step
        The operation.
    made_by
        The step that a recorded value is the whole result of, if it is.
    """
    y = step.value
    if not isinstance(y, np.ndarray) or y.dtype.kind != "f" or len(step.args) != 2 or step.kwargs:
        return step
    if step.f not in _ELEMENTWISE:
        return step
    args = list(step.args)
    for i, x in enumerate(args):
        other = _plain(args[1 - i])
        if isinstance(other, np.ndarray) and other.shape == y.shape and y.ndim:
            args[i] = _smaller(x, made_by)
    if all(map(operator.is_, args, step.args)):
        return step
    return Step(step.kind, step.f, tuple(args), step.kwargs, y, step.errors, step.target, step.place)


def _smaller(x: Any, made_by: Callable[[Any], Step | None]) -> Any:
    """What can be broadcast to `x`, or `x`. An array it stays: a number has another class."""
    if is_recorded(x):
        made = made_by(x)
        if made is None or made.f is not np.broadcast_to or made.kwargs:
            return x
        before = made.args[0]
        return (
            before
            if is_recorded(before) and isinstance(before._plain, np.ndarray) and before._plain.ndim
            else x
        )
    if not isinstance(x, np.ndarray) or x.size < 2 or x[(0,) * x.ndim].tobytes() * x.size != x.tobytes():
        return x
    one = np.array(x[(0,) * x.ndim])
    one.flags.writeable = False
    return one


def _plain(x: Any) -> Any:
    return x._plain if is_recorded(x) else x


# They compute the same of an array and of a number in its place; powers do not.
_ELEMENTWISE = frozenset(
    {
        operator.add, operator.sub, operator.mul, operator.truediv, np.add, np.subtract, np.multiply,
        np.divide, np.maximum, np.minimum,
    }
)  # fmt: skip


_NEW: set[Any] = {
    rows_scaled, np.zeros_like, np.ones_like, np.full_like, np.copy, np.ndarray.copy, np.concatenate,
    np.stack, np.linalg.inv, np.linalg.solve, operator.add, operator.sub, operator.mul, operator.truediv,
    operator.pow, operator.matmul, operator.neg,
}  # fmt: skip


def is_new(step: Step) -> bool:
    """Whether the result of an operation is an array that nobody else holds, at each call."""
    y = step.value
    if step.kind != "operation" or not isinstance(y, np.ndarray) or y.base is not None:
        return False
    if step.f in (np.sum, np.ndarray.sum, np.add.reduce):
        return y.ndim < np.ndim(_plain(step.args[0]))
    return step.f in _NEW or isinstance(step.f, np.ufunc)
