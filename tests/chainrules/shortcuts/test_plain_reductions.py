"""Which calls are reductions of plain arrays, and the cotangents of their sums."""

import numpy as np
import pytest

from chainrules.ad import hvp
from chainrules.shortcuts.plain_reductions import OF_ALL, is_real, plain_reduction, repeated, repeated_along
from tests.chainrules.rule_checks import normal
from tests.chainrules.shortcut_checks import Subclass
from tests.python_calls import functions_run_by

X = normal(2, 3)


def test_reductions():
    """Of all elements, or along axes."""
    assert plain_reduction(X, (), {}) is OF_ALL
    assert plain_reduction(X, (1,), {}) == (1, False, True)
    assert plain_reduction(X, (1,), {"keepdims": True}) == (1, True, True)
    assert plain_reduction(X, (), {"axis": (0, 1)}) == ((0, 1), False, True)


@pytest.mark.parametrize(
    ("x", "options", "named"),
    [
        (X.view(Subclass), (), {}),
        (X.astype(int), (), {}),
        (X[:0], (), {}),
        (1.5, (), {}),
        (X, (0, float), {}),
        (X, (0,), {"axis": 0}),
        (X, (), {"where": True}),
    ],
)
def test_other_calls(x, options, named):
    """Arrays of other classes and elements, empty ones, numbers, and other options."""
    assert plain_reduction(x, options, named) is None


def test_kinds():
    """Complex elements are plain, but not real."""
    assert is_real(X.astype(np.float32))
    assert not is_real(X + 0j)


@pytest.mark.parametrize("n", [2, 5000])
@pytest.mark.parametrize("y_bar", [2.0, np.float32(2.0), 2.0 + 1.0j, np.array(2.0)])
def test_repeated(y_bar, n):
    """Few elements are written, many are a view; always in the precision of the array."""
    for dtype in (np.float64, np.float32):
        x_bar = repeated(y_bar, np.ones(n, dtype))
        np.testing.assert_array_equal(x_bar, np.full(n, 2.0, dtype), strict=True)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_few_elements_are_written(dtype):
    """Of more, whose array takes longer to write than a view to make, there is a view."""
    for n in (4096, 4097):
        x = np.ones((1, n), dtype)
        of_all = repeated(dtype(2.0), x)
        of_rows = repeated_along(x[0], x, plain_reduction(x, (0,), {}))
        assert of_all.flags.writeable == of_rows.flags.writeable == (n == 4096)


@pytest.mark.parametrize("axis", [0, -1])
def test_sums_along_one_axis_take_the_short_way(axis):
    """So do those of a vector, whose cotangent is a number."""
    reduction = plain_reduction(X, (axis,), {})
    y_bar = np.sum(X, axis)

    for call in (lambda: repeated_along(y_bar, X, reduction), lambda: repeated_along(1.0, X[0], reduction)):
        assert "spread" not in functions_run_by(call)


@pytest.mark.parametrize("columns", [3, 5000])
@pytest.mark.parametrize("axis", [0, -1, (0, 1)])
def test_repeated_along(axis, columns):
    """For each element the cotangent of the sum that it is in."""
    x = normal(2, columns)
    y_bar = np.asarray(np.sum(x, axis))

    x_bar = repeated_along(y_bar, x, plain_reduction(x, (axis,), {}))
    np.testing.assert_array_equal(x_bar, np.broadcast_to(np.sum(x, axis, keepdims=True), x.shape))


@pytest.mark.parametrize("dtype", [np.float32, np.complex64, np.complex128])
def test_cotangents_of_other_kinds(dtype):
    """Those of elements are as precise as the elements, and real."""
    x_bar = repeated_along(np.ones(3, dtype), X, plain_reduction(X, (0,), {}))
    np.testing.assert_array_equal(x_bar, np.ones((2, 3)), strict=True)


def test_traced_cotangents():
    """They are not written into an array."""

    def squares(x):
        return np.sum(np.sum(x, axis=0) ** 2)

    np.testing.assert_allclose(hvp(squares, X, X), 2 * np.broadcast_to(np.sum(X, axis=0), X.shape))
