"""What of a tape is needed: dead operations and repeated ones are left out, writes stay in their order."""

import operator
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from chainrules.ad.recording.adding import added_in_place
from chainrules.ad.recording.assuming import assume
from chainrules.ad.recording.blocks import chained, says_nothing
from chainrules.ad.recording.decisions import Decisions
from chainrules.ad.recording.donating import first_to_write
from chainrules.ad.recording.error_state import modes
from chainrules.ad.recording.factored import ByFactors, by_factors
from chainrules.ad.recording.identities import (
    PLUS,
    is_new,
    operand_that_is_the_result,
    without_broadcasting,
    without_identity,
    without_negation,
)
from chainrules.ad.recording.looks import (
    Looks,
    are_quieter,
    can_be_dropped,
    may_be_silenced,
    state_that_matters,
    warns_never,
)
from chainrules.ad.recording.ranges import Ranges
from chainrules.ad.recording.recorded import inputs_of, is_recorded, plain_arrays_in, recorded_in
from chainrules.ad.recording.recorder import Recording, owner
from chainrules.ad.recording.repeated import key_of_step
from chainrules.ad.recording.reuse import reused_operands
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules.ad.recording.sources import Sources, memory_of, writes_of
from chainrules.ad.recording.tape import DECIDING, Step
from chainrules.ad.recording.turns import NOTHING, Before
from chainrules.ad.recording.written import Asked


