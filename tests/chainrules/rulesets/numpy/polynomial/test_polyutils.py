"""The rules of the map between the domain and the window of a polynomial, against finite differences."""

import numpy as np
import pytest
from numpy.polynomial import polyutils

from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_both_modes
from tests.chainrules.rule_checks import check_declared, check_rule, check_zeros_are_strong, normal

OLD, NEW = np.array([-0.5, 2.0]), np.array([-1.0, 1.5])


def test_mapdomain():
    """By the points and by both intervals."""
    check_rule(polyutils.mapdomain, normal(3), OLD, NEW)
    check_rule(polyutils.mapdomain, normal(2, 3), OLD, NEW)
    check_both_modes(polyutils.mapdomain, 0.7, OLD, NEW)
    check_rule(polyutils.mapdomain, normal(3, dtype=complex), OLD, NEW)
    check_rule(polyutils.mapdomain, normal(0), OLD, NEW)


@pytest.mark.parametrize("ends", [(OLD, NEW), (OLD + 0.5j, NEW), (OLD, NEW * 1j)], ids=str)
def test_mapparms(ends):
    """Offset and slope, of real and complex lines."""
    check_both_modes(polyutils.mapparms, *ends)
    check_both_modes(polyutils.mapdomain, normal(2), *ends)


def test_single_precision():
    """The cotangents are in the precision of the arguments."""
    ends = OLD.astype(np.float32), NEW.astype(np.float32)

    for tester in (test_frule, test_rrule):
        tester(polyutils.mapdomain, normal(3, dtype=np.float32), *ends)
        tester(polyutils.mapparms, *ends)


def test_zeros():
    """What does not move the result gives zeros."""
    zeros = (ZeroTangent(), ZeroTangent())

    assert frule((NoTangent(), *zeros), polyutils.mapparms, OLD, NEW)[1] == ZeroTangent()
    assert frule((NoTangent(), ZeroTangent(), *zeros), polyutils.mapdomain, 0.7, OLD, NEW)[1] == ZeroTangent()
    assert rrule(polyutils.mapparms, OLD, NEW)[1](ZeroTangent())[1:] == zeros


def test_texts():
    """A number as text has no derivative."""
    check_declared(polyutils.format_float, 1.5)


@pytest.mark.parametrize("undefined", [np.nan, np.inf])
def test_undefined_points_that_nothing_depends_on(undefined):
    """Their zero cotangents are strong, for the ends of both intervals too."""
    x = np.array([0.5, undefined])
    check_zeros_are_strong(polyutils.mapdomain, x, np.array([-0.5, 2.0]), np.array([-1.0, 1.5]))
