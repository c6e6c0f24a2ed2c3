"""Rules for discrete sine and cosine transforms: their inverses are nearly their adjoints.

A transform is ``M = c L Q R`` along each axis, with an orthogonal ``Q``, a factor ``c`` that `norm` chooses,
and diagonal matrices ``L`` and ``R`` of ones, but for ``√2`` or its inverse at an end. With ``orthogonalize``
there are no such ends. The inverse with the opposite `norm` is ``N = c R⁻¹ Qᵀ L⁻¹``, so that

    Mᵀ = c R Qᵀ L = R² N L²

Squares have no roots: factors are 2 and 1/2. The inverse transforms have the inverses of the squares.

J. Makhoul, "A fast cosine transform in one and two dimensions", IEEE Trans. ASSP 28, 27-34 (1980), and the
notes of `scipy.fft.dct` and `scipy.fft.dst`.
"""

from typing import Any

import numpy as np
import scipy.fft

from chainrules.formulas.arrays.lengths import with_length
from chainrules.makers.fourier_transforms import ADJOINT_NORM
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import is_complex_array
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, is_complex, primitive, rrule, typeof_

# Which ends have a factor in L² (before the inverse) or in R² (after it), and which factor.
_ENDS_BEFORE = {("dct", 1): ((0, -1), 2.0), ("dct", 2): ((0,), 2.0), ("dst", 2): ((-1,), 2.0)}
_ENDS_AFTER = {("dct", 1): ((0, -1), 0.5), ("dct", 3): ((0,), 0.5), ("dst", 3): ((-1,), 0.5)}

_ONE_COMPLEX = np.array([1j, 0.0])
# The kernel for complex numbers is not told of `orthogonalize` in all promised versions of SciPy.
_IS_TOLD = scipy.fft.dct(_ONE_COMPLEX)[0] != scipy.fft.dct(_ONE_COMPLEX, orthogonalize=True)[0]


def _transform_rules(family: str, inverse: bool, several: bool) -> None:
    names = [f"{prefix}{family}{'n' if several else ''}" for prefix in ("", "i")]
    primal, back = (getattr(scipy.fft, name) for name in (names[::-1] if inverse else names))
    read = _read_several if several else _read_line
    apply, apply_back = primitive(primal), primitive(back)

    @frule.dispatch
    def transform_frule(tangents, f: typeof_(primal), x: ArrayOperand, *options, **named):
        args, kept, _, _ = read(x, *options, **named)
        x_dot = tangents[1]
        y = apply(x, *args, **kept)
        return y, x_dot if isinstance(x_dot, AbstractZero) else apply(x_dot, *args, **kept)

    @rrule.dispatch
    def transform_rrule(f: typeof_(primal), x: ArrayOperand, *options, **named):
        args, kept, axes, lengths = read(x, *options, **named)
        type_, _, where, norm = args
        is_real, project, shape = not is_complex_array(x), ProjectTo(x), shape_of(x)
        kept_back = kept if is_real or _IS_TOLD else {**kept, "orthogonalize": None}
        is_orthogonal = kept_back["orthogonalize"]
        if is_orthogonal is None:
            is_orthogonal = norm == "ortho"

        def transform_pullback(y_bar):
            x_bar = np.real(y_bar) if is_real and is_complex(y_bar) else y_bar
            if not is_orthogonal:
                x_bar = _weighted(x_bar, (family, type_), axes, inverse, before=True)
            x_bar = apply_back(x_bar, type_, None, where, ADJOINT_NORM[norm], **kept_back)
            if not is_orthogonal:
                x_bar = _weighted(x_bar, (family, type_), axes, inverse, before=False)
            for axis in axes if lengths else ():
                x_bar = with_length(x_bar, shape[axis], axis)
            return NO_TANGENT, project(x_bar), *(NO_TANGENT,) * len(options)

        return apply(x, *args, **kept), transform_pullback


def _weighted(y_bar, kind: tuple[str, int], axes: tuple[int, ...], inverse: bool, before: bool):
    """The cotangent with the factors of its ends, along each axis."""
    ends, factor = (_ENDS_BEFORE if before != inverse else _ENDS_AFTER).get(kind, ((), 1.0))
    if not ends:
        return y_bar
    shape = shape_of(y_bar)
    for axis in axes:
        w = np.ones(shape[axis], np.float32)  # widens no other precision
        w[list(ends)] = 1.0 / factor if inverse else factor
        y_bar = y_bar * np.reshape(w, (-1, *(1 for _ in range(axis % len(shape) + 1, len(shape)))))
    return y_bar


# SciPy writes into its argument if it is told so, and a rule keeps it: `overwrite_x` goes no further.
def _read_line(  # noqa: PLR0913, PLR0917 - SciPy's signature
    x,
    type=2,  # noqa: A002 - SciPy's name
    n=None,
    axis=-1,
    norm=None,
    overwrite_x=False,
    workers=None,
    orthogonalize=None,
) -> tuple[Any, ...]:
    kept = {"workers": workers, "orthogonalize": orthogonalize}
    return (type, n, axis, norm), kept, (axis,), n is not None


def _read_several(  # noqa: PLR0913, PLR0917 - SciPy's signature
    x,
    type=2,  # noqa: A002 - SciPy's name
    s=None,
    axes=None,
    norm=None,
    overwrite_x=False,
    workers=None,
    orthogonalize=None,
) -> tuple[Any, ...]:
    """The arguments, the axes, and whether lengths are given."""
    kept = {"workers": workers, "orthogonalize": orthogonalize}
    s, axes = (None if v is None else tuple(np.atleast_1d(v).tolist()) for v in (s, axes))
    if axes is None:
        axes = tuple(range(-len(shape_of(x) if s is None else s), 0))
    return (type, s, axes, norm), kept, axes, s is not None


for _family in ("dct", "dst"):
    for _inverse in (False, True):
        for _several in (False, True):
            _transform_rules(_family, _inverse, _several)
