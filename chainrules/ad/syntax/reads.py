"""Attributes and items that are read, and what is gone through: methods of the user's are entered."""

import ast
from typing import Any, NamedTuple

from chainrules.ad.syntax.classes_of_values import MODULES, classes_to_read, classes_to_read_again
from chainrules.ad.syntax.hooks import constant, hooked, placed
from chainrules.ad.syntax.rewritten import (
    Rewritten,
    Tests,
    all_of,
    can_be_twice,
    final,
    guarded,
    is_constant,
    is_of,
    is_simple,
    text_of,
    together,
)
from chainrules.ad.syntax.walk import Expressions, Walk

_LOAD = ast.Load()

# The modules whose constants are read twice at no cost.
_OF_NUMBERS = {*MODULES, "numpy"}

# --- Attributes ---------------------------------------------------------------------------------------------


def _attribute(walk: Walk, node: ast.Attribute) -> Rewritten:
    if not isinstance(node.ctx, ast.Load):
        return Rewritten(placed(ast.Attribute(walk.final(node.value), node.attr, node.ctx), node))
    module = walk.names.module_of(node.value)
    if module is not None:
        return Rewritten(node, node if module in _OF_NUMBERS else None)
    return attribute_of(walk, walk.visit(node.value, walk.is_new), node)


def attribute_of(walk: Walk, owner: Rewritten, node: ast.Attribute) -> Rewritten:
    """An attribute of an expression that was visited."""
    name, x = walk.mangled(node.attr), node.value
    of = placed(ast.Constant(name), node)
    if not isinstance(x, ast.Name) or not walk.is_guarded:
        return Rewritten(hooked("attribute", final(owner), of, at=node))
    otherwise = hooked("attribute", x, of, readable(name, node), at=node)
    again: Tests = {f"{x.id}.{name} may be read": (x, readable_again(name, node))}
    return Rewritten(guarded(node, {"": (x, f"to read {name}")}, otherwise), node, again)


def readable(name: str, at: Any) -> ast.expr:
    """The classes of whose instances an attribute can be read as it is; the hook adds to them."""
    return constant(f"to read {name}", classes_to_read(name), at)


def readable_again(name: str, at: Any) -> str:
    """The name of the classes of whose instances an attribute can be read twice."""
    constant(f"to read again {name}", classes_to_read_again(name), at)
    return f"to read again {name}"


# --- Items --------------------------------------------------------------------------------------------------


class Index(NamedTuple):
    """The index between brackets, rewritten."""

    # With colons for slices, and as an argument: outside of brackets no slice may be written with colons.
    written: ast.expr
    argument: ast.expr
    # As it was written, if it is a name or a number, and the tests that say so.
    native: ast.expr | None
    tests: Tests


def index(walk: Walk, node: ast.expr) -> Index:
    """An index, rewritten."""
    if isinstance(node, ast.Slice):
        return _slice(walk, node)
    if isinstance(node, ast.Tuple):
        parts = [index(walk, part) for part in node.elts]
        return Index(
            placed(ast.Tuple([part.written for part in parts], _LOAD), node),
            placed(ast.Tuple([part.argument for part in parts], _LOAD), node),
            *_natives(parts, lambda natives: placed(ast.Tuple(natives, _LOAD), node)),
        )
    of = walk.visit(node)
    x = of if is_simple(node) else walk.operand(of)
    return Index(final(of), final(of), x and x.native, x.tests if x else {})


def _slice(walk: Walk, node: ast.Slice) -> Index:
    bounds = (node.lower, node.upper, node.step)
    parts = [None if bound is None else index(walk, bound) for bound in bounds]
    arguments = [placed(ast.Constant(None), node) if part is None else part.argument for part in parts]

    def sliced(natives: list[Any]) -> ast.expr:
        given = iter(natives)
        return placed(ast.Slice(*(part and next(given) for part in parts)), node)

    known = [part for part in parts if part is not None]
    written = sliced([part.written for part in known])
    return Index(written, hooked("slice", *arguments, at=node), *_natives(known, sliced))


def _natives(parts: list[Index], joined: Any) -> tuple[ast.expr | None, Tests]:
    tests = together(*(part.tests for part in parts))
    natives = [part.native for part in parts]
    return (None, {}) if None in natives or tests is None else (joined(natives), tests)


def _item(walk: Walk, node: ast.Subscript) -> Rewritten:
    is_new = walk.is_new
    x, key = walk.visit(node.value, is_new), index(walk, node.slice)
    if not isinstance(node.ctx, ast.Load):
        return Rewritten(placed(ast.Subscript(final(x), key.written, node.ctx), node))
    # A new array has to become one that can be filled.
    otherwise = hooked("new getitem" if is_new else "getitem", final(x), key.argument, at=node)
    if x.native is None or x.is_plain or not walk.is_guarded:
        return Rewritten(otherwise)
    once = together(x.tests, _has_items(x.native, node.slice, ", no array" if is_new else ""))
    item: ast.expr = otherwise
    if once is not None and can_be_twice(key.argument):
        written = placed(ast.Subscript(x.native, key.written, _LOAD), node)
        item = guarded(written, once, otherwise)
    again = together(x.tests, _has_items(x.native, node.slice), key.tests)
    if key.native is None or again is None:
        return Rewritten(item)
    return Rewritten(item, placed(ast.Subscript(x.native, key.native, _LOAD), node), again)


def _has_items(x: ast.expr, key: ast.expr, ending: str = "") -> Tests:
    """Whether an item can be read as it is: at any index, of a dict at a number or text."""
    text = f"{text_of(x)} has items"
    if is_constant(key):
        return {f"{text} at a number": (x, f"indexed or dict{ending}")}
    if isinstance(key, ast.Name):
        return {f"{text} at {key.id}": (_or_of_dict(x, f"indexed{ending}", key), "")}
    return {text: (x, f"indexed{ending}")}


def _or_of_dict(x: ast.expr, classes: str, key: ast.Name) -> ast.expr:
    """The question whether a value is of some classes, or a dict, and its key a number or text."""
    of_dict = all_of({"x": (x, "dict"), "key": (key, "plain")}, x)
    return placed(ast.BoolOp(ast.Or(), [is_of(x, classes), of_dict]), x)


def is_stored_into(x: ast.expr, key: ast.expr) -> ast.expr:
    """The question whether an item can be assigned as it is."""
    if is_constant(key):
        return is_of(x, "stored into or dict")
    return _or_of_dict(x, "stored into", key) if isinstance(key, ast.Name) else is_of(x, "stored into")


# --- What is gone through -----------------------------------------------------------------------------------


def iterated(walk: Walk, x: ast.expr, name: str = "iter") -> ast.expr:
    """The iterable for the place of a rewritten expression, by the hook of this name."""
    otherwise = hooked(name, x)
    if not isinstance(x, ast.Name) or not walk.is_guarded:
        return otherwise
    return guarded(x, {"": (x, "iterated")}, otherwise)


def _starred(walk: Walk, node: ast.Starred) -> Rewritten:
    value = walk.final(node.value)
    if isinstance(node.ctx, ast.Load):
        value = iterated(walk, value, "unpack")
    return Rewritten(placed(ast.Starred(value, node.ctx), node))


def _yield_from(walk: Walk, node: ast.YieldFrom) -> Rewritten:
    return Rewritten(placed(ast.YieldFrom(iterated(walk, walk.final(node.value))), node))


EXPRESSIONS: Expressions = {
    ast.Attribute: _attribute,
    ast.Subscript: _item,
    ast.Starred: _starred,
    ast.YieldFrom: _yield_from,
}
