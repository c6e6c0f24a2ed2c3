"""Rules for integrals of arrays: `chainrules.operations.integrals` has the equations.

The integral has a derivative; the estimate of its error, and what `full_output` adds, are constants. The
derivatives are integrated number by number, by `scipy.integrate.quad`.
"""

from typing import Any

import numpy as np
import scipy.integrate

from chainrules.operations.integrals import Domain, pulled, pushed
from chainrules.values.held_numbers import noted_call
from chainrules.values.iterables import tuple_tangent
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    frule,
    is_complex,
    primal_of,
    primitive,
    rrule,
    typeof_,
)

quad_vec = primitive(scipy.integrate.quad_vec)


@frule.dispatch
def quad_vec_frule(  # noqa: PLR0913, PLR0917 - those of SciPy's function, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    q: typeof_(scipy.integrate.quad_vec),
    f: Any,
    a: Any,
    b: Any,
    *further: Any,
    **named: Any,
):
    _, f_dot, a_dot, b_dot, *further_dots = tangents
    points_dot = dict(zip(FURTHER, further_dots, strict=False)).get("points", NO_TANGENT)
    args, domain = domain_of(a, b, further, named)
    result, _ = noted_call((f, args), "scipy.integrate.quad_vec", quad_vec, f, a, b, *further, **named)
    if all(isinstance(dot, AbstractZero) for dot in (f_dot, a_dot, b_dot, points_dot)):
        return result, NO_TANGENT
    limit_dots = (a_dot, b_dot, NO_TANGENT, points_dot)
    y, dots = result[0], (f_dot, [NO_TANGENT] * len(args))
    parts = pushed(config, dots, f, args, domain, limit_dots, of_complex=is_complex(y))
    shape = np.shape(primal_of(y))
    parts = parts + np.zeros(np.size(primal_of(y)) * (1 + is_complex(y)))
    flat = parts[: len(parts) // 2] + 1j * parts[len(parts) // 2 :] if is_complex(y) else parts
    y_dot = np.reshape(flat, shape) if shape else flat[0]
    return result, tuple_tangent(tuple, (y_dot, *(NO_TANGENT for _ in result[1:])))


@rrule.dispatch
def quad_vec_rrule(
    config: RuleConfig[HasReverseMode],
    q: typeof_(scipy.integrate.quad_vec),
    f: Any,
    a: Any,
    b: Any,
    *further: Any,
    **named: Any,
):
    args, domain = domain_of(a, b, further, named)
    result, check = noted_call((f, args), "scipy.integrate.quad_vec", quad_vec, f, a, b, *further, **named)

    def quad_vec_pullback(y_bar):
        check()
        f_bar, _, a_bar, b_bar, _, points_bar = pulled(config, f, args, y_bar[0], domain)
        further_bars = [points_bar if name == "points" else NO_TANGENT for name in FURTHER][: len(further)]
        return NO_TANGENT, f_bar, a_bar, b_bar, *further_bars

    return result, quad_vec_pullback


# The parameters after the limits, in their order, with what they are if they are not given.
FURTHER = {
    "epsabs": 1e-200,
    "epsrel": 1e-8,
    "norm": "2",
    "cache_size": 100e6,
    "limit": 10000,
    "workers": 1,
    "points": None,
    "quadrature": None,
    "full_output": False,
    "args": (),
}
# More intervals than QUADPACK needs for what it can integrate.
LIMIT = 500


def domain_of(a: Any, b: Any, further: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Domain]:
    """The arguments of the integrand after its variable, and over what it is integrated."""
    given = {**FURTHER, **dict(zip(FURTHER, further, strict=False)), **named}
    options = {name: primal_of(given[name]) for name in ("epsabs", "epsrel")}
    options |= {"limit": min(given["limit"], LIMIT)}
    args = given["args"] if isinstance(given["args"], tuple) else (given["args"],)
    return args, Domain(a, b, None, None, options, given["points"])
