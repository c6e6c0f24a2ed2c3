"""Parametric types: classes with parameters, made by `plum.parametric`, with additions that dispatch needs.

plum makes the types, keeps them, and orders the types of one parametric class by its hooks. This module adds:

- a *promise* of a type, which is made when it is needed: making a type takes longer;
- one type for a parameter, whichever thread comes first (plum looks for it and makes it without a lock);
- a parameter that is a tuple, such as a callable named tuple, which plum takes for several parameters;
- an order across parametric classes: for types of two of them plum asks no hook;
- names that a reader would write, where plum has the `repr` of the parameters;
- pickling, for which plum leaves nothing that `pickle` could find.

`docs/design/006_parametric_types.md` says which of these are plum's to mend.
"""

import copyreg
import operator
import threading
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import plum

Class = TypeVar("Class", bound=type)


class ParametricType(plum.CovariantMeta):
    """The metaclass of parametric classes, and of the types that these make of a parameter."""

    _made: ClassVar[dict[tuple[type, Any], "ParametricType"]] = {}
    _making = threading.RLock()  # reentrant: a parameter's `repr` may ask for a type

    # Each parametric class defines these, as class methods: whether a type of another class is below it, and
    # how messages write a parameter.
    __le_other_type__: Callable[["ParametricType"], bool]
    __name_of_parameter__: Callable[[Any], str]

    @property
    def type_parameter(cls) -> Any:
        """The parameter itself; plum's property would call its `__get__`, if it has one."""
        return cls.__dict__["_type_parameter"]

    def __getitem__(cls, parameter: Any) -> "ParametricType":
        """The type of one parameter, always the same one."""
        return cls._made.get((cls, parameter)) or cls._make(parameter)

    def _make(cls, parameter: Any) -> "ParametricType":
        with cls._making:
            if (cls, parameter) not in cls._made:  # pragma: no branch - another thread may have come first
                made: Any = super().__getitem__((parameter,))
                made.__name__ = made.__qualname__ = cls.name_with(parameter)
                made.__module__ = cls.package
                cls._made[cls, parameter] = made
            return cls._made[cls, parameter]

    @property
    def package(cls) -> str:
        """Where its types say they are: messages that quote it are long enough without the module."""
        return cls.__module__.partition(".")[0]

    def name_with(cls, parameter: Any) -> str:
        """The name of the type of a parameter."""
        return f"{cls.__name__}[{cls.__name_of_parameter__(parameter)}]"

    def __subclasscheck__(cls, other: type) -> bool:
        if isinstance(other, Promise):
            other = other.resolve()
        if cls is other:
            return True
        if is_concrete(cls) and is_concrete(other) and cls.__base__ is not other.__base__:
            return cls.__le_other_type__(other)  # type: ignore[arg-type]  # it is concrete
        return super().__subclasscheck__(other)


def is_concrete(t: Any) -> bool:
    """Whether `t` was made of a parameter."""
    return isinstance(t, ParametricType) and t.parametric and t.concrete


def parametric(cls: Class) -> Class:
    """Make a class whose metaclass is a `ParametricType` a parametric one; a decorator."""
    made: Any = plum.parametric(cls)
    meta = type(made)  # plum derives one for each parametric class
    copyreg.pickle(meta, _reduce)
    # It would call the one of `cls`, and make a `Callable[...]` before each call.
    del meta.__instancecheck__
    return made  # type: ignore[no-any-return]  # a class that derives from `cls`


def _reduce(t: Any) -> str | tuple[Any, ...]:
    return (operator.getitem, (t.__base__, t.type_parameter)) if is_concrete(t) else t.__qualname__


class Promise(type):
    """The metaclass of promised types; each stands for ``kind[type_parameter]``.

    Most rules of a large ruleset are never looked up in one program, so they are annotated with promises. For
    `isinstance`, `issubclass`, plum and beartype a promise is the type that it stands for. (It is not a
    `plum.PromisedType`: plum, as it is compiled, does not know those that are derived from it.)

    Attributes
    ----------
    kind
        The parametric class.
    type_parameter
        Its parameter.
    """

    parametric = True  # so that `plum.type_parameter` reads it

    kind: ParametricType

    @property
    def type_parameter(cls) -> Any:
        """The parameter itself: see `ParametricType.type_parameter`."""
        return cls.__dict__["_type_parameter"]

    def resolve(cls) -> type:
        """The type that was promised."""
        return cls.kind[cls.type_parameter]

    def __instancecheck__(cls, x: object) -> bool:
        return isinstance(x, cls.resolve())

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, cls.resolve())


_promises: dict[tuple[type, Any], Promise] = {}


def promise(kind: Any, parameter: Any) -> Promise:
    """The promise of ``kind[parameter]``, always the same one."""
    return _promises.get((kind, parameter)) or _make_promise(kind, parameter)


def _make_promise(kind: ParametricType, parameter: Any) -> Promise:
    members = {"__slots__": (), "__module__": kind.package, "__faithful__": True}
    made = Promise(kind.name_with(parameter), (), members)
    # Not among the members above: a callee may have a `__set_name__`.
    made.kind, made._type_parameter = kind, parameter  # type: ignore[attr-defined]  # noqa: SLF001 - as plum's
    # `setdefault`: of two threads that come first, one wins and both use its promise.
    return _promises.setdefault((kind, parameter), made)


copyreg.pickle(Promise, lambda promised: (promise, (promised.kind, promised.type_parameter)))
