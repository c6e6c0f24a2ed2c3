"""Rational approximations whose support points SciPy chooses: their weights by the values.

Y. Nakatsukasa, O. Sète and L. N. Trefethen, "The AAA algorithm for rational approximation", SIAM Journal on
Scientific Computing 40 (2018). The weights are the singular vector of the smallest singular value of a
Loewner matrix, or span its null space. Which points are support points stays the same where values move a
little.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.known.scipy.interpolate.fits import as_array, plain
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of

# By how much the cosine of the angle between the weights that SciPy found, and those of the matrix, may fall
# short of 1. Rounding turns a singular vector by about ε σ₁ over the distance of its singular value from the
# next one, which is some 1e-5 where a function is approximated to the last digits: of approximations of eight
# functions at 20 to 1000 points, the cosine of none fell short by more than 4e-11.
TURNED = 1e-9


def _approximating(init: Any) -> Callable[..., Any]:
    """The function for the place of `AAA.__init__`."""

    def call(self: Any, x: Any, y: Any, **options: Any) -> None:
        init(self, plain(x), plain(y), **options)
        x, y = as_array(x), as_array(y)
        finite = np.flatnonzero(np.isfinite(primal_of(y)))
        order = finite[np.unique(primal_of(x)[finite], return_index=True)[1]]
        z, f = x[order], y[order]
        is_support = primal_of(z) == self._support_points[:, np.newaxis]
        places = np.argmax(is_support, axis=1)
        rest = np.flatnonzero(~np.any(is_support, axis=0))
        matrix = (f[rest][:, np.newaxis] - f[places]) / (z[rest][:, np.newaxis] - z[places])
        self.weights = _weights(self.weights, matrix)
        self._points, self._values = z, f
        self._support_points, self._support_values = z[places], f[places]
        self._poles = self._residues = self._roots = None  # which SciPy may have found already

    return entered_if_traced(init, call)


def _weights(found: Any, A: Any) -> Any:
    """The weights that SciPy found, as a function of the matrix."""
    rows, columns = np.shape(A)
    if rows >= columns:
        from scipy.linalg import svd  # noqa: PLC0415 - whoever calls it has imported it

        w = np.conj(choose(svd)(A, full_matrices=False)[2][-1])
    else:
        # The projection onto the null space.
        w = found - np.linalg.pinv(A) @ (A @ found)
    # Neither the length nor the sign, or phase, is of any account.
    along = np.sum(np.conj(found) * w)
    if rows < columns - 1 or not np.isclose(
        abs(primal_of(along)), np.linalg.norm(found) * np.linalg.norm(primal_of(w)), rtol=TURNED, atol=0.0
    ):
        raise NotImplementedError(
            "The weights of this `AAA` have no derivative: they are one choice of many, or SciPy scaled its "
            "matrix. Give `AAA` more points, or a larger `rtol`."
        )
    return w * (np.sum(np.conj(found) * found) / along)


fact("scipy.interpolate._bary_rational.AAA.__init__", wrapped=_approximating)
