"""Code that is generated, compiled once for each text: variants for one signature share what asks for it."""

import linecache
import types
from typing import Any

from chainrules.ad.values.memory import remembered


def code_of(source: str, name: str) -> types.CodeType:
    """The code of a module that defines functions: one of its own, in which Python remembers where names are.

    Parameters
    ----------
    source, name
        Its text, and what to call it in tracebacks.
    """
    code = (_compiled if len(source) <= _LONGEST else _compiled_anew)((source, name))
    return _own(code, name)


def defined(
    source: str, scope: dict[str, Any], name: str, known: types.CodeType | None = None
) -> types.CodeType:
    """Define the functions of a text in a scope, under a name that tracebacks know; its code.

    Parameters
    ----------
    source, scope, name
        The text, the scope, and the name.
    known
        The code of the same text under another name, if there is any.
    """
    code = compile(source, name, "exec") if known is None else _own(known, name)
    exec(code, scope)  # noqa: S102 - we wrote it
    linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
    return code


def _own(code: types.CodeType, name: str) -> types.CodeType:
    """The same code under a name, with functions of its own."""
    own = [x.replace(co_filename=name) if isinstance(x, types.CodeType) else x for x in code.co_consts]
    return code.replace(co_consts=tuple(own), co_filename=name)


def _compiled_anew(text: tuple[str, str]) -> types.CodeType:
    return compile(*text, "exec")


_compiled = remembered(_compiled_anew)
_LONGEST = 10_000  # of what hundreds of objects are compared in, a text comes once
