"""Tests of `chainrules_core.tangent_spaces.projection.structures`."""

import collections
import functools
import pickle
import types
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

from chainrules_core import (
    DimensionMismatchError,
    MutableTangent,
    NoTangent,
    ProjectTo,
    Tangent,
    ZeroTangent,
    register_carrier,
)
from chainrules_core.tangent_spaces.projection import NoTangentProjector, NumberProjector, StructureProjector
from tests.chainrules_core.boxes import UncalledBackend
from tests.chainrules_core.tangent_spaces.projection.values import assert_are_values


@dataclass
class Line:
    """Three fields, the last of which cannot be perturbed, and a call."""

    slope: float
    intercept: Any
    label: str = ""

    def __call__(self, x):
        """The ordinate."""
        return self.slope * x + self.intercept


@dataclass(frozen=True)
class Named:
    """Nothing that can be perturbed."""

    name: str


class Steep(Line):
    """Derived from a dataclass, without fields of its own."""


class Point(NamedTuple):
    """A NamedTuple."""

    x: float
    y: Any


class AttrsLike:
    """What attrs makes of a class, as far as it is looked at here."""

    __attrs_attrs__ = (types.SimpleNamespace(name="slope", init=True, alias="slope"),)

    def __init__(self, slope):
        self.slope = slope


def closure(weight, name="a"):
    """A function that closes over both."""
    return lambda x: weight * len(name) * x


@pytest.mark.parametrize("x", [{"a": 1.0}, collections.OrderedDict(a=1.0)])
@pytest.mark.parametrize("x_bar", [{"a": 2 + 1j}, collections.OrderedDict(a=2 + 1j)])
def test_dicts_of_every_class(x, x_bar):
    """The tangent is that of the primal's class, whichever dict the cotangent is."""
    projected = ProjectTo(x)(x_bar)

    assert projected["a"] == 2.0
    assert type(projected) is type(ProjectTo(x)(Tangent[type(x)]({"a": 2.0})))


# --- Dataclasses -----------------------------------------------------------------------------------


def test_dataclasses_are_projected_field_by_field():
    """Fields that are not given are left out, for they are zero."""
    project = ProjectTo(Line(1, np.ones(2, np.float32), "a"))

    projected = project(Tangent[Line](slope=1 + 2j, intercept=np.ones((1, 2)), label=3.0))

    assert type(projected) is Tangent[Line]
    assert projected.slope == 1.0
    np.testing.assert_array_equal(projected.intercept, np.ones(2, np.float32), strict=True)
    assert projected.label is NoTangent()
    assert project(Tangent[Line](slope=1j)).keys() == ("slope",)


def test_what_fits_is_returned_as_it_is():
    """A structural tangent whose fields fit is the same object, be it mutable or not."""
    project = ProjectTo(Line(1.0, np.ones(2)))

    for tangent_class in (Tangent, MutableTangent):
        x_bar = tangent_class[Line](slope=1.0, intercept=np.ones(2))
        assert project(x_bar) is x_bar


def test_mutable_tangents_stay_mutable():
    """Projecting makes a new one of the same kind; the one that was given is unchanged."""
    x_bar = MutableTangent[Line](slope=1 + 2j)

    projected = ProjectTo(Line(1.0, 2.0))(x_bar)

    assert projected == MutableTangent[Line](slope=1.0)
    assert x_bar.slope == 1 + 2j


def test_an_instance_is_a_natural_cotangent():
    """A value like the primal becomes its structural tangent."""
    assert ProjectTo(Line(1.0, 2.0))(Line(3, 4j)) == Tangent[Line](
        slope=3.0, intercept=0.0, label=NoTangent()
    )


def test_tangents_of_a_base_class_become_tangents_of_the_class():
    """A rule for a class serves those derived from it; its tangents can be added to theirs."""
    projected = ProjectTo(Steep(1.0, 2.0))(Tangent[Line](slope=3.0))

    assert projected == Tangent[Steep](slope=3.0)


class Traced:
    """A carrier of a dataclass."""

    primal = Line(1.0, 2.0)


def test_a_carrier_stays_what_it_is():
    """A value that is traced as a whole is not looked into; as a primal it counts as what it carries."""
    register_carrier(__name__, "Traced", UncalledBackend())
    x_bar = Traced()

    assert ProjectTo(Line(1.0, 2.0))(x_bar) is x_bar
    assert ProjectTo(x_bar) == ProjectTo(Line(1.0, 2.0))


def test_nothing_perturbable_inside_nothing_perturbable():
    """A dataclass of strings cannot be perturbed, also where its projector is made by hand."""
    assert ProjectTo(Named("a")) == NoTangentProjector()
    assert StructureProjector(Named, {"name": NoTangentProjector()}) == NoTangentProjector()


@pytest.mark.parametrize(
    "x_bar", [1.0, (1.0, 2.0), {"slope": 1.0}, np.ones(3), Tangent[tuple](1.0, 2.0, 3.0), Named("a")]
)
def test_other_kinds_of_cotangents_are_refused(x_bar):
    """A dataclass has structural tangents and instances for cotangents."""
    with pytest.raises(TypeError, match="no cotangent"):
        ProjectTo(Line(1.0, 2.0))(x_bar)


def test_a_dataclass_may_contain_itself():
    """The value where it is a field of its own is left to rules."""
    x = Line(1.0, None)
    x.intercept = x

    assert ProjectTo(x)(Tangent[Line](slope=1j, intercept="anything")).intercept == "anything"


def test_attrs_classes_are_dataclasses():
    """Their fields are declared likewise."""
    assert ProjectTo(AttrsLike(1.0))(Tangent[AttrsLike](slope=2j)) == Tangent[AttrsLike](slope=0.0)


