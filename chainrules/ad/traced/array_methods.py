"""The methods and attributes of arrays on traced values: functions of `numpy`, called by their rules."""

import operator
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
from numpy.lib.stride_tricks import as_strided

from chainrules.ad.traced.array_protocols import put_out, without_out
from chainrules.ad.traced.conversions import refused_conversion
from chainrules.ad.traced.formatted_text import formatted_text
from chainrules.ad.traced.trace import Trace
from chainrules.operations.casting import astype
from chainrules_core import RuleNotFoundError, is_lazy, primal_of


def _numpy_method(f: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        args = (self, *args)
        if kwargs or len(args) > 1:
            args, kwargs, out = without_out(f, args, kwargs)
            if out is not None:
                if isinstance(out, np.ndarray):
                    self._trace.before_writing(out)
                return put_out(f, out, f(*args, **kwargs))
        try:
            return self._trace.apply(f, args, kwargs)
        except RuleNotFoundError as missing:
            return self._call_with_arrays(f, args, kwargs, missing)

    method.__name__ = f.__name__
    method.__doc__ = f"As `numpy.{f.__name__}`."
    return method


def _function_of_value(f: Callable[[Any], Any], assign: Callable[[Any, Any], None] | None = None) -> Any:
    name = f.__name__

    def of_value(self: Any) -> Any:
        value = primal_of(self)
        knows = value.__class__ is np.ndarray or is_lazy(value)  # (the size of a sparse array is another)
        return getattr(value, name) if knows else f(value)

    # A plain number: it has no derivative, and a program may branch on it, and index with it.
    return property(of_value, assign, doc=f"As `numpy.{name}`, of the value.")


def _refuse_shape(x: Any, shape: Any) -> NoReturn:
    raise AttributeError(
        "The shape of a traced array cannot be assigned, which NumPy discourages too. Write "
        f"`x = x.reshape({shape})`.",
        name="shape",
        obj=x,
    )


_clip, _copy = _numpy_method(np.clip), _numpy_method(np.copy)


class ArrayMethods:
    """The methods and attributes of a traced value."""

    __slots__ = ()

    _value: Any
    _trace: Trace

    all, any = _numpy_method(np.all), _numpy_method(np.any)
    argmax, argmin = _numpy_method(np.argmax), _numpy_method(np.argmin)
    argsort, argpartition = _numpy_method(np.argsort), _numpy_method(np.argpartition)
    conj, conjugate = _numpy_method(np.conjugate), _numpy_method(np.conjugate)
    cumprod, cumsum = _numpy_method(np.cumprod), _numpy_method(np.cumsum)
    diagonal, dot = _numpy_method(np.diagonal), _numpy_method(np.dot)
    max, min = _numpy_method(np.max), _numpy_method(np.min)
    mean, std, var = _numpy_method(np.mean), _numpy_method(np.std), _numpy_method(np.var)
    nonzero, searchsorted = _numpy_method(np.nonzero), _numpy_method(np.searchsorted)
    prod, sum = _numpy_method(np.prod), _numpy_method(np.sum)
    ravel = _numpy_method(np.ravel)
    repeat, round, squeeze = _numpy_method(np.repeat), _numpy_method(np.round), _numpy_method(np.squeeze)
    swapaxes, take, trace = _numpy_method(np.swapaxes), _numpy_method(np.take), _numpy_method(np.trace)

    shape, ndim, size = (
        _function_of_value(np.shape, _refuse_shape),
        _function_of_value(np.ndim),
        _function_of_value(np.size),
    )

    def copy(self, *order: str, **named: str) -> Any:
        """As the method of arrays: in rows, unless it is told otherwise; `np.copy` keeps the layout."""
        value = primal_of(self)
        in_rows = ("C",) if isinstance(value, np.ndarray) and value.ndim > 1 and not named else ()
        return _copy(self, *(order or in_rows), **named)

    def flatten(self, order: str = "C") -> Any:
        """As the method of arrays: a copy."""
        return self._trace.apply(np.ravel, (self, order)).__copy__()

    def clip(self, min: Any = None, max: Any = None, out: Any = None, **kwargs: Any) -> Any:  # noqa: A002 - NumPy's names
        """As `np.clip`, but both bounds may be left out."""
        return _clip(self, min, max, **kwargs, **({} if out is None else {"out": out}))

    def compress(self, condition: Any, axis: int | None = None) -> Any:
        """As `np.compress`, whose first argument is the condition."""
        return self._trace.apply(np.compress, (condition, self, axis))

    def astype(self, dtype: Any, **kwargs: Any) -> Any:
        """As the method of arrays."""
        return self._trace.apply(astype, (self, dtype), kwargs)

    def item(self, *index: Any) -> Any:
        """The one element, or that at an index; traced, so that its derivative is not lost.

        It has the precision of Python's numbers. NumPy's numbers of that precision count as such, as one more
        operation would take half as long as the element itself.
        """
        if index:
            place = index[0] if len(index) == 1 and isinstance(index[0], tuple) else index
            is_flat = len(place) != self.ndim
            element = self._trace.apply(
                operator.getitem, (self.ravel() if is_flat else self, place[0] if is_flat else place)
            )
        elif self.size != 1:
            raise ValueError("x.item() without an index is the element of an array that has just one")
        else:
            element = self.reshape(()) if self.ndim else self
        kind = type(np.zeros((), element.dtype).item())
        return element if isinstance(primal_of(element), kind) else self._trace.apply(kind, (element,))

    def view(self, dtype: Any = None, type: Any = None) -> Any:  # noqa: A002 - NumPy's name
        """Another array that shares the elements.

        Raises
        ------
        TypeError
            If the elements shall be read as numbers of another dtype, or the array be one of a subclass.
        """
        if dtype is np.ndarray:
            dtype = None
        if type not in {None, np.ndarray} or not (dtype is None or np.dtype(dtype) == self.dtype):
            raise TypeError(
                "x.view(...) of a traced array shares elements as they are, and does not read their memory "
                "as another dtype or class. Write `x.astype(dtype)`; for complex numbers beside each other "
                "`x[..., ::2] + 1j * x[..., 1::2]`, and for their parts `x.real` and `x.imag`."
            )
        return self._trace.apply(operator.getitem, (self, ...))

    def tolist(self) -> Any:
        """The elements, traced, in nested lists."""
        return self._trace.apply(np.ndarray.tolist, (self,)) if self.ndim else self.item()

    def as_integer_ratio(self) -> NoReturn:
        """Refused: integers have no derivative."""
        raise self._trace.refuse(
            refused_conversion(sys._getframe(1), "a ratio of integers", self._trace.has_ended)
        )

    def hex(self) -> str:
        """As the method of numbers: text."""
        return formatted_text(primal_of(self).hex(), self._trace)

    def reshape(self, *shape: Any, **kwargs: Any) -> Any:
        """As `np.reshape`; the shape may be given as several arguments."""
        return self._trace.apply(np.reshape, (self, shape[0] if len(shape) == 1 else shape), kwargs)

    def transpose(self, *axes: Any) -> Any:
        """As `np.transpose`; the axes may be given as several arguments."""
        order = axes[0] if len(axes) == 1 else axes or None
        return self._trace.apply(np.transpose, (self, order))

    @property
    def real(self) -> Any:
        """The real part."""
        return self._trace.apply(np.real, (self,))

    @real.setter
    def real(self, value: Any) -> None:
        self._trace.write(self.real, ..., value)

    @property
    def imag(self) -> Any:
        """The imaginary part."""
        return self._trace.apply(np.imag, (self,))

    @imag.setter
    def imag(self, value: Any) -> None:
        if self.dtype.kind != "c":
            raise TypeError("array does not have imaginary part to set")
        self._trace.write(self.imag, ..., value)

    @property
    def T(self) -> Any:  # noqa: N802 - NumPy's name
        """The array with its axes reversed."""
        return self._trace.apply(np.transpose, (self,))

    @property
    def mT(self) -> Any:  # noqa: N802 - NumPy's name
        """The array with its last two axes exchanged."""
        return self._trace.apply(np.swapaxes, (self, -1, -2))

    @property
    def flat(self) -> Any:
        """The elements in a row: written into, they are those of the array; parts of them are copies."""
        return self._trace.flat(self)

    @flat.setter
    def flat(self, value: Any) -> None:
        self._trace.write(self.flat, ..., value)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the value."""
        value = self._value
        if value.__class__ is np.ndarray:
            return value.dtype  # type: ignore[no-any-return]  # the class has just been looked at
        value = primal_of(value)
        return value.dtype if hasattr(value, "dtype") else np.result_type(value)

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return int(self.size) * self.itemsize

    @property
    def flags(self) -> Any:
        """How the value lies in memory, and whether the program may write into it.

        Values that rules keep are read-only, and a copy of them is written into.
        """
        value = primal_of(self)
        if value.__class__ is not np.ndarray or value.flags.writeable is self._is_writeable:
            return value.flags
        memory = np.empty(1, value.dtype)  # nobody reads it
        return as_strided(memory, value.shape, value.strides, writeable=self._is_writeable).flags

    @property
    def _is_writeable(self) -> bool:
        """Whether the program may write into the array: into any that is no view."""
        return True

    def setflags(self, *, write: bool) -> None:
        """As the method of arrays that locks one: nothing, as no value or derivative depends on the lock.

        Raises
        ------
        AttributeError
            If the array shall be opened for writing: where NumPy refuses that, depends on its memory.
        """
        if write:
            raise AttributeError(_missing_message("setflags(write=True)"), name="setflags", obj=self)

    @property
    def strides(self) -> tuple[int, ...]:
        """The bytes from one element to the next, by axis."""
        return _array_or_number(self).strides  # type: ignore[no-any-return]  # an array's, or a number's

    @property
    def base(self) -> Any:
        """The array that a view is of; `None` for other arrays."""
        value = primal_of(self)
        return None if isinstance(value, np.ndarray) else value.base


def _array_or_number(x: Any) -> Any:
    value = primal_of(x)
    return np.asarray(value) if isinstance(value, int | float | complex) else value


# What shares or changes the memory of an array.
_OF_MEMORY = {"byteswap", "ctypes", "data", "getfield", "resize", "setfield"}


def _missing_message(name: str) -> str:
    return (
        f"`x.{name}` of a traced value has no derivative rule. Use a function of NumPy that has one; "
        f"for the plain value, without derivatives, write `chainrules_core.primal_of(x).{name}`."
    )


def _missing_attribute(name: str) -> Any:
    message = _missing_message(name)

    def refuse(self: Any) -> Any:
        if self._trace.is_constant and name not in _OF_MEMORY:
            return getattr(np.array(self._value), name)
        raise AttributeError(message, name=name, obj=self)

    return property(refuse, doc="Missing.")


# Not by `__getattr__`: each attribute of a class that has one takes longer to read.
for _name in dir(np.ndarray):
    if not _name.startswith("_") and not hasattr(ArrayMethods, _name):
        setattr(ArrayMethods, _name, _missing_attribute(_name))
