"""Programs for many items: their steps, and what they decide."""

import numpy as np
import pytest

from chainrules.ad.recording.batching.program import BatchedProgram, DifferingItemsError, value_of
from chainrules.ad.recording.passes import Needed
from chainrules.ad.recording.recorder import record_program
from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.tape import NotRecordableError, Step

# What is refused, and each kind of value, has a line of its own.
pytestmark = pytest.mark.every_case


XS = np.array([[1.0, 2.0], [3.0, -4.0], [5.0, 6.0]])
FIRST = Slot("argument", 0)


def program_of(f, *args, mapped=(0,)):
    """The program for many items of the first of these."""
    recording = record_program(f, args, {})
    needed = Needed(recording)
    steps = [(i, needed.step(i)) for i in needed.steps]
    return BatchedProgram(steps, recording.result, {Slot("argument", i) for i in mapped}, needed.key_of)


def test_only_what_depends_on_the_items_has_an_axis():
    """The rest runs once."""
    program = program_of(lambda x, w: (x * np.sum(w), np.sum(w)), XS[0], np.ones(2))
    first, second = program.run({FIRST: XS, Slot("argument", 1): np.ones(2)}, 3)
    assert np.array_equal(first.value, XS * 2.0)
    assert second == 2.0


@pytest.mark.parametrize(
    ("f", "agreeing"),
    [
        (lambda x: x if x[1] > 0.0 else -x, [True, False, True]),
        (lambda x: x if not x[0] > 1.0 else -x, [True, False, False]),
        (lambda x: x * int(x[0]), [True, False, False]),
        (lambda x: x[x > 0.0], [True, False, True]),
        (lambda x: np.arange(3)[list(np.argsort(x))], [True, False, True]),
    ],
)
def test_decisions(f, agreeing):
    """The items that take another way are named."""
    with pytest.raises(DifferingItemsError) as caught:
        program_of(f, XS[0]).run({FIRST: XS}, 3)
    assert caught.value.agreeing.tolist() == agreeing
    assert caught.value.place is None or caught.value.place[0] == __file__


def test_decisions_about_what_is_the_same():
    """Another one than the recorded is right for no item."""
    program = program_of(lambda x, w: x if w[0] > 0.0 else -x, XS[0], np.ones(2))
    second = Slot("argument", 1)
    assert np.array_equal(program.run({FIRST: XS, second: np.ones(2)}, 3).value, XS)
    with pytest.raises(DifferingItemsError) as caught:
        program.run({FIRST: XS, second: -np.ones(2)}, 3)
    assert caught.value.agreeing.tolist() == [False] * 3


def test_values_of_another_recording():
    """They are refused: what the program does not make is read from the recording that is under way."""
    program = program_of(lambda x: 2.0 * x, XS[0])
    with pytest.raises(NotRecordableError, match="another recording"):
        program.run({}, 3)


def test_writes_into_arrays_without_axes():
    """Each item has one of its own."""

    def f(x):
        y = np.zeros_like(x[0])
        y.fill(x[0])
        return y

    assert program_of(f, XS[0].copy()).run({FIRST: XS}, 3).value.tolist() == XS[:, 0].tolist()


def test_plain_values_of_results():
    """In containers too."""
    assert value_of((1.0, [2.0])) == (1.0, [2.0])


W = np.array([2.0, 1.0])


@pytest.mark.parametrize(
    ("f", "other"),
    [
        (lambda x, w: x * int(w[0]), W + 1.0),
        (lambda x, w: x * np.sum(np.unique(w)), np.ones(2)),
        (lambda x, w: x * np.arange(3)[list(np.argsort(w))][0], W[::-1]),
        (lambda x, w: x * bool(w[0] > 1.0), -W),
    ],
)
def test_kinds_of_decisions_about_what_is_the_same(f, other):
    """Whole numbers, shapes, positions and flags."""
    program, second = program_of(f, XS[0], W), Slot("argument", 1)
    assert program.run({FIRST: XS, second: W}, 3).value.shape == (3, 2)
    with pytest.raises(DifferingItemsError) as caught:
        program.run({FIRST: XS, second: other}, 3)
    assert caught.value.agreeing.tolist() == [False] * 3


def test_a_look_for_a_nan_in_what_is_the_same():
    """It is one for all items."""
    x = program_of(lambda x: x * 2.0, XS[0]).steps[0][1].args[0]
    program = BatchedProgram([(0, Step("no NaN", None, (x,), {}, None))], x, set(), lambda slot: slot)
    assert np.array_equal(program.run({FIRST: XS[0]}, 3), XS[0])
    with pytest.raises(DifferingItemsError):
        program.run({FIRST: XS[0] * np.nan}, 3)


def test_errors_that_a_rule_caught():
    """The items that raise none take another way; an error about what is the same is one for all."""
    zeros, failing = np.zeros((2, 2)), np.stack([np.zeros((2, 2)), np.eye(2)])
    program, said = program_of(lambda x: x * 2.0, zeros), "LinAlgError('Singular matrix')"
    x = program.steps[0][1].args[0]
    for arg, agreeing in ((x, [True, False]), (zeros, None), (np.eye(2), [False, False])):
        raises = Step("raises", np.linalg.inv, (arg,), {}, (np.linalg.LinAlgError, said))
        with_error = BatchedProgram([*program.steps, (1, raises)], x, {FIRST}, lambda slot: slot)
        if agreeing is None:
            assert np.array_equal(with_error.run({FIRST: failing}, 2).value, failing)
            continue
        with pytest.raises(DifferingItemsError) as caught:
            with_error.run({FIRST: failing}, 2)
        assert caught.value.agreeing.tolist() == agreeing


def _into_hidden_memory(x, w):
    y = np.reshape(w.T, 4)
    y[0] = x[0]
    return y


def _through_a_view(x, w):
    y = np.stack([x, x]).T * 1.0
    z = np.reshape(y, 4, order="F")
    z[0] = 3.0
    return y


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (_into_hidden_memory, "a part of an array that is the same for all items"),
        (_through_a_view, "through a view of it"),
    ],
)
def test_writes_that_are_refused(f, message):
    """They would be lost, or be for all items."""
    with pytest.raises(NotRecordableError, match=message):
        program_of(f, XS[0], np.eye(2)).run({FIRST: XS, Slot("argument", 1): np.eye(2)}, 3)
