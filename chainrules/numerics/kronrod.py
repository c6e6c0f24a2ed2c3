"""Kronrod's rules: the places of a Gaussian rule with as many and one between them, which share all values.

The places between are the roots of the polynomial of Stieltjes. It is orthogonal to all of lower degree, with
the Legendre polynomial as its weight; D. P. Laurie, "Calculation of Gauss-Kronrod quadrature rules",
Mathematics of Computation 66, 1997. The difference of the two rules says how exact the less exact one is.
"""

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray


class Rule(NamedTuple):
    """Places in [-1, 1], and the weights of the values there by both rules; 0 where Gauss has no place."""

    places: NDArray[Any]
    kronrod: NDArray[Any]
    gauss: NDArray[Any]

    def on(self, ends: NDArray[Any]) -> "Rule":
        """The same on all intervals between pairs of `ends`, with shape ``(n, 2)``."""
        half, middle = 0.5 * (ends[:, 1:] - ends[:, :1]), 0.5 * (ends[:, 1:] + ends[:, :1])
        return Rule(
            np.ravel(middle + half * self.places), np.ravel(half * self.kronrod), np.ravel(half * self.gauss)
        )


@functools.cache
def kronrod(n: int) -> Rule:
    """The rule of Kronrod with ``2 n + 1`` places, and the Gaussian one with `n` of these."""
    own, own_weights = legendre.leggauss(n)
    x, w = legendre.leggauss(2 * n + 2)
    P = legendre.legvander(x, n + 1)
    products = P[:, : n + 1].T @ ((w * P[:, n])[:, None] * P)
    stieltjes = np.append(np.linalg.lstsq(products[:, :-1], -products[:, -1])[0], 1.0)
    between = np.sort(legendre.legroots(stieltjes).real)
    places = np.empty(2 * n + 1)
    places[1::2], places[::2] = own, between
    moments = np.zeros(2 * n + 1)
    moments[0] = 2.0
    gauss = np.zeros(2 * n + 1)
    gauss[1::2] = own_weights
    return Rule(places, np.linalg.solve(legendre.legvander(places, 2 * n).T, moments), gauss)
