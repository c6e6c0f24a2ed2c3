"""`debug_nans`: an error that names the operation from which a NaN came."""

import contextlib
import linecache
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from chainrules.ad.values.held_numbers import held_numbers
from chainrules.ad.values.tables import summary
from chainrules.ad.watching.observing import Observer, RuleCall, observed_by, with_pullback, with_thunks
from chainrules_core import ChainRulesError, describe_callee, place_in, primal_of


class NotANumberError(ChainRulesError, FloatingPointError):
    """A NaN came out of an operation, and none had gone in."""


@contextlib.contextmanager
def debug_nans() -> Iterator[None]:
    """Raise an error where a NaN first appears in a differentiation that begins inside.

    Each operation that a program is made of is looked at: its value, its tangent, and, when they are
    computed, the cotangents of its arguments. If one is NaN and nothing that it was computed from is, the
    error names the function, the argument, and the line that called the function, backwards too. Where
    infinite cotangents of one result add up to NaN, it names that function, and where the first came from. A
    NaN that was there before, as in data with gaps, is no error, unless it makes a cotangent NaN. Nor is a
    tangent on which no result depends, as in the branch that `np.where` does not take.

    Use it to find a NaN, and not always: each value is read once more.

    Raises
    ------
    NotANumberError
        By the differentiation. NumPy's own warnings of invalid values are silenced for it.

    Examples
    --------
    >>> import numpy as np
    >>> from chainrules.ad import debug_nans, grad
    >>> with debug_nans():
    ...     grad(lambda x: np.sqrt(x) * np.log(x - 1))(0.5)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    chainrules.ad.watching.nan_guard.NotANumberError: The value of numpy.log became NaN...
    """
    with observed_by(NaNGuard()):
        yield


class NaNGuard(Observer):
    """Looks for NaNs in the answers of rules, for `debug_nans`.

    A tangent is NaN in the branch that `np.where` does not take, where in reverse its cotangent is zero and
    nothing is NaN. So an error waits until the tangent of the result is known, and the NaN is in it.
    """

    __slots__ = ("_infinite", "_waiting")

    def __init__(self) -> None:
        # Where a cotangent first became infinite: several may add up to NaN, which is no operation's.
        self._infinite: list[str] = []
        # For a tangent that is NaN, by its number (`id`): itself, and the error of where the NaN came from.
        self._waiting: dict[int, tuple[Any, NotANumberError]] = {}

    def begun(self) -> Observer:
        """A guard that knows of the same tangents, and of no cotangents."""
        guard = NaNGuard()
        guard._waiting = self._waiting
        return guard

    def observed_rrule(self, rule: RuleCall) -> RuleCall:
        """The rule, whose value, and cotangents once they are computed, are looked at."""

        def guarded_rrule(f: Any, *values: Any, **kwargs: Any) -> Any:
            operation = _Operation(f, values, kwargs, self._infinite)
            answer = operation.run(rule, f, *values, **kwargs)
            if answer is not None:
                operation.check_value(answer[0])
            return with_pullback(answer, operation.guarded_pullback)

        return guarded_rrule

    def observed_frule(self, rule: RuleCall) -> RuleCall:
        """The rule, whose value and tangent are looked at."""

        def guarded_frule(tangents: Any, f: Any, *values: Any, **kwargs: Any) -> Any:
            operation = _Operation(f, values, kwargs, self._infinite)
            answer = operation.run(rule, tangents, f, *values, **kwargs)
            if answer is None:
                return None
            y, y_dot = answer
            operation.check_value(y)
            if _is_nan(tangents):
                self._wait(y_dot, self._origin(tangents))
                return y, y_dot
            return y, operation.checked(y_dot, "tangent of the result", False, self._wait)

        return guarded_frule

    def pushed(self, tangents: Any) -> None:
        """Raise the error of where a NaN in the tangents of a result came from."""
        if _is_nan(tangents) and (error := self._origin(tangents)) is not None:
            raise error

    def _wait(self, tangent: Any, error: NotANumberError | None) -> None:
        if error is not None:
            self._waiting.update((id(held), (held, error)) for held in held_numbers(tangent) if _is_nan(held))

    def _origin(self, tangents: Any) -> NotANumberError | None:
        """Where a NaN among tangents came from: the last that is known, if these were copied on the way."""
        found = (self._waiting.get(id(held)) for held in held_numbers(tangents))
        known = next(filter(None, found), None) or next(reversed(self._waiting.values()), None)
        return None if known is None else known[1]


def _fail(tangent: Any, error: NotANumberError) -> None:
    raise error


