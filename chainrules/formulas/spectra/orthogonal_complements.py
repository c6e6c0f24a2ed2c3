"""Bases of a space and of its orthogonal complement, as full decompositions have them.

Together, as ``[U₁ U₂]``, they are unitary. So the complement follows the space: ``U₂_dot = -U₁ U₁_dotᴴ U₂``.
Its basis is arbitrary, LAPACK's choice. Forwards it turns as LAPACK's does, see
`chainrules.formulas.spectra.completing_reflections`. In reverse only functions of the space that it spans
have a derivative. A turn of the basis in itself does not change these: so ``U₂ᴴ U₂_bar`` is Hermitian.
"""

from typing import Any

import numpy as np

from chainrules.formulas.spectra.spectral_gaps import is_rounding_error
from chainrules.values.stacks import adjoint
from chainrules_core import AbstractZero, primal_of


def complement_dot(U1: Any, U1_dot: Any, U2: Any, turn: Any = None) -> Any:
    """The tangent of the complement's basis, which turns in itself by a skew-Hermitian matrix, if at all."""
    U2_dot = -U1 @ (adjoint(U1_dot) @ U2)
    return U2_dot if turn is None else U2_dot + U2 @ turn


def felt_by_complement(name: str, U1: Any, U2: Any, U2_bar: Any) -> Any:
    """The part of the cotangent of `U1` that comes from the complement's basis.

    Raises
    ------
    ValueError
        As `refuse_choice_of_basis`.
    """
    refuse_choice_of_basis(name, U2, U2_bar)
    return -U2 @ (adjoint(U2_bar) @ U1)


def refuse_choice_of_basis(name: str, U2: Any, U2_bar: Any) -> None:
    """Raise if a function feels how the basis of the complement is chosen.

    Raises
    ------
    ValueError
        If the cotangent is felt by a turn of the basis in itself.
    """
    turns = primal_of(adjoint(U2) @ U2_bar)
    if not np.all(is_rounding_error(turns - adjoint(turns), U2_bar)):
        raise ValueError(
            f"{name} has no derivative by vectors that complete the basis: they are an arbitrary choice. "
            "A function of them has one if it depends on nothing but the space that they span."
        )


def cotangent_of_first(name: str, Q1: Any, Q: Any, Q_bar: Any) -> Any:
    """The cotangent of the first columns of a basis, for that of all, of which the others complete them.

    Parameters
    ----------
    name
        The call that is differentiated, for the error.
    Q1, Q
        The first columns, and all of them.
    Q_bar
        The cotangent of all, or a zero.

    Raises
    ------
    ValueError
        If a function of the other columns depends on more than the space that they span.
    """
    if isinstance(Q_bar, AbstractZero):
        return np.zeros_like(primal_of(Q1))
    k = primal_of(Q1).shape[-1]
    if k == primal_of(Q).shape[-1]:
        return Q_bar
    return Q_bar[..., :k] + felt_by_complement(name, Q1, Q[..., k:], Q_bar[..., k:])
