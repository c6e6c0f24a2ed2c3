"""The primals that cannot be perturbed: their cotangents are ``NoTangent()``."""

import enum
import types
from typing import TypeAlias

import numpy as np

from chainrules_core.tangent_spaces.projection.project_to import ProjectTo
from chainrules_core.tangent_spaces.projection.projector import NO_TANGENT_PROJECTOR, Projector
from chainrules_core.tangents.abstract_zero import AbstractZero

_Flag: TypeAlias = bool | np.bool_ | enum.Enum
_Text: TypeAlias = str | bytes | bytearray
_Selection: TypeAlias = slice | range | types.EllipsisType | None
_Definition: TypeAlias = type | types.ModuleType | types.BuiltinFunctionType | np.ufunc | np.dtype
_BoundMethod: TypeAlias = types.MethodDescriptorType | types.WrapperDescriptorType | types.MethodWrapperType
# The class of NumPy's functions that are no ufuncs has no public name.
_NumPyFunction = type(np.sum)

NonPerturbable: TypeAlias = (
    _Flag | _Text | _Selection | _Definition | _BoundMethod | _NumPyFunction | AbstractZero  # type: ignore[valid-type]  # made at run time
)


# A bool is an `int`, an `enum.IntFlag` too: the precedence says that this matters more.
@ProjectTo.dispatch(precedence=1)
def project_non_perturbable(x: NonPerturbable) -> Projector:
    """Whatever is not zero already becomes ``NoTangent()``."""
    return NO_TANGENT_PROJECTOR
