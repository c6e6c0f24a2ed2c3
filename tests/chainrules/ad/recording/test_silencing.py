"""Blocks that ignore warnings, in recorded programs."""

import warnings

import numpy as np
import pytest
from scipy.integrate import quad

from chainrules.ad import grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.silencing import silently
from tests.chainrules.ad.recording.agreement import agrees

POINTS = [(np.array([0.5, 1.0, 2.0]),), (np.array([0.5, -1.0, 2.0]),), (np.array([0.0, 1.0, 2.0]),)]


def logarithm(x):
    """What is invalid is ignored, inside of the block alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = np.log(x)
    return np.sum(np.where(x > 0.0, y, 0.0)) + np.sqrt(x[1])


def in_one_line(x):
    """The filter is an argument of the block."""
    with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
        return np.sum(np.sqrt(x))


def of_others(x):
    """Warnings of another kind are ignored, and these are not."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        return np.sum(np.sqrt(x))


def searching(x):
    """A search that warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return quad(lambda t: np.sin(x[2] / t), 0.01, 1.0, limit=2)[0]


@pytest.mark.parametrize("f", [logarithm, in_one_line, of_others, searching])
def test_what_is_ignored(f):
    """The same warnings at each call."""
    agrees(f, POINTS)


def test_gradients():
    """The block is in the program."""
    points = [(abs(x) + 0.1,) for (x,) in POINTS]
    c = agrees(grad(logarithm), points)
    assert "    y = np.log(x)" in c.source(*points[0])


def collects(x):
    """It looks at what warns."""
    with warnings.catch_warnings(record=True) as found:
        y = np.sum(np.sqrt(x))
    return y * len(found)


def ignores_from_here_on(x):
    """Without a block."""
    warnings.simplefilter("ignore")
    return np.sum(x)


def raises(x):
    """Warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return np.sum(np.sqrt(x))


def by_text(x):
    """Some of them are ignored."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "invalid")
        return np.sum(np.sqrt(x))


@pytest.mark.parametrize(
    ("f", "reason"),
    [
        (collects, "it catches warnings, to look at them; do so around the compiled function"),
        (ignores_from_here_on, "it changes the filters of warnings"),
        (raises, "it changes the filters of warnings"),
        (by_text, "it ignores some warnings by their text"),
    ],
)
def test_what_is_refused(f, reason):
    """By name."""
    with pytest.raises(CompilationError, match=reason):
        compiled(f, strict=True)(*POINTS[0])


def test_silently():
    """A function that ignores some warnings, and no others."""

    def warn(category):
        warnings.warn("seen", category, stacklevel=1)
        return category

    quiet = silently((UserWarning,), warn)
    assert quiet(UserWarning) is UserWarning
    with pytest.warns(RuntimeWarning, match="seen"):
        quiet(RuntimeWarning)
    assert silently((), warn) is warn
