"""Programs that write into arrays, of three numbers."""

import numpy as np
import pytest


def double(v):
    """A function that writes into its argument."""
    v *= 2


def rows_of_sum_one(x, fill):
    """Rows are views."""
    a = np.outer(np.exp(x), np.exp(x))
    for row in a:
        row /= row.sum()  # noqa: PLW2901 - a view, which is written through
    return np.sum(a * a[::-1])


def alias(x, fill):
    """Two names of an array."""
    b = x
    b += 1
    return np.sum(b * x)


def tail(x, fill):
    """A slice is a view."""
    y = np.sin(x)
    end = y[1:]
    end *= 3
    return np.sum(y * y)


def helper(x, fill):
    """A function that writes."""
    y = np.sin(x)
    double(y)
    return np.sum(y**2)


def written_in_containers(x, fill):
    """An array in containers."""
    held = {"state": [np.sin(x)]}
    state = held["state"][0]
    state[0] = x[1] * x[2]
    return np.sum(held["state"][0] ** 2)


def every_index(x, fill):
    """Integers, slices, masks, arrays of integers, and values that are repeated."""
    a = np.outer(x, np.sin(x))
    a[0, 1] = x[2]
    a[-1] *= 2.0
    a[:, 1] = a[0] * a[1]
    a[a > 0.5] = 0.25
    a[[0, 2], [1, 1]] += x[:2]
    a[..., ::2] -= x[0]
    a[np.array([0, 0])] = np.stack([x, x * x])
    a[1] = [1.0, x[0], x[1] * x[2]]
    return np.sum(a * a)


def operators(x, fill):
    """Every augmented assignment."""
    y = np.exp(x)
    y += x
    y -= 0.5
    y *= y
    y /= 1.5 + np.cos(x)
    y **= 2
    y %= 0.7
    m = np.outer(y, y)
    m @= np.outer(x, x)
    y //= 10.0
    return np.sum(np.sin(m)) + np.sum(y)


def methods(x, fill):
    """Every method that writes."""
    y, z = np.sin(x), np.cos(x)
    y.sort()
    z.fill(x[0])
    y.put([0, 2], z[:2] * x[1])
    z.partition(1)
    a = np.outer(y, z)
    a.sort(axis=0)
    a.flat[4] = x[2]
    a.T.flat[1:3] *= 2.0
    a.flat = a.flat[::-1].copy()
    return np.sum(a**2) + np.sum(y * z)


def complex_parts(x, fill):
    """Real and imaginary parts are views."""
    z = x + 1j * x[::-1]
    z.real[1:] *= x[0]
    z.imag = np.sin(x)
    z.real += 1.0
    z.real[:2] = x[1:] ** 2
    z.imag[2] = x[0]
    z[0] *= 1j
    return np.sum(np.abs(z**2) ** 2) + np.sum((z * z).imag)


def of_plain_arrays(x, fill):
    """Arrays that are plain at first, and overwritten after their use."""
    y, total, ones = fill(np.zeros(3)), fill(np.zeros((2, 3))), fill(np.ones(3))
    kept = ones
    y[0] = x[1]
    ones[1] = 5.0
    total += x
    total[0, 1:] *= y[:2]
    product = x * ones  # keeps what stands in `ones` now
    ones[:] = 0.0
    kept += x
    return np.sum(product * y) + np.sum(total**2) + np.sum(ones)


def views_of_plain_arrays(x, fill):
    """Views that were taken before something traced was written."""
    a = fill(np.eye(3))
    row, column, diagonal = a[1], a[:, 2], a.reshape(-1)[::4]
    row += 1.0
    column *= x
    row[0] += x[0]
    diagonal -= x[2]
    return np.sum((a @ a) * a) + np.sum(row) + np.sum(diagonal * column)


def without_axes(x, fill):
    """An array without axes is an array, of which NumPy's operators make numbers."""
    a = fill(np.array(0.5))
    b, c = a, np.reshape(x[:1] * 2.0, ()).copy()
    d = c
    a += x[0]
    a += x[1]
    a[()] = a * x[2]
    a[...] += 1.0
    c *= x[1]
    c -= a
    return np.sum(b**2) * np.sum(d)


