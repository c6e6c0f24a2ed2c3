"""Variants that share what they have in common: one program goes on where another decides otherwise.

Up to the decision by which they part, two recordings have the same operations. So the text of the first one
calls a text of the second there, which is given what has been computed, and has the rest of the operations.
"""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import numpy as np

from chainrules.ad.recording.constants import are_same_sparse, is_sparse
from chainrules.ad.recording.error_state import modes, switching
from chainrules.ad.recording.generated import defined
from chainrules.ad.recording.naming import RESERVED, free_name
from chainrules.ad.recording.passes import Needed
from chainrules.ad.recording.recorded import is_recorded
from chainrules.ad.recording.recorder import Recording, beside_the_program
from chainrules.ad.recording.running import MISS, SCOPE, difference_between
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.source import Text
from chainrules.ad.recording.surroundings import Surroundings
from chainrules.ad.recording.tape import DECIDING, Step, Tape, are_same_arrays, itself, mapped
from chainrules.ad.recording.turns import Before
from chainrules.ad.recording.unchanged import unchanged_test
from chainrules.ad.recording.written import Generated

# Where so few operations would be shared, a variant is asked by itself.
_FEW = 2
# After so many answers in a row a variant is asked by itself.
_ROW = 10
# Of longer programs the operations are not kept to be compared.
_MOST_KEPT = 10_000

_NAMES = ("divide", "over", "under", "invalid")


class Joined(Protocol):
    """What this room knows of a variant."""

    surroundings: Surroundings
    calls: int
    is_compared: bool
    trunk: "Trunk | None"
    branch: "Branch | None"

    def run(self, leaves: list[Any]) -> Any:
        """The result by itself."""


class Trunk:
    """A program behind whose decisions others may go on.

    Parameters
    ----------
    text, name
        Its text, and the name of that in tracebacks.
    parameters
        The names of the leaves of the arguments.
    recording
        What was recorded, with all that another program has done before this one.
    install
        Is given the program each time that another one goes on behind one more of its decisions.
    """

    def __init__(
        self,
        text: Text | Generated,
        name: str,
        parameters: list[str],
        recording: Recording,
        install: Callable[[Any], None],
    ) -> None:
        self._lines, self._scope, self._name = text.source.split("\n"), text.scope, name
        self._parameters, self.turns, self._install = parameters, text.turns, install
        last = max(text.turns.at)
        self.steps = [_as_kept(step) for step in recording.tape.steps[: last + 1]]
        self.branches: dict[int, Branch] = {}
        self.latest: Any = None  # the branch that answered, and how often the program itself had

    def parting(self, tape: Tape) -> int | None:
        """The number of the decision by which another recording parts; `None` if it does so elsewhere."""
        for i, (then, now) in enumerate(zip(self.steps, tape.steps, strict=False)):
            if not _is_same_step(then, now):
                is_turn = i in self.turns.at and then.kind == now.kind and _are_same(then.args, now.args)
                return i if is_turn else None
        return None

    def grow(self, branch: "Branch") -> None:
        """Go on by another program behind one of its decisions."""
        number, names = branch.number, {*self.turns.names(), *self._parameters, *RESERVED}
        known = self.branches.get(number)
        name = free_name(f"otherwise_{number}", names, self._scope) if known is None else known.name
        self.branches[number], branch.name, self._scope[name] = branch, name, branch.go_on
        turn = self.turns.at[number]
        line = self._lines[turn.line]
        given = ", ".join([*self._parameters, *branch.given])
        text = f"return {name}({given})"
        if turn.is_switched:
            outside = free_name("as_outside", names)
            errors = dict(zip(_NAMES, modes(), strict=True))
            self._scope[outside] = switching(lambda: np.errstate(**errors))  # type: ignore[arg-type]  # four names
            text = f"with {outside}(): {text}"
        self._lines[turn.line] = line[: len(line) - len(line.lstrip())] + text
        defined("\n".join(self._lines), self._scope, self._name)
        self._install(self._scope["program"])


class Branch:
    """What a variant is where another one goes on by it.

    Attributes
    ----------
    parent, number
        The other variant, and the number of the step by which they part.
    given
        The names of the values that it hands over.
    program
        A function of the leaves of the arguments, and of these values.
    trunk
        The same, if others may go on from it.
    """

    name = ""

    def __init__(self, parent: "Joined", before: Before, given: Iterable[str], text: Text) -> None:
        self.parent, self.number, self.given = parent, before.number, [*given]
        self.program: Callable[..., Any] = text.scope["program"]
        self.trunk: Trunk | None = None
        self._is_compared, self._row = False, 0

    def install(self, program: Callable[..., Any]) -> None:
        """Take another program in the place of this one."""
        self.program = program

    def join(self, variant: "Joined", count: int, ask_first: Callable[[Any], None]) -> None:
        """Let the other variant go on by this one.

        Parameters
        ----------
        variant
            This one, by itself.
        count
            How many leaves the arguments have.
        ask_first
            Is given the variant where calls take its way again and again, so that it is quicker by itself.
        """
        self.variant, self._is_as_it_was = variant, unchanged_test(variant.surroundings)
        self._outside = frozenset(variant.surroundings.numbers_of_arrays())
        self._count, self._ask_first = count, ask_first
        trunk = self.parent.trunk
        if trunk is not None:
            trunk.grow(self)

    def is_unchanged(self) -> bool:
        """Whether all that the variant read from outside is as it was."""
        return self.variant.surroundings.difference() is None

    def go_on(self, *given: Any) -> Any:
        """The result, from where the other variant decided otherwise."""
        variant, leaves = self.variant, given[: self._count]
        if not variant.is_compared or not self._is_as_it_was():
            return MISS
        if self._outside and not self._outside.isdisjoint(map(id, leaves)):
            return MISS
        calls = variant.calls
        y = self.program(*given)
        if y is MISS:
            return y
        if variant.calls == calls:  # nobody has gone on from here
            if not self._is_compared:  # with the whole program, which was compared with the function
                with beside_the_program():
                    plain = variant.run([*leaves])
                if difference_between(y, plain) is not None:
                    self.program = _missing
                    return MISS
                self._is_compared = True
            self._count_row()
        variant.calls += 1
        self.parent.calls -= 1
        return y

    def _count_row(self) -> None:
        """Let the variant be asked first, by itself, once it has answered many calls in a row."""
        root: Any = self.parent
        while root.branch is not None:
            root = root.branch.parent
        answers = self, root.calls  # which are more if it has answered by itself
        self._row = self._row + 1 if root.trunk.latest == answers else 1
        root.trunk.latest = answers
        if self._row % _ROW == 0:
            self._ask_first(self.variant)


