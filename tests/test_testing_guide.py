"""The project that the guide to testing shows works: its files are written, and its commands are run."""

import os
import re
import shlex
from pathlib import Path

import pytest

from tests.forked_python import run_module

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "rule_author" / "testing.md").read_text(encoding="utf-8")


def blocks(language):
    """The code blocks in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def commands():
    """What the workflow runs: one line each, or the lines below a ``>-``, joined."""
    (workflow,) = blocks("yaml")
    runs = re.findall(r"- run: (?:>-\n((?: {10}.*\n)+)|(.*))", workflow)
    return [shlex.split(folded or line) for folded, line in runs]


@pytest.fixture
def project(tmp_path):
    """The files that the page shows, in a folder."""
    for source in blocks("py"):
        path = tmp_path / re.match(r"# (\S+)\n", source).group(1)
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
    (tmp_path / "pytest.ini").write_text(blocks("ini")[0])
    return tmp_path


def run_tests(project):
    """The process of the workflow's last command, which finds the plugin without an installation."""
    *_, (python, option, module, *arguments) = commands()
    assert (python, option) == ("python", "-m")
    environment = {
        "PYTHONPATH": os.pathsep.join([str(ROOT), str(project)]),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": "-p chainrules_testutils.pytest_plugin -p no:cacheprovider",
    }
    return run_module(module, *arguments, folder=project, **environment)


def test_the_workflow_installs_what_there_is():
    """The first command installs the packages of this repository, from their folders, and the project."""
    install, _ = commands()
    folders = [path.parent.name for path in ROOT.glob("chainrules*/pyproject.toml")]
    from_git = [f"$CHAINRULES#subdirectory={folder}" for folder in folders]

    assert install[:4] == ["python", "-m", "pip", "install"]
    assert sorted(install[4:]) == sorted([*from_git, "."])


def test_the_workflow_passes(project):
    """The tests pass, and cover all rules."""
    finished = run_tests(project)

    assert finished.returncode == 0, finished.stdout
    assert "2 passed" in finished.stdout
    assert "2 of 2 rules were tested" in finished.stdout


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("spirals.py", "3 * x**2", "6 * x**2", "hint: 2 times the expected value"),
        (
            "tests/test_rules.py",
            "test_scalar(spiral,",
            "callable(float) or (spiral,",
            "NOT TESTED rrule spiral",
        ),
    ],
)
def test_the_workflow_fails_when_it_should(project, file, old, new, says):
    """A wrong rule fails the run, and so does one that is not tested."""
    path = project / file
    source = path.read_text()
    assert old in source
    path.write_text(source.replace(old, new).replace(", order=2)", ")"))
    finished = run_tests(project)

    assert finished.returncode == 1, finished.stdout
    assert says in finished.stdout


def quoted_messages():
    """The first column of the table of failures."""
    table = PAGE.partition("## What each failure means")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return [message for row in rows for message in re.findall(r"`([^`]+)`", row)]


@pytest.mark.parametrize("message", quoted_messages())
def test_messages_exist(message):
    """Each message that the page explains is one that the testers write."""
    package = ROOT / "chainrules_testutils"
    texts = [path.read_text(encoding="utf-8") for path in package.rglob("*.py")]
    written = (ROOT / "tests" / "chainrules_testutils").glob("failure_texts_*.txt")
    texts += [path.read_text(encoding="utf-8") for path in written]
    joined = re.sub(r'"\s+f?"', "", "\n".join(texts))
    pieces = re.split(r" ?\.\.\. ?|: ", message)

    assert all(piece in joined for piece in pieces), pieces
