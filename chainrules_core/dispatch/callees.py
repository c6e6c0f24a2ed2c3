"""Callees as types: the annotations of a rule's first parameter, and how plum orders them.

In Julia every function has a type of its own, `typeof(foo)`, so a rule dispatches on *which* function is
called like on anything else. In Python all functions share one type. Here three parametric types stand in,
ordered by `issubclass` the way Julia orders its types, so that plum chooses between rules without knowing
about callees:

===================  ====================================  ===================  ===============
annotation           matches                               type in dispatch     Julia
===================  ====================================  ===================  ===============
``f: typeof_(foo)``  the object `foo`, and nothing else    ``TypeOf[foo]``      ``typeof(foo)``
``f: type[Foo]``     `Foo` and its subclasses, called      ``SubclassOf[Foo]``  ``Type{<:Foo}``
``f: Foo``           an instance of `Foo` that is called   ``InstanceOf[Foo]``  ``Foo``
===================  ====================================  ===================  ===============
"""

import functools
import operator
import types
import typing
from collections.abc import Callable
from typing import Any, Never

import numpy as np
import plum

from chainrules_core.config import ForwardsModeCapability, ReverseModeCapability, RuleConfig
from chainrules_core.dispatch.parameters import is_union
from chainrules_core.exceptions import RuleDefinitionError
from chainrules_core.parametric_types import ParametricType, Promise, is_concrete, parametric, promise


class _CalleeType(ParametricType):
    """The metaclass of `TypeOf`, `SubclassOf` and `InstanceOf`."""

    # Each of the three classes defines it, as a class method.
    contains: Callable[[object], bool]

    def __instancecheck__(cls, f: object) -> bool:
        return cls.contains(f)

    def __name_of_parameter__(cls, callee: Any) -> str:
        return callee.__name__ if isinstance(callee, (types.FunctionType, type)) else repr(callee)


@parametric
class TypeOf(metaclass=_CalleeType):
    """The type whose only value is one callee: Julia's `typeof(foo)`. Made by `typeof_`."""

    __slots__ = ()
    # plum may cache by type: within the table of one callee there is nothing else to tell apart.
    __faithful__ = True

    @classmethod
    def contains(cls, f: object) -> bool:
        """Whether `f` is the callee, or equal to it as bound methods are, which each access makes anew."""
        callee: Any = cls.type_parameter
        return f is callee or (type(f) is type(callee) and bool(f == callee))

    @classmethod
    def __le_type_parameter__(cls, left: object, right: object) -> bool:
        return False  # equal callees have one type

    @classmethod
    def __le_other_type__(cls, other: _CalleeType) -> bool:
        return False


@parametric
class SubclassOf(metaclass=_CalleeType):
    """The type of a class and its subclasses, called as constructors: Julia's `Type{<:Foo}`."""

    __slots__ = ()
    __faithful__ = True

    @classmethod
    def contains(cls, f: object) -> bool:
        """Whether `f` is the class or derives from it."""
        return isinstance(f, type) and issubclass(f, cls.type_parameter)

    @classmethod
    def __le_type_parameter__(cls, left: tuple[type], right: tuple[type]) -> bool:
        return issubclass(left[0], right[0])

    @classmethod
    def __le_other_type__(cls, other: _CalleeType) -> bool:
        return other.__base__ is TypeOf and cls.contains(other.type_parameter)


@parametric
class InstanceOf(metaclass=_CalleeType):
    """The type of the instances of a class, as callees: functors, partials, closures."""

    __slots__ = ()
    __faithful__ = True

    @classmethod
    def contains(cls, f: object) -> bool:
        """Whether `f` is an instance of the class."""
        return isinstance(f, cls.type_parameter)

    @classmethod
    def __le_type_parameter__(cls, left: tuple[type], right: tuple[type]) -> bool:
        return issubclass(left[0], right[0])

    @classmethod
    def __le_other_type__(cls, other: _CalleeType) -> bool:
        return cls.contains(other.type_parameter)  # the one callee, or the class whose subclasses are called


