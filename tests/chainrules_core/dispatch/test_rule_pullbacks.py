"""What stands around the pullback of a rule looks like that one."""

import inspect
import pickle

import numpy as np
import pytest

from chainrules_core import (
    HasReverseMode,
    NoTangent,
    RuleConfig,
    describe_callee,
    describe_place,
    rrule,
    typeof_,
)
from chainrules_core.dispatch.rule_pullbacks import RulePullback


class WithReverse(RuleConfig[HasReverseMode]):
    """A configuration."""


def square(x, by=1.0):
    """A function with a rule."""
    return by * x * x


@rrule.dispatch
def square_rrule(f: typeof_(square), x: object, by: float):
    """A rule."""

    def square_pullback(y_bar):
        """What the author wrote."""
        return NoTangent(), 2 * x * y_bar, 0.0

    return x * x, square_pullback


class Halving:
    """A pullback that can be pickled."""

    def __call__(self, y_bar):  # noqa: D102 - the class says it
        return NoTangent(), y_bar / 2


def half(x):
    """A function with such a pullback."""
    return x / 2


@rrule.dispatch
def half_rrule(f: typeof_(half), x: object):
    """Its rule."""
    return x / 2, Halving()


CALLS = {
    "number": ((square, 3.0, 1.0), {}),
    "array": ((square, np.ones(2), 1.0), {}),
    "other": ((square, 3, 1.0), {}),
    "configured": ((WithReverse(), square, 3.0, 1.0), {}),
    "by keyword": ((square, 3.0), {"by": 1.0}),
}


@pytest.mark.parametrize("call", CALLS)
def test_names(call):
    """The name, the documentation and the lines are those of the function that the author wrote."""
    args, kwargs = CALLS[call]
    _, pullback = rrule(*args, **kwargs)
    own = inspect.unwrap(pullback)
    lines, first = inspect.getsourcelines(pullback)

    assert pullback.__name__ == "square_pullback"
    assert pullback.__doc__ == "What the author wrote."
    assert own.__qualname__ == "square_rrule.<locals>.square_pullback"
    assert lines[0].strip() == "def square_pullback(y_bar):"
    assert (
        repr(pullback)
        == f"<pullback square_pullback at {describe_place(square_rrule).rpartition(':')[0]}:{first}>"
    )
    assert describe_callee(pullback) == "square_pullback"


def test_pullbacks_without_a_name():
    """An object is named by its class, and pickled as before."""
    _, pullback = rrule(half, 3.0)

    assert pullback.__name__ == "Halving"
    assert repr(pullback).startswith("<pullback an instance of ")
    assert repr(pullback).endswith("Halving>")
    assert pickle.loads(pickle.dumps(pullback))(1.0) == (NoTangent(), 0.5)


def test_each_says_what_it_does():
    """The base class does nothing."""
    with pytest.raises(NotImplementedError):
        RulePullback()(1.0)
