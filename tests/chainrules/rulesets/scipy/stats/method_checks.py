"""Checks of the rules of a distribution's methods, whose tangents leave the distribution out."""

import numpy as np
from scipy import stats

from chainrules.ad import grad as gradient
from chainrules.ad import hessian, jvp
from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import jacobian, test_frule, test_rrule
from chainrules_testutils.testers.exercised import record_exercised


def check_method(method, distribution, *args, **named):
    """Both modes of the rule by finite differences: the testers alone would vary the distribution too."""
    # Distributions hold themselves: a closure over one would have no end of parts.
    name, owner = method.__name__, distribution.name

    def f(*args):
        return getattr(getattr(stats, owner), name)(*args, **named)

    def push(config, tangents, f, *args):
        return frule((NoTangent(), NoTangent(), *tangents[1:]), method, distribution, *args, **named)

    def pull(config, f, *args):
        y, pullback = rrule(method, distribution, *args, **named)

        def pullback_without_distribution(y_bar):
            no_tangent, *bars = pullback(y_bar)
            assert isinstance(no_tangent, NoTangent)
            return tuple(bars)

        return y, pullback_without_distribution

    test_frule(f, *args, frule_f=push)
    test_rrule(f, *args, rrule_f=pull)
    record_method(method, distribution, *args)


def record_method(method, distribution, *args):
    """Note that both rules of a method have been compared with finite differences."""
    tangents = (NoTangent(),) * (len(args) + 2)
    record_exercised(method, rrule.find(method, distribution, *args))
    record_exercised(method, frule.find(tangents, method, distribution, *args))


def check_program(f, v, order=2):
    """Derivatives of a program of a few numbers, of first and second order, against finite differences."""
    g = gradient(f)(v)
    np.testing.assert_allclose(g, jacobian(None, f, v)[0].ravel(), rtol=2e-7, atol=1e-8)
    np.testing.assert_allclose(jvp(f, (v,), (np.ones_like(v),))[1], np.sum(g), rtol=1e-10)
    if order == 2:
        expected = jacobian(None, gradient(f), v)[0].reshape(v.size, *v.shape)
        np.testing.assert_allclose(hessian(f)(v), expected, rtol=2e-6, atol=1e-7)
