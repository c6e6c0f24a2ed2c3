"""Calls as every framework can take them: functions from arrays to arrays, with derivatives of every order.

A framework knows tensors, and nothing of the containers, strings and objects of a call. A `FlatCall` holds
those of one call and maps a list of arrays to a list of arrays. So do its pullback and its pushforward,
`PullbackOf` and `PushforwardOf`; `chainrules.ad` differentiates these in their turn, so that one rule serves
all orders.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from chainrules.ad import call, jvp, vjp
from chainrules.ad.calls.mutation import MutationGuard
from chainrules.ad.calls.rule_answers import wrong_answer, wrong_number_of_cotangents
from chainrules.ad.modes.nested_rules import nested_rule
from chainrules.ad.modes.nodes import evaluated
from chainrules.ad.values.binding import Bound
from chainrules.ad.values.config import CONFIG, ADConfig
from chainrules.ad.watching.observing import observers
from chainrules.adapters.holes import Holes, components, filled, structural_tangent
from chainrules.adapters.results import taken_apart
from chainrules_core import (
    ZERO_TANGENT,
    AbstractZero,
    DimensionMismatchError,
    ProjectTo,
    debug_mode,
    describe_callee,
    frule,
    primal_of,
    rrule,
)

Pullback = Callable[[Sequence[Any]], list[Any]]


class Outcome(NamedTuple):
    """What a call returned.

    Attributes
    ----------
    arrays
        The numbers and arrays in it.
    template, holes
        Its containers, with nothing in the places of these, and where they were.
    """

    arrays: list[Any]
    template: Any
    holes: Holes

    def filled(self, values: Sequence[Any]) -> Any:
        """The containers with other things in the places of the numbers and arrays."""
        return filled(self.template, self.holes, values)


class FlatFunction(ABC):
    """A function from arrays to arrays: its methods take one array or number for each place."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name by which frameworks and errors call it."""

    @abstractmethod
    def value(self, arrays: Sequence[Any]) -> Outcome:
        """The result."""

    def traced_value(self, arrays: Sequence[Any]) -> Outcome:
        """The result, where `chainrules.ad` traces some of the arrays."""
        return self.value(arrays)

    def pull(self, arrays: Sequence[Any], wanted: Sequence[int]) -> tuple[Outcome, Pullback]:
        """The result, and a function that pulls cotangents of it back to the arrays at wanted places.

        The pullback takes a cotangent or a zero for each array of the result. Its answer has a cotangent or a
        zero for each wanted place, with the shape and dtype of the array there. It may be called again.
        """
        outcomes: list[Outcome] = []

        def of_wanted(*traced: Any) -> list[Any]:
            outcomes.append(self.traced_value(_replaced(arrays, wanted, traced)))
            return outcomes[0].arrays

        ys, pullback = vjp(of_wanted, *(arrays[place] for place in wanted))
        return outcomes[0]._replace(arrays=ys), lambda y_bars: list(pullback(list(y_bars)))

    def push(self, arrays: Sequence[Any], x_dots: Sequence[Any]) -> tuple[Outcome, list[Any]]:
        """The result, and a tangent or a zero for each array of it, along tangents or zeros of the arrays."""
        moving = [place for place, x_dot in enumerate(x_dots) if not isinstance(x_dot, AbstractZero)]
        outcomes: list[Outcome] = []

        def of_moving(*traced: Any) -> list[Any]:
            outcomes.append(self.traced_value(_replaced(arrays, moving, traced)))
            return outcomes[0].arrays

        ys, y_dots = jvp(of_moving, [arrays[place] for place in moving], [x_dots[place] for place in moving])
        return outcomes[0]._replace(arrays=ys), y_dots


