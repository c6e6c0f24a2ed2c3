"""Rules of functions of SciPy's rotations, by compositions of NumPy's functions of their quaternions.

The tangent of a rotation has that of its quaternion, ``Tangent[Rotation](quat=...)``, at a right angle to it.
"""

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from chainrules.formulas.calls.compositions import pull_composition, push_composition
from chainrules.formulas.rotations.quaternions import like, unit
from chainrules.makers.linear_rules import tangent_like
from chainrules.values.iterables import item_tangents, zeros_if_zero
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    StructuralTangent,
    Tangent,
    Thunk,
    define,
    primal_of,
    primitive,
    rule_maker,
    typeof_,
    unthunk,
)

# --- Rotations and their quaternions -----------------------------------------------------------------------

_quaternion = primitive(Rotation.as_quat)


def is_rotation(x: Any) -> bool:
    """Whether a value is a rotation, traced or not."""
    return isinstance(primal_of(x), Rotation)


def numbers_of(x: Any) -> Any:
    """The quaternion of a rotation; numbers as they are, and as an array if they come in a list."""
    if is_rotation(x):
        return _quaternion(x)
    return np.stack(x) if isinstance(x, list | tuple) else x  # an item may be traced


def tangent_of_numbers(x_dot: Any) -> Any:
    """The tangent of the quaternion of a rotation."""
    return x_dot if isinstance(x_dot, AbstractZero) else x_dot.quat


def _tangent_of_argument(x: Any, x_dot: Any) -> Any:
    """The tangent of the numbers of an argument, which may be a rotation, an array or a list."""
    x_dot = unthunk(x_dot)
    if is_rotation(x):
        return tangent_of_numbers(x_dot)
    if not isinstance(x_dot, StructuralTangent):
        return x_dot
    items = map(_tangent_of_argument, x, item_tangents(x_dot, len(x)))
    return np.stack([zeros_if_zero(item, dot) for item, dot in zip(x, items, strict=True)])


def tangent_like_value(x: Any, quat_dot: Any) -> Any:
    """The tangent of a rotation, from that of its quaternion; any other in the space of its primal."""
    if isinstance(quat_dot, AbstractZero):
        return quat_dot
    return Tangent[Rotation](quat=quat_dot) if is_rotation(x) else tangent_like(x, quat_dot)


# --- Rules -------------------------------------------------------------------------------------------------


@rule_maker
def rotation_rule(primal: Callable[..., Any], read: Callable[..., Any], by: str, kind: Any = Any) -> None:
    """Define both rules of a function of rotations and real numbers.

    Parameters
    ----------
    primal
        The function, or a method of the class, as the class has it.
    read
        A function of the same arguments, which gets their values. It returns the composition, or `None` for
        a call that has no rule. The composition is a function of the result and of those arguments that have
        derivatives, with quaternions in the place of rotations. It may take the result for a constant.
    by
        The names of these arguments.
    kind
        The annotation of the first argument: that of an operator is a rotation.
    """
    # In some versions of SciPy those that make rotations are methods of the class, and static in others.
    function = getattr(primal, "__func__", primal)
    owner = () if function is primal else (primal.__self__,)  # type: ignore[attr-defined]  # a bound method
    value, signature, names = primitive(function), inspect.signature(read), by.split()

    def read_call(args: Any, named: Any) -> Any:
        bound = signature.bind(*args[len(owner) :], **named)
        given = {name: x for name, x in bound.arguments.items() if name in names and x is not None}
        rest = (x for name, x in bound.arguments.items() if name not in given)
        if any(primal_of(x) is not x for x in rest):
            return None
        composition = read(
            *map(primal_of, bound.args), **{name: primal_of(x) for name, x in bound.kwargs.items()}
        )
        return composition and (composition, given)

    def positional(values: Any) -> dict[str, Any]:
        return dict(zip(signature.parameters, values[len(owner) :], strict=False))

    def rotation_frule(tangents: Any, f: typeof_(function), x: kind, *rest: Any, **named: Any) -> Any:
        call = read_call((x, *rest), named)
        if call is None:
            return None
        y, dots = value(x, *rest, **named), positional(tangents[1:])
        return y, _Composed(call[0], call[1], y).pushed([dots.get(name, NO_TANGENT) for name in call[1]])

    def rotation_rrule(f: typeof_(function), x: kind, *rest: Any, **named: Any) -> Any:
        call = read_call((x, *rest), named)
        if call is None:
            return None
        y, places = value(x, *rest, **named), positional((x, *rest))

        def rotation_pullback(y_bar: Any) -> Any:
            bars = _Composed(call[0], call[1], y).pulled(y_bar)
            return *(NO_TANGENT for _ in (f, *owner)), *(bars.get(name, NO_TANGENT) for name in places)

        return y, rotation_pullback

    for rule, mode in ((rotation_frule, "frule"), (rotation_rrule, "rrule")):
        rule.__name__ = rule.__qualname__ = f"{function.__name__.strip('_')}_{mode}"
    define(rotation_frule, rotation_rrule)


