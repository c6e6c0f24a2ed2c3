"""Views of traced arrays: slices, transposes and the like, which share their elements with the array."""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chainrules.ad.traced.places_in_memory import is_same_memory, places_in_memory
from chainrules.ad.traced.returning_arguments import CLASSES_OF_NUMPY, changes_nothing, returns_its_argument
from chainrules.ad.traced.ruled_by_others import is_ruled_by_others
from chainrules.ad.traced.trace import CONSTANT
from chainrules.ad.traced.traced_value import TracedObject, TracedValue
from chainrules.ad.values.facts import FACTS, NOTHING, fact_of
from chainrules.ad.values.plain_values import ARRAYS, BUILTIN_CONTAINERS, FLOATS
from chainrules.ad.values.repeated_instances import is_instance, repeated_instance
from chainrules.ad.values.structures import has_parts, parts_of, with_parts
from chainrules.operations.scatter import scatter
from chainrules.values.permutations import in_memory_like
from chainrules_core import contains_carrier, describe_callee, ignore_derivatives, primal_of, unwrap_primitive
from chainrules_core.speed import ORDINARY_CLASSES, value_for_dispatch


def value_and_record(y: Any, trace: Any) -> tuple[Any, Any]:
    """The value and the record of a result of a differentiation.

    Once it has ended, its results are constants, which may still be traced by a differentiation around it.
    """
    is_own = isinstance(y, TracedValue) and y._trace is trace
    return (y._value, y._record) if is_own else (y, CONSTANT)


class TracedView(TracedValue):
    """A view of a traced array, the *root*: it shows what is written into the root, and is written through.

    The operations that took it from the root are taken again when it is read after the root was written into.
    """

    # `_root` is never a view itself. `_recipes` are functions: the first takes a view of the root, the next a
    # view of that, and so on. `_seen` is what stood in the root's slot when the view was last taken.
    __slots__ = ("_recipes", "_root", "_seen")

    _root: TracedValue
    _seen: Any
    _recipes: tuple[Any, ...]

    @property
    def base(self) -> Any:
        """The root."""
        return self._root

    @property
    def _value(self) -> Any:
        if self._root._own_value is not self._seen:
            self._take_again()
        return self._own_value

    @property
    def _record(self) -> Any:
        if self._root._own_value is not self._seen:
            self._take_again()
        return self._own_record

    @property
    def _is_writeable(self) -> bool:
        """Not where NumPy's view is read-only, since it repeats elements."""
        is_structural = all(recipe[0] is not np.take for recipe in self._recipes)
        if is_structural and primal_of(self._root).flags.writeable:
            return bool(primal_of(self).flags.writeable)
        # An argument, or what rules keep, of which a copy will be written into: its flags say nothing.
        positions = self._positions()
        return bool(positions.flags.writeable and np.unique(positions).size == positions.size)

    @property
    def _part(self) -> str:
        """``"real"`` or ``"imag"`` if it shows that part of complex numbers."""
        is_complex = primal_of(self._root).dtype.kind == "c"
        return "".join(_PARTS.get(recipe[0], "") for recipe in self._recipes) if is_complex else ""

    def _take_again(self) -> None:
        view: Any = self._root
        for recipe in self._recipes:
            view = _taken_again(recipe, view)
        value, record = value_and_record(view, self._trace)
        self._own_value = value
        self._own_record = record
        self._seen = self._root._own_value

    def _positions(self) -> np.ndarray[Any, Any]:
        """For each element of the view, where it stands in the root, counted in C's order."""
        root = primal_of(self._root)
        positions: Any = in_memory_like(root, np.arange(root.size).reshape(root.shape))  # for "K" and "A"
        for recipe in self._recipes:
            if recipe[0] not in _PARTS:
                positions = _taken_again(recipe, positions)
        return positions  # type: ignore[no-any-return]  # taken by functions of any kind


class ConstantView(TracedView):
    """A view of an array that depended on nothing when the view was taken."""

    __slots__ = ()

    @property
    def _trace(self) -> Any:  # type: ignore[override]  # nobody sets it
        return self._root._trace


