"""Writes into arrays that rules keep, seen afterwards: by libraries, and in debug mode by any code."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.calls.rule_inputs import (
    OF_NO_ARRAYS,
    MutatedInputError,
    before_writing,
    is_known,
    written_array,
)
from chainrules.ad.traced.trace import RUNNING
from chainrules.ad.watching.observing import Observer, RuleCall, with_pullback
from chainrules_core import describe_callee


def noticing_writes(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, a function of a library, with an error if it wrote into an array that a rule was given before.

    Those of SciPy with ``overwrite_a=True``, and BLAS, do that. A copy is made of an array that was given to
    both, and of no other.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        for trace in RUNNING:
            inputs = trace.rule_inputs
            if inputs is not None and (inputs.given or inputs.written):
                return _call_and_compare(f, args, kwargs)
        return f(*args, **kwargs)

    return call


def _call_and_compare(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    arrays = [written_array(x) for x in (*args, *kwargs.values()) if x.__class__ not in OF_NO_ARRAYS]
    contents = [(x, _content(x)) for x in arrays if x is not None and is_known(x)]
    y = f(*args, **kwargs)
    for x, before in contents:
        if _content(x) != before:
            before_writing(x.view(np.ndarray))
    return y


def _content(x: Any) -> bytes:
    """All elements, also those that a mask hides, as bytes: a NaN that stays where it was is no change."""
    content: bytes = x.view(np.ndarray).tobytes()
    return content


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
            contents = [(i, x, _content(x)) for i, x in enumerate(values) if type(x) is np.ndarray]

            def guarded(pullback: Callable[[Any], Any]) -> Callable[[Any], Any]:
                def guarded_pullback(y_bar: Any) -> Any:
                    for place, x, before in contents:
                        if _content(x) != before:
                            raise _mutated(f, place)
                    return pullback(y_bar)

                return guarded_pullback

            answer = rule(f, *values, **kwargs)
            return with_pullback(answer, guarded) if contents else answer

        return guarded_rrule


def _mutated(f: Any, place: int) -> MutatedInputError:
    return MutatedInputError(
        f"Argument {place + 1} of {describe_callee(f)} was written into after the call and before "
        "its derivative was taken, so its derivative would be wrong. Write into a copy, `x = x.copy()`."
    )
