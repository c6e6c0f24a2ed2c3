"""Ways of writing into a plain array."""

import numpy as np


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


def by_generator(buffer, row):
    """A random generator."""
    generator = np.random.default_rng(3)
    generator.standard_normal(out=buffer)
    generator.shuffle(buffer)


WRITERS = [
    *(by_item, by_each_item, by_mask, by_view, by_flat, by_update),
    *(by_method, by_function, by_out, by_generator),
]
