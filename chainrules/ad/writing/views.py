"""Views of traced arrays: slices, transposes and the like, which share their elements with the array."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.plain_values import FLOATS
from chainrules.ad.traced_value import TracedObject, TracedValue
from chainrules.operations.casting import astype
from chainrules_core import primal_of

# What stands in the slots of a traced value, whatever its class makes of reading them.
own_value = TracedValue.__dict__["_value"].__get__
own_record = TracedValue.__dict__["_record"].__get__
set_own_value = TracedValue.__dict__["_value"].__set__
set_own_record = TracedValue.__dict__["_record"].__set__


class TracedView(TracedValue):
    """A view of a traced array, the *root*: it shows what is written into the root, and is written through.

    The operations that took it from the root are taken again when it is read after the root was written into.
    """

    # `_root` is never a view itself. `_takings` are functions: the first takes a view of the root, the next a
    # view of that, and so on. `_seen` is what stood in the root's slot when the view was last taken.
    __slots__ = ("_root", "_seen", "_takings")

    _root: TracedValue
    _seen: Any
    _takings: tuple["Taking", ...]

    @property
    def _value(self) -> Any:  # type: ignore[override]  # the base class has a slot
        if own_value(self._root) is not self._seen:
            self._take_again()
        return own_value(self)

    @property
    def _record(self) -> Any:  # type: ignore[override]  # likewise
        if own_value(self._root) is not self._seen:
            self._take_again()
        return own_record(self)

    @property
    def _is_writeable(self) -> bool:
        """Not where NumPy's view is read-only, since it repeats elements."""
        return bool(primal_of(self).flags.writeable or not primal_of(self._root).flags.writeable)

    @property
    def _part(self) -> str:
        """``"real"`` or ``"imag"`` if it shows that part of complex numbers."""
        is_complex = primal_of(self._root).dtype.kind == "c"
        return "".join(taking.part for taking in self._takings) if is_complex else ""

    def _take_again(self) -> None:
        view: Any = self._root
        for taking in self._takings:
            view = taking(view)
        self._keep(view._value, view._record) if isinstance(view, TracedValue) else self._keep(view, None)

    def _keep(self, value: Any, record: Any) -> None:
        set_own_value(self, value)
        set_own_record(self, record)
        self._seen = own_value(self._root)

    def _positions(self) -> np.ndarray[Any, Any]:
        """For each element of the view, where it stands in the root, counted in C's order."""
        root = primal_of(self._root)
        positions: Any = np.arange(root.size).reshape(root.shape)
        for taking in self._takings:
            positions = taking.of_positions(positions)
        return positions  # type: ignore[no-any-return]  # taken by functions of any kind


class Taking:
    """How a view is taken of an array: a call of a function, and the way to the view in its result."""

    __slots__ = ("args", "f", "kwargs", "path", "place")

    def __init__(
        self,
        f: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        place: int,
        path: tuple[Any, ...] = (),
    ) -> None:
        self.f, self.args, self.kwargs, self.place, self.path = f, args, kwargs, place, path

    def __call__(self, x: Any) -> Any:
        """The view of another array; of a traced one, it is traced."""
        args = (*self.args[: self.place], x, *self.args[self.place + 1 :])
        is_traced = isinstance(x, TracedValue)
        y = x._trace.apply(self.f, args, self.kwargs) if is_traced else self.f(*args, **self.kwargs)
        for key in self.path:
            y = y[key]
        return y

    def of_positions(self, positions: Any) -> Any:
        """The view of an array of positions: an array's real and imaginary part have its own."""
        return positions if self.part else self(positions)

    @property
    def part(self) -> str:
        """``"real"`` or ``"imag"`` if it takes that part of complex numbers."""
        return _PARTS.get(self.f, "")


_PARTS = {np.real: "real", np.imag: "imag"}


def shown(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any] | None, y: Any) -> Any:
    """The traced result of a call; a view, where NumPy's result shares its elements with an argument.

    Parameters
    ----------
    f, args, kwargs
        The call, whose arguments may be traced.
    y
        Its result; a view may also be an item of a list or tuple.

    Returns
    -------
    object
        The argument itself, where the result is the same array.
    """
    cls = y.__class__
    if cls is TracedValue:
        value = y._value
        cls = value.__class__
        if cls in FLOATS or (cls is np.ndarray and value.base is None and f not in _MAY_RETURN_THEIR_ARGUMENT):
            return y
        return _shown(f, args, kwargs or {}, y, ())
    if cls is list or cls is tuple:
        return cls([_shown(f, args, kwargs or {}, part, (i,)) for i, part in enumerate(y)])
    return y


# Functions of NumPy that return an array as it is where there is nothing to do.
_MAY_RETURN_THEIR_ARGUMENT = frozenset(
    {
        np.asanyarray,
        np.asarray,
        np.asarray_chkfinite,
        np.ascontiguousarray,
        np.asfortranarray,
        np.atleast_1d,
        np.atleast_2d,
        np.atleast_3d,
        np.broadcast_arrays,
        np.real,
        np.real_if_close,
        np.require,
        astype,
    }
)


def _shown(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], y: Any, path: tuple[Any, ...]) -> Any:
    if y.__class__ is not TracedValue:
        return y
    value, trace = y._value, y._trace
    for place, x in enumerate(args):
        if isinstance(x, TracedValue) and x._trace is trace:
            if value is x._value and f in _MAY_RETURN_THEIR_ARGUMENT:
                return x
            if _shares_elements(value, x._value):
                arguments = (*args[:place], None, *args[place + 1 :])
                return view(x, Taking(f, arguments, kwargs, place, path), value, y._record)
    return y


def _shares_elements(value: Any, of: Any) -> bool:
    if value.__class__ is np.ndarray:
        base = value.base
        return (
            base is not None
            and of.__class__ is np.ndarray
            and (base is of or base is of.base)
            and np.may_share_memory(value, of)
        )
    if value.__class__ is TracedView:  # in nested differentiations values are traced themselves
        return value._root is (of._root if of.__class__ is TracedView else of)
    return False


def view(x: TracedValue, taking: Taking, value: Any, record: Any) -> TracedView:
    """A view of a traced array, or of the array that this is a view of."""
    y = TracedView()
    y._root, y._takings = (x._root, (*x._takings, taking)) if x.__class__ is TracedView else (x, (taking,))
    y._trace = x._trace
    y._keep(value, record)
    return y


def snapshot(x: TracedValue) -> TracedValue:
    """A traced array as it is now: what is written into it later does not show. Nothing else can change."""
    if isinstance(x, TracedObject) or x._value.__class__ in FLOATS:
        return x
    y = TracedValue()
    y._value, y._record, y._trace = x._value, x._record, x._trace
    return y
