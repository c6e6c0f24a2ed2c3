"""The law that every rule takes tangents of every kind, and refuses those of another shape."""

import pytest

from tests.given_tangents import called
from tests.test_rules import shipped_rules


@pytest.mark.last
def test_every_rule_takes_tangents_of_every_kind():
    """Zeros, thunks, thunks of thunks, integers, another precision; another shape is an error with its place.

    Of the rules that the tests have exercised, once for each combination of types.
    """
    shipped = {method for method, _ in shipped_rules()}
    failed = [
        f"{method.name} ({method.location}) of {kinds}, {kind}: {problem}"
        for (method, kinds, _), problems in called.items()
        for kind, problem in problems.items()
        if method in shipped
    ]

    assert not failed, "\n".join(failed)
