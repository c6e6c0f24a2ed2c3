"""The rules of matrix and vector products, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NO_TANGENT, AbstractThunk, frule, rrule, unthunk
from tests.chainrules.rule_checks import check_rule, normal
from tests.python_calls import functions_run_by

SHAPES = [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((3,), (3, 2)),
    ((2, 3), (3, 4)),
    ((5, 2, 3), (3, 4)),
    ((2, 3), (5, 3, 4)),
    ((5, 2, 3), (5, 3, 4)),
    ((1, 2, 3), (5, 3, 4)),
    ((4, 1, 2, 3), (5, 3, 2)),
    ((3,), (5, 3, 2)),
    ((5, 2, 3), (3,)),
    ((0, 3), (3, 2)),
    ((2, 0), (0, 3)),
    ((0, 2, 3), (3, 2)),
]


@pytest.mark.parametrize(("a", "b"), SHAPES)
def test_matmul(a, b):
    """Vectors, matrices and stacks that broadcast, with and without elements."""
    check_rule(np.matmul, normal(*a), normal(*b, seed=1))


@pytest.mark.parametrize(("a", "b"), SHAPES[:5])
@pytest.mark.parametrize(
    "dtypes", [(np.float32, np.float32), (complex, complex), (float, complex), (complex, float)]
)
def test_matmul_of_other_elements(a, b, dtypes):
    """Single precision, complex matrices, and a real one with a complex one."""
    check_rule(np.matmul, normal(*a, dtype=dtypes[0]), normal(*b, dtype=dtypes[1], seed=1))


def test_matmul_of_views():
    """Transposed and sliced matrices."""
    check_rule(np.matmul, normal(3, 4).T, normal(6, 4, seed=1)[::2, ::-1])


def test_matmul_with_a_constant_costs_one_product():
    """Each cotangent of large factors is computed when it is asked for."""
    for A, B in ((normal(20, 30), normal(30, 20)), (normal(50, 40), normal(40))):
        C, pullback = rrule(np.matmul, A, B)
        assert all(isinstance(x_bar, AbstractThunk) for x_bar in pullback(C)[1:])


def test_matmul_of_cotangents_in_other_precisions():
    """They come back in the precision of the operands, of few and of many elements."""
    for n in (2, 20):
        _, pullback = rrule(np.matmul, normal(n, n), normal(n, seed=1))
        y_bar = normal(n, dtype=np.float32, seed=2)
        for actual, expected in zip(pullback(y_bar)[1:], pullback(y_bar.astype(float))[1:], strict=True):
            np.testing.assert_allclose(unthunk(actual), unthunk(expected))
            assert unthunk(actual).dtype == np.float64


PAIRS = [
    (1.5, 2.5),
    (1.5, normal(3)),
    (normal(2, 3), np.array(1.5)),
    (normal(3), normal(3, seed=1)),
    (normal(2, 3), normal(3)),
    (normal(3, dtype=complex), normal(3, seed=1)),
    (normal(3), normal(3, dtype=complex)),
    (normal(0), normal(0)),
]


@pytest.mark.parametrize(
    ("x", "y"),
    [
        *PAIRS,
        (normal(3), normal(3, 2)),
        (normal(2, 3), normal(3, 4)),
        (normal(2, 2, 3), normal(3)),
        (normal(3), normal(2, 3, 2)),
        (normal(2, 2, 3), normal(2, 3, 4)),
        (normal(2, 3, dtype=complex), normal(2, 3, 2, dtype=complex)),
        (normal(0, 3), normal(3, 2)),
    ],
)
def test_dot(x, y):
    """Numbers, vectors and matrices, and all pairs of the matrices of two stacks."""
    check_rule(np.dot, x, y)


@pytest.mark.parametrize(
    ("x", "y"),
    [*PAIRS, (normal(2, 3), normal(4, 3)), (normal(2, 2, 3), normal(3)), (normal(3), normal(2, 2, 3))],
)
def test_inner(x, y):
    """Sums over the last axes; also of a real and a complex vector."""
    check_rule(np.inner, x, y)


@pytest.mark.parametrize(("x", "y"), [*PAIRS, (normal(2, 2), normal(3)), (normal(0), normal(3))])
def test_outer(x, y):
    """All products of the elements of both, whatever their shapes."""
    check_rule(np.outer, x, y)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (1.5, 2.5j),
        (normal(3), normal(3, seed=1)),
        (normal(2, 3), normal(3, 2)),
        (normal(3, dtype=complex), normal(3, dtype=complex, seed=1)),
        (normal(3, dtype=complex), normal(3)),
        (normal(3), normal(3, dtype=complex)),
        (normal(0), normal(0)),
    ],
)
def test_vdot(x, y):
    """The first is conjugated, so that the product is not holomorphic."""
    check_rule(np.vdot, x, y)


DTYPES = [(float, float), (complex, complex), (float, complex), (complex, float), (np.float32, np.float32)]


@pytest.mark.parametrize("dtypes", DTYPES)
@pytest.mark.parametrize(
    ("shapes", "options"),
    [
        (((3,), (3,)), {}),
        (((2, 3), (3,)), {}),
        (((2, 1, 3), (4, 3)), {}),
        (((3, 2), (3, 2)), {"axis": 0}),
        (((3, 1), (4, 3, 2)), {"axis": -2}),
        (((4, 3, 2), (3, 1)), {"axis": -2}),
        (((2, 3, 4), (2, 3, 4)), {"axis": 1}),
        (((0, 3), (3,)), {}),
    ],
)
def test_vecdot(shapes, options, dtypes):
    """Stacks of vectors that broadcast, along any axis."""
    x, y = (normal(*shape, dtype=dtype) for shape, dtype in zip(shapes, dtypes, strict=True))
    check_rule(np.vecdot, x, y, **options)


@pytest.mark.parametrize("dtypes", DTYPES)
@pytest.mark.parametrize("stacks", [((), ()), ((2,), ()), ((), (2,)), ((2, 1), (3,)), ((0,), ())])
def test_products_of_stacks_of_vectors(stacks, dtypes):
    """With matrices; `np.vecmat` conjugates its vectors."""
    first, second = stacks
    check_rule(np.matvec, normal(*first, 2, 3, dtype=dtypes[0]), normal(*second, 3, dtype=dtypes[1]))
    check_rule(np.vecmat, normal(*first, 3, dtype=dtypes[0]), normal(*second, 3, 2, dtype=dtypes[1]))


@pytest.mark.parametrize("f", [np.dot, np.outer])
def test_writing_is_refused(f):
    """It leaves no trace for the derivative."""
    with pytest.raises(TypeError, match=rf"np\.{f.__name__}.*out="):
        rrule(f, normal(2, 2), normal(2, 2), out=np.zeros((2, 2)))
    x, y = normal(2), np.zeros((2, 2))
    for rule in (rrule, lambda *call: frule((NO_TANGENT, x, x, NO_TANGENT), *call)):
        with pytest.raises(TypeError, match=rf"np\.{f.__name__}.*out="):
            rule(f, x, x, y)
    assert not y.any()


@pytest.mark.parametrize(("f", "shape"), [(np.dot, (3, 3)), (np.inner, (3,))], ids=["dot", "inner"])
def test_products_of_few_axes_are_those_of_matrices(f, shape):
    """The axes of higher ones are moved, which takes longer."""
    x = normal(*shape, dtype=complex)
    y, pullback = rrule(f, x, x)

    run = functions_run_by(lambda: list(map(unthunk, pullback(y))))
    assert not run.keys() & {"contraction_by_first", "contraction_by_second"}
