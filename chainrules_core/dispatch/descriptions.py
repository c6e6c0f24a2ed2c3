"""How messages write callees, values and annotations: as a reader would write them, not as `repr` does."""

import sys
import types
import typing
from typing import Any

import numpy as np
import plum

from chainrules_core.dispatch.callees import InstanceOf, SubclassOf, TypeOf
from chainrules_core.dispatch.parameters import is_union


def describe_callee(f: Any) -> str:
    """The dotted name of a callee; for an instance that is called, the name of its class."""
    if isinstance(f, np.ufunc):
        return _dotted_name_of_ufunc(f)
    name = getattr(f, "__qualname__", None)
    if name is None and hasattr(f, "__wrapped__"):  # the pullback of a rule, with something around it
        return describe_callee(f.__wrapped__)
    name = name or getattr(f, "__name__", None)
    if not isinstance(name, str):
        return f"an instance of {describe_callee(type(f))}"
    owner = getattr(f, "__self__", None)
    if isinstance(owner, np.ufunc):
        return f"{describe_callee(owner)}.{f.__name__}"
    if type(owner).__module__ == "pybind11_builtins" or type(owner).__name__ == "PyCapsule":
        # A function of pybind11, in newer and older versions, which seems to be a method of its record.
        name = f.__name__
    if "<locals>." in name:  # the names around it say nothing that its place does not
        return name.rpartition("<locals>.")[2]
    module = getattr(f, "__module__", None)
    if module in (None, "builtins"):
        return name.removeprefix("function ")  # of a function of Fortran, which has it in its name
    public = f"{module.removeprefix('_').partition('._')[0]}.{name}"
    return public if _is_named(f, public) else f"{module}.{name}"


def _is_named(f: Any, name: str) -> bool:
    """Whether one imports a callee by that name: `scipy.ndimage.zoom`, which is made in a private module."""
    module, _, path = name.partition(".")
    found: Any = sys.modules.get(module)
    for part in path.split("."):
        found = getattr(found, part, None)
    # A bound method, such as `Rotation.from_euler`, is made anew whenever it is asked for.
    return found is f or (hasattr(f, "__self__") and type(found) is type(f) and bool(found == f))


def _dotted_name_of_ufunc(f: np.ufunc) -> str:
    # A ufunc does not say where it lives.
    for owner in ("numpy", "scipy.special"):
        if getattr(sys.modules.get(owner), f.__name__, None) is f:
            return f"{owner}.{f.__name__}"
    return f.__name__


def describe_value(x: Any) -> str:
    """The type of a value, with dtype and number of axes where it is an array."""
    name = type(x).__qualname__.rpartition("<locals>.")[2]
    if hasattr(x, "dtype") and hasattr(x, "__array_function__"):
        return f"{name}[{x.dtype}, {x.ndim}]"
    return name


def how_to_decide(args: tuple[Any, ...]) -> str:
    """What to write where several rules match these arguments equally well."""
    classes = ", ".join(describe_hint(type(x)) for x in args)
    return f"Add a rule for ({classes}), or give one of them a higher `precedence=` in its `dispatch`."


def describe_hint(hint: Any) -> str:
    """An annotation without the modules of classes: ``typeof_(numpy.sin)``, ``Number | AbstractArray``."""
    if hint is Ellipsis:
        return "..."
    if hint in (None, types.NoneType):
        return "None"
    if isinstance(hint, type):
        return _describe_class(hint)
    arguments = typing.get_args(hint)
    origin = typing.get_origin(hint)
    if is_union(hint):
        return " | ".join(map(describe_hint, arguments))
    if origin is typing.Literal:
        return f"Literal[{', '.join(map(repr, arguments))}]"
    if isinstance(origin, type) and arguments:
        return f"{origin.__name__}[{', '.join(map(describe_hint, arguments))}]"
    return str(hint).replace("typing.", "")


def _describe_class(cls: type) -> str:
    if not issubclass(cls, TypeOf | SubclassOf | InstanceOf):
        return cls.__name__
    callee: Any = plum.type_parameter(cls)
    if issubclass(cls, TypeOf):
        return f"typeof_({describe_callee(callee)})"
    return f"type[{callee.__name__}]" if issubclass(cls, SubclassOf) else str(callee.__name__)
