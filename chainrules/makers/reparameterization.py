"""Rules for random samples that vary smoothly with the parameters of their distribution.

A sample is a function ``y = g(e, parameters)`` of noise `e` whose distribution has no parameters. For given
noise it has a derivative, and the mean of that derivative is the derivative of the mean: D. P. Kingma and
M. Welling, "Auto-encoding variational Bayes", 2014, section 2.4. A rule draws the noise that the primal would
have drawn, and makes the same sample of it; so a scale of zero is no trouble, and the sample may itself be
differentiated.

Where the number of draws or the choice between branches depends on a parameter, as where candidates are
rejected, the derivative for given noise has another mean. It is `not_implemented` then, rather than wrong.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from chainrules.values.reductions import shape_of
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    ZeroTangent,
    define,
    describe_callee,
    not_implemented,
    primal_of,
    primitive,
    pull_partial,
    rule_maker,
    strong_product,
    sum_tangents,
    typeof_,
)


class Family(NamedTuple):
    """A family of distributions.

    Attributes
    ----------
    read
        A function of the primal's arguments after the generator; it returns the parameters and the size.
    noise
        ``noise(generator, size, *parameters)`` draws `e`. It gets the parameters for those that have no
        derivative.
    sample
        ``y = sample(e, *parameters)`` makes the sample.
    partials
        For each parameter, its partial derivative as a function ``partial(y, e, *parameters)``, or the reason
        why there is none.
    """

    read: Callable[..., tuple[tuple[Any, ...], Any]]
    noise: Callable[..., Any]
    sample: Callable[..., Any]
    partials: tuple[Callable[..., Any] | str, ...]


@rule_maker
def sampling_rule(
    primal: Callable[..., Any], owner: type, family: Family, check: Callable[..., None] | None = None
) -> None:
    """Define the rules of a method that draws a sample.

    Parameters
    ----------
    primal
        The method of the class, ``y = primal(generator, *parameters, size)``.
    owner
        The class of the generators.
    family
        How its samples are made.
    check
        Raises the primal's errors, given the generator, the parameters and the shape of the sample.
    """
    name = describe_callee(primal)
    partials = [f"{name}: {d}" if isinstance(d, str) else d for d in family.partials]

    def draw(rng: Any, options: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Any, tuple[Any, ...]]:
        parameters, size = family.read(*options, **named)
        shapes = set(map(shape_of, parameters))
        shape = shapes.pop() if len(shapes) == 1 else np.broadcast_shapes(*shapes)
        if check is not None:
            check(rng, tuple(map(primal_of, parameters)), shape if size is None else size)
        e = family.noise(rng, shape or None if size is None else size, *map(primal_of, parameters))
        if isinstance(e, float):
            e = np.float64(e)  # which a parameter in single precision does not narrow
        return family.sample(e, *parameters), e, parameters

    def sample_frule(
        tangents: Any, f: typeof_(primal), rng: owner, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        y, e, parameters = draw(rng, options, named)
        terms = [
            _push_parameter(partial, (y, e, *parameters), dot)
            for partial, dot in zip(partials, tangents[2:], strict=False)
            if not isinstance(dot, AbstractZero)
        ]
        return y, sum_tangents(y, terms) if terms else ZeroTangent()

    def sample_rrule(f: typeof_(primal), rng: owner, *options: Any, **named: Any) -> tuple[Any, Any]:
        y, e, parameters = draw(rng, options, named)
        given = list(zip(partials, parameters, strict=True))[: len(options)]
        without_tangents = (NO_TANGENT,) * (len(options) - len(given))

        def sample_pullback(y_bar: Any) -> Any:
            bars = (_pull_parameter(partial, (y, e, *parameters), x, y_bar) for partial, x in given)
            return NO_TANGENT, NO_TANGENT, *bars, *without_tangents

        return y, sample_pullback

    define(sample_frule, sample_rrule)


def _push_parameter(partial: Callable[..., Any] | str, values: tuple[Any, ...], x_dot: Any) -> Any:
    return not_implemented(partial) if isinstance(partial, str) else strong_product(partial(*values), x_dot)


def _pull_parameter(partial: Callable[..., Any] | str, values: tuple[Any, ...], x: Any, y_bar: Any) -> Any:
    return not_implemented(partial) if isinstance(partial, str) else pull_partial(x, partial(*values), y_bar)


@rule_maker
def not_reparameterized(primal: Callable[..., Any], owner: type, why: str) -> None:
    """Define the rules of a method whose samples have no derivative by parameters that could be given here.

    The cotangent of every argument is `not_implemented(why)`, which raises where it is needed.
    """
    why = f"{describe_callee(primal)}: {why}"
    draw = primitive(primal)  # in higher orders a parameter may be traced

    def sample_frule(
        tangents: Any, f: typeof_(primal), rng: owner, *options: Any, **named: Any
    ) -> tuple[Any, Any]:
        y = draw(rng, *options, **named)
        is_constant = all(isinstance(dot, AbstractZero) for dot in tangents[2:])
        return y, ZeroTangent() if is_constant else not_implemented(why)

    def sample_rrule(f: typeof_(primal), rng: owner, *options: Any, **named: Any) -> tuple[Any, Any]:
        def sample_pullback(y_bar: Any) -> Any:
            return NO_TANGENT, NO_TANGENT, *(not_implemented(why) for _ in options)

        return draw(rng, *options, **named), sample_pullback

    define(sample_frule, sample_rrule)
