"""A function that holds traced values, such as a closure, as one that is given them."""

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.recording.recorder import IS_RECORDING
from chainrules.ad.recording.tape import NotRecordableError
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.traced.views import snapshot
from chainrules.ad.values.structures import Path, has_parts, parts_of, with_parts, within


@dataclass(eq=False)
class Lifted(Derived):
    """A function of the values at some places in another one, in front of the arguments.

    Attributes
    ----------
    paths
        The ways to these places, through variables of functions around it, defaults and attributes.
    """

    paths: tuple[Path, ...] = ()
    unnamed = "lifted"

    def __call__(self, values: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function that holds these values.

        Raises
        ------
        NotRecordableError
            If it changes what it holds, which is made anew for each call.
        """
        made: list[tuple[Any, dict[Any, Any]]] = []
        f = _with_values(self.f, dict(zip(self.paths, values, strict=True)), made)
        y = choose(f)(*args, **kwargs)
        for x, parts in made:
            now = parts_of(x)
            if now.keys() != parts.keys() or any(now[key] is not part for key, part in parts.items()):
                reason = f"it changes a {type(x).__name__} beside a value that is differentiated by"
                tape = IS_RECORDING.get()
                raise NotRecordableError(reason, None) if tape is None else tape.refuse(reason)
        return y


def lifted(f: Any) -> tuple[Lifted, tuple[Any, ...]]:
    """A function without the traced values that `f` holds, and these, which it is to be given.

    Raises
    ------
    TypeError
        If something holds traced values, and itself.
    """
    found = dict(_traced_parts(f, (), ()))
    plain = _with_values(f, dict.fromkeys(found), [])
    return Lifted(plain, tuple(found)), tuple(map(snapshot, found.values()))


def _traced_parts(x: Any, path: Path, holders: tuple[int, ...]) -> Iterator[tuple[Path, Any]]:
    if not has_parts(x):
        yield path, x
        return
    holders = within(x, holders)
    for key, part in parts_of(x).items():
        if is_traced(part):
            yield from _traced_parts(part, (*path, key), holders)


def _with_values(x: Any, values: dict[Path, Any], made: list[tuple[Any, dict[Any, Any]]]) -> Any:
    """`x` with other values at the ends of some paths; what is made anew for that, with its parts."""
    if () in values:
        return values[()]
    below: dict[Any, dict[Path, Any]] = {}
    for (key, *rest), value in values.items():
        below.setdefault(key, {})[tuple(rest)] = value
    parts = dict(parts_of(x))
    parts |= {key: _with_values(parts[key], inner, made) for key, inner in below.items()}
    y = with_parts(x, parts)
    if not isinstance(y, tuple | functools.partial):  # which never change, nor keep their parts as they are
        made.append((y, parts))
    return y
