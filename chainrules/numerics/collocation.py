"""The coefficients of Radau's collocation methods, which solve differential equations.

Within a step of length ``h`` the solution is approximated by the polynomial whose derivative is right at the
points ``t + c_i h``, of which the last is the end of the step. With `s` points the order is ``2 s - 1``, and
what decays quickly decays in the approximation. E. Hairer, G. Wanner, "Solving Ordinary Differential
Equations II", 1996, section IV.5.
"""

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import legendre, polynomial
from numpy.typing import NDArray


class Collocation(NamedTuple):
    """The points of a step, and the weights of the values there in the integrals from its start to each."""

    points: NDArray[Any]
    integrals: NDArray[Any]

    @property
    def weights(self) -> NDArray[Any]:
        """The integral over the whole step, which ends at the last point."""
        weights: NDArray[Any] = self.integrals[-1]
        return weights


@functools.cache
def radau(s: int) -> Collocation:
    """Radau's method with `s` points in each step."""
    # The points are the roots of the difference of two of Legendre's polynomials, on [-1, 1].
    roots = np.sort(legendre.legroots([0.0] * (s - 1) + [-1.0, 1.0]).real)
    points = np.append(0.5 * (roots[:-1] + 1.0), 1.0)
    return Collocation(points, np.stack([_integrals(points, i) for i in range(s)], axis=1))


def _integrals(points: NDArray[Any], i: int) -> NDArray[Any]:
    """The integrals from 0 to each point of the polynomial that is 1 at the point `i` and 0 at the others."""
    others = np.delete(points, i)
    lagrange = polynomial.polyfromroots(others) / np.prod(points[i] - others)
    integrals: NDArray[Any] = polynomial.polyval(points, polynomial.polyint(lagrange))
    return integrals
