"""The law that every rule takes tangents of every kind, and refuses those of another shape."""

import pytest

from tests.given_tangents import called
from tests.test_rules import shipped_rules
from tests.whole_run import observer, seen


@observer
def failures():
    """What failed in this process."""
    shipped = {method for method, _ in shipped_rules()}
    return [
        f"{method.name} ({method.location}) of {kinds}, {kind}: {problem}"
        for (method, kinds, _), problems in called.items()
        for kind, problem in problems.items()
        if method in shipped
    ]


@pytest.mark.last
def test_every_rule_takes_tangents_of_every_kind(request):
    """Zeros, thunks, thunks of thunks, integers, another precision; another shape is an error with its place.

    Of the rules that the tests have exercised, once for each combination of types.
    """
    failed = sorted({line for process in seen(request.config, failures) for line in process})

    assert not failed, "\n".join(failed)
