"""Mistakes that people make with the testers: each a small script, and the words of its message.

A message says what happened, where in the user's own file, and what to write instead.
"""

import runpy
import traceback

import pytest

from tests.chainrules_testutils.mistakes_in_calls import MISTAKES_IN_CALLS
from tests.chainrules_testutils.mistakes_in_pullbacks import MISTAKES_IN_PULLBACKS
from tests.chainrules_testutils.mistakes_in_rules import MISTAKES_IN_RULES
from tests.chainrules_testutils.mistakes_of_other_libraries import MISTAKES_OF_OTHER_LIBRARIES

ALL = {
    **MISTAKES_IN_CALLS,
    **MISTAKES_IN_PULLBACKS,
    **MISTAKES_IN_RULES,
    **MISTAKES_OF_OTHER_LIBRARIES,
}

HEADER = """
import numpy as np
from chainrules_core import *
from chainrules_testutils import *


def cube(x):
    return x * x * x


def softplus(x):
    return np.log1p(np.exp(x))


def mean(x):
    return x.sum() / x.size


def sums(x, axis=None):
    return x.sum(axis=axis)


def power(x, n=2):
    return x**n


def scaled(x, *, by):
    return by * x


def sine_and_cosine(x):
    return np.sin(x), np.cos(x)


A = np.arange(6.0).reshape(2, 3) + 0.5
X = np.array([0.3, -1.2, 0.8])
"""


@pytest.fixture
def message_of(tmp_path):
    """A function that runs a script, and returns what Python prints of the error that ends it."""

    def run(script):
        path = tmp_path / "mistake.py"
        path.write_text(HEADER + script, encoding="utf-8")
        with pytest.raises(Exception) as caught:  # noqa: PT011 - of any type; the words are what counts
            runpy.run_path(str(path), run_name="mistake")
        own = [
            place for place in traceback.extract_tb(caught.value.__traceback__) if place.filename == str(path)
        ]
        return "".join(traceback.format_exception_only(caught.value)), own

    return run


@pytest.mark.every_case
@pytest.mark.parametrize("name", ALL)
def test_messages(name, message_of):
    """The message has the words, and the user's file and line."""
    script, *words = ALL[name]

    message, own_lines = message_of(script)

    assert "mistake.py:" in message or own_lines
    for word in words:
        assert word in message, message


@pytest.mark.parametrize("name", ALL)
def test_first_causes_come_first(name, message_of):
    """Where several checks fail, the words of the cause stand in the first of them."""
    script, *words = ALL[name]

    message, _ = message_of(script)

    first = message.split("\n- ")
    assert words[0] in (first[1] if len(first) > 1 and not words[0].startswith("with ") else message), message
