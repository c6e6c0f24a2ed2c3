"""Whether tests notice a mistake: they run in a copy of the tree that has it."""

import compileall
import itertools
import math
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Self

import pytest

from tests.mutants import forks
from tests.mutants.mutations import Mutant
from tests.source_laws import dotted

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
        with _Pytest(copy, mutants[0].path, tests) as run:
            start = time.monotonic()
            status = run()
            if status == pytest.ExitCode.NO_TESTS_COLLECTED:
                return []
            if status != pytest.ExitCode.OK:
                raise RuntimeError(f"without a mistake, this fails: pytest {' '.join(tests)}")
            longest = PATIENCE * (time.monotonic() - start)
            return [(mutant, not _pass_with(mutant, copy, run, longest)) for mutant in mutants]
    finally:
        copies.put(copy)


def _pass_with(mutant: Mutant, copy: Path, run: "_Pytest", longest: float) -> bool:
    file = copy / mutant.path
    file.write_bytes(mutant.mutated)
    try:
        return run(longest) == pytest.ExitCode.OK
    finally:
        file.write_bytes(mutant.source)


class _Pytest:
    """Runs the tests of one file in a copy of the tree, over and over, with what the file holds by then.

    The runs are forks of one process, in which they share all that comes before the file; of several
    processes, one after the other, if these cannot fork.
    """

    def __init__(self, copy: Path, file: str, tests: Sequence[str]) -> None:
        self._command = [sys.executable, "-P", forks.__file__, dotted(file), *tests]
        self._copy = copy
        self._process: subprocess.Popen[str] | None = None

    def __call__(self, longest: float = math.inf) -> int:
        """What pytest says; a negative number, that of a signal, if it takes more than so many seconds."""
        self._process = self._process or self._start()
        print(longest, file=self._process.stdin)
        answer = self._process.stdout.readline()
        return int(answer) if answer else self._end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._process is not None:
            self._end()

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self._command,
            cwd=self._copy,
            env={**os.environ, **ENVIRONMENT, "PYTHONPATH": str(self._copy)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            text=True,
            bufsize=1,
        )

    def _end(self) -> int:
        """Wait for the process, and end those that it has started."""
        process, self._process = self._process, None
        with process:
            process.stdin.close()
        forks.end_group(process.pid)
        return process.returncode
