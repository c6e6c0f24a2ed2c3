"""NumPy's protocols for structured arrays: operators, ufuncs, and NumPy's other functions.

What is not in the tables here is done by NumPy on dense arrays, and returns what NumPy returns.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from chainrules_core.carriers import backend_of
from chainrules_core.structured.operations import add, matmul, multiply
from chainrules_core.tangent_arithmetic import is_tangent

# The methods for functions of NumPy other than ufuncs; filled by `array_functions`.
ARRAY_FUNCTIONS: dict[Callable[..., Any], Callable[..., Any]] = {}


class NumPyProtocols(NDArrayOperatorsMixin):
    """Operators by NumPy's ufuncs, these and other functions of NumPy by the tables of this package."""

    __slots__ = ()

    @abstractmethod
    def to_dense(self) -> Any:
        """The matrix as an ordinary array."""

    @abstractmethod
    def elementwise(self, function: Callable[[Any], Any]) -> Any:
        """A function that keeps zeros, applied to each element."""

    @abstractmethod
    def divide(self, divisor: Any) -> Any:
        """The quotient by a number."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(map(is_tangent, inputs)) or any(backend_of(type(x)) for x in inputs):
            return NotImplemented  # what becomes of tangents, their own table says; of carriers, their rules
        if any(isinstance(out, NumPyProtocols) for out in kwargs.get("out", ())):
            raise TypeError(f"np.{ufunc.__name__}: a structured array cannot be written into by `out`.")
        operation = OPERATIONS.get(ufunc) if method == "__call__" and not kwargs else None
        if operation is not None:
            return operation(*inputs)
        if ufunc in _KEEPING_ZEROS and method == "__call__" and not kwargs:
            return inputs[0].elementwise(ufunc)
        return getattr(ufunc, method)(*map(dense, inputs), **kwargs)

    def __array_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Any:
        if any(map(backend_of, types)):
            return NotImplemented  # there is a rule for it, or an error that says so
        if func in ARRAY_FUNCTIONS:
            result = ARRAY_FUNCTIONS[func](*args, **kwargs)
            if result is not NotImplemented:
                return result
        return func(*_all_dense(args), **{name: _all_dense(value) for name, value in kwargs.items()})

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
    return isinstance(x, int | float | complex | np.generic) or getattr(x, "shape", None) == ()


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


def _power(x: Any, y: Any) -> Any:
    if isinstance(x, NumPyProtocols) and isinstance(y, int | float | np.integer | np.floating) and y > 0:
        return x.elementwise(lambda elements: elements**y)
    return np.power(dense(x), dense(y))


OPERATIONS: dict[np.ufunc, Callable[..., Any]] = {
    np.add: add,
    np.subtract: _subtract,
    np.multiply: multiply,
    np.matmul: matmul,
    np.true_divide: _divide,
    np.power: _power,
    np.negative: lambda x: x.negative(),
    np.positive: lambda x: x.copy(),
    np.conjugate: lambda x: x.conj(),
}

# Other ufuncs that are zero at zero.
_KEEPING_ZEROS = frozenset(
    {
        *(np.absolute, np.fabs, np.sign, np.sqrt, np.cbrt, np.square, np.expm1, np.log1p),
        *(np.sin, np.tan, np.arcsin, np.arctan, np.sinh, np.tanh, np.arcsinh, np.arctanh),
        *(np.floor, np.ceil, np.trunc, np.rint, np.deg2rad, np.rad2deg),
    }
)