class _Composed(NamedTuple):
    """A call: its composition, the arguments that have derivatives, by name, and its result or several."""

    composition: Callable[..., Any]
    given: dict[str, Any]
    y: Any

    def pushed(self, dots: Any) -> Any:
        """The tangent of the result."""
        if all(isinstance(dot, AbstractZero) for dot in dots):
            return NO_TANGENT
        numbers_dot = list(map(_tangent_of_argument, self.given.values(), dots))
        y_dot = push_composition(self._of_numbers, self._numbers(), numbers_dot)
        if isinstance(self.y, tuple):
            return tangent_of_results(self.y, *map(tangent_like_value, self.y, y_dot))
        return tangent_like_value(self.y, y_dot)

    def pulled(self, y_bar: Any) -> dict[str, Any]:
        """The cotangents of the arguments, by name."""
        y_bars = unthunk(y_bar)
        if isinstance(self.y, tuple):
            bars = map(unthunk, cotangents_of_results(self.y, y_bars))
            y_bars = tuple(map(_cotangent_of_numbers, self.y, bars))
        else:
            y_bars = _cotangent_of_numbers(self.y, y_bars)
        once = Thunk(pull_composition, self._of_numbers, self._numbers(), y_bars)
        return {name: Thunk(_pulled, once, place, x) for place, (name, x) in enumerate(self.given.items())}

    def _numbers(self) -> list[Any]:
        return [numbers_of(x) for x in self.given.values()]

    def _of_numbers(self, *numbers: Any) -> Any:
        """The composition, of the numbers of the arguments alone."""
        ys = self.y if isinstance(self.y, tuple) else (self.y,)
        numbers = tuple(
            unit(part) if is_rotation(x) else part * _ONE
            for x, part in zip(self.given.values(), numbers, strict=True)
        )
        results = self.composition(*map(numbers_of, ys), *numbers)
        if isinstance(self.y, tuple):
            return tuple(map(_on_its_side, results, ys))
        return _on_its_side(results, self.y)


def _on_its_side(result: Any, y: Any) -> Any:
    """The quaternion that SciPy has chosen of two, for a rotation."""
    return like(result, numbers_of(y)) if is_rotation(y) else result


def _cotangent_of_numbers(y: Any, y_bar: Any) -> Any:
    return tangent_of_numbers(y_bar) if is_rotation(y) else y_bar


# SciPy computes with numbers of double precision.
_ONE = np.float64(1.0)


def _pulled(once: Thunk, place: int, x: Any) -> Any:
    bar = unthunk(once)[place]
    if isinstance(bar, AbstractZero):
        return bar
    return Tangent[Rotation](quat=bar) if is_rotation(x) else ProjectTo(x)(bar)
