"""Rewriting the patterns of ``case`` that ask for the class of a number or array: a traced one has that, too.

Python asks for the class itself, and nobody can answer in the place of a value. So the value is captured, and
the guard of the case asks. All is captured before guards are asked, in Python's order.
"""

import ast
import itertools

from chainrules.ad.syntax.hooks import hooked
from chainrules.ad.syntax.implicit_calls import ImplicitCalls

# The names of classes that traced values may be instances of.
_CLASSES = frozenset(
    ("float", "complex", "ndarray", "generic", "number", "inexact", "floating", "complexfloating")
) | {"float16", "float32", "float64", "complex64", "complex128", "Number", "Complex", "Real"}


class Patterns(ImplicitCalls):
    """Class patterns of numbers and arrays become captures, and questions in the guard."""

    def __init__(self) -> None:
        super().__init__()
        self._captures = itertools.count()

    def visit_match_case(self, node: ast.match_case) -> ast.AST:  # noqa: D102 - as of the base class
        pattern, node.pattern = node.pattern, ast.copy_location(ast.MatchAs(), node.pattern)
        self.generic_visit(node)  # of the pattern nothing: its parts are no expressions
        questions: list[ast.expr] = []
        node.pattern = self._asked_later(pattern, questions)
        if node.guard is not None:
            questions.append(node.guard)
        if questions:
            first, *others = questions
            node.guard = ast.copy_location(ast.BoolOp(ast.And(), questions), first) if others else first
        return node

    def _asked_later(self, pattern: ast.pattern, questions: list[ast.expr]) -> ast.pattern:
        if isinstance(pattern, ast.MatchOr):
            return self._any_asked_later(pattern, questions)
        if isinstance(pattern, ast.MatchClass) and _is_of_numbers(pattern):
            return self._captured(pattern, _inner(pattern, self, questions), questions)
        for field in ("pattern", "patterns", "kwd_patterns"):
            parts = getattr(pattern, field, None)
            if isinstance(parts, list):
                setattr(pattern, field, [self._asked_later(part, questions) for part in parts])
            elif parts is not None:
                setattr(pattern, field, self._asked_later(parts, questions))
        return pattern

    def _captured(
        self, pattern: ast.MatchClass, inner: ast.pattern | None, questions: list[ast.expr]
    ) -> ast.pattern:
        """A pattern that captures the value; the question for its class."""
        name = f"<chainrules.ad: case {next(self._captures)}>"
        questions.append(_question(ast.Name(name, ast.Load()), pattern.cls, pattern))
        return ast.copy_location(ast.MatchAs(inner, name), pattern)

    def _any_asked_later(self, pattern: ast.MatchOr, questions: list[ast.expr]) -> ast.pattern:
        """Alternatives that capture nothing are all asked for later, if one of them has to be."""
        parts = pattern.patterns
        needed = any(isinstance(part, ast.MatchClass) and _is_of_numbers(part) for part in parts)
        if not needed or not all(map(_is_plain, parts)):
            return pattern
        name = f"<chainrules.ad: case {next(self._captures)}>"
        asked: list[ast.expr] = []
        for part in parts:
            value = ast.Name(name, ast.Load())
            if isinstance(part, ast.MatchClass):
                asked.append(_question(value, part.cls, part))
            elif isinstance(part, ast.MatchSingleton):
                asked.append(_compared(value, ast.Is(), ast.Constant(part.value), part))
            elif isinstance(part, ast.MatchValue):
                asked.append(_compared(value, ast.Eq(), part.value, part))
        questions.append(_located(ast.BoolOp(ast.Or(), asked), pattern))
        return ast.copy_location(ast.MatchAs(None, name), pattern)


def _inner(pattern: ast.MatchClass, patterns: Patterns, questions: list[ast.expr]) -> ast.pattern | None:
    """What else a value has to match: a positional pattern of a number is for the number itself."""
    if pattern.patterns:
        return patterns._asked_later(pattern.patterns[0], questions)
    if pattern.kwd_patterns:
        of_any = ast.copy_location(ast.Name("object", ast.Load()), pattern)
        parts = [patterns._asked_later(part, questions) for part in pattern.kwd_patterns]
        return ast.copy_location(ast.MatchClass(of_any, [], pattern.kwd_attrs, parts), pattern)
    return None


def _is_of_numbers(pattern: ast.MatchClass) -> bool:
    name = pattern.cls.attr if isinstance(pattern.cls, ast.Attribute) else getattr(pattern.cls, "id", "")
    return name in _CLASSES and len(pattern.patterns) <= (name in {"float", "complex"})


def _is_plain(pattern: ast.pattern) -> bool:
    if isinstance(pattern, ast.MatchClass):
        return not (pattern.patterns or pattern.kwd_patterns)
    return isinstance(pattern, ast.MatchSingleton | ast.MatchValue)


def _question(value: ast.expr, cls: ast.expr, at: ast.pattern) -> ast.expr:
    return _located(hooked("is instance", value, cls, at=cls), at)


def _compared(value: ast.expr, op: ast.cmpop, other: ast.expr, at: ast.pattern) -> ast.expr:
    return _located(ast.Compare(value, [op], [other]), at)


def _located(node: ast.expr, at: ast.pattern) -> ast.expr:
    for part in ast.walk(node):
        if isinstance(part, ast.expr):
            ast.copy_location(part, at)
    return node
