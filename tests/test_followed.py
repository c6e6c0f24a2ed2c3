"""The law that what is said of functions without rules is so: each call of the table is tried."""

import warnings

import pytest

from chainrules.command_line.followed import read_followed
from chainrules.command_line.namespaces import entries_of
from docs.followed_calls import HEAD, PATH, X, program, rows, tried
from docs.rule_pages import OVERVIEW, read, versions

TABLE = read_followed()
CALLS = list(rows())
# In other versions other functions are in C, or look at their arguments in other ways.
IS_OF_TABLE = f"Of {versions()}:" in (read(OVERVIEW) or "")


@pytest.mark.parametrize(
    ("namespace", "name", "example"), CALLS, ids=[f"{namespace}.{name}" for namespace, name, _ in CALLS]
)
def test_each_call(namespace, name, example):
    """Its derivative agrees with differences in both modes, or it is the error that the table says."""
    if not IS_OF_TABLE:
        _skip_of_another_version(program(namespace, name, example))
    found = tried(namespace, name, example)

    assert not IS_OF_TABLE or found == TABLE[namespace][name], "python -m docs.followed_calls"


def _skip_of_another_version(f):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            f(X)
    except (NameError, TypeError, AttributeError):
        pytest.skip("a function, a parameter or a result of another version of SciPy")


@pytest.mark.parametrize("namespace", TABLE)
def test_functions_of_the_table(namespace):
    """They are public, and have no rules that would serve their calls; those by following are for others."""
    entries = entries_of(
        namespace, lambda f, method: not method.function.__module__.startswith("chainrules.ad.")
    )
    public = {entry.name: entry for entry in entries}

    assert not IS_OF_TABLE or set(TABLE[namespace]) <= set(public)
    assert [name for name in TABLE[namespace] if name in public and public[name].rrules] == []


def test_the_table_is_in_order():
    """As the command writes it."""
    assert PATH.read_text("utf-8").startswith(HEAD)
    assert sorted(CALLS) == CALLS
