"""Rules for NumPy's discrete Fourier transforms, by `chainrules.makers.fourier_transforms`."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.makers.fourier_transforms import ADJOINT, Call, transform_rules
from chainrules.values.operands import refuse_out

# NumPy hands carriers on by itself.
_LINES = {name: getattr(np.fft, name) for name in ADJOINT}


def _transform_rules(name: str, last: str, read: Callable[..., Any]) -> None:
    primal = getattr(np.fft, name)

    def read_call(*options: Any, **named: Any) -> Call:
        s, axes, norm = read(name, *options, **named)
        return Call(s, axes, norm, options, named, {})

    transform_rules(primal, primal, last, _LINES, read_call)


def _read_line(name, n=None, axis=-1, norm=None, out=None):
    refuse_out(f"np.fft.{name}", out)
    return None if n is None else (n,), (axis,), norm


def _read_plane(name, s=None, axes=(-2, -1), norm=None, out=None):
    return _read_space(name, s, axes, norm, out)


def _read_space(name, s=None, axes=None, norm=None, out=None):
    refuse_out(f"np.fft.{name}", out)
    return None if s is None else tuple(s), None if axes is None else tuple(axes), norm


for _name in _LINES:
    _transform_rules(_name, _name, _read_line)
for _suffix, _read in (("2", _read_plane), ("n", _read_space)):
    for _name in ("fft", "ifft", "rfft", "irfft"):
        _transform_rules(_name + _suffix, _name, _read)
