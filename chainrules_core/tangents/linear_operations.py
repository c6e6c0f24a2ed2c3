"""Linear operations on operands of any kind: numbers, arrays, primals, and every type of tangent.

`add_tangents`, `subtract` and `scale_tangent` are the operators, except that they refuse lists and tuples,
which Python would concatenate or repeat. The others extend functions that NumPy has to all tangents.
"""

from typing import Any

import numpy as np

from chainrules_core.backends import primal_of
from chainrules_core.exceptions import DimensionMismatchError
from chainrules_core.laziness import may_hold
from chainrules_core.tangents.arithmetic import (
    SUM,
    Rank,
    UnaryTable,
    is_tangent,
    itself,
    product_table,
    raise_not_implemented,
    rank_of,
    undefined,
    unthunk_fully,
)

# Of these `+` concatenates the first, and adds the last two as integers. None of them is a vector.
_CONTAINERS = (tuple, list, dict, set, frozenset, str, bytes, bytearray)
_NOT_VECTORS = (*_CONTAINERS, bool, np.bool_)


def add_tangents(x: Any, y: Any) -> Any:
    """``x + y``, of tangents of the same primal, or of a primal and its tangent.

    Raises
    ------
    TypeError
        If neither is a tangent type and one is a container, a string or a bool.
    """
    if rank_of(y) <= Rank.ZERO:
        return SUM(x, y)  # without asking `x`, whose sum may take anything
    _refuse(x, y, _NOT_VECTORS, "+")
    return x + y


def subtract(x: Any, y: Any) -> Any:
    """``x - y``; see `add_tangents`."""
    _refuse(x, y, _NOT_VECTORS, "-")
    return x - y


def scale_tangent(x: Any, y: Any) -> Any:
    """``x * y``; one factor is a number if the other is a structural tangent. See `add_tangents`."""
    _refuse(x, y, _CONTAINERS, "*")
    return x * y


def muladd(x: Any, y: Any, z: Any) -> Any:
    """``x * y + z``, without the operations that a zero makes unnecessary."""
    return add_tangents(scale_tangent(x, y), z)


def _refuse(x: Any, y: Any, types: tuple[type, ...], operation: str) -> None:
    for operand in (x, y):
        if isinstance(operand, types) and rank_of(x) is rank_of(y) is Rank.OTHER:
            kind = type(operand).__name__
            raise TypeError(
                f"{x!r} {operation} {y!r}: a {kind} is not a tangent, and Python's `{operation}` does not "
                f"add or scale it. Write `Tangent[{kind}](...)` for a container, or "
                "`chainrules.ad.tree_map(f, x, y)`, which goes through it; `NoTangent()` for what cannot be "
                "perturbed."
            )


# --- Functions of one operand ----------------------------------------------------------------------


def conjugate_tangent(x: Any) -> Any:
    """The complex conjugate; of a thunk a thunk, of a structural tangent field by field."""
    return _CONJ(x)


_CONJ = UnaryTable(
    itself,
    itself,
    itself,
    lambda x: x.__lazily__(conjugate_tangent),
    lambda x: x.__tangent_map__(conjugate_tangent),
    lambda x: x.conjugate() if hasattr(x, "conjugate") else x if is_tangent(x) else np.conj(x),
)


def real(x: Any) -> Any:
    """The real part; of a structural tangent field by field."""
    return _REAL(x)


_REAL = UnaryTable(
    itself, itself, itself, lambda x: real(unthunk_fully(x)), lambda x: x.__tangent_map__(real), np.real
)


def imag(x: Any) -> Any:
    """The imaginary part; of a structural tangent field by field."""
    return _IMAG(x)


_IMAG = UnaryTable(
    itself, itself, itself, lambda x: imag(unthunk_fully(x)), lambda x: x.__tangent_map__(imag), np.imag
)


def transpose(x: Any) -> Any:
    """The last two axes transposed; a value with fewer axes is returned as it is. A thunk gives a thunk."""
    return _TRANSPOSE(x)


def _transposed(x: Any) -> Any:
    ndim = np.ndim(x)
    if ndim < 2:
        return x
    return x.T if ndim == 2 else np.swapaxes(x, -1, -2)


_TRANSPOSE = UnaryTable(
    raise_not_implemented,
    itself,
    itself,
    lambda x: x.__lazily__(transpose),
    lambda x: _undefined("transpose", x),
    _transposed,
)


def adjoint(x: Any) -> Any:
    """The conjugate transpose of the last two axes. Of a thunk a thunk."""
    return conjugate_tangent(transpose(x))


def iszero(x: Any) -> bool:
    """Whether `x` is zero: an AD system need not go on from here. Computes thunks."""
    return _ISZERO(x)  # type: ignore[no-any-return]  # each entry gives a bool


def _value_is_zero(x: Any) -> bool:
    x = primal_of(x)
    return not is_tangent(x) and not (x.count_nonzero() if hasattr(x, "tocoo") else may_hold(x))


_ISZERO = UnaryTable(
    lambda _: False,
    lambda _: True,
    lambda _: True,
    lambda x: iszero(unthunk_fully(x)),
    lambda x: all(map(iszero, x.__tangent_vectors__())),
    _value_is_zero,
)


def norm(x: Any) -> Any:
    """The Euclidean norm of all numbers in `x`; 0.0 of a zero."""
    return _NORM(x)


def _norm_of_value(x: Any) -> Any:
    if hasattr(x, "tocoo"):
        return np.sqrt(x.multiply(x.conjugate()).sum().real)
    return np.linalg.norm(x) if np.ndim(x) else abs(x)


_NORM = UnaryTable(
    raise_not_implemented,
    lambda _: 0.0,
    lambda _: 0.0,
    lambda x: norm(unthunk_fully(x)),
    lambda x: np.sqrt(sum(norm(field) ** 2 for field in x.__tangent_vectors__())),
    _norm_of_value,
)


# --- The inner product -----------------------------------------------------------------------------


def dot(x: Any, y: Any) -> Any:
    """The inner product, which conjugates its first operand; of structural tangents field by field.

    Raises
    ------
    DimensionMismatchError
        If the operands have different shapes.
    TypeError
        If they are structural tangents of different primals, or one is and the other is not.
    """
    result = _DOT(x, y)
    return _undefined("dot", x, y) if result is NotImplemented else result


def _dot_of_structures(x: Any, y: Any) -> Any:
    if type(x) is not type(y):
        return NotImplemented
    return sum((dot(a, b) for a, b in x.__tangent_pairs__(y)), start=0.0)


def _dot_of_values(x: Any, y: Any) -> Any:
    _refuse(x, y, _NOT_VECTORS, "dot")
    if np.shape(x) != np.shape(y):
        raise DimensionMismatchError(f"dot: the operands have the shapes {np.shape(x)} and {np.shape(y)}.")
    if hasattr(x, "tocoo"):
        return x.conjugate().multiply(y).sum()
    return np.vdot(x, y) if np.ndim(x) else conjugate_tangent(x) * y


_DOT = product_table(
    force=lambda x, y: dot(unthunk_fully(x), unthunk_fully(y)),
    structure=undefined,
    structures=_dot_of_structures,
    other=_dot_of_values,
)


def _undefined(operation: str, *operands: Any) -> Any:
    kinds = " and ".join(type(x).__name__ for x in operands)
    raise TypeError(
        f"{operation} is not defined for {kinds}; apply it to their fields: `t.map({operation})`."
    )
