"""Callees as types: what the first parameter of a rule may say, and how plum orders it.

In Julia every function has a type of its own, `typeof(foo)`, so a rule dispatches on *which* function
is called like on anything else. In Python all functions share one type. Here three parametric
types stand in, ordered by `issubclass` the way Julia orders its types, so that plum chooses between
rules without knowing about callees:

=====================  ====================================  ==================  =============
annotation             matches                               type in dispatch    Julia
=====================  ====================================  ==================  =============
``f: typeof_(foo)``    the object `foo`, and nothing else    ``TypeOf[foo]``     ``typeof(foo)``
``f: type[Foo]``       `Foo` and its subclasses, called      ``SubclassOf[Foo]`` ``Type{<:Foo}``
``f: Foo``             an instance of `Foo` that is called   ``InstanceOf[Foo]`` ``Foo``
=====================  ====================================  ==================  =============
"""

import collections.abc
import types
import typing
from typing import Any

import plum

from chainrules_core.exceptions import RuleDefinitionError


class _CalleeType(plum.CovariantMeta):
    """The metaclass that orders `TypeOf`, `SubclassOf` and `InstanceOf` among each other."""

    _type_parameter: Any

    def __instancecheck__(cls, f: object) -> bool:
        return cls.contains(f)  # type: ignore[no-any-return]  # each class below defines it

    def __subclasscheck__(cls, other: type) -> bool:
        if cls is other:
            return True
        if not (isinstance(other, _CalleeType) and cls.concrete and other.concrete):
            return type.__subclasscheck__(cls, other)
        return cls.includes(other)  # type: ignore[no-any-return]  # each class below defines it


@plum.parametric
class TypeOf(metaclass=_CalleeType):
    """The type whose only value is one callee: Julia's `typeof(foo)`. Made by `typeof_`."""

    # plum may cache by type: within the table of one callee there is nothing else to tell apart.
    __faithful__ = True

    @classmethod
    def contains(cls, f: object) -> bool:
        callee = cls._type_parameter
        return f is callee or (type(f) is type(callee) and bool(f == callee))

    @classmethod
    def includes(cls, other: _CalleeType) -> bool:
        return issubclass(other, TypeOf) and cls.contains(other._type_parameter)


@plum.parametric
class SubclassOf(metaclass=_CalleeType):
    """The type of a class and its subclasses, called as constructors: Julia's `Type{<:Foo}`."""

    __faithful__ = True

    @classmethod
    def contains(cls, f: object) -> bool:
        return isinstance(f, type) and issubclass(f, cls._type_parameter)

    @classmethod
    def includes(cls, other: _CalleeType) -> bool:
        if issubclass(other, InstanceOf):
            return False
        return cls.contains(other._type_parameter)


@plum.parametric
class InstanceOf(metaclass=_CalleeType):
    """The type of the instances of a class, as callees: functors, partials, closures."""

    __faithful__ = True

    @classmethod
    def contains(cls, f: object) -> bool:
        return isinstance(f, cls._type_parameter)

    @classmethod
    def includes(cls, other: _CalleeType) -> bool:
        if issubclass(other, TypeOf):
            return cls.contains(other._type_parameter)
        if issubclass(other, SubclassOf):
            return issubclass(type(other._type_parameter), cls._type_parameter)
        return issubclass(other._type_parameter, cls._type_parameter)


def typeof_(f: Any) -> Any:
    """The type of one callee, to annotate the first parameter of a rule with: Julia's `typeof(f)`.

    Parameters
    ----------
    f
        A function, a class (exactly that class, called as a constructor), a NumPy ufunc, a builtin, a bound
        method, or a function marked by `primitive`, which stands for the function itself.

    Raises
    ------
    RuleDefinitionError
        If `f` cannot be called, is not hashable, or is `type`, whose "constructor" every class is.

    Examples
    --------
    >>> import math
    >>> isinstance(math.sin, typeof_(math.sin)), isinstance(math.cos, typeof_(math.sin))
    (True, False)
    """
    f = unwrap_primitive(f)
    if f is type:
        raise RuleDefinitionError(
            "typeof_(type): a rule for `type` would match the constructor of every class. Write typeof_(Foo) for the "
            "constructor of one class, or annotate with type[Foo] to include its subclasses."
        )
    if not callable(f):
        raise RuleDefinitionError(
            f"typeof_({f!r}): a rule belongs to something that is called, and this {type(f).__name__} is not callable."
        )
    try:
        return TypeOf[f]
    except TypeError:
        raise RuleDefinitionError(
            f"typeof_({f!r}): this callable is not hashable, so it has no type of its own. Annotate the parameter with "
            f"its class instead: `f: {type(f).__qualname__}`."
        ) from None


def unwrap_primitive(f: Any) -> Any:
    """The function that `primitive` marked, or `f` itself where it is not a primitive."""
    return getattr(f, "__primitive__", f) if _may_be_primitive(f) else f


def _may_be_primitive(f: Any) -> bool:
    # Asking any callable for an attribute may run its `__getattr__`; only `Primitive` defines this on the class.
    return hasattr(type(f), "__primitive__")


def callee_annotation(annotation: Any) -> tuple[Any, tuple[_CalleeType, ...]]:
    """Translate what a rule's first parameter says into a hint for plum, and the types that it consists of.

    Raises
    ------
    RuleDefinitionError
        If the annotation matches everything, or names no kind of callee; the message holds the mend only, its caller
        adds the function and the place.
    """
    if _is_union(annotation):
        translated = [callee_annotation(member) for member in typing.get_args(annotation)]
        hints, members = zip(*translated, strict=True)
        return typing.Union[hints], tuple(t for ts in members for t in ts)  # noqa: UP007 - made at run time
    callee_type = _callee_type(annotation)
    return callee_type, (callee_type,)


def _is_union(annotation: Any) -> bool:
    return typing.get_origin(annotation) in (typing.Union, types.UnionType)


def _callee_type(annotation: Any) -> _CalleeType:
    if isinstance(annotation, _CalleeType):
        return annotation
    if annotation in (object, Any, type, typing.Type, type[Any], type[object]):  # noqa: UP006 - whichever was written
        raise RuleDefinitionError(
            "its annotation matches everything that can be called. Write `f: typeof_(foo)` for a rule of the function "
            "`foo`, `f: type[Foo]` for constructors, or `f: Foo` for callable instances of `Foo`."
        )
    if annotation is typing.Callable:
        return InstanceOf[collections.abc.Callable]  # type: ignore[return-value]  # plum makes the class
    if typing.get_origin(annotation) is type:
        return SubclassOf[_checked_class(typing.get_args(annotation)[0])]  # type: ignore[return-value]  # as above
    return InstanceOf[_checked_class(annotation)]  # type: ignore[return-value]  # as above


def _checked_class(annotation: Any) -> type:
    if not isinstance(annotation, type) or typing.get_origin(annotation) is not None:
        mend = f"typeof_({getattr(annotation, '__name__', 'foo')})" if callable(annotation) else "typeof_(foo)"
        raise RuleDefinitionError(
            f"its annotation {annotation!r} is not a class and names no callee. Write `f: {mend}` if that is the function "
            "that the rule is for."
        )
    if not plum.is_faithful(annotation):
        raise RuleDefinitionError(
            f"its annotation {annotation.__qualname__} decides by value, not by class, whether an object is an instance "
            "(as protocols do). Annotate with a class or an abstract base class."
        )
    return annotation
