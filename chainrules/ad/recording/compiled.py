"""`compiled`: functions that are recorded once for each signature, and run as straight-line NumPy."""

import contextlib
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.switch import BLOCKS, is_watched
from chainrules.ad.recording.batching import rows as _rows  # noqa: F401 - Jacobians are recorded as one batch
from chainrules.ad.recording.donating import Donated, SpentError, copies, own_memory
from chainrules.ad.recording.entry import rules_changed
from chainrules.ad.recording.literals import NotWritableError
from chainrules.ad.recording.native import find_numba
from chainrules.ad.recording.recorder import IS_RECORDING, RECORDING, beside_the_program
from chainrules.ad.recording.refused import CompilationError, CompilationWarning, message_of, with_place
from chainrules.ad.recording.running import MISS, difference_between
from chainrules.ad.recording.saving import save
from chainrules.ad.recording.signature import UnknownArgumentError, check_function, signature_of
from chainrules.ad.recording.tape import FailedError, NotRecordableError, reason_of
from chainrules.ad.recording.variant import Target, Variant, checked_variant, described_call, make_variant
from chainrules.ad.recording.variant_table import VariantTable
from chainrules.ad.recording.written import Programs
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.watching.observing import observers
from chainrules_core import contains_carrier, debug_mode

# In debug mode every tenth call is compared.
_EVERY = 10
# So many variants are asked first, in the order of their latest answers: programs that decide alternate.
_MOST_ASKED_FIRST = 4
# Recording takes as long as some calls of the function: it has to pay.
_CALLS_PER_RECORDING = 10


