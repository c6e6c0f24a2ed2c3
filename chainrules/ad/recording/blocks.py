"""Chains of elementwise operations on large arrays, which run for one part of the arrays after another.

What is computed of a part is still in the cache of the processor when the next operation reads it, and its
memory is that of the part before. Each element is computed by the same operations in the same order.
"""

import math
import operator
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules.ad.recording.error_state import Modes
from chainrules.ad.recording.looks import state_that_matters
from chainrules.ad.recording.recorded import inputs_of, is_recorded
from chainrules.ad.recording.reuse import ufunc_of
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules.ad.recording.tape import Step

# From so many elements on parts are quicker, of three operations and more; of elements of four bytes and less
# from so many times as many.
LARGE, OF_SMALL_ONES = 65_536, 4
# So many bytes of each array are in the cache at once; memory of this size is quick to get.
PART = 131_072
# Chains of which fewer results are read by the chain alone are as quick without.
FEWEST = 2

_UFUNCS: frozenset[Any] = frozenset(f for f in vars(np).values() if isinstance(f, np.ufunc))
_OTHERS: frozenset[Any] = frozenset(
    {
        operator.pow, operator.pos, operator.and_, operator.or_, operator.xor, operator.invert, operator.eq,
        operator.ne, operator.lt, operator.le, operator.gt, operator.ge, abs,
    }
)  # fmt: skip


_NUMBERS = (float, complex, int, np.generic)


@dataclass(frozen=True, slots=True)
class Form:
    """What arrays look like that one loop goes through.

    Attributes
    ----------
    shape
        Theirs; that of their transposes, if these lie in memory row by row.
    is_transposed
        Whether they do.
    """

    shape: tuple[int, ...]
    is_transposed: bool

    @property
    def is_flat(self) -> bool:
        """Whether parts are elements, since rows are too long."""
        return math.prod(self.shape[1:]) * 16 * 8 > PART

    def part_of(self, x: Any) -> bool | None:
        """Whether an operand is read part by part, or else as a whole; `None` if it cannot be read so."""
        if isinstance(x, _NUMBERS):
            return False
        if type(x) is not np.ndarray or x.dtype.kind not in "fcbiu":
            return None
        if not x.ndim:
            return False
        if x.shape == (self.shape[::-1] if self.is_transposed else self.shape):
            return True if (x.T if self.is_transposed else x).flags.c_contiguous else None
        if self.is_flat or self.is_transposed:
            return False if x.shape == (1,) else None
        return x.ndim == len(self.shape) and x.shape[0] > 1

    def written(self, name: str) -> str:
        """The text of an array that is gone through by its first axis."""
        turned = f"{name}.T" if self.is_transposed else name
        return f"{turned}.reshape(-1)" if self.is_flat and len(self.shape) > 1 else turned


def is_large(y: Any) -> bool:
    """Whether a chain of operations with such results is quicker part by part."""
    return bool(y.size >= (LARGE if y.itemsize > 4 else LARGE * OF_SMALL_ONES))


def form_of(step: Step) -> Form | None:
    """What the results of an elementwise operation on large arrays look like; `None` for any other one."""
    y = step.value
    if step.kind != "operation" or type(y) is not np.ndarray or y.size < LARGE or y.dtype.kind not in "fcbiu":
        return None
    f = ufunc_of(step)
    if f not in _UFUNCS and (step.kwargs or not (step.f in _OTHERS or _is_choice(step))):
        return None
    if not (y.flags.c_contiguous or y.flags.f_contiguous):
        return None
    form = Form(y.shape, False) if y.flags.c_contiguous else Form(y.shape[::-1], True)
    parts = [form.part_of(x._plain if is_recorded(x) else x) for x in step.args]
    return form if None not in parts and any(parts) else None


def _is_choice(step: Step) -> bool:
    return step.f is np.where and len(step.args) == 3


def says_nothing(errors: Modes) -> bool:
    """Whether an operation warns of nothing, which it would do once for each part; it may raise."""
    return {"ignore", "raise"}.issuperset(errors)


class _Growing:
    """A chain that may go on; without a form it is one step, or none."""

    def __init__(self, form: Form | None) -> None:
        self._form, self._is_large = form, False
        self._all: list[int] = []
        self._steps: list[int] = []
        self._before: list[int] = []
        self._behind: list[int] = []
        self._slots: set[Slot] = set()
        self._slots_behind: set[Slot] = set()
        self._errors: Modes = ()

    def take(self, i: int, step: Step, roots: set[Slot], form: Form | None, errors: Modes) -> bool:
        """Whether an operation is one of the chain, or may run before or behind it."""
        if self._form is None and self._all:
            return False
        is_alike = form == self._form and (not errors or not self._errors or errors == self._errors)
        if is_alike and not roots & self._slots_behind:
            self._errors = errors or self._errors
            self._steps.append(i)
            self._is_large |= form is not None and is_large(step.value)
            self._slots.add(step_slot(i))
        elif form is not None:
            return False
        elif roots & self._slots or roots & self._slots_behind:
            self._behind.append(i)
            self._slots_behind.add(step_slot(i))
        else:
            self._before.append(i)
        self._all.append(i)
        return True

    def end(self, last: Mapping[Slot, int], order: list[int], chains: list[list[int]]) -> None:
        """Append all steps to the order, and the chain to the others, if it is one."""
        steps = {*self._steps}
        is_chain = self._is_large and sum(last.get(step_slot(i), -1) in steps for i in steps) >= FEWEST
        order += [*self._before, *self._steps, *self._behind] if is_chain else self._all
        chains += [self._steps] * is_chain


def chained(  # noqa: PLR0913, PLR0917 - each has a name
    run: dict[int, Step],
    slot_of: Callable[[Any], Slot],
    quiet: Collection[Slot],
    touches_written: Callable[[Step], bool],
    kept: Iterable[Any],
    looked_behind: Container[int],
    is_fixed: bool,
) -> tuple[list[int], list[list[int]]]:
    """The steps in an order in which chains are together, and the numbers of the operations of each chain.

    Parameters
    ----------
    run
        The steps, in order.
    slot_of
        Gives the slot that a value has in the program.
    quiet
        The operations that warn of nothing.
    touches_written
        Whether somebody writes into what an operation reads or returns.
    kept
        The values that are read after all steps.
    looked_behind
        The steps behind which a look decides.
    is_fixed
        Whether all steps stay in their order.
    """
    states = {i: state_that_matters(step, step_slot(i) in quiet) for i, step in run.items()}
    forms = {
        i: form
        for i, step in run.items()
        for form in [form_of(step)]
        if form is not None and says_nothing(states[i]) and not touches_written(step)
    }
    if len(forms) <= FEWEST:
        return [*run], []
    last = {slot_of(x).root(): i for i, step in run.items() for x in inputs_of(step)}
    last |= dict.fromkeys((slot_of(x).root() for x in kept), -1)
    order: list[int] = []
    chains: list[list[int]] = []
    growing = _Growing(None)
    for i, step in run.items():
        form = forms.get(i)
        roots = {slot_of(x).root() for x in inputs_of(step)}
        stays = step.kind == "operation" and not (is_fixed and form is None)
        if not stays or not growing.take(i, step, roots, form, states[i]):
            growing.end(last, order, chains)
            growing = _Growing(form if stays else None)
            growing.take(i, step, roots, form, states[i])
        if i in looked_behind:
            growing.end(last, order, chains)
            growing = _Growing(None)
    growing.end(last, order, chains)
    return order, chains
