"""The rules, and programs that run through them."""

import numpy as np
from affine_maps import AffineMap, Vector, apply, largest_entry, softplus

from chainrules.ad import grad, value_and_grad
from chainrules_core import NoTangent, Tangent, rrule
from chainrules_testutils import test_frule, test_rrule, test_scalar

rng = np.random.default_rng(0)
f = AffineMap(rng.normal(size=(3, 2)), rng.normal(size=3))
x = rng.normal(size=2)


def test_apply() -> None:
    """Both modes agree with differences."""
    test_frule(apply, f, x)
    test_rrule(apply, f, x)


def test_softplus() -> None:
    """Both modes agree with differences."""
    test_scalar(softplus, 0.5)


def test_largest_entry() -> None:
    """The place of the largest entry has no derivative."""
    answer = rrule(largest_entry, x)
    assert answer is not None
    _, pullback = answer
    assert pullback(1.0) == (NoTangent(), NoTangent())


def loss(f: AffineMap, x: Vector) -> float:
    """A number, by functions of this package: the largest entry is made smooth."""
    y = apply(f, x)
    return softplus(y[largest_entry(y)])


def test_gradient() -> None:
    """The gradient of a map is a tangent of it."""
    value, f_bar = value_and_grad(loss)(f, x)
    y = f.A @ x + f.b

    assert isinstance(f_bar, Tangent)
    np.testing.assert_allclose(value, np.log1p(np.exp(y.max())))
    np.testing.assert_allclose(f_bar.b, (y == y.max()) / (1 + np.exp(-y)))
    np.testing.assert_allclose(grad(loss, argnums=1)(f, x), f.A.T @ f_bar.b)
