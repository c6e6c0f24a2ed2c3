"""The names of callees, by which a ruleset says what its rules are for without importing it.

====================  ========================  =====================
rules for             are filed under           for example
====================  ========================  =====================
``f: typeof_(foo)``   its qualified name        ``sum``, ``ndarray.sum``
``f: type[Foo]``      ``type[Foo]``             ``type[NormalDist]``
``f: Foo``            ``Foo()``                 ``partial()``
====================  ========================  =====================

Different callees may share a name: a name says where to look, and dispatch decides.
"""

import types
from typing import Any

from chainrules_core.class_memory import remembered_by_class
from chainrules_core.dispatch.callees import SubclassOf, TypeOf


def name_and_module(f: Any) -> tuple[str | None, str | None]:
    """The qualified name of a function or class, and the module that it says it is defined in.

    Either is `None` if it does not say; an object without a name goes by the names of its classes.
    """
    if type(f) is types.FunctionType and type(f.__module__) is str:
        return f.__qualname__, f.__module__
    if hasattr(type(f), "__getattr__"):
        return None, None  # asking would run it
    name = getattr(f, "__qualname__", None) or getattr(f, "__name__", None)
    module = getattr(f, "__module__", None)
    if type(f).__name__ == "fortran" and isinstance(name, str):
        name = name.removeprefix("function ")  # of which f2py makes a name
    return name if isinstance(name, str) else None, module if isinstance(module, str) else None


def class_names(f: Any) -> list[str]:
    """The names of the rules that `f` may have because of its class, or as a constructor."""
    names = _names_of_instance(type(f))
    if isinstance(f, type):
        names = names + [f"type[{cls.__qualname__}]" for cls in f.__mro__]
    return names


@remembered_by_class
def _names_of_instance(cls: type) -> list[str]:
    return [f"{base.__qualname__}()" for base in cls.__mro__]


def name_of_member(member: Any) -> str:
    """The name under which the rules for one type of callee are filed: `TypeOf` and its siblings."""
    named = member.type_parameter
    if member.kind is TypeOf:
        return name_and_module(named)[0] or f"{type(named).__qualname__}()"
    return f"type[{named.__qualname__}]" if member.kind is SubclassOf else f"{named.__qualname__}()"


def package_of(module: str) -> str:
    """The topmost package of a module: `operator` for `_operator`, in which CPython implements it."""
    return module.partition(".")[0].removeprefix("_")
