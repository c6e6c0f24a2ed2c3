"""Rules of rotations."""

import operator

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from chainrules.ad import grad, hessian, hvp, jvp
from chainrules.ad import jacobian as by_rules
from chainrules.makers.versions import is_scipy_since
from chainrules_core import NoTangent, Tangent, construct, frule, rrule
from chainrules_testutils import jacobian, test_frule, test_rrule
from chainrules_testutils import jvp as differences
from tests.chainrules.container_checks import check_no_derivative

rng = np.random.default_rng(8)
# No rotation is near the identity, half a turn, or a place where axes coincide.
ONE = Rotation.from_rotvec([0.4, -0.7, 0.9])
OTHER = Rotation.from_rotvec([-0.3, 0.5, 0.2])
SEVERAL = Rotation.from_rotvec([[0.4, -0.7, 0.9], [-0.3, 0.5, 0.2], [1.1, 0.2, -0.4]])
V, VS = rng.normal(size=3), rng.normal(size=(3, 3))
AXES = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1.0, 0.0, 1.0]])


IN_DOUBLE = pytest.mark.skipif(
    not is_scipy_since(1, 17), reason="SciPy rounds exponents to single precision, and differences with them"
)


def check(f, *args, **fkwargs):
    """Check both modes of a call."""
    test_frule(f, *args, fkwargs=fkwargs)
    test_rrule(f, *args, fkwargs=fkwargs)


def function(member):
    """The function behind a method of the class, which comes first then, as in older versions of SciPy."""
    f = getattr(Rotation, member)
    return (f, ()) if getattr(f, "__func__", None) is None else (f.__func__, (Rotation,))


@pytest.mark.parametrize(
    ("name", "args", "named"),
    [
        ("from_quat", (rng.normal(size=4),), {}),
        ("from_quat", (rng.normal(size=(3, 4)),), {"scalar_first": True}),
        ("from_matrix", (ONE.as_matrix() + 0.1 * VS,), {}),
        ("from_matrix", (SEVERAL.as_matrix() + 0.1 * rng.normal(size=(3, 3, 3)),), {}),
        ("from_rotvec", (V,), {}),
        ("from_rotvec", (50.0 * VS, True), {}),
        ("from_rotvec", (np.array([0.001, 0.002, -0.001]),), {}),
        ("from_rotvec", ([0.1, -0.2, 0.4],), {}),
        ("from_mrp", ([[0.1, -0.2, 0.4], [0.3, 0.5, -0.1]],), {}),
        ("from_mrp", (VS,), {}),
        ("from_euler", ("xyz", V), {}),
        ("from_euler", ("ZYZ", 50.0 * VS, True), {}),
        ("from_euler", ("y", 0.3), {}),
        ("from_euler", ("XY", VS[:, :2]), {}),
        ("from_davenport", (V, "extrinsic", 0.7), {}),
        ("from_davenport", (V, "i", VS[:, :1]), {"degrees": True}),
    ],
)
def test_constructors(name, args, named):
    """What makes rotations has right rules."""
    f, owner = function(name)
    check(f, *owner, *args, **named)


def test_instances():
    """The class itself makes an instance of a quaternion; one that is not normalized has no rule."""
    check(Rotation, rng.normal(size=4))
    assert rrule(Rotation, ONE.as_quat(), False) is None


@pytest.mark.parametrize("r", [ONE, SEVERAL])
@pytest.mark.parametrize(
    ("name", "args", "named"),
    [
        ("as_quat", (), {}),
        ("as_quat", (True,), {"scalar_first": True}),
        ("as_matrix", (), {}),
        ("as_rotvec", (), {}),
        ("as_rotvec", (True,), {}),
        ("as_mrp", (), {}),
        ("as_euler", ("xyz",), {}),
        ("as_euler", ("ZXZ", True), {}),
        ("as_davenport", (), {"axes": AXES, "order": "e", "degrees": True}),
        ("as_davenport", (), {"axes": AXES, "order": "intrinsic"}),
        ("magnitude", (), {}),
        ("inv", (), {}),
    ],
)
def test_methods(r, name, args, named):
    """What is made of rotations has right rules."""
    check(getattr(Rotation, name), r, *args, **named)


