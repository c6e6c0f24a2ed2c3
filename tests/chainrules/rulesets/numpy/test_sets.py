"""The rules of set routines, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.structured_checks import check_symmetric

MATRIX = normal(3, 4)
VECTOR = normal(5, seed=1)


@pytest.mark.parametrize("options", [{}, {"axis": 0}, {"axis": -1}, {"equal_nan": False}])
@pytest.mark.parametrize("x", [MATRIX, normal(2, 2, dtype=complex), normal(2, 3, dtype=np.float32)])
def test_unique(x, options):
    """Elements, rows and columns."""
    check_rule(np.unique, x, **options)


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.3.0", reason="a newer keyword")
def test_unique_in_any_order():
    """The elements as NumPy finds them."""
    check_rule(np.unique, MATRIX, sorted=False)


@pytest.mark.parametrize("options", [(True,), (True, True), (False, False, True, 1), (True, True, True)])
def test_unique_with_places_and_counts(options):
    """The other results are integers, and their cotangents do not matter."""
    test_frule(np.unique, MATRIX, *options)
    test_rrule(np.unique, MATRIX, *options)


@pytest.mark.parametrize("name", ["unique_all", "unique_counts", "unique_inverse", "unique_values"])
def test_unique_of_the_standard(name):
    """The values are differentiable in all of them."""
    test_frule(getattr(np, name), MATRIX)
    test_rrule(getattr(np, name), MATRIX)


def test_equal_elements():
    """Of equal elements the first one gets the cotangent."""
    x = np.array([2.0, 1.0, 2.0, 1.0])

    assert rrule(np.unique, x)[1](np.array([1.0, 10.0]))[1].tolist() == [10.0, 1.0, 0.0, 0.0]
    assert frule((NoTangent(), x + 1), np.unique, x)[1].tolist() == [2.0, 3.0]
    assert rrule(np.unique, np.array([[2.0, 2.0], [2.0, 2.0]]), axis=0)[1](np.ones((1, 2)))[1].tolist() == (
        [[1.0, 1.0], [0.0, 0.0]]
    )


def test_unique_with_nans():
    """One NaN stands for all, and the first gets its cotangent."""
    x = np.array([np.nan, 1.0, np.nan])

    assert rrule(np.unique, x)[1](np.array([1.0, 10.0]))[1].tolist() == [10.0, 1.0, 0.0]


def test_unique_with_parts_of_a_cotangent():
    """Zeros for the values, and for all results."""
    y, pullback = rrule(np.unique, VECTOR, True)

    assert pullback(Tangent[tuple](ZeroTangent(), NoTangent()))[1] == ZeroTangent()
    assert pullback(ZeroTangent())[1] == ZeroTangent()
    assert frule((NoTangent(), ZeroTangent(), NoTangent()), np.unique, VECTOR, True)[1][0] == ZeroTangent()
    assert len(y) == 2


@pytest.mark.parametrize("f", [np.union1d, np.setxor1d, np.setdiff1d, np.intersect1d])
@pytest.mark.parametrize(
    ("a", "b"), [(VECTOR, MATRIX), (VECTOR, np.array([1, 2])), (VECTOR, 2.5), (normal(0), VECTOR)]
)
def test_sets(f, a, b):
    """Each value is that of an element of either argument; without equal ones there is no intersection."""
    check_rule(f, a, b)


@pytest.mark.parametrize("f", [np.setxor1d, np.setdiff1d, np.intersect1d])
def test_sets_with_options(f):
    """Each option gets a cotangent."""
    check_rule(f, VECTOR, normal(2, seed=2), True)


@pytest.mark.parametrize(
    ("f", "a_bar", "b_bar"),
    [
        (np.union1d, [1.0, 10.0, 100.0], [0.0, 1000.0]),
        (np.intersect1d, [0.0, 0.0, 1.0], [0.0, 0.0]),
        (np.setdiff1d, [1.0, 10.0, 0.0], [0.0, 0.0]),
        (np.setxor1d, [1.0, 10.0, 0.0], [0.0, 100.0]),
    ],
)
def test_elements_of_both(f, a_bar, b_bar):
    """An element of both arguments is the first one's."""
    a, b = np.array([1.0, 2.0, 3.0]), np.array([3.0, 4.0])
    y, pullback = rrule(f, a, b)

    _, *cotangents = pullback(10.0 ** np.arange(len(y)))
    assert [x_bar.tolist() for x_bar in cotangents] == [a_bar, b_bar]
    assert frule((NoTangent(), a, b), f, a, b)[1].tolist() == y.tolist()


def test_intersection_with_places():
    """The places are integers; the first argument has the tangents of the values."""
    a, b = np.array([3.0, 1.0, 2.0]), np.array([2.0, 3.0])
    y, pullback = rrule(np.intersect1d, a, b, False, True)

    cotangent = Tangent[tuple](np.array([1.0, 10.0]), NoTangent(), NoTangent())
    assert pullback(cotangent)[1].tolist() == [10.0, 0.0, 1.0]
    tangents = (NoTangent(), a, ZeroTangent(), NoTangent(), NoTangent())
    assert frule(tangents, np.intersect1d, a, b, False, True)[1][0].tolist() == [2.0, 3.0]
    assert pullback(ZeroTangent())[1] == ZeroTangent()
    assert len(y) == 3


def test_membership_has_no_derivative():
    """It is a truth value."""
    check_rule(np.isin, VECTOR, np.array([1.0]))


@pytest.mark.skipif(not hasattr(np, "in1d"), reason="until NumPy 2.3")
@pytest.mark.filterwarnings("ignore:`in1d` is deprecated:DeprecationWarning")
def test_a_deprecated_name():
    """With NumPy's warning where it is called."""
    test_frule(np.in1d, VECTOR, VECTOR[:2])  # noqa: NPY201 - the deprecated name is tested
    test_rrule(np.in1d, VECTOR, VECTOR[:2])  # noqa: NPY201 - the deprecated name is tested


def test_symmetric_matrices():
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(np.unique)
    check_symmetric(np.unique, axis=0)
