"""A shorter way for the inverse of one plain matrix, by its LU factors.

NumPy solves a system for each column of the identity, which takes half as long again.
"""

from typing import Any

from chainrules.formulas.equations.inverses import pullback_of_inverse, push_inverse
from chainrules.shortcuts.lu import lu_of


def inv_of_plain(f: Any, A: Any) -> Any:
    """The inverse and its pullback."""
    lu = lu_of(A)
    if lu is None:
        return None
    Y = lu.inverse()
    return Y, pullback_of_inverse(A, Y)


def push_inv_of_plain(tangents: Any, f: Any, A: Any) -> Any:
    """The inverse and its tangent."""
    lu = lu_of(A)
    if lu is None:
        return None
    Y = lu.inverse()
    return Y, push_inverse(Y, tangents[1])
