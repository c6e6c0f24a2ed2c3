"""In debug mode: arrays that rules keep, and that a program wrote into before the derivative was taken."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.watching.observing import Observer, RuleCall, with_pullback
from chainrules_core import ChainRulesError, describe_callee


class MutatedInputError(ChainRulesError, RuntimeError):
    """An array changed after the call of a function, and before the call of its pullback."""


class MutationGuard(Observer):
    """Makes sure, before a pullback is called, that the arguments of its rule have not changed.

    Raises
    ------
    MutatedInputError
        When a pullback is called, if one was written into: rules keep their arguments without copying them.
    """

    __slots__ = ()

    def observed_rrule(self, rule: RuleCall) -> RuleCall:
        """The rule with a pullback that looks first."""

        def guarded_rrule(f: Any, *values: Any, **kwargs: Any) -> Any:
            saved = [(place, x, x.copy()) for place, x in enumerate(values) if type(x) is np.ndarray]

            def guarded(pullback: Callable[[Any], Any]) -> Callable[[Any], Any]:
                def guarded_pullback(y_bar: Any) -> Any:
                    for place, x, before in saved:
                        # As bytes: a NaN that stayed where it was is no change.
                        if x.tobytes() != before.tobytes():
                            raise _mutated(f, place)
                    return pullback(y_bar)

                return guarded_pullback

            answer = rule(f, *values, **kwargs)
            return with_pullback(answer, guarded) if saved else answer

        return guarded_rrule


def _mutated(f: Any, place: int) -> MutatedInputError:
    return MutatedInputError(
        f"Argument {place + 1} of {describe_callee(f)} was written into after the call and before "
        "its derivative was taken, which would be wrong. Write into a copy, `x = x.copy()`."
    )
