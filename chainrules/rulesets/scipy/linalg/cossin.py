"""Rules for the cosine-sine decomposition of a unitary matrix, given as one array or as four blocks.

See `chainrules.formulas.spectra.turned_planes`. The matrix stays unitary: of a tangent that part counts, and
gradients are those by turns of the matrix.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import cossin

from chainrules.formulas.spectra.turned_planes import TurnedPlanes
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import tangents_of
from chainrules.values.stacks import adjoint
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, ZeroTangent, frule, primitive, rrule, typeof_

_cossin = primitive(cossin)


class _Asked(NamedTuple):
    """The arguments of `scipy.linalg.cossin` after the matrix."""

    p: Any = None
    q: Any = None
    separate: bool = False
    swap_sign: bool = False
    compute_u: bool = True
    compute_vh: bool = True

    @property
    def in_one(self) -> bool:
        """Whether the matrix is one array, and not given by its blocks."""
        return bool(self.p or self.q)


@frule.dispatch
def cossin_frule(
    tangents: Any, f: typeof_(cossin), X: list | tuple | ArrayOperand, *options: Any, **named: Any
):
    asked = _Asked(*options, **named)
    y = _cossin(X, *asked)
    planes = _planes(X, asked, y)
    X_dot = tangents[1] if asked.in_one else _joined(tangents_of(X, tangents[1]))
    if not (asked.compute_u or asked.compute_vh):
        angle_dot, U_dot, V_dot = planes.push_angles(X_dot), planes.U, planes.V
    else:
        angle_dot, U_dot, V_dot = planes.push(X_dot)
    bases_dot = (
        _basis_dot(*args, asked.separate)
        for args in (
            (y[0], U_dot, planes.p, asked.compute_u),
            (y[2], adjoint(V_dot), planes.q, asked.compute_vh),
        )
    )
    middle_dot = (
        planes.sign * angle_dot[..., planes.is_turned] if asked.separate else planes.push_middle(angle_dot)
    )
    return y, tangent_of_results(y, next(bases_dot), middle_dot, next(bases_dot))


@rrule.dispatch
def cossin_rrule(f: typeof_(cossin), X: list | tuple | ArrayOperand, *options: Any, **named: Any):
    asked = _Asked(*options, **named)
    y = _cossin(X, *asked)
    project = ProjectTo(X)

    def cossin_pullback(y_bar):
        planes = _planes(X, asked, y)
        U_bar, middle_bar, V_adjoint_bar = cotangents_of_results(y, y_bar)
        U_bar = _basis_bar(y[0], U_bar, asked.compute_u, asked.separate)
        V_adjoint_bar = _basis_bar(y[2], V_adjoint_bar, asked.compute_vh, asked.separate)
        bars = U_bar, middle_bar, V_adjoint_bar
        if all(isinstance(x, AbstractZero) for x in bars):
            return NO_TANGENT, ZeroTangent(), *(NO_TANGENT,) * len(options)
        if not isinstance(middle_bar, AbstractZero):
            middle_bar = (
                planes.of_all(planes.sign * middle_bar) if asked.separate else planes.pull_middle(middle_bar)
            )
        V_bar = V_adjoint_bar if isinstance(V_adjoint_bar, AbstractZero) else adjoint(V_adjoint_bar)
        X_bar = planes.pull(U_bar, middle_bar, V_bar)
        X_bar = project(X_bar if asked.in_one else _split(X, X_bar))
        return NO_TANGENT, X_bar, *(NO_TANGENT,) * len(options)

    return y, cossin_pullback


def _planes(X: Any, asked: _Asked, y: Any) -> TurnedPlanes:
    """The planes of the whole decomposition, of which less may have been asked for."""
    p, q = (1 if n is None else int(n) for n in asked[:2]) if asked.in_one else _shapes_of_blocks(X)[0][-2:]
    if asked.separate or not (asked.compute_u and asked.compute_vh):
        y = _cossin(X, asked.p, asked.q, False, asked.swap_sign)
    return TurnedPlanes.of(y, p, q, -1.0 if asked.swap_sign else 1.0)


def _basis_dot(like: Any, basis_dot: Any, n: int, is_computed: bool, separate: bool) -> Any:
    """The tangent of the first or the last result; of an empty one it is that result."""
    if not separate:
        return basis_dot if is_computed else like
    blocks = basis_dot[..., :n, :n], basis_dot[..., n:, n:]
    return tangent_of_results(like, *(blocks if is_computed else like))


def _basis_bar(like: Any, bar: Any, is_computed: bool, separate: bool) -> Any:
    """The cotangent of a block diagonal matrix, for that of the first or the last result."""
    if not is_computed:
        return ZeroTangent()
    if not separate:
        return bar
    bars = cotangents_of_results(like, bar)
    if all(isinstance(x, AbstractZero) for x in bars):
        return ZeroTangent()
    first, second = (
        np.zeros_like(x) if isinstance(x_bar, AbstractZero) else x_bar
        for x, x_bar in zip(like, bars, strict=True)
    )
    beside = np.zeros_like(first, shape=(shape_of(first)[-1], shape_of(second)[-1]))
    return _joined((first, beside, np.swapaxes(beside, -1, -2), second))


def _joined(blocks: Any) -> Any:
    """The matrix of four blocks."""
    upper_left, upper_right, lower_left, lower_right = (np.atleast_2d(x) for x in blocks)
    rows = (upper_left, upper_right), (lower_left, lower_right)
    return np.concatenate([np.concatenate(row, axis=-1) for row in rows], axis=-2)


def _shapes_of_blocks(X: Any) -> list[tuple[int, ...]]:
    return [shape_of(np.atleast_2d(x)) for x in X]


def _split(X: Any, X_bar: Any) -> Any:
    """The cotangents of four blocks, in a container like theirs."""
    p, q = _shapes_of_blocks(X)[0][-2:]
    halves = X_bar[..., :p, :], X_bar[..., p:, :]
    blocks = [bar for half in halves for bar in (half[..., :q], half[..., q:])]
    bars = [np.reshape(bar, np.shape(x)) for x, bar in zip(X, blocks, strict=True)]
    return type(X)(bars) if isinstance(X, list | tuple) else np.stack(bars)
