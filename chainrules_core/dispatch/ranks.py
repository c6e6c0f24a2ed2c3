"""Which of the rules that match a callee are asked first, before plum chooses between those of one rank."""

from collections.abc import Callable
from typing import NamedTuple

from chainrules_core.dispatch.rule_method import RuleMethod
from chainrules_core.parametric_types import Promise


class RuleRank(NamedTuple):
    """How far back a rule stands: rules of the lowest rank are asked first.

    A rule for the very object comes before all for its class; of rules for one object, and of those for
    classes, one with a configuration comes before all without. How closely the arguments fit tells only rules
    of one rank apart. A rule for a class that was given a precedence above 0 is on a level with those for the
    object: so a rule for all ufuncs of one type of array is a match for the rule of `np.sin` for all arrays.
    """

    for_class: bool
    without_config: bool


def ranking(callee: Promise | None) -> Callable[[RuleMethod], RuleRank]:
    """How rules are ranked for the callee of this type, or for callees without a rule of their own."""

    def rank(method: RuleMethod) -> RuleRank:
        for_class = callee not in method.members and method.precedence <= 0
        return RuleRank(for_class, method.config is None)

    return rank