class Needed:
    """The steps of a recording that have to run.

    Parameters
    ----------
    recording
        It, or a part of it that begins at the step `start`: what was made before is given.
    is_batched
        Whether it runs for many items: each step is one that the program made, or a look of its own.
    donated
        The arguments whose memory may be reused.
    before
        What another variant has done, from which this one goes on.
    assumes
        Whether values may be looked at, to leave out what has to run for larger ones: the program is recorded
        anew for these.

    Attributes
    ----------
    steps
        Their numbers, in order.
    run
        Each of them, or what stands in its place.
    assumed
        The looks at values that are assumed to be within bounds, each by the number of the step that it
        stands behind; at what is given, by negative numbers.
    last
        The looks at results, after all of them.
    quiet
        The operations that need not warn, since one of these looks finds out.
    chains
        The operations that run part by part, by their numbers.
    asked
        What was asked of numbers.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - each has a name
        self,
        recording: Recording,
        start: int | None = None,
        is_batched: bool = False,
        donated: frozenset[Slot] = frozenset(),
        assumes: bool = False,
        before: Before = NOTHING,
    ) -> None:
        self.donated, self._parted, self.asked = donated, before.number, Asked()
        self._steps, self._start, self._is_whole = recording.tape.steps, start or 0, start is None
        self._writes = writes_of(recording)
        # By the number of a step that is left out, the slot that has its result; and what stands for others.
        self._same: dict[int, Slot] = {}
        self._replaced: dict[int, Step] = {}
        self._left_out: set[int] = {*before.decided}
        self.assumed: dict[int, Step] = {}
        self.last: list[Step] = []
        self.quiet: set[Slot] = set()
        self._results = recorded_in(recording.result)
        self._decisions = Decisions(self.made_by, self.slot_of, self.touches_written)
        self._sources = Sources(self._steps, self._start, self.key_of, self._writes, self._is_whole)
        self._merge()
        # What is written into is made anew, since the other variant may have written into it otherwise.
        made = (slot.at for slot in before.given)
        self._given = {i for i in made if not self.touches_written(self._steps[i])}
        if not is_batched:
            added = added_in_place(self._steps, self._writes, self._results, self.slot_of)
            self._left_out |= {before for i in added for before in (i - 2, i - 1)}
            self._replaced |= added
        self._roots, self._bounded = self._found_roots(), set[int]()
        self._all_roots = self._roots
        self.steps = self._alive()
        if assumes and not donated and modes()[2] == "ignore":  # underflow leaves nothing behind
            steps = {i: self.step(i) for i in self.steps}
            ranges = Ranges(steps, self.slot_of, self._memory_written, self.asked.ask)
            shorter = {i: without_identity(step, self.made_by) for i, step in steps.items()}
            with_identity = {i for i, step in steps.items() if shorter[i] is not step}
            assume(steps, ranges, self._decisions, with_identity, self._alive_with, self._given)
            self._replaced |= {i: shorter[i] for i in with_identity & self._bounded}
            known, looks = before.bounds, self.assumed.items()
            self.assumed = {
                i: step for i, step in looks if known.get(self.slot_of(step.args[0]), np.inf) > step.value
            }
        self._merge_looks(is_batched)
        self._replaced |= {} if is_batched else self._differences()
        self.steps = self._alive()
        # What another variant has run warns of nothing once more.
        self._silence(i for i in (self.steps if self._parted else ()) if self._has_run(i))
        self.run = {i: self.step(i) for i in self.steps}
        self.chains: list[list[int]] = []
        if not is_batched:
            unseen, fixed = self.touches_written, bool(donated)
            found = chained(self.run, self.slot_of, self.quiet, unseen, self.kept(), self.assumed, fixed)
            self.steps, self.chains = found
            self.run = {i: self.run[i] for i in self.steps}

    def step(self, i: int) -> Step:
        """A step, or what stands in its place."""
        return self._replaced.get(i) or self._steps[i]

    def kinds(self) -> list[str]:
        """The kind of each step that has to run."""
        return [self._steps[i].kind for i in self.steps]

    def key_of(self, slot: Slot) -> Slot:
        """The slot, with the earlier one in the place of one that is left out."""
        if slot.kind == "step":
            return self._same.get(slot.at, slot)
        return Slot("part", self.key_of(slot.at), slot.key) if slot.kind == "part" else slot

    def slot_of(self, x: Any) -> Slot:
        """The slot of a recorded value."""
        slot: Slot = x._slot
        return self._same.get(slot.at, slot) if slot.kind == "step" else self.key_of(slot)

    def uses(self) -> Counter[Slot]:
        """How often each slot is read by what runs."""
        read = [x for step in self.run.values() for x in inputs_of(step)]
        return Counter(map(self.slot_of, read + self.kept()))

    def kept(self) -> list[Any]:
        """The values that are read after all steps, or may be."""
        return self._results + [x for step in (*self.last, *self.assumed.values()) for x in step.args]

    def reused(self) -> tuple[dict[int, Any], dict[Slot, frozenset[int]]]:
        """By the number of a step, the operand into whose memory its result goes; and where values lie."""
        steps = self.run
        donated = dict.fromkeys(self.donated, first_to_write(steps)) if self.donated else {}
        return reused_operands(steps, inputs_of, self.slot_of, self.kept(), donated)

    def by_factors(self) -> dict[int, ByFactors]:
        """By the number of a step, the factors that its result is computed from."""
        return by_factors(self.run, self.slot_of, self.made_by, self.touches_written)

    def are_new(self) -> bool:
        """Whether the results are arrays that nobody else holds, and that are no parts of each other."""
        arrays = [x for x in self._results if isinstance(x._plain, np.ndarray)]
        slots = [*map(self.slot_of, arrays)]
        made = [self.step(slot.at) for slot in slots if slot.kind == "step"]
        return len(made) == len({*slots}) == len(arrays) and all(map(is_new, made))

    def made_by(self, x: Any) -> Step | None:
        """The step whose whole result a recorded value is."""
        if not is_recorded(x) or (self._writes and memory_of(x) in self._writes):
            return None
        slot = self.slot_of(x)
        return self.step(slot.at) if slot.kind == "step" else None

    # --- Dead code ------------------------------------------------------------------------------------------

    def _alive_with(self, looked_at: dict[int, Step], bounded: set[int], decided: set[int]) -> list[int]:
        """The steps that have to run, with these looks, if results are within bounds and this is decided."""
        roots, looks = self._all_roots
        self.assumed, self._bounded = looked_at, bounded
        self._roots = (
            [i for i in roots if i not in bounded and i not in decided],
            [(i, root) for i, root in looks if i not in decided],
        )
        self.steps = self._alive()
        return self.steps

    def _memory_written(self, x: Any) -> int | None:
        """A number for the memory that an array lies in, if somebody writes into it."""
        if not self._writes:
            return None
        plain = x._plain if is_recorded(x) else x
        memory = id(owner(plain)) if isinstance(plain, np.ndarray) else None
        return memory if memory in self._writes else None

    def _found_roots(self) -> tuple[list[int], list[tuple[int, Slot]]]:
        """The steps that run whoever needs them; and looks, each with the operation that has to run for it.

        A rule looks for a NaN in a product to put another one in its place, which matters if that is needed.
        """
        roots: list[int] = []
        looks: list[tuple[int, Slot]] = []
        for i in range(self._start, len(self._steps)):
            step = self._steps[i]
            if i in self._same or can_be_dropped(step) or self._has_run(i):
                continue
            x = self._decisions.without_nan(step) if step.place is None else None
            root = None if x is None else self._sources.root_of(x)
            if root is not None and root.kind == "step" and root.at >= self._start:
                looks.append((i, root))
            else:
                roots.append(i)
        return roots, looks

    def _alive(self) -> list[int]:
        alive: set[int] = set()
        roots, looks = self._roots
        pending = [i for i in roots if i not in self._left_out]
        looks = [(i, root) for i, root in looks if i not in self._left_out]
        values = (*self._results, *(step.args[0] for step in (*self.last, *self.assumed.values())))
        sources, written = self._sources.of_values(values)
        pending += sources
        known, replaced, steps, given = self._sources.known, self._replaced, self._steps, self._given
        seen: set[int | None] = set()
        while pending or written:
            while pending or written:
                for memory in written:
                    if memory not in seen:
                        seen.add(memory)
                        writes = self._writes[memory]
                        pending += [i for i in writes if i >= self._start and i not in self._left_out]
                written = []
                while pending and not written:
                    i = pending.pop()
                    if i not in alive:
                        alive.add(i)
                        if i not in given:
                            step = replaced.get(i) or steps[i]
                            sources, written = known.get(step) or self._sources.of(step)
                            pending += sources
            pending = [i for i, root in looks if root.at in alive]
            looks = [(i, root) for i, root in looks if root.at not in alive]
        return sorted(alive - given)

    # --- What another variant has done ----------------------------------------------------------------------

    def given_of(self, before: Before) -> dict[Slot, str]:
        """The values that are read of those which another variant hands over, by their names there."""
        roots = {slot.root() for slot in self.uses()}
        return {x: name for x, name in before.given.items() if x in roots and x.at in self._given}

    def _has_run(self, i: int) -> bool:
        """Whether another variant has run an operation, of which only the result may be needed."""
        return i < self._parted and self._steps[i].kind in ("operation", "raises", "write")

    def _silence(self, numbers: Iterable[int]) -> None:
        for i in numbers:
            step = self.step(i)
            self._replaced[i] = replace(step, errors=("ignore",) * len(step.errors))

    def _differences(self) -> dict[int, Step]:
        """The sums that are differences, by their numbers, where nobody sees what a warning calls them."""

        def made_by(x: Any) -> Step | None:
            made = self.made_by(x)
            return None if made is None or self.touches_written(made) else made

        steps = {i: self.step(i) for i in self.steps}
        shorter = {
            i: without_negation(step, made_by)
            for i, step in steps.items()
            if step.kind == "operation" and step.f in PLUS
        }
        return {
            i: step
            for i, step in shorter.items()
            if step is not steps[i] and says_nothing(state_that_matters(step, step_slot(i) in self.quiet))
        }

    # --- Common subexpressions ------------------------------------------------------------------------------

    def _merge(self) -> None:
        known: dict[Any, int] = {}
        for i, step in enumerate(self._steps):
            if self._is_whole and step.kind in DECIDING:
                is_flag = not isinstance(step.args[0]._plain, np.ndarray)
                decided = step.kind, step.place is None, self.slot_of(step.args[0])
                if is_flag or (step.kind != "truth" and not self.touches_written(step)):
                    self._left_out |= {i} if known.setdefault(decided, i) != i else set()
            if step.kind != "operation" or self.touches_written(step):
                continue
            x = operand_that_is_the_result(step)
            if x is not None:
                self._same[i] = self.slot_of(x)
                continue
            other = without_broadcasting(step, self.made_by)
            if other is not step:
                self._replaced[i] = other
            key = key_of_step(other, self.slot_of)
            first = i if key is None else known.setdefault(key, i)
            if first != i and (are_quieter(step.errors, self._steps[first].errors) or warns_never(step)):
                self._same[i] = step_slot(first)

    def touches_written(self, step: Step) -> bool:
        """Whether somebody writes into what an operation reads or returns."""
        if not self._writes:
            return False
        values = (*inputs_of(step), *plain_arrays_in(step.value))
        return any((memory_of(x) if is_recorded(x) else id(owner(x))) in self._writes for x in values)

    # --- Looks for a NaN ------------------------------------------------------------------------------------

    def _merge_looks(self, is_batched: bool) -> None:
        run = {i: self.step(i) for i in self.steps}
        # One item with a NaN takes another way than the others, so that each look stays where it finds it.
        keeps = (lambda _: False) if is_batched else self._keeps_what_is_written()
        # Nor is anything decided once arguments were written into.
        results = () if is_batched or self.donated else self._results
        looks = Looks(run, self.slot_of, self.touches_written, keeps, results, self.asked.ask)
        wanted: list[tuple[int, str, Any]] = []
        for i in self.steps:
            step = self._steps[i]
            if step.kind in DECIDING:
                x, number = self._decisions.without_nan(step), self._decisions.not_zero(step)
                wanted += [] if x is None else [(i, "nan", looks.moved_back(x))]
                wanted += [] if number is None else [(i, "zero", number)]
        merged = looks.needed([(kind, x) for _, kind, x in wanted], self._loud_pullbacks(), self._bounded)
        for i, kind, x in wanted:
            if kind == "nan":
                self._replaced[i] = Step("no NaN", None, (x,), {}, None)
        self._left_out |= {wanted[i][0] for i in set(range(len(wanted))) - set(merged.stays)}
        self.last = [Step(kind, None, (x,), {}, None) for kind, x in merged.at_results]
        quiet = {x.at for x in merged.quiet} | self._bounded
        if all(step.errors[2:3] in ((), ("ignore",)) for step in run.values()):
            self.quiet = {*map(step_slot, quiet)}
        else:  # they underflow as well, which has to be silent where others raise it
            self._silence(quiet)

    def _loud_pullbacks(self) -> list[Slot]:
        """The operations of pullbacks behind the first silent one that are not silent."""
        ambient = modes()
        if ambient[2] != "ignore":  # underflow leaves nothing behind
            return []
        loud: list[Slot] | None = None
        for i in self.steps:
            if i in self._bounded:
                continue
            step = self.step(i)
            if step.errors not in ((), ambient) and not warns_never(step):
                loud = [] if loud is None else loud
            elif loud is not None and step.place is None and may_be_silenced(step):
                loud.append(step_slot(i))
        return loud or []

    def _keeps_what_is_written(self) -> Callable[[Slot], bool]:
        """Whether a NaN that is written into an array is still there wherever the array is read."""
        reads: dict[int | None, int] = {}
        for i in reversed(self.steps if self._writes else ()):
            if self.step(i).kind != "write":
                reads.update({memory_of(x): i for x in inputs_of(self.step(i))})

        def keeps(memory: int | None) -> bool:
            writes = [i for i in self._writes[memory] if i not in self._left_out]
            if not writes:
                return False
            first, *later = [self.step(i) for i in writes]
            is_added = all(
                step.f is operator.iadd or (step.f is np.add and step.kwargs.get("out") is step.args[0])
                for step in later
            )
            is_first = first.f in (operator.setitem, operator.iadd) or first.f is np.add
            return is_first and is_added and reads.get(memory, writes[-1]) >= writes[-1]

        kept = {memory: keeps(memory) for memory in self._writes}
        memories = {
            self.key_of(step.target._slot): memory_of(step.target)
            for step in self._steps
            if step.kind == "write"
        }
        return lambda slot: kept[memories[slot]]