class Compiled(Derived):
    """The function that `compiled` returns."""

    unnamed, remembers = "compiled", True

    def __init__(  # noqa: PLR0913 - the options of `compiled`
        self,
        f: Callable[..., Any],
        *,
        strict: bool = False,
        most_variants: int = 32,
        compare: bool = True,
        donate: Donated = False,
        numba: bool = False,
    ) -> None:
        check_function(f)
        self.f, self.donate, self.numba = f, donate, numba
        self._target: Target = "numba" if numba and find_numba() else "here"
        self.strict, self.most_variants, self.compare = strict, most_variants, compare
        self._by_signature: dict[Any, list[Variant]] = {}
        self._plain: dict[Any, tuple[str, Any, str]] = {}
        self._recordings = self._answered = self._debugged = 0  # what was forgotten answered, too
        self._told, self._at = set[Any](), rules_changed[0]
        self._latest, self._programs = list[Variant](), Programs()  # those are asked first
        self.__post_init__()

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run what was recorded for such arguments, or the function itself, which is recorded then."""
        latest = self._latest
        for variant in latest:
            y = variant.enter(args, kwargs)
            if y is not MISS:
                variant.calls += 1
                if variant is not latest[0]:
                    self._ask_first(variant)
                return y
        if observers() or (BLOCKS and is_watched()) or _holds_carrier(args, kwargs):
            return self._followed(args, kwargs)
        leaves: list[Any] = []
        try:
            key = signature_of(args, kwargs, leaves), tuple(np.geterr().values())
        except UnknownArgumentError as error:
            return self._plainly(type(error), str(error), None, args, kwargs)
        self._forget_if_rules_changed()
        if debug_mode():
            return self._in_debug_mode(key, leaves, args, kwargs)
        if key in self._plain:
            return self._plainly(key, *self._plain[key][:2], args, kwargs)
        return self._by_what_is_known(key, leaves, args, kwargs)

    def _by_what_is_known(self, key: Any, leaves: list[Any], args: Any, kwargs: Any) -> Any:
        for variant in self._up_to_date(key):
            if any(map(variant.surroundings.holds, leaves)):
                return self._followed(args, kwargs)  # an argument that it also reaches from outside
            is_compared = variant.is_compared or not self.compare
            y = variant.run(leaves if is_compared else self._spared(leaves))
            if y is not MISS:
                variant.calls += 1
                if is_compared:
                    self._ask_first(variant.first())
                return y if is_compared else self._compared(key, variant, y, args, kwargs)
        return self._recorded(key, leaves, args, kwargs)

    def __getstate__(self) -> dict[str, Any]:
        """All but what was recorded, which is recorded anew in another process."""
        names = ("f", "strict", "most_variants", "compare", "donate", "numba")
        return {name: getattr(self, name) for name in names}

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
            with beside_the_program():
                return checked_variant(self.f, args, kwargs, self.donate, self._target).source
        except (NotRecordableError, UnknownArgumentError) as error:
            raise CompilationError(message_of(self.__name__, *reason_of(error))) from error

    def save(self, path: Any, /, *args: Any, **kwargs: Any) -> None:
        """Write the program for these arguments as a module of its own, which needs NumPy and what it calls.

        Parameters
        ----------
        path
            The path of the module, such as ``"gradient.py"``; its function has the same name. Large constants
            are written beside it, to ``"gradient.npz"``.
        args, kwargs
            The arguments to record the function for. The saved one takes arguments of the same kind; it
            raises an error for others, and where values decide otherwise.

        Raises
        ------
        CompilationError
            If the function cannot be recorded, or if the program holds what has no text.
        """
        try:
            with beside_the_program():
                save(self.f, path, args, kwargs)
        except NotWritableError as error:
            reason = f"compiled: {self.__name__} cannot be saved, since its program has {error}."
            raise CompilationError(reason) from error
        except (NotRecordableError, UnknownArgumentError) as error:
            raise CompilationError(message_of(self.__name__, *reason_of(error))) from error

    @property
    def variants(self) -> VariantTable:
        """What was recorded so far, as a table: of each program the arguments, operations, guards, calls."""
        rows = [variant.row() for variant in self._all_variants()]
        refusals = [(text, with_place(reason, place)) for reason, place, text in list(self._plain.values())]
        return VariantTable(tuple(rows), tuple(refusals))

    def explained(self) -> str:
        """What was recorded and what was not, and why; a differentiation follows the function itself."""
        table = self.variants
        recorded = [f"recorded for ({row.signature})" for row in table]
        refused = [
            f"as it is written for ({signature}), since {reason}" for signature, reason in table.refusals
        ]
        return f"it is compiled: {'; '.join(recorded + refused) or 'nothing is recorded yet'}"

    def _all_variants(self) -> list[Variant]:
        return [variant for variants in list(self._by_signature.values()) for variant in list(variants)]

    def _up_to_date(self, key: Any) -> Iterator[Variant]:
        """The variants for a signature whose surroundings are as they were; the others are forgotten."""
        variants = self._by_signature.get(key, [])
        for variant in list(variants):
            if variant.surroundings.difference() is None:
                yield variant
            else:
                with contextlib.suppress(ValueError):  # another thread may have been here
                    variants.remove(variant)
                    self._latest = [x for x in self._latest if x is not variant]
                    self._answered += variant.calls

    def _ask_first(self, variant: Variant) -> None:
        others = [x for x in self._latest if x is not variant]
        self._latest = [variant, *others[: _MOST_ASKED_FIRST - 1]]  # another thread may be in the old list

    def _followed(self, args: Any, kwargs: Any) -> Any:
        """What the function itself returns; a differentiation or a recording sees what it does."""
        is_entered = IS_RECORDING.get() or is_traced((self.f, args, kwargs))
        return choose(self.f)(*args, **kwargs) if is_entered else self.f(*args, **kwargs)

    def _in_debug_mode(self, key: Any, leaves: list[Any], args: Any, kwargs: Any) -> Any:
        """What the function itself returns, with which what was recorded is compared at some calls."""
        plain = self._followed(args, kwargs)
        self._debugged += 1
        if self._debugged % _EVERY != 1 or key in self._plain:
            return plain
        for variant in self._up_to_date(key):
            y = MISS if any(map(variant.surroundings.holds, leaves)) else variant.run(self._spared(leaves))
            found = None if y is MISS else difference_between(y, plain)
            if found is not None:
                return self._differing(key, found, args, kwargs, plain)
            if y is not MISS:
                return plain
        self._recorded(key, leaves, args, kwargs, plain)
        return plain

    def _recorded(self, key: Any, leaves: list[Any], args: Any, kwargs: Any, *known: Any) -> Any:
        if is_traced(self.f):
            return self._followed(args, kwargs)  # it holds what is differentiated
        variants = self._by_signature.get(key, [])
        if len(variants) >= self.most_variants:
            self._answered += sum(variant.calls for variant in variants)
            self._by_signature.pop(key, None)
            self._latest = []
            reason = f"it decides in more than {self.most_variants} ways"
            return self._plainly(key, reason, None, args, kwargs, *known)
        often = self._recorded_too_often()
        if often is not None:
            return self._plainly(None, often, None, args, kwargs, *known)
        made = self._made(key, leaves, args, kwargs) if self.strict else None  # before it has effects
        plain = known[0] if known else self.f(*args, **kwargs)  # it says what is right, and imports rules
        self._forget_if_rules_changed()
        made = made or self._made(key, leaves, args, kwargs)
        if made is None:
            return plain
        if not isinstance(made, Variant):
            return self._plainly(key, *reason_of(made), args, kwargs, plain)
        with beside_the_program():
            y = made.run(self._spared(leaves))
        found = "it does not run" if y is MISS else difference_between(y, plain)
        if found is not None:
            return self._differing(key, found, args, kwargs, plain)
        made.is_compared = not self.compare
        if made.branch is not None:
            made.branch.join(made, len(leaves), self._ask_first)
        self._by_signature.setdefault(key, []).insert(0, made)
        return y

    def _recorded_too_often(self) -> str | None:
        """Why nothing more is recorded now: few of the calls that were recorded came again."""
        answered = self._answered + sum(variant.calls for variant in self._all_variants())
        if self._recordings < self.most_variants or answered >= _CALLS_PER_RECORDING * self._recordings:
            return None
        return (
            f"it was recorded {self._recordings} times, and few calls came again: whole numbers, text, "
            "shapes, or what it reads from outside differ from call to call"
        )

    def _made(
        self, key: Any, leaves: list[Any], args: Any, kwargs: Any
    ) -> Variant | NotRecordableError | None:
        """A variant, or the reason why there is none; `None` if another thread made one while we waited."""
        known = self._recordings
        with RECORDING:
            is_alone = known == self._recordings
            if not is_alone and any(
                variant.run(self._spared(leaves)) is not MISS for variant in self._up_to_date(key)
            ):
                return None
            self._recordings += 1
            return self._made_now(key, args, kwargs)

    def _made_now(self, key: Any, args: Any, kwargs: Any) -> Variant | NotRecordableError:
        try:
            with beside_the_program():
                others, programs = self._by_signature.get(key, []), self._programs
                return make_variant(self.f, args, kwargs, self.donate, self._target, others, programs)
        except FailedError as error:  # the function may fail by itself, which is found out next
            return error
        except NotRecordableError as error:
            if self.strict:
                raise CompilationError(message_of(self.__name__, *reason_of(error))) from error
            return error

    def _spared(self, leaves: list[Any]) -> list[Any]:
        """Arguments for a program, where the function needs them afterwards."""
        return copies(leaves) if self.donate else leaves

    def _forget_if_rules_changed(self) -> None:
        if self._at != rules_changed[0]:
            self._by_signature.clear()
            self._plain.clear()
            self._latest = []
            self._at = rules_changed[0]

    def _compared(self, key: Any, variant: Variant, y: Any, args: Any, kwargs: Any) -> Any:
        """`y`, the first result of a variant for other arguments, once it is compared with the plain one."""
        with beside_the_program():
            plain = self.f(*args, **kwargs)
        found = difference_between(y, plain)
        if found is None:
            variant.is_compared = True
            return y
        return self._differing(key, found, args, kwargs, plain)

    def _differing(self, key: Any, found: str, args: Any, kwargs: Any, plain: Any) -> Any:
        """`plain`, for which something else was generated; in debug mode that is an error."""
        self._by_signature.pop(key, None)
        self._latest = []
        reason = f"what was generated differs from the function ({found})"
        if debug_mode():
            raise CompilationError(message_of(self.__name__, reason, None))
        return self._plainly(key, reason, None, args, kwargs, plain)

    def _plainly(self, key: Any, reason: str, place: Any, args: Any, kwargs: Any, *known: Any) -> Any:
        if key is not None and key not in self._plain:
            self._plain[key] = reason, place, described_call(self.f, args, kwargs)
        if self.strict:
            raise CompilationError(message_of(self.__name__, reason, place))
        if (key, reason) not in self._told:
            self._told.add((key, reason))
            warnings.warn(
                message_of(self.__name__, reason, place), CompilationWarning, stacklevel=_frames_of_ours()
            )
        return known[0] if known else self._followed(args, kwargs)


class Donating(Compiled):
    """The function for arguments whose memory may be reused."""

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run what was recorded, or the function, for arrays that nobody needs afterwards."""
        args, kwargs = own_memory(args, kwargs, self.donate)
        try:
            return super().__call__(*args, **kwargs)
        except SpentError as error:
            raise error.__cause__ or error from None


