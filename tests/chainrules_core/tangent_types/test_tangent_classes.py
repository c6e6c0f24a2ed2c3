"""The classes ``Tangent[P]``."""

import gc
import threading
import weakref
from dataclasses import dataclass
from typing import Generic, TypeVar

import plum
import pytest

from chainrules_core import MutableTangent, Tangent, ZeroTangent
from chainrules_core.tangent_types.tangent_classes import class_of_primal

T = TypeVar("T")


@dataclass
class Foo(Generic[T]):
    """A generic dataclass."""

    x: T


class Sub(Foo[float]):
    """A subclass with a parameter."""


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
