"""Looks for a NaN, or a zero, that are one look at a result where it must arrive.

Rules look for a NaN behind each product, since zero times infinity is no derivative. In a program a NaN leads
back to the function itself; so it is enough to look where it ends, if no operation on the way can lose it.
At a point where a result has a NaN for another reason, what is recorded has all of its looks.

An operation that would warn leaves an infinite number or a NaN behind. Where that must arrive at a result,
too, one look at the result allows to silence the operation together with those around it.
"""

import operator
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules.ad.recording.identities import TIMES, factor_and_operand
from chainrules.ad.recording.recorded import holds_recorded, is_recorded, recorded_in
from chainrules.ad.recording.slots import Slot, step_slot
from chainrules.ad.recording.tape import LEFT_OUT, OF_NUMPY, Step

PRODUCTS: set[Any] = {np.matmul, operator.matmul, np.dot, np.outer}
# A NaN of any operand is one of the result. Not of powers, `hypot`, or maxima that leave NaN out. A library
# that skips zeros in a product of matrices loses a NaN, but only where it is multiplied by zeros alone: then
# the result is that of the number which the rule would have put in its place.
_OF_TWO: set[Any] = {
    np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum,
    operator.add, operator.sub, operator.mul, operator.truediv, *PRODUCTS,
}  # fmt: skip
_OF_ONE: set[Any] = {
    np.negative, np.positive, np.exp, np.expm1, np.log, np.log1p, np.sqrt, np.square, np.sin, np.cos, np.tan,
    np.sinh, np.cosh, np.tanh, np.arctan, np.absolute, np.reciprocal, operator.neg, operator.pos, abs,
}  # fmt: skip
# All elements are among those of the result, or are summed.
REARRANGING: set[Any] = {
    np.reshape, np.ravel, np.transpose, np.swapaxes, np.moveaxis, np.expand_dims, np.squeeze, np.broadcast_to,
    np.copy, np.sum, np.mean, np.cumsum, np.add.reduce, np.flip, np.concatenate, np.stack,
    np.ndarray.reshape, np.ndarray.ravel, np.ndarray.transpose, np.ndarray.swapaxes, np.ndarray.squeeze,
    np.ndarray.copy, np.ndarray.sum, np.ndarray.mean, np.ndarray.flatten,
}  # fmt: skip
# A zero of either operand is a zero or a NaN of the result.
_KEEPING_ZERO: set[Any] = {*TIMES, operator.neg, np.negative}

# An infinite number or a NaN is one of both in the result; of a division, that of the first operand.
_OF_FIRST: set[Any] = {np.divide, operator.truediv}
_KEEPING_INFINITY: set[Any] = {
    np.add, np.subtract, np.multiply, np.negative, operator.add, operator.sub, operator.mul, operator.neg,
    *_OF_FIRST, *PRODUCTS,
}  # fmt: skip
# Those that warn where they make such a number of others, and nowhere else.
_WARNING: set[Any] = {*_KEEPING_INFINITY, np.sum, np.ndarray.sum, np.add.reduce}

# They neither warn nor fail, whatever the elements are.
SILENT: set[Any] = {
    np.positive, np.negative, np.conjugate, np.isnan, np.isfinite, np.isinf, np.logical_and,
    np.logical_or, np.logical_not, np.equal, np.not_equal, np.zeros_like, np.ones_like, np.empty_like,
    np.full_like, np.copy, np.transpose, np.swapaxes, np.moveaxis, np.ravel, np.reshape, np.expand_dims,
    np.squeeze, np.broadcast_to, np.real, np.imag, np.any, np.all, operator.getitem, operator.eq, operator.ne,
    operator.neg, operator.pos, operator.and_, operator.or_, operator.invert, np.concatenate,
    np.stack, np.where,
}  # fmt: skip

# In nanoseconds, of a look and of each element.
_LOOK, _ELEMENT = 500.0, 0.4
# Of a program with more results no more are looked at in the place of others.
_MOST_RESULTS = 50


