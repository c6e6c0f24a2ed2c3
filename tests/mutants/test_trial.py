"""Whether what is noticed is told from what is not, in trees that are made up."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants import __main__ as program
from tests.mutants.mutations import mutants
from tests.mutants.trial import trials

MODULE = b"""
def double(x):
    while x is None:
        pass
    return x + x

def ratio(x, y):
    return x / y
"""
TESTS = """
from package.module import double, ratio

def test_double():
    assert double(3) == 6

def test_ratio():
    assert ratio(3, 1) == 3
"""

# They do not see the functions themselves.
READERS = """
import inspect
import subprocess
import sys

def test_source():
    from package.module import ratio
    assert "x / y" in inspect.getsource(ratio)

def test_interpreter():
    program = "from package.module import double; assert double(3) == 6"
    subprocess.run([sys.executable, "-c", program], check=True)
"""
AT_IMPORT = """
import pytest
from package.module import SIZE

@pytest.mark.parametrize("case", range(SIZE))
def test_case(case):
    assert case < 2

def test_size():
    assert SIZE
"""


pytestmark = pytest.mark.at_length


@pytest.fixture
def tree(tmp_path):
    """Write a package with one module and a test file."""
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").touch()
    (tmp_path / "package" / "module.py").write_bytes(MODULE)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_module.py").write_text(TESTS)
    return tmp_path


def outcomes(tree):
    """Each mistake that can be made in the module, and whether the test file notices it."""
    possible = mutants("package/module.py", (tree / "package" / "module.py").read_bytes())
    return {
        mutant.change[1]: noticed
        for mutant, noticed in trials(tree, possible, lambda _: ["tests/test_module.py"])
    }


def test_survivors_are_told(tree, monkeypatch):
    """What a test sees is noticed, endless loops too, and what none sees is not; the tree is as it was."""
    monkeypatch.setattr("tests.mutants.trial.PATIENCE", 3.0)
    before = {path: path.stat().st_mtime_ns for path in tree.rglob("*")}

    assert outcomes(tree) == {
        "while x is not None:": True,  # without an end
        "return x - x": True,
        "return x * y": False,
    }
    assert {path: path.stat().st_mtime_ns for path in tree.rglob("*")} == before


def test_what_reads_the_file(tree, monkeypatch):
    """The mistake stands in the file: for `inspect`, and for interpreters that tests start."""
    monkeypatch.setattr("tests.mutants.trial.PATIENCE", 3.0)
    (tree / "tests" / "test_module.py").write_text(READERS)

    assert all(outcomes(tree).values())


def test_what_runs_at_import(tree):
    """A mistake in it is seen by what is made of it, be it while tests are collected."""
    (tree / "package" / "module.py").write_text("SIZE = 1 + 1\nUNSEEN = 1\n")
    (tree / "tests" / "test_module.py").write_text(AT_IMPORT)

    assert outcomes(tree) == {
        "SIZE = 1 - 1": True,
        "SIZE = 2 + 1": True,
        "SIZE = 1 + 2": True,
        "UNSEEN = 2": False,
    }


def test_what_pytest_imports(tree, monkeypatch):
    """A mistake is seen in a module that pytest itself imports, whose asserts it rewrites."""
    monkeypatch.setattr("tests.mutants.trial.PATIENCE", 3.0)
    (tree / "conftest.py").write_text('pytest_plugins = ["package.module"]\n')

    assert list(outcomes(tree).values()) == [True, True, False]


@pytest.mark.parametrize(("other", "times"), [("other", 1), ("torch", 4)])
def test_what_comes_before_is_shared(tree, monkeypatch, other, times):
    """What is imported before the module is imported once for all mistakes, unless it is a framework."""
    monkeypatch.setattr("tests.mutants.trial.PATIENCE", 3.0)
    log = tree / "log"
    (tree / f"{other}.py").write_text(
        f"with open({str(log)!r}, 'a') as log:\n    print('imported', file=log)\n"
    )
    (tree / "tests" / "test_module.py").write_text(f"import {other}\n{TESTS}")

    assert list(outcomes(tree).values()) == [True, True, False]
    assert len(log.read_text().splitlines()) == times


def test_a_test_that_fails_by_itself_notices_nothing(tree):
    """It would seem to notice everything, so that is an error."""
    (tree / "tests" / "test_module.py").write_text("def test_wrong():\n    assert False\n")

    with pytest.raises(ExceptionGroup, match="no mistake") as failure:
        outcomes(tree)
    assert "tests/test_module.py" in str(failure.value.exceptions[0])


def test_tests_that_need_a_framework(tree):
    """Where it is not installed they tell nothing, and their module is left out."""
    (tree / "tests" / "test_module.py").write_text('import pytest\npytest.importorskip("no_framework")\n')

    assert outcomes(tree) == {}


def test_the_program(monkeypatch, capsys):
    """It prints what is not noticed and the rate, fails if that is too low, and repeats by its seed."""
    seen = []

    def half_noticed(root, drawn, tests_of):
        seen.append(drawn)
        return [(mutant, number % 2 == 0) for number, mutant in enumerate(drawn)]

    monkeypatch.setattr(program, "trials", half_noticed)
    monkeypatch.setattr(
        sys, "argv", ["mutants", "--seed", "3", "--count", "4", "--at-least", "50", "ad/", "formulas/"]
    )
    program.main()
    program.main()
    printed = capsys.readouterr().out

    assert seen[0] == seen[1]
    assert len(seen[0]) == 4
    assert seen[0][1].diff in printed
    assert seen[0][0].diff not in printed
    assert "seed 3: 2 of 4 noticed, 50.0 %" in printed

    monkeypatch.setattr(sys, "argv", ["mutants", "--seed", "3", "--count", "4", "ad/", "formulas/"])
    with pytest.raises(SystemExit) as failure:
        program.main()
    assert failure.value.code == 1


def test_what_is_run():
    """The mirrored file; of a formula also those of its users, of a shortcut a part of the test of all."""
    assert program.tests_of(Path("chainrules/ad/modes/nodes.py")) == [
        "tests/chainrules/ad/modes/test_nodes.py"
    ]
    assert program.tests_of(Path("chainrules/formulas/functions_of_matrices/matrix_powers.py")) == [
        "tests/chainrules/formulas/functions_of_matrices/test_matrix_powers.py",
        "tests/chainrules/rulesets/numpy/linalg/test_matrix_power.py",
        "tests/chainrules/rulesets/scipy/linalg/test_fractional_matrix_power.py",
    ]
    assert program.tests_of(Path("chainrules/shortcuts/numpy/sorting.py"))[1:] == [
        "tests/chainrules/test_shortcuts.py",
        "-k",
        "test_sorting.py or chainrules.shortcuts.numpy.sorting.",
    ]
    assert len(program.tests_of(program.PLAIN_ARRAYS)) == 4


def test_it_starts():
    """The program runs as it is documented."""
    command = [sys.executable, "-m", "tests.mutants", "--help"]

    assert (
        "--seed"
        in subprocess.run(command, check=True, capture_output=True, text=True, cwd=program.ROOT).stdout
    )
