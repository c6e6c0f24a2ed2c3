"""In debug mode: what the rules of this package return is looked at, as what others return always is."""

from typing import Any

from chainrules.ad.values.config import CONFIG
from chainrules.ad.watching.observing import Observer, RuleCall
from chainrules_core import frule, looking_at, rrule


class ShapeGuard(Observer):
    """Looks at the shapes that rules return.

    A rule further on may sum a cotangent that is too large, as if it had been broadcast, and the gradient
    would be wrong in silence.

    Raises
    ------
    DimensionMismatchError
        When the cotangent is needed; with a tangent, when the rule is called.
    """

    __slots__ = ()

    def observed_rrule(self, rule: RuleCall) -> RuleCall:
        """The rule with a pullback whose cotangents are looked at."""

        def guarded_rrule(f: Any, *values: Any, **kwargs: Any) -> Any:
            method = rrule.find(CONFIG, f, *values, **kwargs)
            looking = rule if method is None else looking_at(rule, method, first=0)
            return looking(f, *values, **kwargs)

        return guarded_rrule

    def observed_frule(self, rule: RuleCall) -> RuleCall:
        """The rule, whose tangent is looked at."""

        def guarded_frule(tangents: Any, f: Any, *values: Any, **kwargs: Any) -> Any:
            method = frule.find(CONFIG, tangents, f, *values, **kwargs)
            looking = rule if method is None else looking_at(rule, method, first=1)
            return looking(tangents, f, *values, **kwargs)

        return guarded_frule
