"""A variant: the program that was generated from one recording, and when it may run."""

import functools
import inspect
import time
from collections.abc import Callable, Collection
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, Literal

from chainrules.ad.recording.branching import Branch, Trunk, branch_of, trunk_of
from chainrules.ad.recording.donating import Donated, copies, donated_leaves, free_arguments
from chainrules.ad.recording.entry import Entry, entry_of
from chainrules.ad.recording.frames import without_collections
from chainrules.ad.recording.generated import defined
from chainrules.ad.recording.naming import parameter_names
from chainrules.ad.recording.native import NativeText, is_compiled, is_native
from chainrules.ad.recording.passes import Needed
from chainrules.ad.recording.recorder import Recording, record_program
from chainrules.ad.recording.running import MISS, SCOPE, difference_between
from chainrules.ad.recording.signature import described, described_record, is_record, leaves_of
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.source import Text
from chainrules.ad.recording.surroundings import Surroundings
from chainrules.ad.recording.tape import NotRecordableError, Tape
from chainrules.ad.recording.variant_table import VariantRow
from chainrules.ad.recording.written import Generated, Programs, written_down

Target = Literal["here", "alone", "numba"]
"""Where a program runs: here, without this package, or here and by numba as far as that can compile it."""


@dataclass(slots=True, eq=False)
class Variant:
    """A generated program.

    Attributes
    ----------
    source
        Its text.
    enter
        Runs it for ``(args, kwargs)``, if they and all else are as they were.
    surroundings
        What has to be as it was, for the program to be right.
    signature
        The arguments that it is for, as text.
    operations, guards
        How many there are.
    seconds
        The time that recording and generating took.
    calls
        How often it answered.
    is_compared
        Whether its first answer to other arguments was compared with the plain result.
    trunk
        It, if others may go on behind its decisions.
    branch
        What it is where another one goes on by it.
    """

    source: str
    program: Callable[..., Any]
    enter: Entry
    surroundings: Surroundings
    signature: str
    operations: int
    guards: int
    seconds: float
    calls: int = 0
    is_compared: bool = False
    trunk: Trunk | None = None
    branch: Branch | None = None

    def first(self) -> "Variant":
        """The variant to ask first, which goes on by this one where it decides otherwise; or this one."""
        variant: Any = self
        while variant.branch is not None:
            variant = variant.branch.parent
        return variant if variant.is_compared else self

    def row(self) -> VariantRow:
        """The row of a table."""
        return VariantRow(self.signature, self.operations, self.guards, self.calls, self.seconds)

    def run(self, leaves: list[Any]) -> Any:
        """The result for other numbers and arrays; `MISS` where the program decides otherwise, or fails.

        The plain program says then what is right, and raises its own error.
        """
        try:
            return self.program(*leaves)
        except Exception:  # noqa: BLE001 - whatever it is, the plain program raises it again
            return MISS


def make_variant(  # noqa: PLR0913, PLR0917 - each has a name
    f: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    donate: Donated = False,
    target: Target = "here",
    others: Collection[Variant] = (),
    programs: Programs | None = None,
) -> Variant:
    """Record a program, and generate straight-line source from what was written down.

    Parameters
    ----------
    f, args, kwargs
        The function, and what it is called with.
    donate
        Which arguments may be written into.
    target
        Where the program is to run.
    others
        The variants for the same signature, which may go on by this one.
    programs
        Those that were generated for the function, of which one may be this one.

    Raises
    ------
    NotRecordableError
        If a recording could not be believed.
    """
    # A recording is garbage as soon as its program is generated, and quickly collected if it is young then.
    # To compile a program by numba takes too long for that.
    with nullcontext() if target == "numba" else without_collections():
        return _made_variant(f, args, kwargs, donate, target, others, programs or Programs())


