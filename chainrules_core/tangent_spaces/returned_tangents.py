"""The tangents that rules return to an AD system: each has the shape of its result or argument.

The next rule might sum a cotangent of another shape as if it had been broadcast, and the gradient would be
wrong in silence. So where an AD system's configuration asks for it, the answers of rules are checked, at the
cost of comparing shapes and dtypes. Rules of packages that are vouched for, which are tested with all shapes,
are not checked. Nothing is computed for a check: a thunk is checked when it is computed, and a tangent that
does not fit raises an error when it is used.
"""

import functools
import os
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chainrules_core.backends import PLAIN_CLASSES, primal_of
from chainrules_core.dispatch.parameters import positional_parameters
from chainrules_core.dispatch.rule_location import place_of_rule
from chainrules_core.dispatch.rule_method import RuleMethod
from chainrules_core.dispatch.rule_pullbacks import RulePullback, documentation
from chainrules_core.exceptions import DimensionMismatchError, TangentStructureError
from chainrules_core.tangent_spaces.fitting import NEVER_TANGENTS, ArrayLayout, is_unknown, shape_of
from chainrules_core.tangent_spaces.projection import ProjectTo
from chainrules_core.tangent_spaces.projection.numbers import is_complex
from chainrules_core.tangent_spaces.projection.plain_arrays import has_other_product, plain_array
from chainrules_core.tangents.abstract_zero import NO_TANGENT
from chainrules_core.tangents.arithmetic import is_tangent, unthunk_fully
from chainrules_core.tangents.structural_tangent import StructuralTangent
from chainrules_core.tangents.thunks import InplaceableThunk, Thunk

_Rule = Callable[..., Any]

_VOUCHED_FOR = ("chainrules", "chainrules_core")

# Read faster than as attributes of their modules.
_Function, _ndarray, _float64 = types.FunctionType, np.ndarray, np.float64

# Containers that may be the tangents of containers.
_CONTAINERS = (tuple, list, dict)

# In the place of an argument that is a real number, and of one that is not there.
_NUMBER = object()
_NOTHING: Any = object()


def rule_for_ad(method: RuleMethod) -> _Rule:
    """The function of a rule, whose answers are looked at unless it is of a package that is vouched for."""
    place = place_of_rule(method.function)
    if place is not None and place[0].startswith(_vouched_folders()):
        return method.function
    return looking_at(method.function, method)


@functools.cache
def _vouched_folders() -> tuple[str, ...]:
    # Both are imported by the time that the first rule of one is asked for.
    files = [getattr(sys.modules.get(name), "__file__", None) for name in _VOUCHED_FOR]
    return tuple(os.path.join(os.path.dirname(file), "") for file in files if file)  # noqa: PTH118, PTH120 - for `startswith`


def looking_at(rule: _Rule, method: RuleMethod, first: int | None = None) -> _Rule:
    """A function that calls a rule, and checks its answer.

    Parameters
    ----------
    rule
        What to call.
    method
        The rule that messages name.
    first
        The number of arguments before the function that is differentiated; by default as `method` has it.
    """
    look: Any = _looking_at_pullbacks if method.mode == "rrule" else _looking_at_tangents
    first = method.place_of_callee if first is None else first
    looking: Any = functools.wraps(rule)(look(rule, method, first))
    looking.__looked_at_for__ = method
    return looking  # type: ignore[no-any-return]  # which `wraps` cannot say


# --- Backwards -------------------------------------------------------------------------------------


class ReturnedCotangents(tuple[Any, ...]):  # noqa: SLOT001 - a tuple with slots cannot have attributes
    """The cotangents that somebody's pullback returned, if one of them is no plain array or number that fits.

    Attributes
    ----------
    method
        The rule.
    """

    method: RuleMethod


class _Held:
    """An argument that is no plain array and no real number."""

    __slots__ = ("x",)

    def __init__(self, x: Any) -> None:
        self.x = x


