"""`tree_map`: a function of each number and array in nested containers, or in several that are alike."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from chainrules.ad.derivatives.checks import is_integer
from chainrules.ad.modes.containers import described, in_containers_of, is_alike, part_of_tangent
from chainrules.ad.modes.nodes import evaluated
from chainrules.ad.traced.hiding import check_hides_nothing
from chainrules.ad.traced.tracing import is_differentiable
from chainrules.ad.values.facts import fact
from chainrules.ad.values.structures import (
    has_parts,
    holds,
    parts_of,
    step,
    tangent_from_parts,
    with_parts,
    within,
)
from chainrules_core import AbstractZero, NoTangent, ProjectTo, StructuralTangent, ZeroTangent, zero_tangent

Tree = TypeVar("Tree")

# The way to a place in a tree: each container on the way, with the key of the next one.
_Way = tuple[tuple[Any, Any], ...]


@overload
def tree_map(f: Callable[[Any], Any], tree: Tree, /) -> Tree: ...
@overload
def tree_map(f: Callable[[Any, Any], Any], tree: Tree, other: Any, /) -> Tree: ...
@overload
def tree_map(f: Callable[..., Any], tree: Tree, /, *trees: Any) -> Tree: ...
def tree_map(f: Callable[..., Any], tree: Tree, /, *trees: Any) -> Tree:
    """Call a function with each number and array in a tree, and return the tree of its results.

    A step of descent is ``tree_map(lambda p, g: p - 0.1 * g, parameters, gradient)``.

    Parameters
    ----------
    f
        A function of as many arguments as there are trees.
    tree
        Tuples, lists, dicts, dataclasses, instances of ordinary classes and `Tangent`, nested. Its leaves are
        what `grad` differentiates by: real and complex numbers, and arrays of them, structured and sparse
        ones too. All else in it is constant, and stays: integers, flags, text, functions.
    trees
        Trees in the same containers, or gradients of such. A `Tangent` stands for its primal. `NoTangent()`
        stands for what is constant, so that `f` is not called there; `ZeroTangent()` for zeros.

    Returns
    -------
    tree
        In the containers of the first tree, new ones but for objects without a leaf. Where one tree has a
        number that is no leaf, such as an integer, and another has a leaf, `f` is called.

    Raises
    ------
    TypeError
        If a tree has other containers or other parts than the first; if the first one holds numbers where
        they are not looked for, or integers only; or holds an instance of an ordinary class twice.

    Examples
    --------
    >>> from chainrules.ad import grad, tree_map
    >>> parameters = {"w": [1.0, 2.0], "name": "line"}
    >>> gradient = grad(lambda p: p["w"][0] * p["w"][1])(parameters)
    >>> tree_map(lambda p, g: p - 0.5 * g, parameters, gradient)
    {'w': [0.0, 1.5], 'name': 'line'}
    """
    if not callable(f):
        raise TypeError(f"tree_map(f, tree): f is a {type(f).__name__}, not a function, which comes first.")
    y, has_leaf = Traversal(f).at((tree, *trees), (), ())
    check_hides_nothing("tree_map cannot go through its tree", tree)
    if not has_leaf and not any(holds(x, _is_zero) for x in (tree, *trees)):
        refuse_integers(tree)
    return y  # type: ignore[no-any-return]  # in the containers of the first tree


def refuse_integers(tree: Any) -> None:
    """Raise if a tree without a leaf holds integers, which may have been meant for leaves.

    Raises
    ------
    TypeError
        If it does.
    """
    if holds(tree, is_integer):
        raise TypeError(
            f"The tree, a {type(tree).__name__}, holds integers, and no real or complex number: integers are "
            "constants here, as they are to `grad`. Write `2.0` for `2`, or `x.astype(float)`."
        )


fact(tree_map, calls_back=(0, ""))


class Traversal:
    """One call of `tree_map`, or of what goes through a tree as it does."""

    __slots__ = ("_f",)

    def __init__(self, f: Callable[..., Any]) -> None:
        self._f = f

    def at(self, values: Sequence[Any], way: _Way, holders: tuple[int, ...]) -> tuple[Any, bool]:
        """The result for the values at one place of the trees, and whether there was a leaf in it."""
        values = [evaluated(x) for x in values]
        if all(map(is_differentiable, values)):
            return self._called(values, way)
        first = values[0]
        if isinstance(first, NoTangent):
            return first, False
        like = next((x for x in values if not isinstance(x, AbstractZero | StructuralTangent)), first)
        if not _is_container(like):
            return self._leaf(values, like, way)
        holders = within(like, holders)
        parts, has_leaf = {}, False
        for key, pieces in _pieces(values, like, way).items():
            parts[key], found = self.at(pieces, (*way, (like, key)), holders)
            has_leaf = has_leaf or found
        if isinstance(first, StructuralTangent):
            return tangent_from_parts(type(first), len(parts), parts), has_leaf
        if isinstance(first, AbstractZero):
            return in_containers_of(like, parts), has_leaf
        # An object without a leaf stays the same, as when a tangent is added.
        is_new = has_leaf or isinstance(first, tuple | list | dict)
        return (with_parts(first, parts) if is_new else first), has_leaf

    def _leaf(self, values: Sequence[Any], like: Any, way: _Way) -> tuple[Any, bool]:
        for place, x in enumerate(values):
            if _is_container(x) and not isinstance(x, StructuralTangent):
                raise _mismatch(way, like, x, place)
        number = next((x for x in values if is_differentiable(x)), None)
        if number is None or any(isinstance(x, NoTangent) for x in values):
            return values[0], False
        if any(isinstance(x, ZeroTangent) for x in values):
            zeros = ProjectTo(number)(zero_tangent(number))
            values = [zeros if isinstance(x, ZeroTangent) else x for x in values]
        return self._called(values, way)

    def _called(self, values: Sequence[Any], way: _Way) -> tuple[Any, bool]:
        try:
            return self._f(*values), True
        except Exception as error:
            error.add_note(f"This is about what is at {_place(way)}.")
            raise


def _pieces(values: Sequence[Any], like: Any, way: _Way) -> dict[Any, list[Any]]:
    """The parts of containers that are alike, one list of parts for each key.

    Raises
    ------
    TypeError
        If they are not alike.
    """
    for place, x in enumerate(values):
        if not isinstance(x, AbstractZero) and not (_is_container(x) and is_alike(x, like)):
            raise _mismatch(way, like, x, place)
    others = values if isinstance(like, StructuralTangent) else [like]  # each of them may lack what is zero
    keys = dict.fromkeys(key for x in others if not isinstance(x, AbstractZero) for key in parts_of(x))
    return {key: [_part(x, key) for x in values] for key in keys}


def _part(x: Any, key: Any) -> Any:
    if isinstance(x, AbstractZero):
        return x
    return part_of_tangent(x, key) if isinstance(x, StructuralTangent) else parts_of(x)[key]


def _is_container(x: Any) -> bool:
    return not is_differentiable(x) and has_parts(x)


def _mismatch(way: _Way, like: Any, x: Any, place: int) -> TypeError:
    which = ("first", "second", "third")[place] if place < 3 else f"{place + 1}th"
    return TypeError(
        f"The trees of tree_map differ at {_place(way)}: one has {described(like)} there, and the {which} "
        f"{described(x)}. Give trees in the same containers, or `NoTangent()` where a tree has nothing."
    )


def _place(way: _Way) -> str:
    """For messages: the place in a tree, as a program would write it."""
    return f"`tree{''.join(step(x, key) for x, key in way)}`"


def _is_zero(x: Any) -> bool:
    return isinstance(x, AbstractZero)
