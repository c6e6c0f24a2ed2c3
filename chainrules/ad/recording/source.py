"""The program as text: straight-line NumPy that can be read."""

import linecache
import math
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np

from chainrules.ad.recording.donating import NO_WAY_BACK, arrays_in
from chainrules.ad.recording.error_state import IGNORED, modes, switching
from chainrules.ad.recording.factored import ByFactors
from chainrules.ad.recording.looks import warns_never
from chainrules.ad.recording.naming import RESERVED, free_name
from chainrules.ad.recording.nesting import LONGEST, nested
from chainrules.ad.recording.passes import Needed
from chainrules.ad.recording.phrases import PREFIX, infix_of, phrase, plain_numbers
from chainrules.ad.recording.places import Place
from chainrules.ad.recording.recorded import is_recorded
from chainrules.ad.recording.recorder import Recording
from chainrules.ad.recording.regular import is_named_tuple
from chainrules.ad.recording.reuse import ufunc_of
from chainrules.ad.recording.running import ignoring_errors
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules.ad.recording.tape import Step
from chainrules.ad.recording.turns import Turns
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
_ANY = ("any",)


class Text:
    """The text of a program, and the values that its names stand for.

    Attributes
    ----------
    source
        A function ``program`` of the leaves of the arguments.
    scope
        The global names of the source.
    guards
        The number of decisions that are compared.
    turns
        Where it decides, and what there is by then.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - each has a name
        self,
        recording: Recording,
        needed: Needed,
        parameters: list[str],
        scope: dict[str, Any],
        is_alone: bool = False,
        given: Mapping[Slot, str] = {},
    ) -> None:
        self.scope, self.guards, self.turns = dict(scope), 0, Turns()
        self._recording, self._needed, self._steps = recording, needed, recording.tape.steps
        self._ambient = modes()
        self._quiet = tuple(
            "ignore" if name in IGNORED else mode for name, mode in zip(_ERRORS, self._ambient, strict=True)
        )
        self._uses, self._running = needed.uses(), frozenset(needed.steps)
        self._reused, self._places = needed.reused()
        self._factored = {} if is_alone else needed.by_factors()
        self._factors: dict[Slot, str] = {}
        self._place: Place | None = None
        self._conditions: dict[Slot, str] = {}
        # What stands inside of others, and that of it which binds more strongly than a sum.
        self._within: dict[Slot, str] = {}
        self._binding: set[Slot] = set()
        self._constants: dict[int, str] = {}
        self._kept: list[Any] = []
        self._taken = {*RESERVED, *parameters, *given.values(), "program"}
        self._names: dict[Slot, str] = {Slot("argument", i): name for i, name in enumerate(parameters)}
        for i, x in enumerate(recording.inputs):  # an array that is given twice has one name
            self._names[Slot("argument", i)] = self._names[x._slot]
        for slot, name in given.items():
            self._name(slot, name)
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
        return result

    def _lines(self) -> list[str]:
        lines: list[str] = []
        blocks = self._blocks()
        result = self._recording.result
        self._nested = nested(blocks, self._needed.key_of, result, self._recording.names, self._reused)
        inside: tuple[str, ...] | None = None
        outer = ""
        for step, slot, block in blocks:
            if not outer and self._is_donated(slot.at):
                self.scope["no_way_back"] = NO_WAY_BACK
                lines.append("with no_way_back:")
                inside, outer = None, "    "
            if block != inside:
                inside = block
                lines += [] if block is None else [f"{outer}with {self._switch(block)}:"]
            indent = outer if inside is None else f"{outer}    "
            lines += [indent + line for line in (*self._comment(step), *self._statement(slot, step))]
            if (
                slot.kind == "step"
                and step is self._steps[slot.at]
                and step.kind not in ("operation", "write")
            ):
                self.turns.check(slot.at, step, len(lines), inside is not None)
        return lines

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

    def _blocks(self) -> list[tuple[Step, Slot, tuple[str, ...] | None]]:
        """Each step, its slot, and NumPy's state of errors in the block around it; `None` outside of blocks.

        To change the state takes as long as an operation. So a block goes on where it makes no difference.
        """
        assumed = self._needed.assumed
        steps = [(step, Slot("look", i)) for i, step in assumed.items() if i < 0]
        for i in self._needed.steps:
            steps += [(self._needed.step(i), step_slot(i))]
            steps += [(assumed[i], Slot("look", -1))] if i in assumed else []
        steps += [(step, Slot("last", i)) for i, step in enumerate(self._needed.last)]
        wanted = [_ANY if slot in self._needed.quiet else self._state_for(step) for step, slot in steps]
        blocks = []
        block: tuple[str, ...] | None = None
        for (step, slot), state in zip(steps, wanted, strict=True):
            block = block if state is _ANY else state
            blocks.append((step, slot, block))
        return blocks

    def _state_for(self, step: Step) -> Any:
        is_quiet = not step.errors or warns_never(step)
        return _ANY if is_quiet else None if step.errors == self._ambient else step.errors

    def _switch(self, errors: tuple[str, ...]) -> str:
        if errors == self._quiet:
            self.scope["ignoring_errors"] = switching(ignoring_errors)
            return "ignoring_errors()"
        options = zip(_ERRORS, errors, self._ambient, strict=True)
        return f"np.errstate({', '.join(f'{name}={new!r}' for name, new, old in options if new != old)})"

    # --- Statements ---------------------------------------------------------------------------------------

    def _statement(self, slot: Slot, step: Step) -> list[str]:
        if step.kind == "operation":
            free, infix = self._reused.get(slot.at) if slot.kind == "step" else None, infix_of(step)
            if free is not None:
                self.turns.spend(self._places_of(self._needed.slot_of(free)))
            if free is not None and free is step.args[0] and infix in ("+", "-", "*"):
                name = self._name(slot, self._expression(free))
                return [f"{name} {infix}= {self._bare(step.args[1])}"]
            by_factors = self._factored.get(slot.at)
            before, call = self._by_factors(step, by_factors) if by_factors else ([], self._call(step, free))
            if self._is_condition(slot, step):
                self._conditions[slot] = call
                return []
            if slot in self._nested and len(call) <= LONGEST:
                is_atom = infix is None and step.f not in PREFIX and call[-1] in ")]T"
                self._names[slot], self._within[slot] = call if is_atom else f"({call})", call
                self._binding |= {slot} if infix in ("*", "/", "@", "**") and call[0] != "-" else set()
                return before
            return [*before, f"{self._new_name(slot)} = {call}"]
        if step.kind == "write":
            if step.f in (operator.setitem, operator.iadd):
                x, index, value = step.args
                sign = "=" if step.f is operator.setitem else "+="
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

    def _is_condition(self, slot: Slot, step: Step) -> bool:
        """Whether a comparison is needed by the decision behind it alone."""
        if slot.at + 1 not in self._running or self._uses[slot] != 1:
            return False
        following = self._needed.step(slot.at + 1)
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
            return (of_array if isinstance(x._plain, np.ndarray) else of_number).format(name, step.value)
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

    # --- Expressions --------------------------------------------------------------------------------------

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

    def _call(self, step: Step, free: Any = None) -> str:
        f, args = step.f, step.args
        if free is not None:
            name = self._function(ufunc_of(step))
            return f"{name}({', '.join(map(self._bare, args))}, out={self._expression(free)})"
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

    def _bare(self, x: Any) -> str:
        """An expression that nothing stands beside."""
        within = self._within.get(self._needed.key_of(x._slot)) if is_recorded(x) else None
        return self._expression(x) if within is None else within

    def _operand(self, x: Any, infix: str) -> str:
        text = self._expression(x)
        if infix in ("+", "-") and is_recorded(x) and self._needed.key_of(x._slot) in self._binding:
            return self._bare(x)
        return f"({text})" if text.startswith("-") else text  # `-2 ** x` is another number

    def _function(self, f: Any) -> str:
        name = str(getattr(f, "__name__", "function"))
        owner = getattr(f, "__self__", None)
        if isinstance(owner, np.ufunc):
            return f"{self._function(owner)}.{name}"
        for module, path in ((np, "np"), (np.linalg, "np.linalg"), (math, "math")):
            if getattr(module, name, None) is f:
                return f"{path}.{name}"
        descriptor = getattr(f, "__objclass__", None)
        if descriptor is np.ndarray:
            return f"np.ndarray.{name}"
        if f in (abs, float, complex, int, bool, round, divmod):
            return name
        return self._named(f, name)

    def _expression(self, x: Any) -> str:
        cls = type(x)
        if is_recorded(x):
            return self._slot(x._slot)
        if cls is tuple:
            return f"({', '.join(map(self._expression, x))}{',' if len(x) == 1 else ''})"
        if cls is list:
            return f"[{', '.join(map(self._expression, x))}]"
        if is_named_tuple(cls):
            parts, whole = ", ".join(map(self._expression, x)), self._whole(x)
            return f"{self._function(cls)}({parts})" if whole is None else self._slot(whole)
        if cls is dict:
            return "{" + ", ".join(f"{key!r}: {self._expression(part)}" for key, part in x.items()) + "}"
        if cls is slice:
            return f"slice({', '.join(map(self._expression, (x.start, x.stop, x.step)))})"
        return self._constant(x)

    def _whole(self, x: Any) -> Slot | None:
        """The step whose result `x` is, with all of its parts; `None` if it is put together otherwise."""
        slots = [self._needed.key_of(part._slot) if is_recorded(part) else None for part in x]
        whole = slots[0].at if slots[0] is not None and slots[0].kind == "part" else None
        if whole is None or whole.kind != "step" or type(self._needed.step(whole.at).value) is not type(x):
            return None
        return whole if slots == [Slot("part", whole, i) for i in range(len(x))] else None

    def _slot(self, slot: Slot) -> str:
        slot = self._needed.key_of(slot)
        known = self._names.get(slot)
        if known is not None:
            return known
        if slot.kind == "captured":
            array, name = self._recording.captured[slot.at]
            self._names[slot] = name = self._free(name)
            self.scope[name] = array
            return name
        return f"{self._slot(slot.at)}[{slot.key}]"  # a part

    def _index(self, i: Any) -> str:
        if type(i) is slice:
            parts = (i.start, i.stop) if i.step is None else (i.start, i.stop, i.step)
            return ":".join("" if part is None else self._expression(part) for part in parts)
        if type(i) is tuple and i:
            return ", ".join(map(self._index, i)) + ("," if len(i) == 1 else "")
        return "..." if i is Ellipsis else self._expression(i)

    def _constant(self, x: Any) -> str:
        cls = type(x)
        if cls in (bool, str, int, type(None)):
            return repr(x)
        if cls is float and np.isfinite(x):
            return repr(x)
        if isinstance(x, np.dtype) and x.kind in "fcbiu" and x == np.dtype(x.str):
            return f"np.dtype({x.str!r})"
        if x is Ellipsis:
            return "..."
        if cls is np.float64 and np.isfinite(x):
            return f"np.float64({float(x)!r})"
        return self._named(x, "constant")

    # --- Names --------------------------------------------------------------------------------------------

    def _named(self, x: Any, name: str) -> str:
        known = self._constants.get(id(x))
        if known is None:
            known = self._constants[id(x)] = self._free(name)
            self._kept.append(x)
            self.scope[known] = x
        return known

    def _new_name(self, slot: Slot) -> str:
        given = self._recording.names.get(slot)
        return self._name(slot, self._free(given) if given else self._free(f"v{slot.at}"))

    def _name(self, slot: Slot, name: str) -> str:
        self.turns.name(slot, name, self._places_of(slot))
        self._names[slot] = name
        return name

    def _places_of(self, slot: Slot) -> frozenset[int]:
        return self._places.get(slot.root(), frozenset())

    def _free(self, name: str) -> str:
        free = free_name(name, self._taken, self.scope)
        self._taken.add(free)
        return free
