"""Checks of rules whose arguments or results are containers, or functions that are called back."""

import numpy as np
import pytest

from chainrules.ad import ADConfig
from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from chainrules_testutils.testers.exercised import record_exercised
from tests.chainrules.rule_checks import check_real_parts


def check_both_modes(f, *args, **fkwargs):
    """Check both modes of a call, and the derivatives of the pullback."""
    test_frule(f, *args, fkwargs=fkwargs)
    test_rrule(f, *args, order=2, fkwargs=fkwargs)
    check_real_parts(f, *args, **fkwargs)


def check_calling_back(f, *args, **fkwargs):
    """Check a call of a function that calls another one, which has no rule.

    Forwards AD is by finite differences, so that these stand on top of each other. In reverse it is traced.
    """
    test_frule(f, *args, fkwargs=fkwargs, rtol=1e-6, atol=1e-6)
    test_rrule(f, *args, fkwargs=fkwargs, rtol=1e-6, atol=1e-6)
    test_rrule(f, *args, config=ADConfig(), order=2, fkwargs=fkwargs)


def check_no_derivative(f, *args, **fkwargs):
    """Check that both rules of a call give the result, and no tangents."""
    nothing = (NoTangent(),) * (1 + len(args))
    y, y_dot = frule(nothing, f, *args, **fkwargs)
    np.testing.assert_equal(y, f(*args, **fkwargs))
    assert isinstance(y_dot, NoTangent)
    y, pullback = rrule(f, *args, **fkwargs)
    np.testing.assert_equal(y, f(*args, **fkwargs))
    assert pullback(NoTangent()) == nothing
    record_exercised(f, frule.find(nothing, f, *args, **fkwargs))
    record_exercised(f, rrule.find(f, *args, **fkwargs))


def check_refused(f, *args, match):
    """Check that both rules raise a `TypeError`."""
    with pytest.raises(TypeError, match=match):
        rrule(f, *args)
    tangents = (NoTangent(),) * (1 + len(args))
    with pytest.raises(TypeError, match=match):
        frule(tangents, f, *args)
    record_exercised(f, rrule.find(f, *args))
    record_exercised(f, frule.find(tangents, f, *args))
