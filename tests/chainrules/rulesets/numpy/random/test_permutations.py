"""The rules of random choices and orders, against finite differences for one seed."""

import functools

import numpy as np
import pytest

from chainrules_core import NoTangent, NotImplementedTangent, ZeroTangent, frule, rrule
from chainrules_core.structured import Symmetric
from tests.chainrules.rule_checks import normal
from tests.chainrules.sample_checks import check_sample, check_second_derivative_of_sample
from tests.chainrules.structured_checks import check_keeps_structure

GENERATOR = functools.partial(np.random.default_rng, 1)
STATE = functools.partial(np.random.RandomState, 1)

METHODS = [
    (np.random.Generator.permutation, GENERATOR),
    (np.random.Generator.permuted, GENERATOR),
    (np.random.Generator.choice, GENERATOR),
    (np.random.RandomState.permutation, STATE),
]
EVERY_METHOD = [*METHODS, (np.random.RandomState.choice, STATE)]


@pytest.mark.parametrize(("method", "make_generator"), EVERY_METHOD)
@pytest.mark.parametrize("dtype", [float, np.float32, complex])
def test_vectors(method, make_generator, dtype):
    """Tangents go where their elements go."""
    check_sample(method, make_generator, normal(5, dtype=dtype))


@pytest.mark.parametrize(("method", "make_generator"), EVERY_METHOD)
def test_selections_are_differentiated_twice(method, make_generator):
    """What is picked does not depend on the values."""
    check_second_derivative_of_sample(method, make_generator, normal(4))


@pytest.mark.parametrize(("method", "make_generator"), METHODS)
def test_matrices(method, make_generator):
    """Rows are picked as a whole, but for `permuted`."""
    check_sample(method, make_generator, normal(4, 3))


@pytest.mark.parametrize(("method", "make_generator"), METHODS)
def test_order_of_memory(method, make_generator):
    """`permuted` picks elements in the order in which they lie in memory."""
    x = normal(3, 4).T
    y, pullback = rrule(method, make_generator(), x)

    np.testing.assert_array_equal(y, method(make_generator(), x))
    assert np.sum(pullback(y)[2] ** 2) == pytest.approx(np.sum(y**2))
    np.testing.assert_array_equal(pullback(y)[2][x == y.ravel()[0]], y.ravel()[0])


def test_axes():
    """Along another axis, by position and by keyword."""
    check_sample(np.random.Generator.permutation, GENERATOR, normal(3, 4), 1)
    check_sample(np.random.Generator.permuted, GENERATOR, normal(3, 4), axis=1)
    check_sample(np.random.Generator.choice, GENERATOR, normal(3, 4), 2, axis=1, shuffle=False)
    check_sample(np.random.Generator.permutation, GENERATOR, normal(0, 3))


@pytest.mark.parametrize(("method", "make_generator"), [EVERY_METHOD[2], EVERY_METHOD[4]])
def test_several_choices(method, make_generator):
    """An element that is picked several times gets the sum of the cotangents."""
    check_sample(method, make_generator, normal(3), 8)
    check_sample(method, make_generator, normal(5), (2, 2), False)
    check_sample(method, make_generator, normal(3), 4, p=[0.5, 0.2, 0.3])


@pytest.mark.parametrize(("method", "make_generator"), [EVERY_METHOD[i] for i in (0, 2, 3, 4)])
def test_numbers_stand_for_ranges(method, make_generator):
    """Nothing to differentiate; `permuted` takes arrays only."""
    check_sample(method, make_generator, 5)
    y, pullback = rrule(method, make_generator(), 5)

    np.testing.assert_array_equal(y, method(make_generator(), 5))
    assert pullback(y)[2] == NoTangent()


@pytest.mark.parametrize("probabilities", [np.array([0.5, 0.5]), [0.5, 0.5]])
def test_probabilities_have_no_derivative(probabilities):
    """Which element is picked jumps with them."""
    _, pullback = rrule(np.random.Generator.choice, GENERATOR(), normal(2), 3, True, probabilities)

    assert isinstance(pullback(np.ones(3))[-1], NotImplementedTangent)


def test_selection_of_constants():
    """A zero tangent stays one."""
    dots = (NoTangent(), NoTangent(), ZeroTangent())

    assert frule(dots, np.random.Generator.permutation, GENERATOR(), normal(3))[1] == ZeroTangent()


def test_results_cannot_be_written_into_an_array():
    """It would leave no trace."""
    x = normal(3)
    with pytest.raises(TypeError, match=r"Generator\.permuted.*out=.*cannot be differentiated"):
        rrule(np.random.Generator.permuted, GENERATOR(), x, out=x.copy())


@pytest.mark.parametrize(("method", "make_generator"), METHODS)
def test_symmetric_matrices(method, make_generator):
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_keeps_structure(method, make_generator(), Symmetric(normal(3, 3)))
