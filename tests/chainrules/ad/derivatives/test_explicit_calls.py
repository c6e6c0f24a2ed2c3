"""`call` asks for a rule in so many words; where there is none a body is entered, and C is refused."""

import functools
import math
import operator
import time

import numpy as np
import pytest

from chainrules.ad import call, grad, interception
from chainrules_core import RuleNotFoundError, ignore_derivatives, primitive


class Model:
    """A class with Python methods."""

    def __init__(self, w):
        self.w = math.sin(w)

    def __call__(self, x):
        """Call."""
        return math.sin(x)

    def method(self, x):
        """Call likewise."""
        return math.sin(x)


@pytest.mark.parametrize(
    "f",
    [
        math.sin,
        primitive(math.sin),
        lambda x: 1.0 * math.sin(x),
        Model(1.0),
        Model(1.0).method,
        functools.lru_cache(Model(1.0).method),
        lambda x: call(Model, x).w,
    ],
)
def test_calls(f):
    """By a rule, or by the body."""
    assert grad(lambda x: call(f, x))(1.0) == math.cos(1.0)
    assert call(f, 1.0) == math.sin(1.0)


def test_without_a_rule():
    """A function in C has no body; a function in Python has none where calls are not intercepted."""
    with pytest.raises(RuleNotFoundError, match="sleep"):
        grad(lambda x: call(time.sleep, x))(1.0)
    with interception(False), pytest.raises(RuleNotFoundError, match="<lambda>"):
        grad(lambda x: call(lambda y: y, x))(1.0)


def test_in_place():
    """What rebinds a traced value is called as it is."""
    assert grad(lambda x: call(operator.imul, x, 3.0))(1.0) == 3.0


def test_constants_are_plain_values():
    """What is declared non-differentiable may go where traced values may not."""
    assert grad(lambda x: x * math.exp(ignore_derivatives(x)) + float(np.ones_like(x)))(0.0) == 1.0


def test_keywords_of_functions_without_a_signature():
    """A traced keyword whose place is not known has no derivative, and is refused."""
    with pytest.raises(RuleNotFoundError, match="argument `b` carries a tangent"):
        grad(lambda x: call(np.frompyfunc(max, 2, 1), 1.0, b=x))(2.0)
