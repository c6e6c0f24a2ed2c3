"""Rules for SciPy's iterative solvers of linear systems: the derivative is a system of the same kind.

``A x = b``: ``A x_dot = b_dot - A_dot x``; ``Aᴴ b_bar = x_bar`` and ``A_bar = -b_bar xᴴ``, on the pattern of
a sparse matrix. Both are solved by the same method, with the same tolerance, and with the preconditioner, or
its adjoint: so a derivative is as accurate as the solution. The initial guess has no influence on a solution,
nor has the preconditioner. M. B. Giles, "An extended collection of matrix derivative results for forward and
reverse mode algorithmic differentiation", 2008, section 2.3.1.

A matrix may be a `LinearOperator`: then nothing is computed but its products, and those of its adjoint in
reverse. Its cotangent is the pull back of ``v -> A v`` at the solution by what the function of the operator
closes over, as of `jax.lax.custom_linear_solve`. A solver for Hermitian matrices takes an operator without an
adjoint for its own one.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

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
)

# Sparse or dense, or what multiplies like one.
Matrix = ArrayOperand | LinearOperator

_WITHOUT_AD = (
    "the cotangent of a LinearOperator is the pull back of its product with a vector, which only an AD "
    "system that gives its configuration can compute"
)

# What the systems of derivatives have options of their own for, or none: the calls of `callback` belong to
# the solution, and subspaces that were kept from other systems to the matrix of those.
_OF_THE_SOLUTION = ("x0", "callback", "callback_type", "show", "outer_v", "CU")


class _Method(NamedTuple):
    """A solver, and whether it is for Hermitian matrices only."""

    solver: Callable[..., Any]
    is_hermitian: bool

    def push(self, system: "_System", b_dot: Any, times: Callable[[Any], Any] | None) -> Any:
        """The results and their tangent; `times` maps ``x`` to ``A_dot x``, unless the matrix is constant."""
        x, info = self._solved(system)
        if times is not None:
            A_dot_x = np.reshape(times(x), shape_of(system.b))
            b_dot = -A_dot_x if isinstance(b_dot, AbstractZero) else b_dot - A_dot_x
        if isinstance(b_dot, AbstractZero):
            return (x, info), NO_TANGENT
        x_dot = self._solution(system.A, b_dot, "the tangent", system.options_for(b_dot))
        return (x, info), Tangent[tuple](x_dot, NO_TANGENT)

    def pull(self, system: "_System", pull_matrix: Callable[[Any, Any], Any]) -> Any:
        """The results and the pullback; `pull_matrix` maps ``b_bar`` and ``x`` to the matrix cotangent."""
        A, b, x0, _ = system
        x, info = self._solved(system)

        def solver_pullback(y_bar: Any) -> Any:
            x_bar, _ = cotangents_of_results((x, info), y_bar)
            if isinstance(x_bar, AbstractZero):
                return NO_TANGENT, x_bar, x_bar, *(x_bar for _ in x0)
            right_bar = self._adjoint_solution(A, x_bar, system.options_for(x_bar))
            b_bar = fitted_to_pattern(b, np.reshape(right_bar, shape_of(b)))
            return NO_TANGENT, thunk(lambda: pull_matrix(right_bar, x)), b_bar, *(NO_TANGENT,) * len(x0)

        return (x, info), solver_pullback

    def _solved(self, system: "_System") -> tuple[Any, Any]:
        """The results.

        Raises
        ------
        LinAlgError
            If what was found is no solution.
        ValueError
            If it cannot be one.
        """
        A, b, x0, options = system
        if self.solver is tfqmr and options.get("M") is not None:
            raise ValueError(
                "scipy.sparse.linalg.tfqmr(A, b, M=M) cannot be differentiated: with a preconditioner, SciPy "
                "returns what does not solve the system. Leave `M` out, or write `bicgstab(A, b, M=M)`."
            )
        x, info = primitive(self.solver)(A, b, *x0, **options)
        _check(info, self.solver.__name__)
        return x, info

    def _solution(self, A: Any, right: Any, whose: str, options: dict[str, Any]) -> Any:
        x, info = primitive(self.solver)(A, right, **options)
        _check(primal_of(info), f"{whose} of {self.solver.__name__}")
        return x

    def _adjoint_solution(self, A: Any, x_bar: Any, options: dict[str, Any]) -> Any:
        """The solution of the system with the adjoint matrix.

        Raises
        ------
        NotImplementedError
            If an operator cannot be multiplied by its adjoint.
        """
        adjoint_options = options if self.is_hermitian else _of_adjoint(options)
        try:
            return self._solution(_adjoint(A), x_bar, "the cotangent", adjoint_options)
        except DerivativeNotImplementedError:
            raise
        except NotImplementedError as error:
            if self.is_hermitian:
                return self._solution(A, x_bar, "the cotangent", options)
            raise NotImplementedError(
                f"The cotangent of scipy.sparse.linalg.{self.solver.__name__} is the solution of the adjoint "
                "system, and an operator has no adjoint: write `LinearOperator(shape, matvec=..., "
                "rmatvec=...)`, also for a preconditioner. The adjoint of `spilu(A).solve` is `lambda v: "
                "spilu(A).solve(v, 'H')`."
            ) from error


class _System(NamedTuple):
    """A call: the matrix, the right side, the initial guess if it is given by position, and the options."""

    A: Any
    b: Any
    x0: tuple[Any, ...]
    options: dict[str, Any]

    def options_for(self, right: Any) -> dict[str, Any]:
        """The options for another right side, whose size an absolute tolerance follows."""
        options = {key: value for key, value in self.options.items() if key not in _OF_THE_SOLUTION}
        if options.get("atol"):
            size = np.linalg.norm(primal_of(self.b))
            options["atol"] *= np.linalg.norm(primal_of(right)) / (size or 1.0)
        return options


def _rules(solver: Callable[..., Any], is_hermitian: bool) -> None:
    method = _Method(solver, is_hermitian)

    @frule.dispatch
    def solver_frule(tangents: Any, f: typeof_(solver), A: Matrix, b: ArrayOperand, *x0: Any, **options: Any):
        _, A_dot, b_dot, *_ = tangents
        is_constant = isinstance(A_dot, AbstractZero)
        if isinstance(A, LinearOperator) and not is_constant:
            return None  # its product can be differentiated by an AD system only
        return method.push(_System(A, b, x0, options), b_dot, None if is_constant else lambda x: A_dot @ x)

    @rrule.dispatch
    def solver_rrule(f: typeof_(solver), A: Matrix, b: ArrayOperand, *x0: Any, **options: Any):
        return method.pull(_System(A, b, x0, options), lambda right_bar, x: _pull(A, right_bar, x))

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
        _, A_dot, b_dot, *_ = tangents
        is_constant = isinstance(A_dot, AbstractZero)
        times = None if is_constant else lambda x: push_product(config, A, A_dot, x)
        return method.push(_System(A, b, x0, options), b_dot, times)

    @rrule.dispatch
    def solver_rrule_with_operator(
        config: RuleConfig[HasReverseMode],
        f: typeof_(solver),
        A: LinearOperator,
        b: ArrayOperand,
        *x0: Any,
        **options: Any,
    ):
        return method.pull(
            _System(A, b, x0, options), lambda right_bar, x: pull_product(config, A, x, -right_bar)
        )


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
