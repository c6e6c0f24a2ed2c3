"""What a release consists of beside the packages: one version, the workflows, the forms for reports."""

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from docs.release import main

ROOT = Path(__file__).parent.parent
PACKAGES = ("chainrules_core", "chainrules", "chainrules_testutils")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")


@pytest.fixture
def copy(tmp_path):
    """The files of the repository that hold a version."""
    for pattern in (
        "chainrules*/pyproject.toml",
        "chainrules*/__init__.py",
        "examples/third_party/*/pyproject.toml",
    ):
        for path in ROOT.glob(pattern):
            target = tmp_path / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    for name in ("CITATION.cff", "docs/rule_author/package.md"):
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    return tmp_path


def version():
    """The version of this tree."""
    return tomllib.loads((ROOT / "chainrules" / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def test_the_version_is_everywhere_the_same():
    """Also where packages ask for each other."""
    main([version(), "--check"])


def test_one_command_writes_it(copy):
    """Everywhere, and the tables stay what they are otherwise."""
    main(["7.8.9rc1"], copy)
    main(["7.8.9rc1", "--check"], copy)
    for package in PACKAGES:
        text = (copy / package / "pyproject.toml").read_text("utf-8")
        assert text.replace("7.8.9rc1", version()) == (ROOT / package / "pyproject.toml").read_text("utf-8")
        assert '__version__ = "7.8.9rc1"' in (copy / package / "__init__.py").read_text("utf-8")
    assert tomllib.loads((copy / "chainrules" / "pyproject.toml").read_text("utf-8"))["project"][
        "dependencies"
    ][0] == ("chainrules-core~=7.8.9rc1")
    assert "version: 7.8.9rc1\n" in (copy / "CITATION.cff").read_text("utf-8")


def test_links_of_the_packages(copy):
    """An address is written once, however often the command is used."""
    main([version(), "--address", "https://example.org/old/"], copy)
    main([version(), "--address", "https://example.org/new"], copy)
    for package in PACKAGES:
        project = tomllib.loads((copy / package / "pyproject.toml").read_text("utf-8"))["project"]
        assert project["urls"]["Issues"] == "https://example.org/new/issues"
        assert set(project["urls"]) == {"Homepage", "Documentation", "Issues", "Changelog"}
    citation = (copy / "CITATION.cff").read_text("utf-8")
    assert citation.count("repository-code: https://example.org/new\n") == 1
    assert "old" not in citation


def test_versions_that_are_none(capsys):
    """They are refused, and what disagrees is named."""
    with pytest.raises(SystemExit):
        main(["v1"])
    assert "three numbers" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["99.0.0", "--check"])
    assert "chainrules_core/__init__.py: __version__" in capsys.readouterr().err


@pytest.mark.every_case
@pytest.mark.parametrize("package", PACKAGES)
def test_metadata_is_whole(package):
    """What the package index shows is there: a description, a licence, classifiers."""
    project = tomllib.loads((ROOT / package / "pyproject.toml").read_text("utf-8"))["project"]
    kinds = {classifier.partition(" :: ")[0] for classifier in project["classifiers"]}

    assert project["license"] == "MIT"
    assert project["license-files"] == ["LICENSE"]
    assert project["readme"] == "README.md"
    assert 20 < len(project["description"]) < 120
    assert {"Development Status", "Intended Audience", "Operating System", "Programming Language"} <= kinds
    assert {"Topic", "Typing"} <= kinds
    assert not any("License ::" in classifier for classifier in project["classifiers"])  # `license` says it


def test_workflows_run_what_there_is():
    """Their targets are the Makefile's, their Pythons the promised ones; no action is taken from `main`."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    text = "".join(path.read_text("utf-8") for path in WORKFLOWS)

    assert len(WORKFLOWS) == 3
    for target in re.findall(r"run: make ([\w-]+)", text):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    for program in re.findall(r"(?<!\w)(\.ci/\w+(?:\.py)?)", text):
        assert (ROOT / program).is_file(), program
    promised = re.search(r"^\| Python \| (.*?) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)[1]
    assert re.search(r"python: \[(.*)\]", text)[1].replace('"', "") == promised
    assert "@main" not in text
    assert "@master" not in text


@pytest.mark.every_case
@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_reports_ask_for_versions(form):
    """Each form asks for what `python -m chainrules doctor` prints."""
    assert "`python -m chainrules doctor`" in form.read_text("utf-8")
