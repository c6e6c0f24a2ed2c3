"""The rules of the values of polynomials, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import call, grad
from chainrules.makers.series.evaluation import define_values_at_points
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from tests.chainrules.makers.series.bases import BASES, in_every_basis
from tests.chainrules.rule_checks import check_quickly, check_rule, check_zeros_are_strong, normal
from tests.python_calls import functions_run_by

X = np.array([-0.7, 0.1, 0.4, 0.9])


@in_every_basis
@pytest.mark.parametrize("n", [1, 2, 4])
def test_values(basis, n):
    """Of constants, lines, and more, at one point and at many."""
    check_rule(basis.primal("val"), X, normal(n))
    check_quickly(basis.primal("val"), 0.5, normal(n))


@in_every_basis
@pytest.mark.parametrize(
    ("x", "c", "options"),
    [
        (X.reshape(2, 2), normal(3), ()),
        (X, normal(3, 2), ()),
        (X[:2], normal(3, 2), (False,)),
        (X.reshape(2, 2), normal(3, 1, 2), (True,)),
        (X.reshape(2, 2), normal(3, 1, 2), (False,)),
        (X.reshape(4, 1), normal(3, 2), (False,)),
        (normal(2, 1, 2), normal(3, 2, 1), (False,)),
        (0.5, normal(3, 2), ()),
        (np.array(0.5), normal(3), ()),
        (normal(0), normal(3), ()),
        (X, normal(3, 0), ()),
        (normal(3, dtype=complex), normal(3), ()),
        (X, normal(3, dtype=complex), ()),
    ],
    ids=str,
)
def test_values_of_several_polynomials(basis, x, c, options):
    """Each column of coefficients is a polynomial; its values have axes of their own, or broadcast."""
    check_quickly(basis.primal("val"), x, c, *options)


@in_every_basis
@pytest.mark.parametrize("deg", [0, 1, 3])
def test_matrices(basis, deg):
    """The values of the basis, at points of every shape."""
    check_rule(basis.primal("vander"), X, deg)
    for x in (0.5, np.array(0.5), X.reshape(2, 2), normal(0), normal(3, dtype=complex)):
        check_quickly(basis.primal("vander"), x, deg)


@in_every_basis
@pytest.mark.parametrize("name", ["val2d", "grid2d"])
def test_values_in_two_variables(basis, name):
    """At points and on a grid, of real and complex polynomials."""
    check_quickly(basis.primal(name), X[:3], X[1:], normal(2, 3))
    check_quickly(basis.primal(name), X[:3], X[1:], normal(2, 3, 2))
    check_quickly(basis.primal(name), 0.5, -0.5, normal(2, 3))
    check_quickly(basis.primal(name), X[:3], X[1:], normal(2, 3, dtype=complex))


@in_every_basis
@pytest.mark.parametrize("name", ["val3d", "grid3d"])
def test_values_in_three_variables(basis, name):
    """At points and on a grid."""
    check_quickly(basis.primal(name), X[:2], X[1:3], X[2:], normal(2, 3, 2))


def values_at_points(basis):
    """`polyvalnd` and its like; before NumPy 2.5, which brings them, a function that does the same."""
    if hasattr(basis.module, f"{basis.prefix}valnd"):
        return basis.primal("valnd")

    def valnd(pts, c):
        return basis.primal(["val", "val2d", "val3d"][len(pts) - 1])(*pts, c)

    define_values_at_points(basis, valnd)
    return valnd


@pytest.mark.every_case  # rules of their own since NumPy 2.5, which `make sample` need not have seen
@in_every_basis
def test_values_in_any_number_of_variables(basis):
    """The points are the items of a tuple, a list, or an array; of one variable too."""
    valnd = values_at_points(basis)

    check_quickly(valnd, (X[:2], X[1:3], X[2:]), normal(2, 3, 2))
    check_quickly(valnd, [X[:3], X[1:]], normal(2, 3, 2))
    check_quickly(valnd, normal(2, 3), normal(2, 3, dtype=complex))
    check_quickly(valnd, (X.reshape(2, 2),), normal(3))
    check_quickly(valnd, (0.5, -0.5), normal(2, 3))


def test_values_at_points_in_every_way():
    """In single precision, with gaps, and differentiated twice; NumPy's errors."""
    valnd = values_at_points(BASES["poly"])

    check_rule(valnd, np.stack((X[:3], X[1:])), normal(2, 3))
    np.testing.assert_allclose(grad(lambda x: call(valnd, (x, x), np.eye(2)))(3.0), 6.0)
    by_points = grad(lambda x: np.sum(call(valnd, x, np.eye(2))))(np.ones((2, 1)))
    np.testing.assert_allclose(by_points, [[1.0], [1.0]])
    with pytest.raises(ValueError, match="incompatible"):
        rrule(valnd, (X[:3], X), normal(2, 3))
    assert frule((NoTangent(), ZeroTangent(), ZeroTangent()), valnd, (X,), normal(3))[1] == ZeroTangent()


