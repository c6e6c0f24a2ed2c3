"""Thunks: tangents that are computed when they are needed, and then only once."""

import operator
import warnings
from _thread import RLock  # `threading.RLock` is a function around it, which takes longer
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import wraps
from typing import Any, NoReturn, Self

import numpy as np

from chainrules_core.tangents.abstract_tangent import AbstractTangent, no_attribute
from chainrules_core.tangents.arithmetic import Rank, unthunk_fully
from chainrules_core.tangents.array_protocols import mutation_error
from chainrules_core.tangents.thunk_arguments import note_arguments

_LONGEST_NAME = 80


def _by_value(operation: Callable[..., Any]) -> Callable[..., Any]:
    def operator_method(self: Any, *others: Any) -> Any:
        return operation(unthunk_fully(self), *map(unthunk_fully, others))

    return operator_method


def _by_value_reflected(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def operator_method(self: Any, other: Any) -> Any:
        return operation(other, unthunk_fully(self))

    return operator_method


class AbstractThunk(AbstractTangent):
    """A tangent that behaves like the value that it has not computed yet.

    Whatever is done with it that needs the value computes it: operators, items, iteration, comparison,
    attributes (``shape``, ``dtype``, ``sum``, ...), functions of NumPy. ``conj``, ``T`` and the like, and
    the negative, stay thunks. Where a function insists on an array or a float, `unthunk` first.
    """

    __slots__ = ()
    __tangent_rank__ = Rank.THUNK

    def __unthunk__(self) -> Any:
        """The value, which may be a thunk itself."""
        raise NotImplementedError

    def __lazily__(self, operation: Callable[[Any], Any]) -> "Thunk":
        """The thunk of `operation` on the value."""
        return Thunk(lambda: operation(unthunk_fully(self)))

    @property
    def T(self) -> "Thunk":  # noqa: N802 - NumPy's name
        """The transposed value, as a thunk."""
        return self.__lazily__(operator.attrgetter("T"))

    def conj(self) -> "Thunk":
        """The complex conjugate of the value, as a thunk."""
        return self.__lazily__(operator.methodcaller("conjugate"))

    conjugate = conj

    def __getattr__(self, name: str) -> Any:
        # Names with an underscore belong to protocols that probe for them; probing must not compute.
        if name.startswith("_"):
            raise no_attribute(self, name)
        return getattr(self.__unthunk__(), name)

    def __iter__(self) -> Iterator[Any]:
        return iter(unthunk_fully(self))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(unthunk_fully(self), dtype=dtype, copy=copy)

    __len__ = _by_value(len)
    __bool__ = _by_value(bool)
    __int__ = _by_value(int)
    __float__ = _by_value(float)
    __complex__ = _by_value(complex)
    __hash__ = _by_value(hash)
    __abs__ = _by_value(abs)
    __getitem__ = _by_value(operator.getitem)
    __contains__ = _by_value(operator.contains)
    __eq__ = _by_value(operator.eq)
    __ne__ = _by_value(operator.ne)
    __lt__ = _by_value(operator.lt)
    __le__ = _by_value(operator.le)
    __gt__ = _by_value(operator.gt)
    __ge__ = _by_value(operator.ge)
    __pow__ = _by_value(operator.pow)
    __rpow__ = _by_value_reflected(operator.pow)

    def __setitem__(self, index: Any, value: Any) -> NoReturn:
        raise mutation_error()

    def __delitem__(self, index: Any) -> NoReturn:
        raise mutation_error()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Thunk":
        return Thunk(_identity, deepcopy(unthunk_fully(self), memo))

    def __reduce__(self) -> tuple[Any, ...]:
        # The captured values often cannot be pickled (a local function); the value that is computed can.
        return Thunk, (_identity, unthunk_fully(self))


def _identity(value: Any) -> Any:
    return value


class Thunk(AbstractThunk):
    """A tangent computed by a function, at the first time that it is needed.

    The value is kept, and the function with all that it captured let go. If the function raises, nothing
    is kept: the next attempt calls it again. Threads that need the value at the same time wait for one of
    them to compute it.

    Parameters
    ----------
    compute
        The function.
    *args
        Its arguments. A `lambda` looks its variables up when it is called, so one made in a loop sees the
        last value of the loop's variables; arguments are bound at once.

    Raises
    ------
    TypeError
        If `compute` cannot be called: most often a value that has been computed already.
    """

    # Either ``(compute, args, lock)`` or ``(value,)``, and replaced as a whole, so that a thread sees one of
    # the two. One attribute, as each access takes longer in a class with `__getattr__`.
    __slots__ = ("__weakref__", "_state")

    _state: tuple[Any, ...]

    def __init__(self, compute: Callable[..., Any], /, *args: Any) -> None:
        if not callable(compute):
            raise TypeError(
                f"a thunk is made of a function, not of a value ({type(compute).__name__}), which has been "
                "computed already: write `thunk(lambda: ...)`, or give the value itself."
            )
        # The lock is reentrant, as a computation may come back.
        self._state = compute, args, RLock()

    def __unthunk__(self) -> Any:
        state = self._state
        if len(state) == 1:
            return state[0]
        lock = state[2]
        lock.acquire()  # `with lock` takes longer
        try:
            state = self._state  # which another thread, or the computation itself, may have replaced
            if len(state) == 3:
                self._state = state = (state[0](*state[1]),)
            return state[0]
        except TypeError as error:
            note_arguments(error, *state[:2])
            raise
        finally:
            lock.release()

    def __repr__(self) -> str:
        state = self._state
        return f"Thunk(value={state[0]!r})" if len(state) == 1 else f"Thunk({_function_name(state[0])})"


class InplaceableThunk(AbstractThunk):
    """A thunk that can also add its value to an array in place, which may cost less than computing it.

    Only `add_inplace` uses the in-place form. To everything else this is the thunk `val`.

    Parameters
    ----------
    add
        ``add(x_bar)`` adds the value to `x_bar` in place, and returns `x_bar`.
    val
        The thunk of the value.

    Raises
    ------
    TypeError
        If `val` is no thunk, or `add` is not callable.
    """

    __slots__ = ("__weakref__", "add", "val")

    def __init__(self, add: Callable[[Any], Any], val: Thunk) -> None:
        if isinstance(add, AbstractThunk) and not isinstance(val, AbstractThunk):
            warnings.warn(
                "InplaceableThunk(val, add) is the order of ChainRulesCore 0.9; write (add, val).",
                DeprecationWarning,
                stacklevel=2,
            )
            add, val = val, add
        if not isinstance(val, AbstractThunk):
            raise TypeError(
                f"InplaceableThunk(add, val): `val` is a {type(val).__name__}; write "
                "`val=thunk(lambda: ...)`."
            )
        if not callable(add):
            raise TypeError(
                f"InplaceableThunk(add, val): `add` is a {type(add).__name__}; it has to be a function that "
                "adds the value to its argument in place, and returns the argument."
            )
        self.add = add
        self.val = val

    def can_be_added_to(self, x_bar: Any) -> bool:
        """Whether `x_bar` has room for the sum; a subclass that may be complex says no of real arrays."""
        return True

    def __unthunk__(self) -> Any:
        return self.val.__unthunk__()

    def __repr__(self) -> str:
        return f"InplaceableThunk(add={_function_name(self.add)}, val={self.val!r})"


def _function_name(function: Callable[..., Any]) -> str:
    name = getattr(function, "__qualname__", None) or repr(function)
    return name if len(name) <= _LONGEST_NAME else f"...{name[3 - _LONGEST_NAME :]}"


def thunk(compute: Callable[..., Any], /, *args: Any) -> Thunk:
    """Put a computation off until its value is needed.

    Parameters
    ----------
    compute, *args
        The function that computes the value, and its arguments.

    Returns
    -------
    Thunk

    Examples
    --------
    Of an expression, of a function with its arguments, and over a nested function of several lines:

    >>> import numpy as np
    >>> from chainrules_core import thunk, unthunk
    >>> A, y_bar = np.eye(2), np.ones(2)
    >>> x_bar = thunk(lambda: A.T @ y_bar)
    >>> x_bar = thunk(np.matmul, A.T, y_bar)
    >>> @thunk
    ... def x_bar():
    ...     A_transposed = A.T
    ...     return A_transposed @ y_bar
    >>> unthunk(x_bar)
    array([1., 1.])
    """
    return Thunk(compute, *args)


def unthunk(x: Any) -> Any:
    """The value of a thunk, through one layer; any other `x` itself."""
    return x.__unthunk__() if isinstance(x, AbstractThunk) else x


def unthunking(pullback: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a pullback so that it receives the values of the thunks it is given.

    Each positional argument is unthunked once, before the pullback runs.

    Examples
    --------
    >>> from chainrules_core import NoTangent, thunk, unthunking
    >>> @unthunking
    ... def square_pullback(y_bar):
    ...     return NoTangent(), 6.0 * y_bar
    >>> square_pullback(thunk(lambda: 2.0))
    (NoTangent(), 12.0)
    """

    @wraps(pullback)
    def unthunked_pullback(*cotangents: Any, **kwargs: Any) -> Any:
        return pullback(*map(unthunk, cotangents), **kwargs)

    return unthunked_pullback
