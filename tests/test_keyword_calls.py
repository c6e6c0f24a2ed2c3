"""The law that every rule is found by keyword as by position."""

import pytest

from chainrules_core.dispatch.descriptions import describe_callee
from tests.keyword_calls import called
from tests.test_rules import callees_of, shipped_rules


@pytest.mark.last
def test_every_rule_is_found_by_keyword():
    """Of those that the tests have exercised, with all arguments by keyword that the function takes so."""
    shipped = {callee for method, _ in shipped_rules() for callee in callees_of(method)}
    failed = {
        describe_callee(f): problem for f, problem in called.items() if problem is not None and f in shipped
    }

    assert not failed, "\n".join(f"{name}: {problem}" for name, problem in failed.items())
