"""Rules for decompositions of sparse matrices that systems are solved by: `splu`, `factorized`.

Their result keeps the matrix beside the decomposition, and its tangent is the tangent of the matrix: see
`chainrules.formulas.factorizations.sparse_factors`. Solving by a decomposition of SciPy's own, of a constant,
is linear in the right side.
"""

from collections.abc import Callable
from typing import Any

from scipy.sparse.linalg import SuperLU, factorized, splu

from chainrules.formulas.factorizations.sparse_factors import SparseLU, factors_of
from chainrules.operations.sparse_patterns import conjugated
from chainrules.values.operands import ArrayOperand
from chainrules.values.sparse import Sparse
from chainrules_core import NO_TANGENT, ProjectTo, Tangent, frule, primitive, rrule, typeof_


def _decomposing_rules(function: Callable[..., Any]) -> None:
    @frule.dispatch
    def decompose_frule(tangents: Any, f: typeof_(function), A: Sparse, *options: Any, **named: Any):
        A_dot = tangents[1]
        y = _decomposed(A, *options, **named)
        return y, Tangent[SparseLU](A=A_dot, factors=NO_TANGENT)

    @rrule.dispatch
    def decompose_rrule(f: typeof_(function), A: Sparse, *options: Any, **named: Any):
        project = ProjectTo(A)

        def decompose_pullback(y_bar: Any) -> Any:
            A_bar = project(y_bar.A)
            return NO_TANGENT, A_bar, *(NO_TANGENT,) * len(options)

        return _decomposed(A, *options, **named), decompose_pullback


def _decomposed(A: Any, *options: Any, **named: Any) -> SparseLU:
    return SparseLU(A, factors_of(A, **dict(zip(_OPTIONS, options, strict=False)), **named))


# Of `splu`, in the order in which it takes them.
_OPTIONS = ("permc_spec", "diag_pivot_thresh", "relax", "panel_size", "options")

for _function in (splu, factorized):
    _decomposing_rules(_function)


# --- Solving by a decomposition of a constant ---------------------------------------------------------------

_ADJOINT = {"N": "H", "H": "N"}
_solve = primitive(SuperLU.solve)


@frule.dispatch
def solve_frule(
    tangents: Any, f: typeof_(SuperLU.solve), lu: SuperLU, rhs: ArrayOperand, *trans: str, **named: str
):
    return _solve(lu, rhs, *trans, **named), _solve(lu, tangents[2], *trans, **named)


@rrule.dispatch
def solve_rrule(f: typeof_(SuperLU.solve), lu: SuperLU, rhs: ArrayOperand, *trans: str, **named: str):
    def solve_pullback(x_bar: Any) -> Any:
        rhs_bar = ProjectTo(rhs)(_solve_adjoint(lu, x_bar, *trans, **named))
        return NO_TANGENT, NO_TANGENT, rhs_bar, *(NO_TANGENT,) * len(trans)

    return _solve(lu, rhs, *trans, **named), solve_pullback


def _solve_adjoint(lu: SuperLU, x_bar: Any, trans: str = "N") -> Any:
    if trans == "T":
        return conjugated(_solve(lu, conjugated(x_bar), "N"))
    return _solve(lu, x_bar, _ADJOINT[trans])
