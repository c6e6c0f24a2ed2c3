"""Builtins without derivative."""

import io

import pytest

from chainrules_core import rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.container_checks import check_no_derivative
from tests.chainrules.rule_checks import check_declared


@pytest.mark.parametrize(
    ("f", "args"),
    [
        *((f, ([1.5, 2.5],)) for f in (all, any, len, callable)),
        *((f, (1.5,)) for f in (bool, int)),
        (hasattr, (1.5, "real")),
        (isinstance, (1.5, float)),
        (issubclass, (float, int)),
        (ord, ("a",)),
    ],
)
def test_numbers_and_truth_values(f, args):
    """Integers and truth values."""
    test_frule(f, *args)
    test_rrule(f, *args)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        *((f, (1.5,)) for f in (ascii, format, repr, str, hash)),
        *((f, (3,)) for f in (bin, bytearray, bytes, chr, hex, oct, range, slice)),
    ],
)
def test_texts_and_ranges(f, args):
    """They have no tangents."""
    check_no_derivative(f, *args)


def test_conversations(monkeypatch, capsys):
    """With who sits at the terminal, and about what an object has."""
    monkeypatch.setattr("sys.stdin", io.StringIO("answer\n" * 3))

    check_declared(input, "question")
    check_declared(help, len)
    check_declared(dir, 1.5)
    check_declared(compile, "1 + 1", "nowhere", "eval")
    assert "question" in capsys.readouterr().out


def test_identity():
    """The place of an object in memory is no function of its value."""
    check_no_derivative(id, [1.5])


def test_print(capsys):
    """Printing has no derivative."""
    check_no_derivative(print, 1.5)
    assert capsys.readouterr().out == "1.5\n" * 4


def test_open(tmp_path):
    """The contents of a file have no derivative."""
    y, _ = rrule(open, tmp_path / "file", "w")
    with y:
        assert y.writable()
