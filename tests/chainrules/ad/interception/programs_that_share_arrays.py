"""Programs in which several names, views and containers hold one array; functions of three numbers."""

import copy
import dataclasses

import numpy as np


@dataclasses.dataclass
class Buffers:
    """Arrays in a dataclass."""

    a: np.ndarray
    b: np.ndarray


def conversions_of_an_array(x):
    """They return the array itself."""
    y = np.zeros((2, 3))
    for same in (np.asarray(y), np.asanyarray(y), np.atleast_2d(y), np.require(y), np.ascontiguousarray(y)):
        same[0, 0] += x[0]
    y.astype(float, copy=False)[1] = x
    return y[0, 0] * 2 + np.sum(y)


def shallow_copies(x):
    """Of a dict: the array in it is the same."""
    held = {"a": np.zeros(3)}
    copy.copy(held)["a"][:] = x
    return np.sum(held["a"])


def deep_copies(x):
    """The array in the copy is another one."""
    held = {"a": np.zeros(3)}
    other = copy.deepcopy(held)
    other["a"][:] = x
    return np.sum(held["a"]) + 2 * np.sum(other["a"])


def attributes(x):
    """Of an object with two names."""

    class State:
        pass

    state = other = State()
    state.buffer = np.zeros(3)
    other.buffer[1] = x[0]
    return np.sum(state.buffer)


def generators(x):
    """The array is given out between writes."""

    def fill():
        buffer = np.zeros(3)
        for i in range(3):
            buffer[i] = x[i]
            yield buffer

    return sum(np.sum(buffer) for buffer in fill())


def repeated_items(x):
    """A list that holds one array twice."""
    rows = [np.zeros(3)] * 2
    rows[0][0] = x[0]
    return np.sum(rows[1])


def views_before_writes(x):
    """They see what is written later; what was computed before stays."""
    y = np.zeros(3)
    end, sines = y[1:], np.sin(y)
    y[:] = x
    return np.sum(end * end) + np.sum(sines)


def captured_by_functions(x):
    """One writes, and another reads."""
    buffer = np.zeros(3)

    def push(v):
        buffer[:-1] = buffer[1:]
        buffer[-1] = v

    for v in x:
        push(v * v)
    return (lambda: buffer[0] * 2 + buffer[2])()


def unpacked(x):
    """Items are numbers, and do not change; rows are views."""
    y = np.zeros(3)
    a, _, _ = y
    y[0] = x[0]
    z = np.zeros((3, 2))
    z[:, 0], z[:, 1] = x, x**2
    u, _ = z.T
    u *= 2
    return a + y[0] + np.sum(z)


def joined(x):
    """What is joined is copied."""
    y = np.arange(3.0)
    z = np.vstack([y, y])
    y[0] = x[0]
    return np.sum(z) + y[0]


def in_a_loop_over_pairs(x):
    """Arrays that are items of a list."""
    arrays = [np.zeros(2) for _ in range(3)]
    for array, v in zip(arrays, x, strict=True):
        array += v  # noqa: PLW2901 - the array is written into
    return np.sum(np.concatenate(arrays) ** 2)


def by_flat_and_put(x):
    """Elements by their positions."""
    y = np.zeros((1, 3))
    y.flat[1] = x[1]
    y.put(2, x[2])
    np.put(y, 0, x[0] * x[1])
    return np.sum(y**2)


def sliding_windows(x):
    """Views that NumPy makes by way of an object that is no array."""
    y = np.zeros(4)
    windows = np.lib.stride_tricks.sliding_window_view(y, 2)
    y[:3] = x
    return np.sum(windows**2)


def positions_taken_twice(x):
    """What is taken by positions is a copy."""
    y = np.zeros(3)
    taken = np.take(y, [0, 0, 1])
    y[:] = x
    taken[0] += x[2]
    return np.sum(taken**2) + np.sum(y**3)


def replaced_fields(x):
    """The array is held by both instances."""
    first = Buffers(x * 2, np.zeros(2))
    second = dataclasses.replace(first, a=np.ones(3))
    second.b[0] = x[0]
    second.a[1] = x[1] ** 2
    return np.sum(first.b**2) * 3 + np.sum(second.a**2) + np.sum(first.a)


def copied_instances(x):
    """A shallow copy shares its arrays, a deep one and a dict of fields do not."""
    first = Buffers(x * 2, np.zeros(3))
    shallow, deep, fields = copy.copy(first), copy.deepcopy(first), dataclasses.asdict(first)
    shallow.a[:] = x
    deep.a[:] = x**2
    fields["b"][:] = x**3
    return np.sum(first.a**2) + 2 * np.sum(deep.a) + np.sum(first.b) + np.sum(fields["b"])


def fields_as_arguments(x):
    """A function that was given an instance writes into its array."""

    def fill(buffers):
        buffers.a[0] += x[0]
        return buffers.a

    buffers = Buffers(np.zeros(3), np.zeros(3))
    same = fill(buffers)
    same[1] = x[1]
    return np.sum(buffers.a**2)
