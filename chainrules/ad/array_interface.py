"""What makes a traced value usable as a number or an array: operators, NumPy's protocols, methods.

Every operation is a call of a function that has a rule. Operators are the functions of `operator`, methods
those of `numpy`.
"""

import operator
import sys
import types
from collections.abc import Callable, Iterator
from numbers import Number
from typing import Any, NoReturn

import numpy as np

from chainrules.casting import astype
from chainrules_core import primal_of
from chainrules_core.fields import field_names
from chainrules_core.sparse_arrays import SparseArray

# The other operand of an operator is nearly always one of these; what else is taken is found by `isinstance`.
_FREQUENT = frozenset({float, int, complex, np.ndarray, np.float64})
_ARRAY_TYPES = (Number, np.ndarray, np.generic)

# What an operator of an array and a sparse array means: NumPy calls the ufunc, which knows no sparse arrays.
_OPERATORS: dict[np.ufunc, Callable[[Any, Any], Any]] = {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.divide: operator.truediv,
    np.matmul: operator.matmul,
}

# The functions of SciPy that its sparse arrays' operators are made of, and that may meet a traced value.
_SPARSE_OPERATORS = frozenset(
    {"_divide", "_matmul_dispatch", "_multiply_2d_with_broadcasting", "_rmatmul_dispatch", "multiply"}
)

# What NumPy makes arrays of where it expects one.
_SEQUENCES = (list, tuple)


