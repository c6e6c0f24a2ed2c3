"""Projection onto numbers: real where the primal is real, in the primal's precision."""

import decimal
import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules_core.backends import STAND_INS, backend_of, primal_of
from chainrules_core.exceptions import DimensionMismatchError
from chainrules_core.laziness import is_lazy
from chainrules_core.tangent_spaces.projection.plain_arrays import plain_array
from chainrules_core.tangent_spaces.projection.project_to import ProjectTo
from chainrules_core.tangent_spaces.projection.projector import Projector, spelled
from chainrules_core.tangents.arithmetic import unthunk_fully
from chainrules_core.tangents.structural_operations import primal_type as primal_type_of


@dataclass(slots=True, unsafe_hash=True)
class NumberProjector(Projector):
    """Onto the numbers of one type of Python's or NumPy's: `float`, `complex`, `np.float32`, ...

    Parameters
    ----------
    number_type
        The type of the projected cotangents. Instances of its subclasses fit: an `np.float64` is a `float`.
    """

    number_type: type[Any]

    def __call__(self, x_bar: Any) -> Any:
        """The projection of the cotangent `x_bar`."""
        # Most cotangents fit, and need not be looked at any further.
        return x_bar if isinstance(x_bar, self.number_type) else Projector.__call__(self, x_bar)

    @property
    def primal_type(self) -> type[Any]:
        """The type whose structural tangents fit."""
        return self.number_type

    def project(self, x_bar: Any) -> Any:
        """A number of this type; of a 0-d array its element; a carrier stays one."""
        if isinstance(x_bar, int | float | complex | np.number | np.bool_):
            x_bar = _real_part(x_bar) if self._is_real else x_bar
            if STAND_INS and type(x_bar) in STAND_INS:
                return _made_by_stand_in(self.number_type, x_bar)
            return self.number_type(x_bar)
        if isinstance(x_bar, numbers.Number):
            # Fractions, dual numbers, ...: they have a precision of their own.
            return _real_part(x_bar) if self._is_real else x_bar
        _refuse_axes(self, x_bar)
        if isinstance(x_bar, np.ndarray):
            return self(plain_array(x_bar)[()])
        x_bar = np.real(x_bar) if self._is_real and is_complex(x_bar) else x_bar
        # A lazy array stays one, since nobody may compute it here.
        is_plain = backend_of(type(x_bar)) is None and is_lazy(x_bar)
        return x_bar.astype(self.number_type) if is_plain else x_bar

    def project_structural(self, x_bar: Any) -> Any:
        """Of a ``Tangent[complex](real=..., imag=...)`` the number that it spells."""
        if issubclass(primal_type_of(x_bar), complex | np.complexfloating):
            return self(complex(unthunk_fully(x_bar.real), unthunk_fully(x_bar.imag)))
        return Projector.project_structural(self, x_bar)

    @property
    def _is_real(self) -> bool:
        return issubclass(self.number_type, float | np.floating)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({spelled(self.number_type)})"


@dataclass(slots=True, unsafe_hash=True)
class AbstractNumberProjector(Projector):
    """Onto numbers of whatever precision, for primals such as `fractions.Fraction` that have their own.

    Parameters
    ----------
    number_type
        `numbers.Real`, for which complex cotangents lose their imaginary part, or `numbers.Number`.
    """

    number_type: type[Any]

    @property
    def primal_type(self) -> type[Any]:
        """The type whose structural tangents fit."""
        return self.number_type

    def project(self, x_bar: Any) -> Any:
        """A number as it is, or its real part."""
        if isinstance(x_bar, numbers.Number):
            return _real_part(x_bar) if self.number_type is numbers.Real else x_bar
        _refuse_axes(self, x_bar)
        if isinstance(x_bar, np.ndarray):
            return self(plain_array(x_bar)[()])
        return np.real(x_bar) if self.number_type is numbers.Real and is_complex(x_bar) else x_bar

    def __repr__(self) -> str:
        return f"{type(self).__name__}({spelled(self.number_type)})"


