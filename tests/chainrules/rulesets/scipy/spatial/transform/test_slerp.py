"""Rules of the interpolation of rotations."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from chainrules.ad import grad, hvp
from chainrules_core import AbstractZero, NoTangent, Tangent, ZeroTangent, frule, rrule
from chainrules_testutils import grad as gradient
from chainrules_testutils import jvp as differences
from chainrules_testutils import test_frule, test_rrule

rng = np.random.default_rng(4)
TIMES = np.array([0.0, 1.0, 2.5])
ROTATIONS = Rotation.from_rotvec(0.5 * rng.normal(size=(3, 3)))


def test_constructor():
    """The attributes have right derivatives, by times and by rotations."""
    test_frule(Slerp, TIMES, ROTATIONS)
    test_rrule(Slerp, TIMES, ROTATIONS)
    test_frule(Slerp, [0, 1, 2], ROTATIONS)


@pytest.mark.parametrize("at", [0.3, 2.5, np.array([0.0, 1.7, 2.2])])
def test_calls(at):
    """A call is differentiated by its times, and by all that the object is made of."""
    weights = rng.normal(size=(3, 3))

    def f(x, at):
        slerp = Slerp(x[:3], Rotation.from_rotvec(np.reshape(x[3:], (3, 3))))
        turned = slerp(at).apply(x[3:6])
        return np.sum(weights[0] * np.sin(turned)) + np.sum(slerp.timedelta) * np.sum(slerp.rotvecs[0])

    x = np.append(TIMES, 0.5 * rng.normal(size=9))
    inside = np.clip(at, 0.1, 2.4)
    np.testing.assert_allclose(grad(f)(x, inside), gradient(None, f, x, inside)[0], rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(grad(f, 1)(x, inside), gradient(None, f, x, inside)[1], rtol=1e-8, atol=1e-8)
    v = rng.normal(size=12)
    expected = differences(None, lambda x: grad(f)(x, inside), (x, v))
    np.testing.assert_allclose(hvp(lambda x: f(x, inside), x, v), expected, rtol=1e-6, atol=1e-7)
    assert np.all(np.isfinite(grad(f)(x, at)))


def test_rules_of_calls():
    """Both modes of a call of a given object."""
    slerp = Slerp(TIMES, ROTATIONS)
    for at in (1.7, np.array([0.3, 2.2])):
        y, y_dot = frule((NoTangent(), np.ones_like(at)), slerp, at)
        later = Rotation.from_rotvec(slerp(at).as_rotvec())
        expected = (slerp(at + 1e-6).as_matrix() - slerp(at - 1e-6).as_matrix()) / 2e-6
        moved = frule((NoTangent(), y_dot), Rotation.as_matrix, y)[1]
        np.testing.assert_allclose(moved, expected, atol=1e-8)
        assert np.all(later.approx_equal(y))
        _, pullback = rrule(slerp, at)
        slerp_bar, at_bar = pullback(Tangent[Rotation](quat=np.ones_like(y.as_quat())))
        np.testing.assert_allclose(np.sum(at_bar), np.sum(y_dot.quat))
        assert np.shape(slerp_bar.rotvecs) == (2, 3)
        assert isinstance(frule((NoTangent(), NoTangent()), slerp, at)[1], AbstractZero)
    assert all(isinstance(bar, AbstractZero) for bar in rrule(Slerp, TIMES, ROTATIONS)[1](ZeroTangent()))
