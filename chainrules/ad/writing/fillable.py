"""Plain arrays that traced values may be written into: nothing in them is traced before."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chainrules.ad.traced.trace import CONSTANT, OPTED_OUT, recall_nothing
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.views import as_view, item
from chainrules.ad.values.facts import fact_of
from chainrules.ad.values.plain_values import ARRAYS, FREQUENT, WRITEABLE
from chainrules.ad.writing.differentiation import Differentiation


class ConstantTrace(Differentiation):
    """The differentiation to which arrays belong that depend on nothing so far. It began before all others.

    NumPy computes with them, and arrays that it makes can be filled likewise. The first traced value that is
    written into one makes it an array of that value's differentiation.
    """

    __slots__ = ()

    mode = "constant"
    is_constant = True

    def __init__(self) -> None:
        self.number, self.observers, self.recall, self.has_ended = -1, (), recall_nothing, False
        self.refused = None

    def refuse(self, error: Exception, operands: tuple[Any, Any] | None = None) -> Exception:  # noqa: D102 - as in the base class
        return error  # what depends on nothing has no derivative to lose

    def call(  # noqa: D102 - as in the base class
        self,
        f: Any,
        values: tuple[Any, ...],
        records: tuple[Any, ...],
        kwargs: dict[str, Any] | None = None,
        has_body: bool = False,
    ) -> Any:
        if has_body and not is_of_numpy(f):
            return OPTED_OUT  # the body may write into the array itself
        y = f(*values, **(kwargs or {}))
        own = own_array(f, y, values, kwargs) if is_of_numpy(f) else None
        return y if own is None else _constant(own)

    def record_of_container(self, x: Any, traced_parts: Any) -> Any:  # noqa: D102 - as in the base class
        return CONSTANT

    @staticmethod
    def as_view(  # noqa: D102 - as in the base class
        f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any] | None, y: Any
    ) -> Any:
        if y.__class__ is list or y.__class__ is tuple:
            made = list(map(_constant, y))
            seen = as_view(f, args, kwargs, made)
            return y.__class__(
                part if new is one else one for part, new, one in zip(y, made, seen, strict=True)
            )
        made = _constant(y)
        seen = as_view(f, args, kwargs, made)
        return y if seen is made else seen

    @staticmethod
    def item(x: Any, index: Any, y: Any) -> Any:  # noqa: D102 - as in the base class
        return item(x, index, _constant(y))


CONSTANTS = ConstantTrace()


def is_of_numpy(f: Any) -> bool:
    """Whether a new array that a function returns is held by nobody else."""
    owner = getattr(f, "__objclass__", f)  # of a method, as a function of its object
    return isinstance(f, np.ufunc) or str(getattr(owner, "__module__", "")).partition(".")[0] in {
        "numpy",
        "_operator",
    }


def own_array(f: Any, y: Any, args: Sequence[Any], kwargs: dict[str, Any] | None) -> Any:
    """A result of NumPy's in memory that nobody else holds; `None` if somebody may, or it is no array.

    Parameters
    ----------
    f
        A function of NumPy.
    y
        What it returned. It may be a view of a new array: `numpy.roll` reshapes one.
    args, kwargs
        What it was given.
    """
    if y.__class__ not in ARRAYS:
        return None
    given = (*args, *kwargs.values()) if kwargs else args
    if y.base is None:
        for x in given:  # which is quicker than `any`
            if y is x or (x.__class__ not in _HANDING_NOTHING_OUT and _may_hand_out(f, x, kwargs)):
                return None
        return y
    is_writeable = y.flags.num & WRITEABLE if type(y) is np.ndarray else y.flags.writeable
    if not is_writeable or not all(x.__class__ in _HOLDING_NOTHING_ELSE for x in given):
        return None
    is_shared = any(x.__class__ is np.ndarray and np.may_share_memory(x, y) for x in given)
    return None if is_shared else y.copy(order="K")


def _may_hand_out(f: Any, x: Any, kwargs: dict[str, Any] | None) -> bool:
    """Whether a function may return an array that an object holds, and hands out by ``__array__``."""
    is_handed_on = "its argument" in fact_of(f).returns or (
        f is np.array and kwargs is not None and "copy" in kwargs
    )
    return is_handed_on and not isinstance(x, TracedValue) and hasattr(x.__class__, "__array__")


_HOLDING_NOTHING_ELSE = FREQUENT | {bool, type(None)}
_HANDING_NOTHING_OUT = _HOLDING_NOTHING_ELSE | {tuple, list, str, type}


def _constant(y: Any) -> Any:
    """`y` as an array that depends on nothing."""
    if y.__class__ not in ARRAYS or y.dtype.kind not in "fc":
        return y
    x = TracedValue()
    x._value, x._record, x._trace = y, CONSTANT, CONSTANTS
    return x


def fillable(y: Any) -> Any:
    """A plain array that nobody else holds, such that traced values can be written into it.

    Parameters
    ----------
    y
        Any value; one that is not an array of real or complex numbers is returned as it is.
    """
    owns_memory = y.__class__ in ARRAYS and y.base is None
    return _constant(y if owns_memory or y.__class__ not in ARRAYS else y.copy(order="K"))
