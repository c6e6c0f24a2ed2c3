"""Solvers for many functions of one number, whose further arguments are given by a keyword alone.

SciPy is not imported: its functions are known by their names.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of


def _holding_arguments(solver: Any) -> Callable[..., Any]:
    """A solver whose function holds the traced numbers that it is given by `args`, a keyword alone.

    A rule has no cotangents for keywords. An array has a number for each problem, and a function that holds
    it would not know which problems are left.
    """
    solve = ruled(solver, entered_if_traced(solver))

    def call(f: Any, *given: Any, **named: Any) -> Any:
        args = named.get("args", ())
        if not is_traced(args):
            return solve(f, *given, **named)
        args = args if isinstance(args, tuple) else (args,)
        if any(np.ndim(primal_of(x)) for x in args):
            raise TypeError(
                f"`{solver.__name__}` takes traced `args` that are numbers. For an array of them, call it "
                "once for each number, or let the function hold what does not differ between problems."
            )
        followed = choose(f)
        return solve(lambda *x: followed(*x, *args), *given, **named | {"args": ()})

    return call


fact(
    "scipy.integrate._tanhsinh.tanhsinh",
    "scipy.integrate._tanhsinh.nsum",
    "scipy.optimize._elementwise.find_root",
    "scipy.optimize._elementwise.find_minimum",
    wrapped=_holding_arguments,
)
