"""Ordinary classes: written in Python, with instances that hold what their attributes hold, and nothing else.

Their instances are taken apart by their attributes, and rebuilt from others: a model, a callable object with
parameters, a `types.SimpleNamespace`.
"""

import dataclasses
import struct
import sys
import types

from chainrules_core.class_memory import remembered_by_class
from chainrules_core.fields import slot_names

_POINTER = struct.calcsize("P")

# Instances of their classes have a meaning beyond their attributes: rules serve them as a whole, or they hold
# a file, a thread, a lock.
_TAKEN_AS_A_WHOLE = frozenset(
    {
        "chainrules",
        "chainrules_core",
        "chainrules_testutils",
        "numpy",
        "plum",
        "scipy",
        *sys.stdlib_module_names,
    }
)

# Classes in text that is executed without a name of a module are said to be there, as those of C are.
_NAMELESS = "builtins"

# Exceptions among these modules are base classes without attributes of their own;
_WITHOUT_STATE = frozenset({"abc", "collections.abc", "typing"})
# namespaces, an object around a function, bounds and constraints of SciPy's searches, and results;
_OF_PYTHON = frozenset(
    {
        "argparse._AttributeHolder",
        "argparse.Namespace",
        "numpy.vectorize",
        "scipy.cluster.hierarchy.ClusterNode",
        "scipy.cluster.hierarchy._hierarchy_impl.ClusterNode",
        "scipy.optimize._constraints.Bounds",
        "scipy.optimize._constraints.LinearConstraint",
        "scipy.optimize._constraints.NonlinearConstraint",
        "scipy.spatial._kdtree.Rectangle",
        "scipy.stats._binomtest.BinomTestResult",
        "scipy.stats._hypotests.CramerVonMisesResult",
        "scipy.stats._hypotests.TukeyHSDResult",
        "scipy.stats._morestats.DirectionalStats",
    }
)
# and SciPy's linear operators, interpolants, linear systems and transforms, which are made of arrays and
# functions. Systems that remember what they computed are not among them.
_MADE_OF_PARTS = (
    "scipy.interpolate._",
    "scipy.signal._czt",
    "scipy.signal._ltisys",
    "scipy.sparse.linalg._interface",
)

_ROOTS = (object, types.SimpleNamespace)

# Who defines one of these answers for the whole instance, or has to be told when an instance goes.
_OF_THE_WHOLE = (
    "__array__",
    "__array_function__",
    "__array_interface__",
    "__array_namespace__",
    "__array_ufunc__",
    "__dlpack__",
    "__del__",
)


@remembered_by_class
def is_attribute_holder(cls: type) -> bool:
    """Whether instances of a class hold what their attributes hold, and nothing else; not of a dataclass.

    Such a class, and each class above it, is written in Python, outside NumPy, SciPy and the standard library
    (of which `types.SimpleNamespace`, `argparse.Namespace`, `numpy.vectorize`,
    `scipy.sparse.linalg.LinearOperator`, the interpolants of `scipy.interpolate` and the linear systems of
    `scipy.signal` are such classes too). It does not define ``__del__``, ``__getattribute__`` or one of
    NumPy's protocols for arrays; ``__array_ufunc__ = None`` says that there is none.
    """
    if dataclasses.is_dataclass(cls) or any(getattr(cls, name, None) is not None for name in _OF_THE_WHOLE):
        return False
    root = next(base for base in cls.__mro__ if base in _ROOTS)
    is_plain: bool = getattr(cls, "__getattribute__", None) is root.__getattribute__
    if cls is object or not is_plain:
        return False
    above = [base for base in cls.__mro__ if base not in _ROOTS]
    return all(map(_is_of_python, above)) and _has_only_attributes(cls, root)


def _is_of_python(base: type) -> bool:
    module = str(base.__module__)  # of a class made in C it may be `None`
    if module in _WITHOUT_STATE or module.startswith(_MADE_OF_PARTS):
        return True
    if f"{module}.{base.__qualname__}" in _OF_PYTHON:
        return True
    if module != _NAMELESS and module.partition(".")[0] in _TAKEN_AS_A_WHOLE:
        return False
    # A class of C or Cython makes its instances by a builtin `__new__` of its own.
    return not isinstance(vars(base).get("__new__"), types.BuiltinFunctionType)


def _has_only_attributes(cls: type, root: type) -> bool:
    """Whether instances have memory for slots and attributes only."""
    pointers = len(slot_names(cls)) + (cls.__weakrefoffset__ > 0)
    return cls.__basicsize__ == root.__basicsize__ + pointers * _POINTER
