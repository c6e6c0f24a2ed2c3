"""The cost of looking a rule up, beside plum."""

from collections.abc import Callable, Iterator
from typing import Any

import plum

from benchmarks.measure import Row, beyond, fastest, fastest_once
from chainrules_core import NoTangent, typeof_
from chainrules_core.dispatch.rule_method import Mode
from chainrules_core.dispatch.rules import FRule, RRule

MANY = 10_000


def primal(x: float) -> float:
    return 2 * x


def neighbour(values: tuple[int, ...]) -> tuple[int, ...]:
    return values


def written_rrule(f: Any, x: float) -> Any:
    def primal_pullback(y_bar: float) -> Any:
        return None, 2 * y_bar

    return 2 * x, primal_pullback


def written_frule(tangents: Any, f: Any, x: float) -> Any:
    return 2 * x, 2 * tangents[1]


def with_rules(number: int, *, unfaithful: bool = False) -> RRule:
    """An `rrule` of its own, with a rule for `primal` and so many rules for other functions."""
    rrule = RRule(Mode("rrule"))
    register_rules(rrule, number - 1)

    @rrule.dispatch
    def primal_rrule(f: typeof_(primal), x: float) -> Any:  # type: ignore[valid-type]  # a type made at run time
        def primal_pullback(y_bar: float) -> Any:
            return None, 2 * y_bar

        return 2 * x, primal_pullback

    if unfaithful:

        @rrule.dispatch
        def neighbour_rrule(f: typeof_(neighbour), values: tuple[int, ...]) -> Any:  # type: ignore[valid-type]  # as above
            return None

    return rrule


def functions(number: int) -> list[Callable[[Any], Any]]:
    """Functions that nobody has met before."""
    return [eval("lambda x: x") for _ in range(number)]


def register_rules(rrule: RRule, number: int) -> None:
    """Register a rule, written with `typeof_`, for each of as many new functions."""
    for g in functions(number):

        @rrule.dispatch
        def g_rrule(f: typeof_(g), x: float) -> Any:  # type: ignore[valid-type]  # a type made at run time
            return None


def bare_plum_call() -> plum.Function:
    def primal_rrule(f: object, x: float) -> Any:
        def primal_pullback(y_bar: float) -> Any:
            return None, 2 * y_bar

        return 2 * x, primal_pullback

    function = plum.Function(primal_rrule)
    function.dispatch(primal_rrule)
    return function


def rows() -> Iterator[Row]:
    """The lookups of a rule."""
    yield from cached_calls()
    yield number_of_rules()
    yield registration()
    yield naming_callees()
    yield new_argument_type()
    yield unfaithful_neighbour()


def cached_calls() -> Iterator[Row]:
    rrule, frule, plum_function = with_rules(10), FRule(Mode("frule", ("tangents",))), bare_plum_call()

    @frule.dispatch
    def primal_frule(tangents: tuple, f: typeof_(primal), x: float) -> Any:  # type: ignore[type-arg,valid-type]  # as above
        return 2 * x, 2 * tangents[1]

    tangents = (NoTangent(), 1.0)
    plain, bare, looked_up = fastest(
        lambda: written_rrule(primal, 1.0), lambda: plum_function(primal, 1.0), lambda: rrule(primal, 1.0)
    )
    plain_f, looked_up_f = fastest(
        lambda: written_frule(tangents, primal, 1.0), lambda: frule(tangents, primal, 1.0)
    )
    against = "a bare cached plum call"
    yield Row(
        "rrule(f, x), beyond the rule itself", against, beyond(looked_up, plain) / beyond(bare, plain), 1.3
    )
    yield Row(
        "frule(x_dots, f, x), beyond the rule itself",
        against,
        beyond(looked_up_f, plain_f) / beyond(bare, plain),
        1.3,
    )


def number_of_rules() -> Row:
    few, many = with_rules(10), with_rules(MANY)
    with_few, with_many = fastest(lambda: few(primal, 1.0), lambda: many(primal, 1.0))
    return Row(f"rrule(f, x) with {MANY} rules", "with 10 rules", with_many / with_few, 1.1)


def registration() -> Row:
    def register() -> None:
        with_rules(MANY)(primal, 1.0)

    def construct() -> list[plum.Function]:
        return [plum.Function(f) for f in functions(MANY)]

    registering, constructing = fastest_once(lambda: register, lambda: construct)
    return Row(
        f"making {MANY} functions with a rule each, and the first call",
        f"making {MANY} functions and a bare plum function of each",
        registering / constructing,
        5,
    )


def naming_callees() -> Row:
    number = 1000

    def promise() -> Callable[[], Any]:
        new = functions(number)
        return lambda: [typeof_(f) for f in new]

    def make() -> Callable[[], Any]:
        new = functions(number)
        kind: Any = plum.parametric(type("Kind", (), {}))
        return lambda: [kind[f] for f in new]

    promised, made = fastest_once(promise, make)
    return Row("typeof_(f) of a new function", "plum's parametric type of it", promised / made, 0.8)


def new_argument_type() -> Row:
    number = 200
    rrule = with_rules(10)

    @rrule.dispatch
    def any_rrule(f: typeof_(functions), x: object) -> Any:  # type: ignore[valid-type]  # a type made at run time
        return None

    def any_plum(f: object, x: object) -> Any:
        return None

    plum_function = plum.Function(any_plum)
    plum_function.dispatch(any_plum)
    rrule(functions, 1), plum_function(functions, 1)

    def instances() -> list[Any]:
        return [type("New", (), {})() for _ in range(number)]

    def look_up() -> Callable[[], Any]:
        new = instances()
        return lambda: [rrule(functions, x) for x in new]

    def call_plum() -> Callable[[], Any]:
        new = instances()
        return lambda: [plum_function(functions, x) for x in new]

    ours, plums = fastest_once(look_up, call_plum)
    return Row("the first rrule(f, x) of an argument type", "plum's, for one method", ours / plums, 20)


def unfaithful_neighbour() -> Row:
    alone, beside = with_rules(10), with_rules(10, unfaithful=True)
    beside(neighbour, (1,))
    without, with_neighbour = fastest(lambda: alone(primal, 1.0), lambda: beside(primal, 1.0))
    return Row(
        "rrule(f, x) beside an annotation that cannot be cached", "without it", with_neighbour / without, 1.1
    )
