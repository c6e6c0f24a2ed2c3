"""Blocks of `warnings.catch_warnings` that ignore warnings, inside of a program that is recorded.

NumPy warns by the state that `numpy.errstate` sets. So a block that ignores its warnings is recorded as one
that sets that state, and what runs inside of it warns of nothing at later calls, too.
"""

import contextlib
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.recording.tape import Tape


class Silencing:
    """What is called in the place of `catch_warnings`, `simplefilter` and `filterwarnings`.

    Parameters
    ----------
    tape
        What is recorded.

    Attributes
    ----------
    ignored
        For each open block, the categories of warnings that it ignores.
    """

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self.ignored: list[list[type[Warning]]] = []

    def call_of(self, f: Any) -> Callable[..., Any] | None:
        """What is called in the place of one of them; `None` for all others."""
        if f is warnings.catch_warnings:
            return self._block
        if f is warnings.simplefilter:
            return self._ignore
        return self._ignore_messages if f is warnings.filterwarnings else None

    def categories(self) -> tuple[type[Warning], ...]:
        """Those that are ignored here."""
        return tuple(category for block in self.ignored for category in block)

    def _block(self, *, record: bool = False, module: Any = None, action: Any = None, **options: Any) -> Any:
        if record or module is not None:
            raise self._refused("it catches warnings, to look at them")
        return _Block(self, None if action is None else lambda: self._ignore(action, **options))

    def _ignore_messages(
        self, action: Any, message: str = "", category: Any = Warning, module: str = "", **options: Any
    ) -> None:
        if message or module:
            raise self._refused("it ignores some warnings by their text, or by where they come from")
        self._ignore(action, category, **options)

    def _ignore(self, action: Any, category: Any = Warning, lineno: int = 0, append: bool = False) -> None:
        if not self.ignored or action != "ignore" or lineno or append:
            raise self._refused("it changes the filters of warnings, other than to ignore some in a block")
        warnings.simplefilter("ignore", category)
        self.ignored[-1].append(category)
        if issubclass(RuntimeWarning, category):
            quiet: dict[str, Any] = {kind: "ignore" for kind, mode in np.geterr().items() if mode == "warn"}
            np.seterr(**quiet)

    def _refused(self, reason: str) -> Exception:
        return self._tape.refuse(f"{reason}; do so around the compiled function")


class _Block:
    """One block."""

    def __init__(self, silencing: Silencing, begin: Callable[[], None] | None) -> None:
        self._silencing, self._begin = silencing, begin
        self._blocks = contextlib.ExitStack()

    def __enter__(self) -> None:
        for block in (warnings.catch_warnings(), np.errstate()):
            self._blocks.enter_context(block)
        self._silencing.ignored.append([])
        if self._begin is not None:
            self._begin()

    def __exit__(self, *error: object) -> None:
        self._silencing.ignored.pop()
        self._blocks.close()


def silently(categories: tuple[type[Warning], ...], f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that ignores some warnings."""

    def call(*args: Any, **kwargs: Any) -> Any:
        with warnings.catch_warnings():
            for category in categories:
                warnings.simplefilter("ignore", category)
            return f(*args, **kwargs)

    return call if categories else f
