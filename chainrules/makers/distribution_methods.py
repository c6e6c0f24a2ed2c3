"""The rules of the methods of `scipy.stats` distributions, from the mathematics of the distribution alone.

A method is a function ``y = method(distribution, x, *shapes, loc, scale)``, in which `loc` and `scale` may be
left out and all but `x` given by keyword. Of a distribution with the density ``f(z)`` at ``z = (x - loc) /
scale``, with the score ``s = ∂ log f/∂z``, the shapes ``θ`` and the probability ``F(z)``::

             by x             by scale            by θ
    logpdf   s/scale          -(1 + z s)/scale    ∂ log f/∂θ
    pdf      y times the same
    cdf      f/scale          -z f/scale          ∂F/∂θ
    logcdf   the same, divided by F
    ppf      scale/f (by p)   z                   -scale (∂F/∂θ)/f

By `loc` they have the opposite sign of those by `x`, and that of a quantile is 1; `sf`, `logsf` and `isf`
have those of ``1 - F``. All of them are 0 outside of the support, from within at its ends, and NaN where
SciPy's result is.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import repeat
from typing import Any

import numpy as np

from chainrules.formulas.numbers.precision import as_precise
from chainrules.values.named_results import cotangents_of_results, tangent_of_results
from chainrules.values.operands import OperandInLists
from chainrules.values.several_arrays import array_of, cotangent_in_lists, tangent_as_array
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Thunk,
    define,
    not_implemented,
    primal_of,
    primitive,
    pull_partial,
    rule_maker,
    strong_product,
    sum_tangents,
    typeof_,
    unthunk,
    without_warnings,
)

# A function of ``z, *shapes``; the reason why there is none; or `None` for a shape that has no tangent.
Slope = Callable[..., Any] | str | None


# The arguments of methods that are not parameters.
_OPTIONS = {"moments", "size", "random_state"}


@dataclass(frozen=True)
class Family:
    """What is known of a distribution: functions of ``z, *shapes``.

    Attributes
    ----------
    score
        ``∂ log f/∂z``; `None` of a discrete distribution.
    scores
        By each shape ``∂ log f/∂θ``, or `None` where the shape is an integer.
    slopes
        By each shape ``∂F/∂θ``, or `None`. In the place of a function the reason may stand why there is
        none.
    log_below, log_above
        Where they are known, by each shape ``∂ log F/∂θ`` and ``∂ log (1 - F)/∂θ``, for tails that underflow.
    ends
        Where the support depends on the shapes: by each shape the derivative of an end of it, as a function
        of the probability below, which is 0 or 1, the end, and the shapes.
    within
        A point in the support, for the arguments that lie outside, or the function of the shapes that is one.
    densities
        Of a discrete distribution ``∂f/∂θ`` by each shape, or `None`.
    density
        Where SciPy's has few digits, the density in its place.
    is_periodic
        Whether the probability goes on to rise beyond 1, as that of an angle.
    is_inside
        Of a discrete distribution, whether its formulas hold on the support alone.
    """

    score: Any
    scores: tuple[Slope, ...] = ()
    slopes: tuple[Slope, ...] = ()
    densities: tuple[Slope, ...] = ()
    ends: tuple[Callable[..., Any], ...] = ()
    within: Any = 0.5
    log_below: tuple[Slope, ...] = ()
    log_above: tuple[Slope, ...] = ()
    density: Callable[..., Any] | None = None
    is_periodic: bool = False
    is_inside: bool = False


class Evaluation:
    """One call of a method: its result `y`, its arguments, and what its derivatives have in common."""

    def __init__(  # noqa: PLR0913, PLR0917 - those of a call, and of its method
        self,
        method: Callable[..., Any],
        family: Family,
        distribution: Any,
        args: Any,
        named: Any,
        count: int = 1,
    ) -> None:
        self.family, self.distribution = family, distribution
        args = tuple(array_of(x) if isinstance(x, list | tuple) else x for x in args)
        leading, rest = args[:count], args[count:]
        self.options = {name: x for name, x in named.items() if name in _OPTIONS}
        named = {name: x for name, x in named.items() if name not in self.options}
        parse = distribution._parse_args  # noqa: SLF001 - nothing else says in which order the shapes are
        self.shapes, self.loc, self.scale = parse(*rest, **named)
        self.y = self.call(method, *leading, **self.options)
        self.x = leading[0] if leading else self.loc
        of_y = (self.y or (0.0,))[0] if isinstance(self.y, tuple) else self.y
        # Sums of short integers wrap around, and logarithms of them have half precision, in SciPy's code too.
        self.x, self.loc, self.scale, *shapes = (
            as_precise(part, of_y) for part in (self.x, self.loc, self.scale, *self.shapes)
        )
        self.shapes = tuple(shapes)
        self.inside = np.True_

    def call(self, method: Callable[..., Any], *leading: Any, **options: Any) -> Any:
        """Another method of the same distribution."""
        scale = () if self.family.score is None else (self.scale,)
        return primitive(method)(self.distribution, *leading, *self.shapes, self.loc, *scale, **options)

    def keep(self, inside: Any) -> None:
        """Note where the result depends on its arguments; elsewhere it is constant or undefined."""
        if not inside.all():
            self.inside = inside

    def only_inside(self, partial: Any) -> Any:
        """A derivative, without what it would be elsewhere."""
        if self.inside is np.True_:
            return partial
        rest = np.where(np.isnan(primal_of(self.y)), np.nan, 0.0)
        return np.where(self.inside, partial, rest)

    @cached_property
    def z(self) -> Any:
        """The standardized variable."""
        return self.standardized(self.x)

    def standardized(self, x: Any) -> Any:
        """``(x - loc) / scale``, and some point of the support for the others."""
        z = self.standardized_everywhere(x)
        return z if self.inside is np.True_ else np.where(self.inside, z, self.within)

    def standardized_everywhere(self, x: Any) -> Any:
        """``(x - loc) / scale``."""
        return np.divide(np.subtract(x, self.loc), self.scale)

    @property
    def within(self) -> Any:
        """A point of the support."""
        point = self.family.within
        return point(*map(primal_of, self.shapes)) if callable(point) else point

    @cached_property
    def score(self) -> Any:
        """``∂ log f/∂z``."""
        return self.family.score(self.z, *self.shapes)


# By the place of an argument of `x, *shapes, loc, scale`, the derivative by it, or the reason why it is not
# known; `None` if there is none. Of several results, a tuple of such tuples.
Row = tuple[Callable[[], Any] | str | None, ...]
Partials = Callable[[Evaluation], Any]


@rule_maker
def distribution_rule(
    method: Callable[..., Any],
    owner: type,
    families: Mapping[type, Family],
    partials: Partials,
    count: int = 1,
) -> None:
    """Define both rules of a method, for distributions of some classes; others are differentiated as code.

    Parameters
    ----------
    method
        The function in the class of distributions.
    owner
        This class.
    families
        What is known of each distribution, by its class.
    partials
        The derivatives of the method.
    count
        How many arguments it has before the shapes, 0 or 1.
    """

    def distribution_frule(
        tangents: Any, f: typeof_(method), self: owner, *args: OperandInLists, **named: Any
    ) -> Any:
        family = families.get(type(self))
        if family is None or _has_option(self, args[count:]):
            return None
        at, own_dots = Evaluation(method, family, self, args, named, count), tangents[2:]
        if any(isinstance(x, list | tuple) for x in args):
            own_dots = [
                dot if isinstance(dot, AbstractZero) else tangent_as_array(x, dot)
                for x, dot in zip(args, own_dots, strict=False)
            ]
        rows = partials(at)
        if isinstance(at.y, tuple):
            dots = [_pushed(y, row, own_dots) for y, row in zip(at.y, rows, strict=True)]
            return at.y, tangent_of_results(at.y, *dots)
        return at.y, _pushed(at.y, rows, own_dots)

    def distribution_rrule(f: typeof_(method), self: owner, *args: OperandInLists, **named: Any) -> Any:
        family = families.get(type(self))
        if family is None or _has_option(self, args[count:]):
            return None
        at = Evaluation(method, family, self, args, named, count)

        def distribution_pullback(y_bar: Any) -> Any:
            rows = partials(at)
            if not isinstance(at.y, tuple):
                return NO_TANGENT, NO_TANGENT, *_pulled(rows, args, y_bar)
            bars = zip(*map(_pulled, rows, repeat(args), cotangents_of_results(at.y, y_bar)), strict=True)
            return NO_TANGENT, NO_TANGENT, *(Thunk(_total, parts) for parts in bars)

        return at.y, distribution_pullback

    for rule, mode in ((distribution_frule, "frule"), (distribution_rrule, "rrule")):
        rule.__name__ = rule.__qualname__ = f"{method.__name__}_{mode}"
    define(distribution_frule, distribution_rrule)


def _has_option(distribution: Any, parameters: Any) -> bool:
    """Whether more is given by position than the shapes, location and scale."""
    return bool(len(parameters) > distribution.numargs + 2)


def _pushed(y: Any, row: Row, dots: Any) -> Any:
    terms = [
        _push(partial, dot)
        for partial, dot in zip(row, dots, strict=False)
        if partial is not None and not isinstance(dot, AbstractZero)
    ]
    return sum_tangents(y, terms or [NO_TANGENT])


def _pulled(row: Row, args: Any, y_bar: Any) -> list[Any]:
    if isinstance(y_bar, AbstractZero):
        return [y_bar for _ in args]
    return [_pulled_later(partial, x, y_bar) for partial, x in zip(row, args, strict=False)]


def _total(bars: Any) -> Any:
    return reduce(operator.add, map(unthunk, bars))


def _pulled_later(partial: Callable[[], Any] | str | None, x: Any, y_bar: Any) -> Any:
    if partial is None:
        return NO_TANGENT
    return not_implemented(partial) if isinstance(partial, str) else Thunk(_pull, partial, x, y_bar)


def each(slopes: Sequence[Slope], evaluate: Callable[[Callable[..., Any]], Any]) -> list[Any]:
    """For each shape the function that evaluates its derivative, or the reason why it is not known."""
    return [(lambda slope=slope: evaluate(slope)) if callable(slope) else slope for slope in slopes]


@without_warnings
def _push(partial: Callable[[], Any] | str, x_dot: Any) -> Any:
    return not_implemented(partial) if isinstance(partial, str) else strong_product(partial(), x_dot)


@without_warnings
def _pull(partial: Callable[[], Any], x: Any, y_bar: Any) -> Any:
    if isinstance(x, list | tuple):
        return cotangent_in_lists(x, pull_partial(array_of(x), partial(), y_bar))
    return pull_partial(x, partial(), y_bar)
