"""Rules of rigid motions."""

import operator

import numpy as np
import pytest
import scipy.spatial.transform
from scipy.spatial.transform import Rotation

from chainrules.ad import grad, hvp, jvp
from chainrules.ad import jacobian as by_rules
from chainrules.makers.versions import is_scipy_since
from chainrules.rulesets.scipy.spatial.transform import rigid_transform
from chainrules_core import AbstractZero, NoTangent, frule, rrule
from chainrules_testutils import jacobian, test_frule, test_rrule
from chainrules_testutils import jvp as differences
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.container_checks import check_no_derivative

if not is_scipy_since(1, 16):
    pytest.skip("`RigidTransform` is new in SciPy 1.16", allow_module_level=True)

RigidTransform = scipy.spatial.transform.RigidTransform
rng = np.random.default_rng(8)
# No rotation is near the identity, or half a turn.
TURNS = Rotation.from_rotvec([[0.4, -0.7, 0.9], [-0.3, 0.5, 0.2], [1.1, 0.2, -0.4]])
V, VS = rng.normal(size=3), rng.normal(size=(3, 3))
ONE, OTHER = (RigidTransform.from_components(V, TURNS[k]) for k in (0, 1))
SEVERAL = RigidTransform.from_components(VS, TURNS)
NEAR = np.concatenate([0.1 * rng.normal(size=(3, 3, 4)), np.zeros((3, 1, 4))], axis=1)


def check(f, *args, **fkwargs):
    """Check both modes of a call."""
    test_frule(f, *args, fkwargs=fkwargs)
    test_rrule(f, *args, fkwargs=fkwargs)


def function(member):
    """The function behind a method of the class, which comes first then, as in older versions of SciPy."""
    f = getattr(RigidTransform, member)
    return (f, ()) if getattr(f, "__func__", None) is None else (f.__func__, (RigidTransform,))


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("name", "args", "named"),
    [
        ("from_rotation", (TURNS,), {}),
        ("from_rotation", (TURNS[0],), {}),
        ("from_translation", (V,), {}),
        ("from_translation", (np.float32(VS),), {}),
        ("from_translation", ([0.1, -0.2, 0.4],), {}),
        ("from_components", (V, TURNS[0]), {}),
        ("from_components", (V, TURNS), {}),
        ("from_exp_coords", (rng.normal(size=6),), {}),
        ("from_exp_coords", (rng.normal(size=(3, 6)) * [[0.01], [0.1], [1.0]],), {}),
        ("from_dual_quat", (rng.normal(size=8),), {}),
        ("from_dual_quat", (rng.normal(size=(2, 8)),), {"scalar_first": True}),
    ],
)
def test_constructors(name, args, named):
    """What makes motions has right rules."""
    f, owner = function(name)
    check(f, *owner, *args, **named)


@pytest.mark.parametrize("shape", [(), (3,)])
def test_matrices(shape):
    """A matrix is taken for the nearest motion, whose derivative is that of the function."""
    M = (SEVERAL if shape else ONE).as_matrix()
    noise = NEAR if shape else NEAR[0]
    weights = rng.normal(size=M.shape)

    def f(X):
        M = np.concatenate([X, np.broadcast_to([[0.0, 0.0, 0.0, 1.0]], (*shape, 1, 4))], axis=-2)
        motion = RigidTransform.from_matrix(M) * RigidTransform(M)
        return np.sum(motion.as_matrix() * weights)

    X = (M + noise)[..., :3, :]
    by_differences = np.reshape(jacobian(None, f, X)[0], X.shape)
    np.testing.assert_allclose(grad(f)(X), by_differences, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(jvp(f, (X,), (X,))[1], np.sum(by_differences * X), rtol=1e-7, atol=1e-8)
    from_matrix, owner = function("from_matrix")
    for constructor, args in ((RigidTransform, (M,)), (from_matrix, (*owner, M))):
        record_exercised(constructor, rrule.find(constructor, *args))
        tangents = (NoTangent(), *owner, M)[: len(args) + 1]
        record_exercised(constructor, frule.find(tangents, constructor, *args))


@pytest.mark.every_case
@pytest.mark.parametrize("motion", [ONE, SEVERAL])
@pytest.mark.parametrize(
    ("name", "args", "named"),
    [
        ("as_matrix", (), {}),
        ("as_components", (), {}),
        ("as_exp_coords", (), {}),
        ("as_dual_quat", (), {}),
        ("as_dual_quat", (), {"scalar_first": True}),
        ("inv", (), {}),
    ],
)
def test_methods(motion, name, args, named):
    """What is made of motions has right rules."""
    check(getattr(RigidTransform, name), motion, *args, **named)


@pytest.mark.parametrize(("motion", "v"), [(ONE, V), (ONE, VS), (SEVERAL, V), (SEVERAL, VS)])
@pytest.mark.parametrize("inverse", [False, True])
def test_apply(motion, v, inverse):
    """Moved vectors have right rules, by the vectors too."""
    check(RigidTransform.apply, motion, v, inverse)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (operator.mul, (ONE, OTHER)),
        (operator.mul, (SEVERAL, OTHER)),
        (operator.mul, (ONE, SEVERAL)),
        (operator.getitem, (SEVERAL, 1)),
        (operator.getitem, (SEVERAL, slice(0, 2))),
        (operator.getitem, (SEVERAL, np.array([0, 0, 2]))),
        (getattr, (SEVERAL, "translation")),
        (getattr, (ONE, "rotation")),
    ],
)
def test_operators(f, args):
    """Products, powers, items and attributes have right rules."""
    check(f, *args)


