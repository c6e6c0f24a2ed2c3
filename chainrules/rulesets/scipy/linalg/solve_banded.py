"""Rules for systems whose matrix has few diagonals, which are the rows of an array.

See `chainrules.operations.linear_systems`. The cotangent of the array has zeros in the corners that belong to
no element of the matrix. Work and memory are proportional to the array and the columns.
"""

from typing import Any

from scipy.linalg import solve_banded, solveh_banded

from chainrules.formulas.matrices.matrix_readings import Bands, HermitianBands
from chainrules.numerics.factorizations import BandedCholesky, BandedLU, factored_in_precision, of_each
from chainrules.operations.linear_systems import LinearSystem, pull_solution, push_solution
from chainrules.values.finite_elements import check_finite_elements
from chainrules.values.operands import ArrayOperand
from chainrules_core import NO_TANGENT, frule, primal_of, rrule, typeof_


@frule.dispatch
def solve_banded_frule(
    tangents,
    f: typeof_(solve_banded),
    l_and_u: tuple | list,
    ab: ArrayOperand,
    B: ArrayOperand,
    *options,
    **named,
):
    system = _banded_system(l_and_u, ab, B, *options, **named)
    return push_solution((NO_TANGENT, *tangents[2:4]), ab, B, system)


@rrule.dispatch
def solve_banded_rrule(
    f: typeof_(solve_banded), l_and_u: tuple | list, ab: ArrayOperand, B: ArrayOperand, *options, **named
):
    X, pull = pull_solution(ab, B, _banded_system(l_and_u, ab, B, *options, **named))

    def solve_banded_pullback(X_bar):
        _, *bars = pull(X_bar)
        return NO_TANGENT, NO_TANGENT, *bars, *(NO_TANGENT,) * len(options)

    return X, solve_banded_pullback


@frule.dispatch
def solveh_banded_frule(
    tangents, f: typeof_(solveh_banded), ab: ArrayOperand, B: ArrayOperand, *options, **named
):
    return push_solution(tangents, ab, B, _hermitian_system(ab, B, *options, **named))


@rrule.dispatch
def solveh_banded_rrule(f: typeof_(solveh_banded), ab: ArrayOperand, B: ArrayOperand, *options, **named):
    X, pull = pull_solution(ab, B, _hermitian_system(ab, B, *options, **named))

    def solveh_banded_pullback(X_bar):
        return *pull(X_bar), *(NO_TANGENT,) * len(options)

    return X, solveh_banded_pullback


def _banded_system(  # noqa: PLR0913, PLR0917 - SciPy's signature
    l_and_u, ab, B, overwrite_ab=False, overwrite_b=False, check_finite=True
) -> LinearSystem:
    lower, upper = map(int, l_and_u)
    ab, B = _checked(ab, B, check_finite)
    if lower + upper + 1 != ab.shape[-2]:
        raise ValueError(
            f"scipy.linalg.solve_banded: {lower} diagonals below the main one and {upper} above it are not "
            f"the {ab.shape[-2]} rows of the array"
        )
    return LinearSystem(
        Bands(lower, upper),
        factored_in_precision(ab, B, lambda ab: of_each(lambda ab: BandedLU(ab, lower, upper), (ab, 2))),
    )


def _hermitian_system(  # noqa: PLR0913, PLR0917 - SciPy's signature
    ab, B, overwrite_ab=False, overwrite_b=False, lower=False, check_finite=True
) -> LinearSystem:
    ab, B = _checked(ab, B, check_finite)
    return LinearSystem(
        HermitianBands(ab.shape[-2], bool(lower)),
        factored_in_precision(ab, B, lambda ab: of_each(lambda ab: BandedCholesky(ab, bool(lower)), (ab, 2))),
    )


def _checked(ab: Any, B: Any, check_finite: bool) -> Any:
    """Both arrays as plain ones.

    Raises
    ------
    ValueError
        If an element is not finite.
    """
    ab, B = primal_of(ab), primal_of(B)
    if check_finite:
        check_finite_elements(ab, B)
    return ab, B
