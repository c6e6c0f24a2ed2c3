"""Builds, installs and tests the packages of `examples/third_party` in an environment of their own.

They are installed from wheels, beside the wheels of `dist`, so their rules are found by their entry points.
"""

import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from check_distributions import DIST, PACKAGES, ROOT, wheel

THIRD_PARTY = ROOT / "examples" / "third_party"
NAMES = ("block_diagonals", "pdmats")


def main() -> None:
    """Build and install them all, then run the tests of each, away from the source tree."""
    with tempfile.TemporaryDirectory() as folder:
        wheels = Path(folder) / "wheels"
        for name in NAMES:
            build = [
                sys.executable,
                "-m",
                "build",
                "--wheel",
                "--outdir",
                str(wheels),
                str(THIRD_PARTY / name),
            ]
            subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        environment = Path(folder) / "environment"
        venv.create(environment, symlinks=True)
        python = str(environment / "bin" / "python")
        # Siblings may come from `dist` only: the constraint refuses what a registry offers under their name.
        constraints = Path(folder) / "constraints.txt"
        constraints.write_text("".join(f"{name} @ {wheel(name).as_uri()}\n" for name in PACKAGES))
        pip = [sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check"]
        built = [f"{path}[test]" for path in sorted(wheels.glob("*.whl"))]
        siblings = ["--find-links", str(DIST), "--constraint", str(constraints)]
        subprocess.run([*pip, "install", *siblings, *built], check=True)
        for name in NAMES:
            # A copy: pytest would load the `conftest.py` of this repository above the tests.
            tests = shutil.copytree(THIRD_PARTY / name / "tests", Path(folder) / name)
            subprocess.run([python, "-I", "-m", "pytest", "-q", str(tests)], check=True, cwd=folder)


if __name__ == "__main__":
    main()
