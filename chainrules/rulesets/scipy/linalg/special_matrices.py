"""Rules for matrices that are made of given elements; and those that depend on their integer size only.

A companion matrix has the first row ``y = -a[1:] / a[0]``. Fiedler's companion matrix has the same numbers,
and ones, in other places. Fiedler's matrix is ``|a[i] - a[j]|``, which has a kink where numbers are equal;
there the derivative is taken to be zero.
"""

from typing import Any

import numpy as np
from scipy.linalg import (
    block_diag,
    circulant,
    companion,
    convolution_matrix,
    dft,
    diagsvd,
    fiedler,
    fiedler_companion,
    hadamard,
    hankel,
    helmert,
    hilbert,
    invhilbert,
    invpascal,
    leslie,
    pascal,
    toeplitz,
)

from chainrules.formulas.arrays.places import returned
from chainrules.formulas.norms.vector_norms import complex_sign
from chainrules.makers.placements import placement_rule
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import conjugate, transposed, with_last_axis
from chainrules_core import (
    NO_TANGENT,
    ProjectTo,
    frule,
    non_differentiable,
    primal_of,
    primitive,
    rrule,
    typeof_,
)

non_differentiable(dft, hadamard, helmert, hilbert, invhilbert, invpascal, pascal)


def _without_conjugates(Y_bar, c, r=None):
    """Without a first row, that of `scipy.linalg.toeplitz` is conjugate to the first column."""
    return Y_bar if r is not None else np.tril(Y_bar) + conjugate(np.triu(Y_bar, 1))


placement_rule(block_diag)
placement_rule(circulant, 1)
placement_rule(convolution_matrix, 1)
placement_rule(diagsvd, 1)
placement_rule(hankel, 2)
placement_rule(leslie, 2)
placement_rule(toeplitz, 2, _without_conjugates)

_matrices: Any = {f: primitive(f) for f in (companion, fiedler, fiedler_companion)}


@frule.dispatch
def fiedler_frule(tangents: Any, f: typeof_(fiedler), a: ArrayOperand):
    a_dot = tangents[1]
    Y = _matrices[fiedler](a)
    return Y, np.real(conjugate(_signs(a)) * _differences(a_dot))


@rrule.dispatch
def fiedler_rrule(f: typeof_(fiedler), a: ArrayOperand):
    def fiedler_pullback(Y_bar):
        signed = _signs(a) * Y_bar
        return NO_TANGENT, np.sum(signed - transposed(signed), axis=-1)

    return _matrices[fiedler](a), fiedler_pullback


def _differences(a):
    return with_last_axis(a) - np.expand_dims(a, -2)


def _signs(a):
    return complex_sign(_differences(a))


def _companion_rules(primal):
    """Define the rules of a matrix that holds ``y = -a[1:] / a[0]``, zeros and ones."""

    @frule.dispatch
    def companion_frule(tangents: Any, f: typeof_(primal), a: ArrayOperand):
        a_dot = tangents[1]
        Y = _matrices[primal](a)
        y_dot = -(a_dot[..., 1:] - a[..., 1:] * (a_dot[..., :1] / a[..., :1])) / a[..., :1]
        places = _places(primal, shape_of(a)[-1])
        # The places count from one, and zero stands for constants.
        return Y, np.concatenate([np.zeros_like(primal_of(y_dot[..., :1])), y_dot], axis=-1)[..., places]

    @rrule.dispatch
    def companion_rrule(f: typeof_(primal), a: ArrayOperand):
        project = ProjectTo(a)

        def companion_pullback(Y_bar):
            n, batch = shape_of(a)[-1], shape_of(a)[:-1]
            places = _places(primal, n)
            rows = np.arange(int(np.prod(batch))).reshape(*batch, 1, 1) * n
            y_bar = returned(Y_bar, (*batch, n), rows + places)[..., 1:]
            scaled = -y_bar / conjugate(a[..., :1])
            first = -np.sum(conjugate(a[..., 1:] / a[..., :1]) * scaled, axis=-1, keepdims=True)
            return NO_TANGENT, project(np.concatenate([first, scaled], axis=-1))

        return _matrices[primal](a), companion_pullback


def _places(primal, n: int):
    """Which of the numbers of ``y`` stands where, from one; zero for constants."""
    # Of the numbers 1, 2, 3, ... the matrix holds -2, -3, ..., apart from zeros and ones.
    return np.maximum(-primal(np.arange(1.0, n + 1)).astype(int) - 1, 0)


_companion_rules(companion)
_companion_rules(fiedler_companion)
