"""Calls: ``g(x)`` becomes ``hook(g)(x)``, and ``g(x, out=y)`` tells that `y` is written into.

The hook is given the callee and answers what to call in its place. The arguments are not the hook's, so that
what it answers is called by the user's own code: no frame of the hook's is seen by `warnings`, debuggers or
tracebacks. Known functions and methods in C are called as the program says.
"""

import ast
from collections.abc import Collection
from typing import Any

from chainrules.ad.syntax.classes_of_values import BUILTINS, MODULES, called_as_it_is, owners
from chainrules.ad.syntax.hooks import constant, hooked, placed
from chainrules.ad.syntax.names import makes_copy, parts_handed_over
from chainrules.ad.syntax.reads import attribute_of
from chainrules.ad.syntax.rewritten import (
    Rewritten,
    Tests,
    all_of,
    as_arguments,
    can_be_twice,
    final,
    guarded,
    is_constant,
    is_same,
    together,
)
from chainrules.ad.syntax.variables import in_variables
from chainrules.ad.syntax.walk import Expressions, Walk

# They look at the frame that calls them, and are called as they are: `super()` needs the compiler's help too.
_OF_THE_FRAME = frozenset({"super", "locals", "globals", "eval", "exec", "breakpoint"})

# An expression that names classes.
_CLASSES = (ast.Name, ast.Attribute, ast.Tuple, ast.BinOp, ast.BitOr, ast.Load, ast.Constant)


def _call(walk: Walk, node: ast.Call) -> Rewritten:
    is_new, func = walk.is_new, node.func
    hook = "new call" if is_new else "call"
    if _stays(func):
        args = walk.finals(node.args)
        if _evaluates_text(node):
            args[0] = hooked("evaluated", args[0])
        return Rewritten(placed(ast.Call(walk.final(func), args, _keywords(walk, node, False)), node))
    copies = [x for x in parts_handed_over(node, walk.names.modules) if makes_copy(x)]
    args_ = [walk.visit(arg, arg in copies) for arg in node.args]
    known = _of_numbers(walk, hook, node, args_) if walk.is_guarded else None
    if known is not None:
        return known
    args, keywords = list(map(final, args_)), _keywords(walk, node, True, copies)
    if isinstance(func, ast.Attribute) and _is_of_super(func):
        callee: ast.expr = placed(ast.Attribute(walk.final(func.value), func.attr, func.ctx), func)
    elif isinstance(func, ast.Attribute) and walk.names.module_of(func.value) is None:
        return Rewritten(_method_call(walk, node, args, keywords, is_new))
    else:
        callee = walk.final(func, is_new)
    return Rewritten(placed(ast.Call(hooked(hook, callee, at=func), args, keywords), node))


def _stays(callee: ast.expr) -> bool:
    if isinstance(callee, ast.Name):
        return callee.id in _OF_THE_FRAME
    # Names that pytest gives to what its rewritten assertions call.
    return (
        isinstance(callee, ast.Attribute)
        and isinstance(callee.value, ast.Name)
        and callee.value.id.startswith("@")
    )


def _evaluates_text(node: ast.Call) -> bool:
    """Whether a call is ``eval(text)``, of text that is made while the program runs."""
    is_eval = isinstance(node.func, ast.Name) and node.func.id == "eval"
    return is_eval and bool(node.args) and not isinstance(node.args[0], ast.Constant | ast.Starred)


def _is_of_super(func: ast.expr) -> bool:
    """Whether a callee is ``super().name``: `super` finds a method at half the cost of a hook."""
    owner = func.value if isinstance(func, ast.Attribute) else None
    return isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super"


def _keywords(
    walk: Walk, node: ast.Call, tells: bool, copies: Collection[ast.expr] = ()
) -> list[ast.keyword]:
    keywords = []
    for keyword in node.keywords:
        value = walk.final(keyword.value, keyword.value in copies)
        if tells and keyword.arg == "out" and not isinstance(value, ast.Constant):
            value = hooked("out", value)
        keywords.append(placed(ast.keyword(keyword.arg, value), keyword))
    return keywords


# --- Functions of numbers and text --------------------------------------------------------------------------


