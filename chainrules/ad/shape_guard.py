"""In debug mode: cotangents and tangents that have another shape than what they are of."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.observing import Observer, RuleCall, with_pullback, with_thunks
from chainrules_core import (
    DimensionMismatchError,
    InplaceableThunk,
    Thunk,
    describe_callee,
    describe_place,
    primal_of,
)


class ShapeGuard(Observer):
    """Looks at the shapes that rules return.

    A rule further on may sum a cotangent that is too large, as if it had been broadcast, and the gradient
    would be wrong in silence.

    Raises
    ------
    DimensionMismatchError
        When a pullback is called, or when its thunk is computed; with a tangent, when the rule is called.
    """

    __slots__ = ()

    def observed_rrule(self, rule: RuleCall) -> RuleCall:
        """The rule with a pullback whose cotangents are looked at."""

        def guarded_rrule(f: Any, *values: Any, **kwargs: Any) -> Any:
            shapes = [_shape_of(x) for x in values]

            def guarded(pullback: Callable[[Any], Any]) -> Callable[[Any], Any]:
                @functools.wraps(pullback)  # other errors name it
                def guarded_pullback(y_bar: Any) -> Any:
                    x_bars = pullback(y_bar)
                    if not isinstance(x_bars, tuple) or len(x_bars) != 1 + len(shapes):
                        return x_bars  # which is an error of its own

                    def checked(x_bar: Any, place: int) -> Any:
                        where = f"the pullback of {describe_callee(f)} ({describe_place(pullback)})"
                        return _checked(x_bar, shapes[place], f"argument {place + 1}", where)

                    return x_bars[0], *map(checked, x_bars[1:], range(len(shapes)))

                return guarded_pullback

            answer = rule(f, *values, **kwargs)
            return with_pullback(answer, guarded) if _is_pair(answer) else answer

        return guarded_rrule

    def observed_frule(self, rule: RuleCall) -> RuleCall:
        """The rule, whose tangent is looked at."""

        def guarded_frule(tangents: Any, f: Any, *values: Any, **kwargs: Any) -> Any:
            answer = rule(tangents, f, *values, **kwargs)
            if not _is_pair(answer):
                return answer
            y, y_dot = answer
            return y, _checked(y_dot, _shape_of(y), "the result", f"the frule of {describe_callee(f)}")

        return guarded_frule


def _is_pair(answer: Any) -> bool:
    """Whether a rule answered as it should; another answer is an error of its own, or `None`."""
    return answer.__class__ is tuple and len(answer) == 2


def _shape_of(x: Any) -> tuple[int, ...] | None:
    x = primal_of(x)
    return np.shape(x) if isinstance(x, np.ndarray | np.number | float | complex) else None


def _checked(x_bar: Any, shape: tuple[int, ...] | None, whose: str, where: str) -> Any:
    """The cotangent itself; if it is a thunk, one that is looked at when it is computed."""
    if shape is None:
        return x_bar
    own = _shape_of(x_bar)
    if own is not None and own != shape:
        raise DimensionMismatchError(
            f"For {whose}, of shape {shape}, {where} returned an array of shape {own}. Sum over the axes "
            "that were broadcast, or return the product with the Jacobian and not the Jacobian."
        )

    def checked_later(compute: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args: _checked(compute(*args), shape, whose, where)

    # Thunks of other classes are made by rules for indices, which know the shape.
    return with_thunks(x_bar, checked_later) if x_bar.__class__ in (Thunk, InplaceableThunk) else x_bar
