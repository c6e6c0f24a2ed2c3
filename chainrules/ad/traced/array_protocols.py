"""NumPy's protocols on traced values: its functions are called by their rules, conversions are refused."""

import inspect
import math
import operator
import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from chainrules.ad.traced.conversions import note_holder, owner_of_operator, refused_conversion, refused_write
from chainrules.ad.traced.masked_arrays import MASKED, called_with_masked
from chainrules.ad.traced.trace import CONSTANT, Trace, forgive
from chainrules.ad.traced.ufunc_keywords import computed_where, only_there, without_casting, without_dtype
from chainrules.ad.values.facts import FACTS, NOTHING, fact_of
from chainrules.ad.values.kinds_of_arrays import check_kind, refusal_of_class, values_of
from chainrules.ad.values.memory import remembered
from chainrules.ad.values.plain_values import ARRAY_LIKE, FREQUENT, has_operators, has_rules, is_operand
from chainrules_core import RuleNotFoundError, SparseArray, primal_of
from chainrules_core.speed import STAND_INS

# The operators behind ufuncs. For `array * other` NumPy calls the ufunc, which does not know sparse arrays
# and polynomials; the operator does.
_OPERATORS_OF_UFUNCS: dict[np.ufunc, Callable[[Any, Any], Any]] = {
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


def _as_operands(inputs: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The arguments of a ufunc, lists as arrays; `None` if one is masked, or no operand of traced values."""
    for x in inputs:
        if x.__class__ in FREQUENT or isinstance(x, ArrayProtocols):
            continue
        if isinstance(x, MASKED):
            return None
        if not is_operand(x):
            if not isinstance(x, ARRAY_LIKE):
                check_kind(x)
                return None
            inputs = tuple([np.asarray(x) if isinstance(x, ARRAY_LIKE) else x for x in inputs])
    return inputs


class ArrayProtocols:
    """The methods by which NumPy hands calls of its functions with a traced value over."""

    __slots__ = ()

    # NumPy asks the right operand first, and never takes it for an element of an array of objects.
    __array_priority__ = 1000.0

    _value: Any
    _record: Any
    _trace: Trace

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method == "__call__" and not kwargs:
            if len(inputs) == 1:
                return self._trace.call(ufunc, (self._value,), (CONSTANT, self._record))
            value = self._value
            if len(inputs) == 2 and (value.__class__ in FREQUENT or _is_nested(value)):
                if inputs[0].__class__ in FREQUENT:
                    return self._trace.call(ufunc, (inputs[0], value), (CONSTANT, CONSTANT, self._record))
                if inputs[1].__class__ in FREQUENT:
                    return self._trace.call(ufunc, (value, inputs[1]), (CONSTANT, self._record, CONSTANT))
        if "casting" in kwargs:
            kwargs = without_casting(ufunc, inputs, kwargs)
        if method == "at" or "out" in kwargs:
            return self._write_by_ufunc(ufunc, method, inputs, kwargs)
        return self._call_ufunc(ufunc, method, inputs, kwargs)

    def _call_ufunc(self, ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: Any) -> Any:
        if kwargs and method == "__call__":
            if kwargs.get("where", True) is not True and ufunc.signature is None and ufunc.nout == 1:
                return only_there(
                    self._trace.apply, *computed_where(self._trace.apply, ufunc, inputs, kwargs, None)
                )
            inputs, kwargs = without_dtype(self._trace.apply, ufunc, inputs, kwargs)
        arrays = _as_operands(inputs)
        if arrays is None:
            is_masked = any(isinstance(x, MASKED) for x in inputs)
            return called_with_masked(ufunc, method, inputs, kwargs) if is_masked else NotImplemented
        inputs = arrays
        if method != "__call__":
            return self._trace.apply(getattr(ufunc, method), inputs, kwargs)
        if len(inputs) == 3 and ufunc.__name__ == "clip":
            # The method of a plain array, `a.clip(low, high)`, calls a ufunc that has no public name.
            return self._trace.apply(np.clip, inputs)
        if self._value.__class__ not in FREQUENT:
            kind = type(primal_of(self))
            if kind not in FREQUENT and (issubclass(kind, SparseArray) or has_operators(kind)):
                return self._trace.apply(_OPERATORS_OF_UFUNCS.get(ufunc, ufunc), inputs)
        return self._trace.apply(ufunc, inputs, kwargs)

    def __array_function__(
        self, function: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        for cls in types:
            if not issubclass(cls, ArrayProtocols) and not _is_served(cls, function):
                return NotImplemented
        if kwargs or len(args) > 1:
            if FACTS.get(function, NOTHING).writer is not None:
                return self._write_by(function, args, kwargs)
            args, kwargs, out = without_out(function, args, kwargs)
            if out is not None:
                return put_out(function, out, function(*args, **kwargs))
        if not kwargs and args[0] is self:
            if len(args) == 1:
                y = self._trace.call(function, (self._value,), (CONSTANT, self._record))
                return self._trace.as_view(function, args, None, y)
            if len(args) == 2 and args[1].__class__ in FREQUENT:
                y = self._trace.call(function, (self._value, args[1]), (CONSTANT, self._record, CONSTANT))
                return self._trace.as_view(function, args, None, y)
        return self._call_function(function, args, kwargs)

    def _call_function(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        args = tuple(map(values_of, args))
        try:
            return self._trace.apply(function, args, kwargs)
        except RuleNotFoundError as missing:
            return self._call_with_arrays(function, args, kwargs, missing)

    def _write_by_ufunc(self, ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], kwargs: Any) -> Any:
        f = getattr(ufunc, method)
        if method == "at":
            return self._write_by(f, inputs, kwargs)
        _, kwargs, out = without_out(ufunc, (), kwargs)
        if out is not None and method == "__call__" and kwargs.get("where", True) is not True:
            return self._write_where(ufunc, inputs, kwargs, out)
        y = f(*inputs, **kwargs)
        if out is None:
            return y
        if out.__class__ is tuple:  # of a function with several results
            return tuple(
                [
                    part if place is None else put_out(ufunc, place, part)
                    for part, place in zip(y, out, strict=True)
                ]
            )
        if ufunc.signature is None and method == "__call__" and np.ndim(y) <= out.ndim:
            y = np.broadcast_to(y, out.shape)  # which an elementwise function repeats its result for
        return put_out(ufunc, out, y)

    def _write_where(self, ufunc: np.ufunc, inputs: tuple[Any, ...], kwargs: dict[str, Any], out: Any) -> Any:
        mask, y = computed_where(self._trace.apply, ufunc, inputs, kwargs, out)
        _check_out(ufunc, out, y)
        if isinstance(out, ArrayProtocols):
            out._trace.write(out, mask, y)
        else:
            out[mask] = y
        return out

    def _write_by(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a function that writes into its first argument."""
        writer = fact_of(f).writer
        if writer is None:
            return self._trace.apply(f, args, kwargs)  # rules refuse
        given = inspect.signature(writer).bind(*args, **kwargs).arguments.values() if kwargs else args
        x = next(iter(given))
        if isinstance(x, ArrayProtocols):
            return writer(*args, **kwargs)
        try:
            return self._trace.apply(f, args, kwargs)
        except TypeError as error:
            note_holder(error, sys._getframe(1), x)
            raise

    def _call_with_arrays(
        self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], missing: RuleNotFoundError
    ) -> Any:
        """Call a function whose rules are for arrays, where NumPy would take lists of numbers for arrays."""
        lists = {name: x for name, x in kwargs.items() if x.__class__ is list}
        if not lists and not any(isinstance(x, ARRAY_LIKE) for x in args):
            raise missing
        forgive(missing)
        try:
            arrays = [self._trace.apply(np.array, (x,)) if isinstance(x, ARRAY_LIKE) else x for x in args]
            converted = {name: self._trace.apply(np.array, (x,)) for name, x in lists.items()}
            return self._trace.apply(function, tuple(arrays), kwargs | converted)
        except (RuleNotFoundError, ValueError) as error:
            forgive(error)
            raise self._trace.refuse(missing) from None

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self._trace.is_constant:
            return np.array(self._value, dtype) if copy else np.asarray(self._value, dtype)
        frame = sys._getframe(1)  # whoever wants the array
        if _asked_by_sparse_operator(frame):
            # For SciPy this means "no array": the sparse operand then lets this class have its turn.
            no_array = np.empty((), dtype=object)
            no_array[()] = self
            return no_array
        error = refused_conversion(frame, "an array", self._trace.has_ended)
        raise self._trace.refuse(error, (self, owner_of_operator(frame)))

    def __float__(self) -> Any:
        return float(self._value) if self._trace.is_constant else self._converted(float, "a float")

    def __complex__(self) -> Any:
        return (
            complex(self._value) if self._trace.is_constant else self._converted(complex, "a complex number")
        )

    def __int__(self) -> Any:
        return int(self._value) if self._trace.is_constant else self._converted(int, "an integer")

    def __index__(self) -> NoReturn:
        # A plain number is no index either: a program that tries, and catches the error, goes the same way.
        raise refused_conversion(sys._getframe(1), "an integer", self._trace.has_ended)

    def _converted(self, convert: Callable[[Any], Any], what: str) -> Any:
        frame = sys._getframe(2)  # whoever wants the number
        x = primal_of(self)
        if frame.f_globals.get("__name__") == "logging":  # a message, ``"%f" % x``: text has no derivative
            return convert(x)
        error = refused_conversion(frame, what, self._trace.has_ended)
        # NumPy makes no number of several elements: a program that tries does not need derivatives for it.
        raise self._trace.refuse(error) if np.size(x) == 1 else error

    # Steps, whose derivative is zero: their integers are plain ones, to count and index with.
    def __round__(self, *digits: int) -> Any:
        return self._trace.apply(round, (self, *digits))

    def __floor__(self) -> Any:
        return math.floor(primal_of(self))

    def __ceil__(self) -> Any:
        return math.ceil(primal_of(self))

    def __trunc__(self) -> Any:
        return math.trunc(primal_of(self))


def _is_served(cls: type, function: Callable[..., Any]) -> bool:
    """Whether rules serve a class of arrays beside traced values.

    Raises
    ------
    TypeError
        If it computes otherwise than arrays do: the message says what to write.
    """
    if cls in STAND_INS:
        return True
    instead = refusal_of_class(cls)
    if instead is not None:
        raise TypeError(f"np.{function.__name__} met a traced value and a {cls.__name__}. {instead}")
    return issubclass(cls, np.ndarray) or has_rules(cls)


def _is_nested(value: Any) -> bool:
    """Whether a number or an array is traced by another trace as well."""
    return isinstance(value, ArrayProtocols) and primal_of(value).__class__ in FREQUENT


def without_out(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], place: int | None = None
) -> tuple[tuple[Any, ...], dict[str, Any], Any]:
    """The arguments of a function of NumPy without `out`, and the array to write into, or `None`.

    The place is the position of `out`, where the signature of the function does not say it.
    """
    out = kwargs.get("out")
    if "out" in kwargs:
        kwargs = {name: value for name, value in kwargs.items() if name != "out"}
    elif f is np.nan_to_num:
        args, kwargs, out = _without_overwriting(*args, **kwargs)
    elif len(args) > 1:
        place = place_of_out(f) if place is None else place
        if place is not None and place < len(args):
            out = args[place]
            args = (*args[:place], *((None, *args[place + 1 :]) if len(args) > place + 1 else ()))
    if out.__class__ is tuple and len(out) == 1:
        (out,) = out
    if isinstance(out, tuple) and all(item is None for item in out):
        out = None
    return args, kwargs, out


