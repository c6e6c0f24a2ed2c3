"""Rulesets that exist for one test."""

import sys
import textwrap

import pytest

from tests.chainrules_core.dispatch.made_up_rulesets import number


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Writes modules of unique names that can be imported, and removes them afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    names = []

    def write(source=""):
        name = f"ruleset_test_{next(number)}"
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(source))
        names.append(name)
        return name

    yield write
    for name in names:
        sys.modules.pop(name, None)
