"""Methods that Python calls by itself are entered, in Python's own order."""

import copy
import math
import operator
import statistics
import threading

import numpy as np
import pytest
from numpy.polynomial import Polynomial
from scipy.sparse import csr_array
from scipy.spatial.transform import Rotation

from chainrules.ad import grad, interception, jvp
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.ordinary_classes import SPECIAL, is_ordinary
from chainrules.ad.syntax.hooks import HOOKS, placeholder
from chainrules.ad.values import memory
from tests.chainrules.ad.interception.special_classes import (
    Above,
    Compared,
    ComparedFirst,
    Copied,
    Cubed,
    Items,
    Manager,
    Opened,
    Ordered,
    Reflected,
    Restarting,
    SineOfItems,
)
from tests.chainrules.ad.while_traced import while_traced
from tests.python_calls import functions_run_by

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
                    TypeError,
                    match=r"unsupported operand|not supported|not subscriptable|not iter|not a container",
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
    assert is_ordinary(statistics.NormalDist)  # has methods in Python, and rules for the operators
    assert is_ordinary(csr_array)
    assert while_traced(np.ones(2), lambda x: (x == 1.0).tolist()) == [True, True]
    assert while_traced(1.0, lambda x: np.arange(6).reshape(2, 3)[1, ::2].tolist()) == [3, 5]


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
    monkeypatch.setattr(memory, "MOST", 0)
    SPECIAL.clear()
    for factor in (2.0, 3.0):

        class Scale:
            factor = 0.0

            def __len__(self):
                return 2

            def __add__(self, x):
                return x * self.factor

        Scale.factor = factor
        assert grad(lambda x, scale=Scale: (scale() + x) * len(scale()))(1.0) == 2 * factor
    assert len(SPECIAL) <= 1


@pytest.mark.parametrize("f", [len, abs])
def test_calls_without_arguments(f):
    """The error is Python's."""
    with pytest.raises(TypeError, match="exactly one argument"):
        grad(lambda x: x * f())(2.0)


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


@pytest.mark.parametrize(
    ("compare", "expected"),
    [
        (lambda x: Compared(x) < Compared(x), "less"),
        (lambda x: Compared(x) > 2.0, "greater"),
        (lambda x: 2.0 > Compared(x), "less"),  # noqa: SIM300 - what is tested
        (lambda x: Compared(x) < ComparedFirst(x), "greater"),
        (lambda x: ComparedFirst(x) < Compared(x), "less"),
    ],
)
def test_which_comparison_is_called(compare, expected):
    """In Python's order, and entered."""
    assert compare(1.0) == while_traced(1.0, compare) == (expected, math.sin(1.0))


def of_a_block(x):
    """What a file gives."""
    with Opened(x) as y:
        return y


def of_copies(x):
    """Copies; that of one object is the same where they are made together."""
    memo, copied = {}, Copied(x)
    once, again = copy.deepcopy(copied, memo), copy.deepcopy(copied, memo)
    return copy.deepcopy(copied), once, once is again, copy.deepcopy(Copied(x), memo), len(memo)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: Items(x)[2],
        lambda x: list(Items(x)),
        lambda x: [y for y in Items(x)],  # noqa: C416 - what is tested
        lambda x: [SineOfItems([x])[0], *SineOfItems([x])],
        lambda x: {1.0: "a", 2.5: "b"}[x],
        lambda x: {"a": x}["a"],
        lambda x: [
            x in {2.5},
            x in {2.5: 1},
            x in frozenset([1.0]),
            x in frozenset([2.5]),
            x in [2.5],
            x not in {1.0, 2.5},
        ],
        of_a_block,
        of_copies,
    ],
)
def test_items_blocks_and_copies(f):
    """They give what they give without interception."""
    assert while_traced(2.5, f) == f(2.5)


@pytest.mark.parametrize(
    ("hook", "args"),
    [
        ("add", (np.float32(2.0), np.float32(1.0))),
        ("mod", (np.float32(2.0), np.float32(1.0))),
        ("lt", (np.float32(2.0), np.float32(1.0))),
        ("neg", (np.float32(2.0),)),
        ("getitem", ({"a": 1}, "a")),
        ("getitem", (memoryview(b"text"), 1)),
        ("in", (1, {1})),
        ("in", (1, {1: 2})),
        ("iter", (np.float32(2.0),)),
        ("with", (threading.Lock(),)),
        (len, ([1, 2],)),
    ],
)
def test_nothing_is_asked_of_classes_that_are_known(hook, args):
    """What Python does in C takes no more than the hook itself."""
    f = HOOKS[placeholder(hook)] if isinstance(hook, str) else choose(hook)
    run = set(functions_run_by(lambda: f(*args)))
    assert run <= {f.__qualname__, "remainder_or_text", "_binary.<locals>.call"}


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


@pytest.mark.parametrize(
    ("program", "slope"),
    [
        (lambda x: np.sum((Rotation.from_rotvec([0.0, 0.3, 0.0]) ** x).as_rotvec()), 0.3),
        (lambda x: (Polynomial([1.0, 2.0]) / x).coef[1], -0.5),
    ],
)
def test_objects_that_refuse_what_is_no_number(program, slope):
    """The rules of the operators take traced numbers beside rotations and polynomials."""
    np.testing.assert_allclose([grad(program)(2.0), jvp(program, (2.0,), (1.0,))[1]], slope)
