"""Rules for the transforms of `scipy.fftpack`, most of which are those of `scipy.fft` under older names.

An inverse sine or cosine transform has no factor here: it is the transform of the inverse type. `rfft` packs
the real and imaginary parts of the frequencies that are not negative, ``[y_0, Re y_1, Im y_1, ...]``. With
its real matrix ``R``, the rows of which are orthogonal, ``R Rᵀ = D``, where ``D`` holds the squares of their
norms: `n` for a row of ones or of alternating signs, `n / 2` for a row of cosines or sines. `irfft` is
``R⁻¹``, and

    Rᵀ = R⁻¹ D        R⁻ᵀ = D⁻¹ R
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.fft
import scipy.fftpack

from chainrules.formulas.arrays.lengths import with_length
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, is_complex, primitive, rrule, typeof_

_INVERSE_TYPES = {1: 1, 2: 3, 3: 2, 4: 4}


def _renamed(name: str, primal: Any, read: Callable[..., dict[str, Any]]) -> None:
    """Let a transform have the rules of one of `scipy.fft`."""
    alias = getattr(scipy.fftpack, name)

    @frule.dispatch
    def transform_frule(tangents, f: typeof_(alias), x: ArrayOperand, *options, **named):
        return frule.unchecked((NO_TANGENT, tangents[1]), primal, x, **read(x, *options, **named))

    @rrule.dispatch
    def transform_rrule(f: typeof_(alias), x: ArrayOperand, *options, **named):
        y, pullback = rrule.unchecked(primal, x, **read(x, *options, **named))
        return y, lambda y_bar: (*pullback(y_bar), *(NO_TANGENT,) * len(options))


# SciPy writes into its argument if it is told so, and a rule keeps it: `overwrite_x` goes no further.
def _read_line(x, n=None, axis=-1, overwrite_x=False) -> dict[str, Any]:
    return {"n": n, "axis": axis}


def _read_space(x, shape=None, axes=None, overwrite_x=False) -> dict[str, Any]:
    # With `shape` alone, `scipy.fft` transforms the last axes, and this module wants one length for each.
    return {"s": shape, "axes": range(len(shape_of(x))) if axes is None and shape is not None else axes}


def _read_plane(x, shape=None, axes=(-2, -1), overwrite_x=False) -> dict[str, Any]:
    return _read_space(x, shape, axes)


def _read_trigonometric(several: bool, inverse: bool) -> Callable[..., dict[str, Any]]:
    def read(x, type=2, s=None, axes=-1, norm=None, overwrite_x=False):  # noqa: A002, PLR0913, PLR0917 - of SciPy
        lengths = _read_space(x, s, axes) if several else _read_line(x, s, axes)
        return lengths | {"type": _INVERSE_TYPES[type] if inverse else type, "norm": norm}

    def read_line(x, type=2, n=None, axis=-1, *rest, **named):  # noqa: A002 - SciPy's name
        return read(x, type, n, axis, *rest, **named)

    def read_space(x, type=2, shape=None, axes=None, *rest, **named):  # noqa: A002 - SciPy's name
        return read(x, type, shape, axes, *rest, **named)

    return read_space if several else read_line


for _name in ("fft", "ifft"):
    _renamed(_name, getattr(scipy.fft, _name), _read_line)
    _renamed(f"{_name}2", getattr(scipy.fft, f"{_name}2"), _read_plane)
    _renamed(f"{_name}n", getattr(scipy.fft, f"{_name}n"), _read_space)
for _name in ("dct", "dst", "dctn", "dstn"):
    for _inverse in (False, True):
        _read = _read_trigonometric(_name[-1] == "n", _inverse)
        _renamed("i" * _inverse + _name, getattr(scipy.fft, _name), _read)


def _packed_rules(primal, back, is_inverse: bool) -> None:
    apply, apply_back = primitive(primal), primitive(back)

    @frule.dispatch
    def packed_frule(tangents, f: typeof_(primal), x: ArrayOperand, *options, **named):
        call, x_dot = _read_line(x, *options, **named), tangents[1]
        return apply(x, **call), x_dot if isinstance(x_dot, AbstractZero) else apply(x_dot, **call)

    @rrule.dispatch
    def packed_rrule(f: typeof_(primal), x: ArrayOperand, *options, **named):
        call, shape, project = _read_line(x, *options, **named), shape_of(x), ProjectTo(x)
        axis = call["axis"]

        def packed_pullback(y_bar):
            x_bar = np.real(y_bar) if is_complex(y_bar) else y_bar
            w = _squared_norms(shape_of(y_bar)[axis])
            w = np.reshape(w, (-1, *(1 for _ in range(axis % len(shape) + 1, len(shape)))))
            x_bar = apply_back(x_bar, axis=axis) / w if is_inverse else apply_back(x_bar * w, axis=axis)
            return NO_TANGENT, project(with_length(x_bar, shape[axis], axis)), *(NO_TANGENT,) * len(options)

        return apply(x, **call), packed_pullback


def _squared_norms(n: int):
    """The diagonal of ``R Rᵀ``."""
    w = np.full(n, 0.5 * n, np.float32)  # widens no other precision
    w[0] = n
    if n % 2 == 0:
        w[-1] = n
    return w


_packed_rules(scipy.fftpack.rfft, scipy.fftpack.irfft, is_inverse=False)
_packed_rules(scipy.fftpack.irfft, scipy.fftpack.rfft, is_inverse=True)
