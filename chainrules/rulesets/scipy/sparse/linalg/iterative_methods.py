"""Rules for SciPy's iterative solvers of linear systems: the derivative is a system of the same kind.

``A x = b``: ``A x_dot = b_dot - A_dot x``; ``Aᴴ b_bar = x_bar`` and ``A_bar = -b_bar xᴴ``, on the pattern of
a sparse matrix. Both are solved by the same method, with the same tolerance, and with the preconditioner, or
its adjoint: so a derivative is as accurate as the solution. The initial guess has no influence on a solution,
nor has the preconditioner. M. B. Giles, "An extended collection of matrix derivative results for forward and
reverse mode algorithmic differentiation", 2008, section 2.3.1.

A matrix may be a `LinearOperator`: then nothing is computed but its products, and those of its adjoint in
reverse. Its cotangent is the pull back of ``v -> A v`` at the solution by what the function of the operator closes
over, as of `jax.lax.custom_linear_solve`. A solver for Hermitian matrices takes an operator without an adjoint for
its own one.
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
from chainrules.operations.linear_operators import AdjointOperator, pull_product, push_product
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
    DerivativeNotImplementedError,
    HasForwardsMode,
    HasReverseMode,
    ProjectTo,
    RuleConfig,
    Tangent,
    frule,
    not_implemented,
    primal_of,
    primitive,
    rrule,
    thunk,
    typeof_,
    unthunk,
)

# Sparse or dense, or what multiplies like one.
Matrix = ArrayOperand | LinearOperator

# The matrix, the right side, the initial guess if it is given, and the options.
_System = tuple[Any, Any, tuple[Any, ...], dict[str, Any]]

_WITHOUT_AD = (
    "the cotangent of a LinearOperator is the pull back of its product with a vector, which only an AD system that "
    "gives its configuration can compute"
)

# What the systems of derivatives have options of their own for, or none: the calls of `callback` belong to
# the solution, and subspaces that were kept from other systems to the matrix of those.
_OF_THE_SOLUTION = ("x0", "callback", "callback_type", "show", "outer_v", "CU")


def _rules(solver: Callable[..., Any], is_hermitian: bool) -> None:
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

    def adjoint_solution(A: Any, x_bar: Any, options: dict[str, Any]) -> Any:
        """The solution of the system with the adjoint matrix.

        Raises
        ------
        NotImplementedError
            If an operator cannot be multiplied by its adjoint.
        """
        try:
            adjoint_options = options if is_hermitian else _of_adjoint(options)
            return solution(_adjoint(A), x_bar, "the cotangent", adjoint_options)
        except DerivativeNotImplementedError:
            raise
        except NotImplementedError as error:
            if is_hermitian:
                return solution(A, x_bar, "the cotangent", options)
            raise NotImplementedError(
                f"The cotangent of scipy.sparse.linalg.{name} is the solution of the adjoint system, and an "
                "operator has no adjoint: write `LinearOperator(shape, matvec=..., rmatvec=...)`, also for a "
                "preconditioner. The adjoint of `spilu(A).solve` is `lambda v: spilu(A).solve(v, 'H')`."
            ) from error

    def push(system: _System, b_dot: Any, times: Callable[[Any], Any] | None) -> Any:
        """The results and their tangent; `times` maps ``x`` to ``A_dot x``, unless `A` is constant."""
        A, b, x0, options = system
        x, info = solved(A, b, x0, options)
        if times is not None:
            A_dot_x = np.reshape(times(x), shape_of(b))
            b_dot = -A_dot_x if isinstance(b_dot, AbstractZero) else b_dot - A_dot_x
        if isinstance(b_dot, AbstractZero):
            return (x, info), NO_TANGENT
        x_dot = solution(A, b_dot, "the tangent", _for_system(options, b, b_dot))
        return (x, info), Tangent[tuple](x_dot, NO_TANGENT)

    def pull(system: _System, pull_matrix: Callable[[Any, Any], Any]) -> Any:
        """The results and the pullback; `pull_matrix` maps ``b_bar`` and ``x`` to the cotangent of `A`."""
        A, b, x0, options = system
        x, info = solved(A, b, x0, options)

        def solver_pullback(y_bar: Any) -> Any:
            x_bar, _ = cotangents_of_results((x, info), y_bar)
            if isinstance(x_bar, AbstractZero):
                return NO_TANGENT, x_bar, x_bar, *(x_bar for _ in x0)
            right_bar = adjoint_solution(A, x_bar, _for_system(options, b, x_bar))
            b_bar = fitted_to_pattern(b, np.reshape(right_bar, shape_of(b)))
            return NO_TANGENT, thunk(lambda: pull_matrix(right_bar, x)), b_bar, *(NO_TANGENT for _ in x0)

        return (x, info), solver_pullback

    @frule.dispatch
    def solver_frule(tangents: Any, f: typeof_(solver), A: Matrix, b: ArrayOperand, *x0: Any, **options: Any):
        _, A_dot, b_dot, *_ = map(unthunk, tangents)
        is_constant = isinstance(A_dot, AbstractZero)
        if isinstance(A, LinearOperator) and not is_constant:
            return None  # its product can be differentiated by an AD system only
        return push((A, b, x0, options), b_dot, None if is_constant else lambda x: A_dot @ x)

    @rrule.dispatch
    def solver_rrule(f: typeof_(solver), A: Matrix, b: ArrayOperand, *x0: Any, **options: Any):
        return pull((A, b, x0, options), lambda right_bar, x: _pull(A, right_bar, x))

    @frule.dispatch
    def solver_frule_with_operator(
        config: RuleConfig[HasForwardsMode],
        tangents: Any,
        f: typeof_(solver),
        A: LinearOperator,
        b: ArrayOperand,
        *x0: Any,
        **options: Any,
    ):
        _, A_dot, b_dot, *_ = map(unthunk, tangents)
        is_constant = isinstance(A_dot, AbstractZero)
        return push(
            (A, b, x0, options), b_dot, None if is_constant else lambda x: push_product(config, A, A_dot, x)
        )

    @rrule.dispatch
    def solver_rrule_with_operator(
        config: RuleConfig[HasReverseMode],
        f: typeof_(solver),
        A: LinearOperator,
        b: ArrayOperand,
        *x0: Any,
        **options: Any,
    ):
        return pull((A, b, x0, options), lambda right_bar, x: pull_product(config, A, x, -right_bar))


def _pull(A: Any, right_bar: Any, x: Any) -> Any:
    """The cotangent of the matrix, at its stored entries."""
    if isinstance(A, LinearOperator):
        return not_implemented(_WITHOUT_AD)
    if is_sparse_operand(A):
        return sample_product(-right_bar, conjugated(x), ProjectTo(A))
    return ProjectTo(A)(-np.outer(right_bar, conjugated(x)))


def _adjoint(A: Any) -> Any:
    # Of a Hermitian matrix too: its tangent need not be Hermitian, which second derivatives see.
    return AdjointOperator(A) if isinstance(A, LinearOperator) else conjugate_transpose(A)


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
        new: _adjoint(options[old]) for new, old in names.items() if options.get(old) is not None
    }
    return {key: value for key, value in options.items() if key not in names} | preconditioners


def _check(info: int, what: str) -> None:
    if info != 0:
        raise np.linalg.LinAlgError(
            f"{what} did not converge (info={info}), and what it returned is no solution, so that it has no "
            "derivative by the system. Allow more iterations, `maxiter=...`, a larger tolerance, `rtol=...`, "
            "or a preconditioner, `M=...`."
        )


for _solver in (cg, minres):
    _rules(_solver, is_hermitian=True)
for _solver in (bicg, bicgstab, cgs, gmres, lgmres, qmr, gcrotmk, tfqmr):
    _rules(_solver, is_hermitian=False)
