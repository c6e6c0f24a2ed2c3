"""How reductions are asked for, and the way from the shape of a result back to the array."""

import numpy as np
import pytest

from chainrules.values.reductions import (
    beside,
    laid_back,
    lined_up,
    number_reduced,
    option_cotangents,
    read_reduction,
    read_sum,
    reduced_axes,
    shape_of,
    spread,
    summed,
    without_nans,
)
from chainrules_core import NoTangent
from tests.chainrules.lazy_checks import lazily, nothing_computed
from tests.chainrules.rule_checks import normal
from tests.python_calls import functions_run_by

CUBE = normal(2, 3, 4)
WHERE = np.array([True, False, True, True])


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("where", [True, WHERE])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (-1, 0), ()])
def test_spread_is_the_adjoint_of_the_sum(axis, where, keepdims):
    """``⟨spread(y), x⟩ = ⟨y, sum(x)⟩`` for every x and y."""
    y = np.asarray(np.sum(CUBE, axis=axis, where=where, keepdims=keepdims))
    reduction = read_reduction("sum", CUBE, axis, keepdims=keepdims, where=where)

    x_bar = spread(y, CUBE, reduction)

    assert x_bar.shape == CUBE.shape
    assert np.sum(x_bar * CUBE) == pytest.approx(np.sum(y * y))


@pytest.mark.parametrize(
    ("axis", "where"), [(None, True), (0, True), ((0, 2), True), ((), True), (None, WHERE), ((0, 2), WHERE)]
)
def test_number_reduced_makes_sums_of_means(axis, where):
    """The mean times the number is the sum."""
    reduction = read_reduction("mean", CUBE, axis, where=where)

    np.testing.assert_allclose(
        np.mean(CUBE, axis=axis, where=where) * number_reduced(CUBE, reduction),
        np.sum(CUBE, axis=axis, where=where),
    )


def test_number_reduced_is_never_zero():
    """What is spread over nothing can be divided by it."""
    assert number_reduced(normal(0, 3), read_reduction("mean", normal(0, 3))) == 1


def test_reduced_axes():
    """Axes are counted from the front, wherever they are counted from when they are given."""
    assert reduced_axes(None, 3) == (0, 1, 2)
    assert reduced_axes(-1, 3) == (2,)
    assert reduced_axes((0, -1), 3) == reduced_axes([0, -1], 3) == (0, 2)
    assert reduced_axes(np.int64(1), 3) == (1,)
    assert reduced_axes(0, 0) == reduced_axes((-1,), 0) == reduced_axes(None, 0) == ()


def test_defaults_of_numpys_signatures_are_understood():
    """NumPy has a mark of its own for an argument that is not given."""
    reduction = read_reduction("sum", CUBE, keepdims=np._NoValue, where=np._NoValue)

    assert reduction == (None, False, True)
    assert read_sum(np.sum, CUBE, initial=np._NoValue) == (reduction, None)


def test_refusals():
    """Results that are written into an array, or cut to integers, are refused."""
    with pytest.raises(TypeError, match="out="):
        read_reduction("sum", CUBE, out=np.zeros(()))
    with pytest.raises(TypeError, match="dtype="):
        read_reduction("sum", CUBE, dtype=int)
    assert read_reduction("sum", np.arange(3), dtype=int).axis is None


def test_shape_of_numbers():
    """A number has no axes."""
    assert shape_of(1.5) == ()
    assert shape_of(CUBE) == (2, 3, 4)


@pytest.mark.parametrize("where", [True, WHERE, np.zeros((3, 1), dtype=bool)])
@pytest.mark.parametrize("options", [{}, {"axis": (0, 2)}, {"axis": 1, "keepdims": True}])
def test_summed(options, where):
    """As NumPy's sum; of lazy arrays too, or with a lazy choice, in which nothing is computed."""
    reduction = read_reduction("sum", CUBE, **options, where=where)
    expected = np.sum(CUBE, **options, where=where)

    np.testing.assert_array_equal(summed(CUBE, reduction), expected)
    assert summed(CUBE, reduction, np.float32).dtype == np.float32
    assert "where" not in functions_run_by(lambda: summed(CUBE, reduction))  # as it would copy the array
    da = pytest.importorskip("dask.array")
    with nothing_computed():
        lazy = [summed(lazily(CUBE), reduction)]
        if where is not True:
            lazy.append(summed(CUBE, reduction._replace(where=da.from_array(where))))
    for y in lazy:
        np.testing.assert_allclose(y.compute(scheduler="synchronous"), expected)


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (-1, 0), (-1, 0, 1), ()])
@pytest.mark.parametrize("x", [CUBE, normal(2, 0, 3)])
def test_lined_up(x, axis):
    """What is reduced together stands along the first axis, and can be laid back."""
    lines = lined_up(x, axis)

    np.testing.assert_allclose(np.sum(lines, axis=0), np.sum(x, axis=axis))
    np.testing.assert_array_equal(laid_back(lines, x, axis), x)


def test_a_number_lined_up():
    """It is a line of one element."""
    assert lined_up(1.5, None).tolist() == [1.5]
    assert laid_back(np.array([1.5]), 1.5, None) == 1.5


def test_number_reduced_of_few_elements():
    """One is one, and so is none, by which nothing can be divided."""
    where = np.array([[True, False], [False, False], [True, True]])
    reduction = read_reduction("mean", np.ones((3, 2)), 1, where=where)

    np.testing.assert_array_equal(number_reduced(np.ones((3, 2)), reduction), [1, 1, 2])
    for shape in ((0,), (1,)):
        assert number_reduced(np.ones(shape), read_reduction("mean", np.ones(shape))) == 1
        assert number_reduced(np.ones(shape), read_reduction("mean", np.ones(shape), 0)) == 1


@pytest.mark.parametrize(
    ("axis", "keepdims", "shape"),
    [
        (None, False, ()),
        (None, True, (1, 1, 1)),
        (1, False, (2, 1, 4)),
        (1, True, (2, 1, 4)),
        ((), False, (2, 3, 4)),
    ],
)
def test_beside(axis, keepdims, shape):
    """A result gets the axes that it lost; a number broadcasts without them."""
    y = np.sum(CUBE, axis=axis, keepdims=keepdims)

    assert beside(y, CUBE, read_reduction("sum", CUBE, axis, keepdims=keepdims)).shape == shape


@pytest.mark.parametrize(("where", "expected"), [(True, 3.0), (np.array([True, True, False]), 1.0)])
def test_without_nans(where, expected):
    """NaNs are left out, besides what is left out already."""
    x = np.array([1.0, np.nan, 2.0])

    reduction = without_nans(x, read_reduction("sum", x, where=where))
    assert np.sum(x, **reduction._asdict()) == expected


@pytest.mark.parametrize("f", [np.sum, np.prod, np.nansum, np.nanprod], ids=lambda f: f.__name__)
def test_sums_that_leave_out_nans(f):
    """They choose the numbers; the others choose all."""
    reduction, initial = read_sum(f, np.array([1.0, np.nan]), None, initial=2.0)

    assert initial == 2.0
    assert np.array_equal(reduction.where, [True, False] if f in {np.nansum, np.nanprod} else True)


def test_cotangents_of_options():
    """Only the option that may have a cotangent has one, if it was given."""
    assert option_cotangents((0, None), 2, lambda: 1.0) == (NoTangent(), NoTangent())
    assert option_cotangents((0, 2.5), 1, lambda: 1.0 + 2.0j) == (NoTangent(), 1.0)
