"""The packages that are written against `chainrules_core` alone, with their own tests.

Installed from wheels, in an environment of their own, they are tested by `.ci/check_third_party.py`.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ROOT / "examples" / "third_party"

# What the entry point says, for a package that is not installed.
PROGRAM = """
import sys, pytest
from chainrules_core import register_ruleset
register_ruleset(sys.argv[1], f"{sys.argv[1]}.rules")
sys.exit(pytest.main(["-q", "-c", "/dev/null", "--rootdir=.", "-p", "no:cacheprovider", "tests"]))
"""


NAMES = sorted(path.parent.name for path in PACKAGES.glob("*/pyproject.toml"))


def test_each_has_a_page():
    """The page of all of them names it, and its own says how it got its derivatives."""
    page = (ROOT / "docs" / "witnesses.md").read_text("utf-8")
    assert [name for name in NAMES if f"examples/third_party/{name}/README.md" not in page] == []
    readmes = {name: (PACKAGES / name / "README.md").read_text("utf-8") for name in NAMES}
    assert [name for name in NAMES if "## How this package got its derivatives\n" not in readmes[name]] == []


@pytest.mark.parametrize("package", NAMES)
def test_package_passes_its_tests(package):
    """Its own tests pass, with nothing but this repository and the package on the path."""
    paths = [str(ROOT), str(PACKAGES / package), os.environ.get("PYTHONPATH", "")]
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, package],
        cwd=PACKAGES / package,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "passed" in result.stdout
