"""The arithmetic of tangents: one table for each operation, keyed by the kinds of the two operands.

The kinds of operands are ranked: ``NotImplementedTangent > NoTangent > ZeroTangent > thunk >
structural tangent > anything else``. Every pair of ranks has one entry in each table, so no pair is
ambiguous and none is forgotten. The rules behind the entries:

* a derivative that is not implemented stays so, unless it is multiplied by zero;
* ``NoTangent`` wins a sum with ``ZeroTangent``, ``ZeroTangent`` wins a product, so that multiplying can
  select; beside anything else both are an additive identity, which returns the other operand itself;
* zeros never compute a thunk;
* a structural tangent is a vector: it can be added to one of the same primal, added to its primal, and
  scaled by a number.

The operators of all tangent types (`AbstractTangent`), NumPy's hooks (`array_protocols`) and the functions
of `linear_operations` come from these tables. A table knows a type by its rank and by a few methods that
cannot have the name of a field: ``__unthunk__`` and ``__lazily__`` of thunks, ``__tangent_add__``,
``__tangent_add_primal__`` and ``__tangent_map__`` of structural tangents.
"""

import numbers
import operator
from collections.abc import Callable
from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np

from chainrules_core.backends import primal_of

Binary: TypeAlias = Callable[[Any, Any], Any]
Unary: TypeAlias = Callable[[Any], Any]


class Rank(IntEnum):
    """The kinds of operands, in order of precedence."""

    NOT_IMPLEMENTED = 0
    NO_TANGENT = 1
    ZERO = 2
    THUNK = 3
    STRUCTURAL = 4
    OTHER = 5


# Looking a member up in an `Enum` takes longer than all the rest.
_THUNK, _OTHER = Rank.THUNK, Rank.OTHER


def rank_of(x: object) -> Rank:
    """The rank of `x` in the tables; numbers, arrays, primals and foreign tangents are ``OTHER``."""
    rank: Rank = getattr(type(x), "__tangent_rank__", _OTHER)
    return rank


def is_tangent(x: object) -> bool:
    """Whether the type of `x` is one of the tangent types, which derive from `AbstractTangent`."""
    return hasattr(type(x), "__tangent_rank__")


def unthunk_fully(x: Any) -> Any:
    """The value of `x`, through however many layers of thunks; `x` itself if it is no thunk."""
    while rank_of(x) is _THUNK:
        x = x.__unthunk__()
    return x


def unthunk_throughout(x: Any) -> Any:
    """As `unthunk_fully`, in the fields of a structural tangent too; `x` itself if it holds no thunk.

    Examples
    --------
    >>> unthunk_throughout(Tangent[tuple](Thunk(lambda: 1.0), ZeroTangent()))
    Tangent[tuple](1.0, ZeroTangent())
    """
    x = unthunk_fully(x)
    return x.__tangent_map__(unthunk_throughout) if _holds_thunk(x) else x


def _holds_thunk(x: Any) -> bool:
    rank = rank_of(x)
    if rank is Rank.STRUCTURAL:
        return any(map(_holds_thunk, x.__tangent_vectors__()))
    return rank is _THUNK


class BinaryTable:
    """An operation of two operands, with an entry for every pair of ranks.

    Like an operator method, it returns `NotImplemented` for operands that it has no meaning for.
    """

    def __init__(self, *rows: tuple[Binary, ...]) -> None:
        self._rows = rows

    def __call__(self, x: Any, y: Any) -> Any:
        """The result of the operation."""
        # `rank_of`, written out: sums with zeros are frequent, and this is most of their time.
        row = self._rows[getattr(type(x), "__tangent_rank__", _OTHER)]
        return row[getattr(type(y), "__tangent_rank__", _OTHER)](x, y)


class UnaryTable:
    """An operation of one operand, with an entry for every rank."""

    def __init__(self, *row: Unary) -> None:
        self._row = row

    def __call__(self, x: Any) -> Any:
        """The result of the operation."""
        return self._row[rank_of(x)](x)


# --- Entries -------------------------------------------------------------------------------------


def left(x: Any, y: Any) -> Any:
    """The left operand itself."""
    return x


def right(x: Any, y: Any) -> Any:
    """The right operand itself."""
    return y


def itself(x: Any) -> Any:
    """The operand itself."""
    return x


def raise_not_implemented(x: Any) -> Any:
    """A derivative that is not implemented is needed: its error."""
    raise x.error()


def undefined(x: Any, y: Any) -> Any:
    """No meaning here; Python asks the other operand, and raises a TypeError in the end."""
    return NotImplemented


def forcing(operation: Binary) -> Binary:
    """`operation` on the values of the operands."""
    return lambda x, y: operation(unthunk_fully(x), unthunk_fully(y))


def refused(x: Any, y: Any) -> Any:
    """One of the operands is a derivative that is not implemented, and it is needed."""
    raise_not_implemented(x if rank_of(x) is Rank.NOT_IMPLEMENTED else y)


