"""The program that trains with compiled derivatives and without."""

import re

import pytest

pytest.importorskip("sklearn")
pytestmark = pytest.mark.at_length

ARGUMENTS = (2,)


def test_source_is_printed(printed):
    """The gradient is a program, with the lines of the loss in front of what came from them."""
    assert "def program(w1, b1, w2, b2, pictures, labels):" in printed
    assert 'hidden = xp.tanh(pictures @ parameters["w1"] + parameters["b1"])' in printed
    assert re.search(r"\n    hidden = np\.tanh\(\w+\)\n", printed)


def test_all_steps_but_the_first_run_what_was_recorded(printed):
    """One program serves the whole training."""
    calls, steps = map(int, re.search(r"(\d+) of (\d+) steps ran what was recorded", printed).groups())

    assert calls == steps - 1


def test_losses_are_the_same_and_fall(printed):
    """Compiled or not, training takes the same way."""
    first, last = map(float, re.search(r"fall from (\S+) to (\d\.\d+)", printed).groups())
    apart = float(re.search(r"differ by (\S+) at most", printed)[1])

    assert last < first / 3
    assert apart < 1e-9


def test_compiled_steps_are_faster(printed):
    """That is what it is for; the time of each way is printed."""
    times = dict(re.findall(r"(\S+) +\S+ ms a step, +(\S+) times as fast", printed))

    assert float(times["compiled"]) > 1.0
