"""`doctor` says what is installed, and what is broken."""

import argparse
import subprocess
import sys

import numpy as np
import pytest

from chainrules.command_line import doctor
from chainrules.command_line.installed_rulesets import FRAMEWORKS, InstalledRuleset


def test_versions():
    """The versions of Python and of the packages that ours stand on are listed."""
    versions = doctor.answer(argparse.Namespace()).data["versions"]

    assert {"python", "numpy", "scipy", "plum-dispatch", "chainrules-core", "chainrules"} <= set(versions)
    assert None not in versions.values()


def test_our_rulesets_load():
    """All rulesets of this project load."""
    answer = doctor.answer(argparse.Namespace())
    states = {entry["target"]: entry["state"] for entry in answer.data["rulesets"]}

    assert states["numpy"] == states["scipy.sparse"] == "loaded"
    assert "broken" not in states.values()
    assert answer.notes == ["No ruleset is broken."]


def test_a_broken_ruleset(monkeypatch):
    """A broken ruleset is shown with its error, and named in the verdict."""
    rulesets = [InstalledRuleset("math", "no_such_ruleset"), InstalledRuleset("no_such_module", "math")]
    monkeypatch.setattr(doctor, "installed_rulesets", lambda: iter(rulesets))
    answer = doctor.answer(argparse.Namespace())
    broken, pending = answer.data["rulesets"]

    assert broken["state"] == "broken"
    assert "ModuleNotFoundError: No module named 'no_such_ruleset'" in broken["reason"]
    assert pending["state"] == "pending"
    assert "no_such_ruleset" in answer.notes[0]


def test_nothing_installed(monkeypatch):
    """Without entry points there are no rulesets: the answer says what to do."""
    monkeypatch.setattr(doctor, "installed_rulesets", lambda: iter(()))

    assert "No ruleset is installed" in doctor.answer(argparse.Namespace()).notes[0]


@pytest.mark.at_length
def test_frameworks_are_not_imported():
    """Frameworks are looked for, and not imported."""
    program = (
        "import sys; from chainrules.command_line.main import main; main(['doctor', '--json']); "
        f"sys.exit(any(name in sys.modules for name in {FRAMEWORKS!r}))"
    )
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert finished.returncode == 0, finished.stderr


def test_frameworks_that_are_there(monkeypatch):
    """Each is shown with its version, if that is known."""
    monkeypatch.setattr(doctor, "FRAMEWORKS", ("numpy", "wave", "no_such_framework"))

    found = doctor.answer(argparse.Namespace()).data["frameworks"]
    assert list(found) == ["numpy", "wave"]
    assert found["wave"] is None
    *_, shown = doctor.answer(argparse.Namespace()).sections
    assert [name for name, _ in shown.rows] == ["numpy", "wave"]


def test_tables_say_what_the_data_say(monkeypatch):
    """Versions, or that there is none; the reason of a ruleset that is not loaded, or else its module."""
    monkeypatch.setattr(doctor, "FRAMEWORKS", ("numpy", "wave"))
    monkeypatch.setattr(doctor, "_PACKAGES", ("numpy", "no_such_package"))
    rulesets = [InstalledRuleset("math", "no_such_ruleset"), InstalledRuleset("math", "cmath")]
    monkeypatch.setattr(doctor, "installed_rulesets", lambda: iter(rulesets))
    answer = doctor.answer(argparse.Namespace())
    data, (versions, states, frameworks) = answer.data, answer.sections

    assert versions.rows == [
        ("python", data["versions"]["python"]),
        ("numpy", np.__version__),
        ("no_such_package", "not installed"),
    ]
    broken, loaded = data["rulesets"]
    assert states.rows == [("math", "broken", broken["reason"]), ("math", "loaded", "cmath")]
    assert not loaded["reason"]
    assert frameworks.rows == [("numpy", np.__version__), ("wave", "")]
    monkeypatch.setattr(doctor, "FRAMEWORKS", ())
    assert doctor.answer(argparse.Namespace()).sections[-1].rows == [("none", "")]
