"""The most frequent mistake with complex numbers, found by asking the rule again: a missing conjugate.

Let a rule apply ``M`` where it should apply the elementwise conjugate of ``M``. Then it is right for
conjugated input and output: ``conj(M conj(v)) = conj(M) v``.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from chainrules_core import conjugate_tangent, unthunk_fully
from chainrules_testutils.advice.report import Check, Outcome, all_passed, with_hint
from chainrules_testutils.values.parts import leaves

_HINT = (
    "hint: right for conjugated input and output: a pullback multiplies by the conjugate of the derivative, "
    "a pushforward by the derivative itself."
)


def holds_complex(x: Any) -> bool:
    """Whether there is a complex number in `x`."""
    return any(
        isinstance(leaf, complex | np.complexfloating)
        or (isinstance(leaf, np.ndarray) and leaf.dtype.kind == "c")
        for leaf in leaves(x)
    )


def conjugate(x: Any) -> Any:
    """The complex conjugate of a tangent of any kind."""
    return conjugate_tangent(unthunk_fully(x))


def is_wrong_value(check: Check) -> bool:
    """Whether a check failed for a number, not for a structure or an exception."""
    return check.outcome is Outcome.FAILED and "wrong value" in check.message


def with_conjugate_hint(checks: list[Check], conjugated: Callable[[], Iterable[Check]]) -> list[Check]:
    """The checks; with the hint, if the checks of conjugated input and output pass."""
    try:
        explains = all_passed(conjugated())
    except Exception:  # noqa: BLE001 - a wrong rule may raise anything, and then this is no explanation
        explains = False
    if not explains:
        return checks
    return [with_hint(check, _HINT) if is_wrong_value(check) else check for check in checks]
