"""Rules of discrete Fourier transforms, of NumPy and of SciPy: each is the adjoint of another.

Every transform is linear over the real numbers, so that ``y_dot`` is the transform of ``x_dot``. With ``F``
of elements ``exp(-2πi jk/n)``, the transforms of a line of `n` elements and their adjoints are::

    fft:    y = F x                              x_bar = Fᴴ y_bar = n ifft(y_bar)
    rfft:   y = H F x,  x real                   x_bar = Re Fᴴ Hᵀ y_bar = n irfft(y_bar / w)
    irfft:  y = Re Fᴴ Hᵀ (w x) / n               x_bar = w H F y_bar / n = w rfft(y_bar) / n

where ``H`` drops the negative frequencies. ``w`` counts the elements that each remaining frequency stands
for: itself and its mirror image, so two, except for frequency 0 and, if `n` is even, the highest. `hfft` and
`ihfft` are the conjugates of `irfft` and `rfft` with the signs of the exponents exchanged. The factor `n`
exchanges the conventions ``norm="backward"`` and ``norm="forward"``. A transform along several axes is one
after the other, and its adjoint the adjoints in the opposite order. An input is cropped to the length `n` or
padded with zeros; its cotangent is padded where it was cropped, and the other way round.

The symmetries: A. V. Oppenheim and R. W. Schafer, "Discrete-Time Signal Processing", chapter 8.
"""

import functools
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.arrays.lengths import with_length
from chainrules.values.operands import ArrayOperand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import is_complex_array
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, define, is_complex, rule_maker, typeof_

Transform = Callable[..., Any]

# The adjoint of each transform of a line, up to the norm.
ADJOINT = {
    "fft": "ifft",
    "ifft": "fft",
    "rfft": "irfft",
    "irfft": "rfft",
    "hfft": "ihfft",
    "ihfft": "hfft",
}
ADJOINT_NORM = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}

# The transform along the other axes of several, if these have the one along the last.
OTHERS = {"fft": "fft", "ifft": "ifft", "rfft": "fft", "irfft": "ifft", "hfft": "fft", "ihfft": "ifft"}

# These give, or take, the frequencies from 0 up only.
_TO_HALF = frozenset({"rfft", "ihfft"})
_FROM_HALF = frozenset({"irfft", "hfft"})


class Call(NamedTuple):
    """How a transform is called.

    Attributes
    ----------
    s
        The lengths, or `None` if they are not given.
    axes
        The axes, or `None` for the last ones.
    norm
        Where the factor stands.
    options, named
        The arguments after the array, for a call that writes into no argument.
    effort
        The keyword arguments that say how to compute the transform, and not which.
    """

    s: tuple[int, ...] | None
    axes: tuple[int, ...] | None
    norm: str | None
    options: tuple[Any, ...]
    named: dict[str, Any]
    effort: dict[str, Any]


class Step(NamedTuple):
    """A transform along one axis.

    Attributes
    ----------
    transform
        The name of one of the six transforms of a line.
    axis
        The axis.
    length
        The length of the input along this axis.
    n
        The number of elements that are transformed; for transforms from or to real numbers, the number of the
        real ones.
    weights
        The factors of the frequencies in the adjoint, if negative frequencies are dropped.
    """

    transform: str
    axis: int
    length: int
    n: int
    weights: Any


@rule_maker
def transform_rules(
    primal: Transform, apply: Transform, last: str, lines: Mapping[str, Transform], read: Callable[..., Call]
) -> None:
    """Define the rules of a transform.

    Parameters
    ----------
    primal
        The transform.
    apply
        The transform as a function that carriers can be handed to.
    last
        The name of the transform along the last of its axes.
    lines
        The transforms of a line by name, which take the arguments ``(x, n, axis, norm)``.
    read
        From the arguments after the array to how the transform is called.
    """

    def transform_frule(
        tangents: Any, f: typeof_(primal), x: ArrayOperand, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        call = read(*options, **named)
        x_dot = tangents[1]
        y = apply(x, *call.options, **call.named)
        return y, x_dot if isinstance(x_dot, AbstractZero) else apply(x_dot, *call.options, **call.named)

    def transform_rrule(f: typeof_(primal), x: ArrayOperand, *options: Any, **named: Any) -> tuple[Any, Any]:
        s, axes, norm, given, given_by_name, effort = read(*options, **named)
        y = apply(x, *given, **given_by_name)
        steps = _line_transforms(last, shape_of(x), s, axes)
        back_norm = ADJOINT_NORM[norm]
        project = ProjectTo(x)
        is_real = not is_complex_array(x)
        is_real_result = last in _FROM_HALF
        without_tangents = (NO_TANGENT,) * len(options)

        def transform_pullback(y_bar: Any) -> Any:
            x_bar = y_bar
            if is_real_result and is_complex(x_bar):
                x_bar = np.real(x_bar)
            for step in steps:
                x_bar = _pull_step(lines, step, x_bar, back_norm, effort)
            # Not by the projection, which takes as long as the transform of a few elements.
            x_bar = np.real(x_bar) if is_real else x_bar
            return NO_TANGENT, project(x_bar), *without_tangents

        return y, transform_pullback

    define(transform_frule, transform_rrule)


@functools.lru_cache(maxsize=256)  # a program transforms arrays of few shapes, and many of each
def _line_transforms(
    last: str, shape: tuple[int, ...], s: tuple[int, ...] | None, axes: tuple[int, ...] | None
) -> list[Step]:
    """The transforms along one axis that a transform is made of, in the opposite of NumPy's order.

    The order matters where an axis is transformed twice.
    """
    if axes is None:
        axes = tuple(range(-len(shape if s is None else s), 0))
    if not axes:  # of an array without axes
        return []
    ns = [shape[axis] for axis in axes]
    if s is not None:
        ns = [shape[axis] if n == -1 else n for n, axis in zip(s, axes, strict=True)]
    elif last in _FROM_HALF:
        ns[-1] = 2 * (ns[-1] - 1)
    order = list(zip([*(OTHERS[last] for _ in ns[1:]), last], axes, ns, strict=True))
    if last not in _FROM_HALF:
        order.reverse()
    lengths, steps = list(shape), []
    for transform, axis, n in order:
        steps.append(
            Step(transform, axis, lengths[axis], n, _frequency_weights(transform, n, axis, len(shape)))
        )
        lengths[axis] = n // 2 + 1 if transform in _TO_HALF else n
    return steps[::-1]


def _frequency_weights(transform: str, n: int, axis: int, ndim: int) -> Any:
    """How often each frequency of `n` elements that is not negative occurs, or the inverse of this number."""
    if transform not in _TO_HALF | _FROM_HALF:
        return None
    w = np.full(n // 2 + 1, 2.0 if transform in _FROM_HALF else 0.5, np.float32)  # widens no other precision
    w[0] = 1
    if n % 2 == 0:
        w[-1] = 1
    return np.reshape(w, (-1, *(1 for _ in range(axis % ndim + 1, ndim))))


def _pull_step(
    lines: Mapping[str, Transform], step: Step, y_bar: Any, norm: str, effort: dict[str, Any]
) -> Any:
    transform, axis, length, n, weights = step
    if transform in _TO_HALF:
        y_bar = y_bar * weights
    x_bar = lines[ADJOINT[transform]](y_bar, n, axis, norm, **effort)
    if transform in _FROM_HALF:
        x_bar = x_bar * weights
    return x_bar if n == length and weights is None else with_length(x_bar, length, axis)
