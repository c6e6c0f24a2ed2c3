"""The law that every rule is found by keyword as by position."""

import pytest

from chainrules_core.dispatch.descriptions import describe_callee
from tests.keyword_calls import called
from tests.test_rules import callees_of, shipped_rules
from tests.whole_run import observer, seen


@observer
def failures():
    """What failed in this process."""
    shipped = {callee for method, _ in shipped_rules() for callee in callees_of(method)}
    return [
        f"{describe_callee(f)}: {problem}"
        for f, problem in called.items()
        if problem is not None and f in shipped
    ]


@pytest.mark.last
def test_every_rule_is_found_by_keyword(request):
    """Of those that the tests have exercised, with all arguments by keyword that the function takes so."""
    failed = sorted({line for process in seen(request.config, failures) for line in process})

    assert not failed, "\n".join(failed)
