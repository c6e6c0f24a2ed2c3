"""The rules of iterating over arrays, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import call, grad
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from tests.chainrules.container_checks import check_both_modes
from tests.chainrules.program_checks import check_program
from tests.chainrules.rule_checks import normal
from tests.chainrules.structured_checks import check_symmetric


@pytest.mark.parametrize(
    "x",
    [normal(3), normal(2, 3), normal(3).reshape(3, 1)[::2], np.array(1.5), normal(2, dtype=np.float32)],
    ids=lambda x: f"{x.dtype}{x.shape}",
)
def test_ndenumerate(x):
    """The elements with their places, row by row; in both precisions, for arrays with gaps."""
    check_both_modes(np.ndenumerate, x)


def test_ndenumerate_of_other_arrays():
    """The rules are right for complex arrays, and for arrays without elements."""
    check_both_modes(np.ndenumerate, normal(2, dtype=complex))
    assert rrule(np.ndenumerate, normal(0))[0] == ()
    assert rrule.unchecked(np.ndenumerate, normal(0))[1](ZeroTangent())[1].shape == (0,)
    assert frule((NoTangent(), ZeroTangent()), np.ndenumerate, normal(2))[1] == ZeroTangent()


@pytest.mark.parametrize("xs", [[1.5, 2.5, 0.5], (1.5, 2.5), normal(3)], ids=lambda x: type(x).__name__)
def test_fromiter(xs):
    """Of sequences: all items, or some; of which others need none."""
    check_both_modes(np.fromiter, xs, float)
    check_both_modes(np.fromiter, xs, float, 2)
    check_both_modes(np.fromiter, xs, float, count=2)
    check_both_modes(np.fromiter, xs, complex)


def test_fromiter_of_iterators():
    """They are read once, and no further than is asked for."""
    items = iter([1.5, 2.5, 3.5])
    y, pullback = rrule(np.fromiter, items, np.float32, 2)

    assert (y.tolist(), y.dtype, next(items)) == ([1.5, 2.5], np.float32, 3.5)
    assert pullback(np.float32([1, 2]))[1] == Tangent[list](1.0, 2.0)
    assert rrule(np.fromiter, iter([]), float)[0].shape == (0,)
    assert rrule(np.fromiter, iter([1.0]), float, 0)[0].shape == (0,)


def test_programs():
    """As users of AD write them, differentiated twice."""
    check_program(lambda x: sum(v * v * place[0] for place, v in call(np.ndenumerate, x)), normal(3))
    check_program(lambda a: np.sum(call(np.fromiter, [a, a * a, 1.0], float) ** 2), 1.5)


def test_what_numpy_refuses():
    """Too few items, and items that are no numbers."""
    with pytest.raises(ValueError, match="too short"):
        grad(lambda a: call(np.fromiter, [a], float, 2)[0])(1.5)
    with pytest.raises(ValueError, match="sequence"):
        rrule(np.fromiter, normal(2, 2), float)


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.ndenumerate)


def test_a_count_of_numpys():
    """Integers of NumPy are integers."""
    assert grad(lambda x: np.sum(np.fromiter((v * v for v in x), float, np.int64(2))))(
        np.ones(3)
    ).tolist() == [
        2.0,
        2.0,
        0.0,
    ]
