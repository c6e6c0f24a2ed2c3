"""`AbstractTangent`: the base class of all tangent types.

Its operators look the two operands up in the tables of `chainrules_core.tangents.arithmetic`, and its hooks
into NumPy use these too. It has no public attributes: the attributes of a structural tangent are the fields
of its primal, whatever they are called.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from chainrules_core.tangents import arithmetic as tangent_arithmetic
from chainrules_core.tangents import array_protocols
from chainrules_core.tangents.arithmetic import Rank


def no_attribute(tangent: object, name: str, more: str = "") -> AttributeError:
    """The error for an attribute that `tangent` does not have, worded as Python's own."""
    message = f"{type(tangent).__name__!r} object has no attribute {name!r}{'. ' if more else ''}{more}"
    return AttributeError(message, name=name, obj=tangent)


class AbstractTangent:
    """The base class of all tangent types that are not simply numbers or arrays.

    A tangent is an element of a vector space: tangents of the same primal can be added, and scaled
    by a number. A tangent can be added to its primal, which gives a primal.

    A type of your own derives from this class and defines ``__add__``, ``__mul__``, ``__rmul__`` and
    ``__neg__`` for its own instances, each beginning with, or falling back to, the method of this class:
    that is what makes ``ZeroTangent``, ``NoTangent``, not implemented derivatives and thunks work with it.
    """

    __slots__ = ()

    # The place in the precedence of the arithmetic table; types from elsewhere are like numbers and arrays.
    __tangent_rank__: ClassVar[Rank] = Rank.OTHER

    def __add__(self, other: Any) -> Any:
        return tangent_arithmetic.SUM(self, other)

    def __radd__(self, other: Any) -> Any:
        return tangent_arithmetic.SUM(other, self)

    def __sub__(self, other: Any) -> Any:
        return tangent_arithmetic.DIFFERENCE(self, other)

    def __rsub__(self, other: Any) -> Any:
        return tangent_arithmetic.DIFFERENCE(other, self)

    def __mul__(self, other: Any) -> Any:
        return tangent_arithmetic.PRODUCT(self, other)

    def __rmul__(self, other: Any) -> Any:
        return tangent_arithmetic.PRODUCT(other, self)

    def __matmul__(self, other: Any) -> Any:
        return tangent_arithmetic.MATRIX_PRODUCT(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return tangent_arithmetic.MATRIX_PRODUCT(other, self)

    def __truediv__(self, other: Any) -> Any:
        return tangent_arithmetic.QUOTIENT(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return tangent_arithmetic.QUOTIENT(other, self)

    def __neg__(self) -> Any:
        return tangent_arithmetic.NEGATIVE(self)

    def __pos__(self) -> Any:
        return self

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return array_protocols.array_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        return array_protocols.array_function(func, args, kwargs)
