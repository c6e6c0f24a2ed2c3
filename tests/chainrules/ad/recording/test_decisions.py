"""Decisions are read where they look for a NaN or a zero, as rules do, and nowhere else."""

import numpy as np
import pytest

from chainrules.ad.recording.decisions import Decisions
from chainrules.ad.recording.recorder import record_program

X = np.array([1.0, 2.0])


def read(f, *args):
    """The recorded values that the decisions of a program are about."""
    steps = record_program(f, args, {}).tape.steps

    def made_by(x):
        return steps[x._slot.at] if x._slot.kind == "step" else None

    decisions = Decisions(made_by, lambda x: x._slot, lambda step: False)
    truths = [step for step in steps if step.kind == "truth"]
    return [
        (decisions.without_nan(step) is not None, decisions.not_zero(step) is not None) for step in truths
    ]


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (lambda x: np.any(x != x), (True, False)),  # noqa: PLR0124 - NaN alone differs
        (lambda x: np.any(x * 0.0 != 0.0), (False, False)),
        (lambda x: np.any(x > 5.0), (False, False)),
        (lambda x: np.any(x != x + 0.0), (False, False)),
        (lambda x: np.any(x != x, axis=0), (False, False)),  # noqa: PLR0124 - NaN alone differs
        (lambda x: x[0] == 0, (False, True)),
        (lambda x: x[0] == 5.0, (False, False)),
        (lambda x: x[0] == x[1], (False, False)),
        (lambda x: x[0] > 5.0, (False, False)),
        (lambda x: x[0] == 1.0, (False, False)),
    ],
)
def test_decisions(condition, expected):
    """What they are about, if the answer was no."""

    def f(x):
        return x * 2.0 if condition(x) else x * 3.0

    assert read(f, X) == [expected]


def test_flags():
    """An argument that is a flag is no comparison."""
    assert read(lambda x: x if np.isnan(x[0]) else -x, X) == [(False, False)]
