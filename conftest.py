"""Runs the examples: every Python block of the pages, and every ``>>>`` line of the packages' docstrings."""

import importlib

import numpy as np
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser
from sybil.parsers.rest import DocTestParser


def import_what_examples_use(namespace: dict) -> None:
    """Let a docstring's example begin where its point does, not with imports."""
    # Not at the top of this file: a package that cannot be imported must fail its tests, not stop pytest.
    core = importlib.import_module("chainrules_core")
    namespace.update({name: getattr(core, name) for name in core.__all__}, np=np)


pages = Sybil(parsers=[PythonCodeBlockParser(), SkipParser()], patterns=["*.md"])
docstrings = Sybil(
    parsers=[DocTestParser()], patterns=["*.py"], excludes=["test_*.py"], setup=import_what_examples_use
)

pytest_collect_file = (pages + docstrings).pytest()
