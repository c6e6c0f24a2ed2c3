"""The derivatives of eigenpairs of a Hermitian operator, of which nothing is known but its products.

For ``A v = λ v`` with ``vᴴ v = 1``: ``λ_dot = vᴴ A_dot v`` and ``v_dot = -(A - λ)⁺ A_dot v``. In reverse
``A_bar`` is the Hermitian part of ``(λ_bar v - p) vᴴ``, with ``p = (A - λ)⁺ v_bar``: the sum of two pull
backs of products. The pseudo-inverse is applied by MINRES, to a system in which `v` is no direction of the
null space any more. Singular triplets are eigenpairs of ``[[0, A], [Aᴴ, 0]]``.

C. C. Paige and M. A. Saunders, "Solution of sparse indefinite systems of linear equations", SIAM Journal on
Numerical Analysis 12 (4), 1975; and as `chainrules.formulas.spectra.partial_spectra`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse.linalg import minres

from chainrules.formulas.spectra.partial_spectra import refuse_turns
from chainrules.operations.linear_operators import (
    OperatorOfOperator,
    adjoint_product,
    product,
    pull_product,
    push_product,
)
from chainrules.values.reductions import shape_of
from chainrules_core import AbstractZero, Tangent, primal_of, primitive

_minres = primitive(minres)


def push_pair_of_operator(config: Any, pair: tuple[Any, Any], A: Any, A_dot: Any) -> tuple[Any, Any]:
    """The tangents of an eigenvalue and its vector of shape ``(n,)``, for the tangent of the operator."""
    _, v = pair
    A_dot_v = push_product(config, A, A_dot, v)
    along = np.vdot(v, A_dot_v)
    return np.real(along), -_apply_pseudo_inverse(pair, A, A_dot_v - v * along)


def pull_pair_of_operator(config: Any, pair: tuple[Any, Any], A: Any, bars: tuple[Any, Any]) -> Any:
    """The cotangent of the operator, for the cotangents of an eigenvalue and its vector, which may be zeros.

    Raises
    ------
    ValueError
        If the cotangent of the vector depends on its phase, which is arbitrary.
    """
    _, v = pair
    value_bar, v_bar = bars
    left = 0.0 if isinstance(value_bar, AbstractZero) else v * value_bar
    if isinstance(v_bar, AbstractZero):
        return pull_product(config, A, v, left)
    refuse_turns(primal_of(v), primal_of(v_bar))
    left = left - _apply_pseudo_inverse(pair, A, v_bar - v * np.vdot(v, v_bar))
    return pull_product(config, A, v, left / 2) + pull_product(config, A, left, v / 2)


def push_triplet_of_operator(
    config: Any, triplet: tuple[Any, Any, Any], A: Any, A_dot: Any
) -> tuple[Any, Any, Any]:
    """The tangents of a left singular vector, the singular value, and the right vector."""
    u, s, v = triplet
    dilation_dot = Tangent[Dilation](A=A_dot)
    s_dot, both = push_pair_of_operator(config, (s, _joined(u, v)), Dilation(A), dilation_dot)
    both = both * np.sqrt(2.0)
    m = shape_of(u)[0]
    return both[:m], s_dot, both[m:]


def pull_triplet_of_operator(
    config: Any, triplet: tuple[Any, Any, Any], A: Any, bars: tuple[Any, Any, Any]
) -> Any:
    """The cotangent of the operator, for the cotangents of a singular value and its vectors.

    Raises
    ------
    ValueError
        If the cotangents of the vectors depend on their common phase, which is arbitrary.
    """
    u, s, v = triplet
    u_bar, s_bar, v_bar = bars
    both_bar = u_bar
    if not (isinstance(u_bar, AbstractZero) and isinstance(v_bar, AbstractZero)):
        vector_bars = (
            np.zeros_like(primal_of(x)) if isinstance(bar, AbstractZero) else bar
            for x, bar in ((u, u_bar), (v, v_bar))
        )
        both_bar = np.concatenate([*vector_bars]) * np.sqrt(2.0)
    dilation_bar = pull_pair_of_operator(config, (s, _joined(u, v)), Dilation(A), (s_bar, both_bar))
    return dilation_bar if isinstance(dilation_bar, AbstractZero) else dilation_bar.A


def _joined(u: Any, v: Any) -> Any:
    """The eigenvector that belongs to two singular vectors."""
    return np.concatenate([u, v]) / np.sqrt(2.0)


def _apply_pseudo_inverse(pair: tuple[Any, Any], A: Any, r: Any) -> Any:
    """``(A - λ)⁺ r``, for `r` orthogonal to the eigenvector.

    Raises
    ------
    LinAlgError
        If MINRES does not converge.
    """
    eigenvalue, v = pair
    system: Any = Deflated(A, eigenvalue, v)
    is_complex = np.iscomplexobj(primal_of(v))
    if is_complex:
        system, r = InRealParts(system), _real_parts(r)
    n = system.shape[0]
    x, info = _minres(system, r, rtol=10 * np.finfo(primal_of(v).dtype).eps, maxiter=max(10 * n, 100))
    if primal_of(info) != 0:
        raise np.linalg.LinAlgError(
            "The derivative of an eigenvector or singular vector of a LinearOperator did not converge: its "
            "value is too close to another one. Give the matrix, if there is one."
        )
    return _from_real_parts(x) if is_complex else x


def _real_parts(z: Any) -> Any:
    return np.concatenate([np.real(z), np.imag(z)])


def _from_real_parts(x: Any) -> Any:
    n = shape_of(x)[0] // 2
    return x[:n] + 1j * x[n:]


@dataclass(eq=False, repr=False)
class Dilation(OperatorOfOperator):
    """``[[0, A], [Aᴴ, 0]]``, which is Hermitian."""

    A: Any

    @property
    def shape(self) -> tuple[int, int]:
        """The sum of both sizes, twice."""
        return sum(self.A.shape), sum(self.A.shape)

    @property
    def dtype(self) -> Any:
        """As of the operator."""
        return self.A.dtype

    def _matvec(self, x: Any) -> Any:
        m = self.A.shape[0]
        x = np.reshape(x, (-1,))
        return np.concatenate([product(self.A, x[m:]), adjoint_product(self.A, x[:m])])

    _rmatvec = _matvec


@dataclass(eq=False, repr=False)
class Deflated(OperatorOfOperator):
    """``P (A - λ) P + v vᴴ``, with the projector ``P = 1 - v vᴴ``: regular where λ is simple."""

    A: Any
    eigenvalue: Any
    v: Any

    @property
    def shape(self) -> tuple[int, int]:
        """As of the operator."""
        m, n = self.A.shape
        return m, n

    @property
    def dtype(self) -> Any:
        """As of the vector."""
        return primal_of(self.v).dtype

    def _matvec(self, x: Any) -> Any:
        return self._times(product, x)

    def _rmatvec(self, x: Any) -> Any:
        return self._times(adjoint_product, x)

    def _times(self, multiply: Any, x: Any) -> Any:
        x = np.reshape(x, (-1,))
        along = self.v * np.vdot(self.v, x)
        across = x - along
        y = multiply(self.A, across) - across * self.eigenvalue
        return y - self.v * np.vdot(self.v, y) + along


@dataclass(eq=False, repr=False)
class InRealParts(OperatorOfOperator):
    """A complex Hermitian operator as a symmetric one, of real and imaginary parts."""

    A: Any

    @property
    def shape(self) -> tuple[int, int]:
        """Twice that of the operator."""
        m, n = self.A.shape
        return 2 * m, 2 * n

    @property
    def dtype(self) -> Any:
        """That of the parts."""
        return np.empty(0, self.A.dtype).real.dtype

    def _matvec(self, x: Any) -> Any:
        return _real_parts(product(self.A, _from_real_parts(np.reshape(x, (-1,)))))

    def _rmatvec(self, x: Any) -> Any:
        return _real_parts(adjoint_product(self.A, _from_real_parts(np.reshape(x, (-1,)))))
