"""Input and output, to files and to text."""

import numpy as np
import pytest

from chainrules_core import rrule
from tests.chainrules.rule_checks import check_declared, normal

TEXTS = [
    (np.array2string, normal(3)),
    (np.array_repr, normal(3)),
    (np.array_str, normal(3)),
    (np.format_float_positional, 1.5),
    (np.format_float_scientific, 1.5),
    (np.base_repr, 5, 3),
    (np.binary_repr, 5),
    (np.printoptions,),
]


@pytest.mark.parametrize("call", TEXTS, ids=lambda call: call[0].__name__)
def test_text(call):
    """Text has no tangents."""
    check_declared(*call)


def test_settings():
    """Reading and setting how arrays are printed has no derivative."""
    check_declared(np.get_printoptions)
    with np.printoptions():
        check_declared(np.set_printoptions, precision=3)


@pytest.mark.parametrize(
    ("save", "load", "name"),
    [
        (np.save, np.load, "x.npy"),
        (np.savetxt, np.loadtxt, "x.txt"),
        (np.savetxt, np.genfromtxt, "x.txt"),
        (np.savetxt, np.fromfile, "x.txt"),
    ],
)
def test_files(tmp_path, save, load, name):
    """What is written into a file is out of reach of derivatives, and what is read is constant."""
    path = str(tmp_path / name)

    check_declared(save, path, normal(3))
    check_declared(load, path)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed], ids=lambda f: f.__name__)
def test_archives(tmp_path, save):
    """Several arrays in one file."""
    check_declared(save, str(tmp_path / "x.npz"), normal(3), x=normal(2))


def test_lines_of_a_file(tmp_path):
    """Read by a regular expression."""
    path = tmp_path / "x.txt"
    path.write_text("a 1.5\nb 2.5\n")

    check_declared(np.fromregex, str(path), r"(\w) (\S+)", [("key", "S1"), ("value", float)])


def test_text_and_bytes():
    """Numbers written in text or bytes; those in an array have a derivative, so that there is no rule."""
    check_declared(np.fromstring, "1.5 2.5", sep=" ")
    check_declared(np.frombuffer, b"12345678")
    assert rrule(np.frombuffer, normal(3)) is None
