"""Rules of functions of SciPy's rotations and rigid motions, by compositions of NumPy's functions.

The tangent of a rotation has that of its quaternion, ``Tangent[Rotation](quat=...)``, at a right angle to it;
that of a rigid motion has that of its matrix, ``Tangent[RigidTransform](matrix=...)``.
"""

import inspect
import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.spatial.transform
from scipy.spatial.transform import Rotation

from chainrules.formulas.calls.compositions import pull_composition, push_composition
from chainrules.formulas.rotations.quaternions import like, of_nearest, of_orthogonal, unit
from chainrules.formulas.rotations.rigid_motions import is_rigid, rigid
from chainrules.makers.linear_rules import tangent_like
from chainrules.makers.versions import present
from chainrules.values.iterables import item_tangents, iterable_cotangent, zeros_if_zero
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    StructuralTangent,
    Tangent,
    Thunk,
    ZeroTangent,
    backing,
    define,
    primal_of,
    primitive,
    rule_maker,
    typeof_,
    unthunk,
)

# --- Objects and their numbers -----------------------------------------------------------------------------


class _Kind(NamedTuple):
    """A class of objects: the field of its tangents, the shape and the function that gives its numbers.

    The last function leaves the numbers as they are, and drops what no object has from their tangents.
    """

    field: str
    shape: tuple[int, ...]
    numbers: Callable[[Any], Any]
    refined: Callable[[Any], Any]


_KINDS = {Rotation: _Kind("quat", (4,), primitive(Rotation.as_quat), unit)}
for _motion in present(scipy.spatial.transform, "RigidTransform"):  # since SciPy 1.16
    _KINDS[_motion] = _Kind("matrix", (4, 4), primitive(_motion.as_matrix), rigid)


def _kind_of(x: Any) -> _Kind | None:
    """The kind of an object, traced or not; of numbers `None`."""
    x = primal_of(x)
    return next((kind for cls, kind in _KINDS.items() if isinstance(x, cls)), None)


def is_rotation(x: Any) -> bool:
    """Whether a value is a rotation, traced or not."""
    return isinstance(primal_of(x), Rotation)


def numbers_of(x: Any) -> Any:
    """The quaternion of a rotation, or the matrix of a motion; numbers as they are, a list as an array."""
    kind = _kind_of(x)
    if kind is not None:
        return kind.numbers(x)
    return np.stack(x) if isinstance(x, list | tuple) else x  # an item may be traced


def tangent_of_numbers(x_dot: Any) -> Any:
    """The tangent of the quaternion of a rotation, or of the matrix of a motion."""
    if isinstance(x_dot, AbstractZero):
        return x_dot
    return next(iter(backing(x_dot).values()), ZeroTangent())


def _tangent_of_argument(x: Any, x_dot: Any) -> Any:
    """The tangent of the numbers of an argument, which may be an object, an array or a list."""
    x_dot = unthunk(x_dot)
    if _kind_of(x) is not None:
        return tangent_of_numbers(x_dot)
    if not isinstance(x_dot, StructuralTangent):
        return x_dot
    items = map(_tangent_of_argument, x, item_tangents(x_dot, len(x)))
    return np.stack([zeros_if_zero(item, dot) for item, dot in zip(x, items, strict=True)])


def tangent_like_value(x: Any, numbers_dot: Any) -> Any:
    """The tangent of an object, from that of its numbers; any other in the space of its primal."""
    if isinstance(numbers_dot, AbstractZero):
        return numbers_dot
    kind = _kind_of(x)
    return tangent_like(x, numbers_dot) if kind is None else _tangent_of_object(x, kind, numbers_dot)


def _tangent_of_object(x: Any, kind: _Kind, numbers_dot: Any) -> Any:
    tangent: Any = Tangent[type(primal_of(x))]  # type: ignore[misc] # made at run time
    return tangent(**{kind.field: numbers_dot})


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
        derivatives, with quaternions in the place of rotations and matrices in the place of rigid motions. It
        may take the result for a constant.
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
        return _read_call(signature.bind(*args[len(owner) :], **named), read, names)

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


def _read_call(bound: inspect.BoundArguments, read: Callable[..., Any], names: list[str]) -> Any:
    """The composition of a call, and the arguments that have derivatives, by name; `None` without a rule."""
    given = {name: x for name, x in bound.arguments.items() if name in names and x is not None}
    rest = (x for name, x in bound.arguments.items() if name not in given)
    if not (all(primal_of(x) is x for x in rest) and all(map(_is_motion_or_other, given.values()))):
        return None
    composition = read(*map(primal_of, bound.args), **{k: primal_of(x) for k, x in bound.kwargs.items()})
    return None if composition is None else (composition, given)


