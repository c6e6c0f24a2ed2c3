"""Runs every check of the repository within an hour, and leaves out what a slow machine has no time for.

A fixed piece of work says how many times slower this machine is than a quiet one of two processors. Then
each check is done in the most thorough of its ways for which there is time: what is repeated on other
versions of Python, under coverage and with frameworks gives way first. What was left out is printed before
the last check, so that the output ends with the summary of pytest.

Every other commit, by its number, counts which lines the tests reach, which takes twice their time. The
others build the site, and run the tests on other versions.

``python .ci/checks.py --slowness 5 --plan`` prints what would be done on a machine that is five times slower.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHON = ".venv/bin/python"

# The checks are planned for so many minutes of a quiet machine, and for so many here at most; after the third
# number no test begins.
QUIET, PLANNED, LAST_TEST = 20, 50, 54

# Of the cases outside of the sample, a commit runs one share of so many.
SHARES = 24

# What only every other commit does.
OF_OTHER_COMMITS = "the site and the oldest versions, which every other commit sees to"
OF_COUNTING_COMMITS = "coverage, which every other commit counts"

# What is measured, and the seconds that it takes on a quiet machine where each processor does it at once.
WORK = """
class Node:
    def __init__(self, value):
        self.value = value

total, seen = 0, {}
for i in range(4_000_000):
    node = Node(i)
    seen[i % 1000] = node.value
    total += len(str(seen[i % 1000]))
"""
QUIET_SECONDS = 3.8


@dataclass(frozen=True)
class Way:
    """One way to do a check: a command, and the minutes that it takes on a quiet machine."""

    minutes: float
    command: str
    leaves_out: str = ""
    environment: str = ""  # what takes long to install, and can be installed while other checks run
    judge: str = ""  # a command that says something only where no test was skipped for lack of time


@dataclass(frozen=True)
class Check:
    """A check, with its ways from the most thorough to the quickest.

    One that is not `needed` is left out if there is no time for its quickest way.
    """

    name: str
    ways: tuple[Way, ...]
    needed: bool = False


class Clock:
    """The time that is left, and how long things take on this machine."""

    def __init__(self, slowness: float) -> None:
        self.began = time.time()
        self.slowness = slowness
        self.done = 0.0  # in minutes of a quiet machine

    @property
    def minutes(self) -> float:
        """How long the run has taken so far."""
        return (time.time() - self.began) / 60

    def estimate(self, minutes: float) -> float:
        """How long something takes here that takes so many minutes on a quiet machine."""
        so_far = self.minutes / self.done if self.done > 2 else 0.0
        return minutes * max(self.slowness, so_far)

    def has_time(self, minutes: float) -> bool:
        """Whether there is time for what takes so many minutes on a quiet machine."""
        return self.minutes + self.estimate(minutes) <= min(PLANNED, max(QUIET, self.estimate(QUIET)))

    def way(self, check: Check, later: list[Check]) -> Way | None:
        """The most thorough way of a check that leaves the time for all later ones in their quickest ways."""
        for way in check.ways:
            if self.has_time(way.minutes + shortest(later)):
                return way
        quickest = check.ways[-1]
        return quickest if check.needed or self.has_time(quickest.minutes + shortest(needed(later))) else None

    def last_test(self, minutes_after: float) -> int:
        """When the last test of a check may begin, in seconds since 1970."""
        return int(self.began + 60 * (LAST_TEST - self.estimate(minutes_after)))


def needed(checks: list[Check]) -> list[Check]:
    """Those that are never left out."""
    return [check for check in checks if check.needed]


def shortest(checks: list[Check]) -> float:
    """The minutes that checks take on a quiet machine, each in its quickest way."""
    return sum(check.ways[-1].minutes for check in checks)


def slowness() -> float:
    """How many times longer a fixed piece of work takes here than on a quiet machine of two processors."""
    processors = len(os.sched_getaffinity(0))
    began = time.monotonic()
    for running in [subprocess.Popen([sys.executable, "-c", WORK]) for _ in range(processors)]:
        running.wait()
    return (time.monotonic() - began) / QUIET_SECONDS * max(1.0, 2 / processors)


def answer(command: str) -> str:
    """What a command prints."""
    return subprocess.check_output(command, shell=True, text=True, cwd=ROOT).strip()  # noqa: S602 - ours


def commit() -> int:
    """The number of this commit, which chooses what is not run every time."""
    return int(answer("git rev-parse HEAD"), 16)


def commit_share(of: int) -> str:
    """Which share of the tests this commit runs: ``2/3`` is the second of three."""
    return f"{commit() % of + 1}/{of}"


def part(way: Way, of: int) -> Way:
    """A way with a part of its tests, which this commit chooses; to install and to begin takes its time."""
    share = commit_share(of)
    left_out = f"of its tests all but part {share}: {way.command}"
    return replace(
        way,
        minutes=(0.15 + 1 / of) * way.minutes,
        command=f"PART={share} {way.command}",
        leaves_out="; ".join(filter(None, (way.leaves_out, left_out))),
    )


def all_tests(minutes: float, command: str, judge: str = "") -> Way:
    """The sample and a share of the other cases, with those of the frameworks."""
    share = commit_share(SHARES)
    left_out = f"of the cases outside of the sample all but share {share}"
    return Way(minutes, f"{command} SHARE={share}", left_out, ".venv-adapters/.has-adapters", judge)


def checks(newer: list[str], counts_lines: bool) -> list[Check]:
    """All checks in their order, for one of the newer Pythons; the last ends with pytest's summary."""
    chosen = newer[commit() % len(newer)] if newer else sys.executable
    other_python = f"VENV=.venv-newer PYTHON={chosen}"
    builds = f"make dist && {PYTHON} .ci/check_distributions.py"
    report = f"make coverage-report SHARE={commit_share(SHARES)}"
    quick = Way(4.0, "make test", "coverage, the frameworks, and of each test all cases but the sample")
    others = Way(8.0, f"{PYTHON} .ci/test_versions.py --others")
    floors = Way(4.5, f"{PYTHON} .ci/test_versions.py --floors", "every other Python")
    on_newer = Way(
        4.5,
        f"CHAINRULES_SHORTCUTS=0 make test {other_python}",
        environment=f".venv-newer/.has-test {other_python}",
    )
    sample = Way(4.0, "make test", "newer Pythons, and all tests without shortcuts")
    of_this_commit = (
        [
            Check("builds", (Way(1.6, builds, OF_OTHER_COMMITS),), needed=True),
            Check("the tests, with lines counted", (all_tests(13.0, "make coverage-run", report), quick)),
        ]
        if counts_lines
        else [
            Check("builds", (Way(3.2, f"{builds} && make site", OF_COUNTING_COMMITS),), needed=True),
            Check("the tests", (all_tests(8.0, "make test-all test-adapters"), quick)),
            Check(
                "the oldest versions, and every other Python",
                (others, part(others, 2), floors, part(floors, 2), part(floors, 3)),
            ),
        ]
    )
    return [
        Check("style and types", (Way(1.2, "make lint"),), needed=True),
        *of_this_commit,
        Check("packages of others", (Way(1.4, f"{PYTHON} .ci/check_third_party.py"),)),
        Check("PyMC", (Way(0.5, "make test-pymc", environment=".venv-pymc/.has-pymc"),)),
        Check(
            "the tests on a newer Python, without shortcuts",
            (on_newer, part(on_newer, 2), part(on_newer, 3), part(sample, 3)),
            needed=True,
        ),
    ]


