"""The law that no public function of a covered namespace is forgotten: it has rules, or a reason why not."""

import fnmatch

import numpy as np
import pytest

from chainrules.command_line.coverage import said
from chainrules.command_line.followed import UNTRIED
from chainrules.command_line.gaps import gap_of, patterns, read_gaps
from chainrules.command_line.namespaces import entries_of_package, modules_of
from docs.namespaces import NAMESPACES, entries
from docs.rule_pages import OVERVIEW, read, versions

UNKNOWN = {"none", UNTRIED}
# Other versions of SciPy have other functions.
IS_OF_PAGES = f"Of {versions()}:" in (read(OVERVIEW) or "")

pytestmark = pytest.mark.skipif(
    np.__version__.startswith("1."), reason="NumPy 1 has names that NumPy 2 dropped"
)


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_every_function_is_accounted_for(namespace):
    """It has rules in both modes, or stands in `chainrules/rulesets/gaps.toml`, or a call of it was tried."""
    listed = [entry for entry in entries(namespace) if not entry.has_both_modes and entry.gap is None]

    assert entries(namespace)
    unknown = [entry.name for entry in listed if said(entry, "rrule") in UNKNOWN]
    assert unknown + [entry.name for entry in listed if entry.frules or entry.rrules] == []


def test_every_function_of_scipy_is_accounted_for():
    """It has rules, or stands among the gaps, or a call of it was tried."""
    listed = entries_of_package("scipy", lambda f, method: True)

    assert not IS_OF_PAGES or [entry.name for entry in listed if said(entry, "rrule") in UNKNOWN] == []


@pytest.mark.parametrize("namespace", sorted({*NAMESPACES, *modules_of("scipy")}))
def test_gaps_are_gaps(namespace):
    """Nothing that has a rule is said to have none; no pattern is there twice."""
    with_rules = [entry.name for entry in entries(namespace) if entry.frules or entry.rrules]
    listed = patterns(namespace)

    assert [
        name for name in with_rules if any(fnmatch.fnmatchcase(name, pattern) for pattern in listed)
    ] == []
    assert len(set(listed)) == len(listed)


def test_gaps_are_of_covered_namespaces():
    """And each has a reason in words."""
    gaps = read_gaps()

    assert not IS_OF_PAGES or set(gaps) <= {*NAMESPACES, *modules_of("scipy")}
    assert [reason for reasons in gaps.values() for reason in reasons if len(reason.split()) < 3] == []


def test_a_forgotten_function_would_be_found():
    """The lists are not so generous that any name passes."""
    assert [namespace for namespace in NAMESPACES if gap_of(namespace, "forgotten")] == []
    assert {"sum", "einsum", "vectorize"} <= {entry.name for entry in entries("numpy") if entry.rrules}
    assert "frompyfunc" in {entry.name for entry in entries("numpy") if not entry.rrules}
