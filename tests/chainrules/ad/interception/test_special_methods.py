"""Methods that Python calls by itself are entered, in Python's own order."""

import math
import operator

import numpy as np
import pytest

from chainrules.ad import grad, interception
from chainrules.ad.interception import special_methods
from chainrules.ad.interception.special_methods import is_ordinary
from chainrules.ad.traced_classes import TRACED
from tests.chainrules.ad.interception.ruled_callables import cube
from tests.chainrules.ad.while_traced import while_traced

OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")


class Number:
    """Operators that say which method was called, and compute the sine."""

    def __init__(self, x):
        self.x = x

    def __repr__(self):
        return f"Number({math.floor(self.x)})"

    def __str__(self):
        return f"{math.floor(self.x)}"

    def __bool__(self):
        return math.floor(self.x) > 0

    def __abs__(self):
        return math.sin(self.x)

    __float__ = __neg__ = __pos__ = __invert__ = __abs__

    def __round__(self, digits=None):
        return math.sin(self.x)

    def __reversed__(self):
        return [math.sin(self.x)]


def _adder(name):
    def method(self, other):
        return name, math.sin(self.x)

    return method


def _unsure(self, other):
    return NotImplemented


for _name in OPERATORS:
    setattr(Number, f"__{_name}__", _adder(_name))
    setattr(Number, f"__r{_name}__", _adder(f"r{_name}"))


class Special(Number):
    """A subclass that has reflected operators of its own, which come first."""


class Unsure(Number):
    """A class whose operators do not know others."""


for _name in OPERATORS:
    setattr(Special, f"__r{_name}__", _adder(f"special r{_name}"))
    setattr(Unsure, f"__{_name}__", _unsure)
    setattr(Unsure, f"__r{_name}__", _unsure)


def symbols(a, b):
    """What each operator gives."""
    return [a + b, a - b, a * b, a / b, a // b, a % b, a**b, a @ b]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (Number, Number, "{}"),
        (Number, lambda x: 2.0, "{}"),
        (Number, lambda x: x, "{}"),
        (lambda x: 2.0, Number, "r{}"),
        (lambda x: x, Number, "r{}"),
        (Number, Special, "special r{}"),
        (Special, Number, "{}"),
        (Unsure, Number, "r{}"),
    ],
)
def test_operators(left, right, expected):
    """The methods are called in the order that Python has, with the derivatives of what they compute."""

    def f(x):
        answers = symbols(left(x), right(x))
        assert [name for name, _ in answers] == [expected.format(name) for name in OPERATORS]
        return sum(y for _, y in answers)

    f(1.0)
    assert grad(f)(1.0) == pytest.approx(8.0 * math.cos(1.0))


def test_operators_that_nobody_knows():
    """The errors are Python's own."""
    for intercepted in (True, False):
        with interception(intercepted):
            for wrong in (
                lambda x: Unsure(x) + Unsure(x),
                lambda x: Unsure(x) * 2.0,
                lambda x: object() - x,
                lambda x: Number(x) < Number(x),
                lambda x: Number(x)[0],
                lambda x: [y for y in Number(x)],  # noqa: C416 - what is tested
                lambda x: 1 in Number(x),
            ):
                with pytest.raises(
                    TypeError, match=r"unsupported operand|not supported|not subscriptable|not iter"
                ):
                    grad(wrong)(1.0)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: -Number(x),
        lambda x: +Number(x),
        lambda x: ~Number(x),
        lambda x: abs(Number(x)),
        lambda x: round(Number(x)),
        lambda x: round(Number(x), 2),
        lambda x: reversed(Number(x))[0],
        lambda x: (Number(x) and 1.0) and math.sin(x) if bool(Number(x)) else 0.0,
    ],
)
def test_functions_of_one(f):
    """Each is the sine."""
    assert grad(f)(1.5) == pytest.approx(math.cos(1.5))


def test_text():
    """It is plain."""
    assert while_traced(1.5, lambda x: str(Number(x)) + repr(Number(x))) == "1Number(1)"


class Ordered:
    """Comparisons that compute."""

    def __init__(self, x):
        self.x = x

    def __lt__(self, other):
        return math.floor(self.x) < other if isinstance(other, int) else NotImplemented

    def __eq__(self, other):
        return math.floor(self.x) == other

    def __hash__(self):
        return 1

    def __contains__(self, x):
        return math.floor(self.x) == x


class Above(Ordered):
    """A subclass, which is asked first."""

    def __gt__(self, other):
        return True


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x: Ordered(x) < 2, True),
        (lambda x: Ordered(x) == 1, True),
        (lambda x: Ordered(x) != 1, False),
        (lambda x: Ordered(x) < Above(x), True),
        (lambda x: 1 in Ordered(x), True),
        (lambda x: 2 not in Ordered(x), True),
        (lambda x: 1 in {Ordered(x)}, True),
    ],
)
def test_comparisons(f, expected):
    """They are plain, in Python's order."""
    assert f(1.5) is expected
    assert while_traced(1.5, f) is expected


def test_arrays_keep_their_operators():
    """Nothing is looked for in numbers and arrays."""
    assert all(map(is_ordinary, (int, float, np.ndarray, np.float64, list, dict, str)))
    assert not is_ordinary(Number)
    assert while_traced(np.ones(2), lambda x: (x == 1.0).tolist()) == [True, True]
    assert while_traced(1.0, lambda x: np.arange(6).reshape(2, 3)[1, ::2].tolist()) == [3, 5]


class Manager:
    """A context manager that may swallow errors."""

    def __init__(self, x, swallow=False):
        self.x, self.swallow = x, swallow

    def __enter__(self):
        return math.sin(self.x)

    def __exit__(self, kind, error, traceback):
        self.seen = kind
        return self.swallow


