"""`Tangent` and `MutableTangent`: a tangent for each field of the primal.

``Tangent[P]`` is a class, made when it is first asked for, so that it can be dispatched on. What it needs to
know of `P` is worked out then; making an instance is cheap. The attributes of an instance are the fields of
the primal, so whatever else it needs has a name that no field has: with underscores on both sides.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Self, TypeVar
from weakref import ref

from chainrules_core.exceptions import TangentStructureError
from chainrules_core.fields import Backing, backing, is_mutable
from chainrules_core.tangents import structural_equality, structural_operations
from chainrules_core.tangents.abstract_tangent import AbstractTangent, no_attribute
from chainrules_core.tangents.abstract_zero import ZeroTangent
from chainrules_core.tangents.arithmetic import Rank, by_parts_only
from chainrules_core.tangents.tangent_classes import class_of_primal, tangent_class
from chainrules_core.tangents.thunks import unthunk

P = TypeVar("P")

if TYPE_CHECKING:

    class _OfPrimal(AbstractTangent, Generic[P]):
        """For type checkers these classes are generic."""

else:

    class _OfPrimal(AbstractTangent):
        """At run time `Tangent[P]` is a class like any other, so that dispatch on it stays cacheable."""

        __slots__ = ()

        def __class_getitem__(cls, parameter: Any) -> type[Self]:
            return cls


class StructuralTangent(_OfPrimal[P]):
    """The tangent of a structured primal: a tangent for each of its fields.

    ``StructuralTangent[P](...)`` makes a `MutableTangent` if the fields of `P` can be assigned to, and a
    `Tangent` otherwise. This description holds for both.

    Fields that are not given are ``ZeroTangent()``. ``t.x``, ``t["x"]`` and ``t[0]`` (in the order of the
    fields of the primal) are the tangents of fields; thunks among them are computed. Iteration goes over
    the tangents that were given, thunks as they are; over the keys for a dict. A field with the name of a
    method (`map`, `keys`) of a plain class is reached as ``t["map"]``.
    """

    __slots__ = ("__tangent_backing__", "__weakref__")
    __tangent_rank__ = Rank.STRUCTURAL

    __tangent_backing__: Any  # a tuple, or a dict
    __tangent_primal__: ClassVar[ref[type]]
    __tangent_kind__: ClassVar[Backing]
    __tangent_fields__: ClassVar[tuple[str, ...] | None]
    __tangent_field_set__: ClassVar[frozenset[str] | None]

    if not TYPE_CHECKING:

        def __class_getitem__(cls, primal_type: Any) -> type[Self]:
            if isinstance(primal_type, TypeVar):  # in the annotations of generic code
                return cls
            if cls is StructuralTangent:
                mutable = is_mutable(class_of_primal(cls, primal_type))
                cls = MutableTangent if mutable else Tangent  # noqa: PLW0642 - the class that was meant
            return tangent_class(cls, primal_type)

    def __init__(self, /, *args: Any, **fields: Any) -> None:
        # The classes of `tangent_class` have a constructor for their kind of primal.
        name = type(self).__name__
        raise TypeError(f"{name}(...): which primal is this the tangent of? Write {name}[P](...).")

    def __getattr__(self, name: str) -> Any:
        # Only reached for names that are not attributes; `__x__` are protocols that probe for them.
        if self.__tangent_kind__ not in (Backing.NAMED, Backing.ANY) or name == "__tangent_backing__":
            raise no_attribute(self, name)
        given = self.__tangent_backing__
        if type(given) is dict:
            if name in given:
                return unthunk(given[name])
            declared = self.__tangent_field_set__
            if not name.startswith("_") if declared is None else name in declared:
                return ZeroTangent()
        raise no_attribute(self, name, structural_operations.fields_of(self))

    def __getitem__(self, key: Any) -> Any:
        given = self.__tangent_backing__
        if type(given) is tuple:
            return type(self).__tangent_from__(given[key]) if isinstance(key, slice) else unthunk(given[key])
        if self.__tangent_kind__ is not Backing.MAPPING:
            key = structural_operations.field_name(self, key)
        return unthunk(given.get(key, ZeroTangent()))

    def __iter__(self) -> Iterator[Any]:
        over_keys = self.__tangent_kind__ is Backing.MAPPING
        return iter(self.__tangent_keys__() if over_keys else self.__tangent_values__())

    def __len__(self) -> int:
        return len(self.__tangent_backing__)

    def __contains__(self, key: Any) -> bool:
        return key in self.__tangent_keys__()

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"is a {type(self).__name__} true? Write `isinstance(t, AbstractZero)` to ask for a zero, "
            "or `len(t)` for the number of given fields."
        )

    def __pow__(self, exponent: Any) -> Any:
        return by_parts_only(self, exponent)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        # Without it NumPy would take the tangent for a sequence, and SciPy multiply by the fields.
        raise TypeError(f"a {type(self).__name__} is no array; use its fields, `t.x` or `t[0]`.")

    def keys(self) -> tuple[Any, ...]:
        """The names (positions, keys) of the fields that were given."""
        return self.__tangent_keys__()

    def map(self, function: Callable[[Any], Any]) -> Self:
        """The tangent with a linear function of each given field; thunks are given to it as they are."""
        return self.__tangent_map__(function)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return structural_equality.equal(self, other)

    def __hash__(self) -> int:
        return structural_equality.hash_of(self)

    def __repr__(self) -> str:
        given = self.__tangent_backing__
        if type(given) is tuple:
            items = ", ".join(map(repr, given))
        elif self.__tangent_kind__ is Backing.MAPPING:
            items = repr(given)
        else:
            items = ", ".join(f"{name}={field!r}" for name, field in given.items())
        return f"{type(self).__name__}({items})"

    def __dir__(self) -> list[str]:
        names = self.__tangent_fields__ or [key for key in self.__tangent_keys__() if isinstance(key, str)]
        return sorted({*super().__dir__(), *names})

    def __reduce__(self) -> tuple[Any, ...]:
        return structural_operations.restored, structural_operations.saved(self)

    # --- Methods that the tables of `tangents.arithmetic` call ---

    @classmethod
    def __tangent_from__(cls, given: Any) -> Self:
        """An instance that holds `given`, unchecked."""
        tangent = cls.__new__(cls)
        object.__setattr__(tangent, "__tangent_backing__", given)
        return tangent

    def __tangent_keys__(self) -> tuple[Any, ...]:
        given = self.__tangent_backing__
        return tuple(range(len(given))) if type(given) is tuple else tuple(given)

    def __tangent_values__(self) -> Any:
        given = self.__tangent_backing__
        return given if type(given) is tuple else given.values()

    def __tangent_vectors__(self) -> Any:
        return map(self.__tangent_vector__, self.__tangent_values__())

    def __tangent_map__(self, function: Callable[[Any], Any]) -> Self:
        given, vector = self.__tangent_backing__, self.__tangent_vector__
        if type(given) is tuple:
            return self.__tangent_from__(tuple([function(vector(field)) for field in given]))
        return self.__tangent_from__({name: function(vector(field)) for name, field in given.items()})

    @staticmethod
    def __tangent_vector__(field: Any) -> Any:
        """The tangent that a field holds; of a tuple, list or dict of tangents the form that can be added."""
        if not isinstance(field, (tuple, list, dict)):
            return field
        given = backing(field)
        made = tangent_class(Tangent, type(field))
        return made.__tangent_from__(dict(given) if isinstance(given, dict) else tuple(given))

    def __tangent_add__(self, other: Any) -> Any:
        return structural_operations.sum_of(*_of_one_kind(self, other))

    def __tangent_add_primal__(self, primal: Any) -> Any:
        return structural_operations.sum_with_primal(primal, self)

    def __tangent_pairs__(self, other: Any) -> Iterator[tuple[Any, Any]]:
        return structural_operations.common_fields(self, other)


def _of_one_kind(x: Any, y: Any) -> Any:
    """Of a mutable and an immutable tangent of the same primal, the immutable ones: a sum is a new value."""
    primal_type = structural_operations.primal_type
    if type(x) is type(y) or primal_type(x) is not primal_type(y):
        return x, y
    immutable = tangent_class(Tangent, primal_type(x))
    return [immutable.__tangent_from__(t.__tangent_backing__) for t in (x, y)]


class Tangent(StructuralTangent[P]):
    """The tangent of a structured value, that cannot be changed.

    ``Tangent[P](x=..., y=...)`` for a class `P` with fields; ``Tangent[tuple](...)``, ``Tangent[list](...)``
    with the items; ``Tangent[dict]({...})``. The fields of other kinds of primals are listed in
    `chainrules_core.fields`. ``Tangent[P[T]]`` is ``Tangent[P]``. A field may hold a tuple, list or dict of
    tangents, which stands for the `Tangent` with these items.

    Raises
    ------
    TangentStructureError
        If there is a field that `P` does not declare, or the fields are not given as `P` needs it.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from chainrules_core import Tangent
    >>> @dataclass
    ... class Line:
    ...     slope: float
    ...     intercept: float
    >>> 2.0 * Tangent[Line](slope=1.5)
    Tangent[Line](slope=3.0)
    >>> Line(1.0, 2.0) + Tangent[Line](slope=1.5)
    Line(slope=2.5, intercept=2.0)
    """

    __slots__ = ()


class MutableTangent(StructuralTangent[P]):
    """The tangent of a value that programs change in place; its fields can be assigned to as well.

    Tangents of this kind alias as their primals do: one primal, one tangent. They serve rules for functions
    that mutate, in forward mode.
    """

    __slots__ = ()

    if not TYPE_CHECKING:

        def __class_getitem__(cls, primal_type: Any) -> type[Self]:
            made = super().__class_getitem__(primal_type)
            if getattr(made, "__tangent_kind__", Backing.NAMED) is not Backing.NAMED:
                raise TangentStructureError(
                    f"{made.__name__}: the primal has no fields to assign to; write Tangent[...]."
                )
            return made

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "__tangent_backing__":
            object.__setattr__(self, name, value)
        else:
            self[name] = value

    def __setitem__(self, key: Any, value: Any) -> None:
        self.__tangent_backing__[structural_operations.field_name(self, key)] = value


def canonicalize(tangent: Any, primal: Any = None) -> Any:
    """The same tangent with all fields of its primal, in their order; those not given are zero.

    Parameters
    ----------
    tangent
        A structural tangent. A tangent of a tuple, list or dict is returned as it is.
    primal
        Its primal, which tells the fields of a plain class or a function. Without it the tangents of plain
        classes and functions are returned as they are.

    Raises
    ------
    TangentStructureError
        If `tangent` has a field that `primal` lacks.
    TypeError
        If `tangent` is not structural.
    """
    if not isinstance(tangent, StructuralTangent):
        raise TypeError(
            f"canonicalize: a {type(tangent).__name__} is no structural tangent, and has no fields."
        )
    if tangent.__tangent_kind__ is not Backing.NAMED:
        return tangent
    names = tangent.__tangent_fields__
    if names is None and primal is not None:
        names = tuple(backing(primal))
        structural_operations.check_fields(tangent, names)
    if names is None:
        return tangent
    given = tangent.__tangent_backing__
    return tangent.__tangent_from__({name: given.get(name, ZeroTangent()) for name in names})


@backing.register
def backing_of_tangent(x: StructuralTangent) -> Any:  # type: ignore[type-arg]  # faithful for singledispatch
    """The fields that were given; a copy if the tangent can change."""
    given = x.__tangent_backing__
    return dict(given) if isinstance(x, MutableTangent) else given
