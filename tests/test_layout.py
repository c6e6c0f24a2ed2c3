"""Laws of the source tree: what is checked here need not be remembered."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TESTS = ROOT / "tests"
PACKAGES = ("chainrules_core", "chainrules", "chainrules_testutils")
SOURCES = (*PACKAGES, "tests", "examples", "benchmarks", "docs")

LONGEST_FILE = 400

# Modules that need no test file of their own, and why.
WITHOUT_TWIN: dict[str, str] = {}

# Test files that are about no single module, and why.
WITHOUT_MODULE = {
    "chainrules/ad/test_sparse_arrays.py": "the whole engine, with values of other types",
    "chainrules/ad/test_structured_arrays.py": "the whole engine, with values of other types",
    "chainrules/test_shortcuts.py": "all shortcuts together",
    "chainrules_core/test_imports.py": "what importing the packages costs",
    "chainrules_core/test_seed_callbacks.py": "several modules together: rules that call back into AD",
    "chainrules_core/test_seed_examples.py": "several modules together: rules of structures",
    "chainrules_core/test_seed_functions.py": "several modules together: rules of functions",
    "chainrules_core/test_tangent_laws.py": "the laws of a vector space, for all tangent types together",
}


def sources(*folders: str) -> Iterator[Path]:
    """Every Python file under `folders`."""
    return (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))


def modules() -> Iterator[Path]:
    """Every module of the three packages, relative to the root; a package's `__init__.py` is none."""
    return (path.relative_to(ROOT) for path in sources(*PACKAGES) if not path.name.startswith("__"))


def mirrors() -> Iterator[Path]:
    """Every test file of the three packages, relative to `tests`."""
    return (
        path.relative_to(TESTS)
        for path in sources(*(f"tests/{package}" for package in PACKAGES))
        if path.name.startswith("test_")
    )


def twin(module: Path) -> Path:
    """The test file of a module: the same path under `tests`; a private module drops its underscore."""
    return module.with_name(f"test_{module.name.lstrip('_')}")


def test_every_module_has_its_tests():
    """A module's tests are at the mirrored path."""
    missing = [str(module) for module in modules() if not (TESTS / twin(module)).is_file()]

    assert [module for module in missing if module not in WITHOUT_TWIN] == []


def test_every_test_file_has_its_module():
    """A test file is the mirror of a module."""
    twins = {twin(module) for module in modules()}
    orphans = [str(path) for path in mirrors() if path not in twins]

    assert [path for path in orphans if path not in WITHOUT_MODULE] == []


def test_exceptions_are_needed():
    """The lists of exceptions above name nothing that obeys the law, or is gone."""
    assert [
        path for path in WITHOUT_TWIN if not (ROOT / path).is_file() or (TESTS / twin(Path(path))).is_file()
    ] == []
    twins = {twin(module) for module in modules()}
    assert [path for path in WITHOUT_MODULE if not (TESTS / path).is_file() or Path(path) in twins] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_folder_is_a_package(package):
    """Folders of modules and of tests have an `__init__.py`: same-named test files collide otherwise."""
    folders = {path.parent for path in sources(package, f"tests/{package}")}

    assert (
        sorted(str(folder.relative_to(ROOT)) for folder in folders if not (folder / "__init__.py").is_file())
        == []
    )


def test_architecture_names_what_is_there():
    """Every path that ARCHITECTURE.md names exists."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    paths = re.findall(r"`([\w.]+/[\w./]*)`", page)

    assert len(paths) > 10
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_no_file_holds_two_concepts():
    """No file is longer than one concept takes."""
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in sources(*SOURCES)
    }

    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_file_is_a_drawer():
    """A file is named for the one thing that it holds."""
    drawers = {"common.py", "helpers.py", "misc.py", "util.py", "utils.py"}

    assert [str(path.relative_to(ROOT)) for path in sources(*SOURCES) if path.name in drawers] == []
