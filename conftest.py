"""Runs every Python block of the pages that pytest is given: what the documentation shows is true."""

from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), SkipParser()],
    patterns=["*.md"],
    excludes=[".venv/*"],
).pytest()
