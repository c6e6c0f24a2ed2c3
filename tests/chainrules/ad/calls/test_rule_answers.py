"""Rules that answer no pair, and pullbacks that return no tuple, by the name and the place of the rule."""

import numpy as np
import pytest

from chainrules.ad import grad, jvp, vjp
from chainrules.ad.calls.rule_answers import wrong_answer, wrong_number_of_cotangents
from chainrules_core import (
    DimensionMismatchError,
    NoTangent,
    ProjectTo,
    TangentStructureError,
    debugging,
    frule,
    primitive,
    rrule,
    typeof_,
)
from tests.chainrules.ad.every_mode import EVERY_MODE


@primitive
def doubled(x):
    """Twice an array."""
    return x + x


@rrule.dispatch
def doubled_rrule(f: typeof_(doubled), x: np.ndarray):
    """Returns only the result, which has two elements, as a pair has."""
    return x + x


@frule.dispatch
def doubled_frule(tangents, f: typeof_(doubled), x: np.ndarray):
    """Returns a list."""
    return [x + x, tangents[1] + tangents[1]]


def test_rules_are_named():
    """An array of two elements, or a list of two, is not taken for a pair."""
    x = np.array([1.0, 2.0])

    with pytest.raises(
        TypeError, match=r"doubled_rrule \(.*test_rule_answers\.py:\d+\) should .* \(y, pullback\)"
    ):
        grad(lambda x: np.sum(doubled(x)))(x)
    with pytest.raises(
        TypeError, match=r"doubled_frule \(.*:\d+\) should .* \(y, y_dot\), not .* type list\. Write"
    ):
        jvp(doubled, (x,), (x,))


def test_rules_that_are_not_found():
    """Where an observer stands between, the rule may be unknown."""
    assert str(wrong_answer(rrule, (abs, "text"), 1.0)).startswith("A rule should return the pair")


def test_pullbacks_are_named():
    """By their places too."""

    def some_pullback(y_bar):
        return y_bar

    no_tuple = wrong_number_of_cotangents(some_pullback, (None, None), np.ones(2))
    too_few = wrong_number_of_cotangents(some_pullback, (None, None), (NoTangent(),))

    assert isinstance(no_tuple, TypeError)
    assert "type ndarray[float64, 1], and not a tuple of cotangents" in str(no_tuple)
    assert isinstance(too_few, DimensionMismatchError)
    for error in (no_tuple, too_few):
        assert "some_pullback (" in str(error)
        assert "test_rule_answers.py:" in str(error)


class Box:
    """An object of an ordinary class."""

    def __init__(self, v):
        self.v = v


@primitive
def squared(box):
    """A number from an object."""
    return box.v**2


@rrule.dispatch
def squared_rrule(f: typeof_(squared), box: Box):
    """Returns what `ProjectTo` makes of a number: the number."""
    return box.v**2, lambda y_bar: (NoTangent(), ProjectTo(box)(2 * box.v * y_bar))


@pytest.mark.parametrize("f", [squared, lambda box: squared(Box(box.v * 1.0))])
@pytest.mark.parametrize("v", [3.0, np.float64(3.0)])
def test_numbers_for_objects(f, v):
    """They have no fields, and the message says what has."""
    with pytest.raises(TangentStructureError, match=r"field 'v' is a value of type float.*`Tangent\[P\]\(v="):
        grad(f)(Box(v))


def test_cotangents_in_a_list():
    """They are counted as those in a tuple; what is neither is named."""
    for x_bars in ([1.0], (1.0,)):
        error = wrong_number_of_cotangents(abs, (None, None), x_bars)
        assert isinstance(error, DimensionMismatchError)
        assert "returned 1 cotangents for 1 argument." in str(error)
    for x_bars, mend in (
        ((None, (1.0, 2.0), None), "`return NoTangent(), *x_bars`"),
        ((1.0,) * 3, "get none."),
    ):
        assert mend in str(wrong_number_of_cotangents(abs, (None, None), x_bars))
    error = wrong_number_of_cotangents(abs, (None, None), np.ones(2))
    assert not isinstance(error, DimensionMismatchError)
    assert "and not a tuple of cotangents" in str(error)


X = np.array([1.0, 2.0])


