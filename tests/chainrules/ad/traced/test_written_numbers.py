"""Numbers that were written are known again where they are read, whatever the text went through."""

import configparser
import io
import json
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from chainrules.ad import grad, interception
from chainrules.ad.syntax.classes_of_values import CALLED_WITH
from chainrules_core import primal_of

X = 1.23456789


def in_a_file(text, read):
    """What is read from a file of the text."""
    return read(io.StringIO(text))


def configured(text):
    """A number of a configuration."""
    parser = configparser.ConfigParser()
    parser.read_string(f"[a]\nx = {text}")
    return float(parser["a"]["x"])


WAYS = {
    "a file": lambda x: in_a_file(f"{x:.6f}\n", lambda file: float(file.read())),
    "lines": lambda x: sum(map(float, io.StringIO(f"1.0\n{x:.6f}\n"))),
    "a regular expression": lambda x: float(re.search(r"x = (.*)", f"x = {-x:.6f}").group(1)),
    "bytes": lambda x: float(f"{x:.6f}".encode()),
    "json": lambda x: in_a_file(json.dumps({"x": [x]}), json.load)["x"][0],
    "np.loadtxt": lambda x: in_a_file(f"1.0 {x:.6f}", np.loadtxt)[1],
    "np.genfromtxt": lambda x: in_a_file(f"1.0 {x:.6f}", np.genfromtxt)[1],
    "Decimal": lambda x: float(Decimal(str(f"{x:.6f}".encode(), "ascii"))),
    "Fraction": lambda x: float(Fraction(str(f"{x:.6f}".encode(), "ascii"))),
    "complex": lambda x: complex(str(f"{x:.6f}j".encode(), "ascii")).imag,
    "an array of text": lambda x: np.array(f"1.0 {x:.6f}".split()).astype(float)[1],
    "another library": lambda x: configured(f"{x:.6f}"),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_ways(way):
    """The number is found, and both lines are named."""
    with pytest.raises(TypeError, match="was read at") as caught:
        grad(lambda x: x * way(x))(X)
    assert "digits was written at " + __file__ in str(caught.value)
    assert grad(lambda x: x * way(primal_of(x)))(X) == way(X)


@pytest.mark.parametrize("write", [np.save, np.savetxt])
def test_arrays_in_files(write):
    """They are written as they are, and found where they are read."""
    read = np.load if write is np.save else np.loadtxt

    def f(x, is_read):
        file = io.BytesIO()
        write(file, x)
        file.seek(0)
        return np.sum(x * read(file)) if is_read else np.sum(x)

    assert grad(f)(X * np.ones(2), False).tolist() == [1.0, 1.0]
    with pytest.raises(TypeError, match="was read at"):
        grad(f)(X * np.ones(2), True)


def test_what_is_read_in_peace():
    """Numbers of few digits, which may be equal by accident; others; all numbers afterwards."""

    def f(x):
        text = f"{x:.3f} {2.0 * x} {0.1 + 0.2}"
        return x * float(io.StringIO("1.235").read()) * len(text) ** 0 * float("7.7777777") * int("1234567")

    assert grad(f)(X) == pytest.approx(1.235 * 7.7777777 * 1234567)
    assert float(str(X)) == X


def test_calls_with_text_are_native_again():
    """Only while something is written do they meet a hook; two differentiations do not disturb each other."""
    seen = []

    def f(x):
        seen.append({str, bytes} <= CALLED_WITH)
        text = str(x)
        seen.append({str, bytes} <= CALLED_WITH)
        slope = grad(lambda y: y * len(str(y)))(X)
        seen.append({str, bytes} <= CALLED_WITH)
        return x * slope * len(text)

    grad(f)(X)
    assert [*seen, {str, bytes} <= CALLED_WITH] == [True, False, False, True]


def test_without_interception():
    """Nobody sees what is read."""
    with interception(False):
        assert grad(lambda x: x * float(io.StringIO(f"{x:.8f}").read()))(X) == X


def test_arrays_without_derivatives():
    """There is nothing to be lost."""

    def f(x):
        y = np.zeros(2)
        y[0] = X
        file = io.BytesIO()
        np.save(file, y)
        file.seek(0)
        return x * np.sum(np.load(file))

    assert grad(f)(2.0) == X
    assert {str, bytes} <= CALLED_WITH


def test_long_reports():
    """The memory is bounded."""

    def f(x):
        "".join(f"{i * x:.9f}" for i in range(12_000))
        return x

    assert grad(f)(X) == 1.0
