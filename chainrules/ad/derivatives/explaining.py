"""`explain_calls`: what became of each call in a program that is differentiated."""

import functools
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from chainrules.ad.derivatives.pulling import vjp
from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.interception.choosing.entering import entered, is_any_to_be_followed
from chainrules.ad.interception.choosing.switch import calls_shown_to, interception
from chainrules.ad.interception.choosing.unentered import trace_given_to
from chainrules.ad.syntax.origins import Origin, looks_at_frames, origin_of
from chainrules.ad.syntax.twins import is_twin
from chainrules.ad.traced.ruled_by_others import RULED_BY_OTHERS
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.tracing import innermost_trace
from chainrules.ad.values.config import CONFIG
from chainrules.ad.values.facts import fact_of
from chainrules.ad.values.kinds_of_arrays import refusal_of_framework
from chainrules.ad.values.tables import ShownAsTable
from chainrules.ad.watching.observing import Observer, RuleCall, observed_by
from chainrules_core import describe_callee, describe_place, rrule

# What these answer depends on who calls them: nobody may stand between.
_OF_THE_FRAME = (vars, dir, sys._getframe)


@dataclass(slots=True)
class CallRow:
    """What became of the calls of one function at one place.

    Attributes
    ----------
    function
        The name of the function.
    line
        The file and line of the calls.
    outcome
        ``"rule"``, ``"entered"`` or ``"as it is"``.
    how
        The rule and where it stands; where the function that was entered stands; or the reason why it was
        called as it is.
    calls
        How often.
    traced
        Whether something traced was given to one of them, in its arguments or in the function itself.
    """

    function: str
    line: str
    outcome: str
    how: str
    calls: int = 0
    traced: bool = True


@dataclass(frozen=True)
class CallTable(ShownAsTable):
    """The calls that `explain_calls` met. They print as a table, and a notebook shows them as one.

    Calls that were given nothing traced are counted below the table; `all()` shows them too.

    Attributes
    ----------
    rows
        One for each function, place and outcome, in the order in which they were met. All of them.
    shows_all
        Whether calls that were given nothing traced are shown too.
    """

    rows: tuple[CallRow, ...]
    shows_all: bool = False

    _text_columns: ClassVar = ("function", "called at", "outcome", "how")
    _number_columns: ClassVar = ("calls",)

    def _cells(self) -> Iterator[tuple[str, ...]]:
        for row in self.rows:
            if row.traced or self.shows_all:
                yield row.function, row.line, row.outcome, row.how, str(row.calls)

    def _cells_of_all(self) -> tuple[str, ...]:
        calls = 0 if self.shows_all else sum(row.calls for row in self.rows if not row.traced)
        return (
            ("others, shown by `.all()`", "", "", "nothing traced is given to them", str(calls))
            if calls
            else ()
        )

    def all(self) -> "CallTable":
        """The table that shows the calls that were given nothing traced, too."""
        return CallTable(self.rows, shows_all=True)


