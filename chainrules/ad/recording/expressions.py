"""Expressions in the text of a program: names, constants, indices and operands."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from chainrules.ad.recording.naming import RESERVED, free_name
from chainrules.ad.recording.passes import Needed
from chainrules.ad.recording.recorded import is_recorded
from chainrules.ad.recording.recorder import Recording
from chainrules.ad.recording.regular import is_named_tuple
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.turns import Turns


class Expressions:
    """What the values of a program are called, and the values that names stand for.

    Attributes
    ----------
    scope
        The global names of the source.
    turns
        Where it decides, and what there is by then.
    """

    def __init__(
        self,
        recording: Recording,
        needed: Needed,
        parameters: list[str],
        scope: dict[str, Any],
        given: Mapping[Slot, str],
    ) -> None:
        self.scope, self.turns = dict(scope), Turns()
        self._recording, self._needed = recording, needed
        self._reused, self._places = needed.reused()
        # What stands inside of others, and that of it which binds more strongly than a sum.
        self._within: dict[Slot, str] = {}
        self._binding: set[Slot] = set()
        self._constants: dict[int, str] = {}
        self._kept: list[Any] = []
        self._scalars: frozenset[Slot] = frozenset()
        # While a loop is written, what names stand for outside.
        self._outside: list[tuple[dict[Any, str], Any, str | None]] = []
        self._taken = {*RESERVED, *parameters, *given.values(), "program"}
        self._names: dict[Slot, str] = {Slot("argument", i): name for i, name in enumerate(parameters)}
        for i, x in enumerate(recording.inputs):  # an array that is given twice has one name
            self._names[Slot("argument", i)] = self._names[x._slot]
        for slot, name in given.items():
            self._name(slot, name)

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
        if not self._outside and slot not in self._scalars:  # parts, and Python's numbers, are nobody else's
            self.turns.name(slot, name, self._places_of(slot))
        self._names[slot] = name
        return name

    def _places_of(self, slot: Slot) -> frozenset[int]:
        return self._places.get(slot.root(), frozenset())

    def _free(self, name: str) -> str:
        free = free_name(name, self._taken, self.scope)
        self._taken.add(free)
        return free