@pytest.mark.parametrize(("r", "v"), [(ONE, V), (ONE, VS), (SEVERAL, V), (SEVERAL, VS)])
@pytest.mark.parametrize("inverse", [False, True])
def test_apply(r, v, inverse):
    """Rotated vectors have right rules, by the vectors too."""
    check(Rotation.apply, r, v, inverse)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (operator.mul, (ONE, OTHER)),
        (operator.mul, (SEVERAL, OTHER)),
        (operator.mul, (ONE, SEVERAL)),
        pytest.param(operator.pow, (ONE, 2), marks=IN_DOUBLE),
        pytest.param(operator.pow, (SEVERAL, -1), marks=IN_DOUBLE),
        (operator.getitem, (SEVERAL, 1)),
        (operator.getitem, (SEVERAL, slice(0, 2))),
        (operator.getitem, (SEVERAL, np.array([0, 0, 2]))),
    ],
)
def test_operators(f, args):
    """Products, powers and items have right rules."""
    check(f, *args)


@pytest.mark.parametrize("r", [ONE, SEVERAL])
def test_reduced(r):
    """By the rotation and by those of the groups that are taken; with their places, which are constant."""
    left, right = Rotation.create_group("C4"), Rotation.create_group("C3", axis="X")
    check(Rotation.reduce, r, left, right)
    check(Rotation.reduce, r, None, right)
    check(Rotation.reduce, r, SEVERAL[1:])
    check(Rotation.reduce, r, left, right, True)
    check(Rotation.reduce, r, None, right, return_indices=True)


def test_power():
    """By the exponent, which some versions of SciPy round to single precision."""
    v = ONE.as_rotvec()
    quat = Rotation.from_rotvec(1.3 * v).as_quat()
    derivative = np.append(0.5 * v * quat[3], -0.5 * v @ quat[:3])
    _, y_dot = frule((NoTangent(), NoTangent(), 1.0), operator.pow, ONE, 1.3)
    np.testing.assert_allclose(y_dot.quat, derivative, rtol=1e-6)


def test_second_order():
    """The pullbacks are differentiated in their turn, of rotations too."""
    weights = rng.normal(size=9)

    def f(x):
        r = Rotation.from_rotvec(x[:3]) * Rotation.from_euler("xyz", x[3:]).inv()
        s = Rotation.from_matrix(r.as_matrix() + 0.1 * np.outer(x[:3], x[3:]))
        turned = (r**2 * s).apply(x[:3])
        return weights[:3] @ turned + weights[3:6] @ s.as_euler("zyx") + weights[6:] @ s.as_mrp()

    x = 0.5 * rng.normal(size=6)
    v = rng.normal(size=6)
    np.testing.assert_allclose(hvp(f, x, v), differences(None, grad(f), (x, v)), rtol=1e-6, atol=1e-8)


def test_products_with_constants():
    """A constant rotation stands on either side of one that is differentiated."""

    def f(x):
        # Older versions, in C, refuse what they do not know on their right side.
        left = ONE * Rotation.from_rotvec(x) if is_scipy_since(1, 17) else Rotation.from_rotvec(x)
        return (left * OTHER).as_rotvec()

    np.testing.assert_allclose(by_rules(f)(V), jacobian(None, f, V)[0], rtol=1e-8, atol=1e-8)


def test_axes():
    """Angles have derivatives by the axes that they are about, which turn together."""

    def f(x):
        axes = Rotation.from_rotvec(x[:3]).apply(AXES)
        r = Rotation.from_davenport(axes, "e", x[3:])
        return r.as_davenport(axes[::-1], "i") + r.as_rotvec()

    x = np.append(V, [0.3, -0.5, 0.7])
    np.testing.assert_allclose(by_rules(f)(x), jacobian(None, f, x)[0], rtol=1e-8, atol=1e-8)


def test_in_short():
    """Readings of calls that have cases of their own above, in programs."""
    x = np.array([0.1, 0.2, -0.3])
    np.testing.assert_allclose(by_rules(lambda m: Rotation.from_mrp(m).as_mrp())(x), np.eye(3), atol=1e-14)
    rows = by_rules(lambda v: Rotation.from_rotvec(np.stack([v, 2.0 * v]))[1].as_rotvec())(x)
    np.testing.assert_allclose(rows, 2.0 * np.eye(3), atol=1e-14)
    f, owner = function("concatenate")
    assert frule((NoTangent(),) * (2 + len(owner)), f, *owner, [1.0]) is None


