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


def new_arrays(w, d):
    """Values are written into arrays of the program's own, and into views of these."""
    y, z, u = np.zeros(3), np.ones((3, 1))[:, 0], np.empty_like(d)
    rest = y[1:]
    y[0] = w[0] * d[1]
    z[1:] += d[:2]
    u[:] = z
    u[0], z[2] = np.sum(d), w[1]
    np.multiply(z, w, out=z)
    np.add(d, u, out=u)
    rest *= z[:2] + np.full(2, d[0])
    y.fill(d[0])
    rest += 1.0
    return np.sum(y * u) + np.sum(rest * z[1:]) + np.sum(np.arange(3.0) * w)


def written_in_place(w, d):
    """A recorded array is changed by one that depends on nothing, and seen by another name."""
    y = d * 1.0
    z, ones, u = y, np.ones(3), np.zeros(3)
    ones[1] = 2.0
    y *= ones
    y[:2] = ones[1:]
    np.multiply(ones, d, out=y)
    u[0] = d[2]
    return np.sum(z * w) + np.sum(u)


def filled(w, d):
    """An array that is filled with numbers of both kinds."""
    y, z = np.zeros(3), np.full(3, d[1])
    for i in range(3):
        y[i] = w[i]
    y[1] = d[0]
    z[:] += w
    return np.sum(y * z)


def view_of_a_copy(w, d):
    """What is reshaped of a transpose is a view of an array that nobody else holds."""
    y = np.outer(w, d).T.reshape(9)
    y.reshape(3, 3)[0] += d
    return np.sum(y * y)


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
    new_arrays,
    written_in_place,
    filled,
    view_of_a_copy,
]
