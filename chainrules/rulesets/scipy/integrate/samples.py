"""Rules for integrals of sampled functions: `chainrules.formulas.arrays.sampled_integrals` has the equations.

Each is linear in the samples. The integral by Simpson's rule is the sum of what all intervals contribute, and
the cumulative integrals are running sums.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.integrate

from chainrules.formulas.arrays.neighbours import differences_back, zero_padded
from chainrules.formulas.arrays.sampled_integrals import (
    Contributions,
    by_parabolas,
    by_trapezoids,
    romberg_weights,
)
from chainrules.makers.aliases import alias_rule
from chainrules.values.callee_unions import typeof_any
from chainrules.values.operands import Operand
from chainrules.values.reductions import shape_of
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    frule,
    non_differentiable,
    primal_of,
    primitive,
    rrule,
    thunk,
    typeof_,
    unbroadcast,
    unthunk,
)

alias_rule(scipy.integrate.trapezoid, np.trapezoid)
non_differentiable(scipy.integrate.newton_cotes)

RULES: dict[Callable[..., Any], Callable[..., Contributions]] = {
    scipy.integrate.cumulative_trapezoid: by_trapezoids,
    scipy.integrate.simpson: by_parabolas,
    scipy.integrate.cumulative_simpson: by_parabolas,
}


class Samples(NamedTuple):
    """The samples of a call along the last axis, and the lengths of the intervals between them."""

    y: Any
    h: Any
    x: Any
    axis: int
    has_first: bool
    is_sum: bool

    def finish(self, contributions: Any) -> Any:
        """The result, from what each interval contributes; a first value is constant."""
        if self.is_sum:
            return np.sum(contributions, axis=-1)
        sums = np.cumsum(contributions, axis=-1)
        return np.moveaxis(zero_padded(sums, 1, 0) if self.has_first else sums, -1, self.axis)

    def start(self, z_bar: Any) -> Any:
        """The adjoint of `finish`."""
        if self.is_sum:
            return np.expand_dims(z_bar, -1) * np.ones(shape_of(self.y)[-1] - 1)
        sums_bar = np.moveaxis(z_bar, self.axis, -1)
        sums_bar = sums_bar[..., 1:] if self.has_first else sums_bar
        return np.flip(np.cumsum(np.flip(sums_bar, -1), axis=-1), -1)

    def pulled_to_places(self, x: Any, h_bar: Any) -> Any:
        """The cotangent of the places `x`."""
        rows = in_rows(self.x, self.axis)
        # A place that serves several rows gets the sum of their cotangents.
        x_bar = unbroadcast(rows, differences_back(h_bar, shape_of(rows)[-1]))
        return cotangent_in_lists(
            x, x_bar if len(shape_of(self.x)) == 1 else np.moveaxis(x_bar, -1, self.axis)
        )


@functools.cache
def defaults_of(f: Callable[..., Any]) -> dict[str, Any]:
    """The default of each parameter of a function."""
    return {name: parameter.default for name, parameter in inspect.signature(f).parameters.items()}


def samples_of(f: Callable[..., Any], y: Any, further: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """The samples; `None` if there are none, or the intervals are other ones than the rules are for."""
    given = defaults_of(f) | dict(zip(list(defaults_of(f))[1:], further, strict=False)) | named
    y, x, dx, axis = array_of(y), given["x"], given["dx"], given["axis"]
    if not shape_of(y) or not shape_of(y)[axis] or shape_of(dx):
        return None
    rows = np.moveaxis(y, axis, -1)
    if x is None:
        h = dx * np.ones(shape_of(rows)[-1] - 1)
    else:
        x = array_of(x)
        h = np.diff(in_rows(x, axis)) * np.ones(1)  # in double precision, as SciPy's
        if shape_of(h)[-1] != shape_of(rows)[-1] - 1 or not np.all(primal_of(h)):
            return None  # SciPy says the first; at places that repeat it has a convention of its own
    is_sum = f is scipy.integrate.simpson
    return Samples(rows, h, x, axis, not is_sum and given["initial"] is not None, is_sum)


def in_rows(x: Any, axis: int) -> Any:
    """A vector of places serves all rows."""
    return x if len(shape_of(x)) == 1 else np.moveaxis(x, axis, -1)


@frule.dispatch
def sampled_frule(tangents: Any, f: typeof_any(tuple(RULES)), y: Operand | list, *further: Any, **named: Any):
    samples = samples_of(f, y, further, named)
    if samples is None:
        return None
    _, y_dot, *further_dots = tangents
    dots = dict(zip(list(defaults_of(f))[1:], further_dots, strict=False))
    rows_dot = h_dot = None
    if not isinstance(y_dot, AbstractZero):
        rows_dot = np.moveaxis(tangent_as_array(y, y_dot), samples.axis, -1)
    x_dot, dx_dot = (dots.get(name, NO_TANGENT) for name in ("x", "dx"))
    if samples.x is not None and not isinstance(x_dot, AbstractZero):
        h_dot = np.diff(in_rows(tangent_as_array(further[0], x_dot), samples.axis))
    elif samples.x is None and not isinstance(dx_dot, AbstractZero):
        h_dot = dx_dot * np.ones_like(samples.h)
    z = primitive(f)(y, *further, **named)
    if rows_dot is None and h_dot is None:
        return z, NO_TANGENT
    contributions_dot = RULES[f](samples.y, samples.h).pushed(rows_dot, h_dot)
    return z, ProjectTo(z)(samples.finish(contributions_dot + np.zeros_like(samples.y[..., 1:])))


@rrule.dispatch
def sampled_rrule(f: typeof_any(tuple(RULES)), y: Operand | list, *further: Any, **named: Any):
    samples = samples_of(f, y, further, named)
    if samples is None:
        return None
    contributions, names = RULES[f](samples.y, samples.h), list(defaults_of(f))[1:]

    def sampled_pullback(z_bar):
        bar = samples.start(z_bar)
        y_bar = np.moveaxis(contributions.pulled_to_samples(bar, shape_of(samples.y)), -1, samples.axis)
        h_bar = thunk(lambda: contributions.pulled_to_lengths(bar, shape_of(bar)))
        bars: dict[str, Any] = {
            "x": thunk(lambda: samples.pulled_to_places(further[0], unthunk(h_bar))),
            "dx": thunk(lambda: unbroadcast(further[1], np.sum(unthunk(h_bar)))),
        }
        bars["dx" if samples.x is not None else "x"] = NO_TANGENT
        further_bars = [bars.get(name, NO_TANGENT) for name, _ in zip(names, further, strict=False)]
        return NO_TANGENT, cotangent_in_lists(y, y_bar), *further_bars

    return primitive(f)(y, *further, **named), sampled_pullback


# --- Romberg's rule: bilinear in the samples and their distance --------------------------------------------

romb = primitive(scipy.integrate.romb)


@frule.dispatch
def romb_frule(tangents: Any, f: typeof_(scipy.integrate.romb), y: Operand, *further: Any, **named: Any):
    _, y_dot, *further_dots = tangents
    dx, axis = distance_and_axis(further, named)
    z, z_dot = romb(y, *further, **named), NO_TANGENT
    if not isinstance(y_dot, AbstractZero):
        z_dot = romb(y_dot, dx, axis)
    if further_dots and not isinstance(further_dots[0], AbstractZero):
        z_dot = z_dot + romb(y, further_dots[0], axis)
    return z, z_dot if isinstance(z_dot, AbstractZero) else ProjectTo(z)(z_dot)


@rrule.dispatch
def romb_rrule(f: typeof_(scipy.integrate.romb), y: Operand, *further: Any, **named: Any):
    dx, axis = distance_and_axis(further, named)
    project = ProjectTo(y)

    def romb_pullback(z_bar):
        each_bar = np.expand_dims(z_bar, -1) * (dx * romberg_weights(shape_of(y)[axis]))
        bars = (
            thunk(lambda: ProjectTo(dx)(np.sum(np.conj(romb(y, 1.0, axis)) * z_bar))),
            NO_TANGENT,
            NO_TANGENT,
        )
        return NO_TANGENT, project(np.moveaxis(each_bar, -1, axis)), *bars[: len(further)]

    return romb(y, *further, **named), romb_pullback


def distance_and_axis(further: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, int]:
    """The distance between the samples, and their axis."""
    given = {"dx": 1.0, "axis": -1} | dict(zip(("dx", "axis"), further, strict=False)) | named
    return given["dx"], given["axis"]
