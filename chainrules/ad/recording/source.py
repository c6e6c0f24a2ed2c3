"""The program as text: straight-line NumPy that can be read."""

import linecache
import operator
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from chainrules.ad.recording.donating import NO_WAY_BACK, arrays_in
from chainrules.ad.recording.error_state import IGNORED, modes, switching
from chainrules.ad.recording.expressions import Expressions
from chainrules.ad.recording.factored import ByFactors
from chainrules.ad.recording.nesting import LONGEST, nested
from chainrules.ad.recording.parts import Loop, loops_of
from chainrules.ad.recording.passes import Needed
from chainrules.ad.recording.phrases import PREFIX, infix_of, phrase, plain_numbers
from chainrules.ad.recording.places import Place
from chainrules.ad.recording.recorded import is_recorded
from chainrules.ad.recording.recorder import Recording
from chainrules.ad.recording.reuse import ufunc_of
from chainrules.ad.recording.running import ignoring_errors
from chainrules.ad.recording.scalars import first_writes, plain_scalars
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules.ad.recording.states import in_states
from chainrules.ad.recording.tape import Step
from chainrules.numerics.factorizations import LU

_ERRORS = ("divide", "over", "under", "invalid")
_COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}
# The conditions for an array and for a number.
_ABOUT_ARRAYS = {
    "within": ("not is_within({0}, {1})", "not -{1} < {0} < {1}"),
    "no NaN": ("has_nan({0})", "{0} != {0}"),
    "finite": ("not is_finite({0})", "not math.isfinite({0})"),
    "not zero": ("not {0}.all()", "{0} == 0"),
}


