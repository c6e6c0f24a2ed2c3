"""A missing conjugate is found by asking the rule again."""

import re

import numpy as np
import pytest

from chainrules_core import NoTangent, ZeroTangent, thunk
from chainrules_testutils import RuleTestError, test_frule, test_rrule
from chainrules_testutils.advice.conjugation import conjugate, holds_complex, with_conjugate_hint
from chainrules_testutils.advice.report import failed, passed
from tests.chainrules_testutils import rules_under_test as rules
from tests.chainrules_testutils.calls import complex_normal

HINT = "hint: right for conjugated input and output: a pullback multiplies by the conjugate of the derivative"
A, B = complex_normal(2, 3), complex_normal(3, 3)


@pytest.mark.parametrize("mode", ["full", "fast"])
def test_pullbacks(mode):
    """The hint names the mistake for numbers and for matrices, where no single element shows it."""

    def square(config, f, x):
        return x * x, lambda y_bar: (NoTangent(), 2 * x * y_bar)

    def matmul(config, f, A, B):
        return A @ B, lambda y_bar: (NoTangent(), y_bar @ B.T, A.T @ y_bar)

    for call, rule in [((rules.square, 1.0 + 2.0j), square), ((rules.matmul, A, B), matmul)]:
        with pytest.raises(RuleTestError, match=re.escape(HINT)):
            test_rrule(*call, rrule_f=rule, mode=mode)


def test_pushforwards():
    """A conjugate too many in an `frule` gets the same hint."""

    def square(config, tangents, f, x):
        return x * x, 2 * np.conj(x) * tangents[1]

    with pytest.raises(RuleTestError, match=re.escape(HINT)):
        test_frule(rules.square, 1.0 + 2.0j, frule_f=square)


def test_other_mistakes_are_not_blamed_on_it():
    """A wrong factor, with complex numbers or with real ones, has no such hint."""

    def wrong(config, f, x):
        return x * x, lambda y_bar: (NoTangent(), 3 * x.conjugate() * y_bar)

    for x in (1.0 + 2.0j, 2.0):
        with pytest.raises(RuleTestError) as caught:
            test_rrule(rules.square, x, rrule_f=wrong)
        assert HINT not in str(caught.value)


def test_a_rule_that_raises_is_not_explained():
    """What the rule raises when it is asked again is no failure of its own."""
    checks = [failed("here", "wrong value"), failed("there", "shape (2,)"), passed("elsewhere")]

    def raising():
        raise ZeroDivisionError

    assert with_conjugate_hint(checks, raising) == checks
    hinted = with_conjugate_hint(checks, lambda: [passed("")])
    assert [HINT in check.message for check in hinted] == [True, False, False]


def test_conjugates():
    """Tangents of any kind have conjugates, and complex numbers are found in nested values."""
    assert conjugate(thunk(lambda: 1j)) == -1j
    assert isinstance(conjugate(ZeroTangent()), ZeroTangent)
    assert holds_complex({"a": [1.0, np.ones(2, complex)]})
    assert holds_complex((1.0, 2j))
    assert holds_complex([np.complex64(2j)])
    assert not holds_complex((1.0, np.ones(2), "j", ZeroTangent()))
