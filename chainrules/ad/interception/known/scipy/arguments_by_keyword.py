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
from chainrules_core import ignore_derivatives, primal_of


def _holding_arguments(solver: Any) -> Callable[..., Any]:
    """A solver whose function holds the traced numbers of `args` and `kwargs`, which are keywords alone.

    A rule has no cotangents for keywords. An array has a number for each problem: in its place SciPy is given
    the places in it, and tells the function by these which problems are left. Bounds of a search are held
    too, so that what depends on them is known to; they are constants of its result.
    """
    solve = ruled(solver, entered_if_traced(solver))

    def call(f: Any, *given: Any, **named: Any) -> Any:
        args, by_name = named.get("args", ()), named.get("kwargs") or {}  # these since SciPy 1.18
        bounds = {name: named[name] for name in ("xmin", "xmax") if name in named}
        if not is_traced((args, by_name, bounds)):
            return solve(f, *given, **named)
        args = args if isinstance(args, tuple) else (args,)
        number, args = len(args), (*args, *by_name.values(), *bounds.values())
        followed, shapes = choose(f), [np.shape(primal_of(x)) for x in args]
        places = [np.reshape(np.arange(np.prod(shape)), shape) for shape in shapes if shape]

        def at(x: Any, *chosen: Any) -> Any:
            left = iter(chosen)
            # Whatever SciPy makes of them, the places are whole numbers.
            parts = [
                np.take(y, np.asarray(next(left), int)) if shape else y
                for y, shape in zip(args, shapes, strict=True)
            ]
            return followed(x, *parts[:number], **dict(zip(by_name, parts[number:], strict=False)))

        named.pop("kwargs", None)
        bounds = {name: ignore_derivatives(x) for name, x in bounds.items()}
        return solve(at, *given, **named | bounds | {"args": tuple(places)})

    return call


fact(
    "scipy.integrate._tanhsinh.tanhsinh",
    "scipy.integrate._tanhsinh.nsum",
    "scipy.optimize._elementwise.find_root",
    "scipy.optimize._elementwise.find_minimum",
    "scipy.optimize._elementwise.bracket_root",
    "scipy.optimize._elementwise.bracket_minimum",
    wrapped=_holding_arguments,
)
