"""The tangents that `rrule` and `frule` hand to a rule: each fits its primal, and at least one is not zero.

An AD system may hold a thunk, a zero, integers, or numbers of another precision. They are converted here, for
all rules, to tangents with the shape and precision of the rule's result or argument. A tangent of another
shape, which NumPy might broadcast to a wrong gradient, is an error.
"""

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core.arrays.lazy_arrays import LazyArray
from chainrules_core.carriers.search import may_contain_carriers
from chainrules_core.dispatch import rules
from chainrules_core.dispatch.descriptions import describe_callee
from chainrules_core.dispatch.rule_location import describe_place
from chainrules_core.dispatch.rule_pullbacks import RulePullback, documentation
from chainrules_core.exceptions import ChainRulesError, DimensionMismatchError, TangentStructureError
from chainrules_core.tangent_spaces.fitting import ArrayLayout, fitted, layout_of
from chainrules_core.tangent_spaces.projection.numbers import is_complex
from chainrules_core.tangent_spaces.zero_tangent import zero_tangent
from chainrules_core.tangents.abstract_zero import NO_TANGENT, ZERO_TANGENT, AbstractZero
from chainrules_core.tangents.arithmetic import unthunk_throughout

_REAL_OR_COMPLEX = (int, float, np.number, np.ndarray, LazyArray)

# From the tangents to the answer of a rule.
_Call = Callable[[tuple[Any, ...]], Any]

# Read faster than as attributes of their modules: these checks would take a fifth longer.
_Function, _ndarray, _float64 = types.FunctionType, np.ndarray, np.float64

# --- Backwards -------------------------------------------------------------------------------------


def checked(answer: Any, call: tuple[Any, ...]) -> Any:
    """See `RRule.checked` for the parameters; `call` is the key of the lookup."""
    if answer.__class__ is not tuple:
        return answer
    try:
        y, pullback = answer
    except ValueError:
        return answer
    if pullback.__class__ is not _Function and (hasattr(pullback, "of_first") or not callable(pullback)):
        return answer  # the pullback of a constant takes everything as it is
    # Attribute by attribute, without a constructor: in the time in which a closure is made.
    cls = y.__class__
    around: Any
    if cls is _ndarray:
        around = _PullbackOfArray()
        around.shape = y.shape
        around.dtype = y.dtype
    elif cls is float or cls is _float64:
        around = _PullbackOfNumber()
        around.y = y
    else:
        around = _PullbackOfAny()
        around.layout = layout_of(y)
    around.__wrapped__ = pullback
    around.call = call
    return y, around


class _CheckedPullback(RulePullback):
    __doc__ = documentation
    __slots__ = ("call",)

    call: tuple[Any, ...]

    def pulled(self, layout: Any, y_bar: Any) -> Any:
        """Pull back a cotangent that is brought into the form of one of the result, or is zero."""
        f, *args = self.call
        try:
            y_bar = fitted(layout, y_bar)
        except (DimensionMismatchError, TangentStructureError) as error:
            raise _misfit("rrule", self.__wrapped__, f, "the cotangent of the result", error) from None
        if isinstance(y_bar, AbstractZero):
            return (y_bar if may_contain_carriers(f) else NO_TANGENT, *[y_bar for _ in args])
        return self.__wrapped__(y_bar)


class _PullbackOfArray(_CheckedPullback):
    __doc__ = documentation
    __slots__ = ("dtype", "shape")

    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    def __call__(self, y_bar: Any) -> Any:
        if y_bar.__class__ is _ndarray and y_bar.dtype is self.dtype and y_bar.shape == self.shape:
            return self.__wrapped__(y_bar)
        return self.pulled(ArrayLayout(self.shape, self.dtype), y_bar)


class _PullbackOfNumber(_CheckedPullback):
    __doc__ = documentation
    __slots__ = ("y",)

    y: float

    def __call__(self, y_bar: Any) -> Any:
        if y_bar.__class__ is float or y_bar.__class__ is _float64:
            return self.__wrapped__(y_bar)
        return self.pulled(self.y, y_bar)


