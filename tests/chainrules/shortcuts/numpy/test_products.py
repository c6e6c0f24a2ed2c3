"""Calls of products, for the comparison of their shortcuts with their rules; and how much they put off."""

import itertools

import numpy as np

from chainrules.shortcuts.numpy.products import pull_matmul_of_plain
from chainrules_core import AbstractThunk, rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.shortcut_checks import Call, arrays, cotangents

SHAPES = (
    ((3, 4), (4,)),
    ((3,), (3, 4)),
    ((3, 4), (4, 2)),
    ((4,), (4,)),
    ((2, 3, 4), (4,)),
    ((0, 4), (4,)),
    ((0,), (0,)),
)


def pairs(all_shapes):
    """Two operands of each kind and shape, and pairs of different kinds."""
    for shapes in all_shapes:
        xs, ys = (arrays(shape)[:12] for shape in shapes)
        yield from zip(xs, ys, strict=True)
        yield from itertools.product(xs[:3], ys[:3])


def calls(f):
    """A product of each pair, once with an option."""
    named = Call((f, normal(3), normal(3)), {"out": None})
    return [*(Call((f, x, y)) for x, y in pairs((*SHAPES, ((), (3,)), ((3,), ()), ((4,), (2, 4, 3))))), named]


def pulls():
    """Cotangents of matrix products, of every kind, with their factors."""
    for A, B in pairs(SHAPES):
        with np.errstate(all="ignore"):
            C = np.matmul(A, B)
        yield from (Call((C_bar, A, B)) for C_bar in cotangents(C) if not isinstance(C_bar, AbstractThunk))
    for shapes in SHAPES:
        yield from (Call((normal(*wrong), *map(np.ones, shapes))) for wrong in ((), (2,), (3, 1), (1, 2)))


CALLS = {
    "chainrules.shortcuts.numpy.products.pull_matmul_of_plain": pulls,
    "chainrules.shortcuts.numpy.products.dot_of_plain": lambda: calls(np.dot),
    "chainrules.shortcuts.numpy.products.inner_of_plain": lambda: calls(np.inner),
    "chainrules.shortcuts.numpy.products.outer_of_plain": lambda: calls(np.outer),
}


def test_large_products_are_put_off():
    """A cotangent that nobody asks for costs no product of large matrices."""
    A = normal(20, 20)
    _, *bars = rrule(np.dot, A, A)[1](A)

    assert all(isinstance(bar, AbstractThunk) for bar in bars)


def test_small_products_are_computed_at_once():
    """A thunk would take longer than the product: for 100 elements, or 1500 beside a vector."""
    for A, B, is_small in (
        (normal(10, 10), normal(10, 10), True),
        (normal(1, 101), normal(101, 1), False),
        (normal(1, 2), normal(2, 101), False),
        (normal(30, 50), normal(50), True),
        (normal(19, 79), normal(79), False),
        (normal(50), normal(50, 30), True),
    ):
        bars = pull_matmul_of_plain(A @ B, A, B)[1:]
        assert [type(bar) is np.ndarray for bar in bars] == [is_small] * 2
