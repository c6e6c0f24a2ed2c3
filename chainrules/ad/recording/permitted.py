"""Which functions a program may call while it is recorded: those that do nothing but return a result.

Equal arguments have to give equal results, and nobody else may see the call. The user's own functions are
looked into, and those of installed packages; those of NumPy, SciPy and Python are known by their modules, but
for what the table of facts knows better.
"""

import bisect
import collections
import contextlib
import copy
import functools
import heapq
import itertools
import operator
import re
import types
import typing
from typing import Any

import numpy as np

from chainrules.ad.recording.constants import is_of_generated_class
from chainrules.ad.recording.distributions import computes, is_distribution, makes_distributions
from chainrules.ad.recording.places import is_users, is_users_class
from chainrules.ad.syntax.origins import Origin, origin_of_class
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.facts import fact_of
from chainrules_core import unwrap_primitive

_BUILTINS = frozenset(
    [
        "abs",
        "all",
        "any",
        "bool",
        "bytes",
        "callable",
        "chr",
        "complex",
        "dict",
        "divmod",
        "enumerate",
        "filter",
        "float",
        "frozenset",
        "getattr",
        "hasattr",
        "int",
        "isinstance",
        "issubclass",
        "iter",
        "len",
        "list",
        "map",
        "max",
        "min",
        "next",
        "object",
        "ord",
        "pow",
        "range",
        "reversed",
        "round",
        "set",
        "setattr",
        "slice",
        "sorted",
        "str",
        "sum",
        "tuple",
        "zip",
    ]
)
# Of these, the functions ask no protocol of their arguments.
_CALLED_BACK = ("scipy.spatial.distance", "scipy.ndimage", "scipy.integrate._quadrature")
_OF_SCIPY = ("scipy.special", "scipy.linalg", "scipy.fft", "scipy.signal", *_CALLED_BACK)
# Others of this module draw numbers, or make a choice of methods that do.
_OF_STATISTICS = ("scipy.stats._stats_py", "scipy.stats._entropy", "scipy.stats._variation")
_STATISTICS = """
    zscore zmap gzscore gmean hmean pmean skew kurtosis moment sem variation iqr trim_mean tmean tvar tstd
    tsem trimboth entropy rankdata median_abs_deviation
"""
# These are followed, as far as they are written in Python.
_OF_OBJECTS = ("scipy.interpolate", "scipy.sparse", "scipy.stats._multivariate", "scipy.stats._covariance")
_LIBRARY = "_array_api _array_api_override array_api_compat array_api_extra _sparse"
_PLACES = ("scipy._lib", "scipy._external")  # the latter since SciPy 1.18
_FOLLOWED = (*_OF_OBJECTS, *(f"{place}.{name}" for place in _PLACES for name in _LIBRARY.split()))
# Their functions call functions of the user's until they have found something.
SEARCHING = ("scipy.integrate.", "scipy.optimize.", "scipy.differentiate.")
_OF_PYTHON = ("math", "cmath", "operator", "_operator", "itertools", "dataclasses", "enum", "statistics")
_OF_SEARCHES = ("scipy.optimize._constraints", "scipy.optimize._hessian_update_strategy")
_MODULES = (*_OF_PYTHON, "numpy", *_OF_SCIPY, *_FOLLOWED, *_OF_SEARCHES)
_MODULES_REFUSED = (
    "numpy.random",
    "numpy.testing",
    "numpy.ctypeslib",
    "numpy.f2py",
    "numpy.lib._npyio",
    "numpy.lib.npyio",
    "numpy.lib.format",
    "numpy.lib._format",
    "numpy.ma",
    "numpy.lib._utils",
    "numpy._core.memmap",
    "numpy._core.arrayprint",
)
_NAMES_REFUSED = frozenset(
    [
        "fromfile",
        "load",
        "save",
        "memmap",
        "frombuffer",
        "from_dlpack",
        "seterrcall",
        "setbufsize",
        "frompyfunc",
        "set_backend",
        "set_global_backend",
        "register_backend",
        "skip_backend",
        "set_workers",
        "shares_memory",
        "may_share_memory",
        "byte_bounds",
        "set_printoptions",
        "ndarray",
        "tofile",
        "dump",
        "dumps",
        "data",
        "ctypes",
        "setflags",
        "resize",
        "qmc_quad",
    ]
)
# Of ours, those that look at the differentiation itself.
_OF_OURS_REFUSED = (
    "chainrules.ad.watching",
    "chainrules.ad.derivatives.profiling",
    "chainrules.ad.derivatives.explaining",
    "chainrules.ad.derivatives.drawing",
    "chainrules.ad.interception.choosing.switch",
    "chainrules.ad.values.config",
    "chainrules_core.debug_mode",
    "chainrules_core.definition",
    "chainrules_core.dispatch.rulesets",
    "chainrules_testutils",
)

