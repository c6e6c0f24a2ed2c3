"""The text of a program: the expression at a place, for messages, and the uses of its value."""

import ast
import functools
import itertools
import linecache
import types
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from chainrules.ad.values.memory import remember


class Expression(NamedTuple):
    """An expression of a program."""

    # One of "name", "attribute", "item", "call", "remainder", "constant"; empty for anything else.
    kind: str
    text: str
    # The name of a variable or attribute; the value of a constant.
    name: Any = None
    # The owner of an attribute; the owner and the key of an item; what is called.
    parts: tuple["Expression", ...] = ()
    # Of a call: how it is written by a rule, and whether a list is among the arguments.
    by_rule: str = ""
    has_list: bool = False


def expression_in(text: str) -> Expression | None:
    """The expression that a text is; of ``a[i] += x`` it is ``a[i]``; `None` of any other statement."""
    try:
        return _described(ast.parse(f"({text})", mode="eval").body)
    except SyntaxError:  # a statement
        pass
    try:
        statements = ast.parse(text).body
    except SyntaxError:
        return None
    targets = [statement.target for statement in statements if isinstance(statement, ast.AugAssign)]
    return _described(targets[0]) if targets else None


def _described(node: ast.expr) -> Expression:
    text = ast.unparse(node)
    match node:
        case ast.Name(id=name):
            return Expression("name", text, name)
        case ast.Attribute(value=owner, attr=name):
            return Expression("attribute", text, name, (_described(owner),))
        case ast.Subscript(value=owner, slice=key):
            return Expression("item", text, None, (_described(owner), _described(key)))
        case ast.Constant(value=value):
            return Expression("constant", text, value)
        case ast.BinOp(op=ast.Mod()):
            return Expression("remainder", text)
        case ast.Call(func=func, args=args, keywords=keywords):
            by_rule = ast.unparse(ast.Call(ast.Name("call"), [func, *args], keywords))
            has_list = any(isinstance(part, ast.List) for part in args)
            return Expression("call", text, None, (_described(func),), by_rule, has_list)
    return Expression("", text)


# Functions and methods that show what they are given, or look something up by it.
_SHOWING = frozenset({"print", "str", "repr", "format", "int", "bool", "isinstance", "write", "warn"})
_SHOWING |= {"get", "add", "discard", "index", "count", "len", "isclose", "allclose", "array_equal"}
_SHOWING |= {"debug", "info", "warning", "error", "critical", "exception", "log"}

# What is in these is a part of them.
_TRANSPARENT = (
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.IfExp, ast.Tuple, ast.List, ast.Starred, ast.keyword),
    *(ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.Lambda),
)


def is_only_looked_at(frame: types.FrameType) -> bool:
    """Whether the value of the expression that a frame is at is only shown, compared or looked up by.

    Where the text does not say so, or there is none, it is not.
    """
    code, place = frame.f_code, frame.f_lasti
    known = _known.get((id(code), place))
    if known is None:
        known = code, _is_only_looked_at(code.co_filename, position_of(code, place))
        remember(_known, (id(code), place), known)
    return known[1]


def position_of(code: types.CodeType, place: int) -> tuple[Any, ...]:
    """First and last line, first and last column of the expression whose instruction runs."""
    return next(itertools.islice(code.co_positions(), place // 2, None), (None,))


# By the number (`id`) of a code object and the instruction that runs, with the code object: to find a
# position takes longer than all the rest, and code objects that were rewritten have no hash.
_known: dict[tuple[int, int], tuple[types.CodeType, bool]] = {}


def _is_only_looked_at(filename: str, position: tuple[Any, ...]) -> bool:
    source = "".join(linecache.getlines(filename))

    def is_there(node: ast.AST) -> bool:
        return isinstance(node, ast.expr) and _place_of(node) == position

    chain = next(_chains(_tree(source), is_there), None)
    return chain is not None and _is_looked_at(chain)


# Forgotten but for the last four, since a tree is large.
@functools.lru_cache(4)
def _tree(source: str) -> ast.AST:
    try:
        return ast.parse(source)
    except (SyntaxError, RecursionError):  # the file was edited after its import, or is too deep
        return ast.Module([], [])


def _place_of(node: Any) -> tuple[Any, ...]:
    """First and last line, first and last column, in bytes, as code objects have it."""
    names = "lineno", "end_lineno", "col_offset", "end_col_offset"
    return tuple([getattr(node, name, None) for name in names])


def _chains(root: ast.AST, is_wanted: Callable[[ast.AST], bool]) -> Iterator[tuple[ast.AST, ...]]:
    """The wanted nodes, each with the nodes around it, the innermost first."""
    pending: list[tuple[ast.AST, ...]] = [(root,)]
    while pending:  # a long sum is nested more deeply than functions may be
        chain = pending.pop()
        if is_wanted(chain[0]):
            yield chain
        pending.extend((child, *chain) for child in ast.iter_child_nodes(chain[0]))


def _is_looked_at(chain: tuple[ast.AST, ...]) -> bool:
    """Whether the first of some nodes, each in the next one, is only looked at."""
    for position, (node, parent) in enumerate(itertools.pairwise(chain)):
        if isinstance(parent, ast.FormattedValue | ast.Compare | ast.Raise | ast.Assert | ast.Expr):
            return True
        if isinstance(parent, ast.keyword) and parent.arg == "key":  # to sort by
            return True
        if isinstance(parent, ast.If | ast.While):
            return node is parent.test
        if isinstance(parent, ast.Subscript):
            return node is parent.slice
        if isinstance(parent, ast.Call):
            name = getattr(parent.func, "attr", getattr(parent.func, "id", None))
            return node is not parent.func and name in _SHOWING
        if isinstance(parent, ast.Assign):
            return _is_variable_looked_at(parent, chain[position + 2 :])
        if not isinstance(parent, _TRANSPARENT):
            return False
    return False


def _is_variable_looked_at(assignment: ast.Assign, around: tuple[ast.AST, ...]) -> bool:
    """Whether a variable of a function that a value is assigned to is only looked at."""
    function = next((node for node in around if isinstance(node, ast.FunctionDef)), None)
    (target, *others) = assignment.targets
    if function is None or others or not isinstance(target, ast.Name):
        return False

    def is_read(node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id == target.id and isinstance(node.ctx, ast.Load)

    return all(
        not any(isinstance(node, ast.Assign) for node in chain) and _is_looked_at(chain)
        for chain in _chains(function, is_read)
    )
