"""A call that is made again with other values, as one operation of a program.

A search of SciPy's, such as `quad` or `minimize`, calls functions of the user's as often as it has to. It
cannot be written down operation by operation.
"""

import operator
import types
from collections.abc import Callable, Container
from typing import Any

import numpy as np

from chainrules.ad.recording.answers import described
from chainrules.ad.recording.arguments import Arguments, NotOneCallError, attributes_of, is_of_searches
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.same import content_of
from chainrules_core import NO_TANGENT


def _content(x: Any) -> list[Any] | None:
    """What a function, a container or an object holds now; `None` of others, and where searches write."""
    cls = type(x)
    if cls is types.FunctionType:
        return [content_of(cell) for cell in x.__closure__ or ()]
    if cls is list or cls is set:
        return [*x]
    if isinstance(x, dict):
        return [*x, *x.values()]
    attributes = None if cls is tuple or is_of_searches(x) else attributes_of(x)
    return None if attributes is None else [*attributes, *attributes.values()]


def _is_content(now: list[Any] | None, then: list[Any]) -> bool:
    return now is not None and len(now) == len(then) and all(map(operator.is_, now, then))


def _differ(x: np.ndarray[Any, Any], then: np.ndarray[Any, Any]) -> bool:
    return x.tobytes() != then.tobytes()


_ASKED = object()


class Again:
    """A call that is made again: a function of the values in the holes of its arguments.

    It returns a tuple: first what its answer says and how it is put together, as a text, then each number and
    array in the answer, and last the pullback, if it has one.

    Parameters
    ----------
    name
        What it is called in a program.
    function
        What is called.
    arguments
        The positional arguments, and those by keyword.
    has_pullback
        Whether it returns a pair, whose second part is a pullback.

    Attributes
    ----------
    is_checked
        Whether all that its functions hold is compared after the call. Rules of searches do that themselves.
    answer
        What the function returned first, until somebody takes it.
    difference
        Says what is not as it was when the program was recorded, and puts it back if it can: functions may
        change what the program reads from outside, too, where values decide so.
    """

    def __init__(
        self, name: str, function: Callable[..., Any], arguments: Arguments, has_pullback: bool
    ) -> None:
        self.__name__ = name
        self._function, self._arguments, self.has_pullback = function, arguments, has_pullback
        self.answer: Any = _ASKED
        self.is_checked = True
        self.difference: Callable[[], str | None] = lambda: None

    @property
    def search(self) -> str:
        """The name of the function that it calls, or whose pullback it is."""
        return self.__name__.removesuffix("_with").removeprefix("pull_").removeprefix("push_")

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        """Call the function with values in the holes.

        Raises
        ------
        CompilationError
            If a function among the arguments changes what it holds, or what the program reads from outside.
        """
        args, kwargs, made = self._arguments.filled(values)
        arrays = [x for x in (*values, *made) if type(x) is np.ndarray] if self.is_checked else []
        before = [x.copy() for x in arrays]
        try:
            answer = self._called(args, kwargs, made)
            self._check(not any(map(_differ, arrays, before)))
        except Exception:  # the program itself is run next, and finds everything as it was
            for x, then in zip(arrays, before, strict=True):
                if _differ(x, then):
                    x[...] = then
            self.difference()
            raise
        return answer

    def _called(self, args: list[Any], kwargs: dict[str, Any], made: list[Any]) -> tuple[Any, ...]:
        held = [(x, then) for x in made if (then := _content(x)) is not None]
        answer = self._function(*args, **kwargs)
        if answer is None and self.has_pullback:
            raise NotOneCallError
        self._check(all(_is_content(_content(x), then) for x, then in held) and self.difference() is None)
        y, *pullbacks = answer if self.has_pullback else (answer,)
        if self.answer is _ASKED:
            self.answer = y
        leaves: list[Any] = []
        said = described(y, leaves)
        return said, *leaves, *map(KeptPullback, pullbacks)

    def _check(self, is_as_before: bool) -> None:
        if not is_as_before:
            raise CompilationError(
                f"a function that `{self.search}` calls changes what it holds: an item, an attribute, an "
                "array or a variable of the function around it"
            )


class KeptPullback:
    """A pullback, which may keep what its function was given."""

    __slots__ = ("pull",)

    def __init__(self, pull: Callable[[Any], Any]) -> None:
        self.pull = pull


def pull(pullback: KeptPullback, y_bar: Any, wanted: Container[int]) -> Any:
    """The cotangents that a pullback gives, at the wanted places: others may be thunks that take long."""
    x_bars = pullback.pull(y_bar)
    return tuple(x_bar if i in wanted else NO_TANGENT for i, x_bar in enumerate(x_bars))
