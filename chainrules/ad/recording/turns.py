"""Where the text of a program decides, and what there is by then: another variant can go on there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import Step


@dataclass(frozen=True, slots=True)
class Turn:
    """A decision of the user's program.

    Attributes
    ----------
    line
        The number of the line in which the program gives up.
    is_switched
        Whether NumPy's state of warnings is another one there.
    named, spent, checked, bounds
        How many values had got a name by then, how many memories were used again, how many decisions
        compared, how many values found to be within bounds.
    """

    line: int
    is_switched: bool
    named: int
    spent: int
    checked: int
    bounds: int


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
    _bounds: list[tuple[Slot, float]] = field(default_factory=list)

    def name(self, slot: Slot, name: str, places: frozenset[int]) -> None:
        """A value of the program, which may lie in any of these places, has this name from here on."""
        self._named.append((slot, name, places))

    def spend(self, places: frozenset[int]) -> None:
        """The memory of a value that lies in these places is used again from here on."""
        self._spent += places

    def check(self, number: int, step: Step, line: int, is_switched: bool) -> None:
        """A decision is compared here."""
        if step.place is not None and step.kind != "raises":
            noted: tuple[list[Any], ...] = self._named, self._spent, self._checked, self._bounds
            self.at[number] = Turn(line, is_switched, *map(len, noted))
        self._checked.append(number)

    def bound(self, slot: Slot, bound: float) -> None:
        """A value is within a bound, from here on."""
        self._bounds.append((slot, bound))

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
        decided = self.decided.union([*checked, number] if is_decided else checked)
        return Before(number, given, decided, dict(self._bounds[: turn.bounds]))

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
    bounds
        The values that it has found to be within bounds.
    """

    number: int
    given: Mapping[Slot, str]
    decided: frozenset[int]
    bounds: Mapping[Slot, float]


NOTHING = Before(0, {}, frozenset(), {})