@rule_maker
def concatenation_rule(owner: Any) -> None:
    """Define both rules of the method of a class that joins its instances, as the class has it."""
    kind, method = _KINDS[owner], getattr(owner.concatenate, "__func__", owner.concatenate)
    joined = primitive(method)

    def concatenate_frule(tangents: Any, f: typeof_(method), *args: Any) -> Any:
        rows, dots = _rows_of(owner, args[-1]), tangents[-1]
        if rows is None or isinstance(dots, AbstractZero):
            return rows and (joined(*args), dots)
        numbers_dot = map(tangent_of_numbers, item_tangents(dots, len(rows)))
        y_dot = np.concatenate([_row_dot(kind, *pair) for pair in zip(rows, numbers_dot, strict=True)])
        return joined(*args), Tangent[owner](**{kind.field: y_dot})

    def concatenate_rrule(f: typeof_(method), *args: Any) -> Any:
        parts = args[-1]
        rows = _rows_of(owner, parts)

        def concatenate_pullback(y_bar: Any) -> Any:
            bar = tangent_of_numbers(unthunk(y_bar))
            if not isinstance(bar, AbstractZero):
                ends = np.cumsum([row.shape[0] for row in rows])[:-1]
                pieces = map(_row_bar, itertools.repeat(kind), rows, np.split(bar, ends), parts)
                bar = iterable_cotangent(parts, parts, list(pieces))
            return *(NO_TANGENT,) * len(args), bar

        return rows and (joined(*args), concatenate_pullback)

    define(concatenate_frule, concatenate_rrule)


def _rows_of(owner: type, parts: Any) -> Any:
    """The numbers of several instances, each as rows; `None` if there is anything else."""
    if not isinstance(parts, list | tuple) or not all(
        isinstance(primal_of(part), owner) and _is_motion_or_other(part) for part in parts
    ):
        return None
    kind = _KINDS[owner]
    return [np.reshape(kind.numbers(part), (-1, *kind.shape)) for part in parts]


def _row_dot(kind: _Kind, row: Any, x_dot: Any) -> Any:
    if isinstance(x_dot, AbstractZero):
        return np.zeros_like(primal_of(row))
    return push_composition(kind.refined, [row], [np.reshape(x_dot, row.shape)])


def _row_bar(kind: _Kind, row: Any, piece: Any, part: Any) -> Any:
    bar = pull_composition(kind.refined, [row], piece)[0]
    return _tangent_of_object(part, kind, np.reshape(bar, np.shape(primal_of(kind.numbers(part)))))


def _is_motion_or_other(x: Any) -> bool:
    """Not a motion of a matrix that is none, which SciPy was told not to normalize."""
    kind = _kind_of(x)
    return kind is None or kind.refined is not rigid or is_rigid(kind.numbers(primal_of(x)))


# Since SciPy 1.16 or 1.17 a matrix that is no rotation is replaced by the nearest one, which turns by another
# angle than the matrix that is read as if it were one.
_TAKES_NEAREST = np.isclose(
    Rotation.from_matrix([[1, 1, 0], [0, 1, 0], [0, 0, 1]]).magnitude(), np.arctan2(1, 2)
)


def of_matrix(q: Any, M: Any) -> Any:
    """The quaternion `q` of the rotation that SciPy takes a matrix for."""
    return of_nearest(q, M) if _TAKES_NEAREST else of_orthogonal(M)


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
            part * _ONE if kind is None else kind.refined(part)
            for kind, part in zip(map(_kind_of, self.given.values()), numbers, strict=True)
        )
        results = self.composition(*map(numbers_of, ys), *numbers)
        if isinstance(self.y, tuple):
            return tuple(map(_on_its_side, results, ys))
        return _on_its_side(results, self.y)


def _on_its_side(result: Any, y: Any) -> Any:
    """The quaternion that SciPy has chosen of two, for a rotation."""
    return like(result, numbers_of(y)) if is_rotation(y) else result


def _cotangent_of_numbers(y: Any, y_bar: Any) -> Any:
    return y_bar if _kind_of(y) is None else tangent_of_numbers(y_bar)


# SciPy computes with numbers of double precision.
_ONE = np.float64(1.0)


def _pulled(once: Thunk, place: int, x: Any) -> Any:
    bar = unthunk(once)[place]
    if isinstance(bar, AbstractZero):
        return bar
    kind = _kind_of(x)
    return ProjectTo(x)(bar) if kind is None else _tangent_of_object(x, kind, bar)