class Text(Expressions):
    """The text of a program, and the values that its names stand for.

    Attributes
    ----------
    source
        A function ``program`` of the leaves of the arguments.
    guards
        The number of decisions that are compared.
    """

    takes_lists = True  # of arrays whose elements it reads

    def __init__(  # noqa: PLR0913, PLR0917 - each has a name
        self,
        recording: Recording,
        needed: Needed,
        parameters: list[str],
        scope: dict[str, Any],
        is_alone: bool = False,
        given: Mapping[Slot, str] = {},
    ) -> None:
        super().__init__(recording, needed, parameters, scope, given)
        self.guards, self._steps, self._ambient = 0, recording.tape.steps, modes()
        self._quiet = tuple(
            "ignore" if name in IGNORED else mode for name, mode in zip(_ERRORS, self._ambient, strict=True)
        )
        self._uses, self._following = needed.uses(), dict(pairwise(needed.steps))
        self._loops = loops_of(
            needed.chains, needed.run, needed.slot_of, needed.kept(), self._reused, self._places
        )
        # While a loop is written, the parts that results are written into, and memory of their size.
        self._into: dict[Slot, str] = {}
        self._spares: list[str] = []
        self._factored = {} if is_alone else needed.by_factors()
        self._scalars = plain_scalars(needed, recording.result) if self.takes_lists else frozenset()
        self._first_writes = first_writes(needed)
        self._lists: dict[Slot, str] = {}
        self._factors: dict[Slot, str] = {}
        self._place: Place | None = None
        self._conditions: dict[Slot, str] = {}
        self.source = self._program([*parameters, *given.values()])

    def _program(self, parameters: list[str]) -> str:
        """The text, once it is known what stands in it."""
        lines, indent = self._lines(), "    " if any(map(self._is_donated, self._reused)) else ""
        lines += [f"{indent}return {self._result(self._needed.are_new())}"]
        body = "\n".join(f"    {line}" for line in lines)
        return f"def program({', '.join(parameters)}):\n{body}\n"

    def _result(self, are_new: bool) -> str:
        """The expression of what is returned, whose arrays belong to the caller, as new ones do anyway."""
        result, arrays = self._expression(self._recording.result), list(arrays_in(self._recording.result))
        not_owned = [name for slot, name in self._names.items() if slot.kind in ("argument", "captured")]
        donated = {self._names[slot] for slot in self._needed.donated}
        given = ", ".join(name for name in dict.fromkeys(not_owned) if name not in donated)
        if arrays and not (are_new and all(map(is_recorded, arrays))):
            result = f"owned({result}, [{given}])"
        make = self._recording.make_result
        return result if make is None else f"{self._named(make, 'in_objects')}({result})"

    def _lines(self) -> list[str]:
        lines: list[str] = []
        states = in_states(self._needed, self._ambient)
        loops = [self._loops.get(slot.at) if slot.kind == "step" else None for _, slot, _ in states]
        blocks = [
            (step, slot, (state, loop)) for (step, slot, state), loop in zip(states, loops, strict=True)
        ]
        result, names = self._recording.result, self._recording.names
        spared = {i for loop in self._loops.values() for i in loop.spares}
        self._nested = nested(blocks, self._needed.key_of, result, names, self._reused, spared)
        inside: tuple[str, ...] | None = None
        within: Loop | None = None
        outer = ""
        for step, slot, (block, loop) in blocks:
            self._leave(within if within is not loop else None)
            if not outer and any(map(self._is_donated, loop.steps if loop else [slot.at])):
                self.scope["no_way_back"] = NO_WAY_BACK
                lines.append("with no_way_back:")
                inside, outer = None, "    "
            if block != inside:
                inside = block
                lines += [] if block is None else [f"{outer}with {self._switch(block)}:"]
            indent = outer if inside is None else f"{outer}    "
            if loop is not None and within is not loop:
                lines += [indent + line for line in self._enter(loop)]
            within, indent = loop, indent if loop is None else f"{indent}    "
            lines += [indent + line for line in (*self._comment(step), *self._statement(slot, step))]
            if (
                slot.kind == "step"
                and step is self._steps[slot.at]
                and step.kind not in ("operation", "write")
            ):
                self.turns.check(slot.at, step, len(lines), inside is not None)
        self._leave(within)
        return lines

    def _enter(self, loop: Loop) -> list[str]:
        """The lines before what runs part by part, where names stand for parts from here on."""
        lines: list[str] = []
        parts: dict[str, str] = {}
        for x in loop.given:
            name = self._expression(x)
            part = self._free(f"{name}_part" if name.isidentifier() else "part")
            parts[part] = name
            known: dict[Any, str] = self._names if is_recorded(x) else self._constants
            key = self._needed.slot_of(x) if is_recorded(x) else id(x)
            self._outside.append((known, key, known.get(key)))
            known[key] = part
        wholes = dict(parts)
        for last, first in loop.outputs.items():
            slot, free = step_slot(last), self._reused.get(first)
            if free is None:
                name = self._free(self._recording.names.get(slot, f"v{last}"))
                lines.append(f"{name} = {loop.empty(last)}")
                self._into[step_slot(first)] = part = self._free(f"{name}_part")
                parts[part] = name
            else:
                name = wholes[self._expression(free)]
            self._outside.append((self._names, slot, name))
        self._spares = [self._free("spare") for _ in {*loop.spares.values()}]
        return [*lines, loop.head(parts, self._spares)]

    def _leave(self, loop: Loop | None) -> None:
        """Let names stand for whole arrays again, behind a loop."""
        if loop is None:
            return
        for known, key, name in self._outside:
            known.pop(key, None)
            known.update({} if name is None else {key: name})
        self._outside = []
        for i in loop.outputs:
            self._name(step_slot(i), self._names[step_slot(i)])

    def _comment(self, step: Step) -> list[str]:
        """The user's line that an operation comes from, where it begins."""
        if step.place is None or step.place == self._place:
            return []
        self._place = step.place
        text, file = linecache.getline(*step.place).strip(), step.place[0].rpartition("/")[2]
        return [f"# {file}:{step.place[1]}: {text}" if text else f"# line {step.place[1]}"]

    def _is_donated(self, number: int) -> bool:
        """Whether the result of a step goes into the memory of an argument."""
        x = self._reused.get(number)
        return x is not None and self._needed.key_of(x._slot) in self._needed.donated

    def _switch(self, errors: tuple[str, ...]) -> str:
        if errors == self._quiet:
            self.scope["ignoring_errors"] = switching(ignoring_errors)
            return "ignoring_errors()"
        options = zip(_ERRORS, errors, self._ambient, strict=True)
        return f"np.errstate({', '.join(f'{name}={new!r}' for name, new, old in options if new != old)})"

    # --- Statements ---------------------------------------------------------------------------------------

    def _statement(self, slot: Slot, step: Step) -> list[str]:
        if step.kind == "operation":
            return self._operation(slot, step)
        if step.kind == "write":
            if step.f in (operator.setitem, operator.iadd):
                x, index, value = step.args
                is_first = slot.kind == "step" and slot.at in self._first_writes
                sign = "=" if step.f is operator.setitem or is_first else "+="
                return [f"{self._expression(x)}[{self._index(index)}] {sign} {self._bare(value)}"]
            return [f"{self._new_name(slot)} = {self._call(step)}"]
        self.guards += 1
        if step.kind == "raises":
            cls, said = step.value
            name, error = self._named(cls, cls.__name__), self._free("error")
            is_other = f"type({error}) is not {name}"  # it may be of a class below
            is_other += f" or repr({error}) != {said!r}" if self._recording.tape.names_errors else ""
            lines = ["try:", f"    {self._call(step)}", f"except {name} as {error}:", f"    if {is_other}:"]
            return [*lines, "        return MISS", "else:", "    return MISS"]
        return [f"if {self._is_otherwise(step)}:", "    return MISS"]

    def _operation(self, slot: Slot, step: Step) -> list[str]:
        free, infix = self._reused.get(slot.at) if slot.kind == "step" else None, infix_of(step)
        if free is not None:
            self.turns.spend(self._places_of(self._needed.slot_of(free)))
        if free is not None and free is step.args[0] and infix in ("+", "-", "*"):
            name = self._name(slot, self._expression(free))
            return [f"{name} {infix}= {self._bare(step.args[1])}"]
        into = self._into.get(slot)
        if into is not None:
            ufunc, self._names[slot] = ufunc_of(step), into
            return [f"{into}[...] = {self._call(step)}" if ufunc is None else self._call(step, into)]
        by_factors = self._factored.get(slot.at)
        loop = self._loops.get(slot.at) if slot.kind == "step" else None
        spare = None if loop is None else loop.spares.get(slot.at)
        out = self._spares[spare] if spare is not None else None if free is None else self._expression(free)
        if step.f is operator.getitem and slot in self._scalars:
            before, call = self._of_list(step)
        else:
            before, call = self._by_factors(step, by_factors) if by_factors else ([], self._call(step, out))
        if self._is_condition(slot, step):
            self._conditions[slot] = call
            return []
        if slot in self._nested and len(call) <= LONGEST:
            is_atom = infix is None and step.f not in PREFIX and call[-1] in ")]T"
            self._names[slot], self._within[slot] = call if is_atom else f"({call})", call
            self._binding |= {slot} if infix in ("*", "/", "@", "**") and call[0] != "-" else set()
            return before
        return [*before, f"{self._new_name(slot)} = {call}"]

    def _of_list(self, step: Step) -> tuple[list[str], str]:
        """The line that makes a list of an array, before its first element is taken, and the element."""
        array, lines = self._needed.slot_of(step.args[0]), []
        if array not in self._lists:
            name = self._expression(step.args[0])
            self._lists[array] = self._free(f"{name}_numbers" if name.isidentifier() else "numbers")
            lines = [f"{self._lists[array]} = {name}.tolist()"]
        return lines, f"{self._lists[array]}[{step.args[1]}]"

    def _is_condition(self, slot: Slot, step: Step) -> bool:
        """Whether a comparison is needed by the decision behind it alone, with nothing in between."""
        if slot.kind != "step" or self._uses[slot] != 1 or slot.at not in self._following:
            return False
        following = self._needed.step(self._following[slot.at])
        is_decision = following.kind == "truth" and following.args[0]._slot == slot
        return is_decision and infix_of(step) in _COMPARISONS

    def _is_otherwise(self, step: Step) -> str:
        """The condition that a decision is another one than it was."""
        x = step.args[0]
        if step.kind == "kind":
            return self._is_of_another_kind(x, step.value)
        condition = self._conditions.get(x._slot)
        if condition is not None:
            return f"not {condition}" if step.value else condition
        name = self._expression(x)
        if step.kind in _ABOUT_ARRAYS:
            of_array, of_number = _ABOUT_ARRAYS[step.kind]
            found = (of_array if isinstance(x._plain, np.ndarray) else of_number).format(name, step.value)
            return f"not {found}" if step.value is True else found
        if step.kind == "truth":
            return f"not {name}" if step.value else name
        if step.kind == "elements":
            return f"not same_elements({name}, {self._constant(step.value)})"
        return (
            f"int({name}) != {step.value!r}"
            if step.kind == "whole"
            else f"{name} != {self._constant(step.value)}"
        )

    def _is_of_another_kind(self, x: Any, kind: Any) -> str:
        name = self._expression(x)
        if is_recorded(x) and isinstance(x._plain, np.ndarray):
            dtype, shape = kind
            return f"{name}.shape != {shape!r} or {name}.dtype.str != {dtype!r}"
        if isinstance(kind, type):
            return f"type({name}) is not {self._function(kind)}"
        return f"kind_of({name}) != {self._constant(kind)}"

    # --- Calls --------------------------------------------------------------------------------------------

    def _by_factors(self, step: Step, found: ByFactors) -> tuple[list[str], str]:
        """The lines that factor the matrix of an operation, if it is the first one of it, and its call."""
        matrix, lines = self._needed.key_of(found.matrix._slot), []
        if matrix not in self._factors:
            self.scope["LU"] = LU
            self.guards += 1
            self._factors[matrix] = name = self._free("factors")
            lines = [f"{name} = LU({self._bare(found.matrix)})", f"if not {name}.is_regular():"]
            lines.append("    return MISS")
        cls = self._function(type(step.value)) if "{cls}" in found.text else ""
        return lines, found.text.format(self._factors[matrix], *map(self._bare, step.args[1:]), cls=cls)

    def _call(self, step: Step, out: str | None = None) -> str:
        f, args = step.f, step.args
        if out is not None:
            ufunc = ufunc_of(step)
            operands = ", ".join(map(self._bare, args[: ufunc.nin]))
            return f"{self._function(ufunc)}({operands}, out={out})"
        infix = infix_of(step)
        if infix is not None:
            a, b = plain_numbers(infix, *args)
            return f"{self._operand(a, infix)} {infix} {self._operand(b, infix)}"
        if f is operator.getitem:
            return f"{self._expression(args[0])}[{self._index(args[1])}]"
        if f in PREFIX:
            return f"{PREFIX[f]}{self._expression(args[0])}"
        written = phrase(step, self._bare, self._expression)
        if written is not None:
            return written
        options = [f"{name}={self._expression(x)}" for name, x in step.kwargs.items()]
        return f"{self._function(f)}({', '.join([*map(self._bare, args), *options])})"
