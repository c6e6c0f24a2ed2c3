"""Parts of a file in which a mistake changes nothing that a test can see, whatever it is."""

import ast
import importlib.util
import re
from collections.abc import Iterator

import numpy as np

# Without it nothing runs that is there for its arrays alone.
DASK_IS_INSTALLED = importlib.util.find_spec("dask") is not None
_IS_LAZY = re.compile(r"(is_lazy|is_untraced_lazy)\(\w+\)( and .*)?")
_FOR_LAZY = re.compile(r"_(.*_)?lazy(_.*)?")


def spared(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes of a file in which no mistake is made; those below them count for themselves."""
    nodes = list(ast.walk(tree))
    yield from _lengths_left_open(nodes)
    yield from _precedences(nodes)
    yield from _sums_that_are_complex(nodes)
    yield from _placeholders(nodes)
    yield from _type_aliases(tree, nodes)
    yield from _unused_defaults(nodes)
    yield from _versions(nodes)
    if not DASK_IS_INSTALLED:
        yield from _only_with_dask(nodes)


def _lengths_left_open(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """The 1 of each ``-1`` that is a length in a call of `reshape`: any negative number says the same."""
    for call in nodes:
        match call:
            case ast.Call(ast.Attribute(_, "reshape"), arguments):
                for argument in arguments:
                    for length in argument.elts if isinstance(argument, ast.Tuple) else [argument]:
                        if ast.unparse(length) == "-1":
                            yield length.operand


def _precedences(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """The number of each ``precedence=1``: it is only compared, most often with none, and 2 says the same.

    The mistake that can be made is to forget it.
    """
    for node in nodes:
        match node:
            case ast.keyword(
                "precedence", (ast.Constant() as number) | ast.UnaryOp(_, ast.Constant() as number)
            ):
                yield number


def _sums_that_are_complex(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """Each ``x + 0j``: ``x - 0j`` is complex as well, and differs at most in the sign of a zero."""
    for node in nodes:
        match node:
            case ast.BinOp(_, ast.Add(), ast.Constant(complex() as value)) if not value:
                yield node


def _placeholders(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """The value of a `np.where` that an outer one with the same mask leaves out, at each element.

    As the 1 in ``np.where(is_zero, 0, 1 / np.where(is_zero, 1, x))``: it only avoids a warning.
    """
    for node in nodes:
        match node:
            case ast.Call(ast.Attribute(_, "where"), [mask, first, second]):
                for inner in _choices(mask, first):
                    yield from ast.walk(inner.args[2])
                for inner in _choices(mask, second):
                    yield from ast.walk(inner.args[1])


def _choices(mask: ast.AST, value: ast.AST) -> Iterator[ast.Call]:
    """The calls of `np.where` with the same mask in a value."""
    for part in _elementwise(value):
        match part:
            case ast.Call(ast.Attribute(_, "where"), [same, _, _]) if ast.unparse(same) == ast.unparse(mask):
                yield part


def _elementwise(node: ast.AST) -> Iterator[ast.AST]:
    """An expression, and the parts of it of which each element makes that element of the expression alone."""
    yield node
    parts = []
    match node:
        case ast.BinOp(left, operator, right) if not isinstance(operator, ast.MatMult):
            parts = [left, right]
        case ast.UnaryOp(_, operand):
            parts = [operand]
        case ast.Call(ast.Attribute(ast.Name("np"), name), arguments) if isinstance(
            getattr(np, name, None), np.ufunc
        ):
            parts = arguments
    for part in parts:
        yield from _elementwise(part)


def _type_aliases(tree: ast.Module, nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """The types of ``X = A | B`` where `X` stands in annotations alone, though not in a decorated function's.

    Those of rules are read.
    """
    annotations = {part for annotation in _annotations(nodes) for part in ast.walk(annotation)}
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name(alias)], value) | ast.AnnAssign(
                ast.Name(alias), ast.Name("TypeAlias"), value
            ):
                uses = {
                    part
                    for part in nodes
                    if isinstance(part, ast.Name) and part.id == alias and isinstance(part.ctx, ast.Load)
                }
                if uses and uses <= annotations:
                    yield from ast.walk(value)


def _unused_defaults(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """The defaults of parameters that a function does not use, and of fields that nothing reads.

    They stand there since somebody else's signature has them, as ``overwrite_a=False``. The class of
    the fields is a private one.
    """
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        match node:
            case ast.FunctionDef(args=arguments, body=body):
                used = {part.id for line in body for part in ast.walk(line) if isinstance(part, ast.Name)}
                positional = [*arguments.posonlyargs, *arguments.args]
                given = [*zip(reversed(positional), reversed(arguments.defaults), strict=False)]
                given += zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
                unused = (default for arg, default in given if default is not None and arg.arg not in used)
                yield from (part for default in unused for part in ast.walk(default))
            case ast.ClassDef(name, body=body) if name.startswith("_"):
                for field in body:
                    match field:
                        case ast.AnnAssign(ast.Name(attribute), value=ast.AST() as default) if (
                            attribute not in attributes
                        ):
                            yield from ast.walk(default)


def _versions(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """The version in a call of `is_scipy_since`: a run of tests has one version of SciPy."""
    for node in nodes:
        match node:
            case ast.Call(ast.Name("is_scipy_since"), version):
                yield from version


def _annotations(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    for node in nodes:
        match node:
            case ast.FunctionDef(decorator_list=[], args=arguments, returns=returns):
                given = (part.annotation for part in ast.walk(arguments) if isinstance(part, ast.arg))
                yield from (annotation for annotation in (*given, returns) if annotation is not None)
            case ast.AnnAssign(annotation=annotation):
                yield annotation


def _only_with_dask(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    """What an array of Dask alone reaches: a branch for it, a rule for it, a function for such places."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            for statement in _after_return_of_others(node.body):
                yield from ast.walk(statement)
        match node:
            case ast.If(test, body) if _IS_LAZY.fullmatch(ast.unparse(test)):
                for statement in body:
                    yield from ast.walk(statement)
            case ast.IfExp(test, body) if _IS_LAZY.fullmatch(ast.unparse(test)):
                yield from ast.walk(body)
            case ast.FunctionDef(name, arguments) if _FOR_LAZY.fullmatch(
                name
            ) or "LazyOperand" in ast.unparse(arguments):
                yield from ast.walk(node)


def _after_return_of_others(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements after ``if not is_lazy(x): return ...``."""
    for place, statement in enumerate(body):
        match statement:
            case ast.If(ast.UnaryOp(ast.Not(), test), [*_, ast.Return()]) if _IS_LAZY.fullmatch(
                ast.unparse(test)
            ):
                yield from body[place + 1 :]
