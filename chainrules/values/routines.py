"""Calls of routines of BLAS and LAPACK, whose arrays are kept."""

from collections.abc import Callable
from typing import Any

from chainrules_core import primitive


def kept_result(f: Any, program: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """The result of a routine that overwrites nothing.

    Parameters
    ----------
    f
        The routine.
    program
        A function in Python with the parameters of the routine.
    given, named
        The arguments.
    """
    parameters = program.__code__.co_varnames[: program.__code__.co_argcount]
    kept = [False if name.startswith("overwrite") else x for name, x in zip(parameters, given, strict=False)]
    more = {name: False for name in parameters[len(given) :] if name.startswith("overwrite")}
    return primitive(f)(*kept, *given[len(kept) :], **named | more)
