"""Arguments and results in containers, on their way to a framework and back."""

import warnings
from collections import namedtuple

import numpy as np
import pytest
import scipy.sparse

from chainrules_core.structured import Diagonal
from chainrules_testutils.oracles.oracle import Oracle, inexact_leaves, is_inexact, refilled
from tests.chainrules_testutils.oracles.by_differences import ByDifferences

Pair = namedtuple("Pair", "first second")  # noqa: PYI024 - as some functions return


@pytest.mark.parametrize("x", [1.0, 1j, np.float32(1), np.ones(2), np.ones((), dtype=complex)])
def test_inexact(x):
    """Numbers with a fractional part are differentiated."""
    assert is_inexact(x)


@pytest.mark.parametrize("x", [1, True, "a", None, np.int8(1), np.arange(2), np.array(["a"]), slice(1)])
def test_constant(x):
    """Everything else is not."""
    assert not is_inexact(x)


def test_leaves_go_back_to_their_places():
    """The numbers of a value are arrays in double precision, and other arrays can take their places."""
    x = {"a": (1.0, 2), "b": [np.ones(2, dtype=np.float32), "c"]}
    arrays = inexact_leaves(x)

    assert [array.dtype for array in arrays] == [np.float64, np.float64]
    assert refilled(x, iter(["first", "second"])) == {"a": ("first", 2), "b": ["second", "c"]}


def results_of(function, *args, is_moved=None, **fkwargs):
    """The results that a framework returns, and its cotangents of ones."""
    oracle = Oracle(ByDifferences(), function)
    moved = [True] * len(args) if is_moved is None else is_moved
    ys, pullback = oracle.vjp(args, moved, fkwargs)
    return ys, pullback([np.ones_like(y) for y in ys])


def test_results_in_containers():
    """Arrays are found in tuples, named ones too, lists and dicts."""
    ys, (x_bar,) = results_of(lambda x: Pair([x, {"a": 2.0 * x}], (3.0 * x,)), 1.0)

    assert ys == (1.0, 2.0, 3.0)
    assert np.isclose(x_bar, 6.0)


def test_arguments_that_are_not_moved():
    """They are constants, like keyword arguments; those in containers have their own cotangents."""
    ys, x_bars = results_of(
        lambda x, pair, *, scale: scale * x * pair[0] * pair[1],
        2.0,
        (3.0, 5.0),
        is_moved=[False, True],
        scale=7.0,
    )

    assert ys == (210.0,)
    assert np.allclose(x_bars, [70.0, 42.0])


def test_forward():
    """Tangents are given for the numbers that are moved."""
    oracle = Oracle(ByDifferences(), lambda x, n: x**n)
    ys, y_dots = oracle.jvp([2.0, 3], [True, False], [np.float64(5.0)], {})

    assert ys == (8.0,)
    assert np.allclose(y_dots, [60.0])


def test_warnings_of_a_framework():
    """They are not about the rule."""

    def warning(x):
        warnings.warn("about arrays", stacklevel=1)
        return x

    assert results_of(warning, 1.0)[0] == (1.0,)


@pytest.mark.parametrize("x", [Diagonal(np.ones(2)), scipy.sparse.eye_array(2)])
def test_arrays_that_no_framework_has(x):
    """They are refused, wherever they stand."""
    with pytest.raises(TypeError, match=f"frameworks have no {type(x).__name__}"):
        results_of(lambda pair: pair[0], (1.0, [x]))
