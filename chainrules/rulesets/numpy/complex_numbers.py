"""Rules for the parts of complex numbers, which are linear over the real numbers only."""

from typing import Any

import numpy as np

from chainrules.operands import Operand
from chainrules_core import NoTangent, ProjectTo, frule, rrule, typeof_, unthunk


@frule.dispatch
def real_frule(tangents: Any, f: typeof_(np.real), x: Operand) -> tuple[Any, Any]:
    return np.real(x), np.real(unthunk(tangents[1]))


@rrule.dispatch
def real_rrule(f: typeof_(np.real), x: Operand) -> tuple[Any, Any]:
    project = ProjectTo(x)

    def real_pullback(y_bar: Any) -> tuple[Any, Any]:
        return NoTangent(), project(np.real(unthunk(y_bar)))

    return np.real(x), real_pullback


@frule.dispatch
def imag_frule(tangents: Any, f: typeof_(np.imag), x: Operand) -> tuple[Any, Any]:
    return np.imag(x), np.imag(unthunk(tangents[1]))


@rrule.dispatch
def imag_rrule(f: typeof_(np.imag), x: Operand) -> tuple[Any, Any]:
    project = ProjectTo(x)

    def imag_pullback(y_bar: Any) -> tuple[Any, Any]:
        return NoTangent(), project(1j * np.real(unthunk(y_bar)))

    return np.imag(x), imag_pullback


@frule.dispatch
def conjugate_frule(tangents: Any, f: typeof_(np.conjugate), x: Operand) -> tuple[Any, Any]:
    return np.conjugate(x), np.conjugate(unthunk(tangents[1]))


@rrule.dispatch
def conjugate_rrule(f: typeof_(np.conjugate), x: Operand) -> tuple[Any, Any]:
    project = ProjectTo(x)

    def conjugate_pullback(y_bar: Any) -> tuple[Any, Any]:
        return NoTangent(), project(np.conjugate(unthunk(y_bar)))

    return np.conjugate(x), conjugate_pullback
