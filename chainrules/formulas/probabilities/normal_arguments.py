"""The arguments of the multivariate normal distribution of SciPy: how they are read, and their cotangents.

SciPy's own decomposition of the covariance matrix serves values and derivatives. A number or a vector as
covariance is the diagonal of a matrix. Of a matrix, the lower triangle is read, and the cotangent is there.
"""

from typing import Any

import numpy as np
from scipy.stats import Covariance as CovarianceObject
from scipy.stats import _multivariate

from chainrules.formulas.matrices.matrix_readings import HERMITIAN, WHOLE, Elements
from chainrules.operations.normal_vectors import Covariance
from chainrules_core import NO_TANGENT, AbstractZero, Thunk, primal_of, unbroadcast, unthunk

NORMAL, FROZEN = _multivariate.multivariate_normal_gen, _multivariate.multivariate_normal_frozen


def _form(cov: Any, n: Any) -> Any:
    """How the matrix is made of a number, of a vector, or is the array itself."""
    if n == 1:
        shape = np.shape(primal_of(cov))
        return Elements(lambda v: np.reshape(v, (1, 1)), lambda M: np.reshape(M, shape))
    forms = Elements(lambda v: v * np.eye(n), np.trace), Elements(np.diag, np.diag), WHOLE
    return forms[np.ndim(primal_of(cov))]


class Matrix:
    """The covariance matrix of one call, of an argument that may be traced; what is known of its values."""

    def __init__(self, cov: Any, cov_object: Any) -> None:
        n, _ = cov_object.shape
        self.cov_object = cov_object
        self.argument = 1.0 if cov is None else cov
        self.form = _form(self.argument, n)
        self.elements = self.form.matrix(self.argument)
        factor = cov_object.whiten(np.eye(n))
        self.known = Covariance(factor, cov_object.log_pdet, cov_object.rank, HERMITIAN[True])

    def moved(self, cov_dot: Any) -> Any:
        """The tangent of the matrix."""
        return cov_dot if isinstance(cov_dot, AbstractZero) else self.form.matrix(cov_dot)

    def pull(self, M_bar: Any) -> Any:
        """The cotangent of the argument."""
        return unbroadcast(self.argument, self.form.cotangent(unthunk(M_bar)))


class Points:
    """The points of one call, as SciPy reads them, and their distances from the mean, as rows."""

    def __init__(self, x: Any, mean: Any, cov_object: Any) -> None:
        n, _ = cov_object.shape
        self.given = x, 0.0 if mean is None else mean
        shape = np.shape(primal_of(x))
        if len(shape) < 2:
            shape = (-1, 1) if n == 1 else (1, -1)
        self.shaped_as = shape, -1
        self.parts = tuple(map(np.reshape, self.given, self.shaped_as))
        distances = np.subtract(*self.parts)
        self.shape = np.shape(primal_of(distances))
        if self.shape[-1] != n:
            raise ValueError(
                f"Points of {n} coordinates were expected; the shape of `x` is {np.shape(primal_of(x))}."
            )
        self.rows = np.reshape(distances, (-1, n))
        self.is_inside = True
        if cov_object.rank < n:
            self.is_inside = cov_object._support_mask(primal_of(self.rows))  # noqa: SLF001 - nothing else says it

    def only_inside(self, y: Any, rest: Any = 0.0) -> Any:
        """What belongs to points of the subspace that the matrix spans, and the rest for others."""
        return y if self.is_inside is True else np.where(self.is_inside, y, rest)

    def result(self, y: Any) -> Any:
        """The results of all points in the shape that SciPy gives to them, without axes of length one."""
        return np.reshape(y, [count for count in self.shape[:-1] if count != 1])[()]

    def moved(self, *dots: Any) -> Any:
        """The tangent of the rows."""
        terms = [
            sign * np.reshape(dot, shape)
            for sign, dot, shape in zip((1.0, -1.0), dots, self.shaped_as, strict=True)
            if not isinstance(dot, AbstractZero)
        ]
        return (
            np.reshape(np.broadcast_to(sum(terms), self.shape), (-1, self.shape[-1])) if terms else NO_TANGENT
        )

    def pull(self, rows_bar: Any) -> Any:
        """The cotangents of the points and of the mean."""
        bar = np.reshape(rows_bar, self.shape)

        def pull_part(x: Any, part: Any, sign: Any) -> Any:
            return unbroadcast(x, np.reshape(unbroadcast(part, sign * bar), np.shape(primal_of(x))))

        return [Thunk(pull_part, *these) for these in zip(self.given, self.parts, (1.0, -1.0), strict=True)]


def read_matrix(distribution: Any, mean: Any = None, cov: Any = 1, allow_singular: Any = True) -> Matrix:
    """The matrix, decomposed by SciPy."""
    check = distribution._process_parameters  # noqa: SLF001 - it makes the decomposition that densities use
    # Of the mean it asks the shape alone.
    mean = None if mean is None else np.zeros(np.shape(primal_of(mean)))
    return Matrix(cov, check(mean, primal_of(cov), allow_singular)[-1])


def read_arguments(
    distribution: Any, x: Any, mean: Any = None, cov: Any = 1, allow_singular: Any = False
) -> Any:
    """The matrix and the points, checked by SciPy."""
    matrix = read_matrix(distribution, mean, cov, allow_singular)
    return matrix, Points(x, mean, matrix.cov_object)


def is_left_to_scipy(distribution: Any, args: Any, named: Any) -> Any:
    """Whether a number is complex, or the class of the distribution or its covariance computes otherwise."""
    if type(distribution) not in {NORMAL, FROZEN} or isinstance(named.get("cov"), CovarianceObject):
        return True
    return any(np.iscomplexobj(primal_of(x)) for x in (*args, *named.values()))
