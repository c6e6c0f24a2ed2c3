"""Checks of the call itself: where one fails, a test of rules means nothing, and no rule is at fault."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules_core import (
    AbstractTangent,
    AbstractZero,
    DimensionMismatchError,
    NoTangent,
    TangentStructureError,
)
from chainrules_testutils.advice.kinks import kink_problem
from chainrules_testutils.advice.report import Check, Outcome, all_passed, failed, short
from chainrules_testutils.comparing.check_result import compared
from chainrules_testutils.comparing.finite_differences import jvp_vec
from chainrules_testutils.comparing.number_comparison import is_numeric
from chainrules_testutils.comparing.purity import differences
from chainrules_testutils.values.parts import CONTAINERS, inside, parts, with_parts
from chainrules_testutils.values.precision import ANY_VALUE, Tolerance, with_floats
from chainrules_testutils.values.rand_tangent import rand_tangent
from chainrules_testutils.values.tangent_to_vec import tangent_from_vec, tangent_to_vec
from chainrules_testutils.values.to_vec import RealVector, is_structure, to_vec

_WITH_TANGENTS = (np.ndarray, AbstractTangent, bool, np.bool_, *CONTAINERS)


def output_problems(y: Any, again: Any, tolerance: Tolerance) -> Iterator[Check]:
    """Why the output of a primal cannot be tested: it differs between two calls.

    Parameters
    ----------
    y, again
        The results of two calls with equal arguments.
    tolerance
        The difference that two calls may have, as sums of several threads do.
    """
    if list(differences(y, again, "")) and not _results_agree(y, again, tolerance):
        yield failed(
            "primal",
            "two calls with equal arguments gave different results, so that differences of it mean nothing. "
            "Does it draw random numbers, or keep state? Let it make its generator from a seed.",
            f"first    {short(y)}",
            f"second   {short(again)}",
        )


def opaque_output(y: Any) -> Check:
    """The failure of a test whose primal has an output without tangents, where no rule says so."""
    return failed(
        "primal",
        f"its output, {short(y)}, is a {type(y).__qualname__}, neither a number, nor an array, nor a "
        "value with fields, so there is nothing to differentiate. A function that no derivative goes "
        "through is declared with `non_differentiable`; a class that is meant to have derivatives needs "
        "methods of `to_vec` and `rand_tangent`.",
    )


def without_projector(x: Any, where: str) -> Iterator[Check]:
    """Why an argument cannot be tested: it has an array of numbers, and cannot be made of fields."""
    is_series = hands_out_an_array(x) and is_structure(x) and isinstance(rand_tangent(x, 0), NoTangent)
    if is_series and not _can_be_made_of_parts(x):
        yield failed(where, no_projector(x))


def hands_out_an_array(x: Any) -> bool:
    """Whether a value is no array, and gives one away, as a series of pandas does."""
    return hasattr(type(x), "__array__") and not isinstance(x, np.ndarray | np.generic)


def no_projector(x: Any) -> str:
    """What to write in the place of a value that gives an array away."""
    name = type(x).__qualname__
    plain = "x.to_numpy()" if hasattr(type(x), "to_numpy") else "np.asarray(x)"
    return (
        f"a {name} has no projector, since its numbers are no fields of it. Write `{plain}` in its place; or "
        f"teach `ProjectTo`, `to_vec` and `rand_tangent` what the tangents of a {name} are."
    )


def _can_be_made_of_parts(x: Any) -> bool:
    try:
        _made_of_parts(x)
    except TangentStructureError:
        return False
    return True


def _made_of_parts(x: Any) -> Any:
    below = parts(x)
    if not below:
        return x
    with inside(x):
        return with_parts(x, {name: _made_of_parts(part) for name, part in below.items()})


def tangent_misfits(y: Any, y_bar: Any, where: str, what: str) -> Iterator[Check]:
    """Why a tangent that was given for the output, or for an argument, does not fit."""
    if isinstance(y_bar, AbstractZero):
        return
    wanted = f"A tangent of this {what} is, for example, {short(rand_tangent(y, 0))}."
    if isinstance(y, np.ndarray) and isinstance(y_bar, np.ndarray) and y.shape != y_bar.shape:
        yield failed(where, f"it has shape {y_bar.shape}, the {what} {y.shape}.", wanted)
        return
    if isinstance(y_bar, CONTAINERS) and not isinstance(y_bar, AbstractTangent):
        kind = type(y_bar).__qualname__
        yield failed(where, f"a raw {kind} is no tangent: write Tangent[{kind}](...).", wanted)
        return
    try:
        tangent_to_vec(y, y_bar)
        zero = tangent_from_vec(y, y_bar, np.zeros(to_vec(y)[0].size))
        misfits = [c.message for c in compared(y_bar, zero, where, ANY_VALUE) if c.outcome is Outcome.FAILED]
    except (AttributeError, LookupError):
        misfits = [f"{where}: it has other fields or items."]
    except (DimensionMismatchError, TypeError) as error:
        misfits = [f"{where}: {error}"]
    if misfits:
        yield failed(where, f"it does not fit the {what}: {misfits[0].partition(': ')[2]}", wanted)


def integers_for_reals(trial: Any) -> Iterator[Check]:
    """Whether there was nothing to differentiate by, since real numbers were written as integers."""
    only_integers = all(isinstance(x_dot, NoTangent) for x_dot in trial.tangents)
    if not only_integers or any(trial.chosen):
        return
    xs = with_floats(trial.primals)
    # Arrays of integers are rarely meant as anything else.
    if xs is trial.primals or any(isinstance(x, np.ndarray) for x in xs):
        return
    x_dots = [x if is_numeric(x) else NoTangent() for x in xs]
    try:
        if isinstance(rand_tangent(trial.call(*xs), 0), NoTangent):
            return
        y_dot = jvp_vec(trial.options.fdm, trial.call, xs, x_dots)
    except Exception:  # noqa: BLE001 - whatever the primal raises: it wants integers
        return
    # A function that rounds jumps between numbers.
    if np.any(y_dot) and kink_problem(trial.call, xs, _direction_of(xs, x_dots), y_dot) is None:
        yield failed(
            "arguments",
            "each of them is an integer, so that nothing was differentiated, but the function takes floats "
            "too, and varies with them. " + _written_as_floats(trial.primals[1:], xs[1:]),
        )


def _direction_of(xs: tuple[Any, ...], x_dots: list[Any]) -> RealVector:
    direction: RealVector = np.concatenate(list(map(tangent_to_vec, xs, x_dots)))
    direction /= np.max(np.abs(direction))
    return direction


def _written_as_floats(integers: tuple[Any, ...], floats: tuple[Any, ...]) -> str:
    written = {str(x): y for x, y in zip(integers, floats, strict=True) if is_numeric(x) and x is not y}
    x, y = next(iter(written.items()), ("2", 2.0))
    return f"Write {y} where {x} means a real number, PrimalAndTangent({x}, NoTangent()) where an integer."


def _results_agree(y: Any, again: Any, tolerance: Tolerance) -> bool:
    return all_passed(compared(again, y, "", tolerance))


def has_tangents(y: Any) -> bool:
    """Whether a value is of a type that has tangents: a number, an array, or a value with fields."""
    if is_numeric(y) or isinstance(y, _WITH_TANGENTS):
        return True
    return to_vec(y)[0].size > 0 or any(map(has_tangents, parts(y).values()))
