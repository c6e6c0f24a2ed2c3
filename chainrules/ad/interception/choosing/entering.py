"""Entering a function: calling its twin, with what belongs to the function itself; and when that is done."""

import functools
import sys
import types
from collections.abc import Callable, Collection, Iterable
from typing import Any

import numpy as np

from chainrules.ad.calls.mutation import noticing_writes
from chainrules.ad.syntax.origins import Origin, origin_of, origin_of_class
from chainrules.ad.syntax.twins import twin_of
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.facts import FACTS, NOTHING
from chainrules.ad.values.memory import remembered
from chainrules.ad.values.plain_values import BUILTIN_CONTAINERS, FREQUENT
from chainrules_core import contains_carrier

_NOTHING = FREQUENT | {str, bool, bytes, type(None), slice, range, type}

_OBJECTS = np.dtype(object)
# So many objects in an array are looked at; columns of tables are longer.
_SEVERAL = 1000

# So many objects in a list may share the work of the one that holds it.
_FEW = 16
_WITHOUT_OTHERS = frozenset({np.ndarray, np.vectorize, types.MethodType, types.ModuleType})


def entered(f: types.FunctionType) -> types.FunctionType | None:
    """A function like `f` whose calls are intercepted; `f` itself if they are, `None` if they cannot be.

    It has the global names, the defaults, the closure and the attributes of `f`.
    """
    twin = twin_of(f.__code__, f.__globals__)
    return None if twin is None else twin_like(f, twin)