class FlatView(TracedView):
    """The elements of an array in a row, as NumPy's iterator `flat`: parts of it are copies."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        y = TracedView.__getitem__(self, index)
        return self._trace.apply(np.copy, (y,)) if isinstance(y, TracedView) else y


class ConstantFlatView(FlatView, ConstantView):
    """The same of an array that depended on nothing when it was taken."""

    __slots__ = ()


# How a view is taken of an array: ``(f, args, kwargs, place, path)`` is a call with the array as the argument
# at a place, and the way to the view in its result. It is a tuple, which is made sooner than an object.
Recipe = tuple[Callable[..., Any], Sequence[Any], dict[str, Any] | None, int, tuple[Any, ...]]


def _taken_again(recipe: Recipe, x: Any) -> Any:
    """The view of another array; of a traced one, it is traced."""
    f, args, kwargs, place, path = recipe
    if f is _ruled_otherwise:
        raise TypeError(
            f"{describe_callee(args[1])} has a rule, and returned its own argument or a view of it. Both "
            "share memory, and one of them has been written into. Let the function return a copy, `x.copy()`."
        )
    if f is operator.getitem and not path:
        return x[args[1]]  # which an array that is being filled may know without its other elements
    args = (*args[:place], x, *args[place + 1 :])
    y = x._trace.apply(f, args, kwargs) if isinstance(x, TracedValue) else f(*args, **(kwargs or {}))
    for key in path:
        y = y[key]
    return y


# The functions that show a part of complex numbers, whose elements have the positions of the whole.
_PARTS = {np.real: "real", np.imag: "imag"}


def as_view(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any] | None, y: Any) -> Any:
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
        if cls in FLOATS or (
            cls in ARRAYS
            and value.base is None
            and (
                (f.__class__ in CLASSES_OF_NUMPY and "its argument" not in FACTS.get(f, NOTHING).returns)
                or f is _SCATTER
            )
        ):
            return y
        return _as_view(f, args, kwargs, y, ())
    if (cls is list or cls is tuple) and f is not _STOPPING:
        return cls([_as_view(f, args, kwargs, part, (i,)) for i, part in enumerate(y)])
    if f is _STOPPING:
        return with_own_arrays(y)  # rules keep the arrays that were traced
    if cls is dict:
        return {key: _as_view(f, args, kwargs, part, (key,)) for key, part in y.items()}
    if cls in ARRAYS or cls is TracedView:  # views of what was traced share its elements afterwards too
        return _as_view(f, args, kwargs, y, ())
    return y


_STOPPING = unwrap_primitive(ignore_derivatives)

# It makes a new array, in each pullback of an item.
_SCATTER = unwrap_primitive(scatter)


def _as_view(  # noqa: C901 - each kind of result for itself, in the order in which they are told apart
    f: Any, args: Sequence[Any], kwargs: Any, y: Any, path: tuple[Any, ...]
) -> Any:
    if y.__class__ in BUILTIN_CONTAINERS:
        return as_view(f, args, kwargs, y)
    trace = y._trace if y.__class__ is TracedValue else None
    if trace is not None and returns_its_argument(f):
        for x in args:
            same = _array_with(y._value, x)
            if same is not None:
                return same if _has_its_derivative(trace, f, args, kwargs) else _ruled_otherwise(f, same, y)
    for place, x in enumerate(args):
        if isinstance(x, TracedValue) and (x._trace is trace or x._trace.has_ended):
            value, record = (y._value, y._record) if x._trace is trace else (y, CONSTANT)
            if value is x._value and "its argument" in fact_of(f).returns:
                is_other = trace is not None and is_ruled_by_others(trace.mode, f, args, kwargs or {})
                return y if is_other else x
            if f is getattr and isinstance(primal_of(y), np.ndarray):
                return view(x, (f, args, None, place, path), value, record)
            is_only_array = len(args) == 1 or (len(args) == 2 and args[1].__class__ in _NO_ARRAYS)
            if _shares_elements(value, x._value, is_only_array):
                if "a view" in fact_of(f).returns:
                    return view(x, (f, args, kwargs, place, path), value, record)
                if trace is not None and not _has_its_derivative(trace, f, args, kwargs):
                    return _ruled_otherwise(f, x, y)
                return view(x, _recipe_by_memory(y, x), value, record)
    return y


def _has_its_derivative(trace: Any, f: Any, args: Sequence[Any], kwargs: Any) -> bool:
    """Whether what a call hands on, or shows, has the derivative of the argument."""
    return changes_nothing(f) and not is_ruled_by_others(trace.mode, f, args, kwargs or {})


_NO_ARRAYS = frozenset({int, slice, str, tuple, type(None), type(Ellipsis)})


def _ruled_otherwise(f: Any, x: TracedValue, y: TracedValue) -> TracedValue:
    """An alias of `x`, or of a view of it, whose derivative is that of `y`.

    They share their elements, and not their derivatives. So it is an error to write into `y`, and to read it
    when `x` has been written into.
    """
    if not isinstance(primal_of(y), np.ndarray):
        return y
    root = x._root if isinstance(x, TracedView) else x
    alias = TracedView()
    alias._root, alias._seen = root, root._own_value
    alias._recipes = ((_ruled_otherwise, (None, f), None, 0, ()),)
    alias._own_value, alias._own_record, alias._own_trace = y._value, y._record, y._trace
    return alias


def _array_with(value: Any, x: Any, holders: tuple[int, ...] = ()) -> Any:
    """The traced array in an argument, or in its containers, that has this very value; `None` if none has."""
    if isinstance(x, TracedValue):
        own = x._value
        # The array behind one that depends on nothing may have been handed out.
        is_same = value is own or (x._trace.is_constant and is_same_memory(value, own))
        return x if is_same and value.__class__ not in FLOATS else None
    if x.__class__ not in ORDINARY_CLASSES and id(x) not in holders and contains_carrier(x) and has_parts(x):
        for part in parts_of(x).values():
            same = _array_with(value, part, (*holders, id(x)))
            if same is not None:
                return same
    return None


def _shares_elements(value: Any, of: Any, is_only_array: bool) -> bool:
    if value.__class__ in ARRAYS:
        base = value.base
        if base is None or of.__class__ not in ARRAYS:
            return False
        if base is of or base is of.base:
            # Two arguments may be views of one array. Arrays without elements share none and are views still.
            return is_only_array or not value.size or np.may_share_memory(value, of)
        # Views of NumPy's `stride_tricks` hold their array by an object of another class.
        return base.__class__ not in ARRAYS and np.may_share_memory(value, of)
    if isinstance(value, TracedView):  # in nested differentiations values are traced themselves
        return value._root is (of._root if isinstance(of, TracedView) else of)
    return False


def _recipe_by_memory(y: TracedValue, x: TracedValue) -> Recipe:
    """How a view is taken, whatever function took it: by the places of its elements in memory."""
    part, whole = primal_of(y), primal_of(x)
    if is_same_memory(part, whole.real):  # as of `np.real_if_close`, whatever will stand there later
        return np.real, (None,), None, 0, ()
    if part.dtype != whole.dtype:
        raise TypeError("A view with another dtype than its array has no derivative: make a copy of it.")
    places = places_in_memory(whole)
    order = np.argsort(places, axis=None)
    found = np.searchsorted(places.ravel(), places_in_memory(part), sorter=order)
    return np.take, (None, order[found]), None, 0, ()


def view(x: TracedValue, recipe: Recipe, value: Any, record: Any) -> TracedView:
    """A view of a traced array, or of the array that this is a view of."""
    trace = x._trace
    y = ConstantView() if trace.is_constant else TracedView()
    if x.__class__ is not TracedValue and isinstance(x, TracedView):
        y._root = root = x._root
        y._recipes = (*x._recipes, recipe)
    else:
        y._root = root = x
        y._recipes = (recipe,)
    y._own_value, y._own_record, y._own_trace = value, record, trace
    y._seen = root._own_value
    return y


def item(x: TracedValue, index: Any, y: Any) -> Any:
    """The result of ``x[index]`` for an integer or a slice, which is a view unless it is a number."""
    if y.__class__ is TracedValue:
        value = y._value
        # In nested differentiations the value is a view, which the other one made.
        if value.__class__ in ARRAYS or value.__class__ is TracedView:
            return view(x, (operator.getitem, (None, index), None, 0, ()), value, y._record)
    return as_view(operator.getitem, (x, index), None, y)


def flat(x: TracedValue) -> Any:
    """A view of the elements of an array in a row, also where `np.ravel` has to copy them."""
    y = x._trace.apply(np.ravel, (x,))
    if not isinstance(y, TracedView):
        y = view(x, (np.ravel, (None,), None, 0, ()), *value_and_record(y, x._trace))
    y.__class__ = ConstantFlatView if isinstance(y, ConstantView) else FlatView
    return y


def plain_array(x: TracedValue) -> Any:
    """The plain array behind one that depends on nothing, for others to keep: `x` writes into a copy then."""
    if isinstance(x, TracedView):
        value = x._value
        plain_array(x._root)
        return value
    value = x._own_value
    if not value.flags.writeable:  # NumPy's zeros that stand for imaginary parts are nobody's view
        return value if value.base is None else value.base
    if value_for_dispatch(value) is not value:
        x._own_value = np.copy(value, order="K")
        return value
    read_only = value.view()
    read_only.flags.writeable = False
    x._own_value = read_only
    return value


def snapshot(x: TracedValue) -> Any:
    """A traced array as it is now: what is written into it later does not show. Nothing else can change.

    An array that depends on nothing is a plain one.
    """
    if isinstance(x, TracedObject) or x._value.__class__ in FLOATS:
        return x
    if x._trace.is_constant:
        return plain_array(x)
    y = TracedValue()
    y._value, y._record, y._trace = x._value, x._record, x._trace
    return y


def with_own_arrays(y: Any, holders: tuple[int, ...] = ()) -> Any:
    """`y` with copies of its arrays, which its receiver may write into."""
    if isinstance(y, np.ndarray):
        return y.copy(order="K")
    if isinstance(y, TracedValue):
        return snapshot(y)
    if not has_parts(y) or id(y) in holders:  # an object that holds itself is a constant
        return y
    if is_instance(y) and repeated_instance(y, _is_array) is not None:
        return y
    parts, holders = parts_of(y), (*holders, id(y))
    owned = {key: with_own_arrays(part, holders) for key, part in parts.items()}
    return with_parts(y, owned) if any(owned[key] is not part for key, part in parts.items()) else y


def _is_array(x: Any) -> bool:
    return isinstance(x, np.ndarray | TracedValue)
