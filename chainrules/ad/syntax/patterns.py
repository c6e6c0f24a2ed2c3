"""The patterns of ``case`` that ask for the class of a number or array: a traced one has that, too.

Python asks for the class itself, and nobody can answer in the place of a value. So the value is captured, and
the guard of the case asks. All is captured before guards are asked, in Python's order.
"""

import ast
from typing import Any

from chainrules.ad.syntax.hooks import hooked, placed
from chainrules.ad.syntax.walk import Statements, Walk, copied

# The names of classes that traced values may be instances of.
_CLASSES = frozenset(
    ("float", "complex", "ndarray", "generic", "number", "inexact", "floating", "complexfloating")
) | {"float16", "float32", "float64", "complex64", "complex128", "Number", "Complex", "Real"}


def _match(walk: Walk, node: ast.Match) -> list[ast.stmt]:
    new: ast.Match = copied(node)
    new.subject = walk.final(node.subject)
    new.cases = [_case(walk, case) for case in node.cases]
    return [new]


def _case(walk: Walk, node: ast.match_case) -> ast.match_case:
    questions: list[ast.expr] = []
    pattern = _asked_later(walk, node.pattern, questions)
    if node.guard is not None:
        questions.append(walk.final(node.guard))
    guard = placed(ast.BoolOp(ast.And(), questions), questions[0]) if len(questions) > 1 else None
    return ast.match_case(pattern, guard or (questions[0] if questions else None), walk.body(node.body))


def _asked_later(walk: Walk, pattern: ast.pattern, questions: list[ast.expr]) -> ast.pattern:
    """A pattern that captures what has to be asked for its class, and the questions."""
    if isinstance(pattern, ast.MatchOr):
        return _any_asked_later(walk, pattern, questions)
    if isinstance(pattern, ast.MatchClass) and _is_of_numbers(pattern):
        inner, name = _inner(walk, pattern, questions), walk.variable(pattern).id
        questions.append(_question(name, pattern))
        return placed(ast.MatchAs(inner, name), pattern)
    new: Any = copied(pattern)
    for field in ("pattern", "patterns", "kwd_patterns"):
        parts = getattr(pattern, field, None)
        if isinstance(parts, list):
            setattr(new, field, [_asked_later(walk, part, questions) for part in parts])
        elif parts is not None:
            setattr(new, field, _asked_later(walk, parts, questions))
    return new  # type: ignore[no-any-return]  # a pattern


def _inner(walk: Walk, pattern: ast.MatchClass, questions: list[ast.expr]) -> ast.pattern | None:
    """The other pattern that a value has to match: a positional one of a number is for the number itself."""
    if pattern.patterns:
        return _asked_later(walk, pattern.patterns[0], questions)
    if pattern.kwd_patterns:
        of_any = placed(ast.Name("object", ast.Load()), pattern)
        parts = [_asked_later(walk, part, questions) for part in pattern.kwd_patterns]
        return placed(ast.MatchClass(of_any, [], pattern.kwd_attrs, parts), pattern)
    return None


def _any_asked_later(walk: Walk, pattern: ast.MatchOr, questions: list[ast.expr]) -> ast.pattern:
    """Alternatives that capture nothing are all asked for later, if one of them has to be."""
    parts = pattern.patterns
    needed = any(isinstance(part, ast.MatchClass) and _is_of_numbers(part) for part in parts)
    if not needed or not all(map(_is_plain, parts)):
        return pattern
    name = walk.variable(pattern).id
    alternatives: list[ast.expr] = []
    for part in parts:
        value = placed(ast.Name(name, ast.Load()), part)
        if isinstance(part, ast.MatchClass):
            alternatives.append(_question(name, part))
        elif isinstance(part, ast.MatchSingleton):
            same = placed(ast.Constant(part.value), part)
            compared = placed(ast.Compare(value, [ast.Is()], [same]), part)
            alternatives.append(compared if part.value is None else hooked("is", value, same, at=part))
        elif isinstance(part, ast.MatchValue):
            alternatives.append(placed(ast.Compare(value, [ast.Eq()], [part.value]), part))
    questions.append(placed(ast.BoolOp(ast.Or(), alternatives), pattern))
    return placed(ast.MatchAs(None, name), pattern)


def _is_of_numbers(pattern: ast.MatchClass) -> bool:
    name = pattern.cls.attr if isinstance(pattern.cls, ast.Attribute) else getattr(pattern.cls, "id", "")
    return name in _CLASSES and len(pattern.patterns) <= (name in {"float", "complex"})


def _is_plain(pattern: ast.pattern) -> bool:
    if isinstance(pattern, ast.MatchClass):
        return not (pattern.patterns or pattern.kwd_patterns)
    return isinstance(pattern, ast.MatchSingleton | ast.MatchValue)


def _question(name: str, pattern: ast.MatchClass) -> ast.expr:
    """The question whether a captured value is of the class of a pattern."""
    return hooked("is instance", placed(ast.Name(name, ast.Load()), pattern), pattern.cls, at=pattern)


STATEMENTS: Statements = {ast.Match: _match}