def wrong_writes(x, fill):
    """An array stays as it was where a write is an error."""
    y = fill(np.zeros(3))
    z = y[1:]
    for write in (lambda: y.__setitem__(5, x[0]), lambda: z.__setitem__(slice(2), x)):
        with pytest.raises((IndexError, ValueError)):
            write()
    z[0] = 2.0
    y[0] += x[0]
    return np.sum(y * x)


def slices_without_elements(x, fill):
    """Nothing is written into them."""
    y = fill(np.ones(3))
    y[2:1] += x[0]
    y[3:] *= x[1]
    y[[]] = x[:0]
    return np.sum(y * x)


def repeated_results(x, fill):
    """A function that is given `out` repeats its result where that is larger."""
    a, b = fill(np.zeros((2, 3))), np.outer(x, x)
    np.add(x, 1.0, out=a)
    np.sin(x[0], out=b[1:])
    return np.sum(a * b[1:])


def parts_of_flat(x, fill):
    """Parts of NumPy's iterator are copies; what is written into the whole is written into the array."""
    total = 0.0
    for y in (np.outer(x, x), fill(np.ones((3, 3)))):
        part, every, old = y.flat[:2], y.flat[::2], y.flat[1:][:3]
        y.flat[::2] = x[0]
        every[0] = 7.0
        y.flat[1] *= 3.0
        total = total + np.sum(part) * every[1] * y.flat[1] + y.ravel() @ np.arange(9.0) + np.sum(old * x)
    return total


def too_few_or_many_for_flat(x, fill):
    """NumPy's iterator takes the items of a value in their order, and from the first again."""
    a, b = fill(np.zeros((2, 3))), np.outer(x, x)
    a.flat[[0, 2, 4, 5]] = x[:2]
    a.flat[1:3] = x * 2.0
    b.flat = x[1:]
    b.flat[:4] = [[x[0], 3.0]]
    b.flat[5:] = x[:0]
    return np.sum(a * b[1:]) + np.sum(b[0] * x)


def views_in_the_order_of_memory(x, fill):
    """Each write goes to the elements that the view shows, in whatever order it goes through memory."""
    a = fill(np.full((2, 3), 0.7, order="F"))
    b, c = np.ravel(a, order="K"), a.reshape(-1, order="A")
    b[0] *= x[0]
    b[1:] += 0.3 * b[:-1]
    c[2:4] = x[1:]
    return np.sum(a * x) + b @ np.arange(6.0)


def nan_to_num_in_place(x, fill):
    """It returns the array."""
    y = fill(np.zeros(3))
    z = np.nan_to_num(y, False)
    z[0] = x[1]
    return np.sum(y * x)


def masked_steps(x, fill):
    """A mask that is used for one thing, and written into for the next."""
    y, mask = x * 2.0, x > 0.0
    y[mask] = x[mask] ** 2
    y = np.where(mask, y, x) * mask + np.sum(x**2, where=mask)
    np.logical_not(mask, out=mask)
    np.copyto(y, x**3, where=mask)
    mask[0] ^= True
    np.putmask(y, mask, y * x)
    mask[:] = False
    return np.sum(y * y)


def real_part(x, fill):
    """The real part of complex numbers without an imaginary part is a view of them."""
    y = x + 0j
    view = np.real_if_close(y)
    before = np.sum(view**2)
    y[0] = 1j * x[1] + x[2]
    view[1] *= x[0]
    return before + np.sum(view * view[::-1]) + np.sum(y.imag * y.real)


PROGRAMS_THAT_WRITE = [
    masked_steps,
    real_part,
    parts_of_flat,
    too_few_or_many_for_flat,
    views_in_the_order_of_memory,
    nan_to_num_in_place,
    without_axes,
    wrong_writes,
    slices_without_elements,
    repeated_results,
    rows_of_sum_one,
    alias,
    tail,
    helper,
    written_in_containers,
    every_index,
    operators,
    methods,
    complex_parts,
    of_plain_arrays,
    views_of_plain_arrays,
]
