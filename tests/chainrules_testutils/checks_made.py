"""The checks that a tester makes of right rules: to be compared with what is written down."""

import os
from pathlib import Path

# One call of each kind, by its name among the right ones.
CALLS = (
    *("float", "real of complex", "int as a number", "arrays", "complex arrays", "index", "two results"),
    *("an argument without effect", "structure", "containers", "closure", "functor"),
)


def made(report):
    """The checks of a report, in order, each by its place and its outcome where that is not passed."""
    return [
        check.where if check.outcome.value == "passed" else f"{check.where}: {check.outcome.value}"
        for check in report.checks
    ]


def compared_with_written(reports, name):
    """The checks that were made and those that are written down, by the name of the call.

    They are written down anew if `WRITE_CHECKS_MADE` is set. Read the difference before it is committed: a
    check that is not made any more notices nothing.
    """
    found = {call: made(report) for call, report in reports.items()}
    file = Path(__file__).with_name(f"checks_made_by_{name}.txt")
    if os.environ.get("WRITE_CHECKS_MADE"):
        sections = ["\n".join([f"=== {call}", *checks, ""]) for call, checks in found.items()]
        file.write_text("\n".join(sections), encoding="utf-8")
    sections = file.read_text(encoding="utf-8").split("=== ")[1:]
    written = {}
    for section in sections:
        call, *checks = section.splitlines()
        written[call] = [check for check in checks if check]
    return found, written


def is_shown_last(caught, file):
    """Whether pytest points at a test in `file`, and not into the tester that raised the error."""
    shown = list(caught.traceback.filter(caught))
    return Path(str(shown[-1].path)) == Path(file)
