"""Numbers are read from text, or made of integers, and the derivative would be lost."""

import ast
import json
import struct
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from chainrules.ad import grad, interception
from tests.chainrules.ad.while_traced import while_traced

READERS = {
    "float": lambda s: float(s),
    "int": lambda s: int(s[0]),
    "int of a base": lambda s: int(s[0], 16),
    "complex": lambda s: complex(s).real,
    "float.fromhex": lambda s: float.fromhex(s),
    "Fraction": lambda s: float(Fraction(s)),
    "Decimal": lambda s: float(Decimal(s)),
    "np.float64": lambda s: np.float64(s),
    "np.array": lambda s: np.array(s, dtype=float),
    "np.array of a list": lambda s: np.array([s, s], dtype=float)[0],
    "np.fromstring": lambda s: np.fromstring(s, sep=" ")[0],
    "np.loadtxt": lambda s: np.loadtxt([s]),
    "np.genfromtxt": lambda s: np.genfromtxt([s]),
    "json.loads": lambda s: json.loads(s),
    "literal_eval": lambda s: ast.literal_eval(s),
    "eval": lambda s: eval(s),
    "map": lambda s: next(map(float, [s])),
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_readers(read):
    """Each says where it reads, and where the text was made; of plain text it reads."""

    def f(x):
        text = str(x)
        return read(text) * x

    with pytest.raises(TypeError, match="read from text") as caught:
        grad(f)(2.5)
    assert f"{__file__}:{f.__code__.co_firstlineno + 1}," in str(caught.value)
    assert f"{__file__}:{read.__code__.co_firstlineno}" in str(caught.value)
    assert grad(lambda x: read("2.5") * x)(1.0) == read("2.5")


CONVERSIONS = {
    "as_integer_ratio": lambda x: x.as_integer_ratio()[0],
    "Fraction": lambda x: float(Fraction(x)),
    "Fraction.from_float": lambda x: float(Fraction.from_float(x)),
    "Decimal": lambda x: float(Decimal(x)),
    "Decimal.from_float": lambda x: float(Decimal.from_float(x)),
    "struct.pack": lambda x: struct.unpack("d", struct.pack("d", x))[0],
}


@pytest.mark.parametrize("convert", CONVERSIONS.values(), ids=CONVERSIONS)
def test_conversions(convert):
    """What is made of integers or bytes has no derivative, also for who catches the error."""

    def f(x):
        try:
            return convert(x) * x
        except (TypeError, struct.error):
            return x

    with pytest.raises(TypeError, match="which would lose its derivative") as caught:
        grad(f)(2.5)
    assert f"{__file__}:{convert.__code__.co_firstlineno}" in str(caught.value)
    assert grad(lambda x: convert(2.5) * x)(1.0) == convert(2.5)


def test_digits_of_a_number():
    """They are text, with interception or without."""
    for is_intercepted in (True, False):
        with interception(is_intercepted):
            assert while_traced(2.5, lambda x: x.hex()) == (2.5).hex()
            with pytest.raises(TypeError, match="about to become a ratio of integers"):
                grad(lambda x: x * x.as_integer_ratio()[0])(2.5)
    with pytest.raises(TypeError, match="read from text"):
        grad(lambda x: float.fromhex(x.hex()) * x)(2.5)


def test_text_of_the_program():
    """What is evaluated otherwise is evaluated as it is."""
    assert grad(lambda x: eval("x" + " * x"))(2.5) == 5.0
    assert grad(lambda x: eval(compile("3.0", "", "eval")) * x)(2.5) == 3.0
