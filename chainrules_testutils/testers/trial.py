"""One run of a tester: the call that it tests, and its checks so far."""

from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import plum

from chainrules_core import (
    AbstractTangent,
    AbstractZero,
    RuleNotFoundError,
    add_inplace,
    add_tangents,
    debugging,
    describe_callee,
    describe_place,
    describe_value,
    frule,
    rrule,
)
from chainrules_testutils.advice.misplaced_arguments import (
    binds,
    call_text,
    notes,
    refuse_misplaced,
    rule_note,
)
from chainrules_testutils.advice.report import Check, Report, all_passed, any_failed, failed, passed, short
from chainrules_testutils.comparing.check_result import compared
from chainrules_testutils.comparing.finite_differences import Stencil, fixed_step, in_double_precision_for
from chainrules_testutils.comparing.kinds import primal_problems
from chainrules_testutils.comparing.number_comparison import is_numeric
from chainrules_testutils.comparing.purity import copied, differences
from chainrules_testutils.oracles import find_oracle
from chainrules_testutils.testers.config import TestConfig
from chainrules_testutils.testers.exercised import record_exercised
from chainrules_testutils.testers.preconditions import (
    has_tangents,
    output_problems,
    tangent_misfits,
    without_projector,
)
from chainrules_testutils.testers.rule_answers import (
    answer_problem,
    none_problem,
    unpacking_advice,
    unsized_advice,
)
from chainrules_testutils.values.precision import Tolerance, tolerance_for
from chainrules_testutils.values.primal_and_tangent import PrimalAndTangent, paired
from chainrules_testutils.values.to_vec import RealVector


class _Auto:
    """Stands for a random tangent of the output."""

    def __repr__(self) -> str:
        return "AUTO"


AUTO = _Auto()

