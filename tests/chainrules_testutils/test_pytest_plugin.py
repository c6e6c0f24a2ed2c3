"""The plugin, and that pytest does not collect the testers: in runs of pytest of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run_pytest(folder, source, *options):
    """What pytest prints for one test file."""
    (folder / "test_file.py").write_text(source)
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    result = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)
    return result.stdout + result.stderr


IMPORTS = """
from chainrules_testutils import *
from chainrules_testutils import rrule_tester


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


@pytest.mark.parametrize("plugin", [(), ("-p", "chainrules_testutils.pytest_plugin")])
def test_testers_are_not_collected(tmp_path, plugin):
    """With the plugin and without, a module that imports everything has only its own tests."""
    output = run_pytest(tmp_path, IMPORTS, "-vv", *plugin)

    assert "2 passed" in output
    assert "error" not in output.lower().replace("filterwarnings = error", "")
    assert "test_file.py::test_mine" in output
    assert "test_file.py::TestMine::test_method" in output


def test_random_numbers_come_from_the_name(tmp_path):
    """The fixture `rng` draws the same in each run, and something else in each test."""
    runs = [run_pytest(tmp_path, SEEDS, "-s", "-p", "chainrules_testutils.pytest_plugin") for _ in range(2)]
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
    assert "1 passed" in run_pytest(tmp_path, source, "-p", "chainrules_testutils.pytest_plugin")
