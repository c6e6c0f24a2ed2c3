"""Functions that search; the formulas among them are entered, and what holds arguments."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.interception.choosing.unentered import guarding
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of, primitive


def _assigning(quadratic_assignment: Any) -> Callable[..., Any]:
    """The function for the place of `quadratic_assignment`: who is assigned to whom moves in steps."""

    def call(A: Any, B: Any, method: str = "faq", options: Any = None) -> Any:
        result = quadratic_assignment(primal_of(A), primal_of(B), method, options)
        order = result.col_ind
        return type(result)(result | {"fun": np.sum(A * B[order][:, order])})

    return entered_if_traced(quadratic_assignment, call)


def _with_own_arguments(direct: Any) -> Callable[..., Any]:
    """The function for the place of `direct`, which takes further arguments by keyword alone."""

    def call(func: Any, bounds: Any, *, args: Any = (), **named: Any) -> Any:
        given = args if isinstance(args, tuple) else (args,)
        return primitive(direct)(lambda x: func(x, *given), bounds, **named)

    return entered_if_traced(direct, call)


def _by_public(called: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """What makes the function for the place of one of SciPy's own of the public one, which has rules."""

    def wrapped(search: Any) -> Callable[..., Any]:
        guarded = guarding(search)

        def chosen(*args: Any, **named: Any) -> Any:
            if not is_traced((args, named)):
                return guarded(*args, **named)
            return call(choose(getattr(import_module("scipy.optimize.elementwise"), called)), *args, **named)

        return chosen

    return wrapped


def _bracketing(*ends: str) -> Callable[..., Any]:
    def call(search: Any, *args: Any, **named: Any) -> Any:
        result = search(*args, **named)
        values = *result.bracket, *result.f_bracket
        parts = zip((*ends, *(f"f{end[1]}" for end in ends)), values, strict=True)
        return type(result)(result | dict(parts))

    return call


def _solving(solve: Any, f: Any, *bracket: Any, a: Any = None, b: Any = None, **named: Any) -> Any:
    tolerances = {name: named.pop(name) for name in ("xatol", "xrtol", "fatol", "frtol") if name in named}
    return solve(f, bracket or (a, b), tolerances=tolerances, **named)


fact("scipy.optimize", not_entered="searches: the derivative of its steps is not that of its result")
fact(
    *(f"scipy.optimize._optimize.rosen{name}" for name in ("", "_der", "_hess", "_hess_prod")), not_entered=""
)
fact(
    "scipy.optimize._constraints.Bounds.__init__",
    "scipy.optimize._constraints.Bounds._input_validation",
    "scipy.optimize._constraints.LinearConstraint.__init__",
    "scipy.optimize._constraints.LinearConstraint._input_validation",
    "scipy.optimize._constraints.NonlinearConstraint.__init__",
    not_entered="",
)
# What they return is what their steps lead to, and no solution that the steps come near; or it compares.
fact(
    "scipy.optimize._optimize.bracket",
    "scipy.optimize._optimize.check_grad",
    *(
        f"scipy.optimize._linesearch.{name}"
        for name in ("line_search_wolfe2", "scalar_search_wolfe2", "_zoom")
    ),
    *(f"scipy.optimize._linesearch.{name}" for name in ("_cubicmin", "_quadmin")),
    *(f"scipy.optimize._lbfgsb_py.LbfgsInvHessProduct.{name}" for name in ("__init__", "_matvec", "_matmat")),
    "scipy.optimize._lbfgsb_py.LbfgsInvHessProduct.todense",
    not_entered="",
)
# Until SciPy 1.17 its random variables search by these.
for _name, _public, _call in (
    ("_bracket._bracket_root", "bracket_root", _bracketing("xl", "xr")),
    ("_bracket._bracket_minimum", "bracket_minimum", _bracketing("xl", "xm", "xr")),
    ("_chandrupatla._chandrupatla", "find_root", _solving),
    ("_chandrupatla._chandrupatla_minimize", "find_minimum", _solving),
):
    fact(f"scipy.optimize.{_name}", wrapped=_by_public(_public, _call))
fact("scipy.optimize._direct_py.direct", wrapped=_with_own_arguments)
fact("scipy.optimize._qap.quadratic_assignment", wrapped=_assigning)
fact(
    "scipy.optimize._milp.milp",
    refused="Its solution moves in steps: write the linear program with the whole numbers that it found, for "
    "`scipy.optimize.linprog`.",
)
