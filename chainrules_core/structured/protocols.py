"""NumPy's protocols for structured arrays: operators, ufuncs, and NumPy's other functions.

A function that is not in the tables here is applied by NumPy to dense arrays, with NumPy's result.
"""

import functools
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from chainrules_core.backends import backend_of
from chainrules_core.structured.operations import add, matmul, multiply
from chainrules_core.tangents.arithmetic import is_tangent

# The methods for functions of NumPy other than ufuncs; filled by `array_functions`.
ARRAY_FUNCTIONS: dict[Callable[..., Any], Callable[..., Any]] = {}


class NumPyProtocols(NDArrayOperatorsMixin):
    """Operators by NumPy's ufuncs, these and other functions of NumPy by the tables of this package."""

    __slots__ = ()

    leaves_carriers: ClassVar[bool] = True
    """Whether operations with a carrier are left to the rules of its AD system."""

    @abstractmethod
    def to_dense(self) -> Any:
        """The matrix as an ordinary array."""

    @property
    @abstractmethod
    def dtype(self) -> Any:
        """The dtype of the elements."""

    @abstractmethod
    def elementwise(self, function: Callable[[Any], Any]) -> Any:
        """A function that keeps zeros, applied to each element."""

    @abstractmethod
    def divide(self, divisor: Any) -> Any:
        """The quotient by a number."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(map(is_tangent, inputs)) or self._is_left(map(type, inputs)):
            return NotImplemented  # tangents have tables of their own, carriers have rules
        if any(isinstance(out, NumPyProtocols) for out in kwargs.get("out", ())):
            raise TypeError(f"np.{ufunc.__name__}: a structured array cannot be written into by `out`.")
        operation = OPERATIONS.get(ufunc) if method == "__call__" and not kwargs else None
        if operation is not None:
            return operation(*inputs)
        if method == "__call__" and not kwargs and keeps_zeros(ufunc, *inputs):
            return _elementwise(ufunc, inputs)
        return getattr(ufunc, method)(*map(dense, inputs), **kwargs)

    def __array_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Any:
        if self._is_left(types):
            return NotImplemented  # there is a rule for it, or an error that says so
        if func in ARRAY_FUNCTIONS:
            result = ARRAY_FUNCTIONS[func](*args, **kwargs)
            if result is not NotImplemented:
                return result
        return func(*_all_dense(args), **{name: _all_dense(value) for name, value in kwargs.items()})

    def _is_left(self, types: Iterable[type]) -> bool:
        return self.leaves_carriers and any(map(backend_of, types))

    # Python would look for `out` in these.
    def __iadd__(self, other: Any) -> Any:
        return self + other

    def __isub__(self, other: Any) -> Any:
        return self - other

    def __imul__(self, other: Any) -> Any:
        return self * other

    def __itruediv__(self, other: Any) -> Any:
        return self / other

    def __imatmul__(self, other: Any) -> Any:
        return self @ other


def dense(x: Any) -> Any:
    """A structured array as an ordinary one; anything else as it is."""
    return x.to_dense() if isinstance(x, NumPyProtocols) else x


def _all_dense(x: Any) -> Any:
    if type(x) in (list, tuple):
        return type(x)(map(_all_dense, x))
    return dense(x)


def is_number(x: Any) -> bool:
    """Whether `x` is a number, or an array, traced or not, without axes."""
    return isinstance(x, int | float | complex) or getattr(x, "shape", None) == ()


def _subtract(x: Any, y: Any) -> Any:
    if type(y) in (list, tuple):
        y = np.asarray(y)
    # Unsigned integers have no negatives of their own.
    if getattr(getattr(y, "dtype", None), "kind", "") in ("b", "u") and hasattr(y, "astype"):
        y = y.astype(np.result_type(getattr(x, "dtype", x), y.dtype))
    return add(x, -y)


def _divide(x: Any, y: Any) -> Any:
    if isinstance(x, NumPyProtocols) and is_number(y):
        return x.divide(y)
    return np.true_divide(dense(x), dense(y))


def keeps_zeros(function: Callable[..., Any], *operands: Any) -> bool:
    """Whether an elementwise function of one structured array and numbers is zero where the array is."""
    arrays = [x for x in operands if isinstance(x, NumPyProtocols)]
    if len(arrays) != 1 or not all(x is arrays[0] or is_number(x) for x in operands):
        return False
    dtype = arrays[0].dtype
    if len(operands) == 1:
        return _keeps_zero(function, dtype)
    return _gives_zero(function, [dtype.type(0) if x is arrays[0] else x for x in operands])


@functools.lru_cache(maxsize=256)  # one's own ufuncs do not accumulate
def _keeps_zero(function: Callable[..., Any], dtype: np.dtype[Any]) -> bool:
    return _gives_zero(function, [dtype.type(0)])


@np.errstate(all="ignore")  # a logarithm says no, and not more
def _gives_zero(function: Callable[..., Any], operands: list[Any]) -> bool:
    y = function(*operands)
    return not isinstance(y, tuple) and not np.any(y)


def _elementwise(function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
    """A function that keeps zeros, of a structured array and numbers."""
    (x,) = (x for x in operands if isinstance(x, NumPyProtocols))
    return x.elementwise(lambda elements: function(*[elements if y is x else y for y in operands]))


OPERATIONS: dict[np.ufunc, Callable[..., Any]] = {
    np.add: add,
    np.subtract: _subtract,
    np.multiply: multiply,
    np.matmul: matmul,
    np.true_divide: _divide,
    np.negative: lambda x: x.negative(),
    np.positive: lambda x: x.copy(),
    np.conjugate: lambda x: x.conj(),
}
