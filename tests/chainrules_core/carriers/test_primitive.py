# ruff: noqa: D101, D102, D103 - stand-ins have nothing to document
"""`primitive`: functions that AD systems intercept."""

import functools
import inspect
import pickle
import sys
import types
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules_core import (
    MixedCarriersError,
    RuleDefinitionError,
    RuleNotFoundError,
    primitive,
    rrule,
    typeof_,
)
from chainrules_core.carriers.primitive import Primitive
from tests.chainrules_core.boxes import Box, OtherBox, backend


@primitive
def power(x, n=2, *, scale=1.0):
    """A function of this file."""
    return scale * x**n


@primitive
class Made:
    def __init__(self, x):
        self.x = x


class Holder:
    def __init__(self, held):
        self.held = held

    @primitive
    def method(self, x):
        return self.held, x

    @classmethod
    def make(cls, x):
        return cls(x)

    @staticmethod
    def static(x):
        return x


@dataclass
class Data:
    x: object


def plain(x):
    return x


wrapped_here = primitive(np.linalg.solve)


@pytest.fixture(autouse=True)
def calls():
    """The calls that were handed to the AD system during a test."""
    backend.calls.clear()
    return backend.calls


def test_ordinary_values_just_call_the_function(calls):
    """Without a carrier a primitive is its function, keywords included."""
    assert power(3.0) == 9.0
    assert power(3.0, 3) == 27.0
    assert power(3.0, n=1, scale=2.0) == 6.0
    np.testing.assert_array_equal(power(np.array([1.0, 2.0])), [1.0, 4.0])
    assert Made([1.0]).x == [1.0]
    assert calls == []


def test_carrier_hands_the_call_over(calls):
    """With a carrier the backend gets the function itself and the arguments, and its answer is returned."""
    box = Box(3.0)
    assert power(box, 3, scale=2.0).value == "result"
    f, args, kwargs = calls.pop()
    assert (f, args, kwargs) == (power.__wrapped__, (box, 3), {"scale": 2.0})


@pytest.mark.parametrize(
    "wrap",
    [
        lambda x: [x],
        lambda x: (1.0, (x,)),
        lambda x: {"a": x},
        Data,
        lambda x: lambda: x,
        lambda x: functools.partial(plain, x),
        lambda x: functools.partial(plain, x=[x]),
    ],
    ids=["list", "tuple", "dict", "dataclass", "cell", "partial", "partial keyword"],
)
def test_carriers_inside_arguments(wrap, calls):
    """Carriers are found inside containers, dataclasses, closure cells and partials."""
    call = primitive(plain)
    argument = wrap(Box(1.0))
    assert call(argument).value == "result"
    assert calls == [(plain, (argument,), {})]
    ordinary = wrap(1.0)
    assert call(ordinary) is ordinary
    assert len(calls) == 1


def test_keyword_carrier_is_bound_to_its_place(calls):
    """A keyword that carries a tangent becomes positional, with the defaults before it."""
    box = Box(3.0)
    power(n=box, x=2.0, scale=5.0)
    power(x=box)
    assert [args for _, args, _ in calls] == [(2.0, box), (box,)]
    assert [kwargs for _, _, kwargs in calls] == [{"scale": 5.0}, {}]


def test_keyword_carrier_without_a_place_is_refused():
    """A derivative by a keyword-only argument would be dropped, so it is an error."""
    with pytest.raises(
        RuleNotFoundError, match="power: its argument `scale` carries a tangent but can only be"
    ):
        power(1.0, scale=Box(2.0))


def test_two_systems_in_one_call_are_refused():
    """Carriers of two AD systems cannot meet in one call."""
    with pytest.raises(MixedCarriersError):
        power(Box(1.0), OtherBox(2.0))


def test_functions_that_hold_carriers(calls):
    """A closure or a partial is searched for carriers at each call."""
    held = []

    def closure(x):
        return held, x

    for f in (closure, functools.partial(closure)):
        marked = primitive(f)
        assert marked(1.0) == ([], 1.0)
        held.append(Box(1.0))
        assert marked(1.0).value == "result"
        held.clear()
    assert [args for _, args, _ in calls] == [(1.0,), (1.0,)]


def test_methods(calls):
    """A primitive in a class is a method; the instance is its first argument, and may hold the carrier."""
    holder = Holder(1.0)
    assert holder.method(2.0) == (1.0, 2.0)
    assert Holder.method is Holder.__dict__["method"]
    assert isinstance(holder.method, types.MethodType)
    box = Box(2.0)
    assert holder.method(box).value == "result"
    assert calls == [(Holder.method.__wrapped__, (holder, box), {})]


