"""Tests of `chainrules_core.tangent_spaces.projection.project_to`."""

import pickle
import threading
from dataclasses import dataclass

import numpy as np
import plum
import pytest

from chainrules_core import Array, Projector, ProjectTo, register_carrier
from chainrules_core.tangent_spaces.projection import IdentityProjector, NoTangentProjector
from tests.chainrules_core.boxes import UncalledBackend


class Temperature:
    """A type of a third party, with one number."""

    def __init__(self, kelvin):
        self.kelvin = kelvin


class Freezing(Temperature):
    """Derived from it."""


@dataclass(slots=True, unsafe_hash=True)
class TemperatureProjector(Projector):
    """Onto differences of temperature."""

    kelvin: Projector

    def project(self, x_bar):
        """The projection of the number of kelvin."""
        return self.kelvin(x_bar)


def test_third_parties_add_their_types():
    """A method for a class serves it and the classes derived from it; it stays an ordinary function."""
    assert ProjectTo(Temperature(1.0)) == IdentityProjector()

    @ProjectTo.dispatch
    def project_temperature(x: Temperature):
        return TemperatureProjector(ProjectTo(x.kelvin))

    assert project_temperature(Temperature(1.0)) == ProjectTo(Temperature(1.0))
    assert ProjectTo(Temperature(1.0))(2 + 3j) == 2.0
    assert ProjectTo(Freezing(273)) == TemperatureProjector(ProjectTo(1.0))


def test_the_most_specific_method_is_chosen():
    """A class's own method beats that of a class above it, also if the class was met already."""

    class Angle(float):
        pass

    assert ProjectTo(Angle(1.0)) == ProjectTo(1.0)

    @ProjectTo.dispatch
    def project_angle(x: Angle):
        return IdentityProjector()

    assert ProjectTo(Angle(1.0)) == IdentityProjector()
    assert ProjectTo(1.0) != IdentityProjector()


class Left:
    """One of two bases."""


class Right:
    """The other one."""


class Both(Left, Right):
    """A class for which the methods of its bases are equally specific."""


def test_precedence_decides_among_equals():
    """Two methods that are equally specific are ambiguous, unless one takes precedence."""
    ambiguous, decided = type(ProjectTo)(), type(ProjectTo)()
    for table, precedence in ((ambiguous, 0), (decided, 1)):
        table.dispatch(_annotated(Left, NoTangentProjector()))
        table.dispatch(precedence=precedence)(_annotated(Right, IdentityProjector()))

    with pytest.raises(plum.AmbiguousLookupError):
        ambiguous(Both())
    assert decided(Both()) == IdentityProjector()
    assert decided(Left()) == NoTangentProjector()


def test_a_second_projector_of_a_class_warns():
    """The later one counts."""
    table = type(ProjectTo)()
    table.dispatch(_annotated(Left, NoTangentProjector()))
    table.dispatch(_annotated(Left, IdentityProjector()))

    with pytest.warns(match=r"(?s)Left.*overwrites"):
        assert table(Left()) == IdentityProjector()


def _annotated(cls, projector):
    def project(x):
        return projector

    project.__annotations__["x"] = cls
    return project


def test_annotations_that_look_at_values_are_honoured():
    """With a hint on dtype and rank, what is chosen for an array is not remembered for its class."""
    matrix, vector = np.ones((2, 2), np.uint32), np.ones(2, np.uint32)
    table = type(ProjectTo)()
    table.dispatch(_annotated(object, IdentityProjector()))
    table.dispatch(_annotated(Array[np.uint32, 2], NoTangentProjector()))

    assert table(vector) == table(vector[:1]) == IdentityProjector()
    assert table(matrix) == table(matrix.T) == NoTangentProjector()


class Late:
    """A class that becomes a carrier after its projector was asked for."""

    primal = 1.0


def test_a_carrier_registered_late_is_a_carrier():
    """What was remembered of its class is forgotten."""
    assert ProjectTo(Late()) == IdentityProjector()

    register_carrier(__name__, "Late", UncalledBackend())

    assert ProjectTo(Late()) == ProjectTo(1.0)


def test_project_to_is_pickled_by_reference():
    """Pullbacks that refer to it travel to other processes."""
    assert pickle.loads(pickle.dumps(ProjectTo)) is ProjectTo
    assert repr(ProjectTo) == "ProjectTo"


def test_lookups_while_others_register():
    """A thread that looks up while another registers gets the right projector."""
    wrong = []
    stop = threading.Event()

    def look_up():
        while not stop.is_set():
            if ProjectTo(1.0).number_type is not float or ProjectTo(True) != NoTangentProjector():
                wrong.append(1)

    looking = threading.Thread(target=look_up)
    looking.start()
    for number in range(20):
        cls = type(f"Registered{number}", (), {})
        ProjectTo.dispatch(_annotated(cls, NoTangentProjector()))
        assert ProjectTo(cls()) == NoTangentProjector()
    stop.set()
    looking.join()

    assert wrong == []


def test_whether_core_itself_projects():
    """For a class that nobody else has a projector of, as long as none looks at values."""
    own = type(ProjectTo)()

    @own.dispatch
    def project_by_core(x: float):
        return x

    project_by_core.__module__ = "chainrules_core.tangent_spaces"
    assert own.is_by_core(1.0)

    @own.dispatch
    def project_by_others(x: int):
        return x

    assert own.is_by_core(1.0)
    assert not own.is_by_core(1.0, 1)