def twin_like(f: types.FunctionType, twin: types.CodeType) -> types.FunctionType:
    """A function like `f` with the code of its twin; `f` itself, if it has that."""
    if twin is f.__code__:
        return f
    new = types.FunctionType(twin, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    if f.__kwdefaults__ is not None:
        new.__kwdefaults__ = f.__kwdefaults__
    if f.__qualname__ != twin.co_qualname:
        new.__qualname__ = f.__qualname__
    if f.__dict__:
        new.__dict__ = f.__dict__
    return new


def entered_if_traced(f: Any, followed: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """`f`, which is entered where one of its arguments is traced, or the user's own function or object.

    Parameters
    ----------
    f
        A function of a library.
    followed
        What to call then, if not the twin of `f`.
    """
    as_it_is = f if _is_of_python(f) else noticing_writes(f)

    def call(*args: Any, **kwargs: Any) -> Any:
        if (
            is_any_to_be_followed(args)
            or (kwargs and is_any_to_be_followed(kwargs.values()))
            or (f.__class__ is types.FunctionType and f.__closure__ is not None and is_to_be_followed(f))
        ):
            return (followed or entered(f) or f)(*args, **kwargs)
        return as_it_is(*args, **kwargs)

    return call


def _is_of_python(f: Any) -> bool:
    module = getattr(f, "__module__", None)
    return module.__class__ is str and module.partition(".")[0] in sys.stdlib_module_names


def is_any_to_be_followed(values: Iterable[Any]) -> bool:
    """Whether `is_to_be_followed` is true of any of some values.

    Traced values are looked for first, then values that hold one themselves, and only then is all searched: a
    method of a registry of units is given the registry, which holds thousands of values, with a traced one.
    """
    searched = []
    for x in values:
        cls = x.__class__
        if cls in TRACED:
            return True
        if cls is np.ndarray:
            if x.dtype is _OBJECTS and _has_traced_items(x):
                return True
        elif cls not in _NOTHING:
            searched.append(x)
    return (len(searched) > 1 and any(map(_holds_traced, searched))) or any(map(is_to_be_followed, searched))


def is_to_be_followed(x: Any) -> bool:
    """Whether a value is traced, holds a traced one, or is a function or an object of the user's.

    A function that is given NumPy itself, as those of the array API are, makes arrays for its caller, who may
    write into them.
    """
    cls = x.__class__
    if cls in TRACED:
        return True
    if cls is types.ModuleType:
        return x is np or x.__name__.endswith(".numpy")
    if cls is types.FunctionType:
        return origin_of(x) is Origin.USER or any(map(_holds, x.__closure__ or ()))
    if cls is types.MethodType:
        return is_to_be_followed(x.__self__) or is_to_be_followed(x.__func__)
    if cls is functools.partial:
        return any(map(is_to_be_followed, (x.func, *x.args, *x.keywords.values())))
    return not isinstance(x, type) and (origin_of_class(cls) is Origin.USER or _is_reason_within(x))


def _is_reason_within(x: Any) -> bool:
    """Whether a library's object is to be followed for what it holds."""
    searched = _searched_in(x.__class__)
    if searched is not None:
        return is_any_to_be_followed([getattr(x, name, None) for name in searched])
    held = _attributes_of(x)
    if not TRACED.isdisjoint(map(type, held)):  # the usual reason, which is seen soonest
        return True
    # In one search, for what is in a container of an object is often what is in the object.
    containers = [value for value in held if value.__class__ in BUILTIN_CONTAINERS]
    return contains_carrier((x, *containers) if containers else x) or any(map(_is_reason_to_follow, held))


def _holds(cell: types.CellType) -> bool:
    try:
        return is_to_be_followed(cell.cell_contents)
    except ValueError:  # the variable is assigned later
        return False


def _attributes_of(x: Any) -> Collection[Any]:
    """What an instance holds; nothing, if it is an array."""
    cls = x.__class__
    if cls is np.ndarray:
        return ()
    attributes = getattr(x, "__dict__", None)
    held = attributes.values() if attributes.__class__ is dict else ()
    slots = _slots_in(cls)
    return held if slots == () else [*held, *(_read(slot, x) for slot in slots)]


def _read(slot: types.MemberDescriptorType, x: Any) -> Any:
    """What is in a slot; nothing of the class is called where it is empty, such as its `__getattr__`."""
    try:
        return slot.__get__(x)
    except AttributeError:
        return None


@remembered
def _searched_in(cls: type) -> tuple[str, ...] | None:
    """The attributes in which traced values are looked for, where not all are searched."""
    known = (FACTS.get(f"{base.__module__}.{base.__qualname__}", NOTHING).searched for base in cls.__mro__)
    return next((names for names in known if names is not None), None)


@remembered
def _slots_in(cls: type) -> tuple[types.MemberDescriptorType, ...]:
    """Those of classes in Python; classes in C have the like, which hold no traced values."""
    members = [member for base in cls.__mro__ if "__slots__" in vars(base) for member in vars(base).values()]
    return tuple(member for member in members if isinstance(member, types.MemberDescriptorType))


def _is_reason_to_follow(value: Any) -> bool:
    """Whether what an object holds is one; the traced values in containers have been searched for."""
    cls = value.__class__
    if cls in _NOTHING:
        return cls is np.ndarray and value.dtype is _OBJECTS and _has_traced_items(value)
    if cls in TRACED:
        return True
    if cls in BUILTIN_CONTAINERS:
        return (
            cls is list
            and 0 < len(value) <= _FEW
            and value[0].__class__ not in _NOTHING
            and any(map(_holds_traced, value))
        )
    if cls is types.FunctionType:
        return origin_of(value) is Origin.USER
    if cls in _WITHOUT_OTHERS or isinstance(value, type):
        return False
    # A library's object may leave its work to others, as splines and mixtures of distributions of SciPy do.
    return origin_of_class(cls) is Origin.USER or _holds_traced(value)


def _has_traced_items(x: np.ndarray) -> bool:
    """Whether an array of objects holds traced values, as one of polynomials with such coefficients does."""
    return x.size <= _SEVERAL and contains_carrier(x.tolist())


def _holds_traced(x: Any) -> bool:
    """Whether an object has a traced attribute, or one that is a dictionary with a traced value."""
    held = _attributes_of(x)
    if not TRACED.isdisjoint(map(type, held)):
        return True
    return dict in map(type, held) and any(
        value.__class__ is dict and value and not TRACED.isdisjoint(map(type, value.values()))
        for value in held
    )
