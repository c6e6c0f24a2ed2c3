# ruff: noqa: D101, D102 - stand-ins have nothing to document
"""Parametric types: made once for a parameter, ordered, named, pickled; and promises of them."""

import functools
import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import NamedTuple, Union

import plum
import pytest
from beartype import beartype
from beartype.roar import BeartypeCallHintParamViolation

from chainrules_core import rrule, typeof_
from chainrules_core.parametric_types import ParametricType, is_concrete, parametric, promise


class AtMostType(ParametricType):
    def __instancecheck__(cls, x):
        return isinstance(x, int | float | tuple) and x <= cls.type_parameter

    def __name_of_parameter__(cls, parameter):
        return str(parameter)


@parametric
class AtMost(metaclass=AtMostType):
    """The numbers up to one of them."""

    __faithful__ = False

    @classmethod
    def __le_type_parameter__(cls, left, right):
        return left <= right

    @classmethod
    def __le_other_type__(cls, other):
        return other.type_parameter <= cls.type_parameter


@parametric
class Exactly(metaclass=AtMostType):
    """One number."""

    @classmethod
    def __le_type_parameter__(cls, left, right):
        return left == right

    @classmethod
    def __le_other_type__(cls, other):
        return False


def test_promises_are_faithful():
    """plum may remember answers by type where one is an annotation."""
    assert plum.is_faithful(promise(Exactly, 2.0))


class Pair(NamedTuple):
    first: float
    second: float


def both(kind, parameter):
    """A type and the promise of it."""
    return [kind[parameter], promise(kind, parameter)]


def test_a_parameter_has_one_type_and_one_promise():
    """Equal parameters give the same class each time; the promise stands for that type."""
    assert AtMost[3] is AtMost[3.0]
    assert promise(AtMost, 3) is promise(AtMost, 3.0)
    assert promise(AtMost, 3).resolve() is AtMost[3]


@pytest.mark.parametrize("make", [AtMost.__getitem__, lambda x: promise(AtMost, x)])
def test_threads_make_one_type(make):
    """Threads that come first with a parameter at once get one type for it."""
    for _ in range(50):
        parameter = object()
        barrier = Barrier(4)

        def made(parameter=parameter, barrier=barrier):
            barrier.wait()
            return make(parameter)

        with ThreadPoolExecutor(4) as pool:
            types = [future.result() for future in [pool.submit(made) for _ in range(4)]]
        assert len(set(map(id, types))) == 1


@pytest.mark.parametrize("kind", both(AtMost, Pair(1.0, 2.0)))
def test_a_tuple_is_one_parameter(kind):
    """A parameter that is a tuple is not taken for several."""
    assert plum.type_parameter(kind) == Pair(1.0, 2.0)
    assert isinstance((1.0, 1.0), kind)


@pytest.mark.parametrize("narrow", [*both(AtMost, 2), *both(Exactly, 3)])
@pytest.mark.parametrize("wide", both(AtMost, 3))
def test_types_and_promises_are_ordered_alike(narrow, wide):
    """Types of one class by plum's hook, types of two classes by ours, and promises as what they promise."""
    assert issubclass(narrow, wide)
    assert not issubclass(wide, narrow)
    assert issubclass(narrow, narrow)
    assert issubclass(wide, AtMost)


def test_a_parametric_class_is_not_concrete():
    """Only a type that was made of a parameter is concrete."""
    assert is_concrete(AtMost[1])
    assert not is_concrete(AtMost)
    assert not is_concrete(int)
    assert not issubclass(int, AtMost[1])


@pytest.mark.parametrize("kind", both(AtMost, 3))
def test_names_are_what_one_writes(kind):
    """The name says the class and the parameter, and the module is the package."""
    assert repr(kind) == "<class 'tests.AtMost[3]'>"
    assert kind.__name__ == kind.__qualname__ == "AtMost[3]"


@pytest.mark.parametrize("kind", [AtMost, *both(AtMost, 3)])
def test_types_are_pickled(kind):
    """A parametric type is unpickled as the same class."""
    assert pickle.loads(pickle.dumps(kind)) is kind


@pytest.mark.parametrize("kind", both(AtMost, 3))
def test_plum_functions_of_others_dispatch_on_them(kind):
    """plum dispatches on types and on promises, alone and in unions."""

    def function(x): ...

    dispatched = plum.Function(function)
    for hint, answer in ((kind | str, "few or text"), (AtMost[1], "one"), (object, "other")):

        def method(x, answer=answer):
            return answer

        dispatched.register(method, plum.Signature(plum.resolve_type_hint(hint)))

    assert [dispatched(x) for x in (2, "x", 1, 5)] == ["few or text"] * 2 + ["one", "other"]


@pytest.mark.parametrize("kind", both(AtMost, 3))
@pytest.mark.parametrize("hint", [lambda t: t, lambda t: t | str, lambda t: Union[t, None]])  # noqa: UP007 - both spellings
def test_beartype_checks_them(kind, hint):
    """beartype checks types and promises, alone and in unions."""

    @beartype
    def function(x: hint(kind)):
        return x

    assert function(2) == 2
    with pytest.raises(BeartypeCallHintParamViolation):
        function(math.inf)


def test_unions_of_promises_ask_each():
    """`isinstance` with a union of promises asks what they stand for."""
    assert isinstance(3, promise(AtMost, 1) | promise(AtMost, 4))
    assert not isinstance(3, promise(AtMost, 1) | str)


def test_threads_make_one_type_for_a_callee():
    """Threads that meet a callee at once get one type for it."""
    for _ in range(50):
        callee = lambda x: x  # noqa: E731 - a new one each time
        barrier = Barrier(4)

        def make(callee=callee, barrier=barrier):
            barrier.wait()
            return typeof_(callee)

        with ThreadPoolExecutor(4) as pool:
            made = [future.result() for future in [pool.submit(make) for _ in range(4)]]
        assert len(set(map(id, made))) == 1


def test_plum_reads_the_parameter_of_a_promise():
    """As it reads the parameter of the type that is promised."""
    assert plum.type_parameter(promise(AtMost, 3)) == 3


class Task:
    """A callable that is bound in its own way where it stands in a class, as those of decorators are."""

    def __init__(self, f):
        self.f = f

    def __call__(self, x):
        return self.f(x)

    def __get__(self, instance, owner=None):
        return functools.partial(self.f, instance)


def test_a_parameter_is_not_bound_to_its_type():
    """A callable with a `__get__` is the callee itself, and not what that returns."""
    f = Task(abs)

    @rrule.dispatch
    def f_rrule(g: typeof_(f), x: float):
        return "found"

    assert rrule(f, 1.0) == "found"
    assert typeof_(f).type_parameter is typeof_(f).resolve().type_parameter is f
