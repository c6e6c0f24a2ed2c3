"""The comparison of all rules with the frameworks that are installed; ``python -m tests.oracles`` writes it down."""

import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from chainrules_testutils.oracles.names import public_name
from chainrules_testutils.trial import Options
from docs.oracle_pages import FRAMEWORKS, MODES
from tests.oracle_calls import Comparisons
from tests.oracle_points import POINTS

ROOT = Path(__file__).parent.parent
RULESETS = "tests/chainrules/rulesets"


def installed():
    """The frameworks that are installed."""
    return [name for name in FRAMEWORKS if importlib.util.find_spec(name) is not None]


def compared_calls(frameworks):
    """What comes of comparing the calls in the tests of rules, for each framework: a process for each."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as processes:
        results = {name: Path(folder) / f"{name}.json" for name in frameworks}
        running = {name: processes.enter_context(_started(name, file)) for name, file in results.items()}
        for name, process in running.items():
            output, _ = process.communicate()
            assert process.returncode == 0, f"{name}:\n{output[-4000:]}"
        return {name: json.loads(file.read_text()) for name, file in results.items()}


def _started(framework, results):
    options = ["--oracle", framework, "--oracle-results", str(results)]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.oracle_calls", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [*command, RULESETS],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def compared_points(framework):
    """What comes of comparing at the points without a derivative."""
    comparisons = Comparisons(framework)
    for f, *args in POINTS:
        with np.errstate(all="ignore"):
            for mode in MODES:
                shown = f"{public_name(f)} at {', '.join(repr(getattr(x, 'x', x)) for x in args)}"
                comparisons.compare(mode, f, args, Options(rng=np.random.default_rng(0)), shown)
    return comparisons.found()
