"""Runs the sample of the tests of the packages on the versions that are promised.

That is on the floors that the packages declare, with the oldest Python that they promise; and on the newest
versions of everything, with every CPython from that one on that is found: among pyenv's, and on the PATH.
Each run has an environment of its own, made from nothing, with the wheels of `dist`; the tests and the
sources are those of this tree.

With ``--others``, as in `.ci/run`, those Pythons are left out on which it runs more tests: this one and the
newest that was found; with ``--floors`` all but the oldest. With ``--newer``, only the paths of those are
printed that are newer than this one.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from check_distributions import DIST, PACKAGES, ROOT, wheel

# Of the tests that need no more than the packages: the sample of `make test`.
TESTS = (
    "tests/chainrules_core",
    "tests/chainrules_testutils",
    "tests/chainrules",
    "tests/test_coverage_of_namespaces.py",
    "--sample",
)

# What an interpreter is asked; the first number is 1 where it was built without the global lock.
QUESTION = """
import sys, sysconfig, venv
print(sys.implementation.name, sys.version_info.releaselevel)
print(sysconfig.get_config_var("Py_GIL_DISABLED") or 0, *sys.version_info[:3])
"""
ANSWER = (
    "import platform, numpy, scipy; print(platform.python_version(), numpy.__version__, scipy.__version__)"
)


@dataclass(frozen=True, order=True)
class Interpreter:
    """A Python on this machine."""

    version: tuple[int, ...]
    is_free_threaded: bool
    path: str

    @property
    def name(self) -> str:
        """The minor version, with a `t` where threads are free."""
        return ".".join(map(str, self.version[:2])) + ("t" if self.is_free_threaded else "")


@dataclass(frozen=True)
class Outcome:
    """How a run went: a line of the table, and what it printed if it failed."""

    line: tuple[str, ...]
    output: str = ""


def project(package: str) -> dict:
    """The `[project]` table of a package."""
    return tomllib.loads((ROOT / package / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def promised() -> list[str]:
    """The minor versions of Python that the packages promise, the oldest first."""
    found = [re.fullmatch(r".* :: (3\.\d+)", line) for line in project(PACKAGES[0])["classifiers"]]
    return [match[1] for match in found if match]


def floors() -> list[str]:
    """The oldest version of everything that the packages and their tests declare, as constraints for pip."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    declared = [line for package in PACKAGES for line in project(package)["dependencies"]] + groups[
        "versions"
    ]
    found = [re.fullmatch(r"([\w-]+)>=([\d.]+)", line) for line in declared]
    return [f"{match[1]}=={match[2]}" for match in found if match]


def candidates() -> Iterator[Path]:
    """What may be an interpreter."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob("versions/*/bin/python"))
    for folder in os.get_exec_path():
        yield from sorted(
            path for path in Path(folder).glob("python3*") if re.fullmatch(r"[\d.t]*", path.name[6:])
        )
    yield Path(sys.executable)


def interpreters() -> list[Interpreter]:
    """The newest release of each minor version, from the oldest promised one on."""
    oldest = tuple(map(int, promised()[0].split(".")))
    newest: dict[str, Interpreter] = {}
    for path in dict.fromkeys(candidates()):
        asked = subprocess.run([path, "-I", "-c", QUESTION], capture_output=True, text=True, check=False)
        words = asked.stdout.split()
        if asked.returncode or words[:2] != ["cpython", "final"]:
            continue
        found = Interpreter(tuple(map(int, words[3:])), words[2] == "1", str(path))
        known = newest.get(found.name)
        if found.version >= oldest and (known is None or found.version > known.version):
            newest[found.name] = found
    return sorted(newest.values())


def environment(python: str, constraints: list[str], folder: Path) -> str:
    """Make an environment with the packages and what their tests need; the path of its interpreter."""
    subprocess.run([python, "-m", "venv", "--without-pip", folder / "environment"], check=True)
    inside = str(folder / "environment" / "bin" / "python")
    # Siblings may come from `dist` only: the constraint refuses what a registry offers under their name.
    siblings = [f"{name} @ {wheel(name).as_uri()}" for name in PACKAGES]
    (folder / "constraints.txt").write_text("\n".join([*siblings, *constraints]), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", inside, "--quiet", "--disable-pip-version-check"]
    wanted = ["--find-links", DIST, "--constraint", folder / "constraints.txt", "--group", "versions"]
    subprocess.run([*pip, "install", *wanted, *map(wheel, PACKAGES)], check=True, cwd=ROOT)
    return inside


def run(name: str, python: str, constraints: list[str], processes: int) -> Outcome:
    """Run the sample in an environment of its own."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        inside = environment(python, constraints, Path(folder))
        versions = subprocess.run([inside, "-I", "-c", ANSWER], capture_output=True, text=True, check=True)
        # One thread for each process: there are as many of them as processors.
        variables = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        command = [inside, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS]
        command += ["-n", str(processes), "--dist", "loadfile"] if processes > 1 else []
        for option in "until", "part":
            command += [f"--{option}", value] if (value := os.environ.get(option.upper())) else []
        tests = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=variables)
    lines = tests.stdout.splitlines() or [tests.stderr]
    result = re.sub(r" in [\d.]+s.*", "", lines[-1]) if tests.returncode == 0 else "FAILED"
    line = (name, *versions.stdout.split(), f"{time.monotonic() - began:.0f} s", result)
    return Outcome(line, tests.stdout + tests.stderr if tests.returncode else "")


def main() -> int:
    """Run them all, as many at once as there are processors, and print the table."""
    found = interpreters()
    locked = [interpreter for interpreter in found if not interpreter.is_free_threaded]
    if "--newer" in sys.argv:
        print(*(each.path for each in locked if each.version[:2] > sys.version_info[:2]), sep="\n")
        return 0
    has_more = {"--others", "--floors"} & set(sys.argv)
    whole = {locked[-1].name, ".".join(map(str, sys.version_info[:2]))} if has_more else set()
    newest = [] if "--floors" in sys.argv else [each for each in found if each.name not in whole]
    runs = [("floors", locked[0].path, floors()), *(("newest", each.path, []) for each in newest)]
    processors = os.cpu_count() or 1
    processes = max(1, processors // len(runs))
    with ThreadPoolExecutor(processors) as pool:
        outcomes = list(pool.map(lambda each: run(*each, processes), runs))
    for outcome in outcomes:
        print(outcome.output, end="")
    missing = [name for name in promised() if name not in {interpreter.name for interpreter in found}]
    if not any(interpreter.is_free_threaded for interpreter in found):
        missing.append("free-threaded")
    table = [
        ("versions", "Python", "NumPy", "SciPy", "time", "result"),
        *(outcome.line for outcome in outcomes),
    ]
    table += [("newest", name, "", "", "", "other checks run on it") for name in sorted(whole)]
    table += [("newest", name, "", "", "", "skipped: this machine does not have it") for name in missing]
    for line in table:
        print("{:10}{:16}{:10}{:10}{:8}{}".format(*line))
    return int(any(outcome.output for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
