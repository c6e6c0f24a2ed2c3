"""Calls of solvers: arguments by name, and the parts of results."""

import numpy as np
import pytest
from scipy.optimize import OptimizeResult

from chainrules.values.solver_calls import (
    arguments_of,
    bars_of,
    cotangents_in_result,
    dots_of,
    holds_zeros,
    missing_parts,
    tangent_of_result,
)
from chainrules_core import (
    NO_TANGENT,
    DerivativeNotImplementedError,
    NotImplementedTangent,
    Tangent,
    ZeroTangent,
)


def solver(f, x0, args=(), **options):
    """One of some parameters."""
    return f(x0, *args), options


def test_arguments():
    """By name, with the defaults of those that are not given."""
    assert arguments_of(solver, (1, 2), {"disp": True}) == {"f": 1, "x0": 2, "args": (), "disp": True}
    assert dots_of(solver, (1.0, 2.0), ("x0", "args")) == [2.0, NO_TANGENT]
    assert bars_of(solver, (len, 2.0), {"f": 1.0}) == (1.0, ZeroTangent())


RESULTS = [
    (OptimizeResult(x=1.5, spread=2.0, count=3), "x", Tangent[OptimizeResult], "the field `spread`"),
    ((1.5, 2.0, 3), 0, Tangent[tuple], "item 1"),
]


@pytest.mark.parametrize(("result", "key", "made", "part"), RESULTS)
def test_results(result, key, made, part):
    """What is known has a derivative; other numbers have one that nobody has, and counts none."""
    tangent = tangent_of_result(result, {key: 7.0}, "solver")
    parts = list(result.values()) if isinstance(result, dict) else result
    dots = [tangent[name] for name in (result if isinstance(result, dict) else range(3))]
    assert dots[0] == 7.0
    assert isinstance(dots[1], NotImplementedTangent)
    assert dots[2] == NO_TANGENT
    by_name = isinstance(result, dict)

    def cotangent(x_bar, spread_bar):
        bars = (x_bar, spread_bar, NO_TANGENT)
        return made(dict(zip(result, bars, strict=True))) if by_name else made(*bars)

    assert len(parts) == 3
    assert cotangents_in_result(result, cotangent(1.0, 0.0), [key], "solver") == {key: 1.0}
    assert cotangents_in_result(result, ZeroTangent(), [key], "solver") == {key: ZeroTangent()}
    with pytest.raises(DerivativeNotImplementedError, match=f"{part} of the result of solver"):
        cotangents_in_result(result, cotangent(1.0, 2.0), [key], "solver")


def test_a_result_that_is_the_solution():
    """It has no parts."""
    assert tangent_of_result(1.5, {0: 7.0}, "solver") == 7.0
    assert cotangents_in_result(1.5, 2.0, [0], "solver") == {0: 2.0}


def test_zeros():
    """Of any structure."""
    assert holds_zeros(ZeroTangent())
    assert holds_zeros(Tangent[tuple](np.zeros(2), NO_TANGENT))
    assert not holds_zeros(Tangent[tuple](np.ones(2), NO_TANGENT))


def test_missing_parts():
    """Numbers have derivatives that nobody has; counts and messages have none."""
    tangent = missing_parts((1.5, 3, "text", {"n": 1, "g": np.ones(2)}), "a field")
    assert isinstance(tangent[0], NotImplementedTangent)
    assert tangent[1] == tangent[2] == NO_TANGENT
    assert tangent[3]["n"] == NO_TANGENT
    assert isinstance(tangent[3]["g"], NotImplementedTangent)
