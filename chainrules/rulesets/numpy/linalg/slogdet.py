"""Rules for the sign and the logarithm of the modulus of the determinant.

``log det A`` has the differential ``tr(A⁻¹ dA)``; Giles 2008, section 2.2.4. Its real part is that of
``log |det A|``. Its imaginary part turns the sign, which is ``exp(i arg det A)``; of a real matrix it is
zero, and the sign is constant.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.operations.lu import lu_of
from chainrules.values.named_results import cotangents_of, tangent_of
from chainrules.values.operands import ArrayOperand
from chainrules.values.stacks import conjugate, is_complex, trace_of_product, transposed, with_matrix_axes
from chainrules_core import (
    AbstractZero,
    NoTangent,
    ProjectTo,
    ZeroTangent,
    frule,
    rrule,
    typeof_,
    unthunk,
)

# The class of the results of `np.linalg.slogdet`, which has no public name.
SlogdetResult: Any = type(np.linalg.slogdet(np.eye(1)))


@frule.dispatch
def slogdet_frule(tangents: Any, f: typeof_(np.linalg.slogdet), A: ArrayOperand) -> tuple[Any, Any]:
    lu = lu_of(A)
    if lu is None:
        return push_slogdet(tangents, A, _gradient)
    return push_slogdet(tangents, A, lambda _: transposed(lu.inverse()), SlogdetResult(*lu.slogdet()))


@rrule.dispatch
def slogdet_rrule(f: typeof_(np.linalg.slogdet), A: ArrayOperand) -> tuple[Any, Any]:
    lu = lu_of(A)
    if lu is None:
        return pull_slogdet(A, _gradient)
    return pull_slogdet(A, lambda _: transposed(lu.inverse()), SlogdetResult(*lu.slogdet()))


def push_slogdet(tangents: Any, A: Any, gradient: Callable[[Any], Any], known: Any = None) -> tuple[Any, Any]:
    """The forward rule, where ``gradient(A)`` is the derivative of ``log det A`` by each element.

    The result may be `known` already.
    """
    A_dot = unthunk(tangents[1])
    y = np.linalg.slogdet(A) if known is None else known
    if isinstance(A_dot, AbstractZero):
        return y, A_dot
    log_dot = trace_of_product(transposed(gradient(A)), A_dot)
    sign_dot = 1j * np.imag(log_dot) * y[0] if is_complex(A) else ZeroTangent()
    return y, tangent_of(y, sign_dot, np.real(log_dot))


def pull_slogdet(A: Any, gradient: Callable[[Any], Any], known: Any = None) -> tuple[Any, Any]:
    """The reverse rule, likewise."""
    y = np.linalg.slogdet(A) if known is None else known
    project = ProjectTo(A)

    def slogdet_pullback(y_bar: Any) -> Any:
        sign_bar, logabsdet_bar = cotangents_of(y, y_bar)
        log_bar = logabsdet_bar
        if is_complex(A) and not isinstance(sign_bar, AbstractZero):
            log_bar = logabsdet_bar + 1j * np.imag(np.conjugate(y[0]) * sign_bar)
        if isinstance(log_bar, AbstractZero):
            return NoTangent(), log_bar
        return NoTangent(), project(with_matrix_axes(log_bar) * conjugate(gradient(A)))

    return y, slogdet_pullback


def _gradient(A: Any) -> Any:
    return transposed(np.linalg.inv(A))
