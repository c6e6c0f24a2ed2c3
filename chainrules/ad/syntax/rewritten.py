"""An expression after the walk: as calls of hooks, and as it was written, with the tests that this needs.

``a * b`` becomes ``a * b if type(a) in PLAIN and type(b) in PLAIN else mul(a, b)``. Where the tests hold,
nothing is traced and no class has a method in Python, so that the hook would do the same, in five times the
time.
"""

import ast
from typing import Any, NamedTuple

from chainrules.ad.syntax import classes_of_values as classes
from chainrules.ad.syntax.hooks import CONSTANTS, placed, placeholder

# By a text that says what is asked: an expression, and the name of the set that its class has to be in; of an
# expression that is a question itself, no name. They are asked in this order.
Tests = dict[str, tuple[ast.expr, str]]

CONSTANTS |= {
    placeholder(name): value
    for name, value in {
        "type": type,
        "plain": classes.PLAIN,
        "called with": classes.CALLED_WITH,
        "sized": classes.SIZED,
        "indexed": classes.INDEXED,
        "indexed, no array": classes.INDEXED - classes.ARRAYS,
        "dict": classes.DICT,
        "indexed or dict": classes.INDEXED_OR_DICT,
        "indexed or dict, no array": classes.INDEXED_OR_DICT - classes.ARRAYS,
        "stored into": classes.STORED_INTO,
        "stored into or dict": classes.STORED_INTO_OR_DICT,
        "iterated": classes.ITERATED,
        "containers": classes.CONTAINERS,
    }.items()
}

# Expressions of numbers that need more than that are rare.
_MOST_TESTS = 10

# An expression of more nodes than that is not written twice.
_MOST_NODES = 60

_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Rewritten(NamedTuple):
    """An expression, rewritten."""

    # With calls of hooks, which can always be evaluated.
    hooked: ast.expr
    # As it was written, where that is known: it calls nothing that can be seen, and may be evaluated twice.
    native: ast.expr | None = None
    # The tests that have to hold before.
    tests: Tests = {}  # noqa: RUF012 - tests are never changed
    # Whether it is a number or text then.
    is_plain: bool = False


class Operand(NamedTuple):
    """An expression as it was written, and the tests that say that it is a number or text."""

    native: ast.expr
    tests: Tests


def is_constant(node: Any) -> bool:
    """Whether an expression is a number or text, perhaps with a sign."""
    return node.__class__ is ast.Constant or (
        node.__class__ is ast.UnaryOp and node.operand.__class__ is ast.Constant
    )


def is_simple(node: Any) -> bool:
    """Whether an expression may be evaluated twice, at no cost."""
    return node.__class__ is ast.Name or is_constant(node)


def can_be_twice(node: ast.AST) -> bool:
    """Whether an expression may stand in two branches: it is short, and no code object is made of it."""
    for number, part in enumerate(ast.walk(node)):
        if number == _MOST_NODES or isinstance(part, _SCOPES):
            return False
    return True


def text_of(node: Any) -> str:
    """A text that no other expression has that is tested beside this one."""
    if node.__class__ is ast.Name:
        return str(node.id)
    if node.__class__ is ast.Constant:
        return repr(node.value)
    if node.__class__ is ast.Attribute and node.value.__class__ is ast.Name:
        return f"{node.value.id}.{node.attr}"
    return str(id(node))


# --- Tests --------------------------------------------------------------------------------------------------


def together(*parts: Tests) -> Tests | None:
    """All of the tests, each once; `None` if there are too many."""
    merged: Tests = {}
    for tests in parts:
        for text, test in tests.items():
            if text not in merged or test[1] == "called with":  # of which there may be fewer
                merged[text] = test
    return merged if len(merged) <= _MOST_TESTS else None


def as_arguments(tests: Tests) -> Tests:
    """The same where numbers and text are given to a function: somebody may be told of all calls."""
    return {text: (x, "called with" if name == "plain" else name) for text, (x, name) in tests.items()}


def all_of(tests: Tests, at: Any) -> ast.expr:
    """The question whether all of some tests hold."""
    questions = [is_of(x, name) if name else x for x, name in tests.values()]
    return questions[0] if len(questions) == 1 else placed(ast.BoolOp(ast.And(), questions), at)


def is_of(x: ast.expr, name: str) -> ast.Compare:
    """The question whether the very class of a value is in a set."""
    return placed(ast.Compare(class_of(x), [ast.In()], [placed(ast.Constant(placeholder(name)), x)]), x)


def class_of(x: ast.expr) -> ast.expr:
    """The very class of a value."""
    return placed(ast.Call(placed(ast.Constant(placeholder("type")), x), [x], []), x)


def is_same(x: ast.expr, value: ast.expr) -> ast.expr:
    """The question whether an expression is a very object."""
    return placed(ast.Compare(x, [ast.Is()], [value]), x)


# --- Answers ------------------------------------------------------------------------------------------------


def final(of: Rewritten) -> ast.expr:
    """The expression that stands in the rewritten code."""
    if of.native is None or not (of.is_plain and of.tests):
        return of.hooked
    return guarded(of.native, of.tests, of.hooked)


def guarded(native: ast.expr, tests: Tests, otherwise: ast.expr) -> ast.expr:
    """An expression as it was written where the tests hold, and another one elsewhere."""
    return placed(ast.IfExp(all_of(tests, otherwise), native, cleared(tests, otherwise)), otherwise)


def cleared(tests: Tests, otherwise: ast.expr) -> ast.expr:
    """An expression before which the variables are cleared that tests hold values in.

    There it may be any object, and who holds an object can be seen: by its ``__del__``, by weak references,
    and by `numpy.ndarray.resize`.
    """
    value: ast.expr | None = None
    for x, _ in tests.values():
        if isinstance(x, ast.NamedExpr):
            target = placed(ast.Name(x.target.id, ast.Store()), otherwise)
            value = placed(ast.NamedExpr(target, value or placed(ast.Constant(None), otherwise)), otherwise)
    return otherwise if value is None else placed(ast.BoolOp(ast.Or(), [value, otherwise]), otherwise)
