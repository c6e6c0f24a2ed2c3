"""Multiples of the identity matrix, of whatever size is needed."""

# mypy: disable-error-code="untyped-decorator"
# plum loses the types of functions that are registered with a precedence.

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from chainrules_core.exceptions import DimensionMismatchError
from chainrules_core.structured.diagonal import Diagonal
from chainrules_core.structured.kinds import as_array
from chainrules_core.structured.operations import add, matmul, multiply, solve
from chainrules_core.structured.protocols import NumPyProtocols, is_number
from chainrules_core.tangents.linear_operations import conjugate_tangent


@dataclass(frozen=True, slots=True, eq=False)
class UniformScaling(NumPyProtocols):
    """A number times an identity matrix, of the size of the matrix that it meets; ``I`` is the identity.

    ``A + I``, ``2 * I``, ``(3 * I) @ x`` do what they say; ``I(n)`` is the `Diagonal` of size `n`. Without a
    size there is no elementwise product, and no array. The number may be one that an AD system traces: each
    operation is one with that number, so none needs a rule.

    Parameters
    ----------
    factor
        The number.

    Examples
    --------
    >>> from chainrules_core.structured import I
    >>> np.ones((2, 2)) - 3 * I
    array([[-2.,  1.],
           [ 1., -2.]])
    """

    factor: Any
    __hash__: ClassVar[None]  # type: ignore[assignment]  # there is none
    leaves_carriers: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not is_number(self.factor):
            raise TypeError(f"UniformScaling: {self.factor!r} is no number. A Diagonal has one for each row.")

    def __call__(self, n: int) -> Diagonal:
        """The `Diagonal` of shape ``(n, n)``."""
        # Not `np.full`, which would take the number out of the hands of an AD system.
        return Diagonal(np.ones(n, bool) * self.factor)

    @property
    def dtype(self) -> Any:
        """The dtype of the number."""
        return np.result_type(self.factor)

    @property
    def T(self) -> Self:
        """The matrix itself."""
        return self

    @property
    def H(self) -> "UniformScaling":
        """The conjugate transpose."""
        return self.conj()

    @property
    def real(self) -> "UniformScaling":
        """The real part."""
        return UniformScaling(np.real(self.factor))

    @property
    def imag(self) -> "UniformScaling":
        """The imaginary part."""
        return UniformScaling(np.imag(self.factor))

    def conj(self) -> "UniformScaling":
        """The complex conjugate."""
        return UniformScaling(conjugate_tangent(self.factor))

    def copy(self) -> Self:
        """The matrix itself: numbers need no memory of their own."""
        return self

    def negative(self) -> "UniformScaling":
        """With the opposite sign."""
        return UniformScaling(0 - self.factor)

    def scale(self, factor: Any) -> "UniformScaling":
        """The product with a number."""
        return UniformScaling(self.factor * factor)

    def divide(self, divisor: Any) -> "UniformScaling":
        """The quotient by a number."""
        return UniformScaling(self.factor / divisor)

    def elementwise(self, function: Any) -> "UniformScaling":
        """A function that keeps zeros, applied to each element."""
        return UniformScaling(function(self.factor))

    def inv(self) -> "UniformScaling":
        """The inverse."""
        return UniformScaling(1 / self.factor)

    def to_dense(self) -> Any:
        """There is none."""
        raise TypeError(f"{self!r} has no size, so it is no array; write {self!r}(n), a Diagonal.")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.to_dense()

    def __getitem__(self, key: tuple[int, int]) -> Any:
        """The element ``A[i, j]``."""
        i, j = key
        return self.factor if i == j else 0 * self.factor

    def __eq__(self, other: object) -> Any:
        return bool(self.factor == other.factor) if isinstance(other, UniformScaling) else NotImplemented

    def __ne__(self, other: object) -> Any:
        return not self == other if isinstance(other, UniformScaling) else NotImplemented

    def __repr__(self) -> str:
        return f"UniformScaling({self.factor!r})"


I = UniformScaling(True)  # noqa: E741 # as it is written; the identity in every precision


@add.dispatch
def add_scalings(x: UniformScaling, y: UniformScaling) -> Any:
    """The sum of the numbers."""
    return UniformScaling(x.factor + y.factor)


# The precedence says: a multiple of the identity decides, whatever else it meets.
@add.dispatch(precedence=1)
def add_to_scaling(x: UniformScaling, y: object) -> Any:
    """The number is added to the main diagonal of a square matrix."""
    array: Any = as_array(y)
    shape: tuple[int, ...] = getattr(array, "shape", ())
    if len(shape) != 2 or shape[0] != shape[1]:
        raise DimensionMismatchError(
            f"{x!r} can be added to square matrices, not to an array of shape {shape}."
        )
    return add(x(shape[0]), array)


@add.dispatch(precedence=1)
def add_scaling(x: object, y: UniformScaling) -> Any:
    """The number is added to the main diagonal of a square matrix."""
    return add(y, x)


@multiply.dispatch(precedence=1)
def multiply_scaling(x: UniformScaling, y: object) -> Any:
    """By a number."""
    if not is_number(y):
        raise TypeError(
            f"{x!r} * {y!r}: an elementwise product needs a size; for the matrix product write `@`."
        )
    return x.scale(y)


@multiply.dispatch(precedence=1)
def multiply_by_scaling(x: object, y: UniformScaling) -> Any:
    """By a number."""
    return multiply(y, x)


@multiply.dispatch
def multiply_scalings(x: UniformScaling, y: UniformScaling) -> UniformScaling:
    """The product of the numbers: two multiples of the identity have the same zeros, whatever the size."""
    return UniformScaling(x.factor * y.factor)


@matmul.dispatch(precedence=1)
def matmul_scaling(x: UniformScaling, y: object) -> Any:
    """`y` times the number."""
    y = as_array(y)
    return y * x.factor if getattr(y, "shape", ()) else NotImplemented


@matmul.dispatch(precedence=1)
def matmul_with_scaling(x: object, y: UniformScaling) -> Any:
    """`x` times the number."""
    return matmul(y, x)


@matmul.dispatch
def matmul_scalings(x: UniformScaling, y: UniformScaling) -> UniformScaling:
    """The product of the numbers."""
    return UniformScaling(x.factor * y.factor)


@solve.dispatch(precedence=1)
def solve_scaling(a: UniformScaling, b: object) -> Any:
    """`b` divided by the number."""
    return as_array(b) / a.factor


@solve.dispatch(precedence=1)
def solve_for_scaling(a: object, b: UniformScaling) -> Any:
    """The inverse times the number."""
    matrix: Any = as_array(a)
    return np.linalg.inv(matrix) * b.factor


@solve.dispatch
def solve_scalings(a: UniformScaling, b: UniformScaling) -> UniformScaling:
    """The quotient of the numbers."""
    return UniformScaling(b.factor / a.factor)
