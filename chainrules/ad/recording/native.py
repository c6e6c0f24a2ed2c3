"""Programs of floats alone, such as loops over elements, compiled by numba where it is installed.

What is not finite leads back to the function itself: so errors of Python's numbers and warnings of NumPy's
are its own.
"""

import math
import operator
import re
from typing import Any

import numpy as np

from chainrules.ad.recording.error_state import modes
from chainrules.ad.recording.passes import Needed
from chainrules.ad.recording.phrases import phrase
from chainrules.ad.recording.recorded import inputs_of, is_recorded, recorded_in
from chainrules.ad.recording.recorder import Recording
from chainrules.ad.recording.running import MISS
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules.ad.recording.source import Text
from chainrules.ad.recording.tape import Step

# Shorter programs are as quick without; longer ones take minutes to compile.
FEWEST_STEPS, MOST_STEPS = 20, 500

_OF_NUMBERS: frozenset[Any] = frozenset(
    {
        operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.neg, operator.pos,
        abs, np.add, np.subtract, np.multiply, np.divide, np.power, np.negative, np.positive, np.absolute,
        np.square, np.sqrt, np.exp, np.expm1, np.log, np.log1p, np.sin, np.cos, np.tan, np.sinh, np.cosh,
        np.tanh, np.arcsin, np.arccos, np.arctan, math.sqrt, math.exp, math.expm1, math.log1p, math.sin,
        math.cos, math.tan, math.sinh, math.cosh, math.tanh, math.asin, math.acos, math.atan,
    }
)  # fmt: skip
_COMPARING: frozenset[Any] = frozenset(
    {operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, np.less, np.less_equal,
     np.greater, np.greater_equal, np.equal, np.not_equal}
)  # fmt: skip
_LOOKS = ("no NaN", "finite", "not zero")


def find_numba() -> Any:
    """The package.

    Raises
    ------
    ModuleNotFoundError
        If it is not installed.
    """
    try:
        import numba as package  # noqa: PLC0415 - it takes long, and few programs want it
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "`compiled(f, numba=True)` needs numba, which is not installed. Write `pip install numba`, or "
            "leave the option out: NumPy runs everything that is recorded."
        ) from error
    return package


def is_native(recording: Recording, needed: Needed) -> bool:
    """Whether a program computes with floats in double precision alone, all of which are finite."""
    steps = [needed.step(i) for i in needed.steps]
    results = list(recorded_in(recording.result))
    values = [*results, *(x for step in steps for x in inputs_of(step))]
    return (
        FEWEST_STEPS <= len(steps) <= MOST_STEPS
        and modes()[2] == "ignore"  # underflow leaves nothing behind
        and all(map(_is_of_numbers, steps))
        and all(x._plain.dtype == np.float64 for x in values if isinstance(x._plain, np.ndarray))
        and not any(isinstance(x._plain, bool | np.bool_) for x in results)
        and any(needed.key_of(x._slot).kind == "step" for x in results)
    )


def _is_of_numbers(step: Step) -> bool:
    f, args, y = step.f, step.args, step.value
    if step.kind == "operation":
        if f in (np.zeros_like, np.ones_like):
            return phrase(step, str, str) is not None and y.dtype == np.float64
        if f is operator.getitem:
            return _is_float(y) and _is_place(args[1])
        is_known = any(f is known for known in _OF_NUMBERS) and _is_float(y)
        is_known = is_known or any(f is known for known in _COMPARING)
        return is_known and not step.kwargs and all(map(_is_number, args))
    if step.kind == "write":
        return f in (operator.setitem, operator.iadd) and _is_place(args[1]) and _is_number(args[2])
    is_own = is_recorded(args[0]) and args[0]._slot.kind == "step"  # what is written there is looked at
    if step.kind in _LOOKS and step.value is True:
        return False
    return step.kind in ("truth", *_LOOKS) and (_is_number(args[0]) or (is_own and step.kind != "truth"))


def _is_float(x: Any) -> bool:
    return type(x) in (float, np.float64) and math.isfinite(x)


def _is_number(x: Any) -> bool:
    """Whether an operand is a float, a flag that was computed, or a small whole number."""
    if is_recorded(x):
        return _is_float(x._plain) or type(x._plain) in (bool, np.bool_)
    return _is_float(x) or (type(x) is int and abs(x) < 2**31)


def _is_place(i: Any) -> bool:
    return all(type(part) is int for part in (i if type(i) is tuple else (i,)))


class NativeText(Text):
    """The text of a program that `is_native`: numbers and elements of arrays, in a function for numba."""

    takes_lists = False

    def _program(self, parameters: list[str]) -> str:
        self._nested = set()
        off, found, native = map(self._free, ("off", "found", "native"))
        lines = [f"{off} = 0.0"]
        steps = [(step_slot(i), self._needed.step(i)) for i in self._needed.steps]
        steps += [(Slot("last", i), step) for i, step in enumerate(self._needed.last)]
        for slot, step in steps:
            if step.kind in ("no NaN", "finite") and self._needed.key_of(step.args[0]._slot).kind == "step":
                continue  # it would be seen below
            lines += [*self._comment(step), *self._statement(slot, step)]
            if step.kind == "write" or (_is_float(step.value) and slot in self._names):
                y = re.split(r" [+*-]?= ", lines[-1])[0]
                lines.append(f"{off} += {y} - {y}")
        result = self._result(False)
        made = {self._needed.key_of(x._slot): x for x in recorded_in(self._recording.result)}
        made = {slot: x for slot, x in made.items() if slot.kind == "step"}
        names = "".join(f"{self._names[slot]}, " for slot in made)
        given = [*parameters, *(name for slot, name in self._names.items() if slot.kind == "captured")]
        self.native = native
        within = [
            *(line.replace("return MISS", "return None") for line in lines),
            f"if {off} != 0.0:  # a number is not finite",
            "    return None",
            f"return ({names})",
        ]
        around = [
            f"{found} = {native}({', '.join(given)})",
            f"if {found} is None:",
            "    return MISS",
            f"{names}= {found}",
            *(
                f"{self._names[slot]} = np.float64({self._names[slot]})"
                for slot, x in made.items()
                if type(x._plain) is np.float64
            ),
            f"return {result}",
        ]
        heads = f"def {native}({', '.join(given)}):", f"def program({', '.join(parameters)}):"
        texts = [
            "\n".join([head, *(f"    {line}" for line in lines)])
            for head, lines in zip(heads, (within, around), strict=True)
        ]
        return "\n\n\n".join(texts) + "\n"


def is_compiled(text: Any, leaves: list[Any]) -> bool:
    """Whether numba compiles the function of a `NativeText` for these numbers and arrays; it is done then."""
    scope = text.scope
    scope[text.native] = find_numba().njit(error_model="numpy")(scope[text.native])
    try:
        return scope["program"](*leaves) is not MISS
    except Exception:  # noqa: BLE001 - whatever it cannot compile is right by NumPy
        return False
