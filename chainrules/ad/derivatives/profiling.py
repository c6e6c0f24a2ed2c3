"""`profile`: the cost of each rule in time and memory, forwards and backwards."""

import contextlib
import math
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np

from chainrules.ad.derivatives.pulling import vjp
from chainrules.ad.modes.containers import ones_in_containers_of
from chainrules.ad.values.config import CONFIG
from chainrules.ad.values.held_numbers import held_numbers
from chainrules.ad.watching.observing import Observer, RuleCall, observed_by, with_pullback, with_thunks
from chainrules.ad.watching.profile_table import Profile, ProfileRow
from chainrules_core import describe_callee, frule, rrule


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
            row = self._row(f, method)
            row.calls += 1
            row.forward_seconds += seconds[0]
            row.result_bytes += _new_bytes(answer[0], values)
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
            row = self._row(f, method)
            row.calls += 1
            row.forward_seconds += seconds[0]
            row.result_bytes += _new_bytes(answer[0], values)
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

    def _row(self, f: Any, method: Any) -> ProfileRow:
        function = describe_callee(f)
        rule = f"{method.name} ({method.location})" if method is not None else ""
        return self.rows.setdefault((function, rule), ProfileRow(function, rule))

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
