"""`compiled`: functions that are recorded once for each signature, and run as straight-line NumPy."""

import contextlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.switch import BLOCKS
from chainrules.ad.recording.batching import rows as _rows  # noqa: F401 - Jacobians are recorded as one batch
from chainrules.ad.recording.recorder import IS_RECORDING
from chainrules.ad.recording.running import MISS, difference_between
from chainrules.ad.recording.signature import UnknownArgumentError, leaves_of, repeated
from chainrules.ad.recording.tape import FailedError, NotRecordableError
from chainrules.ad.recording.variant import Variant, make_variant
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.watching.observing import observers
from chainrules_core import ChainRulesError, contains_carrier, debug_mode, on_changed_rules


class CompilationWarning(UserWarning):
    """A function was not recorded, and runs plainly."""


class CompilationError(ChainRulesError, TypeError):
    """A function was not recorded, and was to be."""


# How often rules were changed: what was recorded before is not used again.
_rules_changed = [0]


@on_changed_rules
def _forget() -> None:
    _rules_changed[0] += 1


class Compiled(Derived):
    """The function that `compiled` returns."""

    unnamed = "compiled"

    def __init__(
        self, f: Callable[..., Any], *, strict: bool = False, most_variants: int = 32, compare: bool = True
    ) -> None:
        self.f = f
        self.strict, self.most_variants, self.compare = strict, most_variants, compare
        self._by_signature: dict[Any, list[Variant]] = {}
        self._plain: dict[Any, tuple[str, Any]] = {}
        self._told: set[Any] = set()
        self._at = _rules_changed[0]
        self.__post_init__()

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run what was recorded for such arguments, or the function itself, which is recorded then."""
        if debug_mode() or observers() or BLOCKS or _holds_carrier(args, kwargs):
            # A differentiation, a recording or whoever watches has to see what the function does.
            is_followed = IS_RECORDING.get() or is_traced((args, kwargs))
            return choose(self.f)(*args, **kwargs) if is_followed else self.f(*args, **kwargs)
        leaves: list[Any] = []
        try:
            key = (leaves_of((args, kwargs), leaves), repeated(leaves), tuple(np.geterr().values()))
        except UnknownArgumentError as error:
            return self._plainly(type(error), str(error), None, args, kwargs)
        self._forget_if_rules_changed()
        if key in self._plain:
            return self._plainly(key, *self._plain[key], args, kwargs)
        for variant in _up_to_date(self._by_signature.get(key, [])):
            if any(map(variant.surroundings.holds, leaves)):
                return self.f(*args, **kwargs)  # an argument that it also reaches from outside
            y = variant.run(leaves)
            if y is not MISS:
                is_compared = variant.is_compared or not self.compare
                variant.calls += 1
                return y if is_compared else self._compared(key, variant, y, args, kwargs)
        return self._recorded(key, leaves, args, kwargs)

    def __getstate__(self) -> dict[str, Any]:
        """All but what was recorded, which is recorded anew in another process."""
        return {
            "f": self.f,
            "strict": self.strict,
            "most_variants": self.most_variants,
            "compare": self.compare,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state.pop("f"), **state)  # type: ignore[misc]  # as it was called

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The program that is generated for these arguments, as text.

        Raises
        ------
        CompilationError
            If the function cannot be recorded for them.
        """
        try:
            with _silence():
                return make_variant(self.f, args, kwargs).source
        except (NotRecordableError, UnknownArgumentError) as error:
            raise CompilationError(_message(self, *_reason_of(error))) from error

    @property
    def variants(self) -> list[dict[str, Any]]:
        """What was recorded so far: of each program the signature, operations, guards, calls and seconds."""
        return [
            {
                "signature": key[0],
                "operations": variant.operations,
                "guards": variant.guards,
                "calls": variant.calls,
                "seconds": variant.seconds,
            }
            for key, variants in self._by_signature.items()
            for variant in variants
        ]

    def _recorded(self, key: Any, leaves: list[Any], args: Any, kwargs: Any) -> Any:
        made = self._made(args, kwargs) if self.strict else None  # before the function has effects
        plain = self.f(*args, **kwargs)  # it says what is right, and imports rules
        self._forget_if_rules_changed()
        variants = self._by_signature.setdefault(key, [])
        if len(variants) >= self.most_variants:
            variants.clear()
            reason = f"it decides in more than {self.most_variants} ways"
            return self._plainly(key, reason, None, args, kwargs, plain)
        made = made or self._made(args, kwargs)
        if not isinstance(made, Variant):
            return self._plainly(key, *_reason_of(made), args, kwargs, plain)
        with _silence():
            y = made.run(leaves)
        found = "it does not run" if y is MISS else difference_between(y, plain)
        if found is not None:
            reason = f"what was generated differs from the function ({found})"
            return self._plainly(key, reason, None, args, kwargs, plain)
        variants.insert(0, made)
        return y

    def _made(self, args: Any, kwargs: Any) -> Variant | NotRecordableError:
        """A variant, or the reason why there is none."""
        try:
            with _silence():
                return make_variant(self.f, args, kwargs)
        except FailedError as error:  # the function may fail by itself, which is found out next
            return error
        except NotRecordableError as error:
            if self.strict:
                raise CompilationError(_message(self, *_reason_of(error))) from error
            return error

    def _forget_if_rules_changed(self) -> None:
        if self._at != _rules_changed[0]:
            self._by_signature.clear()
            self._plain.clear()
            self._at = _rules_changed[0]

    def _compared(self, key: Any, variant: Variant, y: Any, args: Any, kwargs: Any) -> Any:
        """`y`, the first result of a variant for other arguments, once it is compared with the plain one."""
        with _silence():
            plain = self.f(*args, **kwargs)
        found = difference_between(y, plain)
        if found is None:
            variant.is_compared = True
            return y
        self._by_signature.pop(key, None)
        return self._plainly(
            key, f"what was generated differs from the function ({found})", None, args, kwargs, plain
        )

    def _plainly(self, key: Any, reason: str, place: Any, args: Any, kwargs: Any, *known: Any) -> Any:
        self._plain[key] = reason, place
        message = _message(self, reason, place)
        if self.strict:
            raise CompilationError(message)
        if (key, reason) not in self._told:
            self._told.add((key, reason))
            warnings.warn(message, CompilationWarning, stacklevel=3)
        return known[0] if known else self.f(*args, **kwargs)


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Without warnings, where the program runs a second time for the same arguments."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _holds_carrier(args: Any, kwargs: Any) -> bool:
    return any(map(contains_carrier, (*args, *kwargs.values())))