def explain_calls(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> CallTable:
    """Differentiate a call backwards, and say of each call in it what became of it.

    Parameters
    ----------
    f
        A function of numbers, arrays and containers of them, whose result is one of these.
    args
        Its arguments; it is differentiated by all of them.
    kwargs
        Passed on, and not differentiated.

    Returns
    -------
    CallTable
        It prints as a table, in the order in which the calls were met: which rule served a call and where it
        stands, which function was entered, and which was called as it is, and why. Operators on traced values
        are calls too. Calls that were given nothing traced are in its `rows`, and `all()` of it prints them.

    Raises
    ------
    RuleNotFoundError
        If a function that the program calls has no rule, and no body that could be entered.

    Examples
    --------
    >>> import math
    >>> from chainrules.ad import explain_calls
    >>> table = explain_calls(lambda x: len([x]) * math.sin(x), 1.0)
    >>> [(row.function.rpartition(".")[2], row.outcome) for row in table.rows]
    [('<lambda>', 'entered'), ('len', 'as it is'), ('sin', 'rule'), ('mul', 'rule')]
    """
    recorder = _Recorder()
    with interception(True), observed_by(recorder), calls_shown_to(recorder.watch):
        vjp(f, *args, **kwargs)
    return CallTable(tuple(recorder.rows.values()))


class _Recorder(Observer):
    """Notes down the calls of one program, which runs in one thread."""

    __slots__ = ("_served", "rows")

    def __init__(self) -> None:
        self.rows: dict[tuple[str, ...], CallRow] = {}
        self._served: list[Any] = []

    def observed_rrule(self, rule: RuleCall) -> RuleCall:
        """The rule, noted down where it answers."""

        def rrule_in_table(f: Any, *values: Any, **kwargs: Any) -> Any:
            line = _line_of_user()
            answer = rule(f, *values, **kwargs)
            if answer is not None:
                self._served.append(f)
                method = rrule.find(CONFIG, f, *values)
                how = "" if method is None else f"{method.name} ({method.location})"
                self._add(f, line, "rule", how, True)
            return answer

        return rrule_in_table

    def watch(self, f: Any, chosen: Any) -> Any:
        """What is called in the place of `f`, noted down when it is called."""
        if isinstance(f, types.MethodType) and type(f.__self__) in TRACED:
            return f  # a rule will be noted down
        line = _line_of_user()
        function = _function_of(chosen)
        if function is not None and is_twin(function.__code__):
            return functools.partial(self._noted, f, chosen, (line, "entered", describe_place(function)))
        if chosen is not f and (not fact_of(f).as_it_is or RULED_BY_OTHERS[f]):
            return functools.partial(self._called, f, chosen, line)
        if (function is not None and looks_at_frames(function)) or any(f is known for known in _OF_THE_FRAME):
            self._add(f, line, "as it is", _reason(f), False)
            return chosen
        return functools.partial(self._noted, f, chosen, (line, "as it is", _reason(f)))

    def _noted(self, f: Any, chosen: Any, what: tuple[str, str, str], /, *args: Any, **kwargs: Any) -> Any:
        self._add(f, *what, _is_given_traced(f, args, kwargs))
        return chosen(*args, **kwargs)

    def _called(self, f: Any, chosen: Any, line: str, /, *args: Any, **kwargs: Any) -> Any:
        before, traced = len(self._served), _is_given_traced(f, args, kwargs)
        y = chosen(*args, **kwargs)
        if not any(_is_same(f, served) for served in self._served[before:]):
            function = _function_of(f)
            follows = is_any_to_be_followed((*args, *kwargs.values()))
            if function is not None and refusal_of_framework(function.__module__) is not None:
                follows = trace_given_to(function, args, kwargs) is not None
            if follows and function is not None and entered(function) is not None:
                self._add(f, line, "entered", describe_place(function), traced)
            else:
                how = _reason(f) if follows else "nothing traced is seen in what it is given"
                self._add(f, line, "as it is", how, traced)
        return y

    def _add(self, f: Any, line: str, outcome: str, how: str, traced: bool) -> None:
        name = describe_callee(f)
        row = self.rows.setdefault(
            (name, line, outcome, how), CallRow(name, line, outcome, how, traced=False)
        )
        row.calls += 1
        row.traced = row.traced or traced


def _is_given_traced(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether something traced is given to a call: an argument, what a closure or an object holds."""
    return innermost_trace((f, *args, *kwargs.values())) is not None


def _function_of(f: Any) -> types.FunctionType | None:
    """The function in Python that a call runs, if it is plain to see."""
    if isinstance(f, types.MethodType):
        return _function_of(f.__func__)
    if isinstance(f, functools._lru_cache_wrapper | staticmethod):
        return _function_of(f.__wrapped__)
    if isinstance(f, type):
        f = getattr(f, "__init__", None)
    return f if isinstance(f, types.FunctionType) else None


def _is_same(f: Any, served: Any) -> bool:
    if f is served:
        return True
    name = getattr(f, "__name__", None)
    return name is not None and name == getattr(served, "__name__", None)


def _line_of_user() -> str:
    """The place in the program, outside of the engine, that is running."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        name = str(frame.f_globals.get("__name__"))
        if name.partition(".")[0] not in {"chainrules", "chainrules_core", "plum"}:
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return ""  # pragma: no cover - somebody has called us


def _reason(f: Any) -> str:
    """Why a callable was called as it is."""
    if isinstance(f, Derived):
        return f.explained()
    function = _function_of(f)
    if function is not None:
        if origin_of(function) is Origin.ENGINE:
            return "it is part of the engine"
        if looks_at_frames(function):
            return "it reports who called it"
        return "it has no source, or its source is not what runs"
    if fact_of(f).as_it_is:
        return "it moves values, and does not compute with them"
    return "it is written in C, and has no rule for such arguments"