def test_blocks():
    """They are entered and left as Python does it, also with an error."""

    def f(x):
        manager = Manager(x, swallow=True)
        with manager as y:
            raise KeyError
        assert manager.seen is KeyError
        with Manager(x) as z, open("/dev/null", encoding="utf-8"):  # noqa: PTH123 - a context manager in C
            return y * z

    assert grad(f)(1.0) == pytest.approx(math.sin(2.0))

    def failing(x):
        with Manager(x):
            raise KeyError("out")

    with pytest.raises(KeyError, match="out"):
        grad(failing)(1.0)


def test_the_functions_of_operator():
    """They enter methods as the symbols do."""
    assert grad(lambda x: operator.neg(2.0 * x))(1.0) == -2.0


def test_classes_are_forgotten(monkeypatch):
    """Of classes that are made again and again so many are remembered, and the others met anew."""
    monkeypatch.setattr(special_methods, "_MOST", 0)
    for factor in (2.0, 3.0):

        class Scale:
            factor = 0.0

            def __len__(self):
                return 2

            def __add__(self, x):
                return x * self.factor

        Scale.factor = factor
        assert grad(lambda x, scale=Scale: (scale() + x) * len(scale()))(1.0) == 2 * factor
    assert len(special_methods._SPECIAL - TRACED) <= 1


@pytest.mark.parametrize("f", [len, abs])
def test_calls_without_arguments(f):
    """The error is Python's."""
    with pytest.raises(TypeError, match="exactly one argument"):
        grad(lambda x: x * f())(2.0)


class Restarting:
    """An iterator that begins again when it is asked once more, as many people write them."""

    def __init__(self, items):
        self.items = list(items)

    def __iter__(self):
        self.place = 0
        return self

    def __next__(self):
        if self.place == len(self.items):
            raise StopIteration
        self.place += 1
        return math.exp(self.items[self.place - 1])


def test_iterators_that_begin_again():
    """Python asks an iterator once more where it collects the rest of the items."""

    def program(x):
        first, *others = Restarting(x)
        iterator = iter(Restarting(x))
        next(iterator)
        return first * sum(others) + sum(y for y in iterator) + max(Restarting(x))

    x = np.array([0.5, -0.25, 1.0])
    step = 1e-6 * np.eye(3)[0]
    assert np.isclose(grad(program)(x)[0], (program(x + step) - program(x - step)) / 2e-6)
    assert while_traced(1.0, lambda _: program(x)) == program(x)


class Reflected:
    """A class whose reflected operators take a list."""

    def __radd__(self, other):
        return math.sin(len(other))

    __rmul__ = __radd__


@pytest.mark.parametrize("joined", [[1.0, 2.0], (1.0,), "text", b"text"])
def test_reflected_operators_beside_what_python_joins(joined):
    """The method of the other operand comes first: a list has none, and Python joins if nobody computes."""
    assert while_traced(1.0, lambda _: joined + Reflected()) == math.sin(len(joined))
    assert while_traced(1.0, lambda _: joined * Reflected()) == math.sin(len(joined))
    with pytest.raises(TypeError, match=r"can't multiply sequence by non-int|cannot be interpreted"):
        while_traced(1.0, lambda _: joined * Restarting([]))


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        (lambda x: "%.2f" % x, "1.50"),  # noqa: UP031 - what is tested
        (lambda x: "%.1f %s" % (x, [1]), "1.5 [1]"),  # noqa: UP031 - what is tested
        (lambda x: "%(a).1f %(b)s" % {"a": x, "b": (2,)}, "1.5 (2,)"),  # noqa: UP031 - what is tested
        (lambda x: "%s" % 2, "2"),  # noqa: UP031 - what is tested
        (lambda x: (5.0 % x) * 1.0 > 0.0, True),
    ],
)
def test_text_with_values(write, expected):
    """What is carried is written; the remainder of numbers is a number."""
    assert while_traced(1.5, write) == expected


def test_how_many_classes_are_remembered(monkeypatch):
    """So many are remembered, and one more; the classes of traced values always are."""
    monkeypatch.setattr(special_methods, "_MOST", len(TRACED) + 1)
    monkeypatch.setattr(special_methods, "_ORDINARY", {*TRACED})
    sizes = []
    for _ in range(4):
        is_ordinary(type("Made", (), {}))
        sizes.append(len(special_methods._ORDINARY) - len(TRACED))
    assert sizes == [1, 2, 1, 2]
    assert special_methods._ORDINARY >= TRACED


class Cubed:
    """An operand whose methods have rules inside."""

    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return cube(self.x)

    __matmul__ = __sub__ = __iadd__ = __add__

    def __neg__(self):
        return cube(self.x)

    __abs__ = __neg__

    def __setitem__(self, index, value):
        self.x = cube(value)

    def __lt__(self, other):
        self.x = cube(self.x)
        return True


@pytest.mark.parametrize(
    "program",
    [
        lambda x: operator.add(Cubed(x), 1.0),
        lambda x: operator.sub(Cubed(x), 1.0),
        lambda x: operator.matmul(Cubed(x), 1.0),
        lambda x: operator.iadd(Cubed(x), 1.0),
        lambda x: operator.neg(Cubed(x)),
        lambda x: operator.abs(Cubed(x)),
        lambda x: (y := Cubed(x), operator.setitem(y, 0, x))[0].x,
        lambda x: (y := Cubed(x), operator.lt(y, y))[0].x,
    ],
)
def test_the_functions_behind_operators(program):
    """They enter the methods that the operators enter."""
    assert grad(program)(1.0) == 300.0