def _missing(*_: Any) -> Any:
    return MISS


def branch_of(
    variants: Iterable["Joined"], recording: Recording, alone: Needed, parameters: list[str], name: str
) -> Branch | None:
    """How one of the variants goes on by what was recorded; `None` if it has little in common with them.

    Parameters
    ----------
    variants
        Those for the same signature.
    recording, alone
        What was recorded, and what of it is needed if it runs by itself.
    parameters
        The names of the leaves of the arguments.
    name
        That of the text, in tracebacks.
    """
    tape = recording.tape
    places = (_parting(variant, tape) for variant in variants if variant.branch is None)
    parent, number = next(filter(None, places), (None, 0))
    if parent is None or parent.trunk is None:
        return None
    is_decided = tape.steps[number].kind in DECIDING  # there are two ways
    before = parent.trunk.turns.before(number, is_decided)
    needed = Needed(recording, assumes=True, before=before)
    shared, repeated = (sum(i < number for i in some.steps) for some in (alone, needed))
    if shared - repeated <= _FEW:
        return None
    given = needed.given_of(before)
    text = Text(recording, needed, parameters, SCOPE, given=given)
    text.turns.decided = before.decided
    defined(text.source, text.scope, name)
    branch = Branch(parent, before, given.values(), text)
    branch.trunk = trunk_of(text, name, parameters, recording, branch.install)
    return branch


def trunk_of(
    text: Text | Generated,
    name: str,
    parameters: list[str],
    recording: Recording,
    install: Callable[[Any], None],
) -> Trunk | None:
    """A program behind whose decisions others may go on; `None` if it has none."""
    is_one = bool(text.turns.at) and max(text.turns.at) < _MOST_KEPT
    return Trunk(text, name, parameters, recording, install) if is_one else None


def _parting(variant: "Joined", tape: Tape) -> "tuple[Joined, int] | None":
    """The variant and its decision by which a recording parts from it, and from all that go on by now."""
    while variant.trunk is not None:
        number = variant.trunk.parting(tape)
        if number is None:
            return None
        branch = variant.trunk.branches.get(number)
        if branch is None or not branch.is_unchanged():
            return variant, number
        variant = branch.variant
    return None


def _as_kept(step: Step) -> Step:
    """A step with slots in the place of recorded values, and without the result, unless it was decided by."""
    value = None if step.kind in ("operation", "write") else step.value
    target = None if step.target is None else step.target._slot
    args, kwargs = _with_slots(step.args), _with_slots(dict(step.kwargs))
    return Step(step.kind, step.f, args, kwargs, value, (), target, None, ())


def _with_slots(x: Any) -> Any:
    return x._slot if is_recorded(x) else mapped(x, _with_slots, itself)


def _is_same_step(then: Step, now: Step) -> bool:
    if then.kind != now.kind or not (then.f is now.f or then.f == now.f):
        return False
    if now.target is not None and (then.target is None or then.target != now.target._slot):
        return False
    is_decided = now.kind in ("operation", "write") or _are_same(then.value, now.value)
    return is_decided and _are_same(then.args, now.args) and _are_same(then.kwargs, dict(now.kwargs))


def _are_same(then: Any, now: Any) -> bool:  # noqa: PLR0911 - one for each kind
    """Whether a part of a step is the same in two recordings."""
    if is_recorded(now):
        return type(then) is Slot and then == now._slot
    cls = type(then)
    if cls is not type(now):
        return False
    if isinstance(then, tuple | list):
        return len(then) == len(now) and all(map(_are_same, then, now))
    if cls is dict:
        return [*then] == [*now] and all(map(_are_same, then.values(), now.values()))
    if cls is slice:
        return _are_same((then.start, then.stop, then.step), (now.start, now.stop, now.step))
    if is_sparse(then):
        return are_same_sparse(then, now)
    if isinstance(then, np.ndarray):
        return then is now or (then.strides == now.strides and are_same_arrays(then, now))
    if isinstance(then, float | complex | np.generic):
        return repr(then) == repr(now)
    return then is now or bool(then == now)