_KNOWN = frozenset(
    {
        typing.cast,
        typing.get_args,
        collections.namedtuple,  # noqa: PYI024 - as users write
        np.ma.isMaskedArray,
        bisect.bisect_left,
        bisect.bisect_right,
        copy.copy,
        copy.deepcopy,
    }
    | {re.compile, re.search, re.match, re.fullmatch, re.findall, re.split}
    | {contextlib.suppress.__enter__, contextlib.suppress.__exit__, contextlib.suppress.__init__}
    | {contextlib.nullcontext.__enter__, contextlib.nullcontext.__exit__, contextlib.nullcontext.__init__}
    | {contextlib._GeneratorContextManager.__enter__, contextlib._GeneratorContextManager.__exit__}
    | {f for f in vars(heapq).values() if isinstance(f, types.BuiltinFunctionType | types.FunctionType)}
    | {f for f in vars(collections.Counter).values() if isinstance(f, types.FunctionType)}
    # What is given to the others of its methods may do anything.
    | {
        getattr(f, "__func__", f)
        for cls in contextlib.ExitStack.__mro__[:-1]
        for name, f in vars(cls).items()
        if isinstance(f, types.FunctionType | staticmethod) and name not in {"push", "callback"}
    }
)
_READERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)
# Classes of Python's library whose instances a program may make for itself.
_OF_LIBRARY = frozenset(
    {functools.partial, types.SimpleNamespace, contextlib.suppress, contextlib.nullcontext, *_READERS}
    | {
        contextlib.ExitStack,
        np.ndindex,
        np.ndenumerate,
        np.vectorize,
        np.nditer,
        np.errstate,
        np.dtype,
        np.finfo,
        np.iinfo,
    }
)

_CONTAINERS = frozenset(
    {list, dict, set, frozenset, str, tuple, bytes, int, float, complex, bool, range, slice}
    | {collections.deque, collections.OrderedDict, collections.defaultdict, collections.Counter}
)
_OF_NAMED_TUPLES = frozenset({"_make", "_replace", "_asdict"})
_SENDING = frozenset({"send", "close"})
_OF_ITERTOOLS = frozenset(x for x in vars(itertools).values() if isinstance(x, type))


