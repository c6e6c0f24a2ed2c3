"""The ``__init__`` that `dataclasses` generates has no source: it is written again, to be entered.

It calls functions that make defaults, ``__post_init__``, and what the class sets its attributes by.
https://docs.python.org/3/library/dataclasses.html#post-init-processing
"""

import dataclasses
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

from chainrules.ad.interception.choosing.members import member_of
from chainrules.ad.interception.choosing.switch import BLOCKS, watcher
from chainrules.ad.syntax.hooks import registered

_Init = Callable[..., None]

# Forgotten with the class, which none of them holds. By the class of an instance: generated functions, if
# somebody watches, and what is called in their places.
_known: WeakKeyDictionary[type, list[tuple[Any, bool, _Init | None]]] = WeakKeyDictionary()

_POST_INIT = "__post_init__"

# The names by which what is written speaks of other things than fields.
_CHOOSE, _STORE, _SET, _MISSING = (f"__chainrules_{name}" for name in ("choose", "store", "set", "missing"))


def initializing(init: types.FunctionType) -> _Init | None:
    """What to call in the place of a function without source, if it is the ``__init__`` of a dataclass."""
    if init.__name__ != "__init__" or init.__code__.co_filename != "<string>":
        return None

    def initialize(instance: Any, /, *args: Any, **kwargs: Any) -> None:
        is_watched = bool(BLOCKS) and watcher() is not None
        for known, was_watched, followed in _known.get(type(instance), ()):
            if was_watched is is_watched and known() is init:
                (followed or init)(instance, *args, **kwargs)
                return
        (_followed(type(instance), init, is_watched) or init)(instance, *args, **kwargs)

    return initialize


def _followed(cls: type, init: types.FunctionType, is_watched: bool) -> _Init | None:
    """The same function for the instances of a class, remembered; `None` if it calls nothing of the user.

    Who watches is shown all of it: code without source could do anything.
    """
    owner = next((base for base in cls.__mro__ if vars(base).get("__init__") is init), cls)
    is_generated = init.__code__.co_qualname == "__create_fn__.<locals>.__init__"
    is_to_be_followed = "__dataclass_fields__" in vars(owner) and (
        (is_watched and is_generated) or _POST_INIT in init.__code__.co_names or _makes_or_stores(owner, cls)
    )
    followed = _written(owner, init) if is_to_be_followed else None
    _known.setdefault(cls, []).append((weakref.ref(init), is_watched, followed))
    return followed


def _makes_or_stores(owner: Any, cls: Any) -> bool:
    """Whether a field has a default that is made, or a setter, by a function that is not Python's own."""
    fields = owner.__dataclass_fields__.values()
    if any(
        getattr(field.default_factory, "__module__", None) != "builtins" for field in fields if _makes(field)
    ):
        return True
    if not owner.__dataclass_params__.frozen and cls.__setattr__ is not object.__setattr__:
        return True
    setters = (getattr(type(member_of(cls, field.name)), "__set__", None) for field in fields)
    return any(setter is not None and setter is not types.MemberDescriptorType.__set__ for setter in setters)


def _makes(field: Any) -> bool:
    return field.default_factory is not dataclasses.MISSING


def _written(owner: Any, init: types.FunctionType) -> _Init:
    code = init.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    by_keyword = names[code.co_argcount :]
    signature = ", ".join([*names[: code.co_argcount], *(["*", *by_keyword] if by_keyword else [])])
    defaults = (*(init.__defaults__ or ()), *(init.__kwdefaults__ or {}).values())
    scope: dict[str, Any] = {
        "__name__": __name__,  # it is ours, to whoever looks at what is entered
        _CHOOSE: registered("call"),
        _STORE: registered("set attribute"),
        _SET: object.__setattr__,
        # What stands for a default that is to be made.
        _MISSING: next((x for x in defaults if type(x).__module__ == "dataclasses"), None),
    }
    body = "\n ".join(_statements(owner, names, calls_after=_POST_INIT in code.co_names))
    exec(f"def __init__({signature}):\n {body or 'pass'}", scope)  # noqa: S102 - the names are those of fields
    written: Any = scope.pop("__init__")
    written.__defaults__, written.__kwdefaults__ = init.__defaults__, init.__kwdefaults__
    written.__qualname__ = init.__qualname__
    return written  # type: ignore[no-any-return]  # a function


def _statements(owner: Any, names: tuple[str, ...], *, calls_after: bool) -> Iterator[str]:
    instance, *given = names
    is_frozen = owner.__dataclass_params__.frozen
    handed_on = []
    for field in owner.__dataclass_fields__.values():
        kind = field._field_type.name  # the module has no public name for those that are given and not kept
        name, of_field = field.name, f"{instance}.__dataclass_fields__[{field.name!r}]"
        make = f"{_CHOOSE}({of_field}.default_factory)()"
        if kind == "_FIELD_INITVAR":
            handed_on.append(name)
            continue
        if kind == "_FIELD_CLASSVAR":
            continue
        if field.init and name in given:
            value = f"{make} if {name} is {_MISSING} else {name}" if _makes(field) else name
        elif _makes(field):
            value = make
        elif (
            type(member_of(owner, name)) is types.MemberDescriptorType
            and field.default is not dataclasses.MISSING
        ):
            value = f"{of_field}.default"  # as a slot has none
        else:
            continue
        yield (
            f"{_SET}({instance}, {name!r}, {value})"
            if is_frozen
            else f"{_STORE}({value}, {instance}, {name!r})"
        )
    if calls_after:
        yield f"{_CHOOSE}({instance}.{_POST_INIT})({', '.join(handed_on)})"
