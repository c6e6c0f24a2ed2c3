"""The methods of structured arrays: rules of their own, by the names of the classes."""

import numpy as np
import pytest

from chainrules.ad import call, grad
from chainrules.rulesets.chainrules_core.structured.methods import FUNCTIONS
from chainrules_core import rrule
from chainrules_core.structured import StructuredArray
from tests.chainrules.rule_checks import normal, positive
from tests.chainrules.structured_checks import check_structured_rule, matrices, name_of
from tests.chainrules_core.structured.matrices import Hankel

OF_ONE_ARRAY = sorted(FUNCTIONS.keys() - {"astype", "det", "solve"})


@pytest.mark.parametrize("A", matrices() + matrices(dtype=complex)[::6], ids=name_of)
@pytest.mark.parametrize("name", OF_ONE_ARRAY)
def test_methods_of_one_array(name, A):
    """Each has rules for every kind."""
    check_structured_rule(getattr(type(A), name), A)


@pytest.mark.parametrize("A", matrices(), ids=name_of)
def test_methods_with_arguments(A):
    """Arguments reach the function that does the same."""
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
    """AD calls methods as functions of the class, with a traced array."""
    x = positive(4)

    kind = type(A)
    by_method = grad(lambda A: x @ call(kind.solve, A, x) + call(kind.trace, A))
    by_function = grad(lambda A: x @ np.linalg.solve(A, x) + np.trace(A))
    np.testing.assert_allclose(np.asarray(by_method(A)), np.asarray(by_function(A)))


@pytest.mark.parametrize("A", matrices(), ids=name_of)
@pytest.mark.parametrize("name", ["to_dense", "diagonal"])
def test_methods_of_the_base_class(name, A):
    """What a kind inherits unless it does better has rules as well."""
    check_structured_rule(getattr(StructuredArray, name), A)


def test_kinds_without_a_method_of_their_own_inherit_its_rules():
    """A subclass has the rules of the methods that `StructuredArray` has."""
    A = Hankel(np.array([1.0, 2.0, 7.0, 4.0, 5.0]))

    for name in ("to_dense", "diagonal", "transpose", "trace", "inv", "copy"):
        answer = rrule(getattr(Hankel, name), A)
        assert answer is not None
        np.testing.assert_array_equal(np.asarray(answer[0]), np.asarray(getattr(A, name)()))
    np.testing.assert_array_equal(grad(lambda A: np.sum(A.to_dense() ** 2))(A), 2 * A.to_dense())