def reason_against(f: Any) -> str | None:  # noqa: C901, PLR0911, PLR0912 - one for each kind of callable
    """Why a program that calls `f` cannot be recorded; `None` if it can.

    Parameters
    ----------
    f
        What the program calls.
    """
    cls, known = type(f), reason_in_facts(f)
    if known is not None:
        return known
    if cls in (types.FunctionType, types.BuiltinFunctionType) and f in _KNOWN:
        return None
    if cls is types.FunctionType:
        return _against_function(f)
    if cls is types.MethodType:
        return reason_against(f.__func__)
    if cls is functools.partial:
        return _unknown(f) if reads_attributes(f.func) else reason_against(f.func)
    if cls is np.vectorize:
        return reason_against(f.pyfunc)
    if cls in TRACED or isinstance(f, np.ufunc) or cls in _READERS or holds_coefficients(cls):
        return None
    if f is object.__new__:
        return None
    if getattr(f, "__objclass__", None) is object and f.__name__ in {"__eq__", "__ne__", "__init__"}:
        return None  # they compare the very objects, or do nothing
    if cls is types.BuiltinFunctionType or cls is types.MethodWrapperType:
        return _against_builtin(f)
    if cls in (types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType):
        return None if _is_plain_class(f.__objclass__) and f.__name__ not in _NAMES_REFUSED else _unknown(f)
    if isinstance(f, type):
        return _against_class(f)
    if unwrap_primitive(f) is not f:
        return reason_against(unwrap_primitive(f))
    is_of_scipy = str(getattr(f, "__module__", "")).startswith((*_OF_SCIPY, *_FOLLOWED))
    if cls is type(np.sum) or is_of_scipy or is_of_generated_class(cls):
        return _against_named(f)
    if is_users_class(cls) or is_distribution(f):
        return None  # its `__call__` is entered
    if origin_of_class(cls) is Origin.ENGINE:
        return _against_ours(f, cls.__module__)
    return _unknown(f)


def reason_in_facts(f: Any) -> str | None:
    """Why a program that calls `f` cannot be recorded, by the table of facts; `None` if it says nothing."""
    known = fact_of(f)
    if known.has_effect and f is not next and f is not setattr:  # what is from outside is refused itself
        return f"it calls `{_name(f)}`, which does more than return a result"
    if known.is_not_the_same_each_time:
        return f"it calls `{_name(f)}`, whose result is not the same each time"
    return None


def reads_attributes(f: Any) -> bool:
    """Whether a function is given the name of an attribute, which has to be noted."""
    return any(f is known for known in (getattr, hasattr, operator.attrgetter, operator.methodcaller))


def holds_coefficients(cls: type) -> bool:
    """Whether a class is one of NumPy's for polynomials, or of SciPy's whose instances hold numbers alone."""
    is_polynomial = cls.__module__.startswith("numpy.polynomial.") and hasattr(cls, "basis")
    is_of_scipy = cls.__module__.startswith((*_OF_OBJECTS, *SEARCHING))
    return cls is np.poly1d or is_polynomial or is_of_scipy


def calls_back(f: Any) -> bool:
    """Whether a function calls functions among its arguments where nobody sees it."""
    is_of_module = type(f) in _FUNCTIONS and str(f.__module__).startswith(_CALLED_BACK)
    return f is collections.defaultdict or is_of_module or (type(f) in _FUNCTIONS and f in _CALLING_BACK)


_FUNCTIONS = frozenset({types.FunctionType, type(np.sum)})


_CALLING_BACK = frozenset({np.piecewise, np.apply_along_axis, np.apply_over_axes, np.fromfunction})
_CALLING_BACK |= {heapq.nsmallest, heapq.nlargest, heapq.merge}


def asks_nobody(f: Any) -> bool:
    """Whether a function reads what it is given by no protocol, so that its calls are recorded whole."""
    if isinstance(f, types.BuiltinFunctionType | types.FunctionType | type) and f in _MAKERS:
        return True
    module = str(getattr(f, "__module__", ""))
    is_of_scipy = module.startswith(_OF_SCIPY) or _is_statistic(f, module)
    return not isinstance(f, type) and (module in ("math", "cmath") or is_of_scipy)


def _is_helper(f: Any, module: str) -> bool:
    return module in {"scipy._lib._util", "scipy._lib._bunch"} and _name(f) in _HELPERS


_HELPERS = frozenset({"_asarray_validated", "float_factorial", "normalize_axis_index", "__getattr__", "_get"})


def _is_statistic(f: Any, module: str) -> bool:
    return module.startswith(_OF_STATISTICS) and _name(f) in _STATISTICS.split()


_MAKERS = frozenset(
    {np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray, np.asarray_chkfinite}
    | {np.full, np.arange, float, complex, *np.sctypeDict.values()}
)