@pytest.mark.parametrize(
    "f",
    [
        Holder,
        Holder.make,
        Holder(1.0).make,
        Holder.static,
        np.add.reduce,
        np.add,
        max,
        functools.partial(plain),
    ],
)
def test_any_callable_may_be_a_primitive(f, calls):
    """Classes, class and bound methods, ufuncs and their methods, builtins and partials can be marked."""
    marked = primitive(f)
    argument = Box(1.0)
    assert marked(argument, argument).value == "result"
    assert calls == [(f, (argument, argument), {})]
    assert typeof_(marked) is typeof_(f)


def test_bound_method_that_holds_a_carrier(calls):
    """The object that a method is bound to is searched like an argument."""
    data = Data(Box(1.0))
    assert primitive(data.__eq__)(1.0).value == "result"
    assert primitive(Data(1.0).__eq__)(Data(1.0)) is True
    assert len(calls) == 1


def test_class_as_a_primitive(calls):
    """A class that is marked makes instances, or hands its call over."""
    assert Made(1.0).x == 1.0
    assert Made(Box(1.0)).value == "result"
    assert calls[0][0] is typeof_(Made).type_parameter


def test_rules_are_those_of_the_function():
    """A rule for the function is one for the primitive, and the other way round."""

    def foo(x): ...

    @rrule.dispatch
    def foo_rrule(f: typeof_(primitive(foo)), x: float):
        return f, x

    assert rrule(foo, 1.0) == rrule(primitive(foo), 1.0) == (foo, 1.0)
    assert rrule.explain(primitive(foo), 1.0) == rrule.explain(foo, 1.0)


def test_looks_like_its_function():
    """Name, documentation, signature and attributes are the function's; its identity is its own."""

    def foo(x: float, *, n=1):
        """Documented."""

    foo.attribute = 3
    marked = primitive(foo)
    assert (marked.__name__, marked.__doc__, marked.__module__) == ("foo", "Documented.", __name__)
    assert inspect.signature(marked) == inspect.signature(foo)
    assert marked.attribute == 3
    assert repr(marked) == f"primitive({foo!r})"
    assert marked == marked  # noqa: PLR0124 - that is the claim
    assert marked != primitive(foo)
    assert not hasattr(primitive(np.add), "__array__")


def test_marking_twice_is_marking_once():
    """A primitive of a primitive is itself."""
    assert primitive(power) is power


@pytest.mark.parametrize("marked", [power, Made, Holder.method])
def test_decorated_functions_are_picklable_by_reference(marked):
    """A decorated function is found under its name, in other processes, too."""
    assert pickle.loads(pickle.dumps(marked)) is marked


@pytest.mark.parametrize("marked", [wrapped_here, primitive(plain), primitive(np.add)])
def test_wrapped_functions_are_picklable(marked):
    """A function that was wrapped is wrapped again."""
    restored = pickle.loads(pickle.dumps(marked))
    assert isinstance(restored, Primitive)
    assert restored.__primitive__ is marked.__primitive__


def test_what_is_not_called_cannot_be_marked():
    """Only callables can be primitives."""
    with pytest.raises(
        RuleDefinitionError, match=r"primitive\(3\): it marks something that is called, .* int is not"
    ):
        primitive(3)


def test_ordinary_call_searches_nothing(monkeypatch):
    """With arguments of known ordinary classes nothing but their classes is looked at."""
    power(1.0, 2)
    monkeypatch.setattr(sys.modules[Primitive.__module__], "backend_for", None)
    assert power(3.0, 2) == 9.0


def test_carriers_by_themselves_are_not_searched_for(monkeypatch):
    """Arguments that are carriers of one system, and ordinary ones beside them, need not be looked into."""
    marked = primitive(lambda *xs: xs)
    marked(Box(1.0), 2.0)  # which classes are ordinary is remembered

    def refuse(*args):
        raise AssertionError("searched")

    monkeypatch.setattr("chainrules_core.carriers.primitive.backend_for", refuse)
    for args in ((Box(1.0),), (Box(1.0), Box(2.0)), (1.0, Box(2.0)), (Box(1.0), 2.0, Box(3.0))):
        assert type(marked(*args)) is Box
        assert backend.calls[-1][1] == args
    assert marked(1.0, 2.0) == (1.0, 2.0)


def test_arguments_arrive_however_many_there_are():
    """A function gets just the arguments that were given; a carrier at any place hands all of them over."""
    marked = primitive(lambda *xs: xs)
    for n in range(7):
        xs = tuple(map(float, range(n)))
        assert marked(*xs) == xs
        assert marked(*map(str, xs)) == tuple(map(str, xs))
        assert marked(*([x] for x in xs)) == tuple([x] for x in xs)
        for place in range(n):
            given = (*xs[:place], Box(0.0), *xs[place + 1 :])
            assert type(marked(*given)) is Box
            assert backend.calls[-1][1] == given
