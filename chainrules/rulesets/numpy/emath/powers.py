"""Rules for powers and roots whose results are complex for negative bases.

A whole array of results is complex if one of them is, and so are its slopes.
"""

from typing import Any

import numpy as np

from chainrules.formulas import powers
from chainrules.makers.elementwise import inverse, lazy_pullbacks, like_result
from chainrules.rulesets.numpy.arithmetic import push_power
from chainrules.values.operands import Operand
from chainrules_core import frule, rrule, scalar_rule, typeof_


@scalar_rule(np.emath.sqrt)
def _(y: Any, x: Operand) -> Any:
    return 0.5 * inverse(y)


@frule.dispatch
def power_frule(tangents: Any, f: typeof_(np.emath.power), x: Operand, p: Operand) -> tuple[Any, Any]:
    y = np.emath.power(x, p)
    return push_power(tangents, y, like_result(x, y), like_result(p, y))


@rrule.dispatch
def power_rrule(f: typeof_(np.emath.power), x: Operand, p: Operand) -> tuple[Any, Any]:
    y = np.emath.power(x, p)
    return y, _pullback_of_power(y, x, p)


def _by_base(y: Any, x: Any, p: Any) -> Any:
    return powers.by_base(y, like_result(x, y), like_result(p, y))


_pullback_of_power = lazy_pullbacks(_by_base, powers.by_exponent, both=False)
