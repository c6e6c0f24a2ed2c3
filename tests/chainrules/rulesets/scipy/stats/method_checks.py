"""Checks of the rules of a distribution's methods, whose tangents leave the distribution out."""

import numpy as np
from scipy import stats

from chainrules.ad import grad as gradient
from chainrules.ad import hessian, interception, jvp
from chainrules_core import NoTangent, ZeroTangent, frule, primitive, rrule
from chainrules_testutils import jacobian, test_frule, test_rrule
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.rule_checks import assert_by_differences, record_rules


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
    assert_by_differences(g, lambda by: jacobian(by, f, v)[0].ravel(), rtol=2e-7, atol=1e-8)
    np.testing.assert_allclose(jvp(f, (v,), (np.ones_like(v),))[1], np.sum(g), rtol=1e-10)
    if order == 2:
        assert_by_differences(
            hessian(f)(v),
            lambda by: jacobian(by, gradient(f), v)[0].reshape(v.size, *v.shape),
            rtol=2e-6,
            atol=1e-7,
        )


def weighted(y):
    """A number of all results, each with its own weight."""
    return np.sum(y * np.cos(np.arange(1.0, 1.0 + np.size(y))).reshape(np.shape(y)))


def check_distribution(distribution, parameters, name, points, constants=()):
    """Check a method by all arguments at once, in both modes; those that hold parameters have a rule too.

    The constants are the places of arguments that cannot vary freely.
    """
    args, method = (*points, *parameters), primitive(getattr(type(distribution), name))
    varied = [k for k, x in enumerate(args) if np.asarray(x).dtype == float and k not in constants]
    sizes = np.cumsum([np.size(args[k]) for k in varied])[:-1]

    def given(v):
        new = list(args)
        for k, part in zip(varied, np.split(v, sizes), strict=True):
            new[k] = part.reshape(np.shape(args[k]))[()]
        return new

    def program(v):
        return weighted(method(distribution, *given(v)))

    v = np.concatenate([np.ravel(args[k]) for k in varied])
    with interception(False):  # where the code would be followed
        check_program(program, v, order=1)

    record_method(getattr(type(distribution), name), distribution, *args)
    y, pullback = rrule(getattr(type(distribution), name), distribution, *args)
    np.testing.assert_array_equal(y, getattr(distribution, name)(*args))
    assert len(pullback(np.ones_like(y))) == 2 + len(args)
    holder = distribution(*parameters)
    record_method(getattr(type(holder), name), holder, *points)
    _, y_dot = frule((NoTangent(),) * (2 + len(points)), getattr(type(holder), name), holder, *points)
    assert isinstance(y_dot, NoTangent | ZeroTangent)


def check_samples(f, *args, **named):
    """Check a function of samples, and of numbers, by all of these at once, in both modes."""
    sizes = np.cumsum([np.size(x) for x in args])[:-1]

    def program(v):
        new = [part.reshape(np.shape(x))[()] for part, x in zip(np.split(v, sizes), args, strict=True)]
        y = primitive(f)(*new, **named)
        return sum(map(weighted, y)) if isinstance(y, tuple) else weighted(y)

    v = np.concatenate([np.ravel(x) for x in args]).astype(float)
    direction = np.cos(np.arange(v.size))  # not of ones: many results do not depend on where zero is
    with interception(False):  # where the code might be followed
        g, y_dot = gradient(program)(v), jvp(program, (v,), (direction,))[1]
    assert_by_differences(g, lambda by: jacobian(by, program, v)[0].ravel(), rtol=2e-7, atol=1e-8)
    np.testing.assert_allclose(y_dot, g @ direction, rtol=1e-9)
    record_rules(f, *args, **named)
