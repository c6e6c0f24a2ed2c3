# ruff: noqa: D101, D102, D103 - stand-ins have nothing to document
"""What the first parameter of a rule may say, and what it matches."""

import functools
import math
import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import plum
import pytest

from chainrules_core import RuleConfig, RuleDefinitionError, primitive, rrule, typeof_, unwrap_primitive
from chainrules_core.dispatch import callees
from chainrules_core.dispatch.callees import InstanceOf, SubclassOf, TypeOf, callee_annotation, is_rule


@dataclass(eq=False)
class Foo:
    x: float = 0.0

    def __call__(self, y):
        return self.x + y

    def method(self, y):
        return y

    @classmethod
    def make(cls, y):
        return cls(y)


class Bar(Foo):
    pass


foo = Foo()


def plain(x):
    return x


def register(annotation):
    """Register a rule that answers "found" for callees that `annotation` matches."""

    def rule(f, x):
        return "found"

    rule.__annotations__ = {"f": annotation, "x": float}
    rrule.dispatch(rule)


def test_annotations_of_callees():
    """They are known as such, and plum may remember its answers by type."""
    for annotation in (typeof_(plain), Foo, type[Foo], typeof_(plain) | typeof_(np.sin)):
        assert callees.is_callee_annotation(annotation)
        assert plum.is_faithful(callee_annotation(annotation)[0])
    assert all(plum.is_faithful(kind[Foo]) for kind in (TypeOf, InstanceOf, SubclassOf))
    assert not any(
        map(callees.is_callee_annotation, (plain, foo, 3, None, "plain", functools.partial(plain)))
    )


def test_function_matches_itself_only():
    """`typeof_(foo)` matches the function and no other of the same type."""

    def one(x): ...
    def two(x): ...

    register(typeof_(one))
    assert rrule(one, 1.0) == "found"
    assert rrule(two, 1.0) is None


@pytest.mark.parametrize(
    "get",
    [
        lambda: np.hypot,
        lambda: math.erfc,
        lambda: np.linalg.slogdet,
        lambda: foo.method,
        lambda: Foo.make,
        lambda: np.hypot.reduce,
        lambda: str.title,
        lambda: functools.reduce,
    ],
    ids=["ufunc", "builtin", "function", "bound method", "class method", "ufunc method", "slot", "reduce"],
)
def test_typeof_is_one_class_for_every_access(get):
    """Whatever is made anew at each access, such as a bound method, is one callee if it is equal."""
    assert typeof_(get()) is typeof_(get())
    assert isinstance(get(), typeof_(get()))
    assert not isinstance(plain, typeof_(get()))


def test_ufunc_methods_are_found_by_lookup():
    """``ufunc.reduce`` is another object at each access, and its rule is found each time."""
    ufunc = np.frompyfunc(max, 2, 1)
    assert ufunc.reduce is not ufunc.reduce
    register(typeof_(ufunc.reduce))

    assert [rrule(ufunc.reduce, 1.0) for _ in range(3)] == ["found"] * 3
    assert rrule(ufunc.accumulate, 1.0) is None


def test_bound_methods_of_other_objects_do_not_match():
    """A bound method is a callee together with the object that it is bound to."""
    mine, other = Foo(), Foo()
    register(typeof_(mine.method))
    assert rrule(mine.method, 1.0) == "found"
    assert rrule(other.method, 1.0) is None


def test_typeof_class_is_its_constructor_and_not_that_of_subclasses():
    """`typeof_(Foo)` is Julia's `Type{Foo}`: exactly that class, called as a constructor."""

    class Base: ...

    class Derived(Base): ...

    register(typeof_(Base))
    assert rrule(Base, 1.0) == "found"
    assert rrule(Derived, 1.0) is None


@pytest.mark.parametrize("spelling", ["type[Base]", "typing.Type[Base]"])
def test_type_of_class_includes_subclasses(spelling):
    """`type[Foo]` is Julia's `Type{<:Foo}`: the constructors of the class and of its subclasses."""

    class Base:
        def __call__(self, x): ...

    class Derived(Base): ...

    register(eval(spelling))

    assert rrule(Base, 1.0) == rrule(Derived, 1.0) == "found"
    assert rrule(Base(), 1.0) is None
    assert rrule(Foo, 1.0) is None


