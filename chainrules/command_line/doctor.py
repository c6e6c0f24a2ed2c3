"""``python -m chainrules doctor``: the versions that are installed, and whether all of it works."""

import argparse
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from chainrules.command_line.answers import Answer, Section
from chainrules.command_line.installed_rulesets import FRAMEWORKS, installed_rulesets, is_installed

_PACKAGES = ("numpy", "scipy", "plum-dispatch", "chainrules-core", "chainrules", "chainrules-testutils")


def add_to(commands: Any) -> argparse.ArgumentParser:
    """Describe the command to the parser."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "doctor",
        help="list versions, rulesets and frameworks, and say which rulesets cannot be loaded",
        description="Says what is installed, and whether the rulesets load. Put its answer into bug reports.",
        epilog="""\
Rulesets are `loaded`; `pending`, because the module that they are for is not installed, or is a framework,
which is not imported here; or `broken`, with the error. Frameworks are looked for and not imported.""",
    )
    return parser


def answer(parsed: argparse.Namespace) -> Answer:
    """Versions, the state of each ruleset, and the frameworks that were found."""
    versions = {"python": platform.python_version(), **{name: _version(name) for name in _PACKAGES}}
    states = [(ruleset, *ruleset.state()) for ruleset in installed_rulesets()]
    frameworks = {name: _version(name) for name in FRAMEWORKS if is_installed(name)}
    data = {
        "versions": versions,
        "executable": sys.executable,
        "rulesets": [
            {"target": ruleset.target, "module": ruleset.module, "state": state, "reason": reason}
            for ruleset, state, reason in states
        ],
        "frameworks": frameworks,
    }
    rulesets = [(ruleset.target, state, reason or ruleset.module) for ruleset, state, reason in states]
    found = [(name, number or "") for name, number in frameworks.items()] or [("none", "")]
    sections = [
        Section("Versions", ("package", "version"), [(k, v or "not installed") for k, v in versions.items()]),
        Section("Rulesets", ("for", "state", "ruleset, or why not"), rulesets),
        Section("Frameworks", ("package", "version"), found),
    ]
    return Answer(data, sections, [_verdict(states)])


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _verdict(states: list[tuple[Any, str, str]]) -> str:
    broken = [ruleset.module for ruleset, state, _ in states if state == "broken"]
    if not states:
        return (
            "No ruleset is installed, for pip has not installed `chainrules`, whose entry points name them. "
            "In a checkout of the repository: pip install ./chainrules_core ./chainrules."
        )
    if broken:
        return f"Broken, so that their rules are missing: {', '.join(broken)}."
    return "No ruleset is broken."
