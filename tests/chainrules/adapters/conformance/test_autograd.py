"""Every case under every transform of autograd."""

import pytest

pytest.importorskip("autograd")

import autograd.numpy as anp
from autograd import grad, jacobian, make_jvp

from chainrules.adapters import to_autograd
from tests.chainrules.adapters.conformance.checks import assert_close, cases_of, check, contracted


def function(case):
    """The adapted function, of the arrays that have derivatives, to a list of arrays."""
    return case.of_floats(to_autograd, lambda x: x)


def loss(case):
    """The weighed sum of its results."""
    call, weights = function(case), case.weights()
    return lambda *floats: sum(anp.sum(w * y) for w, y in zip(weights, call(*floats), strict=True))


def slope(case, gradient):
    """The product of a gradient with the directions."""
    directions = case.directions()
    return lambda *floats: sum(anp.sum(g * d) for g, d in zip(gradient(*floats), directions, strict=True))


def places(case):
    """The numbers of the arguments."""
    return list(range(len(case.floats())))


def value(case):
    """The results."""
    assert_close(function(case)(*case.floats()), case.values(*case.floats()))


def gradient(case):
    """Backwards."""
    assert_close(grad(loss(case), places(case))(*case.floats()), case.gradient())


def slope_along(case, f):
    """The derivative of a function of all arguments in the directions, forwards by each argument in turn."""
    floats, directions = case.floats(), case.directions()
    return sum(make_jvp(f, place)(*floats)(directions[place])[1] for place in places(case))


def forward(case):
    """Forwards, for each result."""
    call = function(case)
    found = [
        slope_along(case, lambda *floats, number=number: call(*floats)[number])
        for number in range(len(case.weights()))
    ]
    assert_close(found, case.slopes())


def whole_jacobian(case):
    """The Jacobians by each argument, which are contracted with the directions."""
    call = function(case)
    found = []
    for number in range(len(case.weights())):
        blocks = [
            jacobian(lambda *floats, number=number: call(*floats)[number], place)(*case.floats())
            for place in places(case)
        ]
        found.append(contracted(blocks, case.directions()))
    assert_close(found, case.slopes())


def grad_of_grad(case):
    """Backwards twice."""
    found = grad(slope(case, grad(loss(case), places(case))), places(case))(*case.floats())
    assert_close(found, case.curvature())


def forward_of_grad(case):
    """Forwards over backwards."""
    by_all = grad(loss(case), places(case))
    found = [
        slope_along(case, lambda *floats, number=number: by_all(*floats)[number]) for number in places(case)
    ]
    assert_close(found, case.curvature())


def third_order(case):
    """Backwards three times, against differences of the second derivatives."""
    twice = grad(slope(case, grad(loss(case), places(case))), places(case))
    found = grad(slope(case, twice), places(case))(*case.floats())
    step = 1e-4
    pairs = list(zip(case.floats(), case.directions(), strict=True))
    above = case.at([x + step * d for x, d in pairs]).curvature()
    below = case.at([x - step * d for x, d in pairs]).curvature()
    # The third derivative in three equal directions is the slope of the second in two.
    total = sum((g * d).sum() for g, d in zip(found, case.directions(), strict=True))
    expected = sum(
        ((a - b) / (2.0 * step) * d).sum() for a, b, d in zip(above, below, case.directions(), strict=True)
    )
    assert_close([total], [expected], rtol=1e-5)  # the square of the step, and rounding over the step


TRANSFORMS = {
    "value": value,
    "grad": gradient,
    "make_jvp": forward,
    "jacobian": whole_jacobian,
    "grad of grad": grad_of_grad,
    "make_jvp of grad": forward_of_grad,
    "grad of grad of grad": third_order,
}


@cases_of("autograd")
def test_autograd(transform, case):
    """It is right, or refused with a reason."""
    check("autograd", TRANSFORMS, transform, case)
