"""Tangents and cotangents of a rule against another framework's."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from chainrules_core import NoTangent
from chainrules_testutils.advice.report import failed, with_hint
from chainrules_testutils.comparing.check_result import compared
from chainrules_testutils.comparing.number_comparison import compared_numbers, is_numeric
from chainrules_testutils.comparing.purity import copied
from chainrules_testutils.oracles.framework import Array, in_double_precision
from chainrules_testutils.oracles.oracle import Oracle, is_inexact, refilled
from chainrules_testutils.testers.trial import Trial
from chainrules_testutils.values.natural_forms import natural_cotangent, natural_tangent
from chainrules_testutils.values.parts import leaves
from chainrules_testutils.values.precision import with_floats
from chainrules_testutils.values.rand_tangent import rand_tangent
from chainrules_testutils.values.tangent_to_vec import (
    cotangent_to_vec,
    perturbable,
    tangent_from_vec,
    tangent_to_vec,
)
from chainrules_testutils.values.to_vec import to_vec

_DIFFERENT = (
    "the results differ, so that their derivatives are not compared. Does {} order, scale or sign them in "
    "another way? Let both compute what does not depend on that."
)


def check_cotangents_against(oracle: Oracle, trial: Trial, cotangents: tuple[Any, ...], y_bar: Any) -> None:
    """Check the cotangents of the arguments: equal to the framework's."""
    xs, is_moved = _inputs(trial)
    if not any(is_moved):
        return  # there is no derivative
    with trial.errors_as_failures(f"cotangents against {oracle.name}"):
        y = trial.call(*copied(xs))
        results, pullback = oracle.vjp(copied(xs[1:]), is_moved[1:], trial.options.fkwargs)
        if not _has_same_results(oracle, trial, y, results):
            return
        x_bars = iter(pullback(_cotangents_of_results(y, y_bar)))
        for i, x in enumerate(xs):
            if is_moved[i]:
                expected = _tangent(x, trial.tangents[i], refilled(x, x_bars))
                x_bar = natural_cotangent(x, cotangents[i])
                where = f"cotangent for input {i + 1} against {oracle.name}"
                trial.record(compared(x_bar, expected, where, trial.tolerance))


def check_tangent_against(oracle: Oracle, trial: Trial, y_dot: Any) -> None:
    """Check the tangent of the output: equal to the framework's."""
    xs, is_moved = _inputs(trial)
    if not any(is_moved):
        return  # as above
    where = f"tangent of the output against {oracle.name}"
    with trial.errors_as_failures(where):
        y = trial.call(*copied(xs))
        x_dots = [
            array
            for x, x_dot, moved in zip(xs, trial.tangents, is_moved, strict=True)
            if moved
            for array in _along(x, tangent_to_vec(x, x_dot))
        ]
        results, y_dots = oracle.jvp(copied(xs[1:]), is_moved[1:], x_dots, trial.options.fkwargs)
        if not _has_same_results(oracle, trial, y, results):
            return
        inexact = (y_dot for y_dot, leaf in zip(y_dots, _numeric_leaves(y), strict=True) if is_inexact(leaf))
        expected = _tangent(y, rand_tangent(y, 0), refilled(y, inexact))
        trial.record(compared(natural_tangent(y, y_dot), expected, where, trial.tolerance))


def _inputs(trial: Trial) -> tuple[tuple[Any, ...], list[bool]]:
    """The function and its arguments, and which are differentiated; differentiated integers become floats.

    Raises
    ------
    TypeError
        If the function itself is, since the framework's function has no values of it.
    """
    if perturbable(trial.f, trial.tangents[0]).any():
        raise TypeError(
            "oracle: the function holds values that are differentiated, and the framework's counterpart does "
            "not. Test a function that takes them as arguments, or leave them out: "
            "PrimalAndTangent(f, NoTangent())."
        )
    is_moved = [False, *(not isinstance(x_dot, NoTangent) for x_dot in trial.tangents[1:])]
    pairs = zip(trial.where_it_is_differentiated(), is_moved, strict=True)
    xs = (with_floats(x) if moved and is_numeric(x) else x for x, moved in pairs)
    return tuple(xs), is_moved


def _numeric_leaves(y: Any) -> list[Any]:
    return [leaf for leaf in leaves(y) if is_numeric(leaf)]


def _has_same_results(oracle: Oracle, trial: Trial, y: Any, results: Sequence[Array]) -> bool:
    """Record whether the framework's function returns what the primal returns."""
    where = f"result against {oracle.name}"
    ours = _numeric_leaves(y)
    if len(ours) != len(results):
        problem = f"{len(ours)} numbers or arrays, and {len(results)} of {oracle.name}"
        return trial.record([failed(where, problem, _DIFFERENT.format(oracle.name))])
    pairs = zip(ours, results, strict=True)
    checks = [compared_numbers(leaf, result, where, trial.tolerance) for leaf, result in pairs]
    return trial.record(with_hint(check, _DIFFERENT.format(oracle.name)) for check in checks)


def _cotangents_of_results(y: Any, y_bar: Any) -> list[Array]:
    """A cotangent for each number and array in the result, zeros for those that have none."""
    arrays = iter(_along(y, cotangent_to_vec(y, y_bar)))
    return [next(arrays) if is_inexact(leaf) else np.zeros(np.shape(leaf)) for leaf in _numeric_leaves(y)]


def _along(x: Any, vec: Any) -> list[Array]:
    """The tangent of `x` that a vector spells: an array for each of its `inexact_leaves`."""
    moved = to_vec(x)[1](vec)
    return [
        in_double_precision(dot)
        for leaf, dot in zip(leaves(x), leaves(moved), strict=True)
        if is_inexact(leaf)
    ]


def _tangent(x: Any, like: Any, filled: Any) -> Any:
    return tangent_from_vec(x, like, to_vec(filled)[0])