@dataclass(frozen=True)
class Merged:
    """The looks that a program needs.

    Attributes
    ----------
    stays
        The positions of those that stay, in what was asked.
    at_results
        Each result to look at, and for what: ``"no NaN"``, ``"finite"`` or ``"not zero"``.
    quiet
        The operations that warn of nothing, or lead to a result that is looked at.
    """

    stays: list[int]
    at_results: list[tuple[str, Any]]
    quiet: set[Slot]


class Looks:
    """Which looks a program needs.

    Parameters
    ----------
    steps
        The operations and writes that run, by their numbers.
    slot_of
        The slot that a value has in the program.
    is_written
        Whether somebody writes into what an operation reads or returns.
    is_kept
        Whether what is written into an array stays there.
    results
        The recorded values among the results.
    ask
        The answer to a question about the numbers of a recorded value.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - each has a name
        self,
        steps: dict[int, Step],
        slot_of: Callable[[Any], Slot],
        is_written: Callable[[Step], bool],
        is_kept: Callable[[Slot], bool],
        results: Iterable[Any],
        ask: Callable[[Callable[[Any], Any], Any], Any],
    ) -> None:
        self._slot_of, self._is_kept, self._ask = slot_of, is_kept, ask
        self._before: dict[Slot, list[tuple[str, Slot]]] = {}
        self._made: dict[Slot, Step] = {}
        for i, step in steps.items():
            if step.kind == "write":
                self._add_write(step)
            elif step.kind == "operation" and not is_written(step):
                slot = step_slot(i)
                self._made[slot] = step
                self._add_operation(slot, step)
        self._results = {slot_of(x): x for x in results if _is_float(x._plain)}

    def _add_write(self, step: Step) -> None:
        """What is written stays in the array, where others are only added to it."""
        if step.f in (operator.setitem, operator.iadd):
            target, index, x = step.args
            if not _picks_something_once(target._plain, index):
                return
        elif step.f is np.add and len(step.args) == 2:
            x = step.args[1]
        else:
            return
        if is_recorded(x) and _is_float(x._plain):
            self._edge(x, "write", self._slot_of(step.target))

    def _add_operation(self, slot: Slot, step: Step) -> None:
        if not _is_float(step.value) or (isinstance(step.value, np.ndarray) and not step.value.size):
            return
        is_number = not isinstance(step.value, np.ndarray) or not step.value.ndim
        for x in _operands(step):
            if not is_recorded(x) or not _is_float(x._plain):
                continue
            if _keeps_nan(step):
                self._edge(x, "nan", slot)
                if _keeps_infinity(step, x):
                    self._edge(x, "finite", slot)
            if is_number and (step.f in _KEEPING_ZERO or self._is_doubling(step)):
                self._edge(x, "zero", slot)

    def _is_doubling(self, step: Step) -> bool:
        return (
            step.f in (operator.add, np.add)
            and len({self._slot_of(x) for x in step.args if is_recorded(x)}) == 1
            and (all(map(is_recorded, step.args)))
        )

    def _edge(self, x: Any, kind: str, to: Slot) -> None:
        self._before.setdefault(to, []).append((kind, self._slot_of(x)))

    def moved_back(self, x: Any) -> Any:
        """A value that has a NaN where `x` has one: what it is a multiple of."""
        while True:
            made = self._made.get(self._slot_of(x))
            operand = None if made is None else factor_and_operand(made)[1]
            if (
                operand is None
                or not _is_float(operand._plain)
                or np.shape(operand._plain) != np.shape(x._plain)
            ):
                return x
            x = operand

    def needed(
        self, wanted: list[tuple[str, Any]], warning: list[Slot], bounded: Collection[int] = ()
    ) -> Merged:
        """The looks that a program needs, in the place of those that rules made.

        Parameters
        ----------
        wanted
            In the order of the program: ``"nan"`` or ``"zero"``, and the value.
        warning
            Operations that may warn, among others that may not.
        bounded
            The numbers of those whose results are finite.
        """
        covered: set[Slot] = set()
        stays = []
        for i in reversed(range(len(wanted))):
            kind, x = wanted[i]
            slot = self._slot_of(x)
            if kind != "nan" or slot not in covered:
                stays.append(i)
                if kind == "nan":
                    self._lead_to(slot, "nan", covered)
        at_results: list[tuple[str, Any]] = []
        quiet: set[Slot] = set()
        for slot, x in list(self._results.items())[:_MOST_RESULTS]:
            merged = self._leading_to(slot, "nan", stays, wanted)
            is_worth = (
                merged and _cost(x) <= sum(_cost(wanted[i][1]) for i in merged) and not self._ask(has_nan, x)
            )
            silenced = self._lead_to(slot, "finite", set()).intersection(warning) - quiet
            if (is_worth or len(silenced) > 1) and silenced and self._ask(_are_finite, x):
                quiet |= silenced
                at_results.append(("finite", x))
            elif is_worth:
                at_results.append(("no NaN", x))
            elif slot.kind != "step" or slot.at not in bounded:
                continue  # a NaN might hide a zero
            else:
                merged = set()
            stays = [i for i in stays if i not in merged]
            merged = self._leading_to(slot, "zero", stays, wanted)
            if len(merged) > 1 and np.ndim(x._plain) == 0 and self._ask(_is_not_zero, x):
                at_results.append(("not zero", x))
                stays = [i for i in stays if i not in merged]
        return Merged(sorted(stays), at_results, quiet)

    def _leading_to(self, slot: Slot, kind: str, stays: list[int], wanted: list[tuple[str, Any]]) -> set[int]:
        slots = self._lead_to(slot, kind, set())
        return {i for i in stays if wanted[i][0] == kind and self._slot_of(wanted[i][1]) in slots}

    def _lead_to(self, end: Slot, kind: str, known: set[Slot]) -> set[Slot]:
        """The slots from where a number of a kind gets to `end`, in addition to those that are known."""
        known.add(end)
        pending = [end]
        while pending:
            to = pending.pop()
            for edge, slot in self._before.get(to, ()):
                passes = edge == kind or (edge == "write" and kind != "zero" and self._is_kept(to))
                if passes and slot not in known:
                    known.add(slot)
                    pending.append(slot)
        return known


def warns_never(step: Step) -> bool:
    """Whether NumPy's state of warnings does not matter to an operation."""
    if step.kind != "operation" or (
        isinstance(step.value, _OF_PYTHON) and not isinstance(step.value, np.generic)
    ):
        return step.kind == "operation"  # Python's own numbers know no such state
    return step.f in SILENT


