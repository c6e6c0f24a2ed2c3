"""The benchmarks run: their ratios are for `make bench`, but they must not stop unseen."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
NAMES = sorted(file.stem for file in BENCHMARKS.glob("*.py") if "def rows(" in file.read_text("utf-8"))


@pytest.mark.at_length
@pytest.mark.parametrize("name", NAMES)
def test_runs(name):
    """Each call is made once; one that is measured against a wrong result raises by itself."""
    command = [sys.executable, "-m", "benchmarks", name]
    environment = {**os.environ, "BENCHMARKS_RUN_ONCE": "1"}
    subprocess.run(command, check=True, env=environment, cwd=BENCHMARKS.parent)
