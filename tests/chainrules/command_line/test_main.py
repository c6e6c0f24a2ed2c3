"""The program as it is run from a shell."""

import json
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chainrules.command_line.main import main

PAGE = Path(__file__).parents[3] / "docs" / "command_line.md"
EXAMPLES = re.findall(r"^python -m chainrules (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def run(*words: str) -> subprocess.CompletedProcess:
    """The program in an interpreter of its own, whose output is piped."""
    command = [sys.executable, "-m", "chainrules", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.at_length
def test_a_program():
    """It answers on its output, without colours where that is piped."""
    finished = run("rules", "numpy.linalg.cholesky")

    assert finished.returncode == 0, finished.stderr
    assert "numpy/linalg/cholesky.py:" in finished.stdout
    assert "\x1b" not in finished.stdout


def test_a_reader_who_leaves_is_no_error():
    """`python -m chainrules rules '*' | head -1` ends in silence."""
    command = f"{sys.executable} -m chainrules rules '*' | head -1"
    finished = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)  # noqa: S607 - as users type it

    assert finished.stdout.startswith("function")
    assert finished.stderr == ""


@pytest.mark.parametrize("command", ["rules", "explain", "coverage", "doctor"])
def test_every_command_has_help(command, capsys):
    """Every command has help, with an exit code of 0."""
    with pytest.raises(SystemExit) as exited:
        main([command, "--help"])

    assert exited.value.code == 0
    assert "--json" in capsys.readouterr().out


@pytest.mark.parametrize(
    "question",
    ["rules numpy.sum", "explain numpy.sum ndarray", "coverage numpy.fft", "doctor"],
)
def test_every_command_answers_in_json(question, capsys):
    """Every command answers in JSON that any parser reads."""
    assert main([*question.split(), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("question", "suggestion"),
    [
        ("rules cholesly", "numpy.linalg.cholesky"),
        ("rules numpy.frompyfunc", "has no rules: the Python function cannot be had back"),
        ("explain numpy.wher", "numpy.where"),
        ("explain sin float23", "float"),
        ("explain math.pi", "which is not called"),
        ("explain numpy.linalg ndarray", "`coverage numpy.linalg` lists its functions"),
        ("explain numpy.sin Foo", "`mypackage.Foo` for a class of yours"),
        ("coverage numpy.linagl", "numpy.linalg"),
        ("coverage numpi", "numpy"),
    ],
)
def test_what_is_unknown_is_an_error(question, suggestion, capsys):
    """An unknown name exits with 2, and says which names may have been meant."""
    assert main(question.split()) == 2

    written = capsys.readouterr()
    assert suggestion in written.err
    assert written.out == ""


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_of_the_page_have_answers(example, capsys):
    """What `docs/command_line.md` shows works as it is written there."""
    assert main(shlex.split(example)) == 0
    assert capsys.readouterr().out


def test_no_command(capsys):
    """By itself it says which commands there are; one that there is not is an error that says so."""
    assert main([]) == 0
    assert "coverage" in capsys.readouterr().out
    with pytest.raises(SystemExit) as failure:
        main(["unknown"])
    assert failure.value.code == 2


def test_commands_are_quick():
    """Once the rules are imported, a command takes at most a second, in the time of this process."""
    main(["doctor"])
    for question in (
        "rules cholesky",
        "explain numpy.where ndarray ndarray ndarray",
        "coverage numpy",
        "doctor",
    ):
        before = time.process_time()
        main(question.split())
        assert time.process_time() - before < 1.0, question