@dataclass(eq=False)  # not frozen, which takes longer to make
class FlatCall(FlatFunction):
    """One call of a function, as a function of the tensors in its arguments and in the function itself.

    Attributes
    ----------
    f, args, kwargs
        The call, without the tensors.
    holes
        Where these were, in the tuple of the three.
    closure
        `f` with the variables that it closed over when it was called, if it is a closure: it is called again
        later, when they may have been assigned to.
    """

    f: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    holes: Any
    closure: Bound | None = field(default=None, kw_only=True)

    @property
    def name(self) -> str:  # noqa: D102 - as in the base class
        return describe_callee(self.f)

    def value(self, arrays: Sequence[Any]) -> Outcome:  # noqa: D102 - as in the base class
        f, args, kwargs = self._filled(arrays)
        return self._outcome(f(*args, **kwargs))

    def traced_value(self, arrays: Sequence[Any]) -> Outcome:  # noqa: D102 - as in the base class
        f, args, kwargs = self._filled(arrays)
        return self._outcome(call(f, *args, **kwargs))

    def pull(self, arrays: Sequence[Any], wanted: Sequence[int]) -> tuple[Outcome, Pullback]:
        """As of any flat function; by the rule of the call itself, where there is one.

        Its thunks are computed for wanted places only, and nothing is traced.
        """
        f, args, kwargs = self._filled(arrays)
        answer = None if 2 in self.holes else rule_answer(f, args, kwargs)
        if answer is None:
            return super().pull(arrays, wanted)
        return self.pulled_by_rule(answer, f, args, arrays, wanted)

    def pulled_by_rule(
        self, answer: Any, f: Any, args: tuple[Any, ...], arrays: Sequence[Any], wanted: Sequence[int]
    ) -> tuple[Outcome, Pullback]:
        """The result and the pullback, from the answer of the rule of the call."""
        y, rule_pullback = _pair(rrule, (f, *args), answer)
        outcome = self._outcome(y)
        template, holes = outcome.template, outcome.holes
        projections = [ProjectTo(arrays[place]) for place in wanted]

        def pullback(y_bars: Sequence[Any]) -> list[Any]:
            x_bars = rule_pullback(structural_tangent(template, holes, y_bars))
            if not isinstance(x_bars, tuple | list) or len(x_bars) != 1 + len(args):
                raise wrong_cotangents(f, args, x_bars)
            parts = self._parts(x_bars, wanted)
            return [projected(project, part) for project, part in zip(projections, parts, strict=True)]

        return outcome, pullback

    def push(self, arrays: Sequence[Any], x_dots: Sequence[Any]) -> tuple[Outcome, list[Any]]:
        """As of any flat function; by the rule of the call itself, where there is one."""
        f, args, kwargs = self._filled(arrays)
        tangents = self._tangents(x_dots)
        rule = nested_rule(frule, f, args, kwargs, (tangents,)) or partial(frule, CONFIG)
        answer = None if 2 in self.holes else rule(tangents, f, *args, **kwargs)
        if answer is None:
            return super().push(arrays, x_dots)
        y, y_dot = _pair(frule, (tangents, f, *args), answer)
        outcome = self._outcome(y)
        found = dict(components(y_dot, outcome.holes, range(len(outcome.arrays))))
        return outcome, [projected(ProjectTo(x), found[place]) for place, x in enumerate(outcome.arrays)]

    def _tangents(self, x_dots: Sequence[Any]) -> tuple[Any, ...]:
        """The tangents of the function and of its positional arguments."""
        holes = self.holes.get(1, {})
        return (
            structural_tangent(self.f, self.holes.get(0), x_dots),
            *(structural_tangent(x, holes.get(place), x_dots) for place, x in enumerate(self.args)),
        )

    def _filled(self, arrays: Sequence[Any]) -> Any:
        return filled((self._callee(), self.args, self.kwargs), self.holes, arrays)

    def _callee(self) -> Any:
        return self.f if self.closure is None else self.closure.current()

    def _parts(self, x_bars: Sequence[Any], wanted: Sequence[int]) -> list[Any]:
        """The cotangents of tensors at wanted places, of those of the function and its arguments."""
        f_bar, *arg_bars = x_bars
        found = dict(components((f_bar, arg_bars), self.holes, wanted))
        return [found[place] for place in wanted]

    def _outcome(self, y: Any) -> Outcome:
        return Outcome(*taken_apart(self.f, y))


@dataclass(frozen=True, eq=False)
class PullbackOf(FlatFunction):
    """The pullback of a flat function, from its arrays and the cotangents that are no zeros.

    Attributes
    ----------
    function
        The flat function.
    wanted
        The places of the arrays to pull back to: the result has one cotangent for each.
    given
        Whether there is a cotangent, for each array of the result of `function`.
    """

    function: FlatFunction
    wanted: tuple[int, ...]
    given: tuple[bool, ...]

    @property
    def name(self) -> str:  # noqa: D102 - as in the base class
        return f"pullback of {self.function.name}"

    def value(self, arrays: Sequence[Any]) -> Outcome:  # noqa: D102 - as in the base class
        count = len(arrays) - sum(self.given)
        primals, y_bars = arrays[:count], _with_zeros(arrays[count:], self.given)
        outcome, pullback = self.function.pull(primals, self.wanted)
        _check_shapes(self, outcome.arrays, y_bars)
        x_bars = pullback(y_bars)
        return _all_of(
            [_dense(x_bar, primals[place]) for x_bar, place in zip(x_bars, self.wanted, strict=True)]
        )


