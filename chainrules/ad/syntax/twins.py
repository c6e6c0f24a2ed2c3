"""The twin of a code object: the same code, with its calls intercepted."""

import linecache
import threading
import types
import weakref
from collections.abc import Iterable, Iterator
from typing import Any

from chainrules.ad.syntax.compiling import Prepare, code_pairs, preparations

_Key = tuple[str, int, bytes]
_Twins = dict[_Key, list[tuple[types.CodeType, types.CodeType]]]

# Forgotten with the code object, since text may be executed again and again: its twin, `None` where the
# source is not what runs; a twin is its own, and has the code that it was made of. By identity, since a code
# object is hashed by its contents. Closures share the code object of their function.
_met: dict[int, tuple[Any, types.CodeType | None, types.CodeType | None]] = {}

# Never forgotten, since a program goes on to call what its files define. By file name: the text; for each way
# in which it was compiled, all code objects in it with their twins; and the ways that nothing has needed yet.
_files: dict[str, tuple[list[str], list[_Twins], list[Prepare]]] = {}
_lock = threading.RLock()


def twin_of(code: types.CodeType, scope: dict[str, Any]) -> types.CodeType | None:
    """The twin of a code object, `None` if it is not what its source says, or there is no source.

    The file is compiled when the first of its functions is met, once.

    Parameters
    ----------
    code
        The code of a function.
    scope
        The function's global names.
    """
    known = _met.get(id(code))
    if known is not None:
        return known[1]
    with _lock:
        twin = _found(code, scope)
        _remember(code, twin)
    return twin


def is_twin(code: types.CodeType) -> bool:
    """Whether the calls in a code object are intercepted already."""
    known = _met.get(id(code))
    return known is not None and known[1] is code


def original_of(twin: types.CodeType) -> types.CodeType | None:
    """The code object that a twin was made of; `None` if it is no twin."""
    known = _met.get(id(twin))
    return None if known is None else known[2]


def _remember(
    code: types.CodeType, twin: types.CodeType | None, original: types.CodeType | None = None
) -> None:
    number, forget = id(code), _met.pop  # kept, since global names are gone when Python ends
    _met[number] = weakref.ref(code, lambda _: forget(number, None)), twin, original


def _found(code: types.CodeType, scope: dict[str, Any]) -> types.CodeType | None:
    filename = _file_of(code, scope)
    lines = linecache.getlines(filename, scope)
    twin = _twin_among(_twins_in(filename, lines, scope), code)
    if twin is None:  # the file may have been edited since
        linecache.checkcache(filename)
        current = linecache.getlines(filename, scope)
        if current != lines:
            twin = _twin_among(_twins_in(filename, current, scope), code)
    return twin


def _file_of(code: types.CodeType, scope: dict[str, Any]) -> str:
    """The name of the file of a code object; modules of Python that are frozen have one, too."""
    is_frozen = code.co_filename.startswith("<frozen ")
    return str(scope.get("__file__", code.co_filename)) if is_frozen else code.co_filename


def _twins_in(filename: str, lines: list[str], scope: dict[str, Any]) -> Iterator[_Twins]:
    """The twins of each way of compiling a file, which is compiled so when the ways before do not help."""
    if not lines:
        return
    source = "".join(lines)
    known = _files.get(filename)
    if known is None or known[0] != lines:
        known = _files[filename] = lines, [], list(preparations(source, filename, scope))
    _, compiled, others = known
    yield from compiled
    while others:
        compiled.append(_twins_of_file(source, filename, others[0]))
        del others[0]
        yield compiled[-1]


def _twins_of_file(source: str, filename: str, prepare: Prepare) -> _Twins:
    twins: _Twins = {}
    try:
        for code, twin in code_pairs(source, filename, prepare):
            twins.setdefault(_key(code), []).append((code, twin))
            _remember(twin, twin, code)
    except (SyntaxError, ValueError, OSError):  # it is not Python's source, or not what was compiled
        return {}
    return twins


def _key(code: types.CodeType) -> _Key:
    return code.co_qualname, code.co_firstlineno, code.co_linetable


def _twin_among(ways: Iterable[_Twins], code: types.CodeType) -> types.CodeType | None:
    key = _key(code)
    for twins in ways:
        for same, twin in twins.get(key, ()):
            if same == code:
                return twin
    return None
