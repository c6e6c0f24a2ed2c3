"""Results that hold named tuples and dataclasses of the user's, what searches return, and tangents."""

from collections.abc import Callable
from typing import Any

from chainrules.ad.recording.constants import is_factored, is_sparse
from chainrules.ad.recording.signature import is_named_tuple, is_record, with_fields
from chainrules_core import StructuralTangent


def in_containers(x: Any) -> tuple[Any, Callable[[Any], Any] | None]:
    """A result with a tuple or a dict in the place of each of these, and what makes them anew.

    Parameters
    ----------
    x
        What a program returns.

    Returns
    -------
    held
        The same in built-in containers.
    make
        A function of such a result that returns what the program does; `None` if there are none of these.
    """
    cls = type(x)
    if isinstance(x, StructuralTangent):
        held, inner = in_containers(x.__tangent_backing__)
        return held, lambda y: cls.__tangent_from__(y if inner is None else inner(y))
    if is_record(x):
        held, inner = in_containers(dict(vars(x)))
        return held, lambda y: with_fields(cls, y if inner is None else inner(y))
    if is_named_tuple(cls):
        held, inner = in_containers(tuple(x))
        return held, lambda y: cls(*(y if inner is None else inner(y)))
    if cls in (tuple, list):
        parts = [in_containers(part) for part in x]
        makers = [make or _itself for _, make in parts]
        held = cls(part for part, _ in parts)
        is_plain = all(make is None for _, make in parts)
        return held, None if is_plain else lambda y: cls(f(part) for f, part in zip(makers, y, strict=True))
    if isinstance(x, dict) and cls.__module__.startswith("scipy."):  # such as `OptimizeResult`
        held, inner = in_containers(dict(x))
        return held, lambda y: result_with(cls, y if inner is None else inner(y))
    if cls is dict:
        values, make = in_containers([*x.values()])
        held = dict(zip(x, values, strict=True))
        return held, None if make is None else lambda y: dict(zip(y, make([*y.values()]), strict=True))
    return x, None


def result_with(cls: Any, items: Any) -> Any:
    """A dict of another class, which is not made of its items."""
    new: Any = cls.__new__(cls)
    new.update(items)
    return new


class Unread:
    """A part of what a search returns that is neither a number nor an array, nor a container of these."""

    _refuse: Callable[[str], Exception]
    _cls: type

    def __init__(self, refuse: Callable[[str], Exception], cls: type) -> None:
        self.__dict__.update(_refuse=refuse, _cls=cls)

    def __getattr__(self, name: str) -> Any:
        raise unread(self, "reads")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refused, as all else."""
        raise unread(self, "reads")


def unread(x: Unread, does: str) -> Exception:
    """The error for a program that does something with such a part."""
    return x._refuse(f"it {does} a part of a result that is not recorded, an instance of {x._cls.__name__}")


def check_parts(x: Any, refuse: Callable[[str], Exception]) -> None:
    """Refuse a result that holds a sparse array or a decomposition, which may be no more than a constant."""
    if type(x) is Unread:
        raise unread(x, "returns")
    for part in x.values() if type(x) is dict else x if type(x) in (tuple, list) else ():
        check_parts(part, refuse)
    if is_sparse(x) or is_factored(x):
        raise refuse(f"it returns an instance of {type(x).__name__}")


def _itself(x: Any) -> Any:
    return x
