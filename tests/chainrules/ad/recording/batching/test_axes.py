"""`in_axes` and `out_axes`, and what is said of mistakes."""

import numpy as np
import pytest

from chainrules.ad import grad, vectorized
from chainrules.ad.recording.batching.axes import (
    leaves_with_axes,
    moved_out,
    number_of_items,
    with_axes,
    with_leaves,
)

X = np.zeros((3, 2))


def f(x, scale=2.0, shift=X, *, other=0):
    """A function with defaults."""


def test_one_axis_is_meant_for_all_arguments():
    """A tuple has one for each."""
    assert with_axes(f, 0, (X, X), {}) == ((X, X), (0, 0))
    assert with_axes(f, [0, None], (X, X), {}) == ((X, X), (0, None))
    with pytest.raises(ValueError, match="1 entries for 2 arguments"):
        with_axes(f, (0,), (X, X), {})


def test_entries_for_defaults():
    """Those of defaults with an axis are given; the others the function reads by itself."""
    assert with_axes(f, (0, None), (X,), {}) == ((X,), (0,))
    assert with_axes(f, (0, None, None), (X,), {"other": X}) == ((X,), (0,))
    assert with_axes(f, (0, None, 1), (X,), {}) == ((X, 2.0, X), (0, None, 1))
    assert with_axes(f, (0, None, 1), (X, 3.0), {}) == ((X, 3.0, X), (0, None, 1))
    for function, axes in (
        (f, (0, None, 0, 0)),
        (lambda x, y: x, (0, 0)),
        (max, (0, None)),
        (dict.get, (0, 0)),
    ):
        with pytest.raises(ValueError, match=f"{len(axes)} entries for 1 arguments"):
            with_axes(function, axes, (X,), {})
    with pytest.raises(ValueError, match="`shift` has an entry of `in_axes`, and is given by its name"):
        with_axes(f, (0, None, None), (X,), {"shift": X})


def test_leaves_of_containers():
    """Each leaf has the axis that stands in its place, or in that of a container around it."""
    tree = {"a": [X, X], "b": (X, None)}
    assert [axis for _, axis in leaves_with_axes(tree, {"a": -1, "b": (None, 0)}, "x")] == [1, 1, None, None]
    assert [axis for _, axis in leaves_with_axes(tree, 0, "x")] == [0, 0, 0, None]
    assert with_leaves(tree, iter(range(4))) == {"a": [0, 1], "b": (2, 3)}


@pytest.mark.parametrize(
    ("x", "axes", "error", "message"),
    [
        ([X, X], [0], ValueError, "`in_axes` of x is no container like it"),
        ({"a": X}, [0], ValueError, "`in_axes` of x is no container like it"),
        (X, 2, ValueError, "x has 2 axes, and no axis 2"),
        (X, True, TypeError, "`in_axes` has True for x"),
        (X, "0", TypeError, "`in_axes` has '0' for x"),
        ([1.0], 0, TypeError, r"x\[0\] is a float, and has no axis of items"),
        (np.float64(1.0), 0, TypeError, "write None for it"),
    ],
)
def test_mistakes(x, axes, error, message):
    """They are errors that name the place."""
    with pytest.raises(error, match=message):
        list(leaves_with_axes(x, axes, "x"))


def test_number_of_items():
    """It is the same everywhere."""
    assert number_of_items([(X, 0), (X.T, 1), (1.0, None)]) == 3
    with pytest.raises(ValueError, match=r"different sizes: \[2, 3\]"):
        number_of_items([(X, 0), (X, 1)])
    with pytest.raises(ValueError, match="no argument has an axis of items"):
        number_of_items([(X, None)])


def test_results():
    """An axis for all leaves, or one for each."""
    tree = {"a": [1, 2], "b": (3,)}
    assert moved_out(tree, 0, lambda y, axis: (y, axis)) == {"a": [(1, 0), (2, 0)], "b": ((3, 0),)}
    assert moved_out(tree, {"a": [1, None], "b": 2}, lambda y, axis: axis) == {"a": [1, None], "b": (2,)}
    with pytest.raises(ValueError, match="`out_axes` is no container like the result"):
        moved_out(tree, {"a": 0}, lambda y, axis: y)


SHIFTS, XS = np.arange(5.0), np.random.default_rng(0).normal(size=(5, 4))


def test_defaults():
    """What is not given has its default: one for all items, or one for each where it has an axis."""

    def f(x, scale=2.0, shift=SHIFTS, power=2):
        return np.sum(x**power * scale) + np.sum(shift)

    def loop(shifts, **options):
        return [f(x, shift=shift, **options) for x, shift in zip(XS, shifts, strict=True)]

    for axes in (0, (0,), (0, None), (0, None, None, None)):
        np.testing.assert_allclose(vectorized(f, axes)(XS), loop([SHIFTS] * 5))
    np.testing.assert_allclose(vectorized(f, (0, None, 0))(XS), loop(SHIFTS))
    np.testing.assert_allclose(vectorized(f, (0, None, 0, None))(XS, 3.0), loop(SHIFTS, scale=3.0))
    found = vectorized(grad(f), (0, None, 0))(XS)
    np.testing.assert_allclose(found, [grad(f)(x, 2.0, shift) for x, shift in zip(XS, SHIFTS, strict=True)])
    SHIFTS[0] += 1.0
    np.testing.assert_allclose(vectorized(f, (0, None, 0))(XS), loop(SHIFTS))
