"""Calls of Einstein sums, for the comparison of their shortcut with their rule; and which it answers."""

import numpy as np
import pytest

from chainrules.shortcuts.numpy.einsum import einsum_of_plain
from chainrules_core import rrule
from tests.chainrules.rule_checks import normal
from tests.chainrules.shortcut_checks import Call, arrays


def calls():
    """Sums of one, two and three operands of every kind, and such as are more than a sum in reverse."""
    matrices, vectors = arrays((3, 4))[:12], arrays((4,))[:12]
    for A, x in zip(matrices, vectors, strict=True):
        yield Call((np.einsum, "ij,j->i", A, x))
        yield Call((np.einsum, "ij,ij", A, A))
        yield Call((np.einsum, "ij,j,j->ij", A, x, x))
        yield Call((np.einsum, "ij->ji", A))
        yield Call((np.einsum, "ij->i", A))
        yield Call((np.einsum, "...j,j->...", A, x))
        yield Call((np.einsum, "j,j->j", x, matrices[0][0]))
    A = normal(3, 3)
    yield Call((np.einsum, "ii->i", A))
    yield Call((np.einsum, "ij,jk", A, A), {"optimize": True})
    yield Call((np.einsum, A, [0, 1], [1, 0]))
    yield Call((np.einsum, "ij,ij", A, A[:1]))
    yield Call((np.einsum, "ij,j", A, 2.0))


CALLS = {"chainrules.shortcuts.numpy.einsum.einsum_of_plain": calls}


def test_sums_that_need_more_than_a_sum_are_declined():
    """An axis that is only summed over, a diagonal, broadcasting."""
    A = normal(3, 3)

    for arguments in (("ij->i", A), ("ii->i", A), ("ij,ij->ij", A, A[:1])):
        assert einsum_of_plain(np.einsum, *arguments) is None


@pytest.mark.parametrize("A", [np.ones(3), np.ones((3, 3, 3))])
def test_letters_that_do_not_fit(A):
    """NumPy's own error."""
    with pytest.raises(ValueError, match="subscripts"):
        rrule(np.einsum, "ij,j", A, np.ones(3))