class _Operation:
    """A call of a function by its rule."""

    __slots__ = ("_arguments", "_infinite", "_was_nan", "f", "place")

    def __init__(self, f: Any, values: tuple[Any, ...], kwargs: dict[str, Any], infinite: list[str]) -> None:
        self.f, self._infinite = f, infinite
        self._arguments = [_summary_of_argument(x) for x in values]
        self._was_nan = _is_nan((f, values, kwargs))
        place = _calling_place(sys._getframe(2))
        # A rule may well call its own function.
        self.place = place._replace(within=None) if place and place.within is f else place

    def run(self, compute: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function that belongs to this operation; by this frame `_calling_place` knows."""
        with np.errstate(invalid="ignore"):
            return compute(*args, **kwargs)

    def check_value(self, y: Any) -> None:
        """Raise if the value is NaN, and no argument was."""
        if not self._was_nan and _is_nan(y):
            raise self._error("value")

    def guarded_pullback(self, pullback: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """A pullback whose cotangents are looked at."""

        def guarded_pullback(y_bar: Any) -> Any:
            was_nan = _is_nan(y_bar)
            if was_nan and self._infinite:
                raise self._error("cotangent of the result", ", the sum of infinite ones", *self._infinite)
            return tuple(
                [
                    self.checked(
                        x_bar, f"cotangent of argument {place}" if place else "own cotangent", was_nan
                    )
                    for place, x_bar in enumerate(self.run(pullback, y_bar))
                ]
            )

        return guarded_pullback

    def checked(
        self, tangent: Any, what: str, was_nan: bool, report: Callable[[Any, NotANumberError], None] = _fail
    ) -> Any:
        """The tangent itself; its thunks are looked at when they are computed.

        If it is NaN, and nothing that it was computed from was NaN, that is reported, by default raised.
        """
        if was_nan:
            return tangent
        if _is_nan(tangent):
            report(tangent, self._error(what))
        if report is _fail and not self._infinite and _is_infinite(tangent):
            self._infinite.append(
                f" The first is the {what} of {describe_callee(self.f)}, called {self.place}."
            )

        def checked_later(compute: Callable[..., Any]) -> Callable[..., Any]:
            def compute_checked(*args: Any) -> Any:
                was_nan = _is_nan(args)  # now: an in-place thunk adds to its argument
                return self.checked(self.run(compute, *args), what, was_nan, report)

            return compute_checked

        return with_thunks(tangent, checked_later)

    def _error(self, what: str, how: str = "", first: str = "") -> NotANumberError:
        place = self.place or "at a place unknown"
        already = ", which had a NaN already" if self._was_nan else ""
        return NotANumberError(
            f"The {what} of {describe_callee(self.f)} became NaN{how}. It was called {place}\n"
            f"with the arguments {', '.join(self._arguments)}{already}.{first}"
        )


def _is_nan(x: Any) -> bool:
    return any(np.isnan(held).any() for held in held_numbers(x))


def _is_infinite(x: Any) -> bool:
    return any(np.isinf(held).any() for held in held_numbers(x))


def _summary_of_argument(x: Any) -> str:
    x = primal_of(x)
    if isinstance(x, np.ndarray) and x.dtype.kind in "fiu" and x.size:
        return f"{summary(x)} from {summary(np.min(x))} to {summary(np.max(x))}" if x.ndim else summary(x)
    return summary(x)


class _CallingPlace(NamedTuple):
    """Where a function was called: a line of the program; and the function whose rule called it, if any."""

    file: str
    line: int
    within: Any = None

    def __str__(self) -> str:
        source = linecache.getline(self.file, self.line).strip()
        within = "" if self.within is None else f"by the rule of {describe_callee(self.within)} "
        return f"{within}at {self.file}:{self.line}" + (f", `{source}`," if source else "")


# Between a line of a program and the rule of a function that it calls there are modules of these packages.
_PACKAGES = frozenset({"chainrules", "chainrules_core", "numpy", "scipy"})


def _calling_place(frame: FrameType | None) -> _CallingPlace | None:
    """The line of the program that a frame belongs to; in a pullback, the line of the call pulled back."""
    while frame is not None:
        if frame.f_code is _Operation.run.__code__:
            operation: _Operation = frame.f_locals["self"]
            place = operation.place
            return None if place is None else place._replace(within=operation.f)
        package = frame.f_globals.get("__name__", "").partition(".")[0]
        if package not in _PACKAGES:
            return _CallingPlace(*place_in(frame))
        frame = frame.f_back
    return None
