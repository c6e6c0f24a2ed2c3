"""Laws of the three distributions that the source tree alone can answer for.

That the wheels and sdists hold what they should, and install by themselves, is checked where they are
built: `.ci/check_distributions.py`.
"""

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("chainrules_core", "chainrules", "chainrules_testutils")

# Those, and the packages within them, whose `__init__.py` says what is public.
WITH_CONTENTS = (*PACKAGES, "chainrules.ad", "chainrules_core.structured")

# Where a distribution's name does not spell the package that it installs.
IMPORT_NAMES = {"plum_dispatch": "plum"}


def metadata(package: str) -> dict:
    """The `[project]` table of a package."""
    return tomllib.loads((ROOT / package / "pyproject.toml").read_text())["project"]


def import_name(requirement: str) -> str:
    """The package that a requirement such as ``"plum-dispatch>=2.10"`` provides."""
    name = re.match(r"[\w.-]+", requirement).group().replace("-", "_")
    return IMPORT_NAMES.get(name, name)


def declared(package: str) -> set[str]:
    """What `package` may import: what it declares, and what its siblings declare for their users."""
    names = {import_name(requirement) for requirement in metadata(package)["dependencies"]}
    return names.union(*(declared(name) for name in names if name in PACKAGES))


def optional(package: str) -> set[str]:
    """What `package` may import where an extra is asked for."""
    extras = metadata(package).get("optional-dependencies", {})
    return {import_name(requirement) for requirements in extras.values() for requirement in requirements}


def is_type_checking_block(node: ast.AST) -> bool:
    """Whether `node` is an `if TYPE_CHECKING:`, which no interpreter enters."""
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def imported(node: ast.AST) -> Iterator[str]:
    """The packages that the source under `node` imports by an absolute name."""
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.level == 0:
        yield node.module.partition(".")[0]
    elif not is_type_checking_block(node):
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr):  # which hold no statements
                yield from imported(child)


def third_party_imports(path: Path) -> set[str]:
    """The packages outside the standard library that a module imports, wherever it does so."""
    names = set(imported(ast.parse(path.read_text(encoding="utf-8"))))
    return names - sys.stdlib_module_names


_IMPORTS = (ast.Import, ast.ImportFrom)


def public_bindings(init: Path) -> set[str]:
    """The public names that the top level of a package binds, those for type checkers included."""
    body = ast.parse(init.read_text(encoding="utf-8")).body
    blocks = [block for block in body if is_type_checking_block(block)]
    for_type_checkers = [node for block in blocks for node in block.body if isinstance(node, _IMPORTS)]
    # What it imports from itself it imports for what that registers.
    package = ".".join(init.parent.relative_to(ROOT).parts)
    names = set()
    for node in body:
        if isinstance(node, _IMPORTS):
            of_others = getattr(node, "module", None) not in {"typing", package}
            names |= imported_names(node) if of_others else set()
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    names = names.union(*map(imported_names, for_type_checkers))
    return {name for name in names if not name.startswith("_")}


def imported_names(node: ast.Import | ast.ImportFrom) -> set[str]:
    """The names that an import binds."""
    return {alias.asname or alias.name for alias in node.names}


def entry_points(group: str) -> list[tuple[str, str]]:
    """The entry points of `group` that the packages declare: names and modules."""
    return [
        entry
        for package in PACKAGES
        for entry in metadata(package).get("entry-points", {}).get(group, {}).items()
    ]


