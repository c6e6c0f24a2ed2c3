"""Rules for `NormalDist`: its constructor, methods, attributes and operators.

They compute functions of means and standard deviations, which have rules of their own, see
`chainrules.operations.normal_distribution`. The tangent of a distribution has both:
``Tangent[NormalDist](_mu=..., _sigma=...)``.
"""

import operator
import statistics
from collections.abc import Callable, Iterator, Sequence
from numbers import Number
from statistics import NormalDist
from typing import Any

from chainrules.formulas.calls.fields import pull_field, push_field
from chainrules.operations import normal_distribution
from chainrules.values.iterables import item_tangents, tuple_tangent
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Tangent,
    ZeroTangent,
    frule,
    primal_of,
    primitive,
    rrule,
    typeof_,
    unthunk,
)

make = primitive(NormalDist)

# The fields in which an instance holds its attributes.
FIELDS = {"mean": "_mu", "median": "_mu", "mode": "_mu", "stdev": "_sigma"}

# --- Distributions, and their means and standard deviations ------------------------------------------------


def is_distribution(x: Any) -> bool:
    return isinstance(primal_of(x), NormalDist)


def numbers_of(args: Sequence[Any]) -> Iterator[Any]:
    """The arguments of a call, with two numbers for each distribution."""
    for x in args:
        yield from (x.mean, x.stdev) if is_distribution(x) else (x,)


def tangents_of_numbers(args: Sequence[Any], tangents: Sequence[Any]) -> Iterator[Any]:
    """The tangents of these numbers."""
    for x, x_dot in zip(args, tangents, strict=True):
        yield from moment_tangents(x_dot) if is_distribution(x) else (x_dot,)


def moment_tangents(d_dot: Any) -> tuple[Any, Any]:
    """The tangents of the mean and the standard deviation."""
    if isinstance(d_dot, AbstractZero):
        return d_dot, d_dot
    return getattr(d_dot, FIELDS["mean"]), getattr(d_dot, FIELDS["stdev"])


def cotangents_of_arguments(args: Sequence[Any], bars: Sequence[Any]) -> tuple[Any, ...]:
    """The cotangents of the arguments, from the cotangents of their numbers."""
    rest = iter(bars)
    return tuple(
        tangent_of_moments(next(rest), next(rest)) if is_distribution(x) else next(rest) for x in args
    )


def tangent_of_moments(mu_bar: Any, sigma_bar: Any) -> Any:
    return Tangent[NormalDist](_mu=mu_bar, _sigma=sigma_bar)


def push_numbers(code: Callable[..., Any], tangents: Sequence[Any], args: Sequence[Any]) -> tuple[Any, Any]:
    """Differentiate a function of the numbers forwards; two results are a distribution."""
    y, y_dot = frule((NO_TANGENT, *tangents_of_numbers(args, tangents)), code, *numbers_of(args))
    if not isinstance(y, tuple):
        return y, y_dot
    return make(*y), tangent_of_moments(*item_tangents(unthunk(y_dot), 2))


def pull_numbers(code: Callable[..., Any], args: Sequence[Any]) -> tuple[Any, Any]:
    """Differentiate it backwards."""
    y, pull = rrule(code, *numbers_of(args))
    is_several = isinstance(y, tuple)

    def pullback(y_bar: Any) -> Any:
        _, *bars = pull(tuple_tangent(tuple, moment_tangents(y_bar)) if is_several else y_bar)
        return cotangents_of_arguments(args, bars)

    return make(*y) if is_several else y, pullback


# --- Constructors ------------------------------------------------------------------------------------------


@frule.dispatch
def normal_dist_frule(tangents: Any, f: type[NormalDist], *parameters: Any, **named: Any) -> Any:
    d = primitive(f)(*parameters, **named)
    dots = (*tangents[1:], ZeroTangent(), ZeroTangent())
    return d, tangent_of_moments(*map(ProjectTo(0.0), dots[:2]))


@rrule.dispatch
def normal_dist_rrule(f: type[NormalDist], *parameters: Any, **named: Any) -> Any:
    projections = [ProjectTo(x) for x in parameters]

    def normal_dist_pullback(d_bar: Any) -> Any:
        bars = zip(projections, moment_tangents(d_bar), strict=False)
        return NO_TANGENT, *(project(x_bar) for project, x_bar in bars)

    return primitive(f)(*parameters, **named), normal_dist_pullback


@frule.dispatch
def from_samples_frule(tangents: Any, f: typeof_(NormalDist.from_samples.__func__), cls: Any, xs: Any) -> Any:
    mu, mu_dot = frule((NO_TANGENT, tangents[2]), statistics.mean, xs)
    sigma, sigma_dot = frule((NO_TANGENT, tangents[2]), statistics.stdev, xs)
    return frule((NO_TANGENT, mu_dot, sigma_dot), cls, mu, sigma)


@rrule.dispatch
def from_samples_rrule(f: typeof_(NormalDist.from_samples.__func__), cls: Any, xs: Any) -> Any:
    mu, pull_mean = rrule(statistics.mean, xs)
    sigma, pull_stdev = rrule(statistics.stdev, xs)

    def from_samples_pullback(d_bar: Any) -> Any:
        mu_bar, sigma_bar = moment_tangents(d_bar)
        return NO_TANGENT, NO_TANGENT, pull_mean(mu_bar)[1] + pull_stdev(sigma_bar)[1]

    return primitive(cls)(mu, sigma), from_samples_pullback


# --- Methods with one number as their result ---------------------------------------------------------------


