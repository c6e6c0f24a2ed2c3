"""`profile`: the cost of each rule in time and memory, forwards and backwards."""

import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from chainrules.ad.derivatives.pulling import vjp
from chainrules.ad.modes.containers import ones_in_containers_of
from chainrules.ad.values.config import CONFIG
from chainrules.ad.values.held_numbers import held_numbers
from chainrules.ad.values.tables import ShownAsTable
from chainrules.ad.watching.observing import Observer, RuleCall, observed_by, with_pullback, with_thunks
from chainrules_core import describe_callee, frule, rrule


@dataclass(slots=True)
class ProfileRow:
    """The cost of the calls of one function by one rule.

    Attributes
    ----------
    function
        The name of the function.
    rule
        The name of the rule, and where it stands.
    calls
        How often it was called.
    forward_seconds
        The time in the rule, without the time in other rules that it calls.
    backward_seconds
        The time in its pullbacks and thunks, without that of the rules they call.
    result_bytes
        The new memory that its results take.
    tangent_bytes
        The new memory that its cotangents take; of an `frule`, its tangents.
    """

    function: str
    rule: str
    calls: int = 0
    forward_seconds: float = 0.0
    backward_seconds: float = 0.0
    result_bytes: int = 0
    tangent_bytes: int = 0

    @property
    def seconds(self) -> float:
        """The time forwards and backwards."""
        return self.forward_seconds + self.backward_seconds


@dataclass(frozen=True)
class Profile(ShownAsTable):
    """The costs that `profile` measured. They print as a table, and a notebook shows them as one.

    Attributes
    ----------
    rows
        One for each function and rule, the most expensive first.
    forward_seconds, backward_seconds
        The time of the whole call, and of pulling back. It includes the rows, everything else in the program,
        the engine, and measuring.
    """

    rows: tuple[ProfileRow, ...]
    forward_seconds: float
    backward_seconds: float

    _text_columns: ClassVar = ("function", "rule")
    _number_columns: ClassVar = ("calls", "forward ms", "backward ms", "results", "cotangents")

    def _cells(self) -> Iterator[tuple[str, ...]]:
        for row in self.rows:
            times = _milliseconds(row.forward_seconds), _milliseconds(row.backward_seconds)
            sizes = _written_size(row.result_bytes), _written_size(row.tangent_bytes)
            yield row.function, row.rule, str(row.calls), *times, *sizes

    def _cells_of_all(self) -> tuple[str, ...]:
        times = _milliseconds(self.forward_seconds), _milliseconds(self.backward_seconds)
        return "all, with everything else", "", "", *times, "", ""


def _milliseconds(seconds: float) -> str:
    return f"{1e3 * seconds:.3f}"


def _written_size(number: float) -> str:
    for unit in ("B", "kB", "MB"):
        if number < 999.5:  # what would be rounded to 1000
            return f"{number:.3g} {unit}"
        number /= 1000
    return f"{number:.3g} GB"


