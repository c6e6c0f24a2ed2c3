"""Assignments, augmented ones too: those to attributes and items enter methods of the user's.

Values are evaluated in Python's order. Variables that are needed for that have names that no program can
write, and are deleted at once; in the body of a class, where they would be attributes, what needs them stays
as it is.
"""

import ast
from typing import Any

from chainrules.ad.syntax.classes_of_values import classes_to_assign
from chainrules.ad.syntax.hooks import constant, hooked, placed
from chainrules.ad.syntax.operators import BINARY, binary
from chainrules.ad.syntax.reads import index, is_stored_into, iterated, readable, readable_again
from chainrules.ad.syntax.rewritten import Rewritten, all_of, can_be_twice, cleared, final, is_of, is_simple
from chainrules.ad.syntax.variables import are_of
from chainrules.ad.syntax.walk import Expressions, Statements, Walk

_STORE = ast.Store()
_SIMPLE = (ast.Name, ast.Constant)
_ONE_PLACE = (ast.Attribute, ast.Subscript)

# --- What is assigned ---------------------------------------------------------------------------------------


def _assigned_to(walk: Walk, targets: list[ast.expr], value: ast.expr) -> ast.expr:
    """A value that is assigned: a new array for a name that is written into has to be one to be filled."""
    if not isinstance(value, ast.Tuple):
        return walk.final(value, any(_is_written_into(walk, target) for target in targets))
    parts = [
        _assigned_to(walk, [_part(target, place) for target in targets], part)
        for place, part in enumerate(value.elts)
    ]
    return placed(ast.Tuple(parts, value.ctx), value)


def _part(target: ast.expr, place: int) -> ast.expr:
    """The target of one item of a tuple; the whole target if that gets the tuple."""
    return target.elts[place] if isinstance(target, ast.Tuple) and place < len(target.elts) else target


def _is_written_into(walk: Walk, target: ast.expr) -> bool:
    if isinstance(target, ast.Attribute):
        return True  # any method may write into it
    return isinstance(target, ast.Name) and target.id in walk.scope.written


def _named(walk: Walk, node: ast.NamedExpr) -> Rewritten:
    return Rewritten(
        placed(ast.NamedExpr(node.target, walk.final(node.value, _is_written_into(walk, node.target))), node)
    )


# --- Assignments --------------------------------------------------------------------------------------------


def _assign(walk: Walk, node: ast.Assign) -> list[ast.stmt]:
    value, targets = _assigned_to(walk, node.targets, node.value), node.targets
    scope = walk.scope
    is_one = len(targets) == 1 and (scope.is_in_function or isinstance(targets[0], _ONE_PLACE))
    if scope.is_within_function and is_one:
        return stored(walk, targets[0], value, node)
    if not scope.is_in_function or not any(map(calls_methods, targets)):
        return [placed(ast.Assign(walk.finals(targets), value), node)]
    variable = walk.variable(node)
    statements: list[ast.stmt] = [placed(ast.Assign([variable], value), node)]
    for target in targets:
        statements += stored(walk, target, loaded(variable), node)
    return [*statements, deleted([variable], node)]


def _annotated(walk: Walk, node: ast.AnnAssign) -> list[ast.stmt]:
    """In a function, an annotation of a variable says nothing at run time."""
    if node.value is not None and walk.scope.is_in_function:
        return _assign(walk, placed(ast.Assign([node.target], node.value), node))
    # The annotation stays as it is: it may be kept as text, which others read and evaluate.
    new = walk.rebuilt(node, "annotation", "value")
    if node.value is not None:
        new.value = _assigned_to(walk, [node.target], node.value)
    return [new]


def stored(walk: Walk, target: ast.expr, value: ast.expr, at: ast.stmt) -> list[ast.stmt]:
    """The statements that store a value in a target."""
    if isinstance(target, ast.Attribute):
        return _stored_in_attribute(walk, target, value, at)
    if isinstance(target, ast.Subscript):
        return _stored_in_item(walk, target, value, at)
    if not isinstance(target, ast.Tuple | ast.List):
        return [placed(ast.Assign([walk.final(target)], value), at)]
    if not isinstance(value, ast.Tuple | ast.List):
        value = iterated(walk, value)
    if not calls_methods(target):
        return [placed(ast.Assign([walk.final(target)], value), at)]
    variables: list[ast.Name] = []
    parts: list[ast.expr] = []
    later: list[ast.stmt] = []
    for part in target.elts:  # each is evaluated after those before it were stored
        variables.append(walk.variable(at))
        is_starred = isinstance(part, ast.Starred)
        parts.append(placed(ast.Starred(variables[-1], _STORE), at) if is_starred else variables[-1])
        inner = part.value if isinstance(part, ast.Starred) else part
        later += stored(walk, inner, loaded(variables[-1]), at)
    targets = placed(type(target)(parts, _STORE), target)
    return [placed(ast.Assign([targets], value), at), *later, deleted(variables, at)]


def stored_later(walk: Walk, target: ast.expr, at: ast.stmt) -> tuple[ast.Name, list[ast.stmt]]:
    """A variable in the place of a target, and the statements that store it there."""
    variable = walk.variable(at)
    return variable, [*stored(walk, target, loaded(variable), at), deleted([variable], at)]


