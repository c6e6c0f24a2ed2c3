"""Conversions: where they are, and what to write instead. What users see of them is in `test_messages.py`."""

import array
import cmath
import collections
import importlib
import math
import sys

import numpy as np
import pytest
from scipy.signal import remez
from scipy.sparse import lil_array

from chainrules.ad import call, grad, interception, jvp, vjp
from chainrules.ad.traced.conversions import owner_of_operator, refused_conversion
from chainrules_core import rrule, typeof_
from tests.chainrules.ad.while_traced import while_traced

X = np.array([1.0, 2.0])


def message_of(f, x):
    """What the refusal says."""
    with interception(False), pytest.raises(TypeError) as caught:
        grad(f)(x)
    return str(caught.value)


def test_without_a_frame():
    """A thread that C code began may have none."""
    message = str(refused_conversion(None, "a float", is_over=False))

    assert message.startswith("A traced value was about to become a float, which would lose its derivative.")


def test_without_a_source():
    """The line is known, and not its text: no call in it was intercepted, and the message says why."""
    names = {}
    exec(compile("def f(x):\n    return float(x)", "nowhere.py", "exec"), names)  # noqa: S102 - the function here

    message = message_of(names["f"], 2.0)

    assert "about to become a float at nowhere.py:2, which" in message
    assert "Python does not know the source of this code" in message


def test_without_positions():
    """Python run with ``-X no_debug_ranges`` keeps lines only."""
    names = {"source": __file__}
    code = compile("def f(x):\n    return float(x)", __file__, "exec")
    exec(code, names)  # noqa: S102 - the function here
    function = names["f"]
    function.__code__ = function.__code__.replace(co_linetable=b"")

    assert "about to become a float" in message_of(function, 2.0)


def test_indices():
    """The text is shown where no call stands."""

    def f(x):
        return [1.0][x]

    assert "in `[1.0][x]`" in message_of(f, 0.0)


def test_several_lines():
    """The call is shown on one."""
    message = message_of(
        lambda x: np.sum(
            np.asarray(
                x,
                dtype=float,
            )
        ),
        X,
    )

    assert "in `np.asarray( x, dtype=float, )`" in message


def test_functions_that_are_not_known():
    """Objects are not asked for attributes: that might run code."""

    class Holder:
        @property
        def convert(self):
            """Fails if it is asked for more than once."""
            self.asked = getattr(self, "asked", 0) + 1
            assert self.asked == 1
            return float

    holder = Holder()

    assert "`call(holder.convert, x)`" in message_of(lambda x: [holder.convert(x)][0], 2.0)


def test_functions_that_cannot_be_hashed():
    """They are in no table."""

    class Sine:
        __hash__ = None
        __call__ = math.sin

    sine = Sine()
    assert "`sine` has no rule" in message_of(lambda x: [sine(x)][0], 2.0)


@pytest.mark.parametrize(
    "f",
    [
        grad(lambda a: np.sum(call(np.gradient, X, [a, 2.0]) ** 2)),
        lambda x: call(np.array, collections.deque([x, 1.0])),
    ],
)
def test_by_a_rule(f):
    """A rule without derivative by traced numbers in a list, or nothing that could serve the call."""
    assert "The rule that serves the call has no derivative by a list" in message_of(f, 1.0)


def test_by_a_rule_that_returned_none():
    """The rule of somebody else is named: it may have no `return`."""

    class Sine:
        __call__ = math.sin

    sine = Sine()

    @rrule.dispatch
    def sine_rrule(f: typeof_(sine), x: float): ...

    with pytest.raises(
        TypeError, match=r"sine_rrule \(.*\) returned `None`, .* `return y, pullback`\? For the"
    ):
        grad(lambda x: sine(x) + 1.0)(1.0)


def cubed(x):
    """A function with a rule, which is not marked as a primitive."""
    return float(x) ** 3


@rrule.dispatch
def cubed_rrule(f: typeof_(cubed), x: float):
    """Never used where calls are not intercepted."""
    raise AssertionError


def test_rules_that_were_passed_over():
    """A function with a rule is named, and no other one of that name."""

    def another():
        def cubed(x):
            return float(x) ** 3

        return cubed

    assert "`cubed` has a rule: write `cubed = primitive(cubed)`" in message_of(lambda x: cubed(x) + 0.0, 2.0)
    assert "Leave `float` out" in message_of(lambda x: another()(x) + 0.0, 2.0)


def test_frames_of_libraries_are_passed():
    """The place is the program's."""
    here = sys._getframe().f_lineno + 1
    message = message_of(lambda x: np.sum(np.full(2, x)), 1.0)

    assert f"test_conversions.py:{here}, in `np.full(2, x)`" in message


def test_frames_of_other_libraries_are_passed(tmp_path, monkeypatch):
    """The place is the program's, wherever the library that converts is installed."""
    library = tmp_path / "site-packages"
    library.mkdir()
    (library / "charts_of_others.py").write_text("def table(x):\n    return [float(item) for item in x]\n")
    monkeypatch.syspath_prepend(library)
    charts = importlib.import_module("charts_of_others")
    here = sys._getframe().f_lineno + 1
    message = message_of(lambda x: np.sum(charts.table([x])), 1.0)

    assert f"test_conversions.py:{here}, in `charts.table([x])`" in message
    assert "`charts_of_others` converts it, at " in message
    assert "charts_of_others.py:2. Write functions of NumPy, or give what" in message


def test_formats():
    """Old formats ask for an integer or float; the refusal says how texts are written."""
    assert "Write it into an f-string" in message_of(lambda x: "%.2f" % x, 2.0)  # noqa: UP031 - what is tested


