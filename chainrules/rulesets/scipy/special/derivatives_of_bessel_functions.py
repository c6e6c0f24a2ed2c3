"""Rules for derivatives of Bessel functions: the derivative by the argument is the next one.

By the order: see `chainrules.formulas.special_functions.differences_in_order`. Integer orders have no
tangent, and how many times a function is differentiated has none.
"""

from scipy import special

from chainrules.formulas.special_functions.differences_in_order import derivative_by_order, rate_of_powers
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules_core import primitive


def define_rule(function):
    """Define the rules of ``function(v, z, n)``, the derivative of order n by z."""
    call = primitive(function)

    def by_order(y, v, z, n=1):
        return derivative_by_order(lambda v, z: call(v, z, n), y, v, z, rate=rate_of_powers(v, z))

    def by_argument(y, v, z, n=1):
        return call(v, z, n + 1)

    lazy_scalar_rule(function, by_order, by_argument, orders=(0,))


define_rule(special.jvp)
define_rule(special.yvp)
define_rule(special.ivp)
define_rule(special.kvp)
define_rule(special.h1vp)
define_rule(special.h2vp)
