"""The rules of padding, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal

MATRIX = normal(2, 3)
MODES = [
    "constant",
    "edge",
    "linear_ramp",
    "maximum",
    "mean",
    "median",
    "minimum",
    "reflect",
    "symmetric",
    "wrap",
]
WIDTHS = [((1, 2), (0, 3)), ((1,), (2,)), ((5, 0), (4, 7))]


@pytest.mark.parametrize("widths", WIDTHS, ids=repr)
@pytest.mark.parametrize("mode", MODES)
def test_modes(mode, widths):
    """One axis after the other, on either side, further than the array is long."""
    check_rule(np.pad, MATRIX, widths, mode)


@pytest.mark.parametrize("mode", MODES)
def test_vectors(mode):
    """Of one element, complex, by keyword."""
    check_rule(np.pad, normal(1), (3, 2), mode=mode)
    if mode not in {"maximum", "median", "minimum"}:  # which order numbers
        check_rule(np.pad, normal(3, dtype=complex), 2, mode)


@pytest.mark.parametrize("mode", ["reflect", "symmetric"])
@pytest.mark.parametrize("widths", [*WIDTHS[:2], (4, 5)], ids=repr)
def test_odd_reflections(mode, widths):
    """Reflected in the point at the edge, several times if there is room."""
    check_rule(np.pad, MATRIX, widths, mode, reflect_type="odd")
    check_rule(np.pad, normal(1), 3, mode, reflect_type="odd")


@pytest.mark.parametrize("length", [1, 2, (1, 3), ((1, 2), (3, 9))], ids=repr)
@pytest.mark.parametrize("mode", ["maximum", "mean", "median", "minimum"])
def test_lengths_of_statistics(mode, length):
    """Of some of the elements near the edge."""
    check_rule(np.pad, MATRIX, ((1, 2), (2, 0)), mode, stat_length=length)


def test_constants():
    """What they are does not matter for the rest."""
    check_rule(np.pad, MATRIX, 2)
    check_rule(np.pad, MATRIX, 2, constant_values=3.0)
    check_rule(np.pad, MATRIX, ((1, 2), (0, 1)), "constant", constant_values=((1.0, 2.0), (3.0, 4.0)))
    check_rule(np.pad, MATRIX, 3, "linear_ramp", end_values=((1.0, 2.0), (3.0, 4.0)))
    check_rule(np.pad, normal(0, 2), 2)


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.4.0", reason="since NumPy 2.4")
@pytest.mark.parametrize("widths", [{0: 1}, {-1: (1, 2)}, {0: (0, 1), 1: 2}], ids=repr)
def test_widths_by_axis(widths):
    """A dict says which axes are padded."""
    check_rule(np.pad, MATRIX, widths)
    check_rule(np.pad, MATRIX, widths, "mean")


@pytest.mark.parametrize("mode", ["constant", "edge", "mean"])
def test_numbers(mode):
    """They have no axes, and become arrays without axes."""
    for x in (1.3, np.float32(0.7)):
        test_frule(np.pad, x, 0, fkwargs={"mode": mode})
        test_rrule(np.pad, x, 0, fkwargs={"mode": mode})


def test_empty():
    """What stands in the padding by chance depends on nothing."""
    y, pullback = rrule(np.pad, MATRIX, 1, mode="empty")

    np.testing.assert_array_equal(pullback(np.ones_like(y))[1], np.ones_like(MATRIX))


def test_functions_are_refused():
    """They write into the padding."""
    with pytest.raises(TypeError, match=r"np\.concatenate"):
        rrule(np.pad, MATRIX, 1, lambda vector, width, axis, kwargs: None)


def test_empty_frames():
    """What memory holds in the frame is left to chance, and has no derivative."""
    _, y_dot = frule((NoTangent(), np.ones(2), NoTangent(), NoTangent()), np.pad, np.ones(2), 1, "empty")

    np.testing.assert_array_equal(y_dot, [0.0, 1.0, 1.0, 0.0])
