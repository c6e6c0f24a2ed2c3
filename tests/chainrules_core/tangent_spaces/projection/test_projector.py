"""Tests of `chainrules_core.tangent_spaces.projection.projector`."""

import pickle
from dataclasses import dataclass

import numpy as np
import pytest

from chainrules_core import (
    AbstractTangent,
    InplaceableThunk,
    NoTangent,
    Projector,
    ProjectTo,
    Tangent,
    Thunk,
    ZeroTangent,
    not_implemented,
    thunk,
    unthunk,
)
from chainrules_core.tangent_spaces.projection import IdentityProjector, NoTangentProjector
from tests.case_names import shown


@dataclass
class Pair:
    """A dataclass."""

    first: float
    second: object


PRIMALS = [
    1.0,
    2,
    1j,
    np.float32(1),
    np.ones(2),
    np.array([1.0, "a"], object),
    (1.0, 2),
    [1.0],
    {"a": 1.0},
    Pair(1.0, 2),
]


@pytest.mark.parametrize("x", [*PRIMALS, True, "a", object()], ids=shown)
@pytest.mark.parametrize("zero", [ZeroTangent(), NoTangent(), not_implemented("for the test")], ids=repr)
def test_zeros_and_what_is_not_implemented_pass(x, zero):
    """Every projector returns zeros, of either kind, and not implemented derivatives as they are."""
    assert ProjectTo(x)(zero) is zero


@pytest.mark.parametrize(
    ("x", "x_bar", "expected"),
    [
        (1.0, 2 + 3j, 2.0),
        (np.ones(2, np.float32), np.ones((1, 2)), np.ones(2, np.float32)),
        ((1.0, "a"), (2, 3), Tangent[tuple](2.0, NoTangent())),
    ],
)
def test_thunks_are_projected_when_they_are_unthunked(x, x_bar, expected):
    """Projecting a thunk computes nothing; unthunking computes the projection of its value."""
    computed = []
    projected = ProjectTo(x)(thunk(lambda: computed.append(1) or x_bar))

    assert isinstance(projected, Thunk)
    assert computed == []
    np.testing.assert_equal(unthunk(projected), expected)
    assert type(unthunk(projected)) is type(expected)
    assert computed == [1]


def test_inplaceable_thunks_lose_their_inplaceable_half():
    """The in-place addition does not project, so only the value's thunk is kept."""
    lazy = InplaceableThunk(lambda _: pytest.fail("not to be used"), thunk(lambda: 1 + 2j))

    projected = ProjectTo(1.0)(lazy)

    assert isinstance(projected, Thunk)
    assert unthunk(projected) == 1.0


def test_thunks_of_thunks_are_projected_inside():
    """However many layers a thunk has, it is the value that is projected."""
    projected = ProjectTo(1.0)(thunk(lambda: thunk(lambda: 1 + 2j)))

    assert unthunk(unthunk(projected)) == 1.0


def test_what_cannot_be_perturbed_leaves_thunks_alone():
    """The answer is known without computing."""
    lazy = thunk(lambda: pytest.fail("not to be computed"))

    assert ProjectTo(True)(lazy) is NoTangent()
    assert ProjectTo("a")(InplaceableThunk(lambda x: x, lazy)) is NoTangent()


class ForeignTangent(AbstractTangent):
    """A tangent type of a third party."""


def test_foreign_tangents_are_the_projectors_business():
    """A tangent type that the projector does not know is no cotangent of a number."""
    with pytest.raises(TypeError, match="ForeignTangent"):
        ProjectTo(1.0)(ForeignTangent())


@pytest.mark.parametrize("x_bar", [1.0, "a", object(), thunk(lambda: 1.0), ForeignTangent()])
def test_identity_lets_everything_pass(x_bar):
    """Of types that nobody has told about, only rules know what their cotangents are."""
    assert ProjectTo(object())(x_bar) is x_bar


@pytest.mark.parametrize("x", PRIMALS, ids=repr)
def test_every_projector_is_a_value(x):
    """Projectors are equal if made of equal primals, hashable, and picklable."""
    project = ProjectTo(x)

    assert isinstance(project, Projector)
    assert project == ProjectTo(x)
    assert pickle.loads(pickle.dumps(project)) == project
    assert hash(pickle.loads(pickle.dumps(project))) == hash(project)


def test_singletons_by_value():
    """The projectors without parameters are equal among themselves only."""
    assert NoTangentProjector() == NoTangentProjector()
    assert NoTangentProjector() != IdentityProjector()
    assert {NoTangentProjector(), IdentityProjector()} == {IdentityProjector(), NoTangentProjector()}
    assert repr(NoTangentProjector()) == "NoTangentProjector()"


def test_a_projector_has_to_say_how_it_projects():
    """The base class has no projection of its own, and no structural tangent fits it."""
    with pytest.raises(NotImplementedError):
        Projector()(1.0)
    with pytest.raises(TypeError, match="no cotangent"):
        Projector()(Tangent[tuple](1.0))


def test_a_refusal_abbreviates_what_it_refuses():
    """A long cotangent does not bury the message."""
    with pytest.raises(TypeError) as refused:
        ProjectTo(1.0)("a" * 1000)

    assert len(str(refused.value)) < 500
    assert "of type str" in str(refused.value)
