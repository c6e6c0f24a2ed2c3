"""The dense form of structured arrays: its rules, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.operations.dense_forms import dense_form
from chainrules_core import NoTangent, ZeroTangent, frule
from chainrules_core.structured import Diagonal
from tests.chainrules.rule_checks import normal
from tests.chainrules.structured_checks import check_structured_rule, matrices, name_of


@pytest.mark.parametrize("A", matrices() + matrices(dtype=complex), ids=name_of)
def test_dense_form(A):
    """Forwards all elements of the tangent are given, backwards the projection."""
    check_structured_rule(dense_form, A)


def test_zero_tangent():
    """A zero tangent stays a zero tangent."""
    assert frule((NoTangent(), ZeroTangent()), dense_form, Diagonal(normal(3)))[1] is ZeroTangent()


def test_it_can_be_differentiated():
    """Second derivatives through it."""
    D = Diagonal(normal(3))
    gradient = grad(lambda D: np.sum(grad(lambda D: np.sum(dense_form(D) ** 3))(D)))(D)

    np.testing.assert_allclose(gradient.diag, 6 * D.diag)
