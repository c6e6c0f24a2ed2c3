"""Tests of `chainrules_core.tangent_spaces.projection.non_perturbable`."""

import enum
import math
import re

import numpy as np
import pytest

from chainrules_core import NoTangent, ProjectTo, Tangent, ZeroTangent, thunk
from tests.case_names import shown


class Colour(enum.Enum):
    """An enum."""

    RED = 1


class Size(enum.IntEnum):
    """An enum whose members are ints."""

    SMALL = 1


class Mode(enum.IntFlag):
    """Flags, which are ints."""

    READ = 1


class Unit(enum.StrEnum):
    """An enum whose members are strings."""

    METRE = "m"


class Weight(float, enum.Enum):
    """An enum whose members are floats."""

    HEAVY = 1.0


NON_PERTURBABLE = [
    *(True, False, np.True_, "a", np.str_("a"), b"a", np.bytes_(b"a"), bytearray(b"a"), None, ...),
    *(Colour.RED, Size.SMALL, Mode.READ, Unit.METRE, Weight.HEAVY, slice(1, 2), range(3)),
    *(
        math,
        int,
        np.float64,
        np.dtype(float),
        len,
        math.sin,
        np.sin,
        np.sum,
        np.linalg.norm,
        str.upper,
        "a".upper,
    ),
    *(float.__add__, (1.0).__add__, NoTangent(), ZeroTangent()),
]


@pytest.mark.parametrize("x", NON_PERTURBABLE, ids=shown)
@pytest.mark.parametrize(
    "x_bar", [1.0, np.ones(2), (1.0,), Tangent[tuple](1.0), thunk(lambda: 1.0), "a", None], ids=type
)
def test_whatever_is_not_zero_has_no_tangent(x, x_bar):
    """What cannot be perturbed has `NoTangent()` for its cotangent, though a bool is an `int`."""
    assert ProjectTo(x)(x_bar) is NoTangent()


def test_classes_with_many_bases_of_these_are_not_ambiguous():
    """A class derived from `str` by a user is a string."""

    class Name(str):
        __slots__ = ()

    assert ProjectTo(Name("a"))(1.0) is NoTangent()


@pytest.mark.parametrize("x", [re.compile("a"), object()])
def test_unknown_types_are_not_taken_for_these(x):
    """Whether a type of which nothing is known can be perturbed, rules say."""
    assert ProjectTo(x)(1.0) == 1.0
