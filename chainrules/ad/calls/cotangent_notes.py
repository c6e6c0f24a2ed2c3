"""Notes beside errors of pullbacks: from which rule the cotangent came, and in which form it was given."""

from typing import Any

import numpy as np

from chainrules_core import (
    PullbackLookedAt,
    StructuralTangent,
    describe_callee,
    describe_place,
    describe_value,
    primal_of,
)

# What a pullback raises that cannot do with its cotangent.
OF_UNFIT_COTANGENTS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def note_cotangent(error: Exception, pullback: Any, y_bar: Any, source: Any) -> None:
    """Note beside the error of a pullback which cotangent it was given, where that may be the cause.

    Parameters
    ----------
    error
        What it raised.
    pullback, y_bar
        The pullback, and the cotangent.
    source
        The rule of somebody else from which the cotangent came, or a part of a sum; `None` if it came from
        rules of this package.
    """
    if source is not None:
        error.add_note(
            f"{_named(pullback)} was given a cotangent of {_form(y_bar)}, which came from the pullback of "
            f"{_named(source)}."
        )
    elif isinstance(pullback, PullbackLookedAt):
        error.add_note(f"{_named(pullback)} was given a cotangent of {_form(y_bar)}.{_advice(y_bar)}")


def _named(function: Any) -> str:
    return f"`{describe_callee(function).rpartition('.')[2]}` ({describe_place(function)})"


def _form(y_bar: Any) -> str:
    if isinstance(y_bar, StructuralTangent):
        return f"type {describe_value(y_bar)}"
    y_bar = primal_of(y_bar)
    if isinstance(y_bar, float | complex | np.number | np.ndarray):
        return f"shape {np.shape(y_bar)}"
    return f"type {describe_value(y_bar)}"


def _advice(y_bar: Any) -> str:
    if not isinstance(y_bar, StructuralTangent):
        return ""
    return (
        " The cotangent of a result with parts has a cotangent for each, `y_bar[0]` or `y_bar.name`; any of "
        "these may be `ZeroTangent()`."
    )
