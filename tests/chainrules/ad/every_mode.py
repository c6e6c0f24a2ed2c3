"""Derivatives of functions of one number in every mode, to be nested in each other."""

from chainrules.ad import grad, jacobian, jvp, linearize, vjp


def by_grad(f):
    """Backwards."""
    return grad(f)


def by_vjp(f):
    """Backwards, from a cotangent."""
    return lambda x: vjp(f, x)[1](1.0)[0]


def by_jvp(f):
    """Forwards."""
    return lambda x: jvp(f, (x,), (1.0,))[1]


def by_linearize(f):
    """Backwards twice."""
    return lambda x: linearize(f, x)[1](1.0)


def by_jacobian(f):
    """Forwards, for an array without axes."""
    return jacobian(f, mode="forward")


MODES = (by_grad, by_vjp, by_jvp, by_linearize)
EVERY_MODE = (*MODES, by_jacobian)
