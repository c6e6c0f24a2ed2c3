"""That every function of every basis has its rules."""

import pytest

from chainrules_core import frule, rrule
from tests.chainrules.makers.series.bases import in_every_basis

# Of higher order: NumPy's function calls a function of the caller's.
WITHOUT_RULES = {"chebinterpolate"}


@in_every_basis
@pytest.mark.parametrize("rules", [frule, rrule], ids=["frule", "rrule"])
def test_every_function_has_rules(basis, rules):
    """Classes and constants aside."""
    functions = [
        getattr(basis.module, name)
        for name in basis.module.__all__
        if callable(getattr(basis.module, name)) and not isinstance(getattr(basis.module, name), type)
    ]

    assert {f.__name__ for f in functions if not rules.methods(f)} <= WITHOUT_RULES