@pytest.mark.parametrize("name", ["polyval2d", "polygrid2d", "polyvander2d"])
def test_several_variables_in_every_way(name):
    """In single precision, with gaps, and differentiated twice."""
    last = [1, 2] if name == "polyvander2d" else normal(2, 3)
    check_rule(getattr(np.polynomial.polynomial, name), X[:3], X[1:], last)


@in_every_basis
def test_matrices_in_several_variables(basis):
    """All products of the values of the bases."""
    check_quickly(basis.primal("vander2d"), X[:3], X[1:], [1, 2])
    check_quickly(basis.primal("vander2d"), X.reshape(2, 2), X.reshape(2, 2)[::-1], [0, 2])
    check_quickly(basis.primal("vander2d"), X[:3] + 0.3j, X[1:], [1, 2])
    vander2d = basis.primal("vander2d")
    of_lists, of_arrays = (
        grad(lambda x, form=form: np.sum(vander2d(form([x]), form([2.0 * x]), [1, 2]) ** 2))(X)
        for form in (list, lambda xs: xs[0])
    )
    np.testing.assert_allclose(of_lists, of_arrays, rtol=1e-13)
    check_quickly(basis.primal("vander3d"), X[:2], X[1:3], X[2:], [1, 2, 1])


@in_every_basis
def test_constants(basis):
    """A zero tangent stays one."""
    zeros = (NoTangent(), ZeroTangent(), ZeroTangent())

    assert frule(zeros, basis.primal("val"), X, normal(3))[1] == ZeroTangent()
    assert frule(zeros, basis.primal("vander"), X, 2)[1] == ZeroTangent()


@pytest.mark.parametrize("name", ["polyval2d", "polygrid2d"])
def test_numpys_function_is_not_run(name):
    """The rule evaluates in one variable after the other: only for points that do not fit NumPy is asked."""
    f, c = getattr(np.polynomial.polynomial, name), normal(2, 3)
    y = X[:3] if name == "polyval2d" else X

    assert name not in functions_run_by(lambda: rrule(f, X[:3], y, c))


@in_every_basis
def test_errors_are_numpys(basis):
    """Points that do not fit each other, and negative degrees, raise NumPy's errors."""
    with pytest.raises(ValueError, match="incompatible"):
        rrule(basis.primal("val2d"), X[:3], X, normal(2, 3))
    with pytest.raises(ValueError, match="non-negative"):
        rrule(basis.primal("vander"), X, -1)


@in_every_basis
@pytest.mark.parametrize("options", [(), (False,)])
def test_undefined_values_that_nothing_depends_on(basis, options):
    """Their zero cotangents are strong, for one polynomial and for several."""
    x = np.array([0.1, np.nan, np.inf])
    check_zeros_are_strong(basis.primal("val"), x, normal(3), *options)
    check_zeros_are_strong(basis.primal("val"), x, normal(3, 3), *options)
