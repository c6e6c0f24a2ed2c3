"""Rules for parabolic cylinder functions, which return the values and the derivatives.

``D_v'' = (x²/4 - v - 1/2) D_v``, and V likewise; ``W'' = (a - x²/4) W``: https://dlmf.nist.gov/12.2. The
sequences are of the orders ``v₀, v₀ + 1, ..., v``, where v₀ is the fractional part of v; of negative v SciPy
returns the first two. That of `pbdn_seq` goes down from 0 where n is negative.

By the order: see `chainrules.formulas.special_functions.differences_in_order`. SciPy has W for ``|a| <= 5``,
and the values that a derivative by `a` is computed from move together near that: it has a relative error of
1e-8 at 4.9 and of 1e-7 at 4.99, and at 5 it is NaN.
"""

import numpy as np
from scipy import special

from chainrules.formulas.special_functions.differences_in_order import derivative_by_order, longest_reach
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules_core import is_complex, not_implemented, primal_of

_OFF_THE_AXIS = (
    "by a complex number: SciPy's values are none of D_n there, and not those of a smooth function"
)
_BY_SEQUENCE = "by the order of a sequence: write `{}` of an array of orders, which has it"


def _solves_equation(y, v, x):
    value, slope = y
    return slope, (0.25 * x * x - v - 0.5) * value


def _solves_other_equation(y, a, x):
    value, slope = y
    return slope, (a - 0.25 * x * x) * value


def _by_order_of(function, limit=np.inf):
    """The derivative by the order, of a function that SciPy has for orders up to a limit."""

    def by_order(y, v, x):
        rate = np.hypot(np.log1p(np.abs(primal_of(v)) + np.abs(primal_of(x))), np.pi)
        with np.errstate(divide="ignore"):  # at the limit itself there is no order beside
            rate = np.maximum(rate, longest_reach(limit - np.abs(primal_of(v))))
        return tuple(
            derivative_by_order(lambda v, x, part=part: function(v, x)[part], y[part], v, x, rate=rate)
            for part in (0, 1)
        )

    return by_order


lazy_scalar_rule(special.pbdv, _by_order_of(special.pbdv), _solves_equation, orders=(0,))
lazy_scalar_rule(special.pbvv, _by_order_of(special.pbvv), _solves_equation, orders=(0,))
lazy_scalar_rule(special.pbwa, _by_order_of(special.pbwa, limit=5.0), _solves_other_equation, orders=(0,))


def _by_argument_of_sequence(function):
    def by_argument(y, v, x):
        last = max(int(v), 1) + v - int(v)  # also of negative orders
        orders = last - int(last) + np.arange(len(primal_of(y[0])))
        # SciPy leaves the last derivative out where there are two.
        return _solves_equation(function(orders, x), orders, x)

    return by_argument


def _by_argument_of_integers(y, n, z):
    if is_complex(z):
        why = not_implemented(_OFF_THE_AXIS)
        return why, why
    steps = np.arange(len(primal_of(y[0])))
    return _solves_equation(y, steps if n >= 0 else -steps, z)


def _by_order_of_sequence(name):
    def by_order(y, v, x):
        why = not_implemented(_BY_SEQUENCE.format(name))
        return why, why

    return by_order


def define_rule_of_sequence(sequence, function):
    """Define the rules of a function that returns the values of another one of all orders up to one."""
    partials = _by_order_of_sequence(function.__name__), _by_argument_of_sequence(function)
    lazy_scalar_rule(sequence, *partials, orders=(0,))


define_rule_of_sequence(special.pbdv_seq, special.pbdv)
define_rule_of_sequence(special.pbvv_seq, special.pbvv)
lazy_scalar_rule(special.pbdn_seq, None, _by_argument_of_integers)