def _method_rules(method: Callable[..., Any], code: Callable[..., Any]) -> None:
    @frule.dispatch
    def method_frule(tangents: Any, f: typeof_(method), d: NormalDist, x: Any) -> Any:
        return push_numbers(code, tangents[1:], (d, x))

    @rrule.dispatch
    def method_rrule(f: typeof_(method), d: NormalDist, x: Any) -> Any:
        y, pullback = pull_numbers(code, (d, x))
        return y, lambda y_bar: (NO_TANGENT, *pullback(y_bar))


_method_rules(NormalDist.pdf, normal_distribution.density)
_method_rules(NormalDist.cdf, normal_distribution.probability)
_method_rules(NormalDist.inv_cdf, normal_distribution.quantile)
_method_rules(NormalDist.zscore, normal_distribution.standard_score)
_method_rules(NormalDist.overlap, normal_distribution.overlap)

# --- Methods with many: numbers of the standard distribution, moved ----------------------------------------


def _moving_rules(method: Callable[..., Any]) -> None:
    @frule.dispatch
    def moving_frule(tangents: Any, f: typeof_(method), d: NormalDist, *options: Any, **named: Any) -> Any:
        mu_dot, sigma_dot = moment_tangents(tangents[1])
        zs = method(NormalDist(), *options, **named)
        return moved_score(d, zs), tuple_tangent(list, [mu_dot + z * sigma_dot for z in zs])

    @rrule.dispatch
    def moving_rrule(f: typeof_(method), d: NormalDist, *options: Any, **named: Any) -> Any:
        zs = method(NormalDist(), *options, **named)

        def moving_pullback(y_bar: Any) -> Any:
            y_bars = item_tangents(y_bar, len(zs))
            mu_bar = sum(y_bars, start=ZeroTangent())
            sigma_bar = sum(map(operator.mul, zs, y_bars), start=ZeroTangent())
            return NO_TANGENT, tangent_of_moments(mu_bar, sigma_bar), *(NO_TANGENT,) * len(options)

        return moved_score(d, zs), moving_pullback


def moved_score(d: Any, zs: Sequence[float]) -> list[Any]:
    mu, sigma = d.mean, d.stdev
    return [mu + z * sigma for z in zs]


_moving_rules(NormalDist.quantiles)
_moving_rules(NormalDist.samples)

# --- Attributes --------------------------------------------------------------------------------------------


@frule.dispatch
def getattr_frule(tangents: Any, f: typeof_(getattr), d: NormalDist, name: str) -> Any:
    if name != "variance":
        return push_field(d, FIELDS.get(name, name), tangents[1])
    _, sigma_dot = moment_tangents(tangents[1])
    return d.stdev * d.stdev, 2 * d.stdev * sigma_dot


@rrule.dispatch
def getattr_rrule(f: typeof_(getattr), d: NormalDist, name: str) -> Any:
    if name != "variance":
        return _pull_attribute(d, FIELDS.get(name, name))

    def variance_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, Tangent[NormalDist](_sigma=2 * d.stdev * y_bar), NO_TANGENT

    return d.stdev * d.stdev, variance_pullback


def _pull_attribute(d: Any, name: str) -> Any:
    answer = pull_field(d, name)
    if answer is None:
        return None
    y, pull = answer
    return y, lambda y_bar: (NO_TANGENT, pull(y_bar), NO_TANGENT)


# --- Operators ---------------------------------------------------------------------------------------------


def _operator_rules(primal: Callable[..., Any], code: Callable[..., Any], left: Any, right: Any) -> None:
    # The functions take the constant last.
    order = slice(None, None, -1) if left is Number else slice(None)

    @frule.dispatch
    def operator_frule(tangents: Any, f: typeof_(primal), x: left, y: right) -> Any:
        return push_numbers(code, tangents[1:][order], (x, y)[order])

    @rrule.dispatch
    def operator_rrule(f: typeof_(primal), x: left, y: right) -> Any:
        z, pullback = pull_numbers(code, (x, y)[order])
        return z, lambda z_bar: (NO_TANGENT, *pullback(z_bar)[order])


_operator_rules(operator.add, normal_distribution.added, NormalDist, NormalDist)
_operator_rules(operator.add, normal_distribution.shifted, NormalDist, Number)
_operator_rules(operator.add, normal_distribution.shifted, Number, NormalDist)
_operator_rules(operator.sub, normal_distribution.subtracted, NormalDist, NormalDist)
_operator_rules(operator.sub, normal_distribution.shifted_back, NormalDist, Number)
_operator_rules(operator.sub, normal_distribution.mirrored, Number, NormalDist)
_operator_rules(operator.mul, normal_distribution.scaled, NormalDist, Number)
_operator_rules(operator.mul, normal_distribution.scaled, Number, NormalDist)
_operator_rules(operator.truediv, normal_distribution.divided, NormalDist, Number)


def _sign_rules(primal: Callable[..., Any], sign: int) -> None:
    @frule.dispatch
    def sign_frule(tangents: Any, f: typeof_(primal), d: NormalDist) -> Any:
        mu_dot, sigma_dot = moment_tangents(tangents[1])
        return make(sign * d.mean, d.stdev), tangent_of_moments(sign * mu_dot, sigma_dot)

    @rrule.dispatch
    def sign_rrule(f: typeof_(primal), d: NormalDist) -> Any:
        def sign_pullback(y_bar: Any) -> Any:
            mu_bar, sigma_bar = moment_tangents(y_bar)
            return NO_TANGENT, tangent_of_moments(sign * mu_bar, sigma_bar)

        return make(sign * d.mean, d.stdev), sign_pullback


_sign_rules(operator.pos, 1)
_sign_rules(operator.neg, -1)
