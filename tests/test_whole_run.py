"""What judges a whole run, in one process and in several: in runs of pytest of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

HOOKS = """
from tests.whole_run import (
    pytest_collection_modifyitems, pytest_configure, pytest_runtestloop, pytest_testnodedown
)
"""
NOTES = """
from tests.whole_run import observer

noted = []

@observer
def notes():
    return noted
"""
JUDGE = """
import notes
import pytest
from tests.whole_run import seen

def test_before():
    assert "before" not in notes.noted
    notes.noted.append("before")

@pytest.mark.last
def test_judge(request):
    processes = seen(request.config, notes.notes)
    print("seen", *processes)
    assert sorted(sum(processes, [])) == ["before", "one", "two"]
"""
ONE = """
import notes

def test_one():
    notes.noted.append("one")
"""
TWO = ONE.replace("one", "two")
FORGETFUL = """
def test_two():
    pass
"""
DEADLY = """
import os

def test_two():
    os._exit(3)
"""

SEVERAL = ("-n", "2", "--dist", "loadfile", "--max-worker-restart", "0")


def run_of_pytest(folder, *options, two=TWO):
    """Run the made-up tests, and the judge, whose file comes first; the exit status and what was printed."""
    files = {"conftest": HOOKS, "notes": NOTES, "test_a_judge": JUDGE, "test_one": ONE, "test_two": two}
    for name, source in files.items():
        (folder / f"{name}.py").write_text(source)
    (folder / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\nmarkers = last\n")
    command = [sys.executable, "-m", "pytest", "-q", "-rA", "-p", "xdist", "-p", "no:cacheprovider", *options]
    environment = {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)]),
    }
    result = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, check=False)
    return result.returncode, result.stdout + result.stderr


@pytest.mark.parametrize("options", [(), SEVERAL], ids=["one process", "several processes"])
def test_the_judge_sees_all(tmp_path, options):
    """It comes last, counts like every other test, and knows of what each process has seen."""
    status, output = run_of_pytest(tmp_path, *options)

    assert "4 passed" in output
    assert status == 0


def test_processes_see_apart(tmp_path):
    """A process by itself has not seen everything, so the judge needs what all of them have sent."""
    _, output = run_of_pytest(tmp_path, *SEVERAL)
    (line,) = [line for line in output.splitlines() if line.startswith("seen")]

    assert line.count("[") == 2


@pytest.mark.parametrize("options", [(), SEVERAL], ids=["one process", "several processes"])
def test_the_judge_fails_the_run(tmp_path, options):
    """What no process has seen is missed."""
    status, output = run_of_pytest(tmp_path, *options, two=FORGETFUL)

    assert "FAILED test_a_judge.py::test_judge" in output
    assert "1 failed, 3 passed" in output
    assert status == pytest.ExitCode.TESTS_FAILED


def test_a_dead_worker_fails_the_run(tmp_path):
    """And whoever judges says that it cannot."""
    status, output = run_of_pytest(tmp_path, *SEVERAL, two=DEADLY)

    assert "FAILED test_two.py::test_two" in output
    assert "AssertionError: a worker died" in output
    assert status == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize("options", [(), SEVERAL], ids=["one process", "several processes"])
def test_the_judge_is_chosen_like_other_tests(tmp_path, options):
    """It does not run if it is not among the tests that were asked for."""
    status, output = run_of_pytest(tmp_path, "-k", "one or two", *options)

    assert "2 passed" in output
    assert status == 0
