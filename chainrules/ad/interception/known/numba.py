"""Functions that numba has compiled: traced values are given to the Python functions behind them."""

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.values.facts import fact

fact(
    "numba.core.registry.CPUDispatcher", of_instances=lambda f: entered_if_traced(f, choose(f.py_func, False))
)