def _against_function(f: Any) -> str | None:
    # By the module whose names it reads: the attribute can be anything.
    module = str(f.__globals__.get("__name__"))
    if module.partition(".")[0] in {"chainrules", "chainrules_core", "chainrules_testutils"}:
        return _against_ours(f, module)
    is_of_named_tuple = module == "collections" and f.__name__ in _OF_NAMED_TUPLES
    if is_users(f) or is_of_named_tuple or computes(f):
        return None
    is_of_decorator = module.startswith(("scipy._lib.", "scipy.stats._axis_nan_policy"))
    return _against_named(f, None if is_of_decorator else module)


def _against_ours(f: Any, module: str) -> str | None:
    return _unknown(f) if module.startswith(_OF_OURS_REFUSED) else None


def _against_named(f: Any, module: Any = None) -> str | None:
    module = str(module or getattr(f, "__module__", None))
    is_known = any(module == name or module.startswith(f"{name}.") for name in _MODULES)
    is_known = is_known or _is_statistic(f, module) or _is_helper(f, module)
    is_named = _name(f) in _NAMES_REFUSED and f is not np.resize  # the method writes, the function does not
    is_refused = is_named or module.startswith(_MODULES_REFUSED)
    return None if is_known and not is_refused else _unknown(f)


def _against_builtin(f: Any) -> str | None:
    owner = f.__self__
    if owner is None or isinstance(owner, types.ModuleType):
        module = getattr(owner, "__name__", None) or f.__module__
        if module == "builtins":
            return None if f.__name__ in _BUILTINS else _unknown(f)
        if module == "_functools":
            return None if f.__name__ == "reduce" else _unknown(f)
        return _against_named(f, module)
    if isinstance(owner, np.ufunc) or (isinstance(owner, types.GeneratorType) and f.__name__ in _SENDING):
        return None
    is_plain = (
        _is_plain_class(type(owner))
        or (isinstance(owner, dict) and holds_coefficients(type(owner)))  # what a search returned
        or type(owner) in (re.Pattern, re.Match)
        or type(owner).__name__ == "SuperLU"
        or owner in (dict, tuple, np.ndarray, itertools.chain)
    )
    replaces = type(owner) is re.Pattern and f.__name__ in {"sub", "subn"}  # by what a function returns
    return None if is_plain and not replaces and f.__name__ not in _NAMES_REFUSED else _unknown(f)


def _is_plain_class(cls: type) -> bool:
    return cls in _CONTAINERS or cls is np.ndarray or issubclass(cls, np.number | np.bool_ | np.dtype)


def _against_class(cls: type) -> str | None:
    if cls is type:
        return None  # the class of a value; a recording asks for no more
    if cls.__module__ == "builtins":
        is_known = cls.__name__ in _BUILTINS or issubclass(cls, BaseException) or cls is types.MethodType
        return None if is_known else _unknown(cls)
    if cls in _OF_ITERTOOLS or cls in _OF_LIBRARY or cls in _CONTAINERS:
        return None
    if issubclass(cls, np.number | np.bool_):
        return None
    if origin_of_class(cls) is Origin.ENGINE:
        return _against_ours(cls, cls.__module__)
    is_known = is_users_class(cls) or holds_coefficients(cls) or makes_distributions(cls)
    is_known = is_known or cls.__module__.startswith((*_OF_SCIPY, *_FOLLOWED, *SEARCHING))
    return None if is_known else _unknown(cls)


def _name(f: Any) -> str:
    return str(getattr(f, "__name__", type(f).__name__))


def _unknown(f: Any) -> str:
    module = str(getattr(f, "__module__", None))
    instead = next((advice for start, advice in _INSTEAD.items() if module.lstrip("_").startswith(start)), "")
    return (
        f"it calls `{_name(f)}`, which is not known to return the same each time and do nothing else{instead}"
    )


# What may be written in the place of functions of these modules.
_INSTEAD = {
    "warnings": "; warn around the compiled function",
    "scipy.integrate": "; write a loop of fixed steps, or call it around the compiled function",
    "scipy.optimize": "; write the steps of the search, or call it around the compiled function",
}
