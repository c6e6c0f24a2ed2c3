"""The gradient of the determinant of a tridiagonal matrix, from its leading and trailing principal minors.

With ``theta[i]`` the determinant of the first `i` rows and columns, ``phi[i]`` the determinant of the rows
and columns from `i` on, and ``b``, ``c`` the diagonals below and above::

    theta[i + 1] = d[i] theta[i] - b[i - 1] c[i - 1] theta[i - 1]
    d det / d d[i] = theta[i] phi[i + 1]
    d det / d b[i] = -c[i] theta[i] phi[i + 2]

and likewise ``phi`` from the end, and ``c`` like ``b``. R. A. Usmani, "Inversion of a tridiagonal Jacobi
matrix", Linear Algebra and its Applications 212/213, 1994.

Pivots are quotients of minors. Here no step divides, so that minors may be zero; and each step is exact for
elements that differ by a few units in the last place. The numbers would leave the range of a float after some
hundred rows: each is kept with an exponent of its own. Each depends on the one before, so it is a Python
loop.
"""

import math
from typing import Any

import numpy as np

# Rescale outside of this range, in which products with elements of modulus one are safe.
_LEAST, _GREATEST = 1e-100, 1e100


def cofactor_bands(A: Any) -> dict[int, Any]:
    """The derivative of the determinant by each element of the three diagonals, by their offsets.

    Parameters
    ----------
    A
        A structured array with at most three diagonals.
    """
    cofactors, exponents, rows, _, _ = _scaled_cofactors(A)
    total = np.sum(rows)
    return {
        k: _shifted(band, exponents[k] + total - _in_row(rows, k)).astype(_dtype_of_bands(A.dtype))
        for k, band in cofactors.items()
    }


def inverse_bands(A: Any) -> dict[int, Any]:
    """The derivative of the logarithm of the determinant: the three diagonals of the inverse, transposed.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the matrix is exactly singular.
    """
    cofactors, exponents, rows, det, exponent = _scaled_cofactors(A)
    if det == 0:
        raise np.linalg.LinAlgError("Singular matrix")
    return {
        k: _shifted(band / det, exponents[k] - exponent - _in_row(rows, k)).astype(_dtype_of_bands(A.dtype))
        for k, band in cofactors.items()
    }


def _scaled_cofactors(A: Any) -> tuple[dict[int, Any], dict[int, Any], Any, Any, int]:
    """The cofactors of `A` with its rows divided by powers of two.

    Returns
    -------
    cofactors, exponents
        The numbers, and the exponents of two that they are still to be multiplied by, for each diagonal.
    rows
        The exponents of two by which the rows were divided, so that their greatest elements are about one.
    det, exponent
        The determinant, likewise.
    """
    n = len(A)
    bands = {k: A.diagonal(k).astype(complex if A.dtype.kind == "c" else float) for k in (-1, 0, 1)}
    greatest = np.abs(bands[0])
    greatest[1:] = np.maximum(greatest[1:], np.abs(bands[-1]))
    greatest[:-1] = np.maximum(greatest[:-1], np.abs(bands[1]))
    rows = np.frexp(greatest)[1]
    lower, main, upper = (_shifted(band, -_in_row(rows, k)) for k, band in bands.items())
    products = (lower * upper).tolist()
    theta, theta_exponents = _minors(main.tolist(), [0, *products])
    phi, phi_exponents = (x[::-1] for x in _minors(main.tolist()[::-1], [0, *products[::-1]]))
    beside, beside_exponents = -theta[: n - 1] * phi[2:], theta_exponents[: n - 1] + phi_exponents[2:]
    cofactors = {-1: upper * beside, 0: theta[:-1] * phi[1:], 1: lower * beside}
    exponents = {-1: beside_exponents, 0: theta_exponents[:-1] + phi_exponents[1:], 1: beside_exponents}
    return cofactors, exponents, rows, theta[-1], int(theta_exponents[-1])


def _in_row(rows: Any, offset: int) -> Any:
    """The value, in an array with one for each row, that belongs to the row of each element of a diagonal."""
    return rows[max(0, -offset) : len(rows) - max(0, offset)]


def _minors(main: list[Any], products: list[Any]) -> tuple[Any, Any]:
    """The leading principal minors, from the one without rows on, as numbers and exponents of two."""
    previous, current, exponent = 0.0, 1.0, 0
    minors, exponents = [current], [exponent]
    for element, product in zip(main, products, strict=False):
        previous, current = current, element * current - product * previous
        size = abs(current) + abs(previous)
        if not _LEAST < size < _GREATEST:
            shift = math.frexp(size)[1]
            factor = math.ldexp(1.0, -shift)
            previous, current, exponent = previous * factor, current * factor, exponent + shift
        minors.append(current)
        exponents.append(exponent)
    return np.asarray(minors), np.asarray(exponents)


def _shifted(x: Any, exponents: Any) -> Any:
    """``x * 2 ** exponents``."""
    if x.dtype.kind == "c":
        return np.ldexp(x.real, exponents) + 1j * np.ldexp(x.imag, exponents)
    return np.ldexp(x, exponents)


def _dtype_of_bands(dtype: Any) -> Any:
    return dtype if dtype.kind in "fc" else np.dtype(np.float64)