def test_class_matches_instances_that_are_called():
    """`f: Foo` is a rule for functors, those of subclasses included, and not for constructors."""

    class Base:
        def __call__(self, x): ...

    class Derived(Base): ...

    register(Base)
    assert rrule(Base(), 1.0) == rrule(Derived(), 1.0) == "found"
    assert rrule(Base, 1.0) is None


def test_unhashable_functor_dispatches_on_its_class():
    """A functor that cannot be hashed has no type of its own, but its class has."""

    class Unhashable:
        __hash__ = None

        def __call__(self, x): ...

    register(Unhashable)
    assert rrule(Unhashable(), 1.0) == "found"
    with pytest.raises(RuleDefinitionError, match=r"not hashable.*`f: .*Unhashable`"):
        typeof_(Unhashable())


def test_abstract_base_class_matches_registered_classes():
    """An abstract base class matches classes that derive from it and those that are registered with it."""

    class Base(ABC):
        @abstractmethod
        def __call__(self, x): ...

    class Derived(Base):
        def __call__(self, x): ...

    class Registered:
        def __call__(self, x): ...

    Base.register(Registered)
    register(Base)
    assert rrule(Derived(), 1.0) == rrule(Registered(), 1.0) == "found"


@pytest.mark.parametrize(
    ("cls", "callee"),
    [
        (functools.partial, functools.partial(plain)),
        (np.vectorize, np.vectorize(plain)),
        (types.FunctionType, plain),
        (Callable, plain),
        (typing.Callable, foo),
        (np.ufunc, np.hypot),
        (types.MethodType, foo.method),
    ],
)
def test_class_of_callable_matches(cls, callee):
    """The classes of partials, closures and ufuncs are callees like any other, and so is `Callable`."""
    (member,) = callee_annotation(cls)[1]

    assert issubclass(member, InstanceOf)
    assert isinstance(callee, member)


def test_union_matches_each_member():
    """A union of callees is one rule for each of them."""

    def one(x): ...
    def two(x): ...
    def other(x): ...

    class Three:
        def __call__(self, x): ...

    register(typing.Union[typeof_(one), typeof_(two), Three])  # noqa: UP007 - `|` is the other spelling
    register(typeof_(other) | type[Three])

    assert rrule(one, 1.0) == rrule(two, 1.0) == rrule(Three(), 1.0) == rrule(Three, 1.0) == "found"


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        (TypeOf[plain], InstanceOf[types.FunctionType]),
        (TypeOf[plain], InstanceOf[Callable]),
        (InstanceOf[types.FunctionType], InstanceOf[Callable]),
        (InstanceOf[Bar], InstanceOf[Foo]),
        (TypeOf[foo], InstanceOf[Foo]),
        (TypeOf[Foo], SubclassOf[Foo]),
        (SubclassOf[Bar], SubclassOf[Foo]),
        (TypeOf[Bar], SubclassOf[Foo]),
        (SubclassOf[Foo], InstanceOf[type]),
        (TypeOf[Foo], InstanceOf[type]),
    ],
)
def test_order_is_that_of_julia(narrow, wide):
    """`typeof_(foo)` is more specific than `Foo`, and `Foo` than `Callable`; constructors likewise."""
    assert issubclass(narrow, wide)
    assert not issubclass(wide, narrow)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (TypeOf[plain], TypeOf[foo]),
        (TypeOf[Foo], TypeOf[Bar]),
        (TypeOf[foo], SubclassOf[Foo]),
        (InstanceOf[Foo], SubclassOf[Foo]),
    ],
)
def test_unrelated_types_are_not_ordered(one, other):
    """Types without a callee in common are not ordered."""
    assert not issubclass(one, other)
    assert not issubclass(other, one)


