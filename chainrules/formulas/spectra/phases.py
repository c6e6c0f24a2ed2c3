"""The phase of complex eigenvectors and singular vectors: one component of each is made real.

Eigenvectors are determined up to a phase, and which one is chosen is part of the function that is
differentiated. LAPACK chooses by keeping a component ``v[k]`` real. When a derivative ``v_dot`` of any choice
is known, the derivative of LAPACK's choice is

    v_dot + i c v,   c = -Im(v_dot[k]) / v[k]

and in reverse, with ``g = Im(vᴴ v_bar)``, ``-i g / v[k]`` is added to ``v_bar`` at `k`.
ChainRules.jl does so for eigenvectors: https://github.com/JuliaDiff/ChainRules.jl/pull/321
"""

from typing import Any

import numpy as np

from chainrules_core import primal_of


def phase_rate(V: Any, V_dot: Any, is_real: Any) -> Any:
    """The rate ``c`` at which the phase of each column of `V` has to change.

    Parameters
    ----------
    V
        Complex, shape ``(..., m, n)``.
    V_dot
        A derivative of `V`.
    is_real
        Which component of each column is kept real: a mask in the shape of `V`, or one that broadcasts to it.
    """
    return -np.sum(np.where(is_real, np.imag(V_dot), 0), axis=-2) * _reciprocal_component(V, is_real)


def phase_cotangent(V: Any, rate_bar: Any, is_real: Any) -> Any:
    """The cotangent of the rate, as a contribution to the cotangent of ``V_dot``; see `phase_rate`."""
    component_bar = np.expand_dims(-rate_bar * _reciprocal_component(V, is_real), -2)
    return np.where(is_real, 1j * component_bar, 0)


def phase_component(V: Any, V_bar: Any) -> Any:
    """``Im(vᴴ v_bar)`` for each column: how the cotangent feels a change of phase."""
    return np.imag(np.sum(np.conjugate(V) * V_bar, axis=-2))


def _reciprocal_component(V: Any, is_real: Any) -> Any:
    """One over the component that is real; zero if that is a rounding error and determines no phase."""
    component = np.sum(np.where(is_real, np.real(V), 0), axis=-2)
    size = np.abs(primal_of(component))
    is_zero = size <= size.shape[-1] * np.finfo(size.dtype).eps
    return np.where(is_zero, 0, 1 / np.where(is_zero, 1, component))


def is_row(V: Any, row: int) -> Any:
    """The components of all columns in one row."""
    rows = primal_of(V).shape[-2]
    return np.expand_dims(np.arange(rows) == row % max(rows, 1), -1)


def is_largest(V: Any) -> Any:
    """The largest component of each column, the first of equal ones."""
    V = primal_of(V)
    if not V.size:
        return np.zeros(V.shape, dtype=bool)
    largest = np.argmax(np.abs(V), axis=-2)
    return np.arange(V.shape[-2])[:, np.newaxis] == np.expand_dims(largest, -2)
