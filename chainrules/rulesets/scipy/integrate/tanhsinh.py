"""Rules for many integrals of functions of one number, by a rule of the kind that `tanhsinh` takes.

The integral is ``Σ_k w_k f(t_k)``, whose places and weights move with the limits: the function is called with
all places, as SciPy does. Derivatives by every second place have to agree; otherwise there are more. Of
``log=True`` the logarithm `L` of the integral has the derivative of ``∫ exp(f(t) - L) dt``. The estimate of
the error is a constant. H. Takahasi and M. Mori, "Double exponential formulas for numerical integration",
Publications of RIMS 9, 1974.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.integrate

from chainrules.numerics.double_exponential import STEP, of_positive_numbers, of_unit_interval
from chainrules.values.held_numbers import as_vector, noted_call, part_at, places_in
from chainrules.values.iterables import no_cotangent, tuple_tangent, zeros_if_zero
from chainrules.values.several_arrays import array_of
from chainrules.values.solver_calls import cotangents_in_result, tangent_of_result
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    NoDerivativeError,
    NotImplementedTangent,
    ProjectTo,
    RuleConfig,
    frule,
    frule_via_ad,
    not_implemented,
    primal_of,
    primitive,
    rrule,
    rrule_via_ad,
    typeof_,
)

CALLED = "scipy.integrate.tanhsinh"
tanhsinh = primitive(scipy.integrate.tanhsinh)
# The distances between places, and how far half of the places may be from all, whose error is its square.
STEPS = [STEP * 0.5**level for level in range(7)]
ACCEPTED = 1e-5


class Integrals:
    """The integrals of a call, as a function of the integrand and the limits."""

    def __init__(self, result: Any, named: dict[str, Any], step: float) -> None:
        self.y, self.step = array_of(result["integral"]), step
        self.is_log, self.args = named.get("log", False), [self.flat(x) for x in named.get("args", ())]

    def flat(self, x: Any) -> Any:
        """The numbers of an argument, one for each integral."""
        return np.reshape(np.broadcast_to(1.0 * array_of(x), np.shape(primal_of(self.y))), -1)

    def __call__(self, f: Any, a: Any, b: Any) -> Any:
        """The sums over all places, and over every second one."""
        a, b = self.flat(a), self.flat(b)
        sums = [self.sums_of(f, (a, b), chosen, t, w) for chosen, t, w in self.places(a, b)]
        order = np.argsort(np.concatenate([chosen for chosen, *_ in self.places(a, b)] or [np.arange(0)]))
        both = np.concatenate([np.zeros((2, 0)), *sums], axis=1)[:, order]
        return np.reshape(both, (2, *np.shape(primal_of(self.y))))

    def places(self, a: Any, b: Any) -> Iterator[tuple[Any, Any, Any]]:
        """The integrals of each kind, with their places and weights: over an interval, a ray and the line."""
        of_a, of_b = np.isfinite(primal_of(a)), np.isfinite(primal_of(b))
        (chosen,) = np.nonzero(of_a & of_b)
        if len(chosen):
            (s, w), start, end = of_unit_interval(self.step), a[chosen, None], b[chosen, None]
            length = end - start
            yield chosen, np.where(s < 0.5, start + length * s, end - length * s[::-1]), length * w
        p, w = of_positive_numbers(self.step)
        for end, sign, (chosen,) in ((a, b, np.nonzero(of_a & ~of_b)), (b, a, np.nonzero(of_b & ~of_a))):
            if len(chosen):
                direction = np.sign(primal_of(sign))[chosen, None]
                yield chosen, end[chosen, None] + direction * p, (1.0 if end is a else -1.0) * direction * w
        (chosen,) = np.nonzero(~of_a & ~of_b)
        if len(chosen):
            direction = 0.5 * (np.sign(primal_of(b)) - np.sign(primal_of(a)))[chosen, None]
            yield (
                chosen,
                np.ones((len(chosen), 1)) * (0.5 * (p - 1.0 / p)),
                direction * (0.5 * (w + w / p**2)),
            )

    def sums_of(self, f: Any, ends: Any, chosen: Any, t: Any, w: Any) -> Any:
        """The sums of one kind; without the ends and where the function is not finite, as SciPy's."""
        ends = [primal_of(end)[chosen, None] for end in ends]
        args = [x[chosen, None] for x in self.args]
        middle, at = t.shape[1] // 2, primal_of(t)
        counts = np.isfinite(primal_of(f(t, *args))) & (at != ends[0]) & (at != ends[1])
        t, w = np.where(counts, t, t[:, middle : middle + 1]), w * counts
        values = f(t, *args)
        if self.is_log:
            values = np.exp(values - np.reshape(self.y, -1)[chosen, None])
        halves = 2.0 * (np.arange(t.shape[1]) % 2 == middle % 2)
        return np.stack([np.sum(w * values, axis=1), np.sum(w * halves * values, axis=1)])


