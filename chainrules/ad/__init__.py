"""An AD engine over plain NumPy, in reverse mode: it differentiates what it is given by the rules that are registered.

Write ordinary NumPy code; `grad` and `value_and_grad` call it with traced values, each operation on which is a lookup of a rule.
"""

from typing import Any

import chainrules
from chainrules.ad import tracing
from chainrules.ad.config import ADConfig
from chainrules.ad.gradients import grad, value_and_grad
from chainrules.ad.tracing import TracedValue

__all__ = ["ADConfig", "TracedValue", "call", "grad", "value_and_grad"]


def call(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a function by its rule, where NumPy's protocols cannot reach it: a function of one's own, of `math`, of SciPy.

    Without traced arguments it just calls `f`. A function that is marked by `chainrules_core.primitive` needs no such help.

    Raises
    ------
    RuleNotFoundError
        If an argument is traced and `f` has no rule.
    """
    return tracing.call(f, args, kwargs)
