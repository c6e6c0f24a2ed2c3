"""A shorter way for the determinant of one plain matrix, by the LU factors that give its inverse too."""

from typing import Any

import numpy as np

from chainrules.formulas.equations.determinants import pull_det, push_det
from chainrules.numerics.adjugate import adjugate
from chainrules.shortcuts.lu import lu_of
from chainrules.values.stacks import transposed

# A matrix of so many columns or more is quicker by its factors.
_COLUMNS = 15


def det_of_plain(f: Any, A: Any) -> Any:
    """The determinant and its pullback."""
    lu = lu_of(A, _COLUMNS)
    return None if lu is None else pull_det(A, *_by_factors(lu))


def push_det_of_plain(tangents: Any, f: Any, A: Any) -> Any:
    """The determinant and its tangent."""
    lu = lu_of(A, _COLUMNS)
    return None if lu is None else push_det(tangents, A, *_by_factors(lu))


def _by_factors(lu: Any) -> Any:
    """The function that is the derivative, and the determinant."""
    sign, logabsdet = lu.slogdet()

    def cofactors(A: Any, y: Any) -> Any:
        # The determinant is zero also where it is too small for its precision; its cofactors need not be.
        return transposed(y * lu.inverse() if y != 0 else adjugate(A))

    return cofactors, sign * np.exp(logabsdet)
