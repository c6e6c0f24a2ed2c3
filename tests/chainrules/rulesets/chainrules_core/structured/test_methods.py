"""The methods of structured arrays: rules of their own, by the names of the classes."""

import numpy as np
import pytest

from chainrules.ad import call, grad
from chainrules.rulesets.chainrules_core.structured.methods import FUNCTIONS
from chainrules_core import rrule
from tests.chainrules.rule_checks import normal, positive
from tests.chainrules.structured_checks import check_structured_rule, matrices, name_of

OF_ONE_ARRAY = sorted(FUNCTIONS.keys() - {"astype", "det", "solve"})


@pytest.mark.parametrize("A", matrices() + matrices(dtype=complex)[::6], ids=name_of)
@pytest.mark.parametrize("name", OF_ONE_ARRAY)
def test_methods_of_one_array(name, A):
    """Each has rules for every kind."""
    check_structured_rule(getattr(type(A), name), A)


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_methods_with_arguments(A):
    """These reach the function that does the same."""
    kind = type(A)

    check_structured_rule(kind.solve, A, normal(4))
    check_structured_rule(kind.sum, A, axis=1)
    check_structured_rule(kind.diagonal, A, -1)
    check_structured_rule(kind.slogdet, A)
    check_structured_rule(kind.det, A / 8.0 if np.abs(A.diagonal()).max() > 2 else A)
    check_structured_rule(kind.astype, A, np.float32)
    y, pullback = rrule(kind.astype, A, np.complex128)
    assert y.dtype == complex
    assert pullback(y)[1].dtype == float


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_they_are_called_by_ad(A):
    """As functions of the class, with a traced array."""
    x = positive(4)

    kind = type(A)
    by_method = grad(lambda A: x @ call(kind.solve, A, x) + call(kind.trace, A))
    by_function = grad(lambda A: x @ np.linalg.solve(A, x) + np.trace(A))
    np.testing.assert_allclose(np.asarray(by_method(A)), np.asarray(by_function(A)))
