"""Elements by their position, with a leading axis, beside loops."""

import numpy as np
import pytest

from tests.chainrules.ad.recording.batching.loops import agrees_with_loop, check_gradients

A = np.random.default_rng(1).normal(size=(3, 4))
T = np.random.default_rng(2).normal(size=(2, 3, 4))
TABLE = np.array([[0, 2], [1, 1]])

OF_MATRICES = [
    0, -1, slice(1, 3), slice(None, None, -1), (0, 1), (slice(None), 1), (Ellipsis, 1), (None, 0),
    (0, Ellipsis, None),
    [0, 2], (slice(None), [0, 2]), ([0, 1], [1, 2]), ([0, 1], slice(1, 3)), TABLE, (slice(None), TABLE),
    (TABLE, TABLE), (0, [1, 2]),
    (np.array(1),), (slice(0, 2), np.array([True, False, True, True])), np.array([True, False, True]),
    A > 0.0,
    (np.array([0, 1]), None, np.array([1, 2])), (np.int64(1),), [], (None, [0, 1], None),
]  # fmt: skip
OF_STACKS = [
    (0, slice(None), [1, 2]), ([0, 1], slice(None), [1, 2]), (slice(None), [0, 1], [1, 2]),
    (slice(None), 0, [1, 2]),
    (Ellipsis, [0, 1]), ([0, 1], Ellipsis, 0), (slice(None), TABLE, None), (TABLE % 2, slice(None), TABLE),
]  # fmt: skip


@pytest.mark.every_case  # each form is one of its own
@pytest.mark.parametrize(
    ("shape", "index"), [((3, 4), i) for i in OF_MATRICES] + [((2, 3, 4), i) for i in OF_STACKS]
)
def test_constant_positions(shape, index):
    """Axes come out where NumPy puts them for one item, in gradients too."""
    assert agrees_with_loop(lambda x: x[index], shape) == set()
    check_gradients(lambda x: x[index], shape)


POSITIONS = [
    (lambda x: x[np.argsort(x)], (4,)),
    (lambda x: x[np.argmax(x)], (4,)),
    (lambda x: A[:, np.argsort(x)], (4,)),
    (lambda x: T[:, np.argsort(x)[:2], np.argmax(x)], (3,)),
    (lambda x: T[np.argsort(x)[:2] % 2, :, np.argmax(x)], (3,)),
    (lambda x: x[:, np.argmax(x[0])], (3, 4)),
    (lambda x: x[:, np.argsort(x[0])], (3, 4)),
    (lambda x: x[np.argsort(x[:, 0]), 1:], (3, 4)),
    (lambda x: x[np.argmax(x[:, 0]), [0, 1]], (3, 4)),
    (lambda x: x[np.argsort(x[:, 0, 0]) % 2, :, [0, 1]], (2, 3, 4)),
    (lambda x: np.take(A, np.argsort(x), axis=1), (4,)),
    (lambda x: np.take(x, np.argsort(x)), (4,)),
    (lambda x: np.take(x, [0, 2]), (3, 4)),
    (lambda x: np.take(x, TABLE, axis=-1), (3, 4)),
    (lambda x: x.take(1, axis=0), (3, 4)),
]


@pytest.mark.every_case  # each form is one of its own
@pytest.mark.parametrize(("f", "shape"), POSITIONS)
def test_positions_of_each_item(f, shape):
    """Positions that are computed."""
    assert agrees_with_loop(f, shape) == set()


def _written(x):
    y = x.copy()
    y[0] = y[1] * 2.0
    y[1:] += 1.0
    return y


def _written_into_constants(x):
    y = np.ones_like(A[0])
    y[1:] = x
    z = y[2:]
    z[0] = 3.0
    return y


def _written_through_a_view(x):
    y = x * 1.0
    z = y.reshape(-1)
    z[2] = 7.0
    y.T[0] = x[:, 1]
    return y, z


def _written_into_a_copy(x):
    y = x.copy()
    z = y.ravel().copy()
    z[0] = 5.0
    return y, z


def _written_at(x):
    y = x.copy()
    np.add.at(y, [0, 0, 1], x[:3])
    return y


def _written_at_computed_positions(x):
    y = x.copy()
    y[np.argmax(y)] = 0.0
    y[np.array([2, 2])] = np.array([1.0, 2.0])
    return y


def _written_with_out(x):
    y = np.zeros_like(x)
    np.multiply(x, x[0], out=y)
    np.put_along_axis(y, np.array([0]), 3.0, 0)
    return y


WRITING = [
    (_written, (4,), set()),
    (_written_into_constants, (3,), set()),
    (_written_through_a_view, (3, 4), set()),
    (_written_into_a_copy, (4,), set()),
    (_written_at, (4,), set()),
    (_written_at_computed_positions, (4,), set()),
    (_written_with_out, (4,), set()),
]


@pytest.mark.every_case  # each form is one of its own
@pytest.mark.parametrize(("f", "shape", "by_rows"), WRITING)
def test_writing(f, shape, by_rows):
    """Into arrays of the program's own, also into those that are made the same for all items."""
    assert agrees_with_loop(f, shape) == by_rows


@pytest.mark.parametrize(
    ("f", "shape"), [case[:2] for case in WRITING[:-1] if case[0] is not _written_into_a_copy]
)
def test_gradients_of_writing(f, shape):
    """Traced values are written, too."""
    check_gradients(lambda x: np.sum(np.hstack([np.ravel(y) for y in f(x)])), shape)


def _mask_written(x):
    y = x.copy()
    y[y > 0.0] = 0.0
    return y


def _sorted_in_place(x):
    y = x.copy()
    y.sort()
    y.fill(y[1])
    return y


def _copied_into(x):
    y = x.copy()
    np.copyto(y, 1.0, where=y > 0.0)
    return y


@pytest.mark.every_case  # each form is one of its own
@pytest.mark.parametrize(
    ("f", "name"), [(_mask_written, "setitem"), (_sorted_in_place, "sort"), (_copied_into, "copyto")]
)
def test_writing_item_by_item(f, name):
    """Into the rows of the array of all items."""
    assert name in agrees_with_loop(f, (4,))


@pytest.mark.every_case  # each is refused in its own place
@pytest.mark.parametrize(
    ("f", "name"),
    [
        (lambda x: np.take(x, [0, 1], mode="clip"), "take"),
        (lambda x: x[np.array(True)], "getitem"),
    ],
)
def test_reading_item_by_item(f, name):
    """What has no form."""
    assert agrees_with_loop(f, (4,)) == {name}