_RULES: dict[str, Any] = {"rrule": rrule, "frule": frule}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options that all testers have, see `test_rrule`."""

    fkwargs: dict[str, Any] = field(default_factory=dict)
    output_tangent: Any = AUTO
    rule: Callable[..., Any] | None = None
    config: Any = None
    rtol: float | None = None
    atol: float | None = None
    fdm: Stencil | None = None
    rng: Any = None
    mode: str = "full"
    order: int = 1
    second_order_via: Any = None
    oracle: Any = None

    def __post_init__(self) -> None:
        if self.order not in (1, 2):
            raise ValueError(f"order={self.order!r}: derivatives are checked up to order 1 or 2.")
        if self.mode not in ("full", "fast"):
            raise ValueError(
                f'mode={self.mode!r}: it is "full", every element, or "fast", one direction. Forward mode is '
                "checked by `test_frule`, reverse mode by `test_rrule`."
            )


def can_be_scaled(x_dot: Any) -> bool:
    """Whether a tangent can be multiplied by a number; a value with fields can if its class says so."""
    is_vector = hasattr(type(x_dot), "__rmul__") and not isinstance(x_dot, tuple | list)
    return isinstance(x_dot, AbstractTangent) or is_numeric(x_dot) or is_vector


class Trial:
    """One run of `test_rrule` or `test_frule`.

    Parameters
    ----------
    mode
        ``"rrule"`` or ``"frule"``.
    f, args
        The function and its arguments, each alone or as a `PrimalAndTangent`.
    options
        The options that the tester was given.
    """

    def __init__(self, mode: str, f: Any, args: tuple[Any, ...], options: Options) -> None:
        function = f.x if isinstance(f, PrimalAndTangent) else f
        refuse_misplaced(f"test_{mode}", function, options.fkwargs)
        pairs: list[PrimalAndTangent] = [paired(x, options.rng) for x in (f, *args)]
        self.mode = mode
        self.options = options
        self.oracle = find_oracle(options.oracle, pairs[0].x)
        self.config = TestConfig(options.fdm) if options.config is None else options.config
        self.primals = tuple(pair.x for pair in pairs)
        self.tangents = tuple(pair.x_dot for pair in pairs)
        self._rule_name = ""
        self._is_of_ruleset = False
        self._changed: set[str] = set()
        self._remembered: tuple[Any, Any] = (), ()
        self.chosen = tuple(isinstance(x, PrimalAndTangent) for x in (f, *args))
        self.linear: Container[int] = ()  # the places of inputs in which the function is known to be linear
        self.report = Report(self._title())
        for i, x in enumerate(self.primals):
            self._require(without_projector(x, f"input {i + 1}"))
        # The primal gets copies; its exceptions are raised, and are no failures of the rule.
        self.y = self._call_with_notes()
        self.tolerance_by_default: Tolerance = tolerance_for((self.primals, self.y), None, None)
        self.tolerance = self.tolerance_by_default.unless(options.rtol, options.atol)
        again = self.call(self.f, *copied(self.primals[1:]))
        self._require(output_problems(self.y, again, self.tolerance))
        for i, (pair, is_chosen) in enumerate(zip(pairs, self.chosen, strict=True)):
            if is_chosen:
                self._require(tangent_misfits(pair.x, pair.x_dot, f"tangent of input {i + 1}", "argument"))
        if options.output_tangent is not AUTO:
            self._require(tangent_misfits(self.y, options.output_tangent, "output_tangent", "output"))

    def _title(self) -> str:
        shown = ", ".join(map(describe_value, self.primals[1:]))
        keywords = ", ".join(f"{name}={short(value)}" for name, value in self.options.fkwargs.items())
        title = f"test_{self.mode}: {describe_callee(self.f)} on {shown or 'nothing'}"
        return f"{title} with {keywords}" if keywords else title

    def _call_with_notes(self) -> Any:
        args = copied(self.primals[1:])
        try:
            return self.call(self.f, *args)
        except TypeError as error:
            for note in notes(f"test_{self.mode}", self.f, args, self.options.fkwargs):
                error.add_note(note)
            raise

    def _require(self, problems: Iterable[Check]) -> None:
        """Raise an error at once for a call that makes all checks meaningless."""
        if not self.record(problems):
            self.report.raise_failures()

    @property
    def f(self) -> Any:
        """The function."""
        return self.primals[0]

    def call(self, f: Any, *args: Any) -> Any:
        """The primal computation; of an iterator, which can be read only once, the tuple of its items."""
        y = f(*args, **self.options.fkwargs)
        return tuple(y) if isinstance(y, Iterator) else y

    def call_rule(self, *arguments: Any) -> Any:
        """The answer of the rule to `arguments`.

        Raises
        ------
        RuleNotFoundError
            If there is no rule.
        """
        if self.report.rule:
            pass  # it was found at the first call
        elif self.options.rule is None:
            self._locate(_RULES[self.mode], arguments)
        else:
            self._locate_given(self.options.rule, arguments)
        return self.ask(self.config, *arguments)

    def ask(self, config: Any, *arguments: Any) -> Any:
        """The answer of the rule under a configuration.

        Raises
        ------
        RuleNotFoundError
            If there is no rule.
        """
        rule: Any = self.options.rule or _RULES[self.mode]
        # What the rule's author wrote is tested, and not what `rrule` and `frule` make of it.
        ask = rule if self.options.rule else rule.own_answer
        answer = self._asked(ask, config, arguments)
        if answer is not None:
            return answer
        if self._rule_name:
            explanation = rule.explain(config, *arguments) if self._is_of_ruleset else ""
            raise RuleNotFoundError(none_problem(self.mode, self._rule_name, explanation))
        note = rule_note(f"test_{self.mode}", self.f)
        explanation = rule.explain(config, *arguments)
        raise RuleNotFoundError(f"{explanation}\n{note}" if note else explanation)

    def _asked(self, ask: Callable[..., Any], config: Any, arguments: tuple[Any, ...]) -> Any:
        fkwargs = self.options.fkwargs
        if self.mode == "frule" and all(isinstance(x_dot, AbstractZero) for x_dot in arguments[0]):
            # Tangents that are all zero are no matter of the rule's.
            tangents, f, *args = arguments
            return frule.pushed(
                lambda dots: ask(config, dots, f, *args, **fkwargs), tangents, ask, f, tuple(args)
            )
        return ask(config, *arguments, **fkwargs)

    def _locate(self, rules: Any, arguments: tuple[Any, ...]) -> None:
        method = self.method(rules, arguments)
        if method is not None:
            self.report.rule = method.location
            self._rule_name = f"{method.name} ({method.location})"
            self._is_of_ruleset = method.ruleset is not None
            record_exercised(self.f, method)

    def _locate_given(self, rule: Any, arguments: tuple[Any, ...]) -> None:
        self.report.rule = describe_place(rule)
        name = describe_callee(rule).rpartition(".")[2]
        self._rule_name = f"{name} ({self.report.rule})"
        if not binds(rule, (self.config, *arguments), self.options.fkwargs):
            leading = "config, tangents" if self.mode == "frule" else "config"
            raise TypeError(
                f"{name} was given as {self.mode}_f, which is called as "
                f"{self.mode}_f({leading}, f, *args, **fkwargs), and does not take these arguments."
            )

    def method(self, rules: Any, arguments: tuple[Any, ...]) -> Any:
        """The registered rule for a call, or `None`."""
        try:
            return rules.find(self.config, *arguments)
        except plum.AmbiguousLookupError:
            return None  # the call itself will say so

    def expect_pair(self, answer: Any) -> bool:
        """Record a failure unless the answer of a rule is the pair that a rule has to return."""
        problem = answer_problem(self.mode, self._rule_name or f"The {self.mode}", answer)
        return self.expect([problem] if problem else [], self.mode)

    @property
    def has_tangents(self) -> bool:
        """Whether the output is of a type that has tangents other than `NoTangent()`."""
        return has_tangents(self.y)

    def is_opaque(self, *arguments: Any) -> bool:
        """Whether the output has no tangents, and no rule for the call says so."""
        is_ruled = self.options.rule is not None
        return not (self.has_tangents or is_ruled or self.method(_RULES[self.mode], arguments) is not None)

    def where_it_is_differentiated(self) -> tuple[Any, ...]:
        """The function and the arguments, in double precision if the primal can compute with that."""
        return in_double_precision_for(self.call, self.primals)

    # --- Recording -------------------------------------------------------------------------------

    def record(self, checks: Iterable[Check]) -> bool:
        """Record checks; returns whether none of them failed."""
        new = list(checks)
        self.report.checks.extend(new)
        return not any_failed(new)

    @contextmanager
    def set_aside(self) -> Iterator[list[Check]]:
        """Checks recorded in the block go into a list, to be reported after causes that are found later."""
        kept, self.report.checks = self.report.checks, []
        aside = self.report.checks
        try:
            yield aside
        finally:
            self.report.checks = kept

    def merge(self, report: Report, what: str) -> None:
        """Record the checks of another report, as being about `what`."""
        for check in report.checks:
            message = check.message and f"{what}, {check.message}"
            self.record([replace(check, where=f"{what}, {check.where}", message=message)])

    def compare(self, actual: Any, expected: Any, where: str) -> bool:
        """Record the comparison of two values."""
        return self.record(compared(actual, expected, where, self.tolerance))

    def expect(self, problems: Iterable[str], where: str) -> bool:
        """Record a failure for each problem, or that there is none."""
        found = [failed(where, problem) for problem in problems]
        return self.record(found or [passed(where)])

    def measured(
        self, measure: Callable[[Stencil | None], RealVector], checks: Callable[[RealVector], Iterable[Check]]
    ) -> RealVector:
        """The differences that a derivative is compared with, by the method that was asked for.

        Where none was, those of a fixed step serve if the derivative agrees with them.

        Parameters
        ----------
        measure
            Computes the differences by a method.
        checks
            The checks of the derivative against differences.
        """
        if self.options.fdm is None:
            try:
                differences = measure(fixed_step)
                if np.all(np.isfinite(differences)) and all_passed(checks(differences)):
                    return differences
            except Exception:  # noqa: BLE001, S110 - the other method is tried, and its errors are reported
                pass
        differences = measure(self.options.fdm)
        self.expect_finite(differences)
        return differences

    def expect_finite(self, differences: Any) -> None:
        """Record a failure if finite differences are not finite."""
        if not np.all(np.isfinite(differences)):
            problem = (
                "not finite. Is the primal defined around the arguments? Choose others, or smaller steps: "
                "fdm=functools.partial(fdm.central_fdm(5, 1), max_range=1e-4)."
            )
            self.record([failed("finite differences", problem)])

    @contextmanager
    def errors_as_failures(self, where: str, advice: str = "") -> Iterator[None]:
        """Record an exception as a failure, with advice, and go on after the block."""
        try:
            yield
        except RuleNotFoundError as error:
            self.record([failed(where, str(error), error=error)])
        except Exception as error:  # noqa: BLE001 - a rule may raise anything
            _RULES[self.mode].add_note(error)
            problem = "\n".join([f"raised {type(error).__name__}: {error}", *getattr(error, "__notes__", ())])
            hints = unsized_advice(error, self.primals), unpacking_advice(error, self.mode, self.primals)
            shown = filter(None, (advice, *hints))
            self.record([failed(where, problem, *shown, error=error)])

    # --- Checks that both modes make -------------------------------------------------------------

    def remembered(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The function and its arguments, which `check_arguments` compares with copies afterwards."""
        self._remembered = copied(arguments), arguments
        return arguments

    def check_arguments(self) -> bool:
        """Record a failure for each input that has changed since it was remembered, the first time only."""
        found = False
        for i, pair in enumerate(zip(*self._remembered, strict=True), 1):
            for place in differences(*pair, f"input {i}"):
                found = True
                if place not in self._changed:
                    self._changed.add(place)
                    self.record([failed("arguments", f"{place} was changed; compute with a copy of it.")])
        return not found

    def check_unchanged(self, before: Any, after: Any, where: str, advice: str = "") -> bool:
        """Check that nothing was written into a value since it was copied."""
        return self.expect(
            (f"{place} was changed{advice}" for place in differences(before, after, "it")), where
        )

    def check_result(self, y: Any) -> None:
        """Check that the result of a rule is the result of the function: value, class and dtype."""
        checks = list(compared(y, self.y, "primal value", self.tolerance))
        problems = list(primal_problems(y, self.y, "it"))
        if not problems and any(check.message for check in checks):
            hint = f"hint: the rule's result is not `{call_text(self.f, len(self.primals) - 1)}`."
            checks = [
                replace(check, message=check.message and f"{check.message}\n{hint}") for check in checks
            ]
        self.record(checks)  # (the second check reports another class or shape)
        self.expect(problems, "class and dtype of the primal value")

    def check_accumulation(self, accumulated: Any, tangent: Any, where: str) -> None:
        """Check that adding in place is adding."""
        where = f"accumulating the {where}"
        with self.errors_as_failures(where):
            expected = add_tangents(accumulated, tangent)
            with debugging():
                actual = add_inplace(copied(accumulated), tangent)
            self.compare(actual, expected, where)