def taken(every: list[Check], clock: Clock) -> Iterator[tuple[Check, Way | None, float]]:
    """Each check with the way that there is time for when its turn comes, and the minutes needed after it."""
    for place, check in enumerate(every, 1):
        later = every[place:]
        yield check, clock.way(check, later), shortest(needed(later))


def plan(every: list[Check], slow: float) -> list[Way]:
    """The ways that are taken if every estimate is right."""
    clock, ways = Clock(slow), []
    for _, way, _ in taken(every, clock):
        if way is not None:
            ways.append(way)
            clock.began -= 60 * clock.estimate(way.minutes)
    print(f"This machine is {slow:.1f} times slower than a quiet one: some {clock.minutes:.0f} minutes.")
    return ways


def run(command: str, **variables: str) -> None:
    """Run a command of the shell, or end everything if it fails."""
    print(f"+ {command}", flush=True)
    subprocess.run(command, shell=True, check=True, cwd=ROOT, env={**os.environ, **variables})  # noqa: S602 - ours


def run_all(every: list[Check], clock: Clock, installing: subprocess.Popen) -> None:
    """Run the checks one after the other."""
    left_out = []
    for check, way, after in taken(every, clock):
        if way is None or way.leaves_out:
            left_out.append(check.name if way is None else way.leaves_out)
        if check is every[-1]:
            print("Left out for lack of time:", *left_out or ["nothing"], sep="\n  ")
        if way is not None:
            if way.environment and installing.wait():
                sys.exit("an environment could not be installed")
            before, last_test = clock.minutes, clock.last_test(after)
            run(way.command, UNTIL=str(last_test))
            if way.judge and time.time() < last_test:
                run(way.judge)
            clock.done += way.minutes
            if check is not every[-1]:
                print(f"{clock.minutes - before:.1f} minutes, of a quiet machine {way.minutes}", flush=True)


def main() -> None:
    """Plan the checks, and run them while what takes long to install is installed."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--slowness", type=float, help="how slow the machine is, in place of measuring it")
    options.add_argument("--count-lines", type=int, choices=(0, 1), help="whatever the commit says")
    options.add_argument("--plan", action="store_true", help="print the commands that would be run")
    given = options.parse_args()
    # Another bit than those that choose shares.
    counts_lines = commit() >> 16 & 1 if given.count_lines is None else given.count_lines
    every = checks(answer(f"{PYTHON} .ci/test_versions.py --newer").split(), bool(counts_lines))
    clock = Clock(given.slowness or slowness())
    ways = plan(every, clock.slowness)
    if given.plan:
        print("\n".join(way.command for way in ways))
        return
    environments = " && ".join(f"make {way.environment}" for way in ways if way.environment)
    command = environments or "true"
    installing = subprocess.Popen(command, shell=True, cwd=ROOT, start_new_session=True)  # noqa: S602 - ours
    try:
        run_all(every, clock, installing)
    finally:
        if installing.poll() is None:
            os.killpg(installing.pid, signal.SIGTERM)


if __name__ == "__main__":
    main()
