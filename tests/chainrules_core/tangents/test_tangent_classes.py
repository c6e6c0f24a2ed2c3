"""The classes ``Tangent[P]``."""

import functools
import gc
import threading
import types
import weakref
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import plum
import pytest

from chainrules_core import MutableTangent, Tangent, TangentStructureError, ZeroTangent
from chainrules_core.tangents.tangent_classes import class_of_primal

T = TypeVar("T")


@dataclass
class Foo(Generic[T]):
    """A generic dataclass."""

    x: T


class Sub(Foo[float]):
    """A subclass with a parameter."""


@dataclass(frozen=True)
class Frozen:
    """A frozen dataclass."""

    x: float


class Plain:
    """A plain class."""


class Slotted:
    """A class with slots."""

    __slots__ = ("x", "y")


class Point(NamedTuple):
    """A NamedTuple."""

    x: float
    y: float


class Attrs:
    """Looks as a class of attrs does."""

    __attrs_attrs__ = (types.SimpleNamespace(name="x", init=True),)


def test_one_class_for_each_primal():
    """Asking again gives the same class; another primal, or kind of tangent, another."""
    assert Tangent[Foo] is Tangent[Foo]
    assert Tangent[Foo] is not Tangent[Sub]
    assert Tangent[Foo] is not MutableTangent[Foo]
    assert issubclass(Tangent[Foo], Tangent)
    assert not issubclass(Tangent[Sub], Tangent[Foo])


def test_parameters_of_the_primal_do_not_matter():
    """``Tangent[Foo[T]]`` is ``Tangent[Foo]``."""
    assert Tangent[Foo[float]] is Tangent[Foo]
    assert Tangent[tuple[int, ...]] is Tangent[tuple]
    assert Tangent[dict[str, float]] is Tangent[dict]
    assert class_of_primal(Tangent, list[int]) is list


def test_generic_annotations():
    """``Tangent[T]`` may stand in the annotations of generic code."""
    assert Tangent[T] is Tangent


@pytest.mark.parametrize("parameter", [1.0, "Foo", None, len])
def test_parameter_has_to_be_a_class(parameter):
    """Anything else is refused."""
    with pytest.raises(TypeError, match="class of the primal"):
        Tangent[parameter]


def test_only_one_parameter():
    """The class of one primal's tangents has no further parameters."""
    with pytest.raises(TypeError, match=r"write Tangent\[\.\.\.\]"):
        Tangent[Foo][Foo]


def test_instances():
    """They are ordinary classes for isinstance."""
    assert isinstance(Tangent[Foo](x=1.0), Tangent[Foo])
    assert not isinstance(Tangent[Sub](x=1.0), Tangent[Foo])


def test_dispatch():
    """plum chooses by the primal, and may cache: the classes are faithful types."""
    dispatch = plum.Dispatcher()

    @dispatch
    def kind(t: Tangent):
        return "any"

    @dispatch
    def kind(t: Tangent[Foo]):  # noqa: F811 - methods of one function
        return "Foo"

    assert kind(Tangent[Foo](x=1.0)) == "Foo"
    assert kind(Tangent[tuple](1.0)) == "any"
    assert plum.is_faithful(Tangent[Foo])


def test_local_classes_can_be_collected():
    """The class of tangents does not keep the class of the primal alive."""

    @dataclass
    class Local:
        x: float

    references = [weakref.ref(Local), weakref.ref(Tangent[Local])]
    assert Tangent[Local](x=1.0).x == 1.0
    del Local
    gc.collect()  # the class of the primal
    gc.collect()  # the class of its tangents, no longer in the table
    assert [reference() for reference in references] == [None, None]


def test_threads_get_one_class():
    """Threads that ask for the same new class at once get the same."""

    class New:
        pass

    classes = []
    barrier = threading.Barrier(8)

    def ask():
        barrier.wait()
        classes.append(Tangent[New])

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(classes) == 8
    assert len(set(classes)) == 1


def test_slots():
    """Instances hold their backing and nothing else."""
    assert not hasattr(Tangent[Foo](x=ZeroTangent()), "__dict__")


# --- Constructors ---


def test_every_kind_of_primal_has_tangents():
    """The fields of each kind of primal are given in its own form, and come back by name or position."""
    assert Tangent[Foo](x=1.0).x == 1.0
    assert Tangent[Plain](w=1.0).w == 1.0
    assert Tangent[Slotted](y=1.0).y == 1.0
    assert Tangent[Attrs](x=1.0).x == 1.0
    assert Tangent[Point](x=1.0, y=2.0).y == 2.0
    assert Tangent[complex](real=1.0, imag=2.0).imag == 2.0
    assert Tangent[types.FunctionType](p=1.0).p == 1.0
    assert Tangent[types.MethodType](__self__=1.0).__self__ == 1.0
    assert Tangent[functools.partial](func=1.0, args=2.0, keywords=3.0).args == 2.0
    assert Tangent[tuple](1.0, 2.0)[1] == 2.0
    assert Tangent[list](1.0, 2.0)[0] == 1.0
    assert Tangent[dict]({"a": 1.0})["a"] == 1.0
    assert Tangent[Any](1.0)[0] == 1.0
    assert Tangent[Any](x=1.0).x == 1.0


def test_empty_tangents():
    """A tangent without fields is a tangent."""
    for P in (Foo, tuple, list, dict, Any):
        assert len(Tangent[P]()) == 0


WRONG_BACKINGS = {
    "positions for a dataclass": lambda: Tangent[Foo](1.0, 2.0),
    "a dict for a dataclass": lambda: Tangent[Foo]({"x": 1.0}),
    "positions for a NamedTuple": lambda: Tangent[Point](1.0, 2.0),
    "positions for a plain class": lambda: Tangent[Plain](1.0),
    "keywords for a tuple": lambda: Tangent[tuple](x=1.0),
    "keywords for a list": lambda: Tangent[list](x=1.0),
    "keywords for a dict": lambda: Tangent[dict](x=1.0),
    "a number for a dict": lambda: Tangent[dict](1.0),
    "two dicts for a dict": lambda: Tangent[dict]({}, {}),
    "both for anything": lambda: Tangent[Any](1.0, x=1.0),
}


@pytest.mark.parametrize("make", WRONG_BACKINGS.values(), ids=WRONG_BACKINGS.keys())
def test_wrong_backing(make):
    """Fields given in a form that the primal does not have are refused, with the form that it has."""
    with pytest.raises(TangentStructureError, match="takes"):
        make()


@pytest.mark.parametrize("P", [Foo, Frozen, Slotted, Point, Attrs, complex, functools.partial, float])
def test_unknown_fields(P):
    """A field that the class does not declare is refused; the message lists those that it does."""
    with pytest.raises(TangentStructureError, match=r"Unknown: typo\. The fields of the primal: "):
        Tangent[P](typo=1.0)


def test_fields_called_self_and_args():
    """No name of a field is taken by the constructor."""
    t = Tangent[Plain](self=1.0, args=2.0, fields=3.0)
    assert (t.self, t.args, t.fields) == (1.0, 2.0, 3.0)