def divided_by_zero(x: Any, y: Any) -> Any:
    """Zero tangents have no inverse."""
    raise ZeroDivisionError(f"division of a tangent by {y!r}")


def is_scalar(x: Any) -> bool:
    """Whether `x` is, or carries, a number or an array without axes."""
    x = primal_of(x)
    return isinstance(x, numbers.Number) or (isinstance(x, np.ndarray) and x.ndim == 0)


# An operator of these has no meaning for a structural tangent. Objects of other classes are asked.
_ASKED_IN_VAIN = (numbers.Number, np.ndarray, tuple, list, dict)


def by_parts_only(x: Any, y: Any = None) -> Any:
    """No meaning for a structural tangent as a whole: an error that says how to go through its parts.

    Raises
    ------
    TypeError
        Unless `y` is of a class that may have a meaning for it.
    """
    tangent, other = (x, y) if rank_of(x) is Rank.STRUCTURAL else (y, x)
    if other is not None and rank_of(other) is not Rank.STRUCTURAL and not isinstance(other, _ASKED_IN_VAIN):
        return NotImplemented
    beside = "" if other is None else f", and this is an operation with a {type(other).__name__}"
    raise TypeError(
        f"A {type(tangent).__name__} can be scaled by a number, and added to its primal or to a tangent of "
        f"the same primal{beside}. To go through the numbers and arrays in it, write "
        "`chainrules.ad.tree_map(lambda p, g: p - 0.1 * g, params, gradient)`."
    )


def _add_structures(x: Any, y: Any) -> Any:
    result = x.__tangent_add__(y)
    return by_parts_only(x, y) if result is NotImplemented else result


def _add_to_primal(x: Any, y: Any) -> Any:
    tangent, primal = (x, y) if rank_of(x) is Rank.STRUCTURAL else (y, x)
    result = tangent.__tangent_add_primal__(primal)
    return by_parts_only(x, y) if result is NotImplemented else result


def _scale(x: Any, y: Any) -> Any:
    tangent, factor = (x, y) if rank_of(x) is Rank.STRUCTURAL else (y, x)
    if not is_scalar(factor):
        return by_parts_only(x, y)
    # `True` is the identity of multiplication: a partial derivative that is one, in any precision.
    return tangent if factor is True else tangent.__tangent_map__(lambda field: factor * field)


def _divide_structure(x: Any, y: Any) -> Any:
    return x.__tangent_map__(lambda field: field / y) if is_scalar(y) else by_parts_only(x, y)


def _negative_right(x: Any, y: Any) -> Any:
    return -y


def _plus_negative(x: Any, y: Any) -> Any:
    return x + -y


# --- The tables. Rows: the left operand; columns: the right one; both in order of precedence ------

_add = forcing(operator.add)

SUM = BinaryTable(
    (left, left, left, left, left, left),
    (right, left, left, right, right, right),
    (right, right, left, right, right, right),
    (right, left, left, _add, _add, _add),
    (right, left, left, _add, _add_structures, _add_to_primal),
    (right, left, left, _add, _add_to_primal, undefined),
)

_sub = forcing(operator.sub)

DIFFERENCE = BinaryTable(
    (refused, refused, refused, refused, refused, refused),
    (refused, left, left, _negative_right, _negative_right, _negative_right),
    (refused, right, left, _negative_right, _negative_right, _negative_right),
    (refused, left, left, _sub, _sub, _sub),
    (refused, left, left, _sub, _plus_negative, by_parts_only),
    (refused, left, left, _sub, _plus_negative, undefined),
)


def product_table(
    *, force: Binary, structure: Binary, structures: Binary = undefined, other: Binary = undefined
) -> BinaryTable:
    """The table of a product; the entries without a zero are given."""
    return BinaryTable(
        (left, right, right, left, left, left),
        (left, left, right, left, left, left),
        (left, left, left, left, left, left),
        (right, right, right, force, force, force),
        (right, right, right, force, structures, structure),
        (right, right, right, force, structure, other),
    )


PRODUCT = product_table(force=forcing(operator.mul), structure=_scale, structures=by_parts_only)
MATRIX_PRODUCT = product_table(force=forcing(operator.matmul), structure=undefined)

_div = forcing(operator.truediv)

QUOTIENT = BinaryTable(
    (refused, refused, refused, refused, refused, refused),
    (left, left, left, left, left, left),
    (left, left, left, left, left, left),
    (refused, divided_by_zero, divided_by_zero, _div, _div, _div),
    (refused, divided_by_zero, divided_by_zero, _div, by_parts_only, _divide_structure),
    (refused, divided_by_zero, divided_by_zero, _div, by_parts_only, undefined),
)

NEGATIVE = UnaryTable(
    itself,
    itself,
    itself,
    lambda x: x.__lazily__(operator.neg),
    lambda x: x.__tangent_map__(operator.neg),
    lambda x: -1 * x,
)
