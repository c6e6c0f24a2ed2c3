"""The stored entries of sparse arrays, and where functions move them."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.operations.sparse_entries import (
    gathered,
    have_same_places,
    number_of_entries,
    numbered,
    ones_like,
    stored_entries,
    with_entries,
    with_moving_entries,
    with_zeros,
)
from chainrules_core import NoTangent, ProjectTo, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.sparse_cases import diagonals, formats, kinds, same_pattern, sparse
from tests.python_calls import functions_run_by


@formats
@kinds
def test_there_and_back(format, kind):
    """The two functions are inverse to each other, and so are their rules."""
    A = sparse(format, kind)
    project = ProjectTo(A)
    entries = stored_entries(A, project)

    assert same_pattern(with_entries(entries, project), A)
    np.testing.assert_array_equal(with_entries(entries, project).toarray(), A.toarray())
    for f, x in ((stored_entries, A), (with_entries, entries)):
        test_frule(f, x, project)
        test_rrule(f, x, project, mode="fast")


@formats
def test_other_patterns(format):
    """An entry that is not stored counts as zero, and one that the pattern has not is left out."""
    A, ones = sparse(format), ones_like(sparse(format))
    project = ProjectTo(A)
    np.testing.assert_array_equal(
        stored_entries(0.0 * A.tocsr(), project), np.zeros_like(project.position[0])
    )
    np.testing.assert_array_equal(stored_entries(ones.tocoo(), project), np.ones(project.position[0].size))
    lost = A.tocsr().copy()
    lost.data[0] = 0.0
    expected = stored_entries(type(A)(lost), project).copy()
    lost.eliminate_zeros()
    np.testing.assert_array_equal(stored_entries(lost, project), expected)


def test_zero_tangents():
    """Zero tangents stay zeros."""
    A = sparse()
    project, zero = ProjectTo(A), ZeroTangent()
    for f, x in ((stored_entries, A), (with_entries, A.data)):
        assert frule((NoTangent(), zero, NoTangent()), f, x, project)[1] is zero
    assert rrule(with_entries, A.data, project)[1](zero)[1] is zero


def test_rules_can_be_differentiated():
    """Second derivatives, through both."""
    A = sparse()
    project = ProjectTo(A)

    def cubes(A):
        return np.sum(with_entries(stored_entries(A, project) ** 3, project))

    second = grad(lambda A: np.sum(grad(cubes)(A)))(A)
    np.testing.assert_allclose(second.data, 6 * A.data)


@pytest.mark.parametrize("x", [sparse(), sparse("bsr"), diagonals(), normal(2, 3)])
def test_numbers(x):
    """Each entry is numbered once, from one on or later."""
    numbers = numbered(x, 5)
    stored = numbers.toarray() if hasattr(numbers, "toarray") else numbers

    assert sorted(stored[stored != 0]) == list(range(5, 5 + number_of_entries(x)))
    assert (numbered(x) + (4 * (numbers != 0)) - numbers).sum() == 0


def test_gathering():
    """An entry that became several elements has the sum; an element that is no entry counts for none."""
    y_bar, places = np.array([1.0, 2.0, 4.0, 8.0]), np.array([2.0, 0.0, 2.0, 1.0])

    np.testing.assert_array_equal(gathered(y_bar, y_bar, places, 3), [8.0, 5.0, 0.0])
    with pytest.raises(TypeError, match="converted to float32"):
        gathered(y_bar, y_bar, places.astype(np.float32), 3)


@formats
@kinds
@pytest.mark.parametrize("dtype", [float, int])
def test_zeros_by_chance(format, kind, dtype):
    """A result gets back the entries that SciPy dropped, and keeps its type."""
    A = sparse(format, kind).astype(dtype)
    ones = ones_like(A)
    assert set(np.unique(ones.toarray())) <= {0.0, 1.0}
    assert ones.sum() == number_of_entries(sparse(format, kind))
    filled = with_zeros(type(A)(A.shape, dtype=np.float32), ones)
    assert (filled.nnz, filled.dtype, filled.sum()) == (ones.nnz, np.float32, 0.0)
    assert with_zeros(ones, ones) is ones
    assert not functions_run_by(lambda: with_zeros(ones, ones))["replace"]


def test_ones_share_the_places():
    """Those of arrays of some formats are not copied."""
    few, rows = diagonals(), sparse("csr")
    assert ones_like(few).offsets is few.offsets
    assert ones_like(rows).indices is rows.indices


def test_same_places():
    """Only where it is plain: in one compressed format, with the same arrays of places."""
    A, B = sparse("csr"), sparse("csr", pattern=np.eye(4, 5))
    assert have_same_places(A, A * 2.0)
    assert not have_same_places(A, B)
    assert not have_same_places(A, A.tocsc())
    lines = np.array([[1, 0], [0, 1], [0, 0]])
    for other in (lines[[0, 2, 1]], lines[:, ::-1]):  # rows of the same lengths, or the same columns
        assert not have_same_places(sparse(pattern=lines), sparse(pattern=other))
    assert not have_same_places(A.tocoo(), A.tocoo())


@formats
def test_with_moving_entries(format):
    """The complete result is asked for where the tangent stores an entry that the result does not."""
    A = sparse(format)
    zeros = A * 0.0
    complete = with_zeros(zeros, ones_like(A))
    assert with_moving_entries(A.toarray(), A, lambda: complete) is not complete  # dense
    csr = sparse("csr")
    assert with_moving_entries(csr, csr * 2.0, lambda: complete) is csr
    lost = csr.copy()
    lost.data[0] = 0.0
    lost.eliminate_zeros()
    assert with_moving_entries(lost, csr, lambda: complete) is complete
    assert with_moving_entries(lost, csr.toarray(), lambda: complete) is complete