def _looking_at_pullbacks(rule: _Rule, method: RuleMethod, first: int) -> _Rule:
    def of_several(*args: Any, **kwargs: Any) -> Any:
        answer = rule(*args, **kwargs)
        if _is_final(answer):
            return answer
        y, pullback = answer
        looked_at = _PullbackToSeveral()
        looked_at.__wrapped__ = pullback
        looked_at.f = args[first]
        looked_at.primals = [_primal(primal_of(x)) for x in args[first + 1 :]]
        looked_at.method = method
        return y, looked_at

    def of_one(f: Any, x: Any = _NOTHING, /, *others: Any, **kwargs: Any) -> Any:
        # Written out, in two thirds of the time.
        if others or kwargs or x is _NOTHING:
            return of_several(f, *(() if x is _NOTHING else (x, *others)), **kwargs)
        answer = rule(f, x)
        is_pair = answer.__class__ is tuple and len(answer) == 2
        if not (is_pair and answer[1].__class__ is _Function) and _is_final(answer):
            return answer
        y, pullback = answer
        cls = x.__class__
        looked_at = _PullbackToOne()
        looked_at.__wrapped__ = pullback
        looked_at.f = f
        looked_at.primal = (x.shape, x.dtype) if cls is _ndarray else _primal(primal_of(x))
        looked_at.method = method
        return y, looked_at

    return of_several if first else of_one


def _is_final(answer: Any) -> bool:
    """Whether an answer has no pullback to check: no pair, which is an error of its own, or no derivative."""
    if answer.__class__ is not tuple or len(answer) != 2:
        return True
    return hasattr(answer[1], "of_first") or not callable(answer[1])


def _primal(x: Any) -> Any:
    """What is kept of an argument: of a plain array, that the rule may not keep, its shape and dtype."""
    cls = x.__class__
    if cls is float or cls is _float64:
        return _NUMBER
    return (x.shape, x.dtype) if cls is _ndarray else _Held(x)


class PullbackLookedAt(RulePullback):
    """The pullback of a rule, whose cotangents have the shapes of the function and its arguments."""

    __doc__ = documentation
    __slots__ = ("f", "method")

    f: Any
    method: RuleMethod

    def each_looked_at(self, x_bars: Any, primals: Sequence[Any]) -> Any:
        """The cotangents of the function and of the arguments, each as it is kept."""
        if not isinstance(x_bars, tuple | list) or len(x_bars) != len(primals) + 1:
            return x_bars  # an error of its own
        places = range(len(x_bars))
        returned = ReturnedCotangents(map(self._looked_at, x_bars, (self.f, *primals), places))
        returned.method = self.method
        return returned

    def _looked_at(self, x_bar: Any, primal: Any, place: int) -> Any:
        x = primal.x if isinstance(primal, _Held) else 0.0 if primal is _NUMBER else primal
        x = ArrayLayout(*primal) if place and isinstance(primal, tuple) else x
        return _looked_at(x, x_bar, lambda x, x_bar, way: Thunk(self._brought, x, x_bar, place, way))

    def _brought(self, x: Any, x_bar: Any, place: int, way: str) -> Any:
        try:
            return _brought(x, unthunk_fully(x_bar), "argument" if place else "function")
        except (DimensionMismatchError, TangentStructureError) as error:
            whose = self._described(place, way)
            raise type(error)(
                f"{self.method.name} ({self.method.location}): the cotangent of {whose} {error}"
            ) from None

    def _described(self, place: int, way: str) -> str:
        if not place:
            return f"`{way}` of the function itself" if way else "the function itself"
        names, *_ = positional_parameters(self.method.function, Any)
        place_in_rule = self.method.place_of_callee + place
        name = names[place_in_rule] if place_in_rule < len(names) else ""  # one of `*args`
        return f"argument {place}, `{name}{way}`," if name or way else f"argument {place}"


class _PullbackToOne(PullbackLookedAt):
    __doc__ = documentation
    __slots__ = ("primal",)

    primal: Any

    def __call__(self, y_bar: Any) -> Any:
        x_bars = self.__wrapped__(y_bar)
        if x_bars.__class__ is tuple and len(x_bars) == 2 and x_bars[0] is NO_TANGENT:
            x_bar, primal = x_bars[1], self.primal
            cls = x_bar.__class__
            if cls not in PLAIN_CLASSES:
                x_bar = primal_of(x_bar)
                cls = x_bar.__class__
            if cls is _ndarray:
                if primal.__class__ is tuple and x_bar.shape == primal[0] and x_bar.dtype is primal[1]:
                    return x_bars
            elif primal is _NUMBER and (cls is float or cls is _float64):
                return x_bars
        return self.each_looked_at(x_bars, (self.primal,))


