"""Random arguments lie in their domains."""

import numpy as np
import pytest

from chainrules_testutils import (
    away_from,
    distinct,
    generate_well_conditioned_matrix,
    open_interval,
    permutation,
    positive,
    positive_definite,
    triangular,
    unit_norm,
)


def test_intervals():
    """Numbers keep away from the ends of their interval."""
    x = open_interval(-1.0, 3.0, 1000, rng=0)

    assert x.shape == (1000,)
    assert x.min() > -0.97
    assert x.max() < 2.97
    assert 0.2 < positive((5, 200), rng=0).min() < 0.3


def test_distinct_numbers():
    """No two numbers are closer than a tenth, and their order is random."""
    x = distinct((20, 5), rng=0)

    assert x.shape == (20, 5)
    assert np.diff(np.sort(x.ravel())).min() >= 0.1
    assert not np.array_equal(x.ravel(), np.sort(x.ravel()))


@pytest.mark.parametrize("points", [0.0, [0.0], [-1.0, 1.0], [0.0, 0.1, 5.0]])
def test_away_from_kinks(points):
    """All numbers are a tenth away from each point, and lie on all sides of them."""
    x = away_from(points, 1000, rng=0)

    assert np.abs(np.subtract.outer(x, points)).min() >= 0.1
    assert x.min() < np.min(points) < np.max(points) + 0.1 < x.max()
    assert (np.min(points) - x[x < np.min(points)]).min() < 0.2
    assert (x[x > np.max(points)] - np.max(points)).min() < 0.2


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.complex64])
@pytest.mark.parametrize("generate", [positive_definite, generate_well_conditioned_matrix])
def test_matrices(generate, dtype):
    """The matrix is Hermitian, positive definite and well conditioned, of its dtype."""
    A = generate(5, dtype, rng=0)

    assert A.dtype == dtype
    assert np.allclose(A, A.conj().T, atol=1e-6)
    assert np.linalg.eigvalsh(A).min() >= 1.0 - 1e-6
    assert np.linalg.cond(A) < 100
    assert generate(0).shape == (0, 0)


def test_reproducible():
    """A seed gives the same numbers again."""
    assert positive(rng=3) == positive(rng=3)
    assert positive((), rng=3).shape == ()


DTYPES = pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, np.complex64])


@DTYPES
@pytest.mark.parametrize("shape", [(), 1, 5, (3, 4)])
def test_unit_norm(shape, dtype):
    """The sum of squared magnitudes is one."""
    x = unit_norm(shape, dtype, rng=0)

    assert x.dtype == dtype
    assert x.shape == (shape if isinstance(shape, tuple) else (shape,))
    assert abs(np.sum(np.abs(x) ** 2) - 1) < 1e-6


@DTYPES
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("unit_diagonal", [True, False])
def test_triangular(lower, unit_diagonal, dtype):
    """One triangle is filled, the diagonal positive, and the matrix well conditioned."""
    L = triangular(6, lower, unit_diagonal, dtype, rng=0)
    filled = np.tril(np.ones((6, 6), bool)) if lower else np.triu(np.ones((6, 6), bool))

    assert L.dtype == dtype
    assert np.array_equal(L != 0, filled)
    assert np.linalg.cond(L) < 20
    assert np.all(np.diag(L).real >= 1)
    assert np.all(np.diag(L) == 1) == unit_diagonal
    assert triangular(0).shape == (0, 0)


def test_permutations():
    """Each index occurs once, in an order that depends on the seed."""
    indices = permutation(20, rng=0)

    assert sorted(indices) == list(range(20))
    assert not np.array_equal(indices, permutation(20, rng=1))
    assert np.array_equal(indices, permutation(20, rng=0))


def test_triangular_by_default():
    """Unless asked for, the matrix is a lower triangle, and its diagonal is as random as the rest."""
    A = triangular(3, rng=0)

    assert np.array_equal(A, np.tril(A))
    assert not np.any(np.diag(A) == 1.0)


def test_well_conditioned():
    """The eigenvalues are at least one, and their mean is two, whatever the size."""
    for dtype in (float, complex):
        eigenvalues = np.linalg.eigvalsh(positive_definite(60, dtype, 0))
        assert eigenvalues.min() >= 1
        assert eigenvalues.mean() == pytest.approx(2, rel=0.1)


@DTYPES
def test_the_diagonal_dominates(dtype):
    """Its numbers are between one and two; those beside it sum to one half at most, in each row."""
    L = triangular(200, dtype=dtype, rng=0)

    assert 1.0 <= np.diag(L).real.min() < 1.1
    assert 1.9 < np.diag(L).real.max() <= 2.0
    assert 0.4 < np.sum(np.abs(np.tril(L, -1)), axis=1).max() <= 0.5 + 1e-6
    assert np.sum(np.abs(np.tril(L, -1)), axis=1)[-1] > 0.4


def test_the_ends_of_intervals():
    """A hundredth of the interval is left out on both sides, and no more."""
    x = open_interval(-1.0, 3.0, 10_000, rng=0)

    assert -0.96 < x.min() + 0.01 < -0.94
    assert 2.94 < x.max() - 0.01 < 2.96
    assert positive(10_000, rng=0).max() < 3.0


@pytest.mark.parametrize("points", [0.0, [0.0, 0.1, 5.0]])
def test_around_kinks(points):
    """Two to either side, and as near as a tenth; between kinks where there is room."""
    x = away_from(points, 10_000, rng=0)
    least, greatest = np.min(points), np.max(points)

    assert least - 2.1 <= x.min() < least - 2.0
    assert greatest + 2.0 < x.max() <= greatest + 2.1
    assert np.abs(np.subtract.outer(x, points)).min() < 0.11
    between = x[(x > least) & (x < greatest)]
    assert bool(between.size) is bool(greatest > 1.0)
    assert not between.size or (0.2 <= between.min() < 0.25 and 4.85 < between.max() <= 4.9)


def test_distinct_numbers_are_around_zero():
    """They are two tenths apart, give or take a tenth in all."""
    x = np.sort(distinct(1000, rng=0))

    assert x[0] == pytest.approx(-100.0, abs=0.06)
    assert x[-1] == pytest.approx(99.8, abs=0.06)
    assert 0.1 <= np.diff(x).min() < 0.12
    assert 0.28 < np.diff(x).max() <= 0.3
