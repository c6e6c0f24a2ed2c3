"""What stands at a place of a program's text, for messages: an expression, without its syntax tree."""

import ast
from typing import Any, NamedTuple


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
