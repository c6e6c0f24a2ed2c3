"""Wrong rules, as functions, of calls with structured arrays, continued from `more_wrong_rrules`."""

import numpy as np

from chainrules_core import NoTangent, ProjectTo, Tangent, to_structural, unthunk
from chainrules_core.structured import Diagonal, Symmetric, UnitUpperTriangular, UpperTriangular
from tests.chainrules_testutils.calls import V, X
from tests.chainrules_testutils.more_wrong_rrules import WRONG, wrong

__all__ = ["WRONG", "quadratic", "twice"]

D, S, U = Diagonal(V), Symmetric(X, "L"), UnitUpperTriangular(X)


def quadratic(A, x):
    """The quadratic form of a matrix."""
    return x @ (A @ x)


def twice(A):
    """A matrix of the same kind."""
    return 2.0 * A


def quadratic_cotangents(A, x, y_bar, A_bar):
    """All cotangents, given that of the matrix."""
    return NoTangent(), A_bar, (A @ x + A.T @ x) * unthunk(y_bar)


@wrong(quadratic, D, V, says=r"cotangent for input 2, index \(\d, \d\): wrong value")
def unprojected(config, f, A, x):
    return f(A, x), lambda y_bar: quadratic_cotangents(A, x, y_bar, np.outer(x, x) * y_bar)


@wrong(quadratic, S, V, says="dtype of the cotangent for input 2: .* for a Symmetric; write `ProjectTo")
def structure_lost(config, f, A, x):
    return f(A, x), lambda y_bar: quadratic_cotangents(A, x, y_bar, np.outer(x, x) * y_bar)


@wrong(quadratic, S, V, says=r"cotangent for input 2, index \(\d, \d\): wrong value")
def natural_numbers_in_structural_form(config, f, A, x):
    def pullback(y_bar):
        data = np.tril(np.outer(x, x) * y_bar)
        return quadratic_cotangents(A, x, y_bar, Tangent[Symmetric](data=data))

    return f(A, x), pullback


@wrong(quadratic, S, V, says=r"cotangent for input 2, index \(\d, \d\): wrong value")
def structural_numbers_in_natural_form(config, f, A, x):
    def pullback(y_bar):
        structural = to_structural(A, np.outer(x, x) * y_bar)
        return quadratic_cotangents(A, x, y_bar, Symmetric(structural.data, "L"))

    return f(A, x), pullback


@wrong(quadratic, U, V, says=r"cotangent for input 2, index \(\d, \d\): wrong value")
def cotangent_of_ones(config, f, A, x):
    def pullback(y_bar):
        return quadratic_cotangents(A, x, y_bar, UpperTriangular(np.outer(x, x) * y_bar))

    return f(A, x), pullback


@wrong(twice, S, says=r"pulling back a structural cotangent, cotangent for input 2, index .*: wrong value")
def structural_cotangent_read_as_natural(config, f, A):
    return f(A), lambda y_bar: (NoTangent(), Symmetric(2.0 * unthunk(y_bar).data, "L"))


@wrong(twice, D, says="pulling back a structural cotangent: raised AttributeError")
def natural_cotangents_only(config, f, A):
    return f(A), lambda y_bar: (NoTangent(), ProjectTo(A)(2.0 * unthunk(y_bar).to_dense()))
