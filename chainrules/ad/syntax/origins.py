"""Whose code a function is: the user's, a library's, or our own."""

import enum
import re
import sys
import sysconfig
import types

from chainrules.ad.values.memory import remembered


class Origin(enum.Enum):
    """Who wrote a function, which decides when it is entered."""

    USER = "entered at every call, since state hides in objects, closures and global names"
    LIBRARY = "entered if something traced, or something of the user's, is given to it"
    ENGINE = "never entered: it is at work when a program is differentiated"


_ENGINE = frozenset({"chainrules", "chainrules_core", "chainrules_testutils", "plum"})

_LIBRARIES = tuple(
    {sysconfig.get_path(name) + "/" for name in ("stdlib", "platstdlib", "purelib", "platlib")} | {"<frozen "}
)

# Installed packages whose code is never recorded as the user's own is: those that recordings know otherwise,
# those that stand around a program and look at it, frameworks, which have arrays and programs of their own.
_NOT_LOOKED_INTO = _ENGINE | {"numpy", "scipy", "beartype", "typeguard", "jaxtyping", "typing_extensions"}
_NOT_LOOKED_INTO |= {"coverage", "xdist", "execnet", "hypothesis", "pluggy", "sybil", "mypy", "rich"}
_NOT_LOOKED_INTO |= {"debugpy", "pydevd", "IPython", "ipykernel", "dask", "distributed", "pandas", "xarray"}
_NOT_LOOKED_INTO |= {
    "torch",
    "jax",
    "jaxlib",
    "mygrad",
    "autograd",
    "pytensor",
    "tensorflow",
    "equinox",
    "optax",
}
_NOT_LOOKED_INTO |= {"numba", "llvmlite", "numexpr", "cupy", "polars"}

# Libraries that report who called them, and compute nothing.
_LOOKING_AT_FRAMES = frozenset({"inspect", "logging", "traceback", "warnings", "_py_warnings", "pdb", "bdb"})
_LOOKING_AT_FRAMES |= {"unittest", "pytest", "_pytest"}
_NOT_LOOKED_INTO |= _LOOKING_AT_FRAMES


def origin_of(f: types.FunctionType) -> Origin:
    """Whose code a function is."""
    name, filename = f.__globals__.get("__name__"), f.__code__.co_filename
    # The examples of a docstring are run among the names of its module.
    if name.__class__ is str and name.partition(".")[0] in _ENGINE and not filename.startswith("<doctest "):
        return Origin.ENGINE
    return origin_of_file(filename)


@remembered
def origin_of_file(filename: str) -> Origin:
    """Whose code is in a file."""
    in_library = filename.startswith(_LIBRARIES) or "/site-packages/" in filename.replace("\\", "/")
    return Origin.LIBRARY if in_library else Origin.USER


@remembered
def is_looked_into(filename: str) -> bool:
    """Whether a file has code of an installed package that may be recorded as the user's own is."""
    if not filename.endswith(".py") or origin_of_file(filename) is not Origin.LIBRARY:
        return False
    _, *inside = re.split("/(?:site|dist)-packages/", filename.replace("\\", "/"))
    return bool(inside) and inside[-1].partition("/")[0].removesuffix(".py") not in _NOT_LOOKED_INTO


@remembered
def origin_of_class(cls: type) -> Origin:
    """Whose class it is; what is written in C is a library's."""
    name = cls.__module__
    if name.__class__ is not str:
        return Origin.USER
    top = name.partition(".")[0]
    if top in _ENGINE:
        return Origin.ENGINE
    if top == "__main__":  # whose file may be pytest's, or that of another package that runs programs
        return Origin.USER
    if top in sys.stdlib_module_names:
        return Origin.LIBRARY
    file = getattr(sys.modules.get(name), "__file__", None)
    return origin_of_file(file) if file else Origin.USER


@remembered
def is_class_looked_into(cls: type) -> bool:
    """Whether a class stands in a file of an installed package that may be recorded."""
    if origin_of_class(cls) is not Origin.LIBRARY:
        return False
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return type(file) is str and is_looked_into(file)


def looks_at_frames(f: types.FunctionType) -> bool:
    """Whether a function of a library may report by whom it was called, so that it is called as it is."""
    name = f.__globals__.get("__name__")
    return name.__class__ is str and name.partition(".")[0] in _LOOKING_AT_FRAMES
