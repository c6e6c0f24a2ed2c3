"""The program that `make demo` runs."""

import re

import pytest

from tests.examples.programs import ROOT

pytest.importorskip("sklearn")


def test_right_rule_passes_and_wrong_rule_is_rejected(printed):
    """One of the two rules that are checked passes, and the report on the other names the cotangent."""
    assert re.search(r"The rule: [1-9]\d* checks passed, 0 failed", printed)
    rejection = printed[printed.index("is rejected:") :]
    assert re.search(r"test_rrule: \S*log_softmax .* checks failed", rejection)
    assert "cotangent for input 2" in rejection


def test_progress_is_shown_and_the_loss_falls(printed):
    """While it fits, the program prints a loss that falls."""
    losses = [float(loss) for loss in re.findall(r"iteration +\d+ +loss (\S+)", printed)]

    assert len(losses) >= 2
    assert losses == sorted(losses, reverse=True)


def test_held_out_accuracy(printed):
    """The classifier that the gradient has fitted recognises 95 of 100 digits that it has not seen."""
    accuracy = re.search(r"Accuracy on \d+ pictures held out: (\S+)", printed)

    assert float(accuracy[1]) >= 0.95


def test_the_gradient_is_compared_with_differences(printed):
    """Both agree, and differences take many times as long."""
    longer, error = re.search(r"differences (\d+) times as long; they differ by (\S+) at", printed).groups()

    assert int(longer) >= 10  # 650 derivatives in the time of a few calls
    assert float(error) < 1e-6


def test_the_last_line_leads_on(printed):
    """The program ends with what else the rule serves, and pages that there are."""
    last = printed.splitlines()[-1]

    assert "PyTorch and JAX" in last
    assert all((ROOT / page).exists() for page in re.findall(r"\S+\.md", last))
