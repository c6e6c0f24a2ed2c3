"""Checks what `make dist` has built.

Each archive holds its own package and nothing else, and each wheel installs and imports, in an
environment of its own, with no more than it declares.
"""

import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
PACKAGES = ("chainrules_core", "chainrules", "chainrules_testutils")
# The files of a package beside its modules.
DATA = {"chainrules": {"rulesets/followed.toml", "rulesets/gaps.toml"}}

# Imports every module of a package; adapters, and the rules of Dask's functions, need what is an extra.
IMPORT_ALL = """
import importlib, pkgutil, sys

package = importlib.import_module(sys.argv[1])
assert "site-packages" in package.__file__, package.__file__
names = [module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
extras = {"adapters", "dask"}
names = [name for name in names if not (extras & set(name.split(".")[:-1]) or name.endswith("__main__"))]
for name in names:
    importlib.import_module(name)
print(f"{package.__name__}: installed by itself, {len(names)} modules imported")
"""


def version(package: str) -> str:
    """The version that a package declares."""
    return tomllib.loads((ROOT / package / "pyproject.toml").read_text())["project"]["version"]


def wheel(package: str) -> Path:
    """The wheel of a package."""
    return DIST / f"{package}-{version(package)}-py3-none-any.whl"


def sdist(package: str) -> Path:
    """The source archive of a package."""
    return DIST / f"{package}-{version(package)}.tar.gz"


def modules(package: str) -> set[str]:
    """The files that a package consists of, as the source tree has them, relative to its folder."""
    folder = ROOT / package
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
    return files | {"py.typed"} | DATA.get(package, set())


def files_below(names: list[str], folder: str) -> set[str]:
    """An archive's `names` relative to `folder`; one that is not below it is a ValueError."""
    return {PurePosixPath(name).relative_to(folder).as_posix() for name in names}


def check_wheel(package: str) -> None:
    """A wheel holds the package's modules, `py.typed` and its metadata with the licence."""
    information = f"{package}-{version(package)}.dist-info"
    with zipfile.ZipFile(wheel(package)) as archive:
        names = archive.namelist()
    assert f"{information}/licenses/LICENSE" in names
    own = files_below([name for name in names if not name.startswith(information)], package)
    assert own == modules(package), own ^ modules(package)


def check_sdist(package: str) -> None:
    """An sdist holds the package's modules, and what a wheel is built from."""
    with tarfile.open(sdist(package)) as archive:
        names = [member.name for member in archive.getmembers() if member.isfile()]
    # Hatchling puts the repository's .gitignore into every sdist.
    expected = modules(package) | {"LICENSE", "PKG-INFO", "README.md", "pyproject.toml", ".gitignore"}
    own = files_below(names, f"{package}-{version(package)}")
    assert own == expected, own ^ expected


def check_installation(package: str) -> None:
    """A wheel installs into an empty environment, and every module imports there."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "environment"
        venv.create(environment, symlinks=True)
        python = str(environment / "bin" / "python")
        # Siblings may come from `dist` only: the constraint refuses what a registry offers under their name.
        constraints = Path(folder) / "constraints.txt"
        constraints.write_text("".join(f"{name} @ {wheel(name).as_uri()}\n" for name in PACKAGES))
        pip = [sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check"]
        install = [
            "install",
            "--find-links",
            str(DIST),
            "--constraint",
            str(constraints),
            str(wheel(package)),
        ]
        subprocess.run([*pip, *install], check=True)
        subprocess.run([*pip, "check"], check=True)
        subprocess.run([python, "-I", "-c", IMPORT_ALL, package], check=True, cwd=folder)


def main() -> None:
    """Check the three packages, one after the other."""
    for package in PACKAGES:
        check_wheel(package)
        check_sdist(package)
        check_installation(package)


if __name__ == "__main__":
    main()
