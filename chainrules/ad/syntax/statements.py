"""Functions, classes, loops and blocks: what stands in them, and how names are bound there.

Annotations stay as they are: they may be kept as text, which others read and evaluate.
"""

import ast
from typing import Any

from chainrules.ad.syntax.hooks import hooked, placed
from chainrules.ad.syntax.names import names_written_into
from chainrules.ad.syntax.operators import condition, conditional
from chainrules.ad.syntax.reads import iterated
from chainrules.ad.syntax.rewritten import Rewritten, final
from chainrules.ad.syntax.stores import calls_methods, stored_by_conditions, stored_later
from chainrules.ad.syntax.walk import Expressions, Statements, Walk, copied

# --- Imports ------------------------------------------------------------------------------------------------


def _import(walk: Walk, node: ast.Import) -> list[ast.stmt]:
    walk.names.add_modules(node)
    return [node]


def _import_from(walk: Walk, node: ast.ImportFrom) -> list[ast.stmt]:
    walk.names.add_functions(node)
    return [node]


# --- Functions and classes ----------------------------------------------------------------------------------


def _function(walk: Walk, node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    new = copied(node)
    new.decorator_list = _decorators(walk, node)
    new.args = _arguments(walk, node.args)
    new.body = walk.inside(
        walk.body,
        node.body,
        is_in_function=True,
        is_within_function=True,
        may_hold=walk.may_hold_in(node),
        written=names_written_into(node, walk.names.modules),
    )
    return [new]


def _decorators(walk: Walk, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> list[ast.expr]:
    decorators = walk.finals(node.decorator_list)
    if not walk.scope.is_in_function:  # they are called when a module is imported
        return decorators
    return [hooked("call", decorator) for decorator in decorators]


def _arguments(walk: Walk, node: ast.arguments) -> ast.arguments:
    new: ast.arguments = copied(node)
    new.defaults = walk.finals(node.defaults)
    new.kw_defaults = [value and walk.final(value) for value in node.kw_defaults]
    return new


def _lambda(walk: Walk, node: ast.Lambda) -> Rewritten:
    args = _arguments(walk, node.args)
    body = walk.inside(walk.final, node.body, may_hold=walk.may_hold_in(node))
    return Rewritten(placed(ast.Lambda(args, body), node))


def _class(walk: Walk, node: ast.ClassDef) -> list[ast.stmt]:
    new = walk.rebuilt(node, "body", "decorator_list", "type_params")
    new.decorator_list = _decorators(walk, node)
    new.body = walk.inside(walk.body, node.body, class_name=node.name, is_in_function=False, may_hold=False)
    return [new]


# --- Loops and blocks ---------------------------------------------------------------------------------------


def _conditional(walk: Walk, node: ast.If | ast.While | ast.Assert) -> list[ast.stmt]:
    return [conditional(walk, node)]


def _for(walk: Walk, node: ast.For) -> list[ast.stmt]:
    through = _through(walk, node.iter)
    if walk.scope.is_in_function and calls_methods(node.target):
        new = walk.rebuilt(node, "iter", "target")
        new.target, statements = stored_later(walk, node.target, node)
        new.body = [*statements, *new.body]
    else:
        new = walk.rebuilt(node, "iter")
    new.iter = through
    return [new]


def _through(walk: Walk, node: ast.expr) -> ast.expr:
    new = walk.final(node)
    return new if isinstance(new, ast.List | ast.Tuple | ast.Constant) else iterated(walk, new)


def _with(walk: Walk, node: ast.With) -> list[ast.stmt]:
    """A block: a target that is more than a name is stored in its body; what follows is a block in that."""
    entered: list[ast.withitem] = []
    for place, item in enumerate(node.items):
        manager, target = hooked("with", walk.final(item.context_expr)), item.optional_vars
        if target is None or not (walk.scope.is_in_function and calls_methods(target)):
            entered.append(ast.withitem(manager, target and walk.final(target)))
            continue
        variable, statements = stored_later(walk, target, node)
        rest = node.items[place + 1 :]  # they may use what is stored
        body = _with(walk, placed(ast.With(rest, node.body), node)) if rest else walk.body(node.body)
        return [placed(ast.With([*entered, ast.withitem(manager, variable)], [*statements, *body]), node)]
    return [placed(ast.With(entered, walk.body(node.body)), node)]


# --- Comprehensions -----------------------------------------------------------------------------------------


def _comprehension(walk: Walk, node: Any, is_kept: bool = True) -> Rewritten:
    """There a variable of ours would be one of the function around it, and of all who iterate."""
    is_new = walk.is_new and is_kept and not isinstance(node, ast.GeneratorExp)

    def rebuilt(node: Any) -> Any:
        new = copied(node)
        if isinstance(node, ast.DictComp):
            new.key, new.value = walk.final(node.key), walk.final(node.value, is_new)
        else:
            new.elt = walk.final(node.elt, is_new)
        new.generators = [_generator(walk, part) for part in node.generators]
        return new

    return Rewritten(walk.inside(rebuilt, node, may_hold=False, is_in_comprehension=True))


def _set_comprehension(walk: Walk, node: ast.SetComp) -> Rewritten:
    """As a set display: of a list, whose items nobody writes into."""
    items = placed(ast.ListComp(node.elt, node.generators), node)
    return Rewritten(hooked("set of", final(_comprehension(walk, items, is_kept=False)), at=node))


def _generator(walk: Walk, node: ast.comprehension) -> ast.comprehension:
    through = walk.final(node.iter) if node.is_async else _through(walk, node.iter)
    stores: list[ast.expr] = []
    target = stored_by_conditions(walk, node.target, stores)
    conditions = [*stores, *(condition(walk, part) for part in node.ifs)]
    return ast.comprehension(target, through, conditions, node.is_async)


EXPRESSIONS: Expressions = {
    ast.Lambda: _lambda,
    ast.ListComp: _comprehension,
    ast.SetComp: _set_comprehension,
    ast.DictComp: _comprehension,
    ast.GeneratorExp: _comprehension,
}
STATEMENTS: Statements = {
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.If: _conditional,
    ast.While: _conditional,
    ast.Assert: _conditional,
    ast.For: _for,
    ast.With: _with,
}