def profile(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Profile:
    """Differentiate a call backwards, and measure each rule on the way.

    Parameters
    ----------
    f
        A function of numbers, arrays and containers of them, whose result is one of these. To see second
        derivatives give it ``grad(f)``.
    args
        Its arguments; it is differentiated by all of them.
    kwargs
        Passed on, and not differentiated.

    Returns
    -------
    Profile
        A cotangent of ones is pulled back. The table of one call of a function that takes microseconds says
        more about measuring than about the function: give it data of the usual size.

    Raises
    ------
    RuleNotFoundError
        If a function that the program calls has no rule.

    Examples
    --------
    >>> import numpy as np
    >>> from chainrules.ad import profile
    >>> table = profile(lambda x: np.sum(np.sin(np.sin(x))), np.ones(1000))
    >>> [(row.function, row.calls, row.result_bytes) for row in table.rows if row.calls == 2]
    [('numpy.sin', 2, 16000)]
    """
    profiler = _Profiler()
    start = perf_counter()
    with observed_by(profiler):
        y, pullback = vjp(f, *args, **kwargs)
        middle = perf_counter()
        pullback(ones_in_containers_of(y))
        end = perf_counter()
    rows = sorted(profiler.rows.values(), key=lambda row: row.seconds, reverse=True)
    return Profile(tuple(rows), forward_seconds=middle - start, backward_seconds=end - middle)


class _Profiler(Observer):
    """Measures the rules of one program, which runs in one thread."""

    __slots__ = ("_seconds_inside", "rows")

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], ProfileRow] = {}
        # The time, so far, in rules that were called by the rule that is running.
        self._seconds_inside = 0.0

    def observed_rrule(self, rule: RuleCall) -> RuleCall:
        """The rule, measured, and its pullback and thunks."""

        def measured_rrule(f: Any, *values: Any, **kwargs: Any) -> Any:
            method = rrule.find(CONFIG, f, *values)  # first, so that looking it up is not measured
            with self._measured() as seconds:
                answer = rule(f, *values, **kwargs)
            if answer is None:
                return None
            row = self._row(f, method, seconds[0], _new_bytes(answer[0], values))
            return with_pullback(answer, lambda pullback: self._measured_pullback(row, pullback))

        return measured_rrule

    def observed_frule(self, rule: RuleCall) -> RuleCall:
        """The rule, measured."""

        def measured_frule(tangents: Any, f: Any, *values: Any, **kwargs: Any) -> Any:
            method = frule.find(CONFIG, tangents, f, *values)
            with self._measured() as seconds:
                answer = rule(tangents, f, *values, **kwargs)
            if answer is None:
                return None
            row = self._row(f, method, seconds[0], _new_bytes(answer[0], values))
            row.tangent_bytes += _new_bytes(answer[1], (tangents, values, answer[0]))
            return answer

        return measured_frule

    def _measured_pullback(self, row: ProfileRow, pullback: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def measured(compute: Callable[..., Any]) -> Callable[..., Any]:
            def measured_compute(*args: Any) -> Any:
                with self._measured() as seconds:
                    x_bars = compute(*args)
                row.backward_seconds += seconds[0]
                row.tangent_bytes += _new_bytes(x_bars, args)
                # Of a pullback it is a tuple, of a thunk one cotangent.
                if isinstance(x_bars, tuple):
                    return tuple([with_thunks(x_bar, measured) for x_bar in x_bars])
                return with_thunks(x_bars, measured)

            return measured_compute

        return measured(pullback)

    def _row(self, f: Any, method: Any, seconds: float, result_bytes: int) -> ProfileRow:
        """The row of a rule, with one more call."""
        function = describe_callee(f)
        rule = f"{method.name} ({method.location})" if method is not None else ""
        row = self.rows.setdefault((function, rule), ProfileRow(function, rule))
        row.calls += 1
        row.forward_seconds += seconds
        row.result_bytes += result_bytes
        return row

    @contextlib.contextmanager
    def _measured(self) -> Iterator[list[float]]:
        """Measure a block: a list that will hold its seconds, without the seconds of rules inside."""
        seconds: list[float] = []
        outside, self._seconds_inside = self._seconds_inside, 0.0
        start = perf_counter()
        try:
            yield seconds
        finally:
            total = perf_counter() - start
            seconds.append(total - self._seconds_inside)
            self._seconds_inside = outside + total


def _new_bytes(result: Any, given: Any) -> int:
    """The memory of the arrays in a result that are not views of arrays in the arguments."""
    arrays = [array for array in held_numbers(result) if isinstance(array, np.ndarray)]
    old = [array for array in held_numbers(given) if isinstance(array, np.ndarray)]
    return sum(_extent(array) for array in arrays if not any(np.may_share_memory(array, x) for x in old))


def _extent(array: np.ndarray) -> int:
    # An array that is broadcast repeats its elements.
    held = [n for n, stride in zip(array.shape, array.strides, strict=True) if stride]
    return int(array.itemsize * math.prod(held))
