"""Solutions of equations: the conditions under which they have a derivative."""

import numpy as np
import pytest

from chainrules.ad import ADConfig
from chainrules.formulas.equations.implicit_functions import Equation, pull_solution, push_solution
from chainrules_core import NO_TANGENT, NoDerivativeError


def line(x, p):
    """It is zero where ``x = p / 2``."""
    return 2.0 * x - p


def test_a_solution():
    """Forwards and backwards."""
    equation = Equation("solver", line, (3.0,), 1.5)
    assert push_solution(ADConfig(), equation, NO_TANGENT, (1.0,)) == 0.5
    f_bar, args_bar = pull_solution(ADConfig(), equation)(4.0)
    assert f_bar == NO_TANGENT
    assert args_bar[0] == 2.0


@pytest.mark.parametrize(
    ("equation", "message"),
    [
        (Equation("solver", line, (3.0,), 1.6), r"solver did not converge.*distance 0\.1"),
        (
            Equation("solver", line, (3.0,), 1.50001, "It gave up."),
            r"distance 1\.\d*e-05.* It says: It gave up",
        ),
        (Equation("solver", lambda x, p: x * 0.0, (3.0,), 1.5), "singular, with the condition number inf"),
        (Equation("solver", lambda x, p: x[:1], (3.0,), np.ones(2)), "1 equations for 2 unknowns"),
        (Equation("solver", lambda x, p: x, (3.0,), 1.5, is_fixed_point=True), "singular"),
    ],
)
def test_conditions(equation, message):
    """Each is told with its number, in both modes."""
    with pytest.raises(NoDerivativeError, match=message):
        push_solution(ADConfig(), equation, NO_TANGENT, (1.0,))
    with pytest.raises(NoDerivativeError, match=message):
        pull_solution(ADConfig(), equation)(np.ones_like(equation.x))