def _frames_of_ours() -> int:
    """How many frames there are below the one that called a compiled function."""
    frame, count = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename == __file__:
        frame, count = frame.f_back, count + 1
    return count


def _holds_carrier(args: Any, kwargs: Any) -> bool:
    return any(map(contains_carrier, (*args, *kwargs.values())))


def compiled(  # noqa: PLR0913 - options have names
    f: Callable[..., Any],
    *,
    strict: bool = False,
    most_variants: int = 32,
    compare: bool = True,
    donate: Donated = False,
    numba: bool = False,
) -> Compiled:
    """Make a function faster: record its NumPy operations once, and run only these afterwards.

    The first call with arguments of a new kind runs `f` itself, records what it computes, and generates a
    NumPy program from that. Later calls with arguments of the same kind run the program. Arguments are of
    one kind if their containers, dtypes and shapes are the same, and all whole numbers, flags and text in
    them are equal.

    What cannot be recorded, such as a function that prints, runs as it is written. A `CompilationWarning`
    says why.

    Parameters
    ----------
    f
        A function of numbers, arrays, and lists, tuples and dicts of these. Often it is a derivative, such
        as ``grad(loss)``.
    strict
        Raise a `CompilationError` in the place of the warning.
    most_variants
        How many programs are kept for one kind of arguments. There is one for each way through the ``if``
        and loops of `f`. If more are needed, `f` runs as it is written for arguments of this kind.
    compare
        Compare the result of each program with that of `f`, the first time that it runs for other numbers
        than it was recorded for. If they differ, `f` runs as it is written from then on.
    donate
        Arguments whose memory the program may use for its results: all (``True``), or those at these
        positions, such as ``(0,)``. The elements of these arrays are undefined after the call.
    numba
        Let numba compile programs of floats. It has to be installed.

    Returns
    -------
    function
        A function of the same arguments. ``function.source(*args)`` is the program as text, and
        ``function.variants`` a table of all programs. The arrays that it returns are new ones.

    Raises
    ------
    CompilationError
        By a call, if ``strict=True`` and `f` cannot be recorded.

    Examples
    --------
    >>> import numpy as np
    >>> from chainrules.ad import compiled, grad
    >>> gradient = compiled(grad(np.linalg.norm))
    >>> gradient(np.array([3.0, 4.0]))
    array([0.6, 0.8])
    """
    cls = Donating if donate is True or donate else Compiled
    return cls(f, strict=strict, most_variants=most_variants, compare=compare, donate=donate, numba=numba)
