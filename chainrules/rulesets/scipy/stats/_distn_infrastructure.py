"""Rules for frozen distributions, like `scipy.stats.norm(1.0, 2.0)`, which hold their parameters.

A method is the one of the distribution, called with these parameters, and has its rule. The tangent of a
frozen distribution has those of the parameters, under the names `args` and `kwds` of its attributes. Where
they are traced, SciPy's code is differentiated.
"""

from typing import Any

from scipy import stats

from chainrules.values.operands import Operand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ProjectTo,
    Tangent,
    Thunk,
    define,
    frule,
    primal_of,
    rrule,
    rule_maker,
    typeof_,
    unthunk,
)

CONTINUOUS, DISCRETE = type(stats.norm()), type(stats.poisson(1.0))
FROZEN = CONTINUOUS.__base__
# The arguments of methods that are given by name.
OPTIONS = {"moments", "size", "random_state"}


def _parameters(frozen):
    """The parameters in the order of a method's arguments, and their names."""
    instance = frozen.dist
    shapes, loc, scale = instance._parse_args(*frozen.args, **frozen.kwds)  # noqa: SLF001 - nothing else orders them
    names = [name.strip() for name in (instance.shapes or "").split(",") if name.strip()]
    if isinstance(frozen, CONTINUOUS):
        return (*shapes, loc, scale), (*names, "loc", "scale")
    return (*shapes, loc), (*names, "loc")


def _instance(frozen):
    return frozen.dist


def _by_name(name, x, named):
    """The arguments of a method: `x` by position, and options, those of a sample too, by name."""
    return ((), dict(zip(("size", "random_state"), x, strict=False)) | named) if name == "rvs" else (x, named)


def _is_traced(frozen):
    return any(primal_of(x) is not x for x in (*frozen.args, *frozen.kwds.values()))


def _dots(frozen, frozen_dot, names):
    """The tangents of the parameters; 0 of those that are not given."""
    if isinstance(frozen_dot, AbstractZero):
        return [NO_TANGENT] * len(names)
    args_dot, kwds_dot = frozen_dot.args, frozen_dot.kwds
    given = [] if isinstance(args_dot, AbstractZero) else list(args_dot)
    by_name = {} if isinstance(kwds_dot, AbstractZero) else {x: kwds_dot[x] for x in frozen.kwds}
    return [
        given[place] if place < len(given) else by_name.get(name, NO_TANGENT)
        for place, name in enumerate(names)
    ]


def _cotangent(frozen, names, bars):
    by_name = dict(zip(names, bars, strict=True))
    args = [ProjectTo(x)(unthunk(bar)) for x, bar in zip(frozen.args, bars, strict=False)]
    kwds = {name: ProjectTo(x)(unthunk(by_name[name])) for name, x in frozen.kwds.items()}
    kind: Any = Tangent[type(frozen)]  # type: ignore[misc]  # made at run time
    return kind(args=Tangent[tuple](*args), kwds=Tangent[dict](kwds))


@rule_maker
def _rules(owner, name):
    """Define the rules of a method of frozen distributions."""
    method = getattr(owner, name)

    def frozen_frule(tangents, f: typeof_(method), self: owner, *x: Operand, **named):
        if _is_traced(self) or not named.keys() <= OPTIONS:
            return None
        parameters, names = _parameters(self)
        dots = _dots(self, tangents[1], names)
        instance = _instance(self)
        x, named = _by_name(name, x, named)
        dots = NO_TANGENT, NO_TANGENT, *tangents[2 : 2 + len(x)], *dots
        return frule(dots, getattr(type(instance), name), instance, *x, *parameters, **named)

    def frozen_rrule(f: typeof_(method), self: owner, *x: Operand, **named):
        if _is_traced(self) or not named.keys() <= OPTIONS:
            return None
        parameters, names = _parameters(self)
        instance = _instance(self)
        given, named = _by_name(name, x, named)
        answer = rrule(getattr(type(instance), name), instance, *given, *parameters, **named)
        if answer is None:
            return None
        y, pullback = answer

        def frozen_pullback(y_bar):
            bars = pullback(y_bar)[2:]
            of_x = *bars[: len(given)], *[NO_TANGENT] * (len(x) - len(given))
            return NO_TANGENT, Thunk(_cotangent, self, names, bars[len(given) :]), *of_x

        return y, frozen_pullback

    define(frozen_frule, frozen_rrule)


for _name in ("pdf", "logpdf"):
    _rules(CONTINUOUS, _name)
for _name in ("pmf", "logpmf"):
    _rules(DISCRETE, _name)
for _name in (
    *("cdf", "sf", "logcdf", "logsf", "ppf", "isf"),
    *("mean", "var", "std", "stats", "moment", "entropy", "median", "interval", "support", "rvs"),
):
    _rules(FROZEN, _name)
