"""The maker of rules of rotations."""

import numpy as np
from scipy.spatial.transform import Rotation

from chainrules.ad import grad
from chainrules.makers.rotation_rules import numbers_of, rotation_rule, tangent_like_value, tangent_of_numbers
from chainrules_core import AbstractZero, NoTangent, Tangent, ZeroTangent, frule, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule

R = Rotation.from_rotvec([0.1, 0.2, -0.4])


def scaled(r, factor, name="x"):
    """A number from a rotation and a number."""
    return np.asarray(factor) * r.as_quat()[0]


def read_scaled(r, factor, name="x"):
    """Its composition, for one name."""
    return (lambda y, q, factor: factor * q[0]) if name == "x" else None


rotation_rule(scaled, read_scaled, "r factor")


def test_both_modes():
    """The rules are right, for keywords too; a call that is not read has none."""
    test_frule(scaled, R, 2.0)
    test_rrule(scaled, R, 2.0, order=2)
    test_rrule(scaled, R, fkwargs={"factor": 2.0})
    assert rrule(scaled, R, 2.0, "y") is None
    assert frule((NoTangent(),) * 4, scaled, R, 2.0, "y") is None
    assert isinstance(frule((NoTangent(),) * 3, scaled, R, 2.0)[1], AbstractZero)


def test_numbers():
    """Those of a rotation are its quaternion, those of a list an array."""
    np.testing.assert_array_equal(numbers_of(R), R.as_quat())
    np.testing.assert_array_equal(numbers_of([1.0, 2.0]), [1.0, 2.0])
    assert tangent_of_numbers(Tangent[Rotation](quat=1.0)) == 1.0
    assert isinstance(tangent_of_numbers(ZeroTangent()), ZeroTangent)


def test_constants():
    """What nothing depends on has no tangent, and a call with a traced name has no rule."""
    assert isinstance(unthunk(rrule(scaled, R, 2.0)[1](ZeroTangent())[1]), AbstractZero)
    assert isinstance(tangent_like_value(R, ZeroTangent()), ZeroTangent)
    assert grad(lambda x: scaled(R, 2.0, name=x))(3.0) == 0.0  # by its own code


def test_lists():
    """Numbers in a list have tangents and cotangents in one."""
    test_frule(Rotation.as_matrix, R)
    test_frule(scaled, R, [1.0, 2.0])
    test_rrule(scaled, R, [1.0, 2.0])
