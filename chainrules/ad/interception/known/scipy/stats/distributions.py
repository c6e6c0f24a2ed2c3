"""Distributions of SciPy, which is not imported: the functions are known by their names."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.entering import entered, entered_if_traced, is_to_be_followed
from chainrules.ad.interception.choosing.ruled_calls import ruled
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.facts import fact
from chainrules.operations.unknown_slopes import given_slope, unknown_slope
from chainrules_core import primal_of

_OWNER = "scipy.stats._distn_infrastructure"

# --- Distributions that hold their parameters: `norm(mu, s)` -----------------------------------------------
#
# SciPy's constructor makes a distribution of its own for them, of text that it executes and formats. It is
# called with the values of the parameters, and what it has made is given those that are traced.


def _of_distribution(method: Any) -> Callable[..., Any]:
    followed = entered_if_traced(method)

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        parameters = *args, *kwargs.values()
        # Of a class of the user's, or with traced values in lists.
        if is_to_be_followed(self) or any(x.__class__ not in TRACED and is_traced(x) for x in parameters):
            return followed(self, *args, **kwargs)
        values = {name: primal_of(x) for name, x in kwargs.items()}
        frozen = method(self, *map(primal_of, args), **values)
        if any(x.__class__ in TRACED for x in parameters):
            frozen.args, frozen.kwds = args, kwargs
            shapes, _, _ = frozen.dist._parse_args(*args, **kwargs)
            if any(x.__class__ in TRACED for x in shapes):
                support = type(self)._get_support
                frozen.a, frozen.b = entered_if_traced(support)(self, *shapes)
        return frozen

    return call


fact(f"{_OWNER}.rv_generic.freeze", f"{_OWNER}.rv_generic.__call__", wrapped=_of_distribution)

# --- Stable distributions with shapes for which there is a closed formula ----------------------------------
#
# The formulas of the normal distribution and of those of Cauchy and Lévy do not contain the shapes:
# derivatives by these would be 0. Here they are NaN; those by the variable are right. For other shapes SciPy
# integrates, which is an error.


def _of_one_point(function: Any) -> Callable[..., Any]:
    followed = entered_if_traced(function)

    def call(x: Any, alpha: Any, beta: Any, **kwargs: Any) -> Any:
        y = followed(x, primal_of(alpha), primal_of(beta), **kwargs)
        return y + unknown_slope(alpha) + unknown_slope(beta)

    return call


fact(
    *(f"scipy.stats._levy_stable._{name}_single_value_piecewise_Z0" for name in ("pdf", "cdf")),
    wrapped=_of_one_point,
)


# --- Parameters by keyword: `norm.logpdf(x, loc=mu, scale=s)` ----------------------------------------------
#
# Rules have no derivatives for keywords, and the signature of these methods does not say where they belong:
# the distribution does. Made positional, they reach the rule, which is quicker than the method's own code.

_PROBABILITIES = ("cdf", "sf", "logcdf", "logsf")


_OPTIONS = ("moments", "size", "random_state")


def _by_position(count: int) -> Callable[[Any], Callable[..., Any]]:
    """For methods with so many arguments before the shapes."""

    def wrapped(method: Any) -> Callable[..., Any]:
        call_by_rule = ruled(method, entered_if_traced(method))

        def call(*args: Any, **kwargs: Any) -> Any:
            if len(args) > count and any(map(is_traced, kwargs.values())):
                distribution, *given = args
                options = {name: kwargs.pop(name) for name in _OPTIONS if name in kwargs}
                shapes, loc, scale = distribution._parse_args(*given[count:], **kwargs)
                parameters = (*shapes, loc) if hasattr(distribution, "pmf") else (*shapes, loc, scale)
                return call_by_rule(distribution, *given[:count], *parameters, **options)
            return call_by_rule(*args, **kwargs)

        return call

    return wrapped


_SUMMARIES = ("mean", "var", "std", "stats", "entropy", "median", "support", "rvs")
# Some versions of SciPy have summaries of their own for discrete distributions.
_OWNERS = ("rv_generic", "rv_continuous", "rv_discrete")

fact(
    *(f"{_OWNER}.rv_continuous.{name}" for name in ("pdf", "logpdf", "ppf", "isf", *_PROBABILITIES)),
    *(f"{_OWNER}.rv_discrete.{name}" for name in ("pmf", "logpmf", *_PROBABILITIES)),
    *(f"{_OWNER}.{owner}.{name}" for owner in _OWNERS for name in ("moment", "interval")),
    wrapped=_by_position(1),
)
fact(*(f"{_OWNER}.{owner}.{name}" for owner in _OWNERS for name in _SUMMARIES), wrapped=_by_position(0))

# --- Classes made of a distribution: `make_distribution(gamma)` --------------------------------------------
#
# SciPy calls the private formula of the density. The derivative of that is ``0 · ∞`` at an end of the support
# where the density is 0. The public method has a rule, which is one-sided there.


# (The class that has the method depends on the version.)
_MADE = "UnivariateDistribution", "ContinuousDistribution"


def _density_of_made_class(name: str) -> Callable[[Any], Callable[..., Any]]:
    """For the density or its logarithm, by name, what makes the function for the place of its dispatch."""

    def wrapped(dispatch: Any) -> Callable[..., Any]:
        followed = entered_if_traced(dispatch)

        def call(self: Any, x: Any, *, method: Any = None, **parameters: Any) -> Any:
            # Not each has a formula for the logarithm.
            formulas = [getattr(self, f"_{kind}_formula") for kind in (name, "pdf")[: 1 + (method is None)]]
            distribution: Any = next(
                (f.__self__ for f in formulas if hasattr(f.__self__, "_parse_args")), None
            )
            if method in {None, "formula"} and distribution is not None:
                return _by_position(1)(getattr(distribution.__class__, name))(distribution, x, **parameters)
            return followed(self, x, method=method, **parameters)

        return call

    return wrapped


for _name in ("pdf", "logpdf"):
    fact(
        *(f"scipy.stats._distribution_infrastructure.{owner}._{_name}_dispatch" for owner in _MADE),
        wrapped=_density_of_made_class(_name),
    )

# --- Newer classes at an end of the support: `Uniform(a=0.0, b=1.0).cdf(1.0)` --------------------------
#
# At an end of the support and beyond SciPy writes 0 and 1 as probabilities, and the ends as quantiles of 0
# and 1. The derivative at the end is that from within: the density, or its reciprocal.

_PROBABILITIES_RISE = {"_cdf1": (1, 1), "_ccdf1": (-1, -1), "_logcdf1": (0, 1), "_logccdf1": (-1, 0)}
_QUANTILES_RISE = {"icdf": (1, 1), "iccdf": (-1, -1), "ilogcdf": (0, 1), "ilogccdf": (0, -1)}


def _one_sided(rises: tuple[int, int], ends: tuple[float, float] | None = None) -> Callable[[Any], Any]:
    """For whether a function rises at both ends what makes that for its place.

    Probabilities are functions of the support, quantiles of numbers between two `ends`.
    """

    def wrapped(method: Any) -> Callable[..., Any]:
        followed = entered(method) or method

        def call(self: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
            y = followed(self, x, *args, **kwargs)
            if any(base.__name__ == "DiscreteDistribution" for base in type(self).__mro__):
                return y
            for end, rise in zip(ends or choose(self.support)(), rises, strict=True):
                is_end = np.equal(primal_of(x), primal_of(end))
                if rise and np.any(is_end):
                    point = y if ends else np.broadcast_to(x + 0.0, np.shape(y))
                    density = choose(self._pdf_dispatch)(point, **self._parameters)
                    with np.errstate(divide="ignore"):
                        slope = rise / density if ends else rise * density
                    y = y + np.where(is_end, given_slope(np.broadcast_to(x - end, np.shape(y)), slope), 0.0)
            return y

        return entered_if_traced(method, call)

    return wrapped


for _name, _rises in (_PROBABILITIES_RISE | _QUANTILES_RISE).items():
    _ends = ((-np.inf, 0.0) if "log" in _name else (0.0, 1.0)) if _name in _QUANTILES_RISE else None
    fact(
        *(f"scipy.stats._distribution_infrastructure.{owner}.{_name}" for owner in _MADE),
        wrapped=_one_sided(_rises, _ends),
    )
