"""Functions that only some versions have."""

import math
import types

import scipy

from chainrules.makers import versions
from chainrules.makers.versions import is_scipy_since, present


class Owner:
    """With one method."""

    def method(self):
        """There in every version."""


def test_what_is_there_is_given_and_the_rest_skipped(monkeypatch):
    """In order; what is missing is noted by the name under which a ruleset would be filed."""
    monkeypatch.setattr(versions, "absent", set())
    module = types.ModuleType("module")
    module.old = math.sin

    assert present(module, "new", "old", "newer") == (math.sin,)
    assert present(Owner, "method", "younger") == (Owner.method,)
    assert versions.absent == {"new", "newer", "Owner.younger"}


def test_functions_with_other_names(monkeypatch):
    """Or with none: the table of rules finds them by their class then."""
    monkeypatch.setattr(versions, "absent", set())

    versions.also_named("Owner()", "other")

    assert versions.absent == {"Owner()", "other"}


def test_versions_of_scipy(monkeypatch):
    """By numbers, and not by letters."""
    for version, is_since in (
        ("1.18.0", True),
        ("1.9.3", False),
        ("1.18.0rc1", True),
        ("2.0.0.dev0", True),
        ("1.17.1", False),
    ):
        monkeypatch.setattr(scipy, "__version__", version)
        assert is_scipy_since(1, 18) == is_since
