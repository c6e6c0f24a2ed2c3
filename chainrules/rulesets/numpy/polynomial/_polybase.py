"""Rules for the classes of polynomials, such as `Polynomial`: their constructors, methods and operators.

For each method there is a function in `chainrules.makers.series.classes`, which does with the coefficients,
domain and window what the method does with the instance. The rules call back into AD to differentiate these
functions, since the functions of the bases have rules. The tangent of an instance has its arrays:
``Tangent[Polynomial](coef=..., domain=..., window=...)``.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.polynomial import polyutils
from numpy.polynomial._polybase import ABCPolyBase

from chainrules.formulas.calls.fields import pull_field, push_field
from chainrules.makers.series import classes
from chainrules.makers.series.classes import Series
from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    HasForwardsMode,
    HasReverseMode,
    NonDifferentiablePullback,
    RuleConfig,
    StructuralTangent,
    Tangent,
    backing,
    frule,
    frule_via_ad,
    non_differentiable,
    primal_of,
    primitive,
    rrule,
    rrule_via_ad,
    typeof_,
    unthunk,
)

ARRAYS = ("coef", "domain", "window")

METHODS: dict[Callable[..., Any], Callable[..., Any]] = {
    ABCPolyBase.__call__: classes.value,
    ABCPolyBase.convert: classes.convert,
    ABCPolyBase.copy: classes.same,
    ABCPolyBase.cutdeg: classes.cutdeg,
    ABCPolyBase.deriv: classes.deriv,
    ABCPolyBase.integ: classes.integ,
    ABCPolyBase.linspace: classes.linspace,
    ABCPolyBase.mapparms: classes.parameters,
    ABCPolyBase.roots: classes.roots,
    ABCPolyBase.trim: classes.trim,
    ABCPolyBase.truncate: classes.truncate,
}
CLASS_METHODS = (classes.basis, classes.cast, classes.fit, classes.fromroots, classes.identity)

non_differentiable(
    *(ABCPolyBase.degree, ABCPolyBase.has_samecoef, ABCPolyBase.has_samedomain),
    *(ABCPolyBase.has_sametype, ABCPolyBase.has_samewindow),
)

# --- Instances and their arrays --------------------------------------------------------------------------


def apart(p: Any) -> Any:
    """The arrays of an instance; anything else as it is."""
    kind = type(primal_of(p))
    if not issubclass(kind, ABCPolyBase):
        return p
    return Series(kind, p.coef, p.domain, p.window, primal_of(p).symbol)


def together(y: Any) -> Any:
    """The instance that has these arrays, or a tuple of instances."""
    if isinstance(y, tuple):
        return tuple(map(together, y))
    if not isinstance(y, Series):
        return y
    return primitive(y.kind)(y.coef, y.domain, y.window, y.symbol)


def tangent_apart(p_dot: Any) -> Any:
    """The tangent of the arrays of an instance, or of each of a tuple."""
    if isinstance(p_dot, tuple):
        return Tangent[tuple](*map(tangent_apart, p_dot))
    if not isinstance(p_dot, StructuralTangent):
        return p_dot
    given = backing(p_dot)
    if isinstance(given, tuple):
        return p_dot.map(tangent_apart)
    return Tangent[Series](**{name: given[name] for name in ARRAYS if name in given})


def tangent_together(y: Any, y_dot: Any) -> Any:
    """The tangent of an instance, or of a tuple of instances, from the tangent of the arrays."""
    y_dot = unthunk(y_dot)
    if isinstance(y_dot, AbstractZero):
        return y_dot
    if isinstance(y, tuple):
        return Tangent[tuple](*map(tangent_together, y, y_dot))
    kind = type(primal_of(y))
    if not issubclass(kind, ABCPolyBase):
        return y_dot
    tangent: Any = Tangent[kind]
    return tangent(**{name: getattr(y_dot, name) for name in ARRAYS})


def push_code(config: Any, tangents: Any, code: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Differentiate forwards a function of the arrays of instances."""
    dots = (NO_TANGENT, *map(tangent_apart, tangents))
    y, y_dot = frule_via_ad(config, dots, code, *map(apart, args), **named)
    y = together(y)
    return y, tangent_together(y, y_dot)


