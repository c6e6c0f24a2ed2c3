"""A traced value answers questions about its type for the value that it carries."""

import numbers
from collections.abc import Container, Hashable, Iterable, Sized
from typing import SupportsFloat

import numpy as np
import pytest

from chainrules.ad import TracedValue, grad
from tests.chainrules.ad.while_traced import while_traced


@pytest.mark.parametrize(
    ("x", "ask", "expected"),
    [
        (1.5, lambda x: isinstance(x, float), True),
        (1.5, lambda x: isinstance(x, int | float), True),
        (1.5, lambda x: isinstance(x, (str, numbers.Real)), True),
        (1.5, lambda x: isinstance(x, np.ndarray), False),
        (1.5, lambda x: isinstance(x, TracedValue), True),
        (1.5, lambda x: isinstance(x, int | TracedValue), True),
        (1.5, lambda x: isinstance(x, (str, (list, TracedValue))), True),
        (1.5, lambda x: isinstance(x, Iterable), False),
        (1.5, lambda x: isinstance(x, (list, Sized)), False),
        (1.5, lambda x: isinstance(x, list | Container), False),
        (1.5 + 1j, lambda x: isinstance(x, SupportsFloat), False),
        (np.ones(2), lambda x: isinstance(x, Iterable), True),
        (np.ones(2), lambda x: isinstance(x, Hashable), False),
        (1.5, lambda x: isinstance([x], list), True),
        (1.5, lambda x: type(x) is float, True),
        (1.5, lambda x: x.__class__ is float, True),
        (1.5, lambda x: np.isscalar(x), True),
        (1.5, lambda x: hasattr(x, "__len__"), False),
        (1.5, lambda x: hasattr(x, "is_integer"), True),
        (np.ones(2), lambda x: isinstance(x, np.ndarray), True),
        (np.ones(2), lambda x: isinstance(x, float), False),
        (np.ones(2), lambda x: type(x) is np.ndarray, True),
        (np.ones(2), lambda x: np.isscalar(x), False),
        (np.ones(2), lambda x: hasattr(x, "__len__"), True),
        (np.ones(2), lambda x: hasattr([x], "append"), True),
        (np.ones(2), lambda x: type("Made", (), {"a": 1}).a, 1),
        (1.5, lambda x: int(x), 1),
        (1.5, lambda x: round(x), 2),
        (1.5, lambda x: f"{x:.2f}", "1.50"),
        (1.5, lambda x: "%.2f" % x, "1.50"),  # noqa: UP031 - what is tested
        (1.5, lambda x: "%(a).1f %(b)s" % {"a": x, "b": 1}, "1.5 1"),  # noqa: UP031 - what is tested
        (1.5, lambda x: "%.1f %d" % (x, 2), "1.5 2"),  # noqa: UP031 - what is tested
        (1.5, lambda x: x.is_integer(), False),
        (np.ones(2), lambda x: x.flags.c_contiguous, True),
        (np.ones(2), lambda x: [float(v) for v in np.nditer(x)] == [1.0, 1.0], True),
        (np.ones(2), lambda x: [int(v) for v in np.nditer(np.arange(2))] == [0, 1], True),
        (1.5, lambda x: x > 1.0, True),
        (1.5, lambda x: bool(x), True),
    ],
)
def test_questions(x, ask, expected):
    """The answers are plain."""
    answer = while_traced(x, ask)
    assert answer == expected
    assert while_traced(x, lambda x: type(ask(x))) is type(expected)


def test_a_class_that_is_asked_for_is_called():
    """`type(x)(y)` makes a number, which keeps its derivative."""
    assert grad(lambda x: type(x)(2.0 * x))(1.0) == 2.0


def test_what_type_refuses():
    """The errors are its own."""
    for wrong in (lambda x: type(), lambda x: type(x, ())):
        with pytest.raises(TypeError, match="type"):
            while_traced(1.5, wrong)