def module_path(dotted_name: str) -> Path:
    """The file of a module of this repository; a package's is its `__init__.py`."""
    path = ROOT.joinpath(*dotted_name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def test_versions_agree():
    """The three packages are released together: one version, and each asks for the others at that version."""
    (version,) = {metadata(package)["version"] for package in PACKAGES}
    siblings = {
        requirement
        for package in PACKAGES
        for requirement in metadata(package)["dependencies"]
        if import_name(requirement) in PACKAGES
    }
    assert siblings == {f"chainrules-core~={version}"}


@pytest.mark.parametrize("page", ["README.md", "docs/versions.md"])
def test_promised_versions_are_those_declared(page):
    """The table says what the packages ask for: each of these Pythons, and no older NumPy or SciPy."""
    cells = dict(
        re.findall(r"^\| (\w+) \| ([^|]*?) \|", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    )
    prefix = "Programming Language :: Python :: 3."
    asked = {line for package in PACKAGES for line in metadata(package)["dependencies"]}

    for package in PACKAGES:
        pythons = [line for line in metadata(package)["classifiers"] if line.startswith(prefix)]
        assert cells["Python"].split(", ") == [line.rpartition(" ")[2] for line in pythons]
        assert metadata(package)["requires-python"] == f">={cells['Python'].split(', ')[0]}"
    for name in ("NumPy", "SciPy"):
        assert cells[name].endswith(" and newer")
        assert f"{name.lower()}>={cells[name].split()[0]}" in asked


@pytest.mark.parametrize("package", PACKAGES)
def test_changelog_names_the_version(package):
    """The version that a package declares has a section in the changelog, and the package one within it."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(
        rf"^## {re.escape(metadata(package)['version'])}\b.*?(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL
    )

    assert section
    assert f"### {metadata(package)['name']}\n" in section.group()


@pytest.mark.parametrize("package", PACKAGES)
def test_package_has_what_an_archive_needs(package):
    """Each package has its readme, its type marker, and the repository's licence word for word."""
    assert (ROOT / package / "README.md").read_text().startswith(f"# {metadata(package)['name']}\n")
    assert (ROOT / package / "py.typed").is_file()
    assert (ROOT / package / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def is_for_an_extra(path):
    """Whether a file may import what a package declares as an extra: it is imported where that is in use."""
    return bool({"adapters", "dask"} & set(path.parts)) or path.name in {"drawing.py", "native.py"}


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_are_declared(package):
    """A package imports the standard library, itself, and what it declares; extras in few places only."""
    allowed = declared(package) | {package}
    undeclared = {
        str(path.relative_to(ROOT)): names
        for path in (ROOT / package).rglob("*.py")
        if (names := third_party_imports(path) - allowed)
        and not (is_for_an_extra(path.relative_to(ROOT)) and names <= optional(package))
    }
    assert undeclared == {}


@pytest.mark.parametrize("package", WITH_CONTENTS)
def test_all_is_the_table_of_contents(package):
    """`__all__` names every public name that `__init__.py` binds, once, and nothing that is not there."""
    module = importlib.import_module(package)
    names = module.__all__

    assert len(names) == len(set(names))
    assert set(names) == public_bindings(ROOT.joinpath(*package.split("."), "__init__.py"))
    assert [name for name in names if not hasattr(module, name)] == []


@pytest.mark.parametrize("package", WITH_CONTENTS)
def test_dir_shows_what_is_public(package):
    """`dir` of a package, from which editors complete names, is its table of contents; its modules import."""
    module = importlib.import_module(package)

    assert dir(module) == sorted(module.__all__)
    below = [name for _, name, _ in pkgutil.iter_modules(module.__path__) if not name.startswith("__")]
    inner = next(name for name in below if name not in module.__all__)
    assert importlib.import_module(f"{package}.{inner}") is getattr(module, inner)


@pytest.mark.parametrize("package", PACKAGES)
def test_versions_at_run_time(package):
    """`__version__` is the version of the distribution."""
    assert importlib.import_module(package).__version__ == metadata(package)["version"]


@pytest.mark.parametrize(
    "program",
    [
        "import chainrules; chainrules.ad.grad(lambda x: x * x)(3.0)",
        "from chainrules import ad; ad.grad",
        "from chainrules import *; ad.grad",
        "import chainrules.ad; chainrules.ad.grad",
    ],
)
def test_the_engine_is_at_hand(program):
    """`import chainrules` is enough to use `chainrules.ad`."""
    run(program)


def test_the_engine_is_imported_when_it_is_used():
    """Whoever only has the rules does not wait for it; what is not there is an AttributeError."""
    run(
        "import sys, chainrules; assert 'chainrules.ad' not in sys.modules; "
        "assert not hasattr(chainrules, 'adapters'); assert not hasattr(chainrules, '__path_of_nothing__'); "
        "assert 'chainrules.ad' not in sys.modules"
    )


def run(program: str) -> None:
    """Run a program in an interpreter of its own, where nothing has been imported."""
    finished = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize("group", ["chainrules.rulesets", "pytest11"])
def test_entry_points_name_modules(group):
    """Every declared entry point leads to a module of this repository."""
    missing = {name: module for name, module in entry_points(group) if not module_path(module).is_file()}

    assert missing == {}


def test_one_entry_point_names_all_rulesets():
    """`chainrules.rulesets` is found without `chainrules` being imported, whatever else a program imports."""
    assert ("builtins", "chainrules.rulesets") in entry_points("chainrules.rulesets")