def state_that_matters(step: Step, is_quiet: bool) -> tuple[str, ...]:
    """NumPy's state of warnings, which a step needs; nothing if it runs in any.

    Parameters
    ----------
    step
        The step.
    is_quiet
        Whether it warns of nothing.
    """
    return () if is_quiet or warns_never(step) else step.errors


def writes_unseen(step: Step, is_quiet: bool) -> bool:
    """Whether a write into an array that nobody needs neither warns nor raises.

    Parameters
    ----------
    step
        The write.
    is_quiet
        Whether NumPy says nothing about its numbers.
    """
    if step.place is None and is_quiet:
        return True
    dtype = step.target._plain.dtype
    if isinstance(step.f, np.ufunc):
        return is_quiet and dtype.kind in "fcb"
    if step.f is not operator.setitem or recorded_in(step.args[1:2]):
        return False  # a position may lie outside
    value = step.args[2]
    value = value._plain if is_recorded(value) else value
    is_kept = isinstance(value, np.ndarray | np.generic | float) and np.can_cast(
        np.asarray(value).dtype, dtype
    )
    return is_quiet or is_kept


def can_be_dropped(step: Step) -> bool:
    """Whether nobody sees that an operation without a use is left out: neither a warning nor an error."""
    quiet = _SILENT_STATE if step.place is not None else _TELLING_STATE  # pullbacks may warn of less
    is_quiet = quiet.issuperset(step.errors)
    if step.kind == "write":  # it is alive if its array is
        return writes_unseen(step, is_quiet)
    if step.kind == LEFT_OUT:
        return True
    if step.kind != "operation":
        return False
    if step.f is operator.getitem and recorded_in(step.args[1:]):
        return False  # a position may lie outside
    if step.f in SILENT:
        return True
    is_arithmetic = isinstance(step.f, np.ufunc) or step.f in _ARITHMETIC
    # Python's own numbers raise where NumPy's warn, and powers of whole numbers may, too.
    is_of_numpy = isinstance(step.value, OF_NUMPY) and step.value.dtype.kind in "fcb"
    return is_arithmetic and is_of_numpy and is_quiet


