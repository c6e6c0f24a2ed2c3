"""The adjoint of indexing."""

import operator

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.operations.scatter import ScatterThunk, add_at, scatter, scattering_thunk
from chainrules_core import NoTangent, ZeroTangent, add_inplace, frule, not_implemented, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.python_calls import functions_run_by

INDICES = [1, slice(0, 2), [0, 0], np.array([True, False, True]), (np.array([0, 0]),), ..., np.array(1)]


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_scatter_is_the_adjoint_of_indexing(index):
    """``⟨scatter(y), x⟩ = ⟨y, x[index]⟩`` for every x and y."""
    x = normal(3)
    y = np.asarray(normal(*np.shape(x[index]), seed=1))

    assert np.vdot(scatter(y, x, index), x) == pytest.approx(np.vdot(y, x[index]))


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_scatter_has_rules(index):
    """It is linear in what is scattered, and does not depend on the values of what gives the shape."""
    y = normal(*np.shape(normal(3)[index]), seed=1)
    y = float(y) if y.shape == () else y

    test_frule(scatter, y, np.zeros(3, dtype=int), index)
    test_rrule(scatter, y, np.zeros(3, dtype=int), index)


def test_constants_stay_constant_where_the_shape_is_that_of_what_moves():
    """A zero tangent stays one."""
    dots = NoTangent(), ZeroTangent(), np.ones(3), NoTangent()
    assert frule(dots, scatter, 1.5, np.zeros(3), 0)[1] is ZeroTangent()


def test_complex_numbers_are_not_added_to_real_ones_in_place():
    """A sum of both is complex, in whatever order they come."""
    z = normal(3) + 1j * normal(3, seed=1)
    real = np.ones(3)

    total = add_inplace(real, ScatterThunk(2j, z, 0))

    np.testing.assert_array_equal(total, [1 + 2j, 1, 1])
    np.testing.assert_array_equal(real, np.ones(3))
    assert add_inplace(real, ScatterThunk(2.0, z, 0)) is real
    complex_sum = np.ones(3, complex)
    assert add_inplace(complex_sum, ScatterThunk(np.array([2j]), z, slice(0, 1))) is complex_sum
    assert complex_sum[0] == 1 + 2j


@pytest.mark.parametrize("y", [2.0, np.float64(2.0), np.ones(1)])
def test_elements_are_added_alone(y):
    """No array of zeros is made around them."""
    x, thunk = np.ones(3), ScatterThunk(y, np.ones(3), slice(0, 1) if np.ndim(y) else 0)
    assert not functions_run_by(lambda: add_inplace(x, thunk))["_scattered"]


def test_scatter_has_the_elements_of_what_is_scattered():
    """Single precision and complex numbers stay what they are."""
    assert scatter(np.ones(2, dtype=np.float32), np.zeros(3), [0, 1]).dtype == np.float32
    assert scatter(1j, np.zeros(3), 0).dtype == complex


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_add_at_writes_into_the_array(index):
    """It returns the array that it is given."""
    x = np.zeros(3)
    y = np.ones(np.shape(x[index]))

    total = add_at(x, index, y)

    assert total is x
    np.testing.assert_array_equal(x, scatter(y, x, index))


def test_only_plain_values_are_added_in_place():
    """What is traced has to be scattered by the function that has rules."""
    x = normal(3)
    thunks = []

    def scattered(y):
        thunks.append(scattering_thunk(y, x, [0, 0]))
        return np.sum(unthunk(thunks[-1]) * x)

    np.testing.assert_allclose(grad(scattered)(normal(2)), x[[0, 0]])
    assert not isinstance(thunks[0], ScatterThunk)
    assert isinstance(scattering_thunk(1.5, x, 0), ScatterThunk)


@pytest.mark.parametrize("y_bar", [ZeroTangent(), NoTangent(), not_implemented("nobody knows")], ids=repr)
def test_what_holds_for_the_whole_array(y_bar):
    """A zero, and a derivative that is not there, need no array of zeros around them."""
    x = normal(3)

    assert scattering_thunk(y_bar, x, 1) is y_bar
    assert rrule(np.take, x, np.array([0, 2]))[1](ZeroTangent())[1] is ZeroTangent()
    assert rrule(operator.getitem, x, 1)[1](ZeroTangent())[1] is ZeroTangent()
