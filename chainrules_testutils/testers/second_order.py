"""`order=2`: the derivatives of a rule itself, by tracing it with an AD system, against differences of it.

A pullback is a function of the arguments and of the cotangent; a pushforward is a function of the arguments
and of their tangents. An AD system that differentiates twice traces them, so the functions that they call
need rules too, and must not leave NumPy: `float(x)`, or a constant that was computed from an argument outside
of the traced part, gives wrong second derivatives or an error.

The derivatives are taken by, in this order: the arguments; the numbers and arrays in the cotangent or the
tangents; and the numbers and arrays that `f` itself holds: `f` is made anew with traced ones.
"""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from chainrules_core import (
    AbstractZero,
    NoTangent,
    NotImplementedTangent,
    StructuralTangent,
    backing,
    rrule_via_ad,
    unthunk_fully,
)
from chainrules_testutils.advice.report import short
from chainrules_testutils.comparing.purity import copied
from chainrules_testutils.testers.cotangent_checks import check_cotangents
from chainrules_testutils.testers.trial import AUTO, Options, Trial
from chainrules_testutils.values.parts import parts, with_parts
from chainrules_testutils.values.primal_and_tangent import PrimalAndTangent
from chainrules_testutils.values.rand_tangent import rand_tangent

_ANSWER = "The AD system's rrule_via_ad should return (y, pullback), not {}."


def tracing_config(options: Options) -> Any:
    """The configuration of the AD system that differentiates rules; `None` if nobody asked for second order.

    Raises
    ------
    ModuleNotFoundError
        If no configuration was given, and chainrules is not installed.
    """
    if options.order == 1 or options.second_order_via is not None:
        return options.second_order_via
    try:
        # By name: that package is for its users to install, and has tests that use this one.
        return importlib.import_module("chainrules.ad").ADConfig()
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "order=2 differentiates the rule with an AD system, by default that of the package chainrules, "
            "which is not installed. In a checkout: pip install ./chainrules_core ./chainrules. Or give the "
            "configuration of another AD system: second_order_via=YourConfig()."
        ) from error


def check_pullback(trial: Trial, config: Any, y_bar: Any) -> None:
    """Check the derivatives of ``rrule(f, *xs)[1](y_bar)`` with respect to `f`, `xs` and `y_bar`."""
    callee = trial.f, trial.tangents[0]

    def pulled_back(xs: Any, numbers: Iterator[Any]) -> Any:
        y_bar_of_numbers = _rebuilt(y_bar, numbers)
        _, pullback = trial.ask(config, _remade(*callee, numbers), *xs)
        return pullback(y_bar_of_numbers)

    given = tuple(_numbers(y_bar))
    _check_derivatives(trial, config, pulled_back, given, "derivative of the pullback")


def check_pushforward(trial: Trial, config: Any) -> None:
    """Check the derivatives of ``frule((f_dot, *x_dots), f, *xs)[1]`` with respect to all of these."""
    callee = trial.f, trial.tangents[0]

    def pushed_forward(xs: Any, numbers: Iterator[Any]) -> Any:
        tangents = tuple(_rebuilt(x_dot, numbers) for x_dot in trial.tangents)
        _, y_dot = trial.ask(config, tangents, _remade(*callee, numbers), *xs)
        return (y_dot,)

    given = tuple(number for x_dot in trial.tangents for number in _numbers(x_dot))
    _check_derivatives(trial, config, pushed_forward, given, "derivative of the pushforward")


def _check_derivatives(
    trial: Trial, config: Any, compute: Callable[..., Any], given: tuple[Any, ...], what: str
) -> None:
    """Check the derivatives of ``compute(xs, numbers)``, whose results are tangents.

    The numbers are those `given` with cotangents or tangents, in which it is linear, and those that the
    function holds.
    """
    xs = [
        PrimalAndTangent(x, x_dot if isinstance(x_dot, NoTangent) else rand_tangent(x, trial.options.rng))
        for x, x_dot in zip(trial.primals[1:], trial.tangents[1:], strict=True)
    ]

    # A default, since an AD system would look into captured variables for values to differentiate by.
    def function(*inputs: Any, compute: Callable[..., Any] = compute, n: int = len(xs)) -> tuple[Any, ...]:
        tangents = compute(inputs[:n], iter(inputs[n:]))
        return tuple(number for tangent in tangents for number in _numbers(tangent))

    with trial.errors_as_failures(what):
        options = replace(
            trial.options, rule=rrule_via_ad, config=config, fkwargs={}, output_tangent=AUTO, order=1
        )
        numbers = *given, *_held(trial.f, trial.tangents[0])
        inner = Trial("rrule", PrimalAndTangent(function, NoTangent()), (*xs, *numbers), options)
        inner.linear = range(1 + len(xs), 1 + len(xs) + len(given))
        if inner.y:
            answer = inner.call_rule(function, *copied(inner.primals[1:]))
            if not isinstance(answer, tuple) or len(answer) != 2:
                raise TypeError(_ANSWER.format(short(answer)))
            inner.compare(answer[0], inner.y, "value")
            y_bar = rand_tangent(inner.y, inner.options.rng)
            check_cotangents(inner, _masked(answer[1](y_bar), inner.tangents), y_bar)
        trial.merge(inner.report, what)


def _masked(cotangents: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, ...]:
    """The cotangents of the values to differentiate by; the AD system knows nothing of the others."""
    return tuple(
        tangent if isinstance(tangent, NoTangent) else cotangent
        for cotangent, tangent in zip(cotangents, tangents, strict=True)
    )


def _numbers(tangent: Any) -> Iterator[Any]:
    """The numbers and arrays in a tangent, through its structure; zeros are none."""
    tangent = unthunk_fully(tangent)
    if isinstance(tangent, StructuralTangent):
        fields = backing(tangent)
        for field in fields.values() if isinstance(fields, dict) else fields:
            yield from _numbers(field)
    elif not isinstance(tangent, AbstractZero | NotImplementedTangent):
        yield tangent


def _rebuilt(tangent: Any, numbers: Iterator[Any]) -> Any:
    """A tangent of the same structure with other numbers."""
    tangent = unthunk_fully(tangent)
    if isinstance(tangent, StructuralTangent):
        return StructuralTangent.map(tangent, lambda field: _rebuilt(field, numbers))
    return tangent if isinstance(tangent, AbstractZero | NotImplementedTangent) else next(numbers)


def _held(x: Any, x_dot: Any) -> Iterator[Any]:
    """The numbers and arrays in a value where its tangent has some."""
    if isinstance(x_dot, StructuralTangent):
        for name, part in parts(x).items():
            yield from _held(part, x_dot[name])
    elif not isinstance(x_dot, AbstractZero):
        yield x


def _remade(x: Any, x_dot: Any, numbers: Iterator[Any]) -> Any:
    """The value with other numbers and arrays in the places of the ones that `_held` finds."""
    if isinstance(x_dot, StructuralTangent):
        return with_parts(x, {name: _remade(part, x_dot[name], numbers) for name, part in parts(x).items()})
    return x if isinstance(x_dot, AbstractZero) else next(numbers)
