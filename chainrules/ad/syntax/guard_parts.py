"""What tests in front of hooks are made of: questions for classes, and variables that are cleared."""

import ast
from typing import Any

from chainrules.ad.syntax import classes_of_values as plain_classes
from chainrules.ad.syntax.hooks import CONSTANTS, placeholder
from chainrules.ad.syntax.native_code import is_constant, placed

_LOAD, _STORE = ast.Load(), ast.Store()

CONSTANTS[placeholder("type")] = type


def constant(name: str, value: Any, at: Any) -> ast.expr:
    """A value that rewritten code has among its constants."""
    CONSTANTS[placeholder(name)] = value
    return placed(ast.Constant(placeholder(name)), at)


def guarded(test: ast.expr, native: ast.expr, slow: ast.expr) -> ast.IfExp:
    """The native code where a test says so, and the hook otherwise."""
    return placed(ast.IfExp(test, native, slow), slow)


def hook_with(node: ast.Call, args: list[ast.expr]) -> ast.Call:
    """The call of the same hook with other arguments."""
    return placed(ast.Call(node.func, args, []), node)


def _class_of(x: ast.expr) -> ast.expr:
    return placed(ast.Call(placed(ast.Constant(placeholder("type")), x), [x], []), x)


def is_of(x: ast.expr, classes: ast.expr) -> ast.expr:
    """The question whether the very class of a value is in a set."""
    return placed(ast.Compare(_class_of(x), [ast.In()], [classes]), x)


def is_in(x: ast.expr, name: str, classes: Any) -> ast.expr:
    """The same for a set that has a name among the constants."""
    return is_of(x, constant(name, classes, x))


def is_same(x: ast.expr, value: ast.expr, at: Any) -> ast.expr:
    """The question whether an expression is a very object."""
    return placed(ast.Compare(x, [ast.Is()], [value]), at)


def all_of(tests: list[ast.expr], at: Any) -> ast.expr:
    """All of several questions."""
    return tests[0] if len(tests) == 1 else placed(ast.BoolOp(ast.And(), tests), at)


def same_or_plain(held_x: ast.expr, x: ast.expr, held_y: ast.expr, y: ast.expr, at: Any) -> ast.expr:
    """Whether two values are numbers or text."""
    return same_or_of(held_x, x, held_y, y, constant("plain", plain_classes.PLAIN, at))


def same_or_of(held_x: ast.expr, x: ast.expr, held_y: ast.expr, y: ast.expr, classes: ast.expr) -> ast.expr:
    """Whether the very classes of two values are in a set; both are evaluated, whatever the first is.

    ``type(x := ...) is type(y := ...) in PLAIN`` evaluates both before it compares them.
    """
    chain = placed(
        ast.Compare(_class_of(held_x), [ast.Is(), ast.In()], [_class_of(held_y), classes]), classes
    )
    both = all_of([is_of(x, classes), is_of(y, classes)], classes)
    return placed(ast.BoolOp(ast.Or(), [chain, both]), classes)


def is_indexed(x: ast.expr, index: ast.expr, at: Any, with_arrays: bool = True) -> ast.expr:
    """Whether an item can be read as it is."""
    if is_constant(index):
        return has_items_or_keys(x, with_arrays)
    return with_dict(has_items(x, with_arrays), x, index, at)


def has_items(x: ast.expr, with_arrays: bool) -> ast.expr:
    """Whether any index reads an item as it is."""
    if with_arrays:
        return is_in(x, "indexed", plain_classes.INDEXED)
    return is_in(x, "indexed, no array", plain_classes.INDEXED - plain_classes.ARRAYS)


def has_items_or_keys(x: ast.expr, with_arrays: bool) -> ast.expr:
    """Whether a number or text as an index reads an item as it is."""
    if with_arrays:
        return is_in(x, "indexed or dict", plain_classes.INDEXED_OR_DICT)
    return is_in(x, "indexed or dict, no array", plain_classes.INDEXED_OR_DICT - plain_classes.ARRAYS)


def with_dict(test: ast.expr, x: ast.expr, index: ast.expr, at: Any) -> ast.expr:
    """Or whether a value is a dict, and an index a number or text, which is looked up as it is."""
    if not isinstance(index, ast.Name):
        return test
    of_dict = all_of([is_in(x, "dict", plain_classes.DICT), is_in(index, "plain", plain_classes.PLAIN)], at)
    return placed(ast.BoolOp(ast.Or(), [test, of_dict]), at)


def called_with(at: Any) -> ast.expr:
    """The classes of numbers and text; empty while somebody is told of all calls."""
    return constant("called with", plain_classes.CALLED_WITH, at)


# --- Variables that are cleared -----------------------------------------------------------------------------


def with_cleared(node: ast.IfExp, variables: list[ast.expr]) -> ast.IfExp:
    """The same, where the hook is given one argument more, which clears variables."""
    node.orelse.args.append(cleared(variables, node))  # type: ignore[attr-defined]  # of a call
    return node


def cleared(variables: list[ast.expr], at: Any) -> ast.expr:
    """An expression that is `None`, and puts it into variables."""
    value: ast.expr = placed(ast.Constant(None), at)
    for variable in variables:
        if isinstance(variable, ast.Name):
            value = placed(ast.NamedExpr(placed(ast.Name(variable.id, _STORE), at), value), at)
    return value


def last_use_of(variable: ast.expr) -> ast.expr:
    """The value of a variable, which is cleared."""
    pair = placed(ast.Tuple([variable, cleared([variable], variable)], _LOAD), variable)
    return placed(ast.Subscript(pair, placed(ast.Constant(0), variable), _LOAD), variable)


def either(clear: ast.expr, value: ast.expr) -> ast.expr:
    """The value of an expression, evaluated after another one that is `None`."""
    return placed(ast.BoolOp(ast.Or(), [clear, value]), value)


def clearing_index(index: ast.expr, clear: ast.expr) -> ast.expr | None:
    """An index that clears a variable when it is evaluated; `None` where it has no place for that."""
    if isinstance(index, ast.Slice):
        lower = clear if index.lower is None else either(clear, index.lower)
        return placed(ast.Slice(lower, index.upper, index.step), index)
    if isinstance(index, ast.Tuple):
        first = clearing_index(index.elts[0], clear) if index.elts else None
        return None if first is None else placed(ast.Tuple([first, *index.elts[1:]], _LOAD), index)
    return None if isinstance(index, ast.Starred) else either(clear, index)


def clearing_args(node: ast.Call, clear: ast.expr) -> tuple[list[ast.expr], list[ast.keyword]]:
    """The arguments of a call, of which the first clears a variable."""
    if node.args:
        first, *others = node.args
        if isinstance(first, ast.Starred):
            return [placed(ast.Starred(either(clear, first.value), _LOAD), first), *others], node.keywords
        return [either(clear, first), *others], node.keywords
    key, *rest = node.keywords
    return [], [placed(ast.keyword(key.arg, either(clear, key.value)), key), *rest]
