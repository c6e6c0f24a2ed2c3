"""Programs that write into arrays of which somebody else holds a view, or another name."""

import types

import numpy as np

from tests.chainrules.ad.interception import (
    programs_as_people_write_them,
    programs_that_fill_arrays,
    programs_that_share_arrays,
    programs_that_simulate,
)

PROGRAMS_OF_ARRAYS = {
    name: program
    for module in (
        programs_as_people_write_them,
        programs_that_fill_arrays,
        programs_that_share_arrays,
        programs_that_simulate,
    )
    for name, program in vars(module).items()
    if isinstance(program, types.FunctionType) and program.__module__ == module.__name__
}


def another_name(w, d):
    """Both names are of one array."""
    y = w * d
    z = y
    y *= 2
    return np.sum(z * w)


def slices(w, d):
    """A view sees what is written into its array."""
    y = w * d
    z = y[1:]
    y *= 2
    return np.sum(z**2)


def reshaped(w, d):
    """An array sees what is written into its view."""
    y = w * d
    z = y.reshape(3, 1)
    z += d[:, None]
    return np.sum(y**2)


def given_out(w, d):
    """Functions write into what they are told to."""
    y = w * d
    np.multiply(y, 2, out=y)
    z = d * 1
    np.add(z, 1, out=z)
    return np.sum(y * w) + np.sum(np.sin(w) * z)


def methods(w, d):
    """Methods write into an array that a rule was given before."""
    y = d.copy()
    s = np.sum(np.sin(w * y))
    y.fill(3.0)
    return s + np.sum(y * w)


def kept_by_rules(w, d):
    """A rule was given the array before."""
    y = d * 2
    s = np.sum(w * y)
    y[0] = 100.0
    return s + np.sum(y * w)


def accumulated(w, d):
    """Sums in a loop, of which an older one is kept."""
    total, result = w * 0, 0.0
    for t in range(3):
        old = total
        total += w * d[t]
        result = result + np.sum(old * total)
    return result


def masks(w, d):
    """A mask that is written into after it was used."""
    mask = d > 0
    s = np.sum(w[mask])
    mask[:] = True
    return s * np.sum(w[mask])


def transposed(w, d):
    """Rows and columns of a matrix, and the whole by another name."""
    a = np.outer(w, d)
    a[0] *= 2
    a.T[1] += w
    b = a
    b -= 1
    u, _, _ = a.T
    u *= 2
    return np.sum(a**2)


def swapped(w, d):
    """Elements change places."""
    y = w * d
    y += y
    y[1:] += y[:-1]
    y[0], y[1] = y[1], y[0]
    return np.sum(y**2)


WRITING = [
    another_name,
    slices,
    reshaped,
    given_out,
    methods,
    kept_by_rules,
    accumulated,
    masks,
    transposed,
    swapped,
]
