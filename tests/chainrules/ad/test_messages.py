"""Mistakes that people make with gradients: each a small script, and the words of its message.

A message says what happened, where in the user's own file, and what to write instead.
"""

import runpy
import traceback

import numpy as np
import pytest

from chainrules.ad import interception
from tests.chainrules.ad.mistakes_in_gradients import MISTAKES_IN_GRADIENTS
from tests.chainrules.ad.mistakes_in_programs import MISTAKES_IN_PROGRAMS
from tests.chainrules.ad.mistakes_of_other_engines import MISTAKES_OF_OTHER_ENGINES

ALL = MISTAKES_IN_GRADIENTS | MISTAKES_IN_PROGRAMS | MISTAKES_OF_OTHER_ENGINES

# Where calls are intercepted, these are no mistakes.
NOT_INTERCEPTED = {
    "float(x)",
    "int(x)",
    "complex(x)",
    "math.sin",
    "math.gamma",
    "math.sin itself",
    "an array of traced numbers",
    "a matrix of traced numbers",
    "np.asarray",
    "np.full",
    "np.full_like",
    "np.interp with a traced end",
    "np.sum of a list",
    "a method of a plain array",
    "np.r_",
    "np.bmat",
    "np.vectorize",
    "a generator of random numbers",
    "a function of SciPy",
    "a write into a plain array",
    "a sum in place",
    "out=",
}

HEADER = """
import math
import collections

import numpy as np
from chainrules_core import *
from chainrules.ad import *


def cube(x):
    return x * x * x


def loss(w, x):
    return np.sum((w * x) ** 2)


class Model:
    def __init__(self, w):
        self.w = w


A = np.array([[2.0, 1.0], [1.0, 3.0]])
W = np.array([1.0, 2.0, 3.0])
X = np.array([0.3, -1.2, 0.8])
"""


@pytest.mark.every_case
@pytest.mark.parametrize("name", ALL)
@pytest.mark.filterwarnings("ignore:the matrix subclass is not the recommended:PendingDeprecationWarning")
def test_messages(name, tmp_path):
    """The message and its notes have the words; the traceback, or the message, has the user's line."""
    script, *words = ALL[name]
    path = tmp_path / "mistake.py"
    path.write_text(HEADER + script, encoding="utf-8")

    with (
        np.errstate(invalid="ignore"),
        interception(name not in NOT_INTERCEPTED),
        pytest.raises(Exception) as caught,  # noqa: PT011 - the words count
    ):
        runpy.run_path(str(path), run_name="mistake")

    message = "".join(traceback.format_exception_only(caught.value))
    lines = [
        place for place in traceback.extract_tb(caught.value.__traceback__) if place.filename == str(path)
    ]
    assert lines
    for word in words:
        assert word in message, message
