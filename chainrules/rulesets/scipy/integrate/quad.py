"""Rules for integrals of a function of one variable: `chainrules.operations.integrals` has the equations.

The integral has a derivative; the estimate of its error, and what `full_output` adds, are constants. The
derivatives of an integral of arrays are integrated number by number, by `scipy.integrate.quad`.
"""

import functools
import warnings
from typing import Any

import numpy as np
import scipy.integrate

from chainrules.numerics.integrals_of_vectors import Domain, as_divided
from chainrules.operations.found_intervals import intervals_of
from chainrules.operations.integrals import is_real_and_plain, pulled, pushed
from chainrules.values.callee_unions import typeof_any
from chainrules.values.iterables import item_tangents, tuple_tangent
from chainrules.values.solver_calls import arguments_of, bars_of, defaults_of, dots_of, solved
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    contains_carrier,
    frule,
    is_complex,
    primal_of,
    rrule,
)

INTEGRALS = (scipy.integrate.quad, scipy.integrate.quad_vec)
# The options that say how to integrate, for `quad`; and more intervals than QUADPACK needs for what it
# can integrate, which `quad_vec` allows.
KEPT = ("epsabs", "epsrel", "limit", "maxp1", "limlst")
LIMIT = 500
# The estimated error, as a part of the integral, of one that QUADPACK's smaller rule would find too: with 7
# places of Gauss in the place of 10, the error is raised to the power 0.7.
EXACT = 1e-13


@frule.dispatch
def quad_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, q: typeof_any(INTEGRALS), *given: Any, **named: Any
):
    call = Call(q, given, named)
    args, args_dot, result = call.arguments["args"], dots_of(q, tangents[1:], ["args"])[0], call.result
    arg_dots = item_tangents(args_dot, len(args)) if isinstance(args, tuple) else [args_dot]
    y, of_complex = result[0], is_complex(result[0])
    f_dots, domain_dots = (tangents[1], arg_dots), dots_of(q, tangents[1:], ("a", "b", "wvar", "points"))
    at_once = q is scipy.integrate.quad and is_real_and_plain(y)
    parts = pushed(
        config, f_dots, call.f, call.args, call.domain, domain_dots, at_once, of_complex, call.divided
    )
    parts = parts + np.zeros(np.size(primal_of(y)) * (1 + of_complex))
    flat = parts[: len(parts) // 2] + 1j * parts[len(parts) // 2 :] if of_complex else parts
    shape = np.shape(primal_of(y))
    y_dot = call.sign * (np.reshape(flat, shape) if shape else flat[0])
    return result, tuple_tangent(tuple, (y_dot, *(NO_TANGENT for _ in result[1:])))


@rrule.dispatch
def quad_rrule(config: RuleConfig[HasReverseMode], q: typeof_any(INTEGRALS), *given: Any, **named: Any):
    call = Call(q, given, named)
    result = call.result

    def quad_pullback(y_bar):
        call.check()
        is_plain = is_real_and_plain(result[0]) and is_real_and_plain(y_bar[0])
        at_once = q is scipy.integrate.quad and is_plain
        f_bar, args_bar, *domain_bars = pulled(
            config, call.f, call.args, call.sign * y_bar[0], call.domain, at_once, call.divided
        )
        if not (isinstance(call.arguments["args"], tuple) or isinstance(args_bar, AbstractZero)):
            args_bar = args_bar[0]
        bars = dict(zip(("a", "b", "wvar", "points"), domain_bars, strict=True))
        return NO_TANGENT, *bars_of(q, given, bars | {call.first: f_bar, "args": args_bar})

    return result, quad_pullback


class Call:
    """A call and its result: the integrand, its arguments after the variable, and over what it goes."""

    def __init__(self, q: Any, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        first = next(iter(defaults_of(q)))
        self.found: dict[str, Any] = {}
        is_traced, is_quad = contains_carrier((given, named)), q is scipy.integrate.quad
        solve = self.with_intervals if is_quad and not is_traced else None
        self.arguments, _, held, self.result, self.check = solved(q, given, named, (first, "args"), solve)
        self.first, self.f, args = first, held[first], held["args"]
        self.args = args if isinstance(args, tuple) else (args,)
        options = {name: primal_of(x) for name, x in self.arguments.items() if name in KEPT}
        if q is scipy.integrate.quad_vec:
            options["limit"] = min(options["limit"], LIMIT)
        a, b, weight, wvar, points = map(self.arguments.get, ("a", "b", "weight", "wvar", "points"))
        y, error = (primal_of(x) for x in self.result[:2])
        is_smooth = bool(np.all(np.abs(error) <= EXACT * np.abs(y)))
        self.domain = Domain(a, b, weight, wvar, options, points, is_smooth)
        reversed_parts = is_quad and self.arguments["complex_func"] and primal_of(b) < primal_of(a)
        self.sign = sign_of_reversed() if reversed_parts else 1
        self.divided = None
        if is_quad and weight is None:
            self.divided = intervals_of(*given, **named) if is_traced else as_divided(self.found)

    def with_intervals(self, *given: Any, **named: Any) -> Any:
        """Integrate, and note the intervals that QUADPACK ends with."""
        arguments = arguments_of(scipy.integrate.quad, given, named)
        y, error, self.found, *problem = scipy.integrate.quad(**arguments | {"full_output": 1})
        if arguments["full_output"]:
            return y, error, self.found, *problem
        parts = self.found.values() if arguments["complex_func"] else [(self.found, *problem)]
        for message in [part[1] for part in parts if isinstance(part, tuple) and len(part) > 1]:
            warnings.warn(message, scipy.integrate.IntegrationWarning, stacklevel=2)
        return y, error


@functools.cache
def sign_of_reversed() -> int:
    """-1 where SciPy integrates complex functions from the lower limit on, whichever is first."""
    return -1 if scipy.integrate.quad(lambda t: 1.0 + 0.0j, 1.0, 0.0, complex_func=True)[0].real > 0 else 1
