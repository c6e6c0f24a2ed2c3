"""Operations on the fields of structural tangents: adding, adding to a primal, completing."""

import types
from collections.abc import Iterator
from typing import Any

from chainrules_core.debug_mode import debug_mode
from chainrules_core.exceptions import (
    DimensionMismatchError,
    PrimalAdditionFailedError,
    TangentStructureError,
)
from chainrules_core.fields import Backing, backing, backing_kind, construct, has_field_constructor, listed
from chainrules_core.reconstruction import reconstruct
from chainrules_core.tangents.arithmetic import Unary, itself
from chainrules_core.tangents.linear_operations import add_tangents


def primal_type(tangent: Any) -> type:
    """The class `P` of the primal, for a `tangent` that is an instance or a subclass of ``Tangent[P]``."""
    primal: type | None = tangent.__tangent_primal__()
    if primal is None:
        raise ReferenceError("the class of the primal of this tangent does not exist any more")
    return primal


def fields_of(tangent: Any) -> str:
    """For messages: the fields that the primal of `tangent` has."""
    names = tangent.__tangent_fields__
    kind = "given fields" if names is None else "fields of the primal"
    return f"The {kind}: {listed(tangent.__tangent_keys__() if names is None else names)}."


def field_name(tangent: Any, key: Any) -> str:
    """The name that `key`, a name or a position among the fields of the primal, stands for."""
    names = tangent.__tangent_fields__
    if isinstance(key, str):
        if names is not None and key not in names:
            raise KeyError(f"{type(tangent).__name__} has no field {key!r}. {fields_of(tangent)}")
        return key
    if names is None:
        raise TypeError(
            f"{type(tangent).__name__}: the class of the primal does not declare its fields, so field "
            f"{key!r} is not known by its position; use its name."
        )
    name: str = names[key]
    return name


# --- Addition ------------------------------------------------------------------------------------


def sum_of(x: Any, y: Any) -> Any:
    """The sum of two tangents of the same primal, field by field; `NotImplemented` for other operands."""
    a, b = x.__tangent_backing__, y.__tangent_backing__
    if type(x) is not type(y) or type(a) is not type(b):
        return NotImplemented
    if type(a) is dict:
        return x.__tangent_from__(_sum_by_name(a, b, x.__tangent_vector__, x.__tangent_vector__))
    if len(a) != len(b):
        raise DimensionMismatchError(f"{x!r} + {y!r}: tangents with {len(a)} and {len(b)} items")
    vector = x.__tangent_vector__
    return x.__tangent_from__(tuple([add_tangents(vector(u), vector(v)) for u, v in zip(a, b, strict=True)]))


def _sum_by_name(x: dict[Any, Any], given: dict[Any, Any], vector: Unary, left: Unary) -> dict[Any, Any]:
    return {
        **x,
        **{
            name: add_tangents(left(x[name]), vector(field)) if name in x else field
            for name, field in given.items()
        },
    }


_NO_SUM = (
    "0 and a structural tangent cannot be added. Python's `sum` begins with 0: write "
    "`sum(tangents, ZeroTangent())`."
)


def sum_with_primal(primal: Any, tangent: Any) -> Any:
    """The primal that lies one `tangent` beside `primal`; `NotImplemented` if it is not its tangent.

    Raises
    ------
    TangentStructureError
        If `tangent` has a field that `primal` lacks.
    DimensionMismatchError
        If the primal is a tuple or list of another length.
    TypeError
        If the primal is the integer 0, with which Python's `sum` begins.
    PrimalAdditionFailedError
        In debug mode, if a value with the new fields cannot be constructed.
    """
    fits = tangent.__tangent_kind__ is Backing.ANY or isinstance(primal, primal_type(tangent))
    given = tangent.__tangent_backing__
    if not fits or (type(given) is tuple) != (backing_kind(type(primal)) is Backing.POSITIONAL):
        if type(primal) is int and not primal:
            raise TypeError(_NO_SUM)
        return NotImplemented
    fields = _moved_fields(primal, tangent)
    try:
        if has_field_constructor(type(primal)):
            return construct(type(primal), fields)  # which may refuse what is no value of the class
        return reconstruct(primal, fields)
    except Exception as error:
        if debug_mode():
            raise _construction_failed(primal, tangent, error) from error
        raise


def _moved_fields(primal: Any, tangent: Any) -> Any:
    fields, given, vector = backing(primal), tangent.__tangent_backing__, tangent.__tangent_vector__
    if type(given) is tuple:
        if len(fields) != len(given):
            raise DimensionMismatchError(
                f"{type(primal).__name__} + {type(tangent).__name__}: a primal with {len(fields)} items, a "
                f"tangent with {len(given)}."
            )
        return tuple([add_tangents(field, vector(dot)) for field, dot in zip(fields, given, strict=True)])
    if backing_kind(type(primal)) is not Backing.MAPPING:
        check_fields(tangent, fields)
    return _sum_by_name(fields, given, vector, itself)


def check_fields(tangent: Any, fields: Any) -> None:
    """Raise `TangentStructureError` if `tangent` has a field that its primal lacks."""
    given = tangent.__tangent_keys__()
    if unknown := [name for name in given if name not in fields]:
        raise TangentStructureError(
            f"{type(tangent).__name__}({listed(given)}): tangent fields do not match primal fields. "
            f"Unknown: {listed(unknown)}. The fields of the primal: {listed(fields)}."
        )


def _construction_failed(primal: Any, tangent: Any, error: Exception) -> PrimalAdditionFailedError:
    name = type(primal).__qualname__
    return PrimalAdditionFailedError(
        f"Could not construct {name} after addition of a tangent.\n"
        f"This probably means that {name} cannot be called with its fields.\n"
        f"Make that possible, or overload the construction:\n"
        f"    @construct.dispatch\n"
        f"    def construct_{name.lower()}(primal_type: type[{name}], fields: Mapping): ...\n"
        f"or define {name}.__add__ for {type(tangent).__name__}.\n"
        f"Primal: {primal!r}\nTangent: {tangent!r}\nOriginal exception: {error!r}",
        primal,
        tangent,
    )


def common_fields(x: Any, y: Any) -> Iterator[tuple[Any, Any]]:
    """The pairs of fields that both tangents give; the inner product has no other terms."""
    a, b, vector = x.__tangent_backing__, y.__tangent_backing__, x.__tangent_vector__
    if type(a) is tuple:
        return zip(map(vector, a), map(vector, b), strict=True)
    return ((vector(field), vector(b[name])) for name, field in a.items() if name in b)


# --- Copying -------------------------------------------------------------------------------------

# The `types` module alone knows these classes by a name under which pickle could find them.
NAMES_IN_TYPES = {types.FunctionType: "FunctionType", types.MethodType: "MethodType"}


def saved(tangent: Any) -> tuple[Any, ...]:
    """The arguments for `restored` to make the tangent from."""
    primal = primal_type(tangent)
    return type(tangent).__base__, NAMES_IN_TYPES.get(primal, primal), tangent.__tangent_backing__


def restored(base: Any, primal: Any, given: Any) -> Any:
    """The tangent that was `saved`."""
    primal = getattr(types, primal) if isinstance(primal, str) else primal
    return base[primal].__tangent_from__(dict(given) if type(given) is dict else given)
