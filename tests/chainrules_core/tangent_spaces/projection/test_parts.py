"""Tests of `chainrules_core.tangent_spaces.projection.parts`."""

import pytest

from chainrules_core import ProjectTo, Tangent
from chainrules_core.tangent_spaces.projection import NoTangentProjector
from chainrules_core.tangent_spaces.projection.parts import (
    is_in_progress,
    none_perturbable,
    projectors_of_parts,
    tangent_with_parts,
    with_projected_parts,
)


def test_the_projectors_of_parts_are_in_order():
    """There is one projector for each part, in the order of the parts."""
    assert projectors_of_parts([], [1.0, True]) == (ProjectTo(1.0), ProjectTo(True))


def test_a_whole_is_in_progress_while_its_parts_are_looked_at():
    """That is how a part that is the whole is recognised; afterwards, and after an error, it is over."""
    whole = object()

    def parts():
        assert is_in_progress(whole)
        yield 1.0
        raise KeyError

    with pytest.raises(KeyError):
        projectors_of_parts(whole, parts())
    assert not is_in_progress(whole)


def test_none_perturbable_needs_parts():
    """A whole without parts is not one whose parts cannot be perturbed."""
    assert none_perturbable([NoTangentProjector(), NoTangentProjector()])
    assert not none_perturbable([NoTangentProjector(), ProjectTo(1.0)])
    assert not none_perturbable([])


def test_a_structural_tangent_that_fits_is_returned_as_it_is():
    """Only if a part changed, or the tangent is of another class, is there a new one."""
    given = (1.0, 2.0)
    x_bar = tangent_with_parts(tuple, given)

    assert with_projected_parts(tuple, x_bar, given, tuple(given)) is x_bar
    assert with_projected_parts(tuple, x_bar, given, (1.0, 3.0)) == Tangent[tuple](1.0, 3.0)
    assert with_projected_parts(list, x_bar, given, given) == Tangent[list](1.0, 2.0)
