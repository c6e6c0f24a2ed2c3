"""The plugin, and that pytest does not collect the testers: in runs of pytest of their own."""

import os
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import chainrules_testutils
from chainrules_testutils import TestConfig, pytest_plugin
from tests.forked_python import run_module

ROOT = Path(__file__).parents[2]
PLUGIN = ("-p", "chainrules_testutils.pytest_plugin")


def forked(options, folder, environment):
    """pytest in a process that others have prepared, of which most tests need no more."""
    return run_module("pytest", *options, folder=folder, **environment)


def started(options, folder, environment):
    """pytest in an interpreter that starts for it."""
    command = [sys.executable, "-m", "pytest", *options]
    environment = {**os.environ, **environment}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)


def pytest_process(folder, source, *options, settings="", run=forked):
    """A finished run of pytest on one test file."""
    (folder / "test_file.py").write_text(source)
    (folder / "pytest.ini").write_text(f"[pytest]\nfilterwarnings = error\n{settings}")
    options = ["-q", "-p", "no:cacheprovider", str(folder), *options]
    environment = {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return run(options, folder, environment)


def run_pytest(folder, source, *options, settings="", run=forked):
    """What pytest prints for one test file."""
    result = pytest_process(folder, source, *options, settings=settings, run=run)
    return result.stdout + result.stderr


IMPORTS = """
from chainrules_testutils import *
from chainrules_testutils.testers import rrule_tester


def test_mine():
    assert callable(test_rrule)


class TestMine:
    def test_method(self):
        assert TestConfig() is not None
"""

SEEDS = """
import numpy as np
import pytest

@pytest.mark.parametrize("n", [1, 2])
def test_seed(rng, n):
    assert isinstance(rng, np.random.Generator)
    print("drew", rng.integers(10**9))
"""


@pytest.mark.parametrize("plugin", [(), PLUGIN])
def test_testers_are_not_collected(tmp_path, plugin):
    """With the plugin and without, a module that imports everything has only its own tests."""
    output = run_pytest(tmp_path, IMPORTS, "-vv", *plugin)

    assert "2 passed" in output
    assert "error" not in output.lower().replace("filterwarnings = error", "")
    assert "test_file.py::test_mine" in output
    assert "test_file.py::TestMine::test_method" in output


def test_random_numbers_come_from_the_name(tmp_path):
    """The fixture `rng` draws the same in each run, and something else in each test."""
    runs = [run_pytest(tmp_path, SEEDS, "-s", *PLUGIN) for _ in range(2)]
    drawn = [
        [line.split("drew ")[1].rstrip(".") for line in run.splitlines() if "drew" in line] for run in runs
    ]

    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) == 2


def test_the_plugin_is_cheap(tmp_path):
    """Every run of pytest where it is installed loads the plugin, but not SymPy, fdm or SciPy."""
    source = """
import sys

def test_imports():
    assert not {"sympy", "fdm", "scipy"} & set(sys.modules)
"""
    assert "1 passed" in run_pytest(tmp_path, source, *PLUGIN, run=started)


RULES = """
from chainrules_core import scalar_rule
from chainrules_testutils import TestConfig, test_rrule, test_scalar


def cube(x):
    return x**3


def fourth(x):
    return x**4


scalar_rule(cube, lambda y, x: 3 * x**2)
scalar_rule(fourth, lambda y, x: 4 * x**3)


def test_cube(rule_config):
    assert type(rule_config) is TestConfig
    test_scalar(cube, 1.5, config=rule_config)


def test_fourth():
    test_rrule(fourth, 1.5)
    assert "fdm" not in __import__("sys").modules  # right rules do not need it
"""


def test_rule_coverage_lists_rules_that_were_not_tested(tmp_path):
    """Only when asked, in a section of its own; the run passes."""
    output = run_pytest(tmp_path, RULES, *PLUGIN, "--rule-coverage=report")

    assert "= rule coverage =" in output
    assert "3 of 4 rules were tested\nNOT TESTED frule fourth_frule(" in output
    assert "test_file.py:15" in output
    assert "2 passed" in output
    assert "rule coverage" not in run_pytest(tmp_path, RULES, *PLUGIN)


@pytest.mark.parametrize(
    ("source", "option", "code"),
    [
        (RULES, "--rule-coverage", 0),
        (RULES, "--rule-coverage=fail", 1),
        (RULES.replace("test_rrule(f", "test_scalar(f"), "--rule-coverage=fail", 0),
        (RULES.replace("4 * x**3", "3 * x**3"), "--rule-coverage=report", 1),
        (RULES, "--rule-coverage=maybe", 4),
    ],
    ids=["reported", "failed", "complete", "failed tests", "unknown"],
)
def test_exit_codes(tmp_path, source, option, code):
    """A gap fails the run with `=fail` only, and a failed test always."""
    assert pytest_process(tmp_path, source, *PLUGIN, option).returncode == code


