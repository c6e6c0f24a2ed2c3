"""The comparison of all rules with JAX and PyTorch; ``python -m tests.oracles`` writes it down."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from chainrules_testutils.oracles.names import public_name
from chainrules_testutils.testers.trial import Options
from docs.oracle_pages import COMPARED, FRAMEWORKS, MODES, differences, written
from tests.oracle_calls import Comparisons
from tests.oracle_points import POINTS

ROOT = Path(__file__).parent.parent
TESTS = "tests/chainrules/rulesets"
# The tests of rules in parts that take about as long.
RULESETS = (
    [f"{TESTS}/numpy"],
    [f"{TESTS}/scipy"],
    [TESTS, f"--ignore={TESTS}/numpy", f"--ignore={TESTS}/scipy"],
)


def comparisons():
    """All that comes of comparing, for each framework: of the calls in the tests, and at the points."""
    calls = compared_calls()
    return {framework: calls[framework] + compared_points(framework) for framework in FRAMEWORKS}


def compared_calls(rulesets=RULESETS):
    """What comes of comparing the calls in the tests of rules, for each framework.

    There is a process for each part of the tests, so that several processors share the work, and the calls
    that are chosen do not depend on their number.
    """
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as processes:
        files = [Path(folder, str(part)) for part in range(len(rulesets))]
        running = [
            processes.enter_context(_started(tests, results))
            for tests, results in zip(rulesets, files, strict=True)
        ]
        found = {framework: [] for framework in FRAMEWORKS}
        for process, results in zip(running, files, strict=True):
            output, _ = process.communicate()
            assert process.returncode == 0, output[-4000:]
            for framework, compared in json.loads(results.read_text()).items():
                found[framework] += compared
    return found


def _started(tests, results):
    options = ["-p", "tests.oracle_calls", "--oracle-results", str(results)]
    options += [option for framework in FRAMEWORKS for option in ("--oracle", framework)]
    # These tests have been counted elsewhere, if lines are counted at all.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    environment |= {
        "PYTHONPATH": str(ROOT),
        # The processes share the processors as it is.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        # What JAX compiles runs once or twice: compiling takes longer than anything that it could save.
        "JAX_DISABLE_MOST_OPTIMIZATIONS": "1",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *tests],
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
        values = ", ".join(repr(getattr(x, "x", x)) for x in args)
        shown = " ".join(f"{public_name(f)} at {values}".split())
        with np.errstate(all="ignore"):
            for mode in MODES:
                comparisons.compare(mode, f, args, Options(rng=np.random.default_rng(0)), shown)
    return comparisons.found()


def functions_of(found):
    """The functions that were compared in each mode, and those of which the framework refused each call."""
    compared = {
        mode: sorted({entry["callee"] for entry in found if entry["mode"] == mode and entry["compared"]})
        for mode in MODES
    }
    met = {entry["callee"] for entry in found if entry["compared"] or entry["differences"]}
    refused = {entry["callee"] for entry in found if entry["refused"]}
    return {**compared, "refused": sorted(refused - met)}


def explains(entry, framework, function, call, about):
    """Whether an explanation is for a difference."""
    return (
        function in entry["functions"]
        and framework in entry["frameworks"]
        and about == entry["about"]
        and entry.get("calls", "") in call
    )


def unexplained(framework, found, entries):
    """The differences that nobody has explained."""
    return [
        f"{entry['mode']} of {call}, {about}:\n{message}"
        for entry in found
        for call, (about, message) in entry["differences"].items()
        if not any(explains(known, framework, entry["callee"], call, about) for known in entries)
    ]


def unneeded(found, entries):
    """The functions and frameworks of explanations that have no such difference."""
    return [
        f"{function}, {framework}, {entry['about']}, {entry.get('calls', 'all calls')}"
        for entry in entries
        for function in entry["functions"]
        for framework in entry["frameworks"]
        if not any(
            explains(entry, framework, other["callee"], call, about) and function == other["callee"]
            for other in found[framework]
            for call, (about, _) in other["differences"].items()
        )
    ]


if __name__ == "__main__":
    found = comparisons()
    COMPARED.write_text(written({name: functions_of(found[name]) for name in FRAMEWORKS}), encoding="utf-8")
    for name in FRAMEWORKS:
        print(*unexplained(name, found[name], differences()), sep="\n\n")
    print(*unneeded(found, differences()), sep="\n")
