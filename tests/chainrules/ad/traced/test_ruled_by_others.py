"""Whether somebody else wrote a rule for a function, or for a call."""

import itertools
import operator

import numpy as np

from chainrules.ad.traced.ruled_by_others import RULED_BY_OTHERS, is_ruled_by_others
from chainrules.ad.values import memory


def test_nobody_else_has_rules():
    """Of most functions; one that is not hashable is looked up."""
    for f in (operator.rshift, np.fmin, itertools.tee):
        assert not RULED_BY_OTHERS[f]
    assert not any(
        is_ruled_by_others(mode, f, (1.0,), {}) for mode in ("forward", "reverse") for f in (abs, [])
    )


def test_functions_that_come_and_go(monkeypatch):
    """What is known of them does not fill the memory."""
    monkeypatch.setattr(memory, "MOST", 10)
    for _ in range(30):
        assert not RULED_BY_OTHERS[np.frompyfunc(abs, 1, 1)]
    assert len(RULED_BY_OTHERS) <= 10
