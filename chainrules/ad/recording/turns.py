"""Where the text of a program decides, and what there is by then: another variant can go on there."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from chainrules.ad.recording.tape import Slot, Step


@dataclass(frozen=True, slots=True)
class Turn:
    """A decision of the user's program.

    Attributes
    ----------
    line
        The number of the line in which the program gives up.
    is_switched
        Whether NumPy's state of warnings is another one there.
    named, spent, checked
        How many values had got a name by then, how many memories were used again, how many decisions
        compared.
    """

    line: int
    is_switched: bool
    named: int
    spent: int
    checked: int


@dataclass(slots=True, eq=False)
class Turns:
    """What is noted of a text while it is written.

    Attributes
    ----------
    at
        The decisions, by the numbers of their steps.
    decided
        Those that another variant has compared, from which this one goes on.
    """

    at: dict[int, Turn] = field(default_factory=dict)
    decided: frozenset[int] = frozenset()
    _named: list[tuple[Slot, str, frozenset[int]]] = field(default_factory=list)
    _spent: list[int] = field(default_factory=list)
    _checked: list[int] = field(default_factory=list)

    def name(self, slot: Slot, name: str, places: frozenset[int]) -> None:
        """A value of the program, which may lie in any of these places, has this name from here on."""
        self._named.append((slot, name, places))

    def spend(self, places: frozenset[int]) -> None:
        """The memory of a value that lies in these places is used again from here on."""
        self._spent += places

    def check(self, number: int, step: Step, line: int, is_switched: bool) -> None:
        """A decision is compared here."""
        if step.place is not None and step.kind != "raises":
            counts = map(len, (self._named, self._spent, self._checked))
            self.at[number] = Turn(line, is_switched, *counts)
        self._checked.append(number)

    def before(self, number: int, is_decided: bool) -> "Before":
        """What has happened before a decision.

        Parameters
        ----------
        number
            The number of its step.
        is_decided
            Whether there is one other way.
        """
        turn = self.at[number]
        spent = {*self._spent[: turn.spent]}
        given = {slot: name for slot, name, places in self._named[: turn.named] if not spent & places}
        checked = self._checked[: turn.checked]
        return Before(number, given, self.decided.union([*checked, number] if is_decided else checked))

    def names(self) -> set[str]:
        """The names of all values."""
        return {name for _, name, _ in self._named}


@dataclass(frozen=True, slots=True)
class Before:
    """What another variant has done when one goes on.

    Attributes
    ----------
    number
        The number of the step where they part.
    given
        The names of the values that it hands over.
    decided
        The decisions that it has compared, by their numbers.
    """

    number: int
    given: Mapping[Slot, str]
    decided: frozenset[int]


NOTHING = Before(0, {}, frozenset())
