"""Rules for `fixed_quad`, the sum ``(b - a) / 2 Σ w_i f(t_i)`` at ``t_i = a + (b - a) s_i``.

The integrand is called once, with all places.
"""

from typing import Any

import numpy as np
import scipy.integrate
import scipy.special

from chainrules.values.iterables import item_tangents, iterable_cotangent, tuple_tangent, zeros_if_zero
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    ProjectTo,
    RuleConfig,
    frule,
    frule_via_ad,
    primal_of,
    rrule,
    rrule_via_ad,
    typeof_,
    unbroadcast,
)


@frule.dispatch
def fixed_quad_frule(  # noqa: PLR0913, PLR0917 - those of SciPy's function, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    q: typeof_(scipy.integrate.fixed_quad),
    f: Any,
    a: Any,
    b: Any,
    *further: Any,
    **named: Any,
):
    if np.any(np.isinf(primal_of(a))) or np.any(np.isinf(primal_of(b))):
        return None
    _, f_dot, *limit_dots, args_dot, _ = (*tangents, NO_TANGENT, NO_TANGENT)[:6]
    a_dot, b_dot = (zeros_if_zero(x, dot) for x, dot in zip((a, b), limit_dots, strict=True))
    args, s, w = places_of(further, named)
    dots = (f_dot, a_dot + (b_dot - a_dot) * s, *item_tangents(args_dot, len(args)))
    values, values_dot = frule_via_ad(config, dots, f, a + (b - a) * s, *args)
    half, half_dot = 0.5 * (b - a), 0.5 * (b_dot - a_dot)
    values_dot = half * zeros_if_zero(values, values_dot) + half_dot * values
    result = half * np.sum(w * values, axis=-1), None
    return result, tuple_tangent(tuple, (np.sum(w * values_dot, axis=-1), NO_TANGENT))


@rrule.dispatch
def fixed_quad_rrule(
    config: RuleConfig[HasReverseMode],
    q: typeof_(scipy.integrate.fixed_quad),
    f: Any,
    a: Any,
    b: Any,
    *further: Any,
    **named: Any,
):
    if np.any(np.isinf(primal_of(a))) or np.any(np.isinf(primal_of(b))):
        return None
    args, s, w = places_of(further, named)
    values, pull = rrule_via_ad(config, f, a + (b - a) * s, *args)
    half, total = 0.5 * (b - a), np.sum(w * values, axis=-1)

    def fixed_quad_pullback(y_bar):
        z_bar = y_bar[0]
        if isinstance(z_bar, AbstractZero):
            return NO_TANGENT, z_bar, z_bar, z_bar, *(z_bar for _ in further)
        f_bar, t_bar, *arg_bars = pull(unbroadcast(values, half * w * np.expand_dims(z_bar, -1)))
        t_bar = zeros_if_zero(s, t_bar)
        own = 0.5 * np.sum(np.real(np.conj(total) * z_bar))
        a_bar = ProjectTo(a)(np.sum((1.0 - s) * t_bar) - own)
        b_bar = ProjectTo(b)(np.sum(s * t_bar) + own)
        bars = [iterable_cotangent(given, args, arg_bars) for given in further[:1]]
        return NO_TANGENT, f_bar, a_bar, b_bar, *bars, *(NO_TANGENT for _ in further[1:])

    return (half * total, None), fixed_quad_pullback


def places_of(further: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Any, Any]:
    """The arguments of the integrand after its variable, and the places on [0, 1] and weights of terms."""
    given: dict[str, Any] = {"args": (), "n": 5} | dict(zip(("args", "n"), further, strict=False)) | named
    s, w = scipy.special.roots_legendre(given["n"])
    return tuple(given["args"]), 0.5 * (np.real(s) + 1.0), w
