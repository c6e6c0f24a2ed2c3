"""Tests of division by the differences of eigenvalues."""

import numpy as np

from chainrules.ad import jacobian
from chainrules.formulas.spectra.spectral_gaps import (
    are_apart,
    differentiable_part,
    gaps,
    groups_of_equal,
    is_negligible,
    is_rounding_error,
    is_zero_value,
    number_of_nonzero,
    quotient,
    quotient_except,
    quotient_of_cotangents,
    sums,
)
from tests.chainrules.rule_checks import normal


def test_differences_and_sums():
    """Those of the second index minus the first; a value is not divided by its difference from itself."""
    w = np.array([1.0, 3.0], dtype=np.float32)

    np.testing.assert_array_equal(gaps(w), [[np.inf, 2.0], [-2.0, np.inf]])
    np.testing.assert_array_equal(sums(w), [[2.0, 4.0], [4.0, 6.0]])
    assert gaps(w).dtype == np.float32


def test_differences_in_stacks():
    """Of each row of values, however these lie in memory."""
    w = normal(4, 3, 2).T

    for values, actual in zip(np.reshape(w, (6, 4)), np.reshape(gaps(w), (6, 4, 4)), strict=True):
        np.testing.assert_array_equal(actual, gaps(values))


def test_quotient_by_gaps():
    """Zero on the diagonal, and between values that are equal but for rounding errors."""
    K, w = np.ones((3, 3)), np.array([1.0, 1.0 + 4e-16, 2.0])

    expected = [[0, 0, 1], [0, 0, 1], [-1, -1, 0]]
    np.testing.assert_allclose(quotient(K, gaps(w), w), expected)
    np.testing.assert_allclose(quotient(K[:2, 1:], gaps(w[1:]), w[1:]), [[0, 1], [-1, 0]])


def test_quotient_that_is_not_known():
    """Another number can stand for it."""
    w = np.array([1.0, 1.0])

    np.testing.assert_array_equal(quotient(np.ones((2, 2)), gaps(w), w, np.nan), [[0, np.nan], [np.nan, 0]])


def test_quotient_except_where_it_is_not_known():
    """Where one says so, and nowhere else."""
    K, divisor = np.array([[1.0, 2.0]]), np.array([[1e-20, 4.0]])

    np.testing.assert_array_equal(quotient_except(np.array([[True, False]]), K, divisor), [[0, 0.5]])
    np.testing.assert_array_equal(quotient_except(np.array([[True, False]]), K, divisor, 7.0), [[7, 0.5]])
    np.testing.assert_array_equal(quotient_except(np.array([[False, False]]), K, divisor), K / divisor)


def test_singular_values_that_are_apart():
    """Neither equal nor zero but for rounding errors, in every matrix of a stack."""
    apart, equal, with_zero = np.array([[2.0, 1.0, 0.5], [1.0, 1.0 - 4e-16, 0.5], [1.0, 0.5, 1e-17]])

    assert are_apart(apart)
    assert are_apart(np.array([apart, 1e-20 * apart]))
    assert are_apart(apart.astype(np.float32))
    for s in (equal, equal[::-1] + 0.5, with_zero, np.zeros(1)):
        assert not are_apart(s)
        assert not are_apart(np.array([s, apart[: len(s)]]))
    assert are_apart(np.zeros(0))
    assert are_apart(np.zeros((0, 3)))


def test_groups_of_equal_values():
    """They stand in any order, and complex ones too; single values are no group."""
    for w in (np.array([1.0, 2.0, 1.0 + 4e-16, 3.0]), np.array([1.0, 1.0j, 1.0, -1.0j])):
        assert [list(places) for places in groups_of_equal(w)] == [[0, 2]]
    assert [list(places) for places in groups_of_equal(np.zeros(2))] == [[0, 1]]
    assert groups_of_equal(np.arange(3.0)) == groups_of_equal(np.arange(0.0)) == []


def test_number_of_singular_values_that_are_not_zero():
    """Rounding errors count as zeros."""
    s = np.array([1.0, 1e-3, 1e-17])

    assert number_of_nonzero(s) == 2
    np.testing.assert_array_equal(is_zero_value(s), [False, False, True])
    assert is_zero_value(np.zeros(2)).all()
    assert is_negligible(np.zeros((2, 2)), np.zeros(2)).all()


def test_rounding_errors_grow_with_the_size():
    """What is no zero of a small matrix may be one of a large matrix; of zeros alone all are."""
    epsilon = np.finfo(float).eps

    for size in (2, 200):
        s = np.append(np.ones(size - 1), 50 * epsilon)
        assert number_of_nonzero(s) == (2 if size == 2 else size - 1)
    assert number_of_nonzero(np.zeros(3)) == 0


def test_quotient_of_cotangents():
    """0 / 0 is zero, and everything else by zero is no number."""
    V_bar, w = normal(2, 2), np.array([1.0, 1.0])

    zeros = quotient_of_cotangents(np.full((2, 2), 1e-16), gaps(w), w, V_bar)
    np.testing.assert_allclose(zeros, 0, atol=1e-15)
    undefined = quotient_of_cotangents(np.ones((2, 2)), gaps(w), w, V_bar)
    np.testing.assert_array_equal(np.isnan(undefined), [[False, True], [True, False]])
    distinct = np.array([1.0, 3.0])
    defined = quotient_of_cotangents(np.ones((2, 2)), gaps(distinct), distinct, V_bar)
    np.testing.assert_array_equal(defined, [[0.0, 0.5], [-0.5, 0.0]])


def test_rounding_errors():
    """They are small beside the largest number that they come from, in each matrix of a stack by itself."""
    values = np.array([[1.0, 0.0], [1e10, 1.0]])

    small = is_negligible(np.full((2, 1, 1), 1e-10), values)
    np.testing.assert_array_equal(small[:, 0, 0], [False, True])
    small = is_rounding_error(np.full((2, 2, 2), 1e-10), values[:, np.newaxis])
    np.testing.assert_array_equal(small[:, 0, 0], [False, True])


def test_singular_values_that_are_zero():
    """They have a kink, where zero is taken for their derivative; rounding errors count as zero."""
    s = np.array([[2.0, 1e-17, 0.0], [2.0, 1.0, 1e-3]])

    np.testing.assert_array_equal(differentiable_part(np.ones((2, 3)), s), [[1, 0, 0], [1, 1, 1]])
    s_bar = np.ones(3)
    assert differentiable_part(s_bar, s[1]) is s_bar
    slopes = jacobian(lambda s_bar: differentiable_part(s_bar, s[0]))(s_bar)
    np.testing.assert_array_equal(slopes, np.eye(3))
