"""Tests of `chainrules_core.structured.uniform_scaling_projection`."""

import pickle

import numpy as np
import pytest

from chainrules_core import NoTangent, ProjectTo, Tangent, ZeroTangent, thunk, unthunk
from chainrules_core.structured import I, UniformScaling
from tests.chainrules_core.tangent_spaces.projection.values import assert_are_values


def test_the_identity_cannot_be_perturbed():
    """The identity, whose number is a bool, cannot be perturbed."""
    assert ProjectTo(I)(123) is NoTangent()


def test_multiples_of_the_identity():
    """The number is projected; what fits is returned as it is."""
    J = 2.0 * I

    assert ProjectTo(2 * I)(3j * I) == 0.0 * I
    assert ProjectTo(2j * I)(3 * I).factor == 3 + 0j
    assert ProjectTo(J)(J) is J
    assert ProjectTo(2 * np.float32(1) * I)(3.0 * I).dtype == np.float32


def test_structural_tangents_become_natural():
    """A structural tangent of a multiple of the identity becomes one, as upstream."""
    assert ProjectTo(2 * I)(Tangent[UniformScaling](factor=3)) == 3.0 * I
    assert ProjectTo(2 * I)(Tangent[UniformScaling]()) is ZeroTangent()
    with pytest.raises(TypeError):
        ProjectTo(2 * I)(Tangent[tuple]())


@pytest.mark.parametrize("x_bar", [np.eye(2), 1.0, "a"])
def test_other_cotangents_are_refused(x_bar):
    """A matrix has a size; the sum of its diagonal is for the rule to take."""
    with pytest.raises(TypeError, match="cannot project"):
        ProjectTo(2 * I)(x_bar)


def test_zeros_thunks_and_values():
    """Zeros pass, thunks are projected when they are unthunked, and values that fit pass as they are."""
    project = ProjectTo(2.0 * I)

    assert project(ZeroTangent()) is ZeroTangent()
    assert unthunk(project(thunk(lambda: 3 * I))) == 3 * I
    assert pickle.loads(pickle.dumps(project)) == project == ProjectTo(5.0 * I)


def test_the_type_of_the_primal():
    """It is what a projector of structural tangents says."""
    assert ProjectTo(UniformScaling(2.0)).primal_type is UniformScaling


def test_projectors_are_values():
    """Equal and of equal hash for equal tangent spaces, and for no others; the repr tells them apart."""
    primals = [2.0 * I, 2j * I]
    assert_are_values(*primals)