@dataclass(frozen=True, eq=False)
class PushforwardOf(FlatFunction):
    """The pushforward of a flat function, from its arrays and the tangents that are no zeros.

    Attributes
    ----------
    function
        The flat function.
    given
        Whether there is a tangent, for each of its arrays.
    """

    function: FlatFunction
    given: tuple[bool, ...]

    @property
    def name(self) -> str:  # noqa: D102 - as in the base class
        return f"pushforward of {self.function.name}"

    def value(self, arrays: Sequence[Any]) -> Outcome:  # noqa: D102 - as in the base class
        count = len(self.given)
        x_dots = _with_zeros(arrays[count:], self.given)
        _check_shapes(self, arrays[:count], x_dots)
        outcome, y_dots = self.function.push(arrays[:count], x_dots)
        return _all_of([_dense(y_dot, y) for y_dot, y in zip(y_dots, outcome.arrays, strict=True)])


def _all_of(arrays: list[Any]) -> Outcome:
    return Outcome(arrays, [None] * len(arrays), {place: place for place in range(len(arrays))})


def _replaced(arrays: Sequence[Any], places: Sequence[int], others: Sequence[Any]) -> list[Any]:
    replaced = list(arrays)
    for place, other in zip(places, others, strict=True):
        replaced[place] = other
    return replaced


def _with_zeros(tangents: Sequence[Any], given: Sequence[bool]) -> list[Any]:
    rest = iter(tangents)
    return [next(rest) if is_given else ZERO_TANGENT for is_given in given]


def rule_answer(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The answer of the rule of a call; at once, if the rule has served arguments of these types before.

    As in `chainrules.ad`, debug mode and whoever looks on stand between, and in a rule of the user's that is
    given traced values calls ask for rules, too.
    """
    looking_on = (MutationGuard(), *observers()) if debug_mode() else observers()
    if looking_on:
        observed: Any = nested_rule(rrule, f, args, kwargs) or partial(rrule, CONFIG)
        for observer in looking_on:
            observed = observer.observed_rrule(observed)
        return observed(f, *args, **kwargs)
    key = (f, *[x.__class__ for x in args])
    try:
        rule = None if kwargs else rrule.remembered((ADConfig, *key))
    except TypeError:  # `f` is not hashable
        rule = None
    if rule is None:  # as it is for traced values
        return (nested_rule(rrule, f, args, kwargs) or partial(rrule, CONFIG))(f, *args, **kwargs)
    return rrule.checked(rule(f, *args), key)


def wrong_cotangents(f: Any, args: tuple[Any, ...], x_bars: Any) -> Exception:
    """The error for a pullback without one cotangent for the function, and one for each argument."""
    _, pullback = rrule.unchecked(CONFIG, f, *args)  # the rule's own, whose name and place the message gives
    return wrong_number_of_cotangents(pullback, (f, *args), x_bars)


def _pair(rules: Any, args: tuple[Any, ...], answer: Any) -> Any:
    if not isinstance(answer, tuple) or len(answer) != 2:
        raise wrong_answer(rules, args, answer)
    return answer


def projected(project: Any, x_bar: Any) -> Any:
    """A cotangent in the tangent space of its primal; a zero as it is."""
    x_bar = evaluated(x_bar)
    return x_bar if isinstance(x_bar, AbstractZero) else project(x_bar)


def _dense(tangent: Any, x: Any) -> Any:
    """A tangent as an array: zeros like `x` for a zero; a derivative of an integer is one of real numbers."""
    if not isinstance(tangent, AbstractZero):
        return tangent
    return np.zeros_like(x, dtype=None if np.asarray(primal_of(x)).dtype.kind in "fc" else float)


def _check_shapes(function: FlatFunction, xs: Sequence[Any], tangents: Sequence[Any]) -> None:
    """Refuse a tangent of another shape, with which a rule might broadcast."""
    for x, tangent in zip(xs, tangents, strict=True):
        if not isinstance(tangent, AbstractZero) and np.shape(tangent) != np.shape(x):
            raise DimensionMismatchError(
                f"{function.name}: an array of shape {np.shape(x)} was given a tangent of shape "
                f"{np.shape(tangent)}."
            )