def test_rule_coverage_paths(tmp_path):
    """The setting `rule_coverage_paths` says whose rules count."""
    settings = "rule_coverage_paths = elsewhere\n"
    output = run_pytest(tmp_path, RULES, *PLUGIN, "--rule-coverage=fail", settings=settings)

    assert "0 of 0 rules were tested" in output


def test_failures_point_at_the_test(tmp_path):
    """pytest shows the line of the test and the message, not the inside of the tester."""
    output = run_pytest(tmp_path, RULES.replace("4 * x**3", "8 * x**3"), *PLUGIN)

    assert "test_rrule(fourth, 1.5)" in output
    assert "- cotangent for input 2: wrong value" in output
    assert "hint: 2 times the expected value." in output
    assert "rrule_tester.py" not in output
    assert "report.py" not in output


def test_warnings_of_rules_are_those_of_the_test(tmp_path):
    """A warning inside a rule is treated as pytest is configured to treat warnings."""
    source = RULES.replace("lambda y, x: 3 * x**2", "warned")
    source = source.replace(
        "scalar_rule(cube",
        "def warned(y, x):\n    warnings.warn('rough')\n    return 3 * x**2\n\n\nscalar_rule(cube",
    )
    source = "import warnings\n" + source

    assert "raised UserWarning: rough" in run_pytest(tmp_path, source, *PLUGIN)
    assert "2 passed" in run_pytest(tmp_path, source, *PLUGIN, "-W", "ignore:rough")


class FakeConfig:
    """What the counting hooks need of pytest's configuration."""

    def __init__(self, **attributes):
        self.rootpath = Path(__file__).parent  # which has few of all rules
        vars(self).update(attributes)

    def getini(self, name):
        """No setting."""
        return []

    def getoption(self, name):
        """The strict form."""
        return "fail"


def test_processes_of_xdist_send_their_counts():
    """A worker sends what it has counted, and the reporting process takes it in."""
    worker, reporter = FakeConfig(workeroutput={}), FakeConfig()
    pytest_plugin._Coverage(worker).pytest_sessionfinish(None)
    hooks = pytest_plugin._Coverage(reporter)
    before = len(hooks._total().registered)
    sent = {"registered": ["rrule there  there.py:1"], "exercised": []}
    hooks.pytest_testnodedown(types.SimpleNamespace(workeroutput={pytest_plugin._SENT: sent}))
    hooks.pytest_testnodedown(types.SimpleNamespace())  # a worker that crashed

    assert worker.workeroutput[pytest_plugin._SENT].keys() == {"registered", "exercised"}
    assert len(hooks._total().registered) == before + 1
    assert "rrule there  there.py:1" in hooks._total().missing


class FakeTerminal:
    """What the summary is written to."""

    def __init__(self):
        self.lines = []

    def section(self, title, **colours):
        """A headline."""
        self.lines.append(title)

    def write_line(self, line):
        """A line."""
        self.lines.append(line)


def test_the_summary_lists_what_was_not_tested():
    """And the run fails, if it has not failed already and that was asked for."""
    hooks = pytest_plugin._Coverage(FakeConfig())
    sent = {"registered": ["rrule there  there.py:1"], "exercised": []}
    hooks.pytest_testnodedown(types.SimpleNamespace(workeroutput={pytest_plugin._SENT: sent}))
    terminal, session = FakeTerminal(), types.SimpleNamespace(exitstatus=pytest.ExitCode.OK)
    hooks.pytest_terminal_summary(terminal)
    hooks.pytest_sessionfinish(session)

    assert terminal.lines[0] == "rule coverage"
    assert "NOT TESTED rrule there  there.py:1" in terminal.lines
    assert session.exitstatus == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize("status", [pytest.ExitCode.OK, pytest.ExitCode.INTERRUPTED])
def test_a_run_keeps_its_own_status(status):
    """Where no rule was missed, or something else is the matter already."""
    hooks = pytest_plugin._Coverage(FakeConfig(getoption=lambda name: "report"))
    session = types.SimpleNamespace(exitstatus=status)
    hooks.pytest_sessionfinish(session)

    assert session.exitstatus == status


@pytest.mark.parametrize(("option", "count"), [(None, 0), ("report", 1)])
def test_rules_are_counted_if_asked_for(option, count):
    """A run without the option has no hooks for it."""
    registered = []
    manager = types.SimpleNamespace(register=lambda hooks, name: registered.append(name))
    config = FakeConfig(pluginmanager=manager, getoption=lambda name, default=None: option)
    pytest_plugin.pytest_configure(config)

    assert len(registered) == count


def test_fixtures(rng, rule_config):
    """A generator, and a new configuration for rules."""
    assert isinstance(rng, np.random.Generator)
    assert isinstance(rule_config, TestConfig)


def test_only_public_names_are_listed():
    """`dir` of the package lists what it promises."""
    assert dir(chainrules_testutils) == sorted(chainrules_testutils.__all__)
