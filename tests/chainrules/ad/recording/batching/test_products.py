"""Products with a leading axis, beside loops."""

import operator

import numpy as np
import pytest

from tests.chainrules.ad.recording.batching.loops import agrees_with_loop

OPERANDS = [
    ((4,), (4,)), ((3, 4), (4,)), ((3,), (3, 4)), ((3, 4), (4, 3)), ((2, 3, 4), (4, 2)), ((2, 3, 4), (4,)),
    ((3,), (2, 3, 4)), ((2, 3, 4), (2, 4, 3)), ((3, 4), (2, 4, 3)),
]  # fmt: skip


def check_both(f, *shapes):
    """Both operands, or one of the two, are other ones for each item."""
    first, second = (np.random.default_rng(2).normal(size=shape) for shape in shapes)
    assert agrees_with_loop(f, *shapes) == set()
    assert agrees_with_loop(lambda x: f(x, second), shapes[0]) == set()
    assert agrees_with_loop(lambda x: f(first, x), shapes[1]) == set()


@pytest.mark.parametrize("shapes", OPERANDS)
@pytest.mark.parametrize("f", [np.matmul, operator.matmul])
def test_matmul(f, shapes):
    """Vectors, matrices and stacks."""
    check_both(f, *shapes)


@pytest.mark.every_case  # each form is one of its own
@pytest.mark.parametrize("shapes", [*OPERANDS[:5], ((), (3,)), ((3,), ()), ((2, 3, 4), (2, 4, 3))])
def test_dot(shapes):
    """It multiplies numbers, and sums over one axis of each."""
    check_both(np.dot, *shapes)


@pytest.mark.every_case  # each form is one of its own
@pytest.mark.parametrize("shapes", [((3,), (3,)), ((3, 4), (2, 4)), ((4,), (2, 4)), ((), (3,))])
def test_inner(shapes):
    """It sums over the last axes."""
    check_both(np.inner, *shapes)


@pytest.mark.every_case  # each form is one of its own
@pytest.mark.parametrize("shapes", [((3,), (3,)), ((2, 3), (3, 2))])
def test_vdot(shapes):
    """Of all elements, the first conjugated."""
    check_both(np.vdot, *shapes)
    assert agrees_with_loop(np.vdot, *shapes, dtype=complex) == set()


def test_outer():
    """Of all elements."""
    check_both(np.outer, (3,), (4,))
    check_both(np.outer, (2, 3), (4,))


@pytest.mark.every_case  # each form is one of its own
@pytest.mark.parametrize("axes", [2, 1, ([0], [1]), ((0, 1), (1, 0)), (-1, 0)])
def test_tensordot(axes):
    """Axes are counted in each item."""
    check_both(lambda a, b: np.tensordot(a, b, axes), (4, 4), (4, 4))


def test_tensordot_of_more_axes():
    """The axes that are left stand in their order."""
    check_both(lambda a, b: np.tensordot(a, b, axes=1), (2, 3, 4), (4, 5))


@pytest.mark.parametrize(
    "text", ["ij,jk->ik", "ij, jk", "...ij,...jk->...ik", "ij,kj->", "ij,jk->ki", "...ij,jk"]
)
def test_einsum(text):
    """With and without a result and an ellipsis."""
    check_both(lambda a, b: np.einsum(text, a, b), (4, 4), (4, 4))


def test_einsum_of_one_operand():
    """A trace and a diagonal; the form without a text runs item by item."""
    assert agrees_with_loop(lambda a: np.einsum("ii", a), (4, 4)) == set()
    assert agrees_with_loop(lambda a: np.einsum("ii->i", a), (4, 4)) == set()
    assert agrees_with_loop(lambda a: np.einsum(a, [0, 0]), (4, 4)) == {"einsum"}


def test_what_has_options_runs_item_by_item():
    """A dtype is not understood."""
    assert agrees_with_loop(lambda a: np.matmul(a, a, dtype=float), (4, 4)) == {"matmul"}


def test_outer_products_with_options_run_item_by_item():
    """The form takes two arrays."""
    assert agrees_with_loop(lambda a: np.outer(a, b=a), (4,)) == {"outer"}