def test_exponents():
    """The derivative by an exponent, which SciPy rounds to single precision, is that of the coordinates."""
    x = ONE.as_exp_coords()
    _, y_dot = frule((NoTangent(), NoTangent(), 1.0), operator.pow, ONE, 1.3)
    f, owner = function("from_exp_coords")
    _, along = frule((*(NoTangent(),) * (1 + len(owner)), x), f, *owner, 1.3 * x)
    np.testing.assert_allclose(y_dot.matrix, along.matrix, rtol=1e-6, atol=1e-7)


def test_joining():
    """Motions are joined from a list, or a tuple."""
    f, owner = function("concatenate")
    check(f, *owner, [ONE, SEVERAL])
    check(f, *owner, (ONE, ONE))
    assert rrule(f, *owner, [1.0]) is None
    assert isinstance(frule((NoTangent(),) * (2 + len(owner)), f, *owner, [ONE])[1], AbstractZero)

    def with_constant(x):
        return np.sum(RigidTransform.concatenate([OTHER, RigidTransform.from_exp_coords(x)]).as_matrix() ** 3)

    x = rng.normal(size=6)
    np.testing.assert_allclose(grad(with_constant)(x), jacobian(None, with_constant, x)[0][0], atol=1e-8)


@pytest.mark.skipif(not is_scipy_since(1, 17), reason="only newer versions have means along axes")
def test_means():
    """The mean has right rules, by weights too."""
    check(RigidTransform.mean, SEVERAL)
    check(RigidTransform.mean, SEVERAL, np.array([0.5, 1.0, 2.0]), 0)


def test_second_order():
    """The pullbacks are differentiated in their turn, of motions too, near the identity as well."""
    weights = rng.normal(size=(5, 6))

    def f(x):
        g = RigidTransform.from_exp_coords(x[:6]) * RigidTransform.from_dual_quat(x[6:]).inv()
        M = (g**1.5).as_matrix()
        turned = (RigidTransform.from_matrix(M) * g).apply(x[:3])
        nearby = RigidTransform.from_exp_coords(0.1 * x[:6]).as_exp_coords()
        return weights[0] @ g.as_exp_coords() + weights[1, :3] @ turned + np.sum(np.sin(nearby + weights[2]))

    x, v = 0.5 * rng.normal(size=(2, 14))
    np.testing.assert_allclose(grad(f)(x), jacobian(None, f, x)[0][0], rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(hvp(f, x, v), differences(None, grad(f), (x, v)), rtol=1e-6, atol=1e-8)


def test_smooth_at_the_identity():
    """The exponential coordinates and the motion of these are inverse to each other."""

    def there_and_back(x):
        return np.sum(np.sin(x + RigidTransform.from_exp_coords(x).as_exp_coords()) * np.arange(1.0, 7.0))

    x = np.array([0.0, 0.0, 0.0, 0.3, -0.2, 0.5])
    np.testing.assert_allclose(grad(there_and_back)(x), 2.0 * np.cos(2 * x) * np.arange(1.0, 7.0))
    v = np.arange(6.0) - 2.5
    for at in (x, np.full(6, 0.02), np.full(6, 0.2)):
        curved = -4.0 * np.sin(2.0 * at) * np.arange(1.0, 7.0) * v
        np.testing.assert_allclose(hvp(there_and_back, at, v), curved, rtol=1e-9, atol=1e-10)


def test_attributes():
    """What a motion says of its shape is constant; its other attributes have no rule."""
    check_no_derivative(getattr, SEVERAL, "single")
    check_no_derivative(getattr, SEVERAL, "shape")
    assert rrule(getattr, SEVERAL, "_matrix") is None

    def f(v):
        motion = RigidTransform.from_components(v, TURNS)
        return motion.translation[0] * motion.rotation.as_matrix()[motion.shape[0] - 1, 0] + len(motion)

    np.testing.assert_allclose(by_rules(f)(V), jacobian(None, f, V)[0], atol=1e-8)
    for attribute in rigid_transform._ATTRIBUTES.values():
        check(attribute, SEVERAL)


def test_no_motions():
    """A matrix that is no rotation, and was not normalized, has no rules."""
    M = np.diag([2.0, 1.0, 1.0, 1.0])
    stretched = RigidTransform(M, normalize=False)
    assert rrule(RigidTransform, M, False) is None
    assert rrule(RigidTransform.as_matrix, stretched) is None
    f, owner = function("concatenate")
    assert rrule(f, *owner, [ONE, stretched]) is None
    assert frule((NoTangent(),) * 3, operator.mul, ONE, stretched) is None
