"""A rule that a program wrote for a builtin, an operator or a function of NumPy is used for its own class."""

import itertools
import operator
import subprocess
import sys

import numpy as np

from chainrules.ad.interception import rules_of_others
from chainrules.ad.interception.rules_of_others import RULED_BY_OTHERS, rules_of_others_first
from tests.chainrules.ad.interception import rules_for_a_class


def test_rules_of_a_program():
    """Over the methods of its class, and over what else serves the function; in a process of its own."""
    subprocess.run([sys.executable, "-m", rules_for_a_class.__name__], check=True)


def test_nobody_else_has_rules():
    """Then nothing stands before what serves a function."""
    for f in (operator.rshift, np.fmin, itertools.tee):
        assert not RULED_BY_OTHERS[f]
        assert rules_of_others_first(f, f) is f


def test_functions_that_come_and_go(monkeypatch):
    """What is known of them does not fill the memory."""
    monkeypatch.setattr(rules_of_others, "_MOST", 10)
    for _ in range(30):
        assert not RULED_BY_OTHERS[np.frompyfunc(abs, 1, 1)]
    assert len(RULED_BY_OTHERS) <= 11
