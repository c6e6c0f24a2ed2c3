"""`StructuredArray`: the base class of square matrices with structure."""

import operator
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any, ClassVar, Self

import numpy as np

from chainrules_core.arrays.abstract_array import AbstractArray
from chainrules_core.carriers.keywords import bind_keywords
from chainrules_core.carriers.search import ORDINARY_CLASSES, backend_for
from chainrules_core.structured.operations import solve
from chainrules_core.structured.positions import is_position, positions
from chainrules_core.structured.protocols import NumPyProtocols
from chainrules_core.tangent_spaces.accumulation import is_inplaceable_destination
from chainrules_core.tangents.arithmetic import is_tangent


class StructuredArray(NumPyProtocols, AbstractArray):
    """A square matrix that stores fewer numbers than it has elements, or looks at some of its numbers only.

    A matrix holds the arrays that it is given, without copying them, and cannot exchange them for others.
    These arrays may be NumPy's or another library's. A matrix that is made from a value that an AD
    system traces is made by that system, and is traced as a whole.

    Operators and NumPy's functions return a structured array where that is cheap and the result always has
    this structure. Elsewhere they work on `to_dense()` and return the same as NumPy. An element that is zero
    by the structure stays zero, even if it is multiplied by infinity. ``A == B`` is one bool: whether all
    elements are equal; ``np.equal(A, B)`` compares element by element. Matrices have no hash. Their elements
    cannot be assigned to; the arrays in their fields can be written into.

    **To write a subclass**, make it a dataclass, ``@dataclass(frozen=True, slots=True, eq=False,
    repr=False)``, each of whose fields is an array, or a string or number that is no part of the derivative,
    such as the side of the diagonal. The elements have to depend linearly on the arrays: zeros and sums of
    such matrices are then made field by field. Define two members:

    - `shape`, a property: ``(n, n)``;
    - `entries`: the elements at given rows and columns.

    All others follow from these, by way of a dense array. For better ones, define

    - `T`, a property: the transpose, of the same class where it has that structure;
    - `elementwise`: a function that is zero at zero, applied to all elements;
    - `extent`, a property: the lowest and the highest diagonal that may have elements other than zero;
    - `diagonal` and `to_dense`, where there is a quicker way than by `entries`;
    - `times_dense`, `solve_dense`, `inv`, `det`, `slogdet`: products, solutions and determinants.

    Sums, elementwise products, matrix products and solutions of two structured arrays are the functions
    `add`, `multiply`, `matmul` and `solve` of `chainrules_core.structured`: give them a method for the class,
    with ``add.dispatch``. The class needs a projector too, see `MatrixProjector`.
    """

    __slots__ = ()
    __hash__: ClassVar[None]  # type: ignore[assignment]  # there is none

    intercepts_carriers: ClassVar[bool] = True
    """Whether a call of the class with carriers is left to their AD system, which traces the whole instance.

    Instances of an array class without this attribute hold traced values in their fields, as those of other
    classes do.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """An instance; if carriers are among the arguments, the answer of their AD system to the call."""
        if not kwargs and all(type(x) in ORDINARY_CLASSES for x in args):
            return object.__new__(cls)
        backend = backend_for((*args, *kwargs.values()))
        if backend is None:
            return object.__new__(cls)
        args, kwargs = bind_keywords(cls, args, kwargs, lambda _: True)
        return backend.call(cls, args, kwargs)

    @property
    @abstractmethod
    def shape(self) -> tuple[int, ...]:
        """``(n, n)``."""

    @abstractmethod
    def entries(self, i: Any, j: Any) -> Any:
        """The elements at given rows and columns.

        Parameters
        ----------
        i, j
            Rows and columns: integers, or integer arrays of shapes that broadcast. Each is at least 0 and
            less than `n`.

        Returns
        -------
        array or number
            ``A[i, j]``, in the shape that `i` and `j` broadcast to.
        """

    # --- Derived from these: subclasses may know a quicker way, or a result with structure ---------------

    def to_dense(self) -> Any:
        """The matrix as an ordinary array of shape ``(n, n)``, in new memory."""
        i = np.arange(len(self))
        return self.entries(i[:, np.newaxis], i)

    @property
    def extent(self) -> tuple[int, int]:
        """The lowest and the highest diagonal that may have elements other than zero.

        The main diagonal is 0, the one above it 1, the one below it -1.
        """
        beside = max(len(self) - 1, 2)  # the kind of a result does not depend on its size
        return -beside, beside

    def diagonal(self, offset: int = 0) -> Any:
        """The elements of a diagonal, shape ``(n - abs(offset),)``; above the main one for offsets > 0."""
        i = np.arange(len(self) - abs(offset))
        return self.entries(i + max(-offset, 0), i + max(offset, 0))

    @property
    def T(self) -> Any:
        """The transpose."""
        return np.transpose(self.to_dense())

    def elementwise(self, function: Callable[[Any], Any]) -> Any:
        """A function that keeps zeros, applied to each element."""
        return function(self.to_dense())

    @property
    def dtype(self) -> Any:
        """The dtype of the elements."""
        dtypes = [x.dtype for x in self.arrays()]
        return dtypes[0] if len(dtypes) == 1 else np.result_type(*dtypes)

    @property
    def ndim(self) -> int:
        """Two."""
        return 2

    @property
    def size(self) -> int:
        """The number of elements, zeros included."""
        return len(self) ** 2

    def arrays(self) -> list[Any]:
        """The fields that are arrays."""
        return [value for value in self._field_values() if hasattr(value, "dtype")]

    def map_arrays(self, function: Callable[[Any], Any]) -> Self:
        """A matrix of the same kind that holds ``function(array)`` for each array of this one."""
        values = self._field_values()
        return type(self)(*[function(value) if hasattr(value, "dtype") else value for value in values])

    def _field_values(self) -> list[Any]:
        return [getattr(self, field.name) for field in fields(self)]  # type: ignore[arg-type]  # a dataclass

    def stored_arrays(self) -> list[Any]:
        """The arrays, with zeros in the place of the elements that the matrix does not look at."""
        return self.arrays()

    def full(self) -> Any:
        """The matrix with all its elements: dense, or sparse where it is made of a sparse array."""
        return self.to_dense()

    def scale(self, factor: Any) -> Any:
        """The product with a number."""
        return self.elementwise(lambda elements: elements * factor)

    def divide(self, divisor: Any) -> Any:
        """The quotient by a number."""
        return self.elementwise(lambda elements: elements / divisor)

    def negative(self) -> Any:
        """Every element with the opposite sign."""
        return self.elementwise(operator.neg)

    def conj(self) -> Self:
        """The complex conjugate."""
        return self.map_arrays(lambda elements: elements.conj())

    def conjugate(self) -> Self:
        """The complex conjugate."""
        return self.conj()

    @property
    def H(self) -> Any:
        """The conjugate transpose."""
        return self.conj().T

    @property
    def mT(self) -> Any:
        """The transpose."""
        return self.T

    @property
    def real(self) -> Any:
        """The real parts."""
        return self.elementwise(np.real)

    @property
    def imag(self) -> Any:
        """The imaginary parts."""
        return self.elementwise(np.imag)

    def astype(self, dtype: Any) -> Self:
        """The same matrix with elements of another dtype."""
        return self.map_arrays(lambda elements: elements.astype(dtype))

    def copy(self) -> Self:
        """The same matrix in memory of its own."""
        return self.map_arrays(lambda elements: elements.copy())

    def transpose(self) -> Any:
        """The transpose."""
        return self.T

    def trace(self) -> Any:
        """The sum of the main diagonal."""
        return np.sum(self.diagonal())

    def sum(self, axis: int | None = None) -> Any:
        """The sum of all elements, or of each column (``axis=0``) or row (``axis=1``)."""
        ones = np.ones(len(self), self.dtype if self.dtype.kind in "iufc" else np.float64)
        along = self @ ones if axis in (1, -1) else self.T @ ones
        return np.sum(along) if axis is None else along

    def solve(self, b: Any) -> Any:
        """The solution of ``self @ x = b``, for `b` of shape ``(n,)`` or ``(n, m)``, structured or not.

        Raises
        ------
        numpy.linalg.LinAlgError
            If the matrix is exactly singular.
        """
        return solve(self, b)

    def solve_dense(self, b: Any) -> Any:
        """`solve` for an ordinary array `b`."""
        return np.linalg.solve(self.to_dense(), b)

    def inv(self) -> Any:
        """The inverse."""
        return np.linalg.inv(self.to_dense())

    def det(self) -> Any:
        """The determinant."""
        return np.linalg.det(self.to_dense())

    def slogdet(self) -> tuple[Any, Any]:
        """The sign of the determinant, of modulus one, and the logarithm of its modulus."""
        sign, logabsdet = np.linalg.slogdet(self.to_dense())
        return sign, logabsdet

    def times_dense(self, y: Any) -> Any:
        """``self @ y`` for an ordinary array `y`."""
        return self.full() @ y

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Any:
        """The element ``A[i, j]``; rows, columns, blocks and selections as ordinary arrays."""
        i, j = (*key, slice(None), slice(None))[:2] if isinstance(key, tuple) else (key, slice(None))
        if (isinstance(key, tuple) and len(key) > 2) or not (is_position(i) and is_position(j)):
            return self.to_dense()[key]
        is_outer = isinstance(i, slice) or isinstance(j, slice)
        i, j = positions(i, len(self)), positions(j, len(self))
        if is_outer and np.ndim(i) and np.ndim(j):
            i = i[:, np.newaxis]
        return self.entries(i, j)

    def __iadd__(self, other: Any) -> Any:
        """``A += B`` in the memory of the arrays that `A` holds, where the sum is of its kind and dtype."""
        is_same_kind = type(other) is type(self) and other.extent == self.extent and other.shape == self.shape
        if not (is_same_kind and is_inplaceable_destination(self)):
            return self + other
        pairs = list(zip(self.arrays(), other.stored_arrays(), strict=True))
        if not all(np.can_cast(y.dtype, x.dtype, "same_kind") for x, y in pairs):
            return self + other
        for x, y in pairs:
            np.add(x, y, out=x)
        return self

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if copy is False:
            raise ValueError(f"a {type(self).__name__} has no memory that a dense array could share.")
        return np.asarray(self.to_dense(), dtype=dtype)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, StructuredArray):
            if self.shape != other.shape:
                return False
            lo, hi = min(self.extent[0], other.extent[0]), max(self.extent[1], other.extent[1])
            if hi - lo <= 2:
                return all(np.array_equal(self.diagonal(k), other.diagonal(k)) for k in range(lo, hi + 1))
        elif not hasattr(other, "__array__") or is_tangent(other):
            return NotImplemented
        return np.array_equal(self.to_dense(), np.asarray(other))

    def __ne__(self, other: object) -> Any:
        is_equal = self.__eq__(other)
        return is_equal if is_equal is NotImplemented else not is_equal

    def __bool__(self) -> bool:
        raise ValueError(f"is a {type(self).__name__} true? Write np.any(A) or np.all(A).")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._field_values()))})"