def _of_numbers(walk: Walk, hook: str, node: ast.Call, args: list[Rewritten]) -> Rewritten | None:
    """A call of a function in C that computes with plain numbers and text."""
    func = node.func
    tests = _tests_of_function(walk, func)
    if tests is None or node.keywords or not args or any(isinstance(arg, ast.Starred) for arg in node.args):
        return None
    if all(map(is_constant, node.args)):
        return None
    tested, classes = args, []
    if isinstance(func, ast.Name) and func.id == "len":
        return _length(func, node, tests, hook)
    if isinstance(func, ast.Name) and func.id == "isinstance":
        tested, classes = args[:1], list(map(final, args[1:]))
        if not all(map(_names_classes, node.args[1:])):
            return None
    chosen = hooked(hook, walk.final(func), at=func)
    operands = [x for x in map(walk.operand, tested) if x is not None]
    both = together(*(as_arguments(x.tests) for x in operands), tests)
    if len(operands) == len(tested) and both is not None:
        slow = placed(ast.Call(chosen, [of.hooked for of in args], []), node)
        fast = placed(ast.Call(func, [*(x.native for x in operands), *classes], []), node)
        return Rewritten(guarded(fast, both, slow), fast, both)
    values = None if classes else in_variables(walk, args, "called with")
    if values is None:
        return None
    slow = placed(ast.Call(chosen, values.others, []), node)
    fast = placed(ast.Call(func, values.natives, []), node)
    test = all_of({"": (values.test, ""), **tests}, node)
    return Rewritten(placed(ast.IfExp(test, fast, slow), node))


def _length(func: ast.Name, node: ast.Call, tests: Tests, hook: str) -> Rewritten | None:
    """``len(x)`` of a variable, which cannot fail."""
    x = node.args[0]
    if len(node.args) > 1 or not isinstance(x, ast.Name):
        return None
    slow = placed(ast.Call(hooked(hook, func), [x], []), node)
    return Rewritten(slow, node, {f"{x.id} has a length": (x, "sized"), **tests}, True)


def _names_classes(node: ast.expr) -> bool:
    return can_be_twice(node) and all(isinstance(part, _CLASSES) for part in ast.walk(node))


def _tests_of_function(walk: Walk, f: ast.expr) -> Tests | None:
    """The tests whether an expression is a known function in C; `None` if it cannot be one."""
    if isinstance(f, ast.Name):
        module, name = walk.names.functions.get(f.id, ("", f.id))
        known = getattr(MODULES[module], name, None) if module else _BUILTINS.get(name)
        return None if known is None else _is_known(f, f.id, f"{module}.{name}", known)
    if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name):
        module = walk.names.modules.get(f.value.id, "")
        known = getattr(MODULES[module], f.attr, None) if module in MODULES else None
        if callable(known):
            text = f"{module}.{f.attr}"
            return _is_known(f.value, module, module, MODULES[module]) | _is_known(f, text, text, known)
    return None


_BUILTINS = {**BUILTINS, "len": len}


def _is_known(x: ast.expr, text: str, name: str, value: Any) -> Tests:
    return {f"{text} is known": (is_same(x, constant(name, value, x)), "")}


# --- Methods ------------------------------------------------------------------------------------------------


def _method_call(
    walk: Walk, node: ast.Call, args: list[ast.expr], keywords: list[ast.keyword], is_new: bool
) -> ast.expr:
    func: Any = node.func
    owner = walk.visit(func.value, is_new)
    chosen = hooked("new call" if is_new else "call", attribute_of(walk, owner, func).hooked, at=func)
    otherwise = placed(ast.Call(chosen, args, keywords), node)
    name = walk.mangled(func.attr)
    if not walk.is_guarded or owner.native is None or owner.is_plain or not owners(name):
        return otherwise
    constant(f"called as it is {name}", called_as_it_is(name), node)
    tests = together(owner.tests, {"called": (owner.native, f"called as it is {name}")})
    if tests is None:
        return otherwise
    method = placed(ast.Attribute(owner.native, func.attr, ast.Load()), func)
    if all(map(can_be_twice, [*args, *keywords])):
        known = placed(ast.Call(method, args, keywords), node)
        return guarded(known, tests, otherwise)
    either = guarded(method, tests, chosen)
    return placed(ast.Call(either, args, keywords), node)


EXPRESSIONS: Expressions = {ast.Call: _call}