_SILENT_STATE, _TELLING_STATE = frozenset({"ignore"}), frozenset({"ignore", "warn"})
_OF_PYTHON, _CONTAINERS = (float, complex), (list, tuple)
_ARITHMETIC = frozenset({operator.add, operator.sub, operator.mul, operator.truediv, operator.pow})


def are_quieter(errors: tuple[str, ...], than: tuple[str, ...]) -> bool:
    """Whether an operation warns of nothing that an equal one before it has not warned of."""
    return all(new in ("ignore", old) for new, old in zip(errors, than, strict=True))


def may_be_silenced(step: Step) -> bool:
    """Whether an operation of floats warns only where it makes a number that is not finite."""
    is_one = step.kind == "operation" and step.f in _WARNING
    return is_one and _is_float(step.value) and bool(np.size(step.value))


def _operands(step: Step) -> list[Any]:
    first = step.args[0] if step.args else None
    return list(first) if isinstance(first, _CONTAINERS) else list(step.args[:2])


def _keeps_nan(step: Step) -> bool:
    if step.kwargs.keys() - {"axis", "keepdims"}:
        return False
    number = 2 if step.f in _OF_TWO else 1 if step.f in _OF_ONE else None
    if number is not None:
        return len(step.args) == number
    return _picks_all(step) if step.f is operator.getitem else step.f in REARRANGING


def _keeps_infinity(step: Step, x: Any) -> bool:
    if step.f in _OF_FIRST:
        return step.args[0] is x
    return step.f in _KEEPING_INFINITY or step.f in REARRANGING or step.f is operator.getitem


def _picks_something_once(x: Any, index: Any) -> bool:
    """Whether an index is basic, and picks at least one element."""
    parts = index if isinstance(index, tuple) else (index,)
    is_basic = all(type(i) in (int, slice, type(None), type(Ellipsis)) for i in parts) and not holds_recorded(
        index
    )
    return is_basic and bool(np.size(x[index]))


def _picks_all(step: Step) -> bool:
    """Whether an index only adds axes or turns them around: as many elements, each once."""
    index = step.args[1] if isinstance(step.args[1], tuple) else (step.args[1],)
    is_basic = all(i is None or i is Ellipsis or isinstance(i, slice) for i in index)
    return is_basic and np.size(step.value) == np.size(step.args[0]._plain)


def _is_float(x: Any) -> bool:
    return isinstance(x, float) or (isinstance(x, OF_NUMPY) and x.dtype.kind == "f")


def _are_finite(x: Any) -> bool:
    return bool(np.isfinite(x).all())


def _is_not_zero(x: Any) -> bool:
    return bool(x != 0)


def has_nan(x: Any) -> bool:
    """Whether a value that was recorded has a NaN."""
    return bool(np.any(np.isnan(x)))


def _cost(x: Any) -> float:
    return _LOOK + _ELEMENT * np.size(x._plain) if isinstance(x._plain, np.ndarray) else _LOOK / 10
