"""Rulesets are found by their entry points, and tried."""

import subprocess
import sys

import pytest

from chainrules.command_line.installed_rulesets import (
    InstalledRuleset,
    installed_rulesets,
    is_installed,
    load_all_rulesets,
)
from chainrules_core import rrule


def test_ours_are_found():
    """All rulesets of this package are found."""
    found = list(installed_rulesets())

    assert InstalledRuleset("numpy", "chainrules.rulesets.numpy") in found
    assert len(found) == len(set(found))


@pytest.mark.at_length
def test_all_are_loaded():
    """Rules for modules that the program has not imported are there too."""
    program = (
        "from chainrules.command_line.installed_rulesets import load_all_rulesets; load_all_rulesets(); "
        "import scipy.sparse.linalg; from chainrules_core import rrule; "
        "assert scipy.sparse.linalg.spsolve in rrule.callees()"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    ("target", "module", "state", "reason"),
    [
        ("math", "chainrules.rulesets.math", "loaded", ""),
        ("no_such_module", "math", "pending", "no_such_module is not installed"),
        ("no.such.module", "math", "pending", "no.such.module is not installed"),
        ("torch", "math", "pending", "loads when a program has imported torch"),
        ("math", "no_such_ruleset", "broken", "ModuleNotFoundError: No module named 'no_such_ruleset'"),
    ],
)
def test_states(target, module, state, reason):
    """A ruleset whose module can be imported is loaded; one for a framework is not."""
    assert InstalledRuleset(target, module).state() == (state, reason)


def test_installed():
    """A module is looked for, not imported."""
    assert is_installed("wave")
    assert "this" not in sys.modules
    assert is_installed("this")
    assert "this" not in sys.modules
    assert not is_installed("no_such_module.inner")


def test_loading_is_quiet():
    """Loading all rulesets a second time changes nothing, and prints nothing."""
    load_all_rulesets()
    before = len(rrule.callees())
    load_all_rulesets()

    assert len(rrule.callees()) == before
