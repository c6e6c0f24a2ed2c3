"""Rules for integrals of a function of one variable: `chainrules.operations.integrals` has the equations.

The integral has a derivative; the estimate of its error, and what `full_output` adds, are constants.
"""

from typing import Any

import numpy as np
import scipy.integrate

from chainrules.operations.integrals import Domain, pulled, pushed
from chainrules.values.held_numbers import noted_call
from chainrules.values.iterables import item_tangents, tuple_tangent
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

quad = primitive(scipy.integrate.quad)

# The parameters of `quad` after the limits, in their order, with what they are if they are not given.
FURTHER = {
    "args": (),
    "full_output": 0,
    "epsabs": 1.49e-8,
    "epsrel": 1.49e-8,
    "limit": 50,
    "points": None,
    "weight": None,
    "wvar": None,
    "wopts": None,
    "maxp1": 50,
    "limlst": 50,
    "complex_func": False,
}
KEPT = ("epsabs", "epsrel", "limit", "maxp1", "limlst")


@frule.dispatch
def quad_frule(  # noqa: PLR0913, PLR0917 - those of SciPy's function, and tangents
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    q: typeof_(scipy.integrate.quad),
    f: Any,
    a: Any,
    b: Any,
    *further: Any,
    **named: Any,
):
    _, f_dot, a_dot, b_dot, *further_dots = tangents
    dots = dict(zip(FURTHER, further_dots, strict=False))
    args, domain = arguments_of(a, b, further, named)
    args_dot, given = dots.get("args", NO_TANGENT), further[0] if further else ()
    arg_dots = item_tangents(args_dot, len(args)) if isinstance(given, tuple) else [args_dot]
    result, _ = noted_call((f, args), "scipy.integrate.quad", quad, f, a, b, *further, **named)
    domain_dots = (a_dot, b_dot, *(dots.get(name, NO_TANGENT) for name in ("wvar", "points")))
    at_once = is_real_and_plain(result[0])
    f_dots, of_complex = (f_dot, arg_dots), is_complex(result[0])
    y_dot = pushed(config, f_dots, f, args, domain, domain_dots, at_once, of_complex)
    y_dot = y_dot + np.zeros(1 + of_complex)
    return result, tuple_tangent(tuple, (number_of(y_dot), *(NO_TANGENT for _ in result[1:])))


@rrule.dispatch
def quad_rrule(
    config: RuleConfig[HasReverseMode],
    q: typeof_(scipy.integrate.quad),
    f: Any,
    a: Any,
    b: Any,
    *further: Any,
    **named: Any,
):
    args, domain = arguments_of(a, b, further, named)
    result, check = noted_call((f, args), "scipy.integrate.quad", quad, f, a, b, *further, **named)

    def quad_pullback(y_bar):
        check()
        at_once = is_real_and_plain(result[0]) and is_real_and_plain(y_bar[0])
        f_bar, args_bar, a_bar, b_bar, *bars = pulled(config, f, args, y_bar[0], domain, at_once)
        bars = dict(zip(("args", "wvar", "points"), (in_args(further, args_bar), *bars), strict=True))
        further_bars = [bars.get(name, NO_TANGENT) for name, _ in zip(FURTHER, further, strict=False)]
        return NO_TANGENT, f_bar, a_bar, b_bar, *further_bars

    return result, quad_pullback


def arguments_of(a: Any, b: Any, further: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Domain]:
    """The arguments of the integrand after its variable, and over what it is integrated."""
    given = {**FURTHER, **dict(zip(FURTHER, further, strict=False)), **named}
    args = given["args"] if isinstance(given["args"], tuple) else (given["args"],)
    options = {name: given[name] for name in KEPT}
    return args, Domain(a, b, given["weight"], given["wvar"], options, given["points"])


def is_real_and_plain(x: Any) -> bool:
    """Whether a number is real, and not traced."""
    return primal_of(x) is x and not is_complex(x)


def in_args(further: tuple[Any, ...], args_bar: Any) -> Any:
    """The cotangent of `args`, which may be one value that is no tuple."""
    if not further or isinstance(further[0], tuple) or isinstance(args_bar, AbstractZero):
        return args_bar
    return args_bar[0]


def number_of(parts: Any) -> Any:
    """A real number, or a complex one, from the vector of its parts."""
    return parts[0] if len(parts) == 1 else parts[0] + 1j * parts[1]
