"""An AD system of one's own: its configuration, and rules that ask for its features."""

import math
from collections.abc import Callable
from typing import Any

from affine_maps import softplus

from chainrules_core import HasForwardsMode, HasReverseMode, NoTangent, RuleConfig, rrule, rrule_via_ad


class Numbers(RuleConfig[HasReverseMode, HasForwardsMode]):
    """The configuration of a system that only uses rules."""


@rrule_via_ad.dispatch
def rrule_of_numbers(config: Numbers, f: object, *args: object, **kwargs: object) -> Any:
    """The rule of the function."""
    return rrule(config, f, *args, **kwargs)


class Twice:
    """The function that calls `f` twice."""

    def __init__(self, f: Callable[[float], float]) -> None:
        self.f = f

    def __call__(self, x: float) -> float:
        """The result of the second call."""
        return self.f(self.f(x))


@rrule.dispatch
def twice_rrule(config: RuleConfig[HasReverseMode], f: Twice, x: float) -> tuple[float, Callable[[Any], Any]]:
    """Calls the AD system back, for both calls."""
    y, first_pullback = rrule_via_ad(config, f.f, x)
    z, second_pullback = rrule_via_ad(config, f.f, y)

    def twice_pullback(z_bar: Any) -> Any:
        _, y_bar = second_pullback(z_bar)
        _, x_bar = first_pullback(y_bar)
        return NoTangent(), x_bar

    return z, twice_pullback


def test_a_rule_calls_back() -> None:
    """The derivative of a composition is the product of two."""
    z, pullback = rrule(Numbers(), Twice(softplus), 0.0)

    assert math.isclose(z, softplus(softplus(0.0)))
    assert math.isclose(pullback(1.0)[1], 1 / (1 + math.exp(-0.0)) / (1 + math.exp(-softplus(0.0))))