@primitive
def split(x):
    """A function with several results."""
    return x, 2 * x


@rrule.dispatch
def split_rrule(f: typeof_(split), x: np.ndarray):
    """It takes the cotangent for an array."""
    return (x, 2 * x), lambda y_bar: (NoTangent(), y_bar.T)


@primitive
def halved(x):
    """A function of an array."""
    return x / 2


@rrule.dispatch
def halved_rrule(f: typeof_(halved), x: np.ndarray):
    """Its cotangent has another precision."""
    return x / 2, lambda y_bar: (NoTangent(), np.float32(y_bar / 2))


@primitive
def twice(x):
    """A function of an array."""
    return 2 * x


@rrule.dispatch
def twice_rrule(f: typeof_(twice), x: np.ndarray):
    """Its pullback multiplies arrays that do not fit."""
    return 2 * x, lambda y_bar: (NoTangent(), y_bar * np.ones(3))


def notes_of(f, x):
    """The notes of the error that a derivative raises."""
    with pytest.raises((ValueError, TypeError, AttributeError)) as caught:
        grad(f)(x)
    return "\n".join(getattr(caught.value, "__notes__", []))


def test_the_form_of_a_cotangent():
    """A pullback that takes it for something else is told what it was given."""
    note = notes_of(lambda x: np.sum(split(x)[0]), X)

    assert "test_rule_answers.py:" in note
    assert "was given a cotangent of type Tangent[tuple]. The cotangent of a result with parts has" in note
    assert "shape (2,)" in notes_of(lambda x: np.sum(twice(x)), X)


def test_where_a_cotangent_came_from():
    """The rule of somebody else that returned it is named, in debug mode too."""

    def f(x):
        return np.sum(halved(twice(x)))

    says = (
        "shape (2,), which came from the pullback of `halved_rrule` (tests/chainrules/ad/calls/test_rule_ans"
    )
    assert says in notes_of(f, X)
    with debugging():
        assert says in notes_of(f, X)


def test_errors_of_our_own_rules_have_no_note():
    """Nobody but us is to be told of these."""
    _, pullback = vjp(np.sin, X)
    with pytest.raises(ValueError, match="shape") as caught:
        pullback(np.ones(3))
    assert "came from" not in "".join(caught.value.__notes__)


@primitive
def truncated(x, y=1.0):
    """A square, whose rules below make an integer of it."""
    return x * x


@frule.dispatch
def truncated_frule(tangents, f: typeof_(truncated), x: float | np.ndarray, y: float = 1.0):
    """Loses the digits, and the derivative."""
    return np.int64(x * x), 2.0 * x * tangents[1]


@rrule.dispatch
def truncated_rrule(f: typeof_(truncated), x: float | np.ndarray, *y: float):
    """Loses the digits, and the derivative."""
    return np.trunc(x * x).astype(int) if isinstance(x, np.ndarray) else int(x * x), lambda y_bar: (
        NoTangent(),
        2.0 * x * y_bar,
        *(NoTangent() for _ in y),
    )


@primitive
def items_above(items, threshold):
    """How many numbers are above a traced one."""
    return sum(item > threshold for item in items)


@rrule.dispatch
def items_above_rrule(f: typeof_(items_above), items: list, threshold: float):
    """A count, and cotangents that are zero."""
    return items_above.__primitive__(items, threshold), lambda n_bar: (NoTangent(), [n_bar] * len(items), 0.0)


@pytest.mark.parametrize("D", EVERY_MODE)
def test_integers_with_a_derivative(D):
    """A rule that makes an integer of its result is named, since its derivative would be lost."""
    with pytest.raises(
        TypeError, match=r"truncated was called .* returned an integer .* truncated_[rf]rule \("
    ):
        D(lambda x: x * truncated(x))(3.5)


def test_integers_that_depend_on_nothing():
    """Constants have no derivative, and counts that of zero: they pass."""
    assert grad(lambda x: x * truncated(3.5, x))(2.0) == 12.0
    assert grad(lambda x: x * items_above([1.0, 3.0], x))(2.0) == 1.0
    with pytest.raises(TypeError, match="truncated_rrule"):
        grad(lambda x: np.sum(truncated(x) * x))(np.array([1.5, 2.5]))
