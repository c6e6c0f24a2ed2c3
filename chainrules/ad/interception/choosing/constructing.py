"""Making an instance of a class, with the calls in its own methods for that intercepted."""

import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.interception.choosing.entering import is_any_to_be_followed
from chainrules.ad.interception.choosing.members import method_of
from chainrules.ad.interception.choosing.unentered import calls_back_unseen, guarding
from chainrules.ad.syntax.hooks import registered
from chainrules.ad.syntax.origins import Origin, origin_of


def constructor(cls: type, always: bool) -> Callable[..., Any]:
    """What to call in the place of a class: as the class, it calls ``__new__`` and then ``__init__``.

    Parameters
    ----------
    cls
        The class; it stays itself where neither can be entered, and nothing can be lost in them.
    always
        Whether they are entered at every call, and not only where something is given that is to be followed.
    """
    way: Any = type(cls).__call__
    if way is not type.__call__:  # of its own; it may come back by ``super().__call__``
        is_of_user = way.__class__ is types.FunctionType and origin_of(way) is Origin.USER
        choose = registered("call")
        return (lambda *args, **kwargs: choose(way)(cls, *args, **kwargs)) if is_of_user else cls
    made = usual_constructor(cls, always)
    return guarding(cls) if made is cls and not always and _is_made_in_c(cls) else made


def _is_made_in_c(cls: type) -> bool:
    """Whether the constructor of a class takes values, and is in C, as of `scipy.spatial.Delaunay`."""
    if type(cls) is not type or not calls_back_unseen(cls) or cls.__module__.startswith("numpy"):
        return False
    made: Any = cls
    return made.__init__ is not object.__init__ or made.__new__ is not object.__new__


def usual_constructor(cls: type, always: bool) -> Callable[..., Any]:
    """The same for the way of most classes, that of `type`."""
    new: Any = cls.__new__
    init = method_of(cls, "__init__")
    if not (isinstance(new, types.FunctionType) or isinstance(init, types.FunctionType)):
        return cls
    choose = registered("call")

    def construct(*args: Any, **kwargs: Any) -> Any:
        make: Any = cls.__new__
        if always and make is object.__new__:  # as below, and quicker
            initialize = method_of(cls, "__init__")
            if initialize.__class__ is types.FunctionType:
                instance: Any = object.__new__(cls)
                _check_nothing(choose(initialize)(instance, *args, **kwargs))
                return instance
        if not always and not is_any_to_be_followed((*args, *kwargs.values())):
            return cls(*args, **kwargs)
        is_usual = make is object.__new__
        instance = object.__new__(cls) if is_usual else choose(make)(cls, *args, **kwargs)
        if isinstance(instance, cls):
            _check_nothing(choose(method_of(type(instance), "__init__"))(instance, *args, **kwargs))
        return instance

    return construct


def _check_nothing(answer: Any) -> None:
    """Raise as Python does, if ``__init__`` returned something."""
    if answer is not None:
        raise TypeError(f"__init__() should return None, not '{type(answer).__name__}'")
