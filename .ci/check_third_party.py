"""Builds, installs and tests the packages of `examples/third_party` in an environment of their own.

They are installed from wheels, beside the wheels of `dist`, so their rules are found by their entry points.
A package with an extra `types` is checked by `mypy --strict` and by pyright too, as its author would.
"""

import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

from check_distributions import DIST, PACKAGES, ROOT, wheel

THIRD_PARTY = ROOT / "examples" / "third_party"
NAMES = sorted(path.parent.name for path in THIRD_PARTY.glob("*/pyproject.toml"))


def extras(name: str) -> list[str]:
    """The extras that a package declares: what its tests need, and the type checkers if it has types."""
    metadata = tomllib.loads((THIRD_PARTY / name / "pyproject.toml").read_text(encoding="utf-8"))
    return sorted(metadata["project"]["optional-dependencies"])


def build(name: str, wheels: Path) -> Path:
    """The wheel of a package, built into the folder `wheels`."""
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(wheels), str(THIRD_PARTY / name)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return next(wheels.glob(f"{name}-*.whl"))


def install(python: str, built: dict[str, Path], folder: Path) -> None:
    """Install the packages, with all their extras, into the environment of `python`."""
    # Siblings may come from `dist` only: the constraint refuses what a registry offers under their name.
    constraints = folder / "constraints.txt"
    constraints.write_text("".join(f"{name} @ {wheel(name).as_uri()}\n" for name in PACKAGES))
    pip = [sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check"]
    siblings = ["--find-links", str(DIST), "--constraint", str(constraints)]
    wanted = [f"{path}[{','.join(extras(name))}]" for name, path in built.items()]
    subprocess.run([*pip, "install", *siblings, *wanted], check=True)


def check(name: str, python: str, folder: Path) -> None:
    """Run the tests of a package, and the type checkers if it has types."""
    # A copy: pytest would load the `conftest.py` of this repository above the tests.
    copy = shutil.copytree(THIRD_PARTY / name, folder / name)
    subprocess.run([python, "-I", "-m", "pytest", "-q", "tests"], check=True, cwd=copy)
    if "types" in extras(name):
        checked = [name, "tests"]
        # pyright brings the Node.js with it that it runs on.
        for checker in (["mypy", "--strict"], ["pyright", "--pythonpath", python]):
            subprocess.run([python, "-I", "-m", *checker, *checked], check=True, cwd=copy)


def main() -> None:
    """Build and install them all, then check each, away from the source tree."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        built = {name: build(name, folder / "wheels") for name in NAMES}
        environment = folder / "environment"
        venv.create(environment, symlinks=True)
        python = str(environment / "bin" / "python")
        install(python, built, folder)
        for name in NAMES:
            check(name, python, folder)


if __name__ == "__main__":
    main()
