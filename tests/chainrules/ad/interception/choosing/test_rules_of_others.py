"""A rule that a program wrote for a builtin, an operator or a function of NumPy is used for its own class."""

import itertools
import operator
import subprocess
import sys

import numpy as np

from chainrules.ad.interception.choosing.rules_of_others import rules_of_others_first
from tests.chainrules.ad.interception import rules_for_a_class


def test_rules_of_a_program():
    """Over the methods of its class, and over what else serves the function; in a process of its own."""
    subprocess.run([sys.executable, "-m", rules_for_a_class.__name__], check=True)


def test_nobody_else_has_rules():
    """Then nothing stands before what serves a function."""
    for f in (operator.rshift, np.fmin, itertools.tee):
        assert rules_of_others_first(f, f) is f