def test_most_specific_callee_wins():
    """Of rules for an object, its class and a base class, that for the object is found, then the class's."""

    class Base(ABC): ...  # noqa: B024 - more general than its subclasses, as `Callable` is

    class Functor(Base):
        def __call__(self, x): ...

    class Other(Base):
        def __call__(self, x): ...

    special, ordinary = Functor(), Functor()

    @rrule.dispatch
    def of_base(f: Base, x: float):
        return "base"

    @rrule.dispatch
    def of_class(f: Functor, x: float):
        return "class"

    @rrule.dispatch
    def of_object(f: typeof_(special), x: float):
        return "object"

    found = [rrule(f, 1.0) for f in (special, ordinary, Other(), plain)]
    assert found == ["object", "class", "base", None]


def test_callable_named_tuple_is_one_callee():
    """A callee that is a tuple is one callee, not several."""

    class Line(typing.NamedTuple):
        slope: float
        offset: float

        def __call__(self, x): ...

    assert isinstance(Line(1.0, 2.0), typeof_(Line(1.0, 2.0)))
    assert not isinstance(Line(1.0, 3.0), typeof_(Line(1.0, 2.0)))


def test_callee_is_not_told_that_it_has_a_name():
    """To make its type is not to assign the callee to an attribute of a class."""

    class Named:
        def __set_name__(self, owner, name):
            raise AssertionError(name)

        def __call__(self, x): ...

    named = Named()
    assert isinstance(named, typeof_(named))


def test_plum_reads_the_callee():
    """The type of a callee is a parametric type to plum, and the callee is its parameter."""
    assert plum.type_parameter(typeof_(plain)) is plain


def test_typeof_primitive_is_typeof_the_function():
    """A function marked by `primitive` stands for the function itself."""
    assert typeof_(primitive(plain)) is typeof_(plain)
    assert unwrap_primitive(primitive(plain)) is plain
    assert unwrap_primitive(plain) is plain


def test_unwrapping_asks_the_callee_for_nothing():
    """A callable whose `__getattr__` answers everything is no primitive."""

    class Answers:
        def __getattr__(self, name):
            raise AssertionError(name)

        def __call__(self, x): ...

    answers = Answers()
    assert unwrap_primitive(answers) is answers


@pytest.mark.parametrize(
    ("f", "message"),
    [(type, r"typeof_\(type\): .*every class"), (3.0, r"typeof_\(3\.0\): .*float is not callable")],
)
def test_typeof_refuses(f, message):
    """`type` would match every constructor, and what is not called has no rules."""
    with pytest.raises(RuleDefinitionError, match=message):
        typeof_(f)


class ValueProtocol(typing.Protocol):
    x: float

    def __call__(self, y): ...


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        (object, "matches everything"),
        (typing.Any, "matches everything"),
        (type, "matches everything"),
        (type[object], "matches everything"),
        (type[typing.Any], "matches everything"),
        (plain, r"names no callee.*`f: typeof_\(plain\)`"),
        (np.sin, r"names no callee.*`f: typeof_\(sin\)`"),
        (3, r"names no callee.*`f: typeof_\(foo\)`"),
        (np.ndarray, r"before the arguments.*no ndarray is called.*`f: typeof_\(foo\), x: ndarray`"),
        (float, r"before the arguments.*no float is called"),
        (Callable[[float], float], r"parameters.*Write `f: Callable`"),
        (RuleConfig[()], "configuration stands where the callee belongs"),
        (callees.ReverseModeCapability, "is a feature of configurations"),
        (callees.ForwardsModeCapability, "is a feature of configurations"),
        (typing.runtime_checkable(ValueProtocol), "by value, not by class"),
    ],
)
def test_annotations_that_name_no_callee(annotation, message):
    """An annotation that matches everything or names no callee is refused, with what to write instead."""
    with pytest.raises(RuleDefinitionError, match=message):
        callee_annotation(annotation)


def test_a_type_itself_may_be_the_annotation():
    """``TypeOf[foo]`` says what ``typeof_(foo)`` promises."""
    written, _ = callee_annotation(TypeOf[math.sin])

    assert isinstance(math.sin, written)
    assert not isinstance(math.cos, written)


def test_rules_are_told_by_their_annotations():
    """Nothing else is annotated with a type that `typeof_` made."""

    def rule(f: typeof_(np.sin), x: float): ...
    def function(f, x: float): ...

    assert is_rule(rule)
    assert not any(map(is_rule, (function, np.sin, len, 3.0)))
