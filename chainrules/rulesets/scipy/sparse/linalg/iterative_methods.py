"""Rules for SciPy's iterative solvers of linear systems: the derivative is a system of the same kind.

``A x = b``: ``A x_dot = b_dot - A_dot x``; ``Aᴴ b_bar = x_bar`` and ``A_bar = -b_bar xᴴ``, on the pattern of
a sparse matrix. Both are solved by the same method, with the same tolerance, and with the preconditioner, or
its adjoint: so a derivative is as accurate as the solution. The initial guess has no influence on a solution,
nor has the preconditioner. M. B. Giles, "An extended collection of matrix derivative results for forward and
reverse mode algorithmic differentiation", 2008, section 2.3.1.

A matrix may be a `LinearOperator`: then nothing is computed but its products, and those of its adjoint in
reverse; it is a constant.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse.linalg import (
    LinearOperator,
    bicg,
    bicgstab,
    cg,
    cgs,
    gcrotmk,
    gmres,
    lgmres,
    minres,
    qmr,
    tfqmr,
)

from chainrules.formulas.matrices.sparse_products import conjugate_transpose
from chainrules.operations.sparse_patterns import (
    conjugated,
    fitted_to_pattern,
    is_sparse_operand,
    sample_product,
)
from chainrules.values.named_results import cotangents_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Tangent,
    frule,
    primal_of,
    primitive,
    rrule,
    thunk,
    typeof_,
    unthunk,
)

# Sparse or dense, or what multiplies like one.
Matrix = ArrayOperand | LinearOperator

# What the systems of derivatives have options of their own for, or none: the calls of `callback` belong to
# the solution, and subspaces that were kept from other systems to the matrix of those.
_OF_THE_SOLUTION = ("x0", "callback", "callback_type", "show", "outer_v", "CU")


def _rules(
    solver: Callable[..., Any],
    adjoint: Callable[[Any], Any],
    adjoint_options: Callable[[dict[str, Any]], dict[str, Any]],
) -> None:
    name = solver.__name__
    solve = primitive(solver)

    def solved(A: Any, b: Any, x0: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, Any]:
        """The results.

        Raises
        ------
        LinAlgError
            If what was found is no solution.
        ValueError
            If it cannot be one.
        """
        if solver is tfqmr and options.get("M") is not None:
            raise ValueError(
                "scipy.sparse.linalg.tfqmr(A, b, M=M) cannot be differentiated: with a preconditioner, SciPy "
                "returns what does not solve the system. Leave `M` out, or write `bicgstab(A, b, M=M)`."
            )
        x, info = solve(A, b, *x0, **options)
        _check(info, name)
        return x, info

    def solution(A: Any, right: Any, whose: str, options: dict[str, Any]) -> Any:
        x, info = solve(A, right, **options)
        _check(primal_of(info), f"{whose} of {name}")
        return x

    @frule.dispatch
    def solver_frule(tangents: Any, f: typeof_(solver), A: Matrix, b: ArrayOperand, *x0: Any, **options: Any):
        _, A_dot, b_dot, *_ = map(unthunk, tangents)
        x, info = solved(A, b, x0, options)
        if not isinstance(A_dot, AbstractZero):
            A_dot_x = np.reshape(A_dot @ x, shape_of(b))
            b_dot = -A_dot_x if isinstance(b_dot, AbstractZero) else b_dot - A_dot_x
        if isinstance(b_dot, AbstractZero):
            return (x, info), NO_TANGENT
        x_dot = solution(A, b_dot, "the tangent", _for_system(options, b, b_dot))
        return (x, info), Tangent[tuple](x_dot, NO_TANGENT)

    @rrule.dispatch
    def solver_rrule(f: typeof_(solver), A: Matrix, b: ArrayOperand, *x0: Any, **options: Any):
        x, info = solved(A, b, x0, options)

        def solver_pullback(y_bar: Any) -> Any:
            x_bar, _ = cotangents_of_results((x, info), y_bar)
            if isinstance(x_bar, AbstractZero):
                return NO_TANGENT, x_bar, x_bar, *(x_bar for _ in x0)
            system = _for_system(options, b, x_bar)
            right_bar = solution(adjoint(A), x_bar, "the cotangent", adjoint_options(system))
            A_bar = NO_TANGENT if isinstance(A, LinearOperator) else thunk(lambda: _pull(A, right_bar, x))
            b_bar = fitted_to_pattern(b, np.reshape(right_bar, shape_of(b)))
            return NO_TANGENT, A_bar, b_bar, *(NO_TANGENT for _ in x0)

        return (x, info), solver_pullback


def _pull(A: Any, right_bar: Any, x: Any) -> Any:
    """The cotangent of the matrix, at its stored entries."""
    if is_sparse_operand(A):
        return sample_product(-right_bar, conjugated(x), ProjectTo(A))
    return ProjectTo(A)(-np.outer(right_bar, conjugated(x)))


def _adjoint(A: Any) -> Any:
    return A.H if isinstance(A, LinearOperator) else conjugate_transpose(A)


def _adjoint_of_hermitian(A: Any) -> Any:
    """The matrix itself, whose tangent need not be Hermitian: seen by second derivatives."""
    return A if isinstance(A, LinearOperator) else conjugate_transpose(A)


def _for_system(options: dict[str, Any], b: Any, right: Any) -> dict[str, Any]:
    """The options for a system with another right-hand side, whose size an absolute tolerance follows."""
    options = {key: value for key, value in options.items() if key not in _OF_THE_SOLUTION}
    if options.get("atol"):
        size = np.linalg.norm(primal_of(b))
        options["atol"] *= np.linalg.norm(primal_of(right)) / (size or 1.0)
    return options


def _of_adjoint(options: dict[str, Any]) -> dict[str, Any]:
    """The options for the adjoint matrix, with the adjoint preconditioners."""
    names = {"M": "M", "M1": "M2", "M2": "M1"}
    preconditioners = {
        new: _adjoint_of_constant(options[old]) for new, old in names.items() if options.get(old) is not None
    }
    return {key: value for key, value in options.items() if key not in names} | preconditioners


def _adjoint_of_constant(M: Any) -> Any:
    return M.H if isinstance(M, LinearOperator) else M.conj().T


def _check(info: int, what: str) -> None:
    if info != 0:
        raise np.linalg.LinAlgError(
            f"{what} did not converge (info={info}), and what it returned is no solution, so that it has no "
            "derivative by the system. Allow more iterations, `maxiter=...`, a larger tolerance, `rtol=...`, "
            "or a preconditioner, `M=...`."
        )


for _solver in (cg, minres):
    _rules(_solver, _adjoint_of_hermitian, dict)
for _solver in (bicg, bicgstab, cgs, gmres, lgmres, qmr, gcrotmk, tfqmr):
    _rules(_solver, _adjoint, _of_adjoint)
