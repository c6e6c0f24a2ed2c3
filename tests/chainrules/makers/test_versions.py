"""Functions that only some versions have."""

import math
import types

from chainrules.makers import versions
from chainrules.makers.versions import present


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


def test_functions_without_a_name(monkeypatch):
    """The table of rules finds them by their class."""
    monkeypatch.setattr(versions, "absent", set())

    versions.nameless(Owner)

    assert versions.absent == {"Owner()"}
