"""Code that is generated, compiled once for each text: variants for one signature share what asks for it."""

import functools
import types


def code_of(source: str, name: str) -> types.CodeType:
    """The code of a module that defines functions: one of its own, in which Python remembers where names are.

    Parameters
    ----------
    source, name
        Its text, and what to call it in tracebacks.
    """
    code = _compiled(source, name)
    own = [x.replace() if isinstance(x, types.CodeType) else x for x in code.co_consts]
    return code.replace(co_consts=tuple(own))


@functools.lru_cache(maxsize=256)  # texts of some lines, whose values stand under names
def _compiled(source: str, name: str) -> types.CodeType:
    return compile(source, name, "exec")
