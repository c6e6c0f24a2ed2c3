"""Products with SciPy's linear operators, as functions that have rules; and operators made of them.

An operator holds a function ``v -> A v``, and that function what there is to differentiate by. So the
cotangent of an operator is the pull back, by AD, of its product with a vector. JAX defines the derivatives of
systems with functions in the same way: see `jax.lax.custom_linear_solve`.
"""

from dataclasses import dataclass
from typing import Any

from scipy.sparse.linalg import LinearOperator

from chainrules.values.operands import ArrayOperand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    frule,
    frule_via_ad,
    primal_of,
    primitive,
    rrule,
    rrule_via_ad,
    typeof_,
)


@primitive
def product(A: Any, x: Any) -> Any:
    """``A x``, for an operator of shape ``(m, n)`` and a vector of shape ``(n,)``."""
    return A.matvec(x)


@primitive
def adjoint_product(A: Any, x: Any) -> Any:
    """``Aᴴ x``, for an operator of shape ``(m, n)`` and a vector of shape ``(m,)``.

    Raises
    ------
    NotImplementedError
        If the operator was made without its adjoint.
    """
    return A.rmatvec(x)


def _rules(function: Any, method: Any) -> None:
    @frule.dispatch
    def product_frule(
        config: RuleConfig[HasForwardsMode],
        tangents: Any,
        f: typeof_(function),
        A: LinearOperator,
        x: ArrayOperand,
    ) -> Any:
        _, A_dot, x_dot = tangents
        if isinstance(A_dot, AbstractZero):
            return function(A, x), function(A, x_dot)
        return frule_via_ad(config, (NO_TANGENT, A_dot, x_dot), method, A, x)

    @rrule.dispatch
    def product_rrule(
        config: RuleConfig[HasReverseMode], f: typeof_(function), A: LinearOperator, x: ArrayOperand
    ) -> Any:
        return rrule_via_ad(config, method, A, x)


_rules(product, LinearOperator.matvec)
_rules(adjoint_product, LinearOperator.rmatvec)


def push_product(config: Any, A: Any, A_dot: Any, x: Any) -> Any:
    """``A_dot x``, for the tangent of an operator."""
    return frule_via_ad(config, (NO_TANGENT, A_dot, NO_TANGENT), LinearOperator.matvec, A, x)[1]


def pull_product(config: Any, A: Any, x: Any, y_bar: Any) -> Any:
    """The cotangent of an operator, for the cotangent of ``A x``."""
    _, pullback = rrule_via_ad(config, LinearOperator.matvec, A, x)
    return pullback(y_bar)[1]


class OperatorOfOperator(LinearOperator):  # type: ignore[misc]  # SciPy has no types
    """An operator that is made of another one, `A`."""

    A: Any

    # What SciPy's own have since 1.18: they can be stacks, and multiply arrays of other libraries.
    ndim = 2

    @property
    def _xp(self) -> Any:
        return primal_of(self.A)._xp  # noqa: SLF001 - SciPy's own hand it on likewise


@dataclass(eq=False, repr=False)
class AdjointOperator(OperatorOfOperator):
    """``Aᴴ``; it raises a `NotImplementedError` once it is used, if `A` was made without it.

    SciPy's own, the property `H`, looks into operators, which traced values in them may not bear.
    """

    A: Any

    @property
    def shape(self) -> tuple[int, int]:
        """The other way round."""
        m, n = self.A.shape
        return n, m

    @property
    def dtype(self) -> Any:
        """As of the operator."""
        return self.A.dtype

    def _matvec(self, x: Any) -> Any:
        return adjoint_product(self.A, x)

    def _rmatvec(self, x: Any) -> Any:
        return product(self.A, x)