def typeof_(f: Any, *others: Never) -> type[TypeOf]:
    """The type of one callee, to annotate the first parameter of a rule with: Julia's `typeof(f)`.

    Parameters
    ----------
    f
        A function, a class (exactly that class, called as a constructor), a NumPy ufunc, a builtin, a bound
        method, or a function marked by `primitive`, which stands for the function itself. Of several callees
        write the union of their types.

    Returns
    -------
    type
        A class whose only instance, as `isinstance` sees it, is `f`.

    Raises
    ------
    RuleDefinitionError
        If `f` cannot be called, is not hashable, is made anew whenever it is read, or is `type`, whose
        "constructor" every class is.

    Examples
    --------
    >>> import math
    >>> isinstance(math.sin, typeof_(math.sin)), isinstance(math.cos, typeof_(math.sin))
    (True, False)
    """
    if others:
        members = " | ".join(f"typeof_({getattr(g, '__name__', 'foo')})" for g in (f, *others))
        raise RuleDefinitionError(f"typeof_ is the type of one callee: write `{members}` for several.")
    f = unwrap_primitive(f.__func__ if isinstance(f, staticmethod) else f)
    if is_type_of_callee(f):
        raise RuleDefinitionError(f"typeof_({f!r}): this is the type of a callee, and not the callee itself.")
    if f is type:
        raise RuleDefinitionError(
            "typeof_(type): a rule for `type` would match the constructor of every class. Write typeof_(Foo) "
            "for the constructor of one class, or annotate with type[Foo] to include its subclasses."
        )
    if not callable(f):
        raise RuleDefinitionError(
            f"typeof_({f!r}): a rule belongs to something that is called, and this {type(f).__name__} is not "
            f"callable.{_MENDS_OF_MEMBERS.get(type(f), '')}"
        )
    _check_lasts(f)
    try:
        return promise(TypeOf, f)  # type: ignore[return-value]  # which stands for such a type
    except TypeError:
        raise RuleDefinitionError(
            f"typeof_({f!r}): this callable is not hashable, so it has no type of its own. Annotate the "
            f"parameter with its class instead: `f: {type(f).__qualname__}`."
        ) from None


def _check_lasts(f: Any) -> None:
    """Refuse what is another object whenever it is read: no call would find its rule."""
    attributes = getattr(f, "__dict__", None) or {}
    by_partialmethod = attributes.get("_partialmethod") or attributes.get("__partialmethod__")  # since 3.13
    if by_partialmethod is None and isinstance(f, functools.partial) and "__self__" in attributes:
        by_partialmethod = f
    if by_partialmethod is not None:
        name = getattr(by_partialmethod.func, "__qualname__", "foo")
        kind, instead = "partialmethod", f"the function that it calls: `f: typeof_({name}), self: ...`"
    elif isinstance(getattr(attributes.get("register"), "__self__", None), functools.singledispatchmethod):
        kind, instead = "singledispatchmethod", "each function that is registered, under a name of its own"
    else:
        return
    raise RuleDefinitionError(
        f"typeof_({f!r}): a `{kind}` makes another object whenever it is read, so that no call would find "
        f"the rule. Write it for {instead}."
    )


# Members of classes that are met in the bodies of the classes, or read from the classes.
_MENDS_OF_MEMBERS: dict[type, str] = {
    property: " Write `typeof_(Foo.name.fget)`, the function behind the property `name`.",
    classmethod: " Write `typeof_(Foo.name)` behind the class.",
}


def unwrap_primitive(f: Any) -> Any:
    """The function that `primitive` marked, or `f` itself where it is not a primitive."""
    # On the class, where only `Primitive` defines it: asking `f` itself might run a `__getattr__`.
    return f.__primitive__ if hasattr(type(f), "__primitive__") else f


def is_rule(f: Any) -> bool:
    """Whether a parameter of a function is annotated with a type that `typeof_` made: so only rules are."""
    annotations = getattr(f, "__annotations__", None) or {}
    return any(isinstance(hint, type) and issubclass(hint, TypeOf) for hint in annotations.values())