class _PullbackToSeveral(PullbackLookedAt):
    __doc__ = documentation
    __slots__ = ("primals",)

    primals: list[Any]

    def __call__(self, y_bar: Any) -> Any:
        x_bars = self.__wrapped__(y_bar)
        primals = self.primals
        if x_bars.__class__ is tuple and len(x_bars) == len(primals) + 1 and x_bars[0] is NO_TANGENT:
            place = 0
            for primal in primals:
                place += 1
                x_bar = x_bars[place]
                cls = x_bar.__class__
                if cls not in PLAIN_CLASSES:
                    x_bar = primal_of(x_bar)
                    cls = x_bar.__class__
                if cls is _ndarray:
                    if primal.__class__ is tuple and x_bar.shape == primal[0] and x_bar.dtype is primal[1]:
                        continue
                elif x_bar is NO_TANGENT or (primal is _NUMBER and (cls is float or cls is _float64)):
                    continue
                break
            else:
                return x_bars
        return self.each_looked_at(x_bars, primals)


# --- Forwards --------------------------------------------------------------------------------------


def _looking_at_tangents(rule: _Rule, method: RuleMethod, first: int) -> _Rule:
    def later(y: Any, y_dot: Any, way: str) -> Any:
        return Thunk(brought, y, y_dot, way) if isinstance(y_dot, Thunk) else brought(y, y_dot, way)

    def brought(y: Any, y_dot: Any, way: str) -> Any:
        try:
            return _brought(y, unthunk_fully(y_dot), "result")
        except (DimensionMismatchError, TangentStructureError) as error:
            whose = f"`{way}` of the result" if way else "the result"
            raise type(error)(f"{method.name} ({method.location}): the tangent of {whose} {error}") from None

    def rule_looked_at(*args: Any, **kwargs: Any) -> Any:
        answer = rule(*args, **kwargs)
        if answer.__class__ is not tuple or len(answer) != 2:
            return answer  # an error of its own, or `None`
        y, y_dot = answer
        cls = y_dot.__class__
        if cls is _ndarray and cls is y.__class__:
            if y_dot.dtype is y.dtype and y_dot.shape == y.shape:
                return answer
        elif (cls is y.__class__ and (cls is float or cls is _float64)) or y_dot is NO_TANGENT:
            return answer
        return y, _looked_at(y, y_dot, later)

    return rule_looked_at


# --- Both ------------------------------------------------------------------------------------------


def _looked_at(x: Any, x_bar: Any, later: Callable[[Any, Any, str], Any], way: str = "") -> Any:
    """The tangent itself if it fits; what does not, the whole or parts of it, as `later` makes it."""
    if isinstance(x_bar, InplaceableThunk):
        return InplaceableThunk(x_bar.add, _looked_at(x, x_bar.val, later, way))
    if x_bar.__class__ is Thunk:
        return later(x, x_bar, way)
    is_natural = x_bar.__class__ in _CONTAINERS and isinstance(x, _CONTAINERS)
    if (is_natural or isinstance(x_bar, StructuralTangent)) and not _other_items(x, x_bar):
        return _with_parts_looked_at(x, x_bar, later, way)
    return x_bar if _fits(x, x_bar) else later(x, x_bar, way)


def _with_parts_looked_at(x: Any, x_bar: Any, later: Callable[[Any, Any, str], Any], way: str) -> Any:
    given: Any = x_bar if x_bar.__class__ in _CONTAINERS else x_bar.__tangent_backing__
    by_name = isinstance(given, dict)
    parts = {
        key: _looked_at(_part_of(x, key), part, later, f"{way}.{key}" if by_name else f"{way}[{key}]")
        for key, part in (given.items() if by_name else enumerate(given))
    }
    if all(part is given[key] for key, part in parts.items()):
        return x_bar
    made = parts if by_name else tuple(parts.values())
    return x_bar.__class__(made) if given is x_bar else x_bar.__tangent_from__(made)


