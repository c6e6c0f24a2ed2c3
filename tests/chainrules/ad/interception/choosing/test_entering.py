"""When a function is entered: the user's always, a library's where it is given something to follow."""

import contextlib
import functools
import math
import statistics
import types
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.interception.choosing import entering
from chainrules.ad.interception.choosing.entering import (
    entered,
    entered_if_traced,
    is_any_to_be_followed,
    is_to_be_followed,
)
from tests.chainrules.ad.while_traced import while_traced


class Mine:
    """A class of the user's."""

    def method(self):
        """Do nothing."""


@dataclass
class Pair:
    """A container."""

    a: object


class OfALibrary:
    """A class of a library, which nobody looks into."""

    __module__ = "functools"

    def __init__(self, attribute):
        self.attribute = attribute


class SlotsOfALibrary:
    """A class of a library with slots, such as the splines of SciPy."""

    __module__ = "functools"
    __slots__ = ("attribute", "missing")

    def __init__(self, attribute):
        self.attribute = attribute

    def __getattr__(self, name):
        """What is called for a slot that is empty."""
        assert name != "missing", "nothing of the class is called"
        raise AttributeError(name)


def mine(x):
    """A function of the user's."""
    return math.sin(x)


@pytest.mark.parametrize(
    "x",
    [
        mine,
        functools.partial(mine),
        functools.partial(print, mine),
        functools.partial(print, sep=mine),
        Mine(),
        Mine().method,
        types.MethodType(len, Mine()),
        types.MethodType(mine, 1.0),
        np,
    ],
)
def test_what_is_the_users_is_followed(x):
    """It may hold anything. So is what is given NumPy itself: it makes arrays for its caller."""
    assert is_to_be_followed(x)


@pytest.mark.parametrize(
    "x",
    [
        1.0,
        "text",
        [1.0],
        {"a": 2.0},
        OfALibrary([1.0]),
        SlotsOfALibrary([1.0]),
        OfALibrary(SlotsOfALibrary(1.0)),
        OfALibrary(math),
        len,
        math.sin,
        Mine,
        functools.partial(print),
        math,
    ],
)
def test_what_holds_nothing_is_not(x):
    """It is a constant."""
    assert not is_to_be_followed(x)


@pytest.mark.parametrize(
    "hold",
    [
        lambda x: x,
        lambda x: [x],
        lambda x: {"a": (x,)},
        lambda x: Pair([x]),
        lambda x: functools.partial(print, x),
        SlotsOfALibrary,
        lambda x: SlotsOfALibrary([x]),
        lambda x: statistics.NormalDist(x, 1.0),
        OfALibrary,
        lambda x: OfALibrary([x]),
        lambda x: OfALibrary(OfALibrary(x)),
        lambda x: OfALibrary(SlotsOfALibrary(x)),
    ],
)
def test_what_is_traced_is_followed(hold):
    """Wherever it is found."""
    assert while_traced(1.0, lambda x: is_to_be_followed(hold(x)))


def test_library_functions():
    """They are entered where they are given something to follow, and else called as they are."""
    lent = entered_if_traced(statistics.fmean)

    assert lent([1.0, 2.0]) == 1.5
    assert entered(statistics.fmean) is not None
    assert grad(lambda x: functools.wraps(mine)(lambda y: math.sin(y))(x))(1.0) == math.cos(1.0)


def test_an_empty_cell():
    """A variable that is assigned later holds nothing yet."""

    def outer(x):
        def early():
            return late

        seen = is_to_be_followed(functools.partial(len, early)) and entered_if_traced(early)()
        late = x
        return seen

    with pytest.raises(NameError, match="late"):
        outer(1.0)


def test_variables_that_are_assigned_later():
    """A captured variable without a value yet holds nothing to be followed."""
    assert not entering._holds(types.CellType())


def of_a_library(f):
    """A function as if it came from a library."""
    code = f.__code__.replace(co_filename="<frozen library>")
    return types.FunctionType(code, {"__name__": "library"}, closure=f.__closure__)


def closing_over(value):
    """A closure of a library."""
    return of_a_library(lambda *args, **kwargs: ("as it is", value)[0])


