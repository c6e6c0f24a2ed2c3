"""Global lists and dicts in which a function, or a function of the program that it calls, may keep values.

Functions are found by the names in the code: those of globals, and of what modules hold. Those that a
decorator made are looked into, and the lists and dicts that they close over count as global. The code of
libraries is not looked at, nor are methods.
"""

import contextlib
import dis
import functools
import types
from typing import Any

from chainrules.ad.syntax.origins import Origin, origin_of_file
from chainrules.ad.values.memory import remembered

_SOUGHT = frozenset({list, dict, types.FunctionType})

# Methods that write into lists and dicts.
_WRITING = {
    *("append", "clear", "extend", "insert", "pop", "popitem", "remove", "reverse", "setdefault", "sort"),
    "update",
}


def global_holders(f: Any) -> list[Any]:
    """The global lists and dicts that functions name which write into something.

    Parameters
    ----------
    f
        A function, a bound method or a partial.
    """
    while isinstance(f, functools.partial | types.MethodType):
        f = f.func if isinstance(f, functools.partial) else f.__func__
    functions: list[Any] = [f] if f.__class__ is types.FunctionType else []
    found: list[Any] = []
    seen = set(map(id, functions))
    while functions:
        function = functions.pop()
        code = function.__code__
        if origin_of_file(code.co_filename) is not Origin.USER:
            continue
        try:
            names, writes = _names_in(code)
        except TypeError:  # the engine's own code has constants without a hash
            names, writes = _found_names_in(code)
        for value in _values_of(function, names):
            if (value.__class__ is types.FunctionType or writes) and id(value) not in seen:
                seen.add(id(value))
                (functions if value.__class__ is types.FunctionType else found).append(value)
    return found


def _values_of(f: types.FunctionType, names: tuple[str, ...]) -> list[Any]:
    """The functions, lists and dicts among a function's variables and the values of global names."""
    values = list(map(f.__globals__.get, names))
    for cell in f.__closure__ or ():
        with contextlib.suppress(ValueError):  # it is assigned later
            values.append(cell.cell_contents)
    for module in [value for value in values if value.__class__ is types.ModuleType]:
        file = getattr(module, "__file__", None)
        if file and origin_of_file(file) is Origin.USER:
            values += map(vars(module).get, names)
    return [value for value in values if value.__class__ in _SOUGHT]


def _found_names_in(code: types.CodeType) -> tuple[tuple[str, ...], bool]:
    """The global names and attributes in a code and the codes in it, and whether these write."""
    names = set(code.co_names)
    writes = not names.isdisjoint(_WRITING) or any(
        instruction.opname in {"STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE"}
        for instruction in dis.get_instructions(code)
    )
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            inner_names, inner_writes = _found_names_in(inner)
            names, writes = names.union(inner_names), writes or inner_writes
    return tuple(sorted(names)), writes


_names_in = remembered(_found_names_in)