def _binary(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if self._takes(other) or isinstance(other, SparseArray):
            return self._call(f, (self, other))
        return self._call(f, (self, np.asarray(other))) if isinstance(other, _SEQUENCES) else NotImplemented

    return method


def _reflected(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if self._takes(other) or isinstance(other, SparseArray):
            return self._call(f, (other, self))
        return self._call(f, (np.asarray(other), self)) if isinstance(other, _SEQUENCES) else NotImplemented

    return method


def _unary(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return self._call(f, (self,))

    return method


def _comparison(f: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        # The answer is a plain bool or an array of them, so that a program can branch on it.
        return f(primal_of(self), primal_of(other)) if self._takes(other) else NotImplemented

    return method


def _numpy_method(f: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        _refuse_out(f, kwargs)
        return self._call(f, (self, *args), kwargs)

    method.__name__ = f.__name__
    method.__doc__ = f"As `numpy.{f.__name__}`."
    return method


class ArrayInterface:
    """The operators, protocols and methods of a traced value, in terms of calls of functions with rules."""

    __slots__ = ()

    # NumPy asks the right operand first, and never takes it for an element of an array of objects.
    __array_priority__ = 1000.0

    value: Any
    _call: Callable[..., Any]
    """Call a function through its rule, and record the call; from the class of traced values."""

    def _takes(self, other: Any) -> bool:
        """Whether an operator of this class knows what to do with the other operand."""
        cls = type(other)
        return cls in _FREQUENT or cls is type(self) or isinstance(other, _ARRAY_TYPES) or has_rules(cls)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        for x in inputs:
            if x is not self and not self._takes(x):
                if not isinstance(x, _SEQUENCES):
                    return NotImplemented
                inputs = tuple(np.asarray(x) if isinstance(x, _SEQUENCES) else x for x in inputs)
        if type(self.value) not in _FREQUENT and isinstance(primal_of(self), SparseArray):
            return self._call(_OPERATORS.get(ufunc, ufunc), inputs)
        if method != "__call__":
            _refuse_out(ufunc, kwargs)
            return self._call(getattr(ufunc, method), inputs, kwargs)
        if kwargs:
            _refuse_keywords(ufunc, kwargs)
        return self._call(ufunc, inputs)

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        if not all(issubclass(cls, type(self) | np.ndarray) or has_rules(cls) for cls in types):
            return NotImplemented
        _refuse_out(function, kwargs)
        return self._call(function, args, kwargs)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if _asked_by_sparse_operator(sys._getframe(1)):  # noqa: SLF001 - whoever wants the array
            # What stands there for "no array": the sparse operand then lets this class have its turn.
            no_array = np.empty((), dtype=object)
            no_array[()] = self
            return no_array
        raise TypeError(
            "A traced value was about to be converted to an array, by `np.asarray`, `np.array` or a "
            "function that calls them, which would lose its derivative. Call a function that has a rule, "
            "or give this one a rule: see `chainrules.ad.call`. For the plain value, without derivatives, "
            "write `chainrules_core.primal_of(x)`."
        )

    def __float__(self) -> NoReturn:
        raise TypeError(
            "A traced value was about to be converted to a float, which would lose its derivative; "
            "functions of `math` do this. Use the function of NumPy with the same name. For the plain "
            "value, without derivatives, write `float(chainrules_core.primal_of(x))`."
        )

    __complex__ = __int__ = __index__ = __float__

    def __setitem__(self, index: Any, value: Any) -> NoReturn:
        raise TypeError(
            "x[...] = v was called on a traced array. Writing into an array leaves no trace for the "
            "derivative. Build a new array instead: `np.where(mask, v, x)`, or write into a plain array "
            "before differentiating."
        )

    def __getattr__(self, name: str) -> Any:
        if name in _fields_of(self):
            return self._call(getattr, (self, name))
        if hasattr(np.ndarray, name):
            raise AttributeError(
                f"`x.{name}` of a traced value has no derivative rule. Use a function of NumPy that has one; "
                f"for the plain value, without derivatives, write `chainrules_core.primal_of(x).{name}`.",
                name=name,
                obj=self,
            )
        raise AttributeError(f"a traced value has no attribute {name!r}", name=name, obj=self)

    def __bool__(self) -> bool:
        return bool(primal_of(self))

    def __len__(self) -> int:
        return len(primal_of(self))

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __hash__(self) -> int:
        return id(self)

    __add__, __radd__ = _binary(operator.add), _reflected(operator.add)
    __sub__, __rsub__ = _binary(operator.sub), _reflected(operator.sub)
    __mul__, __rmul__ = _binary(operator.mul), _reflected(operator.mul)
    __truediv__, __rtruediv__ = _binary(operator.truediv), _reflected(operator.truediv)
    __floordiv__, __rfloordiv__ = _binary(operator.floordiv), _reflected(operator.floordiv)
    __mod__, __rmod__ = _binary(operator.mod), _reflected(operator.mod)
    __pow__, __rpow__ = _binary(operator.pow), _reflected(operator.pow)
    __matmul__, __rmatmul__ = _binary(operator.matmul), _reflected(operator.matmul)
    __neg__, __pos__, __abs__ = _unary(operator.neg), _unary(operator.pos), _unary(operator.abs)

    __eq__ = _comparison(operator.eq)
    __ne__ = _comparison(operator.ne)
    __lt__, __le__ = _comparison(operator.lt), _comparison(operator.le)
    __gt__, __ge__ = _comparison(operator.gt), _comparison(operator.ge)

    def __getitem__(self, index: Any) -> Any:
        return self._call(operator.getitem, (self, index))

    all, any = _numpy_method(np.all), _numpy_method(np.any)
    argmax, argmin = _numpy_method(np.argmax), _numpy_method(np.argmin)
    clip, conj, conjugate = _numpy_method(np.clip), _numpy_method(np.conjugate), _numpy_method(np.conjugate)
    cumprod, cumsum = _numpy_method(np.cumprod), _numpy_method(np.cumsum)
    diagonal, dot = _numpy_method(np.diagonal), _numpy_method(np.dot)
    max, min = _numpy_method(np.max), _numpy_method(np.min)
    mean, std, var = _numpy_method(np.mean), _numpy_method(np.std), _numpy_method(np.var)
    prod, sum = _numpy_method(np.prod), _numpy_method(np.sum)
    ravel, flatten = _numpy_method(np.ravel), _numpy_method(np.ravel)
    repeat, squeeze, swapaxes = (
        _numpy_method(np.repeat),
        _numpy_method(np.squeeze),
        _numpy_method(np.swapaxes),
    )

    def astype(self, dtype: Any, **kwargs: Any) -> Any:
        """As the method of arrays."""
        return self._call(astype, (self, dtype), kwargs)

    def reshape(self, *shape: Any, **kwargs: Any) -> Any:
        """As `np.reshape`; the shape may be given as several arguments."""
        return self._call(np.reshape, (self, shape[0] if len(shape) == 1 else shape), kwargs)

    def transpose(self, *axes: Any) -> Any:
        """As `np.transpose`; the axes may be given as several arguments."""
        order = axes[0] if len(axes) == 1 else axes or None
        return self._call(np.transpose, (self, order))

    @property
    def real(self) -> Any:
        """The real part."""
        return self._call(np.real, (self,))

    @property
    def imag(self) -> Any:
        """The imaginary part."""
        return self._call(np.imag, (self,))

    @property
    def T(self) -> Any:  # noqa: N802 - NumPy's name
        """The array with its axes reversed."""
        return self._call(np.transpose, (self,))

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value."""
        return np.shape(primal_of(self))

    @property
    def ndim(self) -> int:
        """The number of axes of the value."""
        return np.ndim(primal_of(self))

    @property
    def size(self) -> int:
        """The number of elements of the value."""
        return np.size(primal_of(self))

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the value."""
        value = primal_of(self)
        return value.dtype if hasattr(value, "dtype") else np.result_type(value)


def has_rules(cls: type) -> bool:
    """Whether the arrays of a class leave operations with traced values to rules.

    Other classes that look like arrays may be containers that hold traced values.
    """
    return getattr(cls, "intercepts_carriers", False) or issubclass(cls, SparseArray)


def _fields_of(x: Any) -> tuple[Any, ...]:
    """The fields of the array that a traced value carries, if it is structured."""
    value = primal_of(x)
    return field_names(value) if getattr(type(value), "intercepts_carriers", False) else ()


def _refuse_out(f: Any, kwargs: dict[str, Any]) -> None:
    out = kwargs.get("out")
    if out is not None and not (isinstance(out, tuple) and all(item is None for item in out)):
        raise TypeError(
            f"{getattr(f, '__name__', f)}(..., out=...) was called with a traced value. Writing into an "
            "array leaves no trace for the derivative, and so do `a += x` and the like on a plain array "
            "`a`. Write `a = a + x`."
        )


def _refuse_keywords(ufunc: np.ufunc, kwargs: dict[str, Any]) -> None:
    _refuse_out(ufunc, kwargs)
    given = [
        name for name, value in kwargs.items() if name != "out" and not (name == "where" and value is True)
    ]
    if given:
        raise TypeError(
            f"np.{ufunc.__name__}(..., {given[0]}=...) was called with a traced value: the rules of "
            "elementwise functions have no derivative for their keywords. Choose elements with `np.where`, "
            "and convert with `x.astype(dtype)`."
        )


def _asked_by_sparse_operator(frame: types.FrameType) -> bool:
    """Whether it is SciPy's code of ``A @ x`` or ``A * x``, for a sparse `A`, that asks for an array.

    It does so before it gives way to the operators of a class that it does not know.
    """
    module = frame.f_globals.get("__name__", "")
    return module.startswith("scipy.sparse._") and frame.f_code.co_name in _SPARSE_OPERATORS
