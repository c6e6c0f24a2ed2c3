"""Check derivative rules against finite differences, in one call.

`test_rrule`, `test_frule` and `test_scalar` are called in tests; pytest does not collect them.
"""

from typing import TYPE_CHECKING, Any

from chainrules_core import missing_name as _missing_name

# The testers, their reports and their errors
from chainrules_testutils.testers.rrule_tester import test_rrule
from chainrules_testutils.testers.frule_tester import test_frule
from chainrules_testutils.testers.scalar_tester import test_scalar
from chainrules_testutils.comparing.check_result import test_approx
from chainrules_testutils.testers.global_checks import test_method_tables
from chainrules_testutils.advice.report import Check, Outcome, Report, RuleTestError

# Their arguments
from chainrules_testutils.values.primal_and_tangent import PrimalAndTangent
from chainrules_testutils.values.rand_tangent import rand_tangent
from chainrules_testutils.testers.config import TestConfig
from chainrules_testutils.values.iterator import TestIterator
from chainrules_testutils.values.domains import (
    away_from,
    distinct,
    generate_well_conditioned_matrix,
    open_interval,
    permutation,
    positive,
    positive_definite,
    triangular,
    unit_norm,
)

# Finite differences of functions of any values
from chainrules_testutils.comparing.finite_differences import grad, j_prime_vp, jacobian, jvp
from chainrules_testutils.values.to_vec import to_vec

# The rules that a run has exercised
from chainrules_testutils.testers.exercised import exercised_rules

__all__ = [
    "test_rrule",
    "test_frule",
    "test_scalar",
    "test_approx",
    "test_method_tables",
    "Check",
    "Outcome",
    "Report",
    "RuleTestError",
    "PrimalAndTangent",
    "rand_tangent",
    "TestConfig",
    "TestIterator",
    "away_from",
    "distinct",
    "generate_well_conditioned_matrix",
    "open_interval",
    "permutation",
    "positive",
    "positive_definite",
    "triangular",
    "unit_norm",
    "grad",
    "j_prime_vp",
    "jacobian",
    "jvp",
    "to_vec",
    "exercised_rules",
]

__version__ = "0.1.0"


if not TYPE_CHECKING:  # type checkers would take every name for one of the package

    def __getattr__(name: str) -> Any:
        raise _missing_name(__name__, name)


def __dir__() -> list[str]:
    return __all__
