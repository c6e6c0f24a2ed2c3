"""Rules for SciPy's discrete Fourier transforms, by `chainrules.makers.fourier_transforms`.

`hfftn` and `ihfftn` are `hfft` and `ihfft` along the last axis, with `fft` and `ifft` along the others.
"""

from collections.abc import Callable

import scipy.fft

from chainrules.makers.fourier_transforms import ADJOINT, Call, transform_rules
from chainrules_core import primitive

_LINES = {name: primitive(getattr(scipy.fft, name)) for name in ADJOINT}


def _transform_rules(name: str, last: str, read: Callable[..., Call]) -> None:
    primal = getattr(scipy.fft, name)
    transform_rules(primal, primitive(primal), last, _LINES, read)


# SciPy writes into its argument if it is told so, and a rule keeps it: `overwrite_x` goes no further.
def _read_line(  # noqa: PLR0913 - SciPy's signature
    n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None
) -> Call:
    s = None if n is None else (n,)
    effort = {"workers": workers, "plan": plan}
    return Call(s, (axis,), norm, (n, axis, norm), effort, effort)


def _read_plane(s=None, axes=(-2, -1), *rest, **named) -> Call:
    return _read_space(s, axes, *rest, **named)


def _read_space(  # noqa: PLR0913 - SciPy's signature
    s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None
) -> Call:
    s, axes = (None if x is None else _as_tuple(x) for x in (s, axes))
    effort = {"workers": workers, "plan": plan}
    return Call(s, axes, norm, (s, axes, norm), effort, effort)


def _as_tuple(x) -> tuple[int, ...]:
    try:
        return tuple(x)
    except TypeError:  # a number
        return (x,)


for _name in ADJOINT:
    _transform_rules(_name, _name, _read_line)
    _transform_rules(f"{_name}2", _name, _read_plane)
    _transform_rules(f"{_name}n", _name, _read_space)
