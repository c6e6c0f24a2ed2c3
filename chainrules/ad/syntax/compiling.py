"""Compiling the text of a module twice: as it is, and rewritten, with hooks in the place of its calls."""

import ast
import contextlib
import importlib
import sys
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from chainrules.ad.syntax import calls, operators, patterns, reads, statements, stores
from chainrules.ad.syntax.hooks import CONSTANTS, HOOKS, PREFIX
from chainrules.ad.syntax.origins import Origin, origin_of_file
from chainrules.ad.syntax.walk import Expressions, Statements, Walk

Prepare = Callable[[ast.Module], None]


def code_pairs(
    source: str, filename: str, prepare: Prepare
) -> Iterator[tuple[types.CodeType, types.CodeType]]:
    """Each code object of a module, and its twin.

    The whole module is compiled, since the compiler looks at its imports, mangles private names in classes
    and gives `super()` its class. The two trees of code objects have the same shape, so that twins are known
    by their positions. Nothing is executed.

    Parameters
    ----------
    source, filename
        The text, and the name that its code objects have.
    prepare
        Changes the tree before it is compiled, as whoever imported the module did.

    Raises
    ------
    SyntaxError, ValueError
        If it cannot be compiled.
    RecursionError
        If an expression is nested too deeply.
    """
    with warnings.catch_warnings():
        # Python has warned when the module was compiled; and of calls of a string, which placeholders are.
        warnings.simplefilter("ignore")
        tree = ast.parse(source, filename)
        prepare(tree)
        old = _compiled(tree, filename)
        # The code of others is entered only with something traced: there tests of plain numbers are in vain.
        is_guarded = origin_of_file(filename) is Origin.USER
        try:
            new = _compiled(_rewritten(tree, is_guarded), filename)
        except RecursionError:  # a test in front of each of many terms nests deeper than the terms do
            new = _compiled(_rewritten(tree, False), filename)
    return _pairs(old, _with_hooks(new))


def _rewritten(tree: ast.Module, is_guarded: bool) -> ast.Module:
    with _deep_recursion():
        return rewritten(tree, is_guarded)


def _compiled(tree: ast.Module, filename: str) -> types.CodeType:
    try:
        return compile(tree, filename, "exec")
    except RecursionError:
        raise RecursionError(
            f"An expression in {filename} is nested too deeply to be compiled with intercepted calls. Divide "
            "it into several statements, or raise the limit by `sys.setrecursionlimit`."
        ) from None


@contextlib.contextmanager
def _deep_recursion() -> Iterator[None]:
    """Let functions of Python call themselves as deeply as a sum of a thousand terms is nested."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


# Of calls in Python, which take no memory of the C stack.
_DEEP = 100_000


def _with_hooks(code: types.CodeType) -> types.CodeType:
    """The code with the hooks in the place of their placeholders, all through."""
    constants = tuple([_in_place_of(constant) for constant in code.co_consts])
    return code.replace(co_consts=constants)


def _in_place_of(constant: Any) -> Any:
    if isinstance(constant, types.CodeType):
        return _with_hooks(constant)
    if constant.__class__ is not str or not constant.startswith(PREFIX):
        return constant
    return HOOKS.get(constant) or CONSTANTS.get(constant, constant)


def _pairs(old: types.CodeType, new: types.CodeType) -> Iterator[tuple[types.CodeType, types.CodeType]]:
    yield old, new
    ones, others = _inner(old), _inner(new)
    if len(ones) != len(others):
        ones, others = _in_both(ones, others)
    for one, other in zip(ones, others, strict=True):
        yield from _pairs(one, other)


def _in_both(
    ones: list[types.CodeType], others: list[types.CodeType]
) -> tuple[list[types.CodeType], list[types.CodeType]]:
    """The code objects that both have: under ``if 0`` the compiler may leave out what it finds there."""
    counts, other_counts = Counter(map(_place, ones)), Counter(map(_place, others))
    same = {place for place, count in counts.items() if other_counts[place] == count}
    return [one for one in ones if _place(one) in same], [one for one in others if _place(one) in same]


def _place(code: types.CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _inner(code: types.CodeType) -> list[types.CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


def preparations(source: str, filename: str, scope: dict[str, Any]) -> Iterator[Prepare]:
    """The ways in which a module may have been compiled, the usual one first.

    Parameters
    ----------
    source, filename
        Its text, and the name of its file.
    scope
        Its global names, which tell who loaded it.
    """
    yield _as_it_is
    loader = getattr(scope.get("__spec__"), "loader", None)
    if type(loader).__module__ == "_pytest.assertion.rewrite":
        yield _as_pytest_does(source, filename, loader)
    if filename.startswith("<") and loader is None:  # text that a program wrote
        yield _with_annotations_as_text


def _as_it_is(tree: ast.Module) -> None:
    pass


def _with_annotations_as_text(tree: ast.Module) -> None:
    """Text is compiled with the ``__future__`` of the module that compiles it, such as SymPy's `lambdify`."""
    name = ast.alias("annotations", lineno=1, end_lineno=1, col_offset=0, end_col_offset=0)
    future = ast.ImportFrom("__future__", [name], 0, lineno=1, end_lineno=1, col_offset=0, end_col_offset=0)
    tree.body.insert(0, future)


def _as_pytest_does(source: str, filename: str, loader: Any) -> Prepare:
    """Rewrite assertions, as pytest does in the modules of tests."""
    pytest_rewriting = importlib.import_module("_pytest.assertion.rewrite")

    def prepare(tree: ast.Module) -> None:
        text = Path(filename).read_bytes()
        pytest_rewriting.rewrite_asserts(tree, text, filename, loader.config)

    return prepare


_EXPRESSIONS: Expressions = {
    **operators.EXPRESSIONS,
    **reads.EXPRESSIONS,
    **calls.EXPRESSIONS,
    **stores.EXPRESSIONS,
    **statements.EXPRESSIONS,
}
_STATEMENTS: Statements = {**stores.STATEMENTS, **statements.STATEMENTS, **patterns.STATEMENTS}


def rewritten(tree: ast.Module, is_guarded: bool) -> ast.Module:
    """A module whose calls are hooks, perhaps with tests in front of them; the tree itself stays as it is."""
    walk = Walk(tree, is_guarded, _EXPRESSIONS, _STATEMENTS)
    return ast.Module(walk.body(tree.body), tree.type_ignores)