@frule.dispatch
def tanhsinh_frule(  # noqa: PLR0913, PLR0917 - those of SciPy's function, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    q: typeof_(scipy.integrate.tanhsinh),
    f: Any,
    a: Any,
    b: Any,
    **named: Any,
):
    result, _ = noted_call((f, named.get("args")), CALLED, tanhsinh, f, a, b, **named)

    def pushed(integrals: Integrals) -> tuple[Any, Any, Any]:
        y, y_dot = frule_via_ad(config, (NO_TANGENT, *tangents[1:]), integrals, f, a, b)
        all_dot, half_dot = zeros_if_zero(y, y_dot)
        return all_dot, all_dot, half_dot

    y_dot = with_enough_places(pushed, result, named, 1.0)
    y_dot = ProjectTo(result["integral"])(y_dot)
    return result, tangent_of_result(result, {"integral": y_dot, "error": NO_TANGENT}, CALLED)


@rrule.dispatch
def tanhsinh_rrule(
    config: RuleConfig[HasReverseMode],
    q: typeof_(scipy.integrate.tanhsinh),
    f: Any,
    a: Any,
    b: Any,
    **named: Any,
):
    result, check = noted_call((f, named.get("args")), CALLED, tanhsinh, f, a, b, **named)

    def tanhsinh_pullback(result_bar):
        check()
        y_bar = cotangents_in_result(result, result_bar, ["integral", "error"], CALLED)["integral"]
        if isinstance(y_bar, AbstractZero):
            return NO_TANGENT, *map(no_cotangent, (f, a, b))

        def pulled(integrals: Integrals) -> tuple[Any, Any, Any]:
            _, pull = rrule_via_ad(config, integrals, f, a, b)
            bars = [tuple_tangent(tuple, pull(np.stack(pair))[1:]) for pair in ((y_bar, zero), (zero, y_bar))]
            held = [x for x in places_in((f, a, b)) if not is_missing(part_at(bars[0], x.path))]
            return bars[0], *(as_vector(bar, held) if held else np.zeros(0) for bar in bars)

        zero = np.zeros_like(y_bar)
        return NO_TANGENT, *with_enough_places(pulled, result, named, y_bar)

    return result, tanhsinh_pullback


def with_enough_places(
    derivative: Callable[[Integrals], tuple[Any, Any, Any]], result: Any, named: dict[str, Any], scale: Any
) -> Any:
    """A derivative, from a function that gives it, and its numbers by all places and by every second one."""
    if named.get("preserve_shape", False):
        raise not_implemented("`tanhsinh` with `preserve_shape`: write `quad_vec`").error()
    status = primal_of(result["status"])
    error = np.inf
    for step in STEPS if not np.any(status) else ():
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            found, *both = derivative(Integrals(result, named, step))
        x, y = map(primal_of, both)
        largest = np.maximum(np.abs(x), np.max(np.abs(primal_of(scale)), initial=0.0))
        error = np.max(np.abs(x - y), initial=0.0)
        if np.all(np.abs(x - y) <= ACCEPTED * largest):
            return found
    raise NoDerivativeError(
        f"{CALLED}: an integral, or that of the integrand's derivative, did not converge, with the status "
        f"{status} and an estimated error of {error}. Split it where it jumps, or give it a larger "
        "`maxlevel`; a divergent integral has no derivative."
    )


def is_missing(part: Any) -> bool:
    """Whether a part of a cotangent says that it is not implemented."""
    return isinstance(part, NotImplementedTangent)
