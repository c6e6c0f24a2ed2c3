"""Whether tests notice a mistake: they run in a copy of the tree that has it."""

import compileall
import itertools
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from py_compile import PycInvalidationMode

import pytest

from tests.mutants.mutations import Mutant

# What is neither program nor test.
NOT_COPIED = shutil.ignore_patterns(".*", "dist", "htmlcov", "*.egg-info", "__pycache__")

# A mistake may make a loop endless: for how long tests are waited for, in times of what they take without it.
PATIENCE = 10.0

PROCESSORS = os.cpu_count() or 1

# What was compiled of a mistake is not kept; and all processors are busy with tests already.
ENVIRONMENT = {
    "PYTHONDONTWRITEBYTECODE": "1",
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
}


def trials(
    root: Path, mutants: Iterable[Mutant], tests_of: Callable[[Path], Sequence[str]]
) -> Iterator[tuple[Mutant, bool]]:
    """Each mutant, and whether its tests notice it, in the order in which the answers come.

    Those whose tests are all skipped, since a framework is not installed, are left out.

    Parameters
    ----------
    root
        The tree. Nothing is written into it.
    mutants
        Files of the tree with a mistake.
    tests_of
        What pytest is called with to test a file, which is given relative to `root`.

    Raises
    ------
    ExceptionGroup
        At the end, if tests failed where there is no mistake: they would seem to notice everything.
    """
    groups = itertools.groupby(sorted(mutants, key=lambda mutant: mutant.path), lambda mutant: mutant.path)
    copies: queue.SimpleQueue[Path] = queue.SimpleQueue()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(PROCESSORS) as pool:
        for number in range(PROCESSORS):
            copies.put(_copy(root, Path(folder, str(number))))
        tasks = [pool.submit(_try, copies, tests_of(Path(path)), list(group)) for path, group in groups]
        failures = []
        for task in as_completed(tasks):
            if task.exception() is None:
                yield from task.result()
            else:
                failures.append(task.exception())
    if failures:
        raise ExceptionGroup("some tests fail where there is no mistake, so they can notice none", failures)


def _copy(root: Path, copy: Path) -> Path:
    """A copy of a tree, compiled; Python compares sources, not times, so it runs none that is outdated."""
    shutil.copytree(root, copy, ignore=NOT_COPIED)
    compileall.compile_dir(copy, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
    return copy


def _try(
    copies: "queue.SimpleQueue[Path]", tests: Sequence[str], mutants: list[Mutant]
) -> list[tuple[Mutant, bool]]:
    """Each of several mutants of one file, and whether its tests notice it."""
    copy = copies.get()
    try:
        start = time.monotonic()
        status = _status(copy, tests)
        if status == pytest.ExitCode.NO_TESTS_COLLECTED:
            return []
        if status != pytest.ExitCode.OK:
            raise RuntimeError(f"without a mistake, this fails: pytest {' '.join(tests)}")
        longest = PATIENCE * (time.monotonic() - start)
        return [(mutant, not _pass_with(mutant, copy, tests, longest)) for mutant in mutants]
    finally:
        copies.put(copy)


def _pass_with(mutant: Mutant, copy: Path, tests: Sequence[str], longest: float) -> bool:
    file = copy / mutant.path
    file.write_bytes(mutant.mutated)
    try:
        return _status(copy, tests, longest) == pytest.ExitCode.OK
    finally:
        file.write_bytes(mutant.source)


def _status(copy: Path, tests: Sequence[str], longest: float | None = None) -> int | None:
    """What pytest says of tests in a copy of the tree; `None` if it takes more than so many seconds."""
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests],
        cwd=copy,
        env={**os.environ, **ENVIRONMENT, "PYTHONPATH": str(copy)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(longest)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)  # with the processes that the tests started
            process.wait()