def _made_by_stand_in(number_type: Any, x: Any) -> Any:
    backend: Any = backend_of(type(x))
    return backend.call(number_type, (x,), {})


def is_complex(x: Any) -> bool:
    """Whether a number, an array or a carrier is complex; nothing is computed for the answer."""
    x = primal_of(x)
    dtype = getattr(x, "dtype", None)
    return isinstance(x, complex) if dtype is None else getattr(dtype, "kind", None) == "c"


def _real_part(x: Any) -> Any:
    is_real = isinstance(x, numbers.Real) or not isinstance(x, numbers.Complex)
    return x if is_real else x.real


def _refuse_axes(project: Projector, x_bar: Any) -> None:
    """Raise an error unless `x_bar` is an array without axes or a carrier of a number."""
    is_carrier = backend_of(type(x_bar)) is not None
    shape = getattr(x_bar, "shape", () if is_carrier else None)
    if shape is None:
        raise project.refusal(x_bar)
    if tuple(shape) != ():
        raise DimensionMismatchError(
            f"A number, of shape (), cannot have a cotangent of shape {tuple(shape)} ({project!r}): "
            f"sum over the axes that the primal computation broadcast."
        )


# --- Which numbers have which projector ------------------------------------------------------------

_BY_TYPE = {
    number_type: NumberProjector(number_type)
    for number_type in (
        *(float, np.float16, np.float32, np.float64, np.longdouble),
        *(complex, np.complex64, np.complex128, np.clongdouble),
    )
}
_REAL_PROJECTOR = AbstractNumberProjector(numbers.Real)
_NUMBER_PROJECTOR = AbstractNumberProjector(numbers.Number)


@ProjectTo.dispatch
def project_int(x: int) -> Projector:
    """A Python integer is perturbed as a float: whether it is an index, only a rule knows."""
    return _BY_TYPE[float]


@ProjectTo.dispatch
def project_float(x: float) -> Projector:
    """Python's floats, and classes derived from them."""
    return _BY_TYPE[float]


@ProjectTo.dispatch
def project_complex(x: complex) -> Projector:
    """Python's complex numbers, and classes derived from them."""
    return _BY_TYPE[complex]


@ProjectTo.dispatch
def project_numpy_integer(x: np.integer) -> Projector:
    """A NumPy integer is perturbed as an `np.float64`, whatever its own width."""
    return _BY_TYPE[np.float64]


@ProjectTo.dispatch
def project_numpy_floating(x: np.floating) -> Projector:
    """NumPy's real scalars keep their precision."""
    return _BY_TYPE[x.dtype.type]


@ProjectTo.dispatch
def project_numpy_complexfloating(x: np.complexfloating) -> Projector:
    """NumPy's complex scalars keep their precision."""
    return _BY_TYPE[x.dtype.type]


@ProjectTo.dispatch
def project_numpy_float64(x: np.float64) -> Projector:
    """Python's `float` is a base of this class too; it stays NumPy's."""
    return _BY_TYPE[np.float64]


@ProjectTo.dispatch
def project_numpy_complex128(x: np.complex128) -> Projector:
    """Python's `complex` is a base of this class too; it stays NumPy's."""
    return _BY_TYPE[np.complex128]


@ProjectTo.dispatch
def project_real(x: numbers.Real) -> Projector:
    """Other real numbers: fractions, multi-precision and dual numbers."""
    return _REAL_PROJECTOR


@ProjectTo.dispatch
def project_decimal(x: decimal.Decimal) -> Projector:
    """Decimals are real, though Python files them under numbers of no kind."""
    return _REAL_PROJECTOR


@ProjectTo.dispatch
def project_number(x: numbers.Number) -> Projector:
    """Other numbers."""
    return _NUMBER_PROJECTOR