def pull_code(config: Any, code: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Differentiate such a function backwards; the pullback gives the cotangents of the arguments."""
    y, pull = rrule_via_ad(config, code, *map(apart, args), **named)

    def pullback(y_bar):
        return tuple(map(tangent_together, args, pull(tangent_apart(y_bar))[1:]))

    return together(y), pullback


# --- Constructors ------------------------------------------------------------------------------------------


@frule.dispatch
def series_frule(tangents: Any, f: type[ABCPolyBase], *args: Any, **named: Any):
    arrays, dots = list(args), {}
    for place, name in given_arrays(args):
        answer = frule((NO_TANGENT, tangents[1 + place]), np.array, args[place], ndmin=1)
        arrays[place], dots[name] = answer
    tangent: Any = Tangent[f]
    return primitive(f)(*arrays, **named), tangent(**dots)


@rrule.dispatch
def series_rrule(f: type[ABCPolyBase], *args: Any, **named: Any):
    arrays, pullbacks = list(args), {}
    for place, name in given_arrays(args):
        arrays[place], pullbacks[place, name] = rrule(np.array, args[place], ndmin=1)

    def series_pullback(p_bar):
        bars: list[Any] = [NO_TANGENT for _ in args]
        for (place, name), pullback in pullbacks.items():
            bars[place] = p_bar if isinstance(p_bar, AbstractZero) else pullback(getattr(p_bar, name))[1]
        return NO_TANGENT, *bars

    return primitive(f)(*arrays, **named), series_pullback


def given_arrays(args: tuple[Any, ...]) -> list[tuple[int, str]]:
    """Which arguments of a constructor are arrays, and the fields that they become."""
    pairs = zip(args, enumerate(ARRAYS), strict=False)
    return [place_and_name for x, place_and_name in pairs if x is not None]


# --- Calls -------------------------------------------------------------------------------------------------

# Most calls are at points. For these, two rules that take two thirds of the time of the general ones.


@frule.dispatch
def value_frule(tangents: Any, f: ABCPolyBase, x: Operand):
    f_dot, x_dot = tangents
    coef_dot, *ends_dots = (getattr(f_dot, name, f_dot) for name in ARRAYS)
    u, u_dot = frule((NO_TANGENT, x_dot, *ends_dots), polyutils.mapdomain, x, f.domain, f.window)
    return frule((NO_TANGENT, u_dot, coef_dot), value_of(f), u, f.coef)


@rrule.dispatch
def value_rrule(f: ABCPolyBase, x: Operand):
    u, pull_map = rrule(polyutils.mapdomain, x, f.domain, f.window)
    y, pull_value = rrule(value_of(f), u, f.coef)
    tangent: Any = Tangent[type(primal_of(f))]  # type: ignore[misc]  # made at run time

    def value_pullback(y_bar):
        _, u_bar, coef_bar = pull_value(y_bar)
        _, x_bar, domain_bar, window_bar = pull_map(u_bar)
        return tangent(coef=coef_bar, domain=domain_bar, window=window_bar), x_bar

    return y, value_pullback


def value_of(p: Any) -> Callable[..., Any]:
    """The function that evaluates polynomials in the basis of an instance."""
    return classes.basis_of(type(primal_of(p))).primal("val")


@frule.dispatch
def call_frule(
    config: RuleConfig[HasForwardsMode], tangents: Any, f: ABCPolyBase, x: list | tuple | ABCPolyBase
):
    return push_code(config, tangents, classes.value, (f, x), {})


@rrule.dispatch
def call_rrule(config: RuleConfig[HasReverseMode], f: ABCPolyBase, x: list | tuple | ABCPolyBase):
    return pull_code(config, classes.value, (f, x), {})


# --- Methods -----------------------------------------------------------------------------------------------


def _method_rules(method: Callable[..., Any], code: Callable[..., Any]) -> None:
    @frule.dispatch
    def method_frule(
        config: RuleConfig[HasForwardsMode], tangents: Any, f: typeof_(method), *args: Any, **named: Any
    ):
        return push_code(config, tangents[1:], code, args, named)

    @rrule.dispatch
    def method_rrule(config: RuleConfig[HasReverseMode], f: typeof_(method), *args: Any, **named: Any):
        y, pullback = pull_code(config, code, args, named)
        return y, lambda y_bar: (NO_TANGENT, *pullback(y_bar))


for _method, _code in METHODS.items():
    _method_rules(_method, _code)
for _code in CLASS_METHODS:
    _method_rules(getattr(ABCPolyBase, _code.__name__).__func__, _code)

# --- Operators ---------------------------------------------------------------------------------------------


def _operator_rules(primal: Callable[..., Any], code: Callable[..., Any], left: Any, right: Any) -> None:
    @frule.dispatch
    def operator_frule(
        config: RuleConfig[HasForwardsMode], tangents: Any, f: typeof_(primal), p: left, q: right
    ):
        check_operands(primal, p, q)
        return push_code(config, tangents[1:], code, (p, q), {})

    @rrule.dispatch
    def operator_rrule(config: RuleConfig[HasReverseMode], f: typeof_(primal), p: left, q: right):
        check_operands(primal, p, q)
        y, pullback = pull_code(config, code, (p, q), {})
        return y, lambda y_bar: (NO_TANGENT, *pullback(y_bar))


def check_operands(primal: Callable[..., Any], *operands: Any) -> None:
    """Let NumPy raise its own errors, for polynomials in two bases for one."""
    primal(*map(primal_of, operands))


for _operator, _code in classes.OPERATORS.items():
    _operator_rules(_operator, _code, ABCPolyBase, ABCPolyBase)
    _operator_rules(_operator, _code, ABCPolyBase, Any)
    _operator_rules(_operator, _code, Any, ABCPolyBase)
_operator_rules(operator.pow, classes.power, ABCPolyBase, int)


def _sign_rules(primal: Callable[..., Any], code: Callable[..., Any]) -> None:
    @frule.dispatch
    def sign_frule(config: RuleConfig[HasForwardsMode], tangents: Any, f: typeof_(primal), p: ABCPolyBase):
        return push_code(config, tangents[1:], code, (p,), {})

    @rrule.dispatch
    def sign_rrule(config: RuleConfig[HasReverseMode], f: typeof_(primal), p: ABCPolyBase):
        y, pullback = pull_code(config, code, (p,), {})
        return y, lambda y_bar: (NO_TANGENT, *pullback(y_bar))


_sign_rules(operator.neg, classes.negative)
_sign_rules(operator.pos, classes.same)

# --- Attributes --------------------------------------------------------------------------------------------


@frule.dispatch
def getattr_frule(tangents: Any, f: typeof_(getattr), p: ABCPolyBase, name: str):
    if name in ARRAYS:
        return push_field(p, name, tangents[1])
    return getattr(primal_of(p), name), NO_TANGENT


@rrule.dispatch
def getattr_rrule(f: typeof_(getattr), p: ABCPolyBase, name: str):
    if name not in ARRAYS:
        return getattr(primal_of(p), name), NonDifferentiablePullback(3)
    y, pull = pull_field(p, name)  # type: ignore[misc]  # an array is a field

    def getattr_pullback(y_bar):
        return NO_TANGENT, pull(y_bar), NO_TANGENT

    return y, getattr_pullback