def stored_by_conditions(walk: Walk, target: ast.expr, conditions: list[ast.expr]) -> ast.expr:
    """A target with variables in it, and the conditions that store them, which always hold."""
    if isinstance(target, ast.Tuple | ast.List):
        parts = [stored_by_conditions(walk, part, conditions) for part in target.elts]
        return placed(type(target)(parts, _STORE), target)
    if isinstance(target, ast.Starred):
        return placed(ast.Starred(stored_by_conditions(walk, target.value, conditions), _STORE), target)
    if not isinstance(target, _ONE_PLACE):
        return target
    variable = walk.variable(target)
    store = _hooked_store(walk, target, loaded(variable))
    conditions.append(placed(ast.Compare(store, [ast.Is()], [placed(ast.Constant(None), target)]), target))
    return variable


def calls_methods(target: ast.expr) -> bool:
    """Whether storing in a target may call a method of the user's."""
    if isinstance(target, ast.Tuple | ast.List):
        return any(map(calls_methods, target.elts))
    if isinstance(target, ast.Starred):
        return calls_methods(target.value)
    return isinstance(target, _ONE_PLACE)


# --- Attributes and items -----------------------------------------------------------------------------------


def _hooked_store(walk: Walk, target: ast.Attribute | ast.Subscript, value: ast.expr) -> ast.expr:
    """The call of a hook that stores a value."""
    owner = walk.final(target.value)
    if isinstance(target, ast.Subscript):
        return hooked("set item", value, owner, index(walk, target.slice).argument, at=target)
    return hooked("set attribute", value, owner, _name_of(walk, target), at=target)


def _name_of(walk: Walk, target: ast.Attribute) -> ast.expr:
    return placed(ast.Constant(walk.mangled(target.attr)), target)


def _is_tested(walk: Walk, owner: ast.expr) -> bool:
    """Whether there is a test in front of what is stored in an object."""
    return walk.is_guarded and walk.scope.may_hold and isinstance(owner, ast.Name)


def _stored_in_attribute(walk: Walk, target: ast.Attribute, value: ast.expr, at: ast.stmt) -> list[ast.stmt]:
    if not _is_tested(walk, target.value):
        return [_called(_hooked_store(walk, target, value), at)]
    name, x = _name_of(walk, target), target.value
    classes = _assignable(walk.mangled(target.attr), target)
    test = is_of(x, f"to assign {walk.mangled(target.attr)}")
    return _stored_if(
        walk,
        test,
        target,
        value,
        at,
        lambda value: hooked("set attribute", value, x, name, classes, at=target),
    )


def _stored_in_item(walk: Walk, target: ast.Subscript, value: ast.expr, at: ast.stmt) -> list[ast.stmt]:
    if not _is_tested(walk, target.value):
        return [_called(_hooked_store(walk, target, value), at)]
    key, x = index(walk, target.slice), target.value
    if not can_be_twice(key.argument):
        return [_called(hooked("set item", value, x, key.argument, at=target), at)]
    item = placed(ast.Subscript(x, key.written, _STORE), target)
    return _stored_if(
        walk,
        is_stored_into(x, target.slice),
        item,
        value,
        at,
        lambda value: hooked("set item", value, x, key.argument, at=target),
    )


def _stored_if(  # noqa: PLR0913, PLR0917 - a statement has so many parts
    walk: Walk, test: ast.expr, target: ast.expr, value: ast.expr, at: ast.stmt, otherwise: Any
) -> list[ast.stmt]:
    """The statements that store a value, which is evaluated first."""
    if is_simple(value):
        fast = placed(ast.Assign([target], value), at)
        return [_either(test, fast, _called(otherwise(value), at), at)]
    variable = walk.variable(at)
    stored_value = loaded(variable)
    fast = placed(ast.Assign([target], stored_value), at)
    return [
        placed(ast.Assign([variable], value), at),
        _either(test, fast, _called(otherwise(stored_value), at), at),
        deleted([variable], at),
    ]


def _assignable(name: str, at: Any) -> ast.expr:
    """The classes to whose instances an attribute can be assigned as it is; the hook adds to them."""
    return constant(f"to assign {name}", classes_to_assign(name), at)


# --- Augmented assignments ----------------------------------------------------------------------------------


def _augmented(walk: Walk, node: ast.AugAssign) -> list[ast.stmt]:
    target, scope = node.target, walk.scope
    is_simple_value = isinstance(node.value, _SIMPLE)
    needs_variables = not (is_simple_value or isinstance(target, ast.Name))
    if not scope.is_within_function or (needs_variables and not scope.is_in_function):
        return [walk.rebuilt(node)]
    name = f"i{BINARY[type(node.op)]}"
    if isinstance(target, ast.Name):
        return _augmented_name(walk, name, target, node)
    if not is_simple_value:
        return _by_parts(walk, name, target, node)
    if isinstance(target, ast.Attribute):
        return _augmented_attribute(walk, name, target, node)
    return _augmented_item(walk, name, target, node)


