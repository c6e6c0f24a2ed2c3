"""Rules for moments and entropies of distributions.

By location and scale they are powers of these. By shapes they are means over the distribution, which
`chainrules/makers/distribution_summaries.py` integrates or sums. An AD system that calls back differentiates
SciPy's formula instead, where there is one that has the shape in it: it is quicker.
"""

import numpy as np
from scipy import stats

from chainrules.makers.distribution_methods import distribution_rule
from chainrules.makers.distribution_summaries import has_formula, slopes_of_entropy, slopes_of_mean
from chainrules.makers.known_discrete_distributions import FAMILIES as DISCRETE_FAMILIES
from chainrules.makers.known_distributions import FAMILIES
from chainrules.makers.versions import also_named
from chainrules.values.operands import Operand
from chainrules_core import (
    HasForwardsMode,
    HasReverseMode,
    RuleConfig,
    define,
    frule,
    primal_of,
    primitive,
    rrule,
    rule_maker,
    typeof_,
)

CONTINUOUS, DISCRETE = stats.rv_continuous, stats.rv_discrete

# --- The derivatives by shapes, location and scale ---------------------------------------------------------


def _standard(at, name, **options):
    """A summary at the location 0 and the scale 1, to broadcast with the places of an integral."""
    method = primitive(getattr(type(at.distribution), name))
    return np.expand_dims(method(at.distribution, *at.shapes, **options), -1)


def _times(factor, slopes):
    return [(lambda slope=slope: factor * slope()) if callable(slope) else slope for slope in slopes]


def _mean(at, y):
    z = (y - at.loc) / at.scale
    slopes = slopes_of_mean(at, z, lambda z, *_: z, lambda z, *_: np.ones_like(z))
    return *_times(at.scale, slopes), lambda: np.where(np.isnan(primal_of(y)), np.nan, 1.0), lambda: z


def _variance(at, y):
    m = _standard(at, "mean")
    squared = at.scale**2
    slopes = slopes_of_mean(at, y / squared, lambda z, *_: (z - m) ** 2, lambda z, *_: 2.0 * (z - m))
    return *_times(squared, slopes), None, lambda: 2.0 * y / at.scale


def _deviation(at, y):
    by_scale = y / at.scale
    m, d = _standard(at, "mean"), np.expand_dims(by_scale, -1)
    slopes = slopes_of_mean(
        at, 0.5 * by_scale, lambda z, *_: 0.5 * (z - m) ** 2 / d, lambda z, *_: (z - m) / d
    )
    return *_times(at.scale, slopes), None, lambda: by_scale


def _skewness(at, y):
    m, d, g = _standard(at, "mean"), _standard(at, "std"), np.expand_dims(y, -1)

    def statistic(z, *_):
        u = (z - m) / d
        return ((u - 1.5 * g) * u - 3.0) * u

    def change(z, *_):
        u = (z - m) / d
        return 3.0 * ((u - g) * u - 1.0) / d

    return *slopes_of_mean(at, -0.5 * y, statistic, change), None, None


def _excess(at, y):
    m, d, g = (
        _standard(at, "mean"),
        _standard(at, "std"),
        _standard(at, "stats", moments="s"),
    )
    k = np.expand_dims(y + 3.0, -1)

    def statistic(z, *_):
        u = (z - m) / d
        return ((u * u - 2.0 * k) * u - 4.0 * g) * u

    def change(z, *_):
        u = (z - m) / d
        return 4.0 * ((u * u - k) * u - g) / d

    return *slopes_of_mean(at, -(y + 3.0), statistic, change), None, None


def _moment(at, y):
    n = int(primal_of(at.x))
    loc, scale = np.expand_dims(at.loc, -1), np.expand_dims(at.scale, -1)

    def fewer():
        """``n E[x^(n - 1)]``."""
        return n * at.call(type(at.distribution).moment, max(n - 1, 0))

    slopes = slopes_of_mean(
        at,
        y,
        lambda z, *_: (loc + scale * z) ** n,
        lambda z, *_: n * scale * (loc + scale * z) ** max(n - 1, 0),
    )
    return None, *slopes, fewer, lambda: (n * y - at.loc * fewer()) / at.scale


def _entropy(at, y):
    slopes = slopes_of_entropy(at, y - np.log(at.scale))
    return *slopes, None, lambda: 1.0 / at.scale


def _several(at, y):
    """Those of `stats`, each of which stands for a letter."""
    parts = {"m": _mean, "v": _variance, "s": _skewness, "k": _excess}
    wanted = at.options.get("moments", "mv")
    letters = [letter for letter in parts if letter in wanted]
    rows = [parts[x](at, part) for x, part in zip(letters, y if isinstance(y, tuple) else (y,), strict=True)]
    return rows if isinstance(y, tuple) else rows[0]


def _of_result(row):
    return lambda at: row(at, at.y)


# --- The rules ---------------------------------------------------------------------------------------------


@rule_maker
def _followed(name, owner, count):
    """Leave a call to SciPy's formula, of an AD system that calls back."""
    method = getattr(owner, name)

    def order_of(args, named):
        """The moments that the call needs, or `None` for the entropy."""
        if name == "entropy":
            return None
        if name == "moment":
            return range(1, int(primal_of(args[0])) + 1)
        letters = {"mean": "m", "stats": named.get("moments", "mv")}.get(name, "v")
        return range(1, max(map(" mvsk".index, letters), default=0) + 1)

    def followed_frule(
        config: RuleConfig[HasForwardsMode],
        tangents,
        f: typeof_(method),
        self: owner,
        *args: Operand,
        **named,
    ):
        if has_formula(self, order_of(args, named), args[count:], named):
            return None
        return frule(tangents, f, self, *args, **named)

    def followed_rrule(
        config: RuleConfig[HasReverseMode], f: typeof_(method), self: owner, *args: Operand, **named
    ):
        if has_formula(self, order_of(args, named), args[count:], named):
            return None
        return rrule(f, self, *args, **named)

    define(followed_frule, followed_rrule)


for _name, _row, _count in (
    ("mean", _mean, 0),
    ("var", _variance, 0),
    ("std", _deviation, 0),
    ("stats", _several, 0),
    ("entropy", _entropy, 0),
    ("moment", _moment, 1),
):
    also_named(f"rv_discrete.{_name}")  # since SciPy 1.18
    for _owner, _families in ((CONTINUOUS, FAMILIES), (DISCRETE, DISCRETE_FAMILIES)):
        _method = getattr(_owner, _name)
        distribution_rule(_method, _owner, _families, _of_result(_row), _count)
        _followed(_name, _owner, _count)