def test_plain_classes_are_left_to_rules():
    """Of a class that declares no fields, only rules know what its cotangents are."""
    x_bar = object()

    assert ProjectTo(types.SimpleNamespace(a=1.0))(x_bar) is x_bar


# --- NamedTuples and dicts -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "x_bar",
    [Point(1, 2j), (1, 2j), {"y": 2j, "x": 1}, Tangent[Point](x=1, y=2j), Tangent[Any](x=1, y=2j)],
    ids=repr,
)
def test_named_tuples(x_bar):
    """NamedTuples, tuples of their length, dicts in any order and structural tangents are cotangents."""
    assert ProjectTo(Point(1.0, 2.0))(x_bar) == Tangent[Point](x=1.0, y=0.0)


@pytest.mark.parametrize("x_bar", [{"y": 1.0}, {}])
def test_named_tuples_take_some_of_their_fields(x_bar):
    """Fields that are not given are zero."""
    assert ProjectTo(Point(1.0, 2.0))(x_bar) == Tangent[Point](**x_bar)


@pytest.mark.parametrize("x_bar", [{"z": 1.0}, {"x": 1.0, "z": 1.0}])
def test_unknown_fields_are_refused(x_bar):
    """The error names them, and those that there are."""
    with pytest.raises(DimensionMismatchError, match=r"x, y.*z is not among them"):
        ProjectTo(Point(1.0, 2.0))(x_bar)


@pytest.mark.parametrize("x_bar", [(1.0,), (1.0, 2.0, 3.0), [1.0, 2.0], 1.0])
def test_named_tuples_refuse_other_lengths_and_kinds(x_bar):
    """A tuple of another length does not say which field is which."""
    with pytest.raises(TypeError, match="no cotangent"):
        ProjectTo(Point(1.0, 2.0))(x_bar)


def test_dicts_are_projected_key_by_key():
    """Some of the keys may be given; unknown ones are refused."""
    project = ProjectTo({"a": 1.0, ("b", 1): "text"})

    assert project({"a": 1j}) == Tangent[dict]({"a": 0.0})
    assert project({("b", 1): 2.0}) == Tangent[dict]({("b", 1): NoTangent()})
    assert project(Tangent[dict]({"a": 2 + 1j})) == Tangent[dict]({"a": 2.0})
    x_bar = Tangent[dict]({"a": 2.0})
    assert project(x_bar) is x_bar
    with pytest.raises(DimensionMismatchError, match="c is not among them"):
        project({"c": 1.0})


def test_dicts_of_what_cannot_be_perturbed():
    """They cannot be perturbed either; empty ones have an empty tangent."""
    assert ProjectTo({"a": "b"}) == NoTangentProjector()
    assert ProjectTo({})({}) == Tangent[dict]({})


# --- Callables -------------------------------------------------------------------------------------


def test_closures_are_projected_by_what_they_close_over():
    """The cotangent of a closure has a field for each variable."""
    project = ProjectTo(closure(np.ones(2)))

    projected = project(Tangent[types.FunctionType](weight=np.array([1j, 2]), name=1.0))

    np.testing.assert_array_equal(projected.weight, [0.0, 2.0])
    assert projected.name is NoTangent()
    with pytest.raises(TypeError, match="no cotangent"):
        project(closure(np.ones(2)))


def test_functions_without_captured_numbers_cannot_be_perturbed():
    """A function without a closure, or with one over a string only, has no tangent."""
    assert ProjectTo(closure) == NoTangentProjector()
    assert ProjectTo(closure("a")) == NoTangentProjector()


def test_recursive_functions_close_over_themselves():
    """A function that closes over itself is projected like others."""

    def factorial(n, step=1.0):
        return 1 if n == 0 else n * factorial(n - step)

    assert ProjectTo(factorial)(ZeroTangent()) is ZeroTangent()


def test_partials_and_bound_methods():
    """A partial has its function and arguments, a bound method its instance."""
    line = Line(1.0, 2.0)
    x_bar = Tangent[functools.partial](args=(1 + 1j,))

    assert ProjectTo(functools.partial(len, 2.0))(x_bar).args == Tangent[tuple](1.0)
    method_bar = Tangent[types.MethodType](__self__=Tangent[Line](slope=1j))
    assert ProjectTo(line.__call__)(method_bar)["__self__"] == Tangent[Line](slope=0.0)


# --- As values -------------------------------------------------------------------------------------

STRUCTURES = [
    Line(1.0, 2.0),
    Point(1.0, 2),
    {"a": 1.0, "b": "c"},
    closure(1.0),
    functools.partial(len, 1.0),
    Line(1.0, 2.0).__call__,
]


@pytest.mark.parametrize("x", STRUCTURES, ids=lambda x: type(x).__name__)
def test_projectors_are_values(x):
    """Projectors of equal parts are equal, whatever the order of the fields, picklable and readable."""
    project = ProjectTo(x)
    reordered = StructureProjector(project.structure_type, dict(reversed(project.fields.items())))

    assert reordered == project
    assert hash(reordered) == hash(project)
    assert pickle.loads(pickle.dumps(project)) == project
    assert project.structure_type.__name__ in repr(project) or "types." in repr(project)


def test_projectors_read_as_they_are_made():
    """The repr evaluates back to an equal projector."""
    project = ProjectTo({"a": 1.0, "b": "c"})
    names = {cls.__name__: cls for cls in (StructureProjector, NumberProjector, NoTangentProjector)}

    assert eval(repr(project), names) == project


def holding(y):
    """A function that holds a number."""
    return lambda x: y


def test_projectors_of_other_primals_are_others():
    """Equal for equal tangent spaces, hashable, picklable; their text makes them again."""
    assert_are_values(*({"a": 1.0}, {"b": 1.0}, {"a": 1j}, functools.partial(max, 1.0), holding(1.0)))