def _without_overwriting(
    x: Any, copy: Any = True, *others: Any, **kwargs: Any
) -> tuple[tuple[Any, ...], dict[str, Any], Any]:
    """The arguments of `np.nan_to_num` such that it copies, and the array that it was told to write into."""
    is_array = np.ndim(primal_of(x)) > 0 or primal_of(x).__class__ is np.ndarray
    return (x, True, *others), kwargs, x if is_array and not copy else None


def put_out(f: Any, out: Any, y: Any) -> Any:
    """Write the result of a function of NumPy into the array that was given as `out`.

    Raises
    ------
    TypeError
        If that is an array that is not traced, in which the derivative would be lost.
    """
    if isinstance(out, ArrayProtocols):
        return out._trace.update(out, y)
    _check_out(f, out, y)
    np.copyto(out, y._value if isinstance(y, ArrayProtocols) else y, casting="same_kind")
    return out


def _check_out(f: Any, out: Any, y: Any) -> None:
    if isinstance(out, ArrayProtocols):
        y_dtype = np.result_type(primal_of(y))
        if not np.can_cast(y_dtype, primal_of(out).dtype, "same_kind"):
            raise TypeError(f"Cannot write {y_dtype} into an array of {primal_of(out).dtype}.")
    elif not isinstance(out, np.ndarray) or (isinstance(y, ArrayProtocols) and not y._trace.is_constant):
        name = getattr(f, "__name__", f)
        raise refused_write(
            sys._getframe(1), f"{name}(..., out=...)", out, f"Write `y = np.{name}(...)`, and `a = a + x`"
        )