@pytest.mark.parametrize(
    ("f", "args", "kwargs", "is_followed"),
    [
        (closing_over(1.0), (), {}, False),
        (closing_over(1.0), (1.0, [2.0], len, "text"), {"key": len, "start": 0}, False),
        (closing_over(mine), (), {}, True),
        (closing_over([mine]), (), {}, False),
        (of_a_library(lambda *args, **kwargs: "as it is"), (), {}, False),
        (of_a_library(lambda *args, **kwargs: "as it is"), (1.0, mine), {}, True),
        (of_a_library(lambda *args, **kwargs: "as it is"), (1.0, math.sin), {"key": [1.0]}, False),
        (of_a_library(lambda *args, **kwargs: "as it is"), (1.0,), {"start": 0, "key": mine}, True),
        (functools.lru_cache(of_a_library(lambda *args, **kwargs: "as it is")), (1.0,), {}, False),
        (functools.lru_cache(of_a_library(lambda *args, **kwargs: "as it is")), (mine,), {}, True),
    ],
)
def test_when_a_library_is_followed(f, args, kwargs, is_followed):
    """Where an argument, by position or by keyword, or what it closes over is to be followed."""
    lent = entered_if_traced(f, lambda *args, **kwargs: "followed")

    assert lent(*args, **kwargs) == ("followed" if is_followed else "as it is")


@pytest.mark.parametrize(("value", "is_reason"), [(mine, True), (statistics.fmean, False), (math.sin, False)])
def test_functions_in_attributes_of_a_librarys_objects(value, is_reason):
    """They may be called back, if they are the user's."""
    holder = type("Holder", (), {"__module__": "statistics"})()
    holder.called = value
    assert is_to_be_followed(holder) is is_reason


def test_what_is_followed_is_entered():
    """Its own calls are intercepted."""
    lent = entered_if_traced(mine)
    assert grad(lambda x: lent(x))(1.0) == math.cos(1.0)
    assert lent(1.0) == math.sin(1.0)


def test_objects_of_libraries_that_hold_one_of_the_users():
    """Their methods are entered: `contextlib.closing` calls one back."""

    class Closed:
        def __init__(self, x):
            self.x = x

        def close(self):
            self.x = math.sin(self.x)

    def program(x):
        closed = Closed(x)
        with contextlib.closing(closed):
            pass
        return closed.x

    assert grad(program)(1.0) == math.cos(1.0)
    assert not is_to_be_followed(contextlib.nullcontext(float))


@pytest.mark.parametrize("hold", [lambda x: x, OfALibrary, SlotsOfALibrary])
def test_what_holds_thousands_of_values_is_searched_last(hold, monkeypatch):
    """A registry of units stands beside a traced value, or what holds one, at each of its methods."""
    registry = OfALibrary({name: (name, name) for name in range(1000)})
    searched = []
    contains = entering.contains_carrier
    monkeypatch.setattr(entering, "contains_carrier", lambda x: searched.append(x) or contains(x))

    assert while_traced(2.0, lambda x: is_any_to_be_followed((registry, hold(x))))
    assert searched == []
    assert not is_any_to_be_followed((registry, OfALibrary({"a": (1.0,)})))
    assert len(searched) == 2, "each is searched once, with the containers that it holds"
    assert while_traced(2.0, lambda x: is_any_to_be_followed((registry, OfALibrary({"a": (x,)}))))


@pytest.mark.parametrize("rank", [0, 1, 2])
def test_arrays_of_objects(rank):
    """One that holds a traced array is followed, and so is what holds it: a system of transfer functions."""

    def objects(item):
        array = np.empty((2,) * rank, dtype=object)
        array[(1,) * rank] = item
        return array

    assert while_traced(2.0, lambda x: is_any_to_be_followed((objects(np.stack([x, x])),)))
    assert while_traced(2.0, lambda x: is_to_be_followed(OfALibrary(objects(x))))
    assert not is_any_to_be_followed((objects(np.ones(2)), "a"))
    assert not is_to_be_followed(OfALibrary(objects("a")))
    assert not is_any_to_be_followed((np.full(10**6, None),))