def _made_variant(  # noqa: PLR0913, PLR0917 - as above
    f: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    donate: Donated,
    target: Target,
    others: Collection[Variant],
    programs: Programs,
) -> Variant:
    began = time.perf_counter()
    recording = record_program(f, args, kwargs)
    # An error behind the first write into donated memory cannot be caught any more.
    is_donated = donated_leaves(args, kwargs, donate if not recording.tape.catches else False)
    donated = free_arguments(recording.inputs, is_donated)
    parameters = parameters_of(f, args, kwargs)
    leaf_names = parameter_names([made for name, x in parameters for made in _names_within(name, x)])
    name = f"<compiled {getattr(f, '__name__', 'function')} {id(recording):x}>"
    is_alike = target == "here" and not donated  # as others of the function are, and may go on by it
    written = written_down(recording, leaf_names) if is_alike and not others else None
    text = programs.same(written, recording, name) if written is not None else None
    needed: Needed | None = None
    if text is None and target == "numba":
        text = _native(recording, donated, leaf_names, (args, kwargs), name)
    if text is None:
        # A saved program cannot be recorded anew for larger numbers.
        needed = Needed(recording, donated=donated, assumes=target != "alone")
        text = _generated(Text(recording, needed, leaf_names, SCOPE, target == "alone"), needed)
        programs.define(text, written, needed.asked, name)
    program = text.scope["program"]
    made = Variant(
        text.source,
        program,
        entry_of(program, args, kwargs, recording.surroundings),
        recording.surroundings,
        _described(parameters),
        text.operations,
        text.guards,
        0.0,
    )
    if is_alike:
        scope: Any = made.enter
        install = functools.partial(scope.__globals__.__setitem__, "program")
        made.branch = branch_of(others, recording, needed, leaf_names, f"{name} goes on") if needed else None
        root = None if made.branch else trunk_of(text, name, leaf_names, recording, install)
        made.trunk = made.branch.trunk if made.branch else root
    _forget(recording.tape)
    made.seconds = time.perf_counter() - began
    return made


def _forget(tape: Tape) -> None:
    """Let go of all values of a recording: what was noted, and what is called whole, keeps its tape."""
    tape.steps, tape.alive, tape.owners, tape.constants = [], [], {}, {}


def _generated(text: Text, needed: Needed) -> Generated:
    operations = sum(step in {"operation", "write"} for step in needed.kinds())
    return Generated(text.source, text.scope, text.turns, text.guards, operations)


def _native(
    recording: Recording, donated: frozenset[Slot], names: list[str], call: Any, name: str
) -> Generated | None:
    """The program by numba, if that can compile it; nothing is assumed, since it sees what is not finite."""
    needed, leaves = Needed(recording, donated=donated), list[Any]()
    if not is_native(recording, needed):
        return None
    text = NativeText(recording, needed, names, SCOPE)
    defined(text.source, text.scope, name)
    leaves_of(call, leaves)
    return _generated(text, needed) if is_compiled(text, leaves) else None


def checked_variant(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    donate: Donated = False,
    target: Target = "here",
) -> Variant:
    """A variant whose result for these arguments is that of the function.

    Raises
    ------
    NotRecordableError
        If it is not, or if there is none.
    """
    made = make_variant(f, args, kwargs, donate, target)
    leaves: list[Any] = []
    leaves_of((args, kwargs), leaves)
    y = made.run(copies(leaves) if donate else leaves)
    found = "it does not run" if y is MISS else difference_between(y, f(*args, **kwargs))
    if found is not None:
        raise NotRecordableError(f"what was generated differs from the function ({found})", None)
    return made


def described_call(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The arguments of a call, each by its name and kind."""
    return _described(parameters_of(f, args, kwargs))


def _described(given: list[tuple[str, Any]]) -> str:
    return ", ".join(f"{name}: {described(x, described_record)}" for name, x in given)


def parameters_of(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[tuple[str, Any]]:
    """The arguments, each with the name of its parameter; of ``*rest`` all have that name."""
    parameters: dict[str, inspect.Parameter] = {}
    try:
        signature = inspect.signature(f)
        parameters.update(signature.parameters)
        given = signature.bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        given = {}
    positional: list[str] = []
    for name in given:
        if parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
            positional += [name] * len(given[name])
        elif parameters[name].kind is not inspect.Parameter.VAR_KEYWORD:
            positional.append(name)
    positional = [name for name in positional if name not in kwargs] + ["x"] * len(args)
    return [*zip(positional, args, strict=False), *kwargs.items()]


def _names_within(name: str, x: Any) -> list[str]:
    if isinstance(x, dict):
        return [made for key, part in x.items() for made in _names_within(str(key), part)]
    if isinstance(x, tuple | list):
        return [made for part in x for made in _names_within(name, part)]
    if is_record(x):
        return _names_within(name, vars(x))
    leaves: list[Any] = []
    leaves_of(x, leaves)
    return [name] * len(leaves)
