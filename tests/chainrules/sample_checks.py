"""What the rule of a random sample is checked for: for one seed, it is a function like any other."""

import numpy as np

from chainrules.ad import call, grad
from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import PrimalAndTangent, test_frule, test_rrule
from chainrules_testutils import grad as grad_by_differences
from chainrules_testutils.testers.exercised import record_exercised


def check_sample(method, make_generator, /, *parameters, **options):
    """Check both modes for a generator in the same state at each call, and derivatives of the rule."""

    def sample(*parameters):
        return method(make_generator(), *parameters, **options)

    def sample_frule(config, tangents, f, *parameters):
        f_dot, *dots = tangents
        return frule((f_dot, NoTangent(), *dots), method, make_generator(), *parameters, **options)

    def sample_rrule(config, f, *parameters):
        y, pullback = rrule(method, make_generator(), *parameters, **options)

        def sample_pullback(y_bar):
            f_bar, generator_bar, *bars = pullback(y_bar)
            assert generator_bar is NoTangent()
            return f_bar, *bars

        return y, sample_pullback

    constant = PrimalAndTangent(sample, NoTangent())  # what it holds, the options, is not moved
    test_frule(constant, *parameters, frule_f=sample_frule)
    test_rrule(constant, *parameters, rrule_f=sample_rrule)
    primals = [x.x if isinstance(x, PrimalAndTangent) else x for x in parameters]
    dots = (NoTangent(),) * (len(primals) + 2)
    record_exercised(method, frule.find(dots, method, make_generator(), *primals))
    record_exercised(method, rrule.find(method, make_generator(), *primals))


def check_second_derivative_of_sample(method, make_generator, /, *parameters, **options):
    """Compare the gradient of a gradient through the rule with finite differences."""
    places = tuple(range(len(parameters)))

    def gradient(*parameters):
        def cubes(*parameters):
            return np.sum(call(method, make_generator(), *parameters, **options) ** 3)

        return sum(np.sum(part * (1 + place)) for place, part in enumerate(grad(cubes, places)(*parameters)))

    expected = grad_by_differences(None, gradient, *parameters)
    for actual, by_differences in zip(grad(gradient, places)(*parameters), expected, strict=True):
        np.testing.assert_allclose(actual, by_differences, rtol=1e-7, atol=1e-7)