def _up_to_date(variants: list[Variant]) -> Iterator[Variant]:
    """The variants whose surroundings are as they were; the others are forgotten."""
    for variant in list(variants):
        if variant.surroundings.difference() is None:
            yield variant
        elif variant in variants:  # another thread may have been here
            variants.remove(variant)


def _reason_of(error: Exception) -> tuple[str, Any]:
    return error.args if len(error.args) == 2 else (str(error), None)


def _message(f: Compiled, reason: str, place: Any) -> str:
    where = "" if place is None else f" ({place[0]}, line {place[1]})"
    return f"compiled: {f.__name__} runs as it is written, since {reason}{where}."


def compiled(
    f: Callable[..., Any], *, strict: bool = False, most_variants: int = 32, compare: bool = True
) -> Compiled:
    """A function that is recorded at the first call of each kind, and run as straight-line NumPy afterwards.

    Parameters
    ----------
    f
        A function of numbers, arrays, and built-in containers of these, such as ``grad(loss)``.
    strict
        Whether to raise where the function cannot be recorded, instead of running it as it is written.
    most_variants
        How many programs to keep for one signature; a function that decides in more ways runs as it is
        written.
    compare
        Whether the first result of each program for other arguments is compared with the function's own.

    Returns
    -------
    function
        Of the same arguments. ``source(*args)`` is the text of what runs, ``variants`` a list of what was
        recorded. Its arrays belong to the caller.

    Raises
    ------
    CompilationError
        When called, with ``strict=True``: if the function cannot be recorded.
    """
    return Compiled(f, strict=strict, most_variants=most_variants, compare=compare)
