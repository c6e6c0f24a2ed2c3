"""Runs the examples: every Python block of the pages, and every ``>>>`` line of the packages' docstrings."""

import importlib
import importlib.util
import linecache
import types
from collections.abc import Callable, Iterator

import numpy as np
from sybil import Document, Example, Region, Sybil
from sybil.document import PythonDocStringDocument
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser
from sybil.parsers.rest import DocTestParser

pytest_plugins = ["tests.sampling"]


def import_what_examples_use(namespace: dict) -> None:
    """Let a docstring's example begin where its point does, not with imports."""
    # Not at the top of this file: a package that cannot be imported must fail its tests, not stop pytest.
    core = importlib.import_module("chainrules_core")
    namespace.update({name: getattr(core, name) for name in core.__all__}, np=np)


def installed(*modules: str) -> bool:
    """Whether all of these are installed; a page asks, above what needs a framework, and skips it."""
    return all(importlib.util.find_spec(module) is not None for module in modules)


class PageParser(PythonCodeBlockParser):
    """Finds the blocks of a page, and lets `linecache` know them, as notebooks do: calls are intercepted."""

    def __call__(self, document: Document) -> Iterator[Region]:
        """Find the blocks."""
        for region in super().__call__(document):
            region.evaluator = _known_to_linecache(region.evaluator)
            yield region


def _known_to_linecache(evaluator: Callable[[Example], str | None]) -> Callable[[Example], str | None]:
    def evaluate(example: Example) -> str | None:
        above = ["\n"] * (example.line + example.parsed.line_offset)
        lines = above + example.parsed.splitlines(keepends=True)
        linecache.cache[example.path] = len(lines), None, lines, example.path
        try:
            return evaluator(example)
        finally:
            _meet_functions(example)

    return evaluate


def _meet_functions(example: Example) -> None:
    """Let calls in the functions of a block be intercepted later, when another block has its place."""
    twins = importlib.import_module("chainrules.ad.syntax.twins")
    core = importlib.import_module("chainrules_core")
    for f in map(core.unwrap_primitive, list(example.namespace.values())):
        if isinstance(f, types.FunctionType) and f.__code__.co_filename == example.path:
            twins.twin_of(f.__code__, f.__globals__)


# `__name__` is that of a program: otherwise Python takes the classes of a page for its own, of `builtins`,
# and the lookup of rules believes it.
pages = Sybil(
    parsers=[PageParser(), SkipParser()],
    patterns=["*.md"],
    setup=lambda namespace: namespace.update(installed=installed, __name__="__main__"),
)


class Module(PythonDocStringDocument):
    """A module of the packages: most have no example, and are not parsed in search of one."""

    @staticmethod
    def extract_docstrings(source: str) -> Iterator[tuple[int, int, str]]:
        """Find the docstrings, each with its place."""
        return PythonDocStringDocument.extract_docstrings(source) if ">>>" in source else iter(())


_FRAMEWORKS = ("autograd", "jax", "mygrad", "pytensor", "torch")
docstrings = Sybil(
    parsers=[DocTestParser()],
    patterns=["*.py"],
    document_types={".py": Module},
    excludes=["test_*.py", *(f"*/adapters/{name}/*.py" for name in _FRAMEWORKS if not installed(name))],
    setup=import_what_examples_use,
)

pytest_collect_file = (pages + docstrings).pytest()