def _part_of(x: Any, key: Any) -> Any:
    """The part of a primal; `None`, whose tangent may be anything, where that is not known."""
    if isinstance(key, str) and not isinstance(x, dict):
        return getattr(x, key, None)
    is_there = key in x if isinstance(x, dict) else isinstance(x, tuple | list)
    return x[key] if is_there else None


def _other_items(x: Any, x_bar: Any) -> tuple[str, str] | None:
    """How many items, or which keys, a tangent has, and its primal, if it has others."""
    given = x_bar.__tangent_backing__ if isinstance(x_bar, StructuralTangent) else x_bar
    if isinstance(x, tuple | list) and given.__class__ in (tuple, list):
        return None if len(given) == len(x) else (f"{len(given)} items", str(len(x)))
    if isinstance(x, dict) and given is x_bar and given.__class__ is dict:
        return None if given.keys() == x.keys() else (f"the keys {list(given)}", str(list(x)))
    return None


def _fits(x: Any, x_bar: Any) -> bool:
    """Whether a tangent that is no thunk has the shape of its primal, and is real where that is."""
    x, x_bar = primal_of(x), primal_of(x_bar)  # whose shapes are found sooner than those of carriers
    if x.__class__ is x_bar.__class__ is float:
        return True
    if _other_items(x, x_bar):
        return False
    shape = shape_of(x)
    if shape is None or is_tangent(x_bar):
        return True
    own = shape_of(x_bar)
    if own is None:
        return not isinstance(x_bar, (*NEVER_TANGENTS, _Function))
    if isinstance(x, ArrayLayout | _ndarray) and has_other_product(x_bar):
        return False
    return (own == shape or is_unknown(shape)) and (is_complex(x) or not is_complex(x_bar))


def _brought(x: Any, x_bar: Any, whose: str) -> Any:
    """A tangent in the form that its primal has, by the projection if that can do it; else an error."""
    if _fits(x, x_bar):
        return x_bar
    other_items = _other_items(x, x_bar)
    if other_items is not None:
        if whose == "result":  # which the AD system takes apart, with a tangent for each item
            return x_bar
        items, own_items = other_items
        raise DimensionMismatchError(f"has {items}, the {whose} {own_items}.")
    own, shape = shape_of(x_bar), shape_of(x)
    if isinstance(x, ArrayLayout | _ndarray) and has_other_product(x_bar):
        return _brought(x, x_bar.toarray() if hasattr(x_bar, "toarray") else plain_array(x_bar), whose)
    if own is None:
        said = "`None`" if x_bar is None else f"a {type(x_bar).__name__}"
        raise TangentStructureError(f"is {said}, the {whose} a number or an array. {_WHAT_TO_RETURN}")
    if own == shape and whose == "result":
        raise TangentStructureError("is complex, the result real: return its real part, `np.real(y_dot)`.")
    primal = np.broadcast_to(np.zeros((), x.dtype), shape or ()) if isinstance(x, ArrayLayout) else x
    try:
        return ProjectTo(primal)(x_bar)
    except (DimensionMismatchError, TypeError) as error:
        # What to write for a matrix with structure is known to its projection.
        advice = _advice(own, shape) or "".join(str(error).partition(" Write ")[1:])
        raise DimensionMismatchError(f"has shape {own}, the {whose} {shape}.{advice}") from None


_WHAT_TO_RETURN = (
    "Return an array, `ZeroTangent()` for a derivative that is zero, `NoTangent()` for what can have none, "
    "such as an index, `thunk(lambda: ...)` for what is computed later."
)


def _advice(own: tuple[int, ...], shape: Any) -> str:
    if len(own) > len(shape):
        return (
            " Sum over axes that were broadcast, or return the product with the Jacobian, not the Jacobian."
        )
    return f" Write `np.full({shape}, c)` if each element has the tangent `c`." if own == () else ""


RuleMethod.looking_at = staticmethod(rule_for_ad)