class _PullbackOfAny(_CheckedPullback):
    __doc__ = documentation
    __slots__ = ("layout",)

    layout: Any

    def __call__(self, y_bar: Any) -> Any:
        return self.pulled(self.layout, y_bar)


# --- Forwards --------------------------------------------------------------------------------------


def fits(tangents: tuple[Any, ...], args: tuple[Any, ...]) -> bool:
    """Whether a quick look finds that a rule can be given the tangents as they are."""
    f_dot = tangents[0]
    if f_dot is not NO_TANGENT and f_dot is not ZERO_TANGENT:
        return False
    if len(args) == 1:  # in two thirds of the time that the loop takes
        x, x_dot = args[0], tangents[1]
        cls = x_dot.__class__
        if cls is not x.__class__:
            return False
        if cls is _ndarray:
            return x_dot.dtype is x.dtype and x_dot.shape == x.shape
        return cls is float or cls is _float64
    return _fit_together(tangents, args)


def _fit_together(tangents: tuple[Any, ...], args: tuple[Any, ...]) -> bool:
    place, moves = 1, not args
    for x in args:
        x_dot = tangents[place]
        place += 1
        if x_dot is NO_TANGENT or x_dot is ZERO_TANGENT:
            continue
        cls = x_dot.__class__
        if cls is not x.__class__:
            return False
        if cls is _ndarray:
            if x_dot.dtype is not x.dtype or x_dot.shape != x.shape:
                return False
        elif cls is not float and cls is not _float64:
            return False
        moves = True
    return moves


def pushed(call: _Call, tangents: tuple[Any, ...], rule: Any, f: Any, args: tuple[Any, ...]) -> Any:
    """See `FRule.pushed` for the parameters.

    Where all tangents are zero, the rule gets an array of zeros as the tangent of one argument, so that it
    computes its result as usual; the tangent that is returned is a zero.
    """
    dots = [unthunk_throughout(tangents[0])]
    for place, x in enumerate(args, 1):
        try:
            dots.append(_fitted_tangent(x, tangents[place]))
        except (DimensionMismatchError, TangentStructureError) as error:
            raise _misfit("frule", rule, f, f"the tangent of argument {place}", error) from None
    if not all(isinstance(dot, AbstractZero) for dot in dots):
        return call(tuple(dots))
    return _pushed_zeros(call, dots, args)


def _fitted_tangent(x: Any, x_dot: Any) -> Any:
    x_dot = unthunk_throughout(x_dot)
    if is_complex(x_dot) and isinstance(x, _REAL_OR_COMPLEX) and not is_complex(x):
        raise TangentStructureError(
            "is complex, and the argument is real: push the real and the imaginary part, one after the other."
        )
    return fitted(layout_of(x), x_dot)


def _pushed_zeros(call: _Call, dots: list[Any], args: tuple[Any, ...]) -> Any:
    for place in sorted(range(len(args)), key=lambda place: _is_of_integers(args[place])):
        zero = zero_tangent(args[place])
        # An integer beside others is an index, most often, which a rule may refuse to move.
        is_index = len(args) > 1 and isinstance(args[place], int | np.integer)
        if not isinstance(zero, AbstractZero) and not is_index:
            dots[place + 1] = zero
            break
    answer = call(tuple(dots))
    if answer.__class__ is not tuple or len(answer) != 2:
        return answer
    y, y_dot = answer
    return y, y_dot if y_dot is NO_TANGENT else ZERO_TANGENT


def _is_of_integers(x: Any) -> bool:
    return getattr(getattr(x, "dtype", None), "kind", None) in ("i", "u")


def _misfit(mode: str, rule: Any, f: Any, whose: str, error: ChainRulesError) -> ChainRulesError:
    place = describe_place(rule)
    return type(error)(f"{mode} of {describe_callee(f)} ({place}): {whose} {error}")


rules.checked, rules.fits, rules.pushed = checked, fits, pushed