def _augmented_name(walk: Walk, name: str, target: ast.Name, node: ast.AugAssign) -> list[ast.stmt]:
    x, y = loaded(target), walk.visit(node.value)
    update = binary(walk, name, Rewritten(x, x), y, node)
    if walk.scope.may_hold and isinstance(update.native, ast.BinOp):
        fast = placed(ast.AugAssign(target, node.op, update.native.right), node)
        slow = placed(ast.Assign([target], cleared(update.tests, update.hooked)), node)
        return [_either(all_of(update.tests, node), fast, slow, node)]
    is_kept = target.id not in walk.names.shared and not walk.names.has_assignments_in_expressions
    if not (walk.is_guarded and walk.scope.may_hold and is_kept):  # the value may assign to the name
        return [placed(ast.Assign([target], final(update)), node)]
    variable = walk.variable(node)
    value = loaded(variable)
    fast = placed(ast.AugAssign(target, node.op, value), node)
    slow = placed(ast.Assign([target], hooked(name, x, value, at=node)), node)
    test = are_of(x, x, placed(ast.NamedExpr(variable, final(y)), node), value, "plain")
    return [_either(test, fast, slow, node), deleted([variable], node)]


def _augmented_attribute(walk: Walk, name: str, target: ast.Attribute, node: ast.AugAssign) -> list[ast.stmt]:
    x, y, of = target.value, walk.visit(node.value), _name_of(walk, target)
    mangled = walk.mangled(target.attr)
    if not _is_tested(walk, x):
        return [_called(hooked(f"{name} attribute", walk.final(x), of, final(y), at=node), node)]
    assignable = _assignable(mangled, node)
    test = all_of({"read": (x, readable_again(mangled, node)), "assign": (x, f"to assign {mangled}")}, node)
    read = placed(ast.Attribute(x, target.attr, ast.Load()), target)
    value = final(binary(walk, name, Rewritten(read, read), y, node))
    slow = hooked(f"{name} attribute", x, of, final(y), readable(mangled, node), assignable, at=node)
    return [_either(test, placed(ast.Assign([target], value), node), _called(slow, node), node)]


def _augmented_item(walk: Walk, name: str, target: ast.Subscript, node: ast.AugAssign) -> list[ast.stmt]:
    x, y, key = target.value, walk.visit(node.value), index(walk, target.slice)
    slow = hooked(f"{name} item", walk.final(x), key.argument, final(y), at=node)
    if not (_is_tested(walk, x) and is_simple(target.slice)):
        return [_called(slow, node)]
    read = placed(ast.Subscript(x, target.slice, ast.Load()), target)
    value = final(binary(walk, name, Rewritten(read, read), y, node))
    fast = placed(ast.Assign([target], value), node)
    return [_either(is_stored_into(x, target.slice), fast, _called(slow, node), node)]


def _by_parts(
    walk: Walk, name: str, target: ast.Attribute | ast.Subscript, node: ast.AugAssign
) -> list[ast.stmt]:
    """Read, compute and store, in this order: computing the value may change what is read, or fail."""
    statements: list[ast.stmt] = []
    variables: list[ast.Name] = []

    def in_variable(part: ast.expr, value: ast.expr) -> ast.expr:
        if isinstance(part, _SIMPLE):
            return part
        variables.append(walk.variable(node))
        statements.append(placed(ast.Assign([variables[-1]], value), node))
        return loaded(variables[-1])

    owner = in_variable(target.value, walk.final(target.value))
    read: ast.expr
    place: ast.expr
    if isinstance(target, ast.Attribute):
        read = placed(ast.Attribute(owner, target.attr, ast.Load()), node)
        place = placed(ast.Attribute(owner, target.attr, _STORE), node)
    else:
        key = in_variable(target.slice, index(walk, target.slice).argument)
        read = placed(ast.Subscript(owner, key, ast.Load()), node)
        place = placed(ast.Subscript(owner, key, _STORE), node)
    value = final(binary(walk, name, walk.visit(read), walk.visit(node.value), node))
    ending = [deleted(variables, node)] if variables else []
    return [*statements, *stored(walk, place, value, node), *ending]


# --- Statements ---------------------------------------------------------------------------------------------


def loaded(node: ast.Name) -> ast.Name:
    """A variable once more, to be read."""
    return placed(ast.Name(node.id, ast.Load()), node)


def deleted(variables: list[ast.Name], at: ast.stmt) -> ast.stmt:
    """The statement that deletes variables."""
    names: list[ast.expr] = [placed(ast.Name(variable.id, ast.Del()), at) for variable in variables]
    return placed(ast.Delete(names), at)


def _called(call: ast.expr, at: ast.stmt) -> ast.stmt:
    return placed(ast.Expr(call), at)


def _either(test: ast.expr, fast: ast.stmt, slow: ast.stmt, at: ast.stmt) -> ast.stmt:
    return placed(ast.If(test, [fast], [slow]), at)


EXPRESSIONS: Expressions = {ast.NamedExpr: _named}
STATEMENTS: Statements = {ast.Assign: _assign, ast.AnnAssign: _annotated, ast.AugAssign: _augmented}
