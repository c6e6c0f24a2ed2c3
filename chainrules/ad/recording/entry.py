"""The way into a generated program: straight-line code that knows the call which the program is for."""

import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.switch import BLOCKS
from chainrules.ad.recording.error_state import state_test
from chainrules.ad.recording.generated import code_of
from chainrules.ad.recording.running import MISS
from chainrules.ad.recording.signature import is_by_identity, is_leaf, is_named_tuple, is_record, repeated
from chainrules.ad.recording.surroundings import Surroundings
from chainrules.ad.recording.unchanged import unchanged_test
from chainrules.ad.values.plain_values import WRITEABLE
from chainrules.ad.watching.observing import observers
from chainrules_core import debug_mode, on_changed_rules, rrule

# How often rules were changed: what was recorded before is not used again.
rules_changed = [0]


def _count() -> None:
    rules_changed[0] += 1


on_changed_rules(_count, by_rulesets=False)
# The first look-up names the rulesets that are installed. What is recorded before would be recorded again.
rrule.may_serve(len)


Entry = Callable[[tuple[Any, ...], dict[str, Any]], Any]


def entry_of(
    program: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], surroundings: Surroundings
) -> Entry:
    """A function of ``(args, kwargs)``: the result of a program for a call like this one, otherwise `MISS`.

    Parameters
    ----------
    program
        A function of the leaves of the arguments.
    args, kwargs
        What was recorded.
    surroundings
        What has to be as it was, too.
    """
    return _Entry(program, args, kwargs, surroundings).made


class _Entry:
    def __init__(self, program: Any, args: Any, kwargs: Any, surroundings: Surroundings) -> None:
        self._scope: dict[str, Any] = {
            "np": np, "MISS": MISS, "BLOCKS": BLOCKS, "debug_mode": debug_mode, "observers": observers,
            "rules_changed": rules_changed, "changed_then": rules_changed[0], "is_": operator.is_,
            "is_state_as_then": state_test(), "is_unchanged": unchanged_test(surroundings),
            "program": program, "same_keys": _same_keys, "__name__": __name__,
            "outside": frozenset(surroundings.numbers_of_arrays()),
        }  # fmt: skip
        self._lines = [
            "if BLOCKS or rules_changed[0] != changed_then or debug_mode() or observers():",
            "    return MISS",
        ]
        self._leaves: list[tuple[str, Any]] = []
        self._containers: list[tuple[str, Any]] = []
        self._count = 0
        self._test(args, "args")
        self._test(kwargs, "kwargs")
        self._test_identities()
        self._miss_unless("is_state_as_then() and is_unchanged()")
        self._lines.append(f"return program({', '.join(name for name, _ in self._leaves)})")
        body = "\n".join(f"        {line}" for line in self._lines)
        source = f"def enter(args, kwargs):\n    try:\n{body}\n    except Exception:\n        return MISS\n"
        exec(code_of(source, "<entry>"), self._scope)  # noqa: S102 - we wrote it
        self.made: Entry = self._scope["enter"]

    def _miss_unless(self, condition: str) -> None:
        self._lines += [f"if not ({condition}):", "    return MISS"]

    def _named(self, x: Any) -> str:
        name = f"x{len(self._scope)}"
        self._scope[name] = x
        return name

    def _test(self, x: Any, name: str) -> None:
        """Test an argument of this name, and those in it."""
        cls = type(x)
        is_class = f"type({name}) is {self._named(cls)}"
        if cls is np.ndarray:
            dtype, flag = self._named(x.dtype), "" if x.flags.num & WRITEABLE else "not "
            self._miss_unless(f"{is_class} and ({name}.dtype is {dtype} or {name}.dtype == {dtype})")
            self._miss_unless(f"{name}.shape == {x.shape} and {name}.strides == {x.strides}")
            self._miss_unless(f"{flag}{name}.flags.num & {WRITEABLE} and id({name}) not in outside")
            self._leaves.append((name, x))
        elif is_leaf(x):
            self._miss_unless(is_class)
            self._leaves.append((name, x))
        elif cls in (tuple, list, dict) or is_named_tuple(cls):
            condition = f"{is_class} and len({name}) == {len(x)}"
            if cls is list or (cls is dict and name != "kwargs" and not name.endswith(".__dict__")):
                self._containers.append((name, x))
            if cls is dict and x:
                keys = self._named([*x])
                condition += f" and (all(map(is_, {name}, {keys})) or same_keys({name}, {keys}))"
            self._miss_unless(condition)
            names = [f"a{self._count + i}" for i in range(len(x))]
            self._count += len(x)
            if names:
                self._lines.append(f"{', '.join(names)}, = {name}{'.values()' if cls is dict else ''}")
            for part, inner in zip(x.values() if cls is dict else x, names, strict=True):
                self._test(part, inner)
        elif is_record(x):
            self._miss_unless(is_class)
            self._containers.append((name, x))
            self._test(vars(x), f"{name}.__dict__")
        else:
            # A bound method is made at each look; objects may be equal, and others.
            same = "is" if is_by_identity(x) and cls is not types.MethodType else "=="
            self._miss_unless(f"{is_class} and {name} {same} {self._named(x)}")

    def _test_identities(self) -> None:
        """Programs ask ``x is y``."""
        conditions = [*_identities(self._leaves), *_identities(self._containers)]
        if conditions:
            self._miss_unless(" and ".join(conditions))


def _identities(named: list[tuple[str, Any]]) -> list[str]:
    """That these are as many objects as they were, by their names."""
    names = [name for name, _ in named]
    first = repeated([x for _, x in named])
    alone = [name for i, name in enumerate(names) if first[i] == i]
    conditions = [f"{names[first[i]]} is {name}" for i, name in enumerate(names) if first[i] != i]
    if len(alone) == 2:
        conditions.append(f"{alone[0]} is not {alone[1]}")
    elif len(alone) > 2:
        conditions.append(f"len({{{', '.join(f'id({name})' for name in alone)}}}) == {len(alone)}")
    return conditions


def _same_keys(now: Any, then: list[Any]) -> bool:
    keys = list(now)
    return list(map(_classes_in, keys)) == list(map(_classes_in, then)) and keys == then


def _classes_in(key: Any) -> Any:
    # Flags are equal to whole numbers, in tuples as well.
    return tuple(map(_classes_in, key)) if type(key) is tuple else type(key)