def test_joining():
    """Rotations are joined from a list, or a tuple."""
    f, owner = function("concatenate")
    check(f, *owner, [ONE, SEVERAL])
    check(f, *owner, (ONE, ONE))
    assert rrule(f, *owner, [1.0]) is None
    with_constant = jvp(
        lambda x: Rotation.concatenate([OTHER, Rotation.from_rotvec(x)]).as_matrix(), (V,), (V,)
    )
    np.testing.assert_array_equal(with_constant[1][0], 0.0)

    def joined(x):
        return Rotation.concatenate([Rotation.from_rotvec(x), Rotation.from_rotvec(0.5 * x)]).as_rotvec()

    np.testing.assert_allclose(by_rules(joined)(V), np.stack([np.eye(3), 0.5 * np.eye(3)]), atol=1e-13)


def test_means():
    """The mean has right rules, by weights too, which some versions have along axes."""
    check(Rotation.mean, SEVERAL)
    check(Rotation.mean, SEVERAL, np.array([0.5, 1.0, 2.0]))


def test_alignments():
    """The rotation that aligns vectors, and how far they remain apart, have right rules."""
    f, owner = function("align_vectors")
    a, b = rng.normal(size=(2, 3, 3))
    check(f, *owner, a, b)
    check(f, *owner, a, b, np.array([0.5, 1.0, 2.0]))
    assert rrule(f, *owner, a, b, None, True) is None
    assert rrule(f, *owner, a[:1], b[:1]) is None
    assert rrule(f, *owner, a, b, np.array([1.0, 1.0, np.inf])) is None


def test_smooth_near_the_identity():
    """The vector of a rotation is smooth there, and its angle has a kink, where zero is taken."""
    zero = np.zeros(3)

    def there_and_back(v):
        return np.sum(np.sin(v + Rotation.from_rotvec(v).as_rotvec()) * np.arange(1.0, 4.0))

    np.testing.assert_allclose(grad(there_and_back)(zero), 2.0 * np.arange(1.0, 4.0))
    for v in (V, 1e-3 * V, 0.0 * V):
        curvature = np.diag(-4.0 * np.sin(2.0 * v) * np.arange(1.0, 4.0))
        np.testing.assert_allclose(hessian(there_and_back)(v), curvature, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(grad(lambda v: Rotation.from_rotvec(v).magnitude())(zero), 0.0)


def test_coinciding_axes():
    """Where two axes coincide angles have no derivative, and NaN says so."""
    with pytest.warns(UserWarning, match="Gimbal lock"):
        y, y_dot = frule(
            (NoTangent(), Tangent[Rotation](quat=np.ones(4)), NoTangent()),
            Rotation.as_euler,
            Rotation.from_euler("xyz", [0.3, np.pi / 2, 0.0]),
            "xyz",
        )
    assert np.all(np.isfinite(y))
    assert np.all(np.isnan(y_dot))


def test_half_a_turn():
    """The derivative there is that of the side of the quaternion that SciPy keeps."""
    r = Rotation.from_quat([1.0, 0.0, 0.0, 0.0])
    _, y_dot = frule(
        (NoTangent(), Tangent[Rotation](quat=np.array([0.0, 0.0, 0.0, 0.1]))), Rotation.as_rotvec, r
    )
    np.testing.assert_allclose(y_dot, [-0.2, 0.0, 0.0], atol=1e-15)
    _, y_dot = frule(
        (NoTangent(), Tangent[Rotation](quat=np.array([0.0, 0.0, 0.0, 0.1]))), Rotation.magnitude, r
    )
    assert y_dot == 0.0


def test_attributes():
    """What a rotation says of its shape is constant; its other attributes have no rule."""
    check_no_derivative(getattr, SEVERAL, "single")
    assert rrule(getattr, SEVERAL, "_quat") is None
    assert frule((NoTangent(),) * 3, getattr, SEVERAL, "_quat") is None
    check_no_derivative(Rotation.approx_equal, ONE, ONE)


def test_fields():
    """A rotation has a quaternion, and is made of one."""
    moved = ONE + Tangent[Rotation](quat=np.array([0.0, 0.0, 0.0, 0.1]))
    assert isinstance(moved, Rotation)
    np.testing.assert_allclose(np.linalg.norm(moved.as_quat()), 1.0)
    assert construct(Rotation, {"quat": ONE.as_quat()}).approx_equal(ONE)
