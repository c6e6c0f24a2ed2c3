"""A program with a rule for the class of all functions, which would be there for all other tests."""

import types

from chainrules.ad import grad
from chainrules_core import NoTangent, rrule


@rrule.dispatch
def rule(f: types.FunctionType, x: list):
    """Say 100 times too much."""
    return f(x), lambda y_bar: (NoTangent(), [100.0 * y_bar])


def first(x):
    """The first item."""
    return x[0]


if __name__ == "__main__":
    assert grad(lambda x: first([x]))(1.0) == 100.0
    assert grad(lambda x: (lambda y: y[0])([x]))(1.0) == 100.0
