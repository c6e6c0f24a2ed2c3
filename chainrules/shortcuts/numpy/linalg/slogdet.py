"""A shorter way for the logarithm of the determinant of one plain matrix, by its LU factors."""

from typing import Any

import numpy as np

from chainrules.formulas.equations.determinants import pull_slogdet, push_slogdet
from chainrules.shortcuts.lu import lu_of
from chainrules.values.stacks import transposed

# The class of the results of `np.linalg.slogdet`, which has no public name.
_SlogdetResult = type(np.linalg.slogdet(np.eye(1)))

# A matrix of so many columns or more is quicker by its factors.
_COLUMNS = 20


def slogdet_of_plain(f: Any, A: Any) -> Any:
    """The logarithm and its pullback."""
    lu = lu_of(A, _COLUMNS)
    if lu is None:
        return None
    return pull_slogdet(A, lambda _: transposed(lu.inverse()), _SlogdetResult(*lu.slogdet()))


def push_slogdet_of_plain(tangents: Any, f: Any, A: Any) -> Any:
    """The logarithm and its tangent."""
    lu = lu_of(A, _COLUMNS)
    if lu is None:
        return None
    return push_slogdet(tangents, A, lambda _: transposed(lu.inverse()), _SlogdetResult(*lu.slogdet()))
