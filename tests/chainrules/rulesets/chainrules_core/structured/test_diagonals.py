"""The rules of diagonals and traces of structured arrays, against finite differences."""

import numpy as np
import pytest

from chainrules_core import rrule
from chainrules_core.structured import Diagonal
from tests.chainrules.rule_checks import normal
from tests.chainrules.structured_checks import check_structured_rule, matrices, name_of


@pytest.mark.parametrize("A", matrices() + matrices(dtype=complex), ids=name_of)
@pytest.mark.parametrize("f", [np.diagonal, np.diag], ids=lambda f: f.__name__)
def test_diagonals(f, A):
    """Both modes are right for every diagonal."""
    check_structured_rule(f, A)
    for offset in (-5, -2, -1, 0, 1, 2):
        check_structured_rule(f, A, offset)
    check_structured_rule(f, A, **{"offset" if f is np.diagonal else "k": 1})


def test_other_axes_have_no_rule():
    """The rule declines what it does not know."""
    assert rrule(np.diagonal, Diagonal(normal(3)), 0, 1, 0) is None
    assert rrule(np.diagonal, Diagonal(normal(3)), 0, 0) is None
    assert rrule(np.diagonal, Diagonal(normal(3)), 0, axis1=0) is None
    assert rrule(np.trace, Diagonal(normal(3)), 0, 0, offset=0) is None
    assert rrule(np.diagonal, Diagonal(normal(3)), axis1=1) is None
    assert rrule(np.trace, Diagonal(normal(3)), dtype=complex) is None


@pytest.mark.parametrize("A", matrices() + matrices(dtype=complex), ids=name_of)
def test_trace(A):
    """The sum of the main diagonal, or of another one."""
    check_structured_rule(np.trace, A)
    check_structured_rule(np.trace, A, 1)
    check_structured_rule(np.trace, A, offset=-1)
    assert rrule(np.trace, A, 0, 1, 0) is None


def test_memory_is_that_of_the_diagonals():
    """Nothing here has as many elements as the dense matrix."""
    n = 10**6
    D = Diagonal(normal(n))

    assert rrule(np.trace, D)[1](1.0)[1].diag.shape == (n,)
    assert rrule(np.trace, D, 1)[1](1.0)[1].diag.shape == (n,)
    assert rrule(np.diagonal, D)[1](D.diag)[1].diag.shape == (n,)
    assert rrule(np.diagonal, D, 1)[1](D.diag[1:])[1].diag.shape == (n,)