def is_type_of_callee(f: Any) -> bool:
    """Whether it is what `typeof_` returns."""
    return isinstance(f, Promise | _CalleeType)


# The type that `typeof_(foo)`, `Foo`, `type[Foo]` and unions of these have for type checkers.
CalleeAnnotation = type[Any] | types.UnionType | types.GenericAlias


def is_callee_annotation(x: Any) -> bool:
    """Whether `x` may be the annotation of a callee parameter; a rule may not, unless it is a class."""
    return isinstance(x, type) or typing.get_origin(x) is not None


def callee_annotation(annotation: Any) -> tuple[Any, tuple[Promise, ...]]:
    """Translate what a rule's callee parameter says into a hint for plum, and the types that it consists of.

    Raises
    ------
    RuleDefinitionError
        If the annotation matches everything, or names no kind of callee. The message says what is wrong and
        how to mend it; the caller adds the function and the place.
    """
    members = tuple(map(_callee_type, _members_of(annotation)))
    return functools.reduce(operator.or_, members), members


def _members_of(annotation: Any) -> tuple[Any, ...]:
    return typing.get_args(annotation) if is_union(annotation) else (annotation,)


# Where the callee's parameter was forgotten, the first argument mostly has one of these annotations.
NEVER_CALLED = (bool, int, float, complex, str, tuple, list, dict, np.ndarray, np.generic, np.float64)

_EVERYTHING = (object, Any, type, typing.Type, type[Any], type[object])  # noqa: UP006 - as authors write it


def _callee_type(annotation: Any) -> Promise:
    if isinstance(annotation, Promise):
        # One that came from another process, with the rule that it annotates, is a copy.
        return promise(annotation.kind, annotation.type_parameter)
    if isinstance(annotation, _CalleeType) and is_concrete(annotation):
        return promise(annotation.__base__, annotation.type_parameter)
    if annotation in _EVERYTHING:
        raise RuleDefinitionError(
            "its annotation matches everything that can be called. Write `f: typeof_(foo)` for a rule of the "
            "function `foo`, `f: type[Foo]` for constructors, or `f: Foo` for callable instances of `Foo`."
        )
    if annotation is typing.Callable:
        return promise(InstanceOf, Callable)
    if typing.get_origin(annotation) is type:
        (of,) = typing.get_args(annotation)
        return promise(SubclassOf, _checked_class(of))
    return promise(InstanceOf, _checked_class(annotation))


def _checked_class(annotation: Any) -> type:
    origin = typing.get_origin(annotation)
    if isinstance(origin, type) and origin is not types.UnionType:
        raise RuleDefinitionError(
            f"its annotation {annotation!r} has parameters, which a call cannot be checked against. Write "
            f"`f: {origin.__name__}`."
        )
    if not isinstance(annotation, type):
        name = getattr(annotation, "__name__", "foo")
        raise RuleDefinitionError(
            f"its annotation {annotation!r} is not a class and names no callee. Write `f: typeof_({name})` "
            "if that is the function that the rule is for."
        )
    if annotation in NEVER_CALLED:
        raise RuleDefinitionError(
            f"the callee stands before the arguments, and no {annotation.__qualname__} is called. Write "
            f"`f: typeof_(foo), x: {annotation.__qualname__}`."
        )
    if issubclass(annotation, ReverseModeCapability | ForwardsModeCapability):
        raise RuleDefinitionError(
            f"{annotation.__name__} is a feature of configurations, and is not called. Write "
            f"`config: RuleConfig[{annotation.__name__}]` before the callee."
        )
    if issubclass(annotation, RuleConfig):
        raise RuleDefinitionError(
            "a configuration stands where the callee belongs. Its place is before all other parameters."
        )
    if not plum.is_faithful(annotation):
        raise RuleDefinitionError(
            f"its annotation {annotation.__qualname__} decides by value, not by class, whether an object is "
            "an instance (as protocols do). Annotate with a class or an abstract base class."
        )
    return annotation
