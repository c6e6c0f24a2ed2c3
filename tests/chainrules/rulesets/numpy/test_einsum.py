"""The rules of Einstein sums, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, rrule, unthunk
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.python_calls import functions_run_by

A, B, v = normal(2, 3), normal(3, 4, seed=1), normal(3, seed=2)
SQUARE, CUBE = normal(3, 3), normal(3, 3, 3)


@pytest.mark.parametrize(
    "arguments",
    [
        ("ij,jk->ik", A, B),
        ("ij,jk", A, B),
        ("ji,kj", A, normal(4, 2)),
        ("ij, jk -> ki", A, B),
        ("ij,jk,k->i", A, B, normal(4)),
        ("ij->ji", A),
        ("ij", A),
        ("ba", A),
        ("ij->i", A),
        ("ij->", A),
        ("i,j->ij", v, normal(2)),
        ("i,i->", v, v),
        (",ij->ij", 1.5, A),
        ("ij,ij->j", A, A),
        ("ij,k->k", A, v),
        ("ijk,ilm,njm,nlk->", *(normal(2, 2, 2, seed=seed) for seed in range(4))),
    ],
    ids=lambda arguments: arguments[0],
)
def test_subscripts(arguments):
    """With the axes of the result given or implied; axes that are summed over alone; numbers."""
    check_rule(np.einsum, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ("ii->i", SQUARE),
        ("ii", SQUARE),
        ("ii->", SQUARE),
        ("iij->j", CUBE),
        ("iji->j", CUBE),
        ("iii->i", CUBE),
        ("ii,i->i", SQUARE, v),
        ("ii,jj->ij", SQUARE, normal(2, 2)),
        ("...ii->...i", CUBE),
        ("ijj,k->ik", normal(2, 3, 3), v),
    ],
    ids=lambda arguments: arguments[0],
)
def test_diagonals(arguments):
    """A letter that is there twice means the diagonal, where the cotangent goes."""
    check_rule(np.einsum, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ("...ij,...jk->...ik", normal(5, 2, 3), normal(5, 3, 4)),
        ("...ij,...jk->...ik", normal(5, 2, 3), B),
        ("...ij,...jk", normal(2, 1, 2, 3), normal(5, 3, 2)),
        ("...ij,jk->...ik", A, B),
        ("i...->...", normal(2, 3, 4)),
        ("...,...->...", v, CUBE),
        ("i...,...->i...", A, normal(1)),
        ("...a,a...->...", A, normal(3, 2)),
        ("...", CUBE),
    ],
    ids=lambda arguments: arguments[0],
)
def test_ellipses(arguments):
    """Axes without letters, of which there may be none; they broadcast."""
    check_rule(np.einsum, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ("i,i->i", v, normal(1)),
        ("ij,jk->ik", normal(2, 1), B),
        ("ij,j->i", A, normal(1)),
        ("ii,i->i", normal(1, 1), v),
        ("ij,ij->", normal(2, 1), A),
        ("i,i->", normal(1), v),
    ],
    ids=lambda arguments: arguments[0],
)
def test_axes_of_length_one(arguments):
    """NumPy repeats them."""
    check_rule(np.einsum, *arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        (A, [0, 1], B, [1, 2], [0, 2]),
        (A, [0, 1], B, [1, 2]),
        (A, [1, 0]),
        (SQUARE, [7, 7], [7]),
        (normal(5, 2, 3), [Ellipsis, 0, 1], B, [1, 2], [Ellipsis, 0, 2]),
        (v, [30], normal(2), [2]),
    ],
)
def test_lists_of_labels(arguments):
    """Numbers in the place of letters, which follow their operands."""
    test_frule(np.einsum, *arguments)
    test_rrule(np.einsum, *arguments)


@pytest.mark.parametrize("dtypes", [(complex, complex), (float, complex), (np.float32, np.float32)])
def test_other_elements(dtypes):
    """The other operands are conjugated; a real one has a real cotangent."""
    check_rule(np.einsum, "ij,jk->ik", A.astype(dtypes[0]), normal(3, 4, dtype=dtypes[1]))
    check_rule(np.einsum, "ii,i->", SQUARE.astype(dtypes[0]), normal(3, dtype=dtypes[1]))


def test_no_elements():
    """Sums of nothing."""
    check_rule(np.einsum, "ij,jk->ik", normal(2, 0), normal(0, 3))
    check_rule(np.einsum, "ij->", normal(0, 3))


@pytest.mark.parametrize(
    "optimize", [True, False, "greedy", "optimal", ["einsum_path", (0, 2), (0, 1)]], ids=repr
)
def test_orders_of_products(optimize):
    """The order of products changes nothing but the time that they take."""
    check_rule(np.einsum, "ij,jk,k->i", A, B, normal(4), optimize=optimize)


@pytest.mark.parametrize("size", [3, 30])
def test_which_orders_of_products_are_searched_for(size):
    """Those of large products, and those that are asked for, for the cotangents too."""
    matrices = [normal(size, size, seed=seed) for seed in range(3)]

    def searches(**named):
        y, pullback = rrule(np.einsum, "ij,jk,kl->il", *matrices, **named)
        counts = functions_run_by(lambda: [unthunk(bar) for bar in pullback(y)])
        return counts["einsum_path"] > 0

    assert searches() == (size == 30)
    assert searches(optimize=True)


def test_large_products():
    """Above some size the products are made by BLAS."""
    test_frule(np.einsum, "ij,jk->ik", normal(30, 30), normal(30, 30, seed=1))
    test_rrule(np.einsum, "ij,jk->ik", normal(30, 30), normal(30, 30, seed=1), mode="fast")
    test_rrule(np.einsum, "bij,jk,bk->i", normal(30, 30, 30), normal(30, 30), normal(30, 30), mode="fast")


def test_infinite_values_stay_where_they_are():
    """An infinity on the diagonal leaves the rest of the cotangent zero."""
    (_, _, A_bar) = rrule(np.einsum, "ii->i", SQUARE)[1](np.array([np.inf, 1.0, 2.0]))

    np.testing.assert_array_equal(A_bar, np.where(np.eye(3) > 0, [np.inf, 1.0, 2.0], 0.0))


def test_traced():
    """Through NumPy's protocol, with options."""
    assert grad(lambda x: np.einsum("i,i", x, x, optimize=True))(v) == pytest.approx(2 * v)


def test_refusals():
    """Writing leaves no trace; a sum of integers cut from floats has no slope; errors are NumPy's own."""
    with pytest.raises(TypeError, match=r"np\.einsum.*out="):
        rrule(np.einsum, "ij->i", A, out=np.zeros(2))
    with pytest.raises(TypeError, match=r"np\.einsum.*dtype="):
        rrule(np.einsum, "ij->i", A, dtype=int, casting="unsafe")
    with pytest.raises(ValueError, match="subscript"):
        rrule(np.einsum, "ijk->i", A)


def test_path_has_no_derivative():
    """It depends on shapes only."""
    test_frule(np.einsum_path, "ij,jk->ik", A, B)
    test_rrule(np.einsum_path, "ij,jk->ik", A, B)


@pytest.mark.parametrize("x", [normal(3), normal(3, dtype=complex)], ids=lambda x: x.dtype.name)
def test_a_cotangent_of_zero(x):
    """It is zero for each operand, and for no string."""
    _, pullback = rrule.unchecked(np.einsum, "i,i->i", x, x)

    assert pullback(ZeroTangent()) == (NoTangent(), NoTangent(), ZeroTangent(), ZeroTangent())
