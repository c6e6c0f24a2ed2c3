"""The ways in which a program writes into a plain array of three numbers, given three others."""

import functools
import operator
import random
from contextlib import nullcontext

import numpy as np
from numpy.lib.stride_tricks import as_strided

NOISE = np.random.default_rng(0).normal(size=(3, 3))
PARTIALS = {}


def by_item(buffer, row):
    """All items."""
    buffer[:] = row


def by_each_item(buffer, row):
    """Item by item, the last ones counted from the end."""
    buffer[0] = row[0]
    buffer[-2] = row[1]
    buffer[-1] = row[2]


def by_mask(buffer, row):
    """The items that a mask chooses."""
    buffer[row > 0] = row[row > 0]


def by_view(buffer, row):
    """A view of the array, and what is computed into its items."""
    view = buffer[1:]
    view[:] = row[1:]
    view[0] += 1.0
    buffer[:1] -= 2.0


def by_flat(buffer, row):
    """The iterator over its elements."""
    buffer.flat[:] = row


def by_update(buffer, row):
    """In place, as a variable."""
    buffer *= 0.5
    buffer += row


def by_method(buffer, row):
    """Methods that write into the array itself."""
    buffer.fill(row[0])
    buffer.put([1], row[1])
    buffer.sort()
    buffer.partition(1)


def by_function(buffer, row):
    """NumPy's functions that write into their first argument."""
    np.copyto(buffer, row)
    np.put(buffer, [0], 2.0)
    np.place(buffer, buffer > 1.0, [0.5])
    np.putmask(buffer, buffer < -1.0, -0.5)
    np.add.at(buffer, [0, 0], 1.0)
    np.copyto(dst=buffer, src=buffer * 2.0)


def by_out(buffer, row):
    """`out`, by keyword, by position and in a tuple."""
    np.multiply(row, 2.0, out=buffer)
    np.add(buffer, row, buffer)
    np.sin(buffer, buffer)
    np.exp(buffer, out=(buffer,))
    np.sum(np.outer(row, row), 0, None, buffer)


def by_place_of_out(buffer, row):
    """`out`, by position in a method, in keywords that were collected before, and in a partial."""
    NOISE.sum(0, None, buffer)
    row.take([2, 1, 0], 0, buffer)
    np.random.default_rng(3).random(3, float, buffer)
    keywords = {"out": buffer}
    np.multiply(buffer, row, **keywords)
    PARTIALS.setdefault(id(buffer), (buffer, functools.partial(np.add, out=buffer)))[1](row, row)


def by_operator(buffer, row):
    """The functions behind the statements."""
    operator.setitem(buffer, slice(None), row)
    operator.iadd(buffer, row)
    buffer.__setitem__(0, row[1])
    buffer.__imul__(2.0)
    np.ndarray.__isub__(buffer, row)
    np.ndarray.fill(buffer, row[0])


def by_attribute(buffer, row):
    """Attributes that stand for the elements."""
    buffer.flat = row
    buffer.real = row * 2.0


def by_memory(buffer, row):
    """Other objects that have the same memory."""
    memoryview(buffer)[0] = float(row[0])
    as_strided(buffer[1:], (2,), (8,))[:] = row[1:]


def by_iteration(buffer, row):
    """Operands of an iterator that may be written, the only one, and one of several."""
    with np.nditer(buffer, op_flags=["readwrite"]) as items:
        for item in items:
            item[...] = row[0] * item
    with np.nditer([row, buffer], [], [["readonly"], ["writeonly"]]) as pairs:
        for one, item in pairs:
            item[...] = one


def by_target(buffer, row):
    """Loops, blocks, comprehensions and the bodies of classes, which assign too."""
    for buffer[0] in row:
        pass
    with nullcontext(row[1]) as buffer[1], nullcontext() as _:
        pass
    assert [buffer[2] for buffer[2] in row] == list(row)

    class _Scope:
        buffer[0] = row[0]
        own = buffer
        own += row


class Private:
    """A class with an array that is its own."""

    def __init__(self, buffer):
        self.__buffer = buffer

    def write(self, row):
        """Write into it."""
        self.__buffer *= 0.5
        self.__buffer[:] = row


def by_private_name(buffer, row):
    """An attribute with the name of its class in front."""
    Private(buffer).write(row)


def by_overwriting(buffer, row):
    """Functions that may use their argument for their own purposes."""
    buffer[:] = row
    np.median(buffer, overwrite_input=True)
    np.nan_to_num(buffer, copy=False)


def by_generator(buffer, row):
    """A random generator."""
    generator = np.random.default_rng(3)
    generator.standard_normal(out=buffer)
    generator.shuffle(buffer)


def by_plain_generator(buffer, row):
    """That of Python."""
    random.Random(3).shuffle(buffer)  # noqa: S311 - no secret


WRITERS = [
    *(by_item, by_each_item, by_mask, by_view, by_flat, by_update),
    *(by_method, by_function, by_out, by_generator, by_place_of_out, by_operator, by_attribute),
    *(by_memory, by_iteration, by_target, by_private_name, by_overwriting, by_plain_generator),
]
