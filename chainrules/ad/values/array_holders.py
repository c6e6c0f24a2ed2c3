"""Which names of a program hold an array that is written into: for errors."""

import itertools
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

_DEEPEST, _MOST_FRAMES, _MOST_ITEMS = 3, 20, 100


class Holder(NamedTuple):
    """A name by which a program reaches an array.

    Attributes
    ----------
    path
        As the program writes it: ``held``, ``model.weights``, ``arrays["b"]``.
    name
        The variable with which the path begins.
    kind
        What the variable is.
    is_outside
        Whether it is a variable from outside of the function.
    """

    path: str
    name: str
    kind: str
    is_outside: bool

    def __str__(self) -> str:
        """As in messages: ```model.weights`, held by `model`, a global of file.py``."""
        held = "" if self.path == self.name else f"held by `{self.name}`, "
        return f"`{self.path}`, {held}{self.kind}"


def described_holder(array: Any, frame: types.FrameType | None, written: str = "") -> tuple[str, bool]:
    """Who holds a plain array, as a sentence without its stop, and whether its name is a local variable.

    Parameters
    ----------
    array
        The array.
    frame
        The frame of the program that writes into it.
    written
        How the program names it there.

    Returns
    -------
    str, bool
        An empty sentence if no name is found.
    """
    holders = list(_holders(array, frame)) if frame else []
    if not holders:
        return "", False
    here = next((holder for holder in holders if holder.path == written), holders[0])
    if here.is_outside or here.path != here.name:
        return f"{here}, is a plain array", False
    root = array
    while isinstance(root.base, np.ndarray):
        root = root.base
    for x, what in ((array, "is"), (root, "is a view of")):
        elsewhere = next(_holders_elsewhere(x, here, frame), None)
        if elsewhere is not None:
            return f"`{here.name}` {what} {elsewhere}, which is a plain array", True
    return f"{here}, is a plain array", True


def _holders_elsewhere(array: Any, here: Holder, frame: types.FrameType | None) -> Iterator[Holder]:
    """Other names of an array than a local one: in its frame, and in others those from outside."""
    for outer in itertools.islice(_frames(frame), _MOST_FRAMES):
        for holder in _holders(array, outer):
            if holder.is_outside or (outer is frame and holder.path != here.path):
                yield holder


def _frames(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    while frame is not None:
        if not str(frame.f_globals.get("__name__")).startswith("chainrules"):
            yield frame
        frame = frame.f_back


def _holders(array: Any, frame: types.FrameType) -> Iterator[Holder]:
    """The names in a frame by which an array is reached, those from outside first."""
    code = frame.f_code
    arguments = set(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    of_module = frame.f_locals is frame.f_globals
    inside = {} if of_module else frame.f_locals
    used = (
        frame.f_globals
        if of_module
        else {n: frame.f_globals[n] for n in code.co_names if n in frame.f_globals}
    )
    captured = {name: x for name, x in inside.items() if name in code.co_freevars}
    for names, kind, is_outside in (
        (captured, f"captured by `{code.co_name}`", True),
        (used, f"a global of {code.co_filename}", True),
        ({n: x for n, x in inside.items() if n in arguments}, f"an argument of `{code.co_name}`", False),
        (inside, f"a variable of `{code.co_name}`", False),
    ):
        for name, value in names.items():
            path = _path_to(array, value, name)
            if path is not None:
                yield Holder(path, name, kind, is_outside)


def _path_to(array: Any, x: Any, path: str, depth: int = 0) -> str | None:
    """How a program writes the way from a value to an array in its items and attributes; `None` if none."""
    if x is array:
        return path
    if depth == _DEEPEST:
        return None
    for step, part in itertools.islice(_parts(x), _MOST_ITEMS):
        found = _path_to(array, part, path + step, depth + 1)
        if found is not None:
            return found
    return None


def _parts(x: Any) -> Iterator[tuple[str, Any]]:
    """The items and attributes of a value, without running code of its class."""
    cls = type(x)
    if cls is dict:
        return ((f"[{key!r}]", part) for key, part in x.items())
    if cls is list or cls is tuple:
        return ((f"[{place}]", part) for place, part in enumerate(x))
    if isinstance(x, types.ModuleType | type | types.FunctionType | np.ndarray):
        return iter(())
    attributes = getattr(x, "__dict__", None)
    return ((f".{name}", part) for name, part in attributes.items()) if type(attributes) is dict else iter(())
