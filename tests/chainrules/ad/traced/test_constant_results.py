"""What becomes of results that have no derivative."""

import warnings

import numpy as np
import pytest

from chainrules.ad import LostDerivativeWarning, grad, hessian, interception, jvp, vjp
from chainrules.ad.traced.formatted_text import FormattedText
from chainrules_core import ignore_derivatives

MAKING_TEXT = (str, ascii, lambda x: format(x, ".2f"), np.array2string, np.format_float_positional)


@pytest.mark.parametrize("f", MAKING_TEXT)
def test_text(f):
    """All functions whose rule says that they make text of a value, in both modes."""
    x = np.ones(2) if f is np.array2string else 1.5
    seen = []
    vjp(lambda x: seen.append(f(x)) or x, x)
    jvp(lambda x: seen.append(f(x)) or x, (x,), (x,))

    assert [type(text) for text in seen] == [FormattedText] * 2
    assert seen[0] == seen[1]


def test_other_results():
    """They are what they are."""
    seen = []
    vjp(lambda x: seen.extend([np.argmax(x), np.floor(x)]) or x, np.ones(2))

    assert [type(y) for y in seen] == [np.int64, np.ndarray]


ROUNDED = {
    "round": lambda x: round(x, 2),
    "round by name": lambda x: round(x, ndigits=2),
    "np.round": lambda x: np.round(x, 2),
    "np.around": lambda x: np.around(x, decimals=2),
    "the method": lambda x: np.sum(np.stack([x, x]).round(2)),
    "the method as a function": lambda x: np.sum(np.ndarray.round(np.stack([x, x]), 2)),
}


def warnings_of(f, *args):
    """What the user is told while a call runs, always."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        f(*args)
    return caught


@pytest.mark.parametrize("f", ROUNDED.values(), ids=ROUNDED)
def test_results(f):
    """In both modes, once for each line, at the line of the program."""

    def often(x):
        return sum([f(x) for _ in range(3)])

    for differentiate in (grad(often), lambda x: jvp(often, (x,), (1.0,))):
        (warning,) = warnings_of(differentiate, 2.5)
        assert warning.category is LostDerivativeWarning
        assert (warning.filename, warning.lineno) == (__file__, f.__code__.co_firstlineno)
        assert "ignore_derivatives" in str(warning.message)


def test_without_interception():
    """Python's own function asks the value."""
    with interception(False):
        assert len(warnings_of(grad(lambda x: round(x * x, 2)), 2.5)) == 1


DECISIONS = {
    "whole numbers": lambda x: x * round(x) * round(x, 0) * np.round(x) * np.rint(x) * np.floor(x),
    "tens": lambda x: x * round(x, -1) * np.round(x, decimals=-1),
    "shown": lambda x: (x, print(round(x, 2), f"{round(x, 2)} {np.round(x, 2)}", "%s" % round(x, 2)))[0],  # noqa: UP031 - is tested
    "compared": lambda x: x if round(x, 2) == 2.5 and not round(x, 1) < 2.0 else 2.0 * x,
    "a constant": lambda x: x * round(ignore_derivatives(x), 2),
    "a plain number": lambda x: x * round(2.125, 2),
}


@pytest.mark.parametrize("f", DECISIONS.values(), ids=DECISIONS)
def test_decisions(f):
    """Zero is the derivative that is wanted."""
    assert warnings_of(grad(f), 2.5) == []


def test_higher_derivatives():
    """Each differentiation says it at most once."""
    f = lambda x: np.sum(x * x * np.round(x, 2))  # noqa: E731 - one line
    assert 1 <= len(warnings_of(hessian(f), np.ones(2))) <= 2
