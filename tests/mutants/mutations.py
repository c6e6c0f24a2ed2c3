"""Small mistakes that can be made in a file: what `python -m tests.mutants` draws from."""

import ast
import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tests.mutants.spared import spared

# Each operator, and what is written in its place; but of ``a | b``, most often two classes, `a` remains.
OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.MatMult: ("@", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}

# Calls of which nothing but the argument remains.
DROPPED = re.compile(r"(\w+\.)*(conj|conjugate|_?project\w*)|ProjectTo\(.*\)")


@dataclass(frozen=True)
class Mutant:
    """A file with one small mistake.

    Parameters
    ----------
    path
        The file, relative to the root of the tree.
    source
        What the file holds, in UTF-8.
    start, end
        The bytes of `source` that the mistake stands in for.
    replacement
        The mistake.
    """

    path: str
    source: bytes
    start: int
    end: int
    replacement: bytes

    @property
    def mutated(self) -> bytes:
        """The file with the mistake."""
        return self.source[: self.start] + self.replacement + self.source[self.end :]

    @property
    def change(self) -> tuple[str, str]:
        """The lines that differ, with and without the mistake, each without indentation."""
        first = self.source.rfind(b"\n", 0, self.start) + 1
        last = self.source.find(b"\n", self.end)
        before, after = self.source[first : self.start], self.source[self.end : last]
        lines = (before + middle + after for middle in (self.source[self.start : self.end], self.replacement))
        right, wrong = (" ".join(line.decode().split()) for line in lines)
        return right, wrong

    @property
    def diff(self) -> str:
        """What was changed, as `diff` writes it."""
        right, wrong = (text.decode().splitlines(keepends=True) for text in (self.source, self.mutated))
        return "".join(difflib.unified_diff(right, wrong, self.path, self.path, n=1))


def mutants(path: str, source: bytes) -> Iterator[Mutant]:
    """Every mutant of a file."""
    text = Text(source)
    tree = ast.parse(source)
    without = set(spared(tree))
    for node in _code(tree, source.decode().splitlines()):
        if node in without:
            continue
        for start, end, replacement in _mistakes(node, text):
            yield Mutant(path, source, start, end, replacement)


class Text:
    """A source file in which nodes are found: their columns count bytes."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._lines = [0]
        for line in source.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def place(self, node: ast.AST) -> tuple[int, int]:
        """Where a node begins and ends."""
        return (
            self._lines[node.lineno - 1] + node.col_offset,
            self._lines[node.end_lineno - 1] + node.end_col_offset,
        )

    def of(self, node: ast.AST) -> bytes:
        """The text of a node."""
        start, end = self.place(node)
        return self.source[start:end]


def _code(node: ast.AST, lines: list[str]) -> Iterator[ast.AST]:
    """The nodes below `node` that compute something that a test can see."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_set_aside(child, lines):
                yield child
                yield from _code(child, lines)


def _is_set_aside(node: ast.AST, lines: list[str]) -> bool:
    """Whether a node is text, for type checkers, asserts what always holds, or is said to be out of reach.

    That a dataclass has slots saves memory, and that it is frozen keeps its users from a mistake.
    """
    match node:
        case ast.JoinedStr() | ast.keyword("strict" | "slots" | "frozen" | "covariant", ast.Constant(True)):
            return True
        case ast.If(test):
            return "TYPE_CHECKING" in ast.unparse(test) or "pragma: no cover" in lines[node.lineno - 1]
        case ast.FunctionDef(decorator_list=[ast.Name("overload")]):
            return True
        case ast.ClassDef(bases=bases) if any(ast.unparse(base).startswith("Protocol") for base in bases):
            return True
    return isinstance(node, ast.stmt) and "pragma: no cover" in lines[node.lineno - 1]


def _mistakes(node: ast.AST, text: Text) -> Iterator[tuple[int, int, bytes]]:
    """The places of the mistakes that can be made in a node itself, with what is written there."""
    start, end = text.place(node) if hasattr(node, "lineno") else (0, 0)
    match node:
        case ast.BinOp(left, ast.BitOr() as operator, right):
            yield _operator(left, operator, right, text)[0], end, b""
        case ast.BinOp(left, operator, right) | ast.AugAssign(left, operator, right):
            yield _operator(left, operator, right, text)
        case ast.BoolOp(operator, values):
            yield from (_operator(left, operator, right, text) for left, right in pairwise(values))
        case ast.Compare(first, operators, others):
            for (left, right), operator in zip(pairwise([first, *others]), operators, strict=True):
                yield _operator(left, operator, right, text)
        case ast.UnaryOp(ast.USub() | ast.Not(), kept) | ast.Call(
            ast.Attribute(kept, "conj" | "conjugate"), [], []
        ):
            yield start, end, b"(" + text.of(kept) + b")"
        case ast.Call(function, [kept], []) if DROPPED.fullmatch(ast.unparse(function)):
            yield start, end, b"(" + text.of(kept) + b")"
        case ast.keyword("precedence", ast.Constant(int(value)) as number) if value:
            yield *text.place(number), b"0"
        case ast.Constant(int() | float() | complex() as value):
            # Of large floats the next number is the same.
            other = 2 * value if value + 1 == value else value + 1
            yield start, end, repr(not value if isinstance(value, bool) else other).encode()


def _operator(left: ast.AST, operator: ast.AST, right: ast.AST, text: Text) -> tuple[int, int, bytes]:
    """The place of an operator between its operands, and the operator to write there."""
    right_one, wrong_one = OPERATORS[type(operator)]
    start = text.place(left)[1]
    between = text.source[start : text.place(right)[0]]
    without_comments = re.sub(rb"#.*", lambda comment: b" " * len(comment[0]), between)
    found = re.search(re.escape(right_one).replace(r"\ ", r"\s+").encode(), without_comments)
    return start + found.start(), start + found.end(), wrong_one.encode()
