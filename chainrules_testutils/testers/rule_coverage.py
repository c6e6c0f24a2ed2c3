"""The report of ``pytest --rule-coverage``: the rules of the project that no tester was called for."""

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chainrules_testutils.testers.exercised import rule_places

# Folders whose rules are not the project's own, although they may stand below its root.
_FOREIGN = ("site-packages", "dist-packages")


@dataclass
class RuleCoverage:
    """The rules below some folders, each as the line that describes it.

    Plain text, so that the processes of pytest-xdist can send theirs to the one that reports.

    Attributes
    ----------
    registered, exercised
        The rules that exist, and those that were tested.
    """

    registered: set[str] = field(default_factory=set)
    exercised: set[str] = field(default_factory=set)

    @classmethod
    def of_this_process(cls, folders: Iterable[Path]) -> "RuleCoverage":
        """The rules that this process has registered, and those that it has tested."""
        coverage, folders = cls(), tuple(folders)
        is_ours = functools.cache(lambda file: _is_below(Path(file), folders))  # a file has many rules
        for method, file, is_exercised in rule_places():
            if is_ours(file):
                line = f"{method.mode} {method.name}{method.describe_parameters()}  {method.location}"
                coverage.registered.add(line)
                if is_exercised:
                    coverage.exercised.add(line)
        return coverage

    @property
    def missing(self) -> list[str]:
        """The rules that were not tested, by their places."""
        return sorted(self.registered - self.exercised, key=lambda line: line.split()[::-1])

    def add(self, other: "RuleCoverage") -> None:
        """Add the rules of another process."""
        self.registered |= other.registered
        self.exercised |= other.exercised

    def to_plain(self) -> dict[str, list[str]]:
        """The rules in a form that can be sent to another process."""
        return {"registered": sorted(self.registered), "exercised": sorted(self.exercised)}

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> "RuleCoverage":
        """The rules that another process has sent."""
        return cls(set(plain["registered"]), set(plain["exercised"]))

    def summary(self) -> str:
        """One line with the counts."""
        tested = len(self.registered) - len(self.missing)
        return f"{tested} of {len(self.registered)} rules were tested"


def _is_below(path: Path, folders: tuple[Path, ...]) -> bool:
    for folder in folders:
        if path.is_relative_to(folder):
            return not set(path.relative_to(folder).parts) & set(_FOREIGN)
    return False
