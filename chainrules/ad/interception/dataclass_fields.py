"""What the ``__init__`` of a dataclass calls: functions that make defaults, and ``__post_init__``."""

import dataclasses
import inspect
import types
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

# By class, with its ``__init__``: by their positions, the fields with a function that makes the default.
_factories: WeakKeyDictionary[type, tuple[Any, dict[str, tuple[float, Callable[[], Any]]]]] = (
    WeakKeyDictionary()
)


def with_defaults_made(
    cls: type, choose: Callable[[Any], Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """The arguments by keyword, and defaults that are made by functions in Python: these are entered."""
    init: Any = cls.__init__  # type: ignore[misc]  # of a class, as it is
    known = _factories.get(cls)
    if known is None or known[0] is not init:
        known = _factories[cls] = init, _factories_of(cls, init.__code__)
    made = {
        name: choose(factory)()
        for name, (place, factory) in known[1].items()
        if place > len(args) and name not in kwargs
    }
    return {**kwargs, **made} if made else kwargs


def _factories_of(cls: Any, code: types.CodeType) -> dict[str, tuple[float, Callable[[], Any]]]:
    places = {name: place for place, name in enumerate(code.co_varnames[: code.co_argcount])}
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return {
        name: (places.get(name, float("inf")), field.default_factory)
        for name, field in getattr(cls, "__dataclass_fields__", {}).items()
        if name in names and isinstance(field.default_factory, types.FunctionType | types.MethodType)
    }


def initialize_by_fields(
    instance: Any, choose: Callable[[Any], Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Do what the generated ``__init__`` does, and enter ``__post_init__``: for instances with slots.

    https://docs.python.org/3/library/dataclasses.html#post-init-processing
    """
    cls: Any = type(instance)
    given = inspect.signature(cls.__init__).bind(instance, *args, **kwargs).arguments
    later = []
    for field in cls.__dataclass_fields__.values():
        kind = field._field_type.name  # the module has no public name for those that are given and not kept
        if kind == "_FIELD_CLASSVAR":
            continue
        if field.init and field.name in given:
            value = given[field.name]
        elif field.default_factory is not dataclasses.MISSING:
            value = choose(field.default_factory)()
        elif field.default is not dataclasses.MISSING:
            value = field.default
        else:
            continue
        if kind == "_FIELD_INITVAR":
            later.append(value)
        else:
            object.__setattr__(instance, field.name, value)
    choose(cls.__post_init__)(instance, *later)