def test_statements():
    """What is no expression is shown as it stands; into an item the sum is written."""

    def text(x):
        text = "%.2f"
        text %= x
        return text

    def item(x):
        items = array.array("d", [0.0])
        items[0] += x
        return 0.0

    def annotated(x):
        items = array.array("d", [0.0])
        items[0]: float = x
        return 0.0

    assert "in `text %= x`" in message_of(text, 2.0)
    for f in (item, annotated):
        assert "Collect the items in a list" in message_of(f, 2.0)


RNG = np.random.default_rng(0)


class Functions:
    """A class that holds functions of others."""

    erf = math.erf


def written_into(make, index):
    """A function that writes an element into what `make` returns."""

    def f(x):
        y = make()
        y[index] = x
        return 0.0

    return f


@pytest.mark.parametrize(
    ("f", "mend"),
    [
        (lambda x: [float(x)], "Leave `float` out"),
        (lambda x: [complex(x)], "Leave `complex` out"),
        (lambda x: [math.sin(x)], "Write `np.sin`."),
        (lambda x: [cmath.exp(x)], "Write `np.exp`."),
        (lambda x: [math.erf(x)], "Write `call(math.erf, x)`, of `chainrules.ad`"),
        (lambda x: X.dot(x * X), "Write the function, `np.dot(X, ...)`"),
        (lambda x: [RNG.normal(x)], "Write `call(RNG.normal, x)`, of `chainrules.ad`"),
        (lambda x: [Functions.erf(x)], "Write `call(Functions.erf, x)`, of `chainrules.ad`"),
        (lambda x: np.array([x, 1.0]), "Write `np.stack([...])`, or `np.block"),
        (lambda x: np.asarray(x * X), "Leave `np.asarray` out"),
        (lambda x: np.r_[x, 1.0], "Write `np.concatenate`"),
        (lambda x: np.c_[x, 1.0], "Write `np.column_stack`"),
        (
            written_into(lambda: array.array("d", [0.0]), 0),
            "Collect the items in a list, and write `np.stack(items)`",
        ),
        (written_into(lambda: lil_array((2, 2)), (0, 0)), "Sparse arrays are not written into"),
        (written_into(lambda: np.zeros(3), ...), "Write into a copy, `y = y.copy()`, or collect the items"),
        (written_into(lambda: np.arange(3), 0), "`y` is an array of int64"),
        (written_into(lambda: np.zeros(3, [("u", float)]), "u"), "Write into an array for each field"),
        (lambda x: X[x * X], "an index is an integer, `int(primal_of(i))`"),
    ],
)
def test_mends(f, mend):
    """What to write instead is said by what was called, or by what was written into."""
    assert mend in message_of(lambda x: [f(x)][0], 2.0)


HELD, HELD_INTEGERS = np.zeros(2), np.arange(2)


@pytest.mark.parametrize("held", ["HELD", "HELD_INTEGERS"])
@pytest.mark.parametrize("index", [0, slice(None)])
def test_mends_of_arrays_of_others_do(held, index):
    """What the refusal of a write says to write works where calls are intercepted."""

    def as_written(x):
        y = globals()[held]
        y[index] = x[index]
        return np.sum(y * 1.0)

    def as_said(x):
        y = globals()[held]
        y = y.copy() if held == "HELD" else y.astype(float)
        y[index] = x[index]
        return np.sum(y)

    with pytest.raises((TypeError, ValueError)) as caught:
        grad(as_written)(X)
    said = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])
    assert ("`y = y.copy()`" if held == "HELD" else "`y = y.astype(float)`") in said
    np.testing.assert_array_equal(grad(as_said)(X)[index], np.ones(2)[index])


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.longdouble, np.complex64])
@pytest.mark.parametrize("use", [lambda x: x.item(1), lambda x: x.item((-1,)), lambda x: x[1].item()])
def test_elements_have_the_precision_of_python(use, dtype):
    """As those of plain arrays have: a product with one of single precision has double precision."""
    x = np.array([1.5, 0.3], dtype)
    y, y_dot = jvp(lambda x: use(x) * 0.7, (x,), (x,))
    assert y == use(x) * 0.7
    assert isinstance(y, type(use(x) * 0.7))
    assert y_dot == y
    x_bar = vjp(use, x)[1](1.0)[0]
    assert x_bar.dtype == dtype
    assert x_bar.tolist() == [0.0, 1.0]


def test_whose_operator_converts():
    """The object that the nearest operator around a frame is of."""

    class Owner:
        def __mul__(self, other):
            return next(owner_of_operator(sys._getframe()) for _ in range(1))

    owner = Owner()
    assert owner * 1.0 is owner
    assert owner_of_operator(None) is None


def test_functions_of_scipy():
    """Whoever calls one that converts is sent to the page about rules for these."""
    with (
        interception(False),
        pytest.raises(TypeError, match=r"`remez` has no rule: give it one, .*`docs/.*` has five"),
    ):
        grad(lambda x: remez(9, x, [1.0, 0.0])[0])(np.array([0.0, 0.1, 0.3, 0.5]))


def test_programs_that_ask_for_an_array():
    """``x.__array__()``, as in statsmodels, is ``np.asarray(x)``; no derivative is lost where NumPy asks."""

    def f(x):
        y = x.__array__() * x[0].__array__()
        return np.sum(y.__array__(np.dtype(float)) ** 2)

    x = np.array([0.5, 2.0])
    np.testing.assert_allclose(grad(f)(x), [4 * x[0] ** 3 + 2 * x[0] * x[1] ** 2, 2 * x[0] ** 2 * x[1]])
    assert while_traced(x, lambda x: np.shape(x.__array__(copy=True))) == (2,)
    with interception(False), pytest.raises(TypeError, match="about to become an array"):
        grad(f)(x)