@remembered
def place_of_out(f: Any) -> int | None:
    """The position of the array to write the result into, of a function of NumPy; `None` if it has none."""
    try:
        parameters = inspect.signature(f).parameters.values()
    except ValueError:  # older versions of NumPy know no signatures of functions written in C
        return 2 if f in {np.dot, np.concatenate} else None
    by_position = [p.name for p in parameters if p.kind in {p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD}]
    return by_position.index("out") if "out" in by_position else None


def _asked_by_sparse_operator(frame: types.FrameType) -> bool:
    """Whether it is SciPy's code of ``A @ x`` or ``A * x``, for a sparse `A`, that asks for an array.

    It does so before it gives way to the operators of a class that it does not know.

    Raises
    ------
    TypeError
        If the code of ``A.multiply(x)`` asks, whose result would be `NotImplemented`.
    """
    if not _is_of_scipy_sparse(frame) or frame.f_code.co_name not in _SPARSE_OPERATORS:
        return False
    caller = frame
    while caller.f_back is not None and _is_of_scipy_sparse(caller.f_back):
        caller = caller.f_back
    if caller.f_code.co_name == "multiply":
        raise TypeError(
            "A.multiply(x), for a sparse array, was called with a traced x, which the method does not know. "
            "Write `A * x`; for a sparse matrix, `call(type(A).multiply, A, x)`."
        )
    return True


def _is_of_scipy_sparse(frame: types.FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith("scipy.sparse._")
