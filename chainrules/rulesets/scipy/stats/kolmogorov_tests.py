"""Rules for the test of Kolmogorov and Smirnov of one sample, by it and by all that `cdf` depends on.

The statistic is the distance of `cdf` from a step at one of the numbers, ``D = ± (k/n - F(x))``, almost
everywhere at the same one: ``D_dot = ∓ F_dot``. The p-value has the distribution of the statistic. Where a
result has more parts, these rules have tangents for the two items of the tuple, as those of
`chainrules/rulesets/scipy/stats/significance.py`.
"""

from typing import Any

import numpy as np
from scipy import stats

from chainrules.operations.kolmogorov_density import kolmogorov_density
from chainrules.values.callee_unions import typeof_any
from chainrules.values.iterables import item_tangents, tuple_tangent
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.solver_calls import arguments_of, bars_of, defaults_of, dots_of, solved
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    frule,
    frule_via_ad,
    primal_of,
    primitive,
    rrule,
    rrule_via_ad,
)

TESTS = (stats.ks_1samp, stats.kstest)
DENSITY = primitive(stats.rv_continuous.pdf)


@frule.dispatch
def kolmogorov_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, f: typeof_any(TESTS), *given: Any, **named: Any
):
    if not is_served(arguments_of(f, given, named)):
        return None
    call = Call(f, given, named)
    x_dot, cdf_dot, args_dot = dots_of(f, tangents[1:], call.names)
    point_dot = x_dot if isinstance(x_dot, AbstractZero) else x_dot[call.places]
    dots = cdf_dot, point_dot, *item_tangents(args_dot, len(call.args))
    _, probability_dot = frule_via_ad(config, dots, call.cdf, call.x[call.places], *call.args)
    if isinstance(probability_dot, AbstractZero):
        return call.result, NO_TANGENT
    statistic_dot = -call.sign * probability_dot[0]
    return call.result, tangent_of_results(call.result, statistic_dot, call.slope() * statistic_dot)


@rrule.dispatch
def kolmogorov_rrule(config: RuleConfig[HasReverseMode], f: typeof_any(TESTS), *given: Any, **named: Any):
    if not is_served(arguments_of(f, given, named)):
        return None
    call = Call(f, given, named)

    def kolmogorov_pullback(y_bar):
        call.check()
        statistic_bar, p_bar = cotangents_of_results(call.result, y_bar)
        p_bar = p_bar if isinstance(p_bar, AbstractZero) else call.slope() * p_bar
        _, pullback = rrule_via_ad(config, call.cdf, call.x[call.places], *call.args)
        cdf_bar, point_bar, *arg_bars = pullback(-call.sign * (statistic_bar + p_bar) * np.ones(1))
        x_bar = point_bar
        if not isinstance(point_bar, AbstractZero):
            x_bar = np.where(np.arange(call.x.size) == call.places.start, point_bar, 0.0)
        bars = dict(zip(call.names, (x_bar, cdf_bar, tuple_tangent(tuple, arg_bars)), strict=True))
        return NO_TANGENT, *bars_of(f, given, bars)

    return call.result, kolmogorov_pullback


def is_served(arguments: dict[str, Any]) -> bool:
    """Whether there is one sample of numbers, and what it is compared with, and nothing is asked of axes."""
    x, cdf, *_ = arguments.values()
    x, plain = primal_of(x), {"axis": 0, "nan_policy": "propagate", "keepdims": False}
    if not isinstance(x, np.ndarray) or x.ndim != 1 or x.dtype.kind != "f" or not callable(method_of(cdf)):
        return False
    return bool(np.all(np.isfinite(x))) and all(arguments[name] == value for name, value in plain.items())


def method_of(cdf: Any) -> Any:
    """What gives the probabilities, which may be the name of a distribution."""
    return getattr(stats, cdf).cdf if isinstance(cdf, str) else cdf


class Call:
    """A call and its result: the sample, the probabilities to compare with, and where they differ most."""

    def __init__(self, f: Any, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.names = list(defaults_of(f))[:3]
        self.arguments, _, held, self.result, self.check = solved(f, given, named, self.names)
        self.x, cdf, args = held.values()
        self.cdf, self.args = method_of(cdf), tuple(args)
        place = int(np.argmax(primal_of(self.x) == primal_of(self.result.statistic_location)))
        self.places = slice(place, place + 1)
        self.sign = int(primal_of(self.result.statistic_sign))

    def slope(self) -> Any:
        """The derivative of the p-value by the statistic, by the distribution that SciPy takes."""
        statistic, p = self.result
        n, is_one_sided = self.x.size, str(self.arguments["alternative"])[0].lower() != "t"
        method = self.arguments["method"]
        if not 0.0 < primal_of(p) < 1.0:
            return 0.0
        if is_one_sided:
            return -DENSITY(stats.ksone, statistic, n)
        if method == "asymp":
            return -np.sqrt(n) * DENSITY(stats.kstwobign, statistic * np.sqrt(n))
        if method == "approx":
            return -2.0 * DENSITY(stats.ksone, statistic, n)
        return -kolmogorov_density(0, statistic, n)
