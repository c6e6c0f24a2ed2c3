"""Recorded values where others meet them: calls of primitives are written down whole, in one line."""

import types
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.entering import entered
from chainrules.ad.interception.choosing.switch import watcher
from chainrules.ad.interception.choosing.unentered import without_constants
from chainrules.ad.interception.meanings.properties import read_by
from chainrules.ad.interception.meanings.questions import flags_by
from chainrules.ad.recording.recorded import Recorded, holds_recorded
from chainrules.ad.recording.regular import QUESTIONS
from chainrules.ad.recording.running import has_nan
from chainrules.ad.recording.tape import NotRecordableError, is_known
from chainrules.operations.linear_systems import solution
from chainrules.operations.normal_vectors import log_density
from chainrules.operations.scatter import scatter
from chainrules_core import contains_carrier, unwrap_primitive
from chainrules_core.speed import register_stand_in


class RecordingBackend:
    """What `chainrules_core.primitive` asks."""

    def call(self, f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Call `f` with the plain values, and write it down.

        Raises
        ------
        NotRecordableError
            If the recorded values are hidden in objects.
        """
        found = next(_recorded_in((*args, *kwargs.values())), None)
        if found is None:
            raise NotRecordableError("a recorded value is hidden in an object")
        if f in _OPENED:
            return f(*args, **kwargs)
        if not is_known(f):
            return _looked_into(f)(*args, **kwargs)
        if type(f) is type(np.sum) and f in QUESTIONS:
            return f(*map(found._tape.plain, args), **found._tape.plain(kwargs))
        return found._tape.operation(f, args, kwargs)

    def primal(self, x: Recorded) -> Any:
        """The value that decides which rule serves a call."""
        return x._plain


def primitive_looked_into(primitive: Any, chosen: Any) -> Any:
    """What to call in the place of a primitive, `chosen` or, where nothing is carried, its function."""
    f = unwrap_primitive(primitive)

    def call(*args: Any, **kwargs: Any) -> Any:
        is_carried = contains_carrier(without_constants(args, kwargs))
        return chosen(*args, **kwargs) if is_carried else _looked_into(f)(*args, **kwargs)

    return chosen if is_known(f) else call


def _looked_into(f: Any) -> Any:
    """What to call in the place of somebody else's function: nothing here needs its rules."""
    watch, body = watcher(), entered(f) if type(f) is types.FunctionType else None
    return choose(f) if watch is None or body is None else watch(f, body)


def _recorded_in(values: Any) -> Iterator[Recorded]:
    for x in values:
        if type(x) is Recorded:
            yield x
        elif holds_recorded(x):
            parts = (x.start, x.stop, x.step) if type(x) is slice else x.values() if type(x) is dict else x
            yield from _recorded_in(parts)


# Zeros and a write, which other writes can be added to; and what is computed by a matrix that was decomposed.
_OPENED = frozenset(map(unwrap_primitive, (scatter, solution, log_density)))


def _has_nan(x: Recorded) -> bool:
    return bool(x._tape.guard("no NaN", x, has_nan(x._plain)))


def _is_zero(x: Recorded) -> bool:
    return bool(x._tape.guard("not zero", x, bool(x._plain == 0)))


register_stand_in(Recorded, RecordingBackend(), _has_nan, _is_zero)


def _class_of(x: Recorded, name: str) -> Any:
    """The class of a value, which follows from the signature, or is compared."""
    return type(x._plain)


read_by(Recorded, {"__class__": _class_of})


def _very_flag(x: Recorded) -> Any:
    is_flag = isinstance(x._plain, bool | np.bool_)
    return type(x._plain)(bool(x)) if is_flag else x


flags_by(Recorded, _very_flag)
