"""Ways to get an array from another one, some of them views; and what views are used for."""

import copy

import numpy as np

from chainrules_core import NoTangent, primitive, rrule, typeof_

# Ways to get an array from another one; NumPy says which of them are views.
WAYS = {
    "x[1]": lambda x: x[1],
    "x[1:]": lambda x: x[1:],
    "x[::-1, 1]": lambda x: x[::-1, 1],
    "x[...]": lambda x: x[...],
    "x[None]": lambda x: x[None],
    "x[[0, 1]]": lambda x: x[[0, 1]],
    "x[x > 2]": lambda x: x[x > 2],
    "x.T": lambda x: x.T,
    "x.mT": lambda x: x.mT,
    "x.T.T": lambda x: x.T.T,
    "x.real": lambda x: x.real,
    "x.reshape(-1)": lambda x: x.reshape(-1),
    "x.T.reshape(-1)": lambda x: x.T.reshape(-1),
    "x.ravel()": lambda x: x.ravel(),
    "x.T.ravel()": lambda x: x.T.ravel(),
    "x.T.ravel('F')": lambda x: x.T.ravel("F"),
    "x.flatten()": lambda x: x.flatten(),
    "x.copy()": lambda x: x.copy(),
    "x.squeeze()": lambda x: x.squeeze(),
    "x.swapaxes(0, 1)": lambda x: x.swapaxes(0, 1),
    "x.transpose(1, 0)": lambda x: x.transpose(1, 0),
    "x.diagonal()": lambda x: x.diagonal(),
    "x.astype(float)": lambda x: x.astype(float),
    "x.astype(float, copy=False)": lambda x: x.astype(float, copy=False),
    "x.take([0], 0)": lambda x: x.take([0], 0),
    "next(iter(x))": lambda x: next(iter(x)),
    "list(x)[1]": lambda x: list(x)[1],
    "copy.copy(x)": copy.copy,
    "copy.deepcopy(x)": copy.deepcopy,
    "np.array(x)": lambda x: np.array(x, like=x),
    "np.copy": np.copy,
    "np.atleast_1d": np.atleast_1d,
    "np.atleast_2d": np.atleast_2d,
    "np.atleast_3d": np.atleast_3d,
    "np.broadcast_to": lambda x: np.broadcast_to(x, (2, 2, 3)),
    "np.diagonal": np.diagonal,
    "np.expand_dims": lambda x: np.expand_dims(x, 1),
    "np.flip": np.flip,
    "np.fliplr": np.fliplr,
    "np.flipud": np.flipud,
    "np.imag": lambda x: np.imag(x * 1j),
    "np.matrix_transpose": np.linalg.matrix_transpose,
    "np.moveaxis": lambda x: np.moveaxis(x, 0, 1),
    "np.nan_to_num": np.nan_to_num,
    "np.permute_dims": lambda x: np.transpose(x, (1, 0)),
    "np.ravel": np.ravel,
    "np.real": np.real,
    "np.repeat": lambda x: np.repeat(x, 1, 0),
    "np.reshape": lambda x: np.reshape(x, (3, 2)),
    "np.roll": lambda x: np.roll(x, 1),
    "np.rollaxis": lambda x: np.rollaxis(x, 1),
    "np.rot90": np.rot90,
    "np.sort": np.sort,
    "np.split": lambda x: np.split(x, 2)[1],
    "np.array_split": lambda x: np.array_split(x, 2, axis=1)[1],
    "np.hsplit": lambda x: np.hsplit(x, 3)[0],
    "np.squeeze": np.squeeze,
    "np.swapaxes": lambda x: np.swapaxes(x, 0, 1),
    "np.tile": lambda x: np.tile(x, 1),
    "np.transpose": np.transpose,
    "np.trim_zeros": lambda x: np.trim_zeros(x[0]),
    "np.tril": np.tril,
    "np.where": lambda x: np.where(x > 0, x, 0.0),
    "np.concatenate": lambda x: np.concatenate([x]),
    "np.stack": lambda x: np.stack([x])[0],
    "+x": lambda x: +x,
    "x * 1": lambda x: x * 1,
    "np.positive": np.positive,
    "np.conjugate": np.conjugate,
    "np.maximum": lambda x: np.maximum(x, -1.0),
    "np.clip": lambda x: np.clip(x, -100, 100),
    "np.round": np.round,
    "np.cumsum": lambda x: np.cumsum(x, axis=0),
}

# Uses of an array that outlives a differentiation, of a row of it, and of its elements.
KEPT_AND = {
    "read": lambda y, row, flat: y @ row + flat[:3],
    "read by index": lambda y, row, flat: y[2] * y[1:, 0][0] + y[2, 1] * y.T[0] * y[1].T,
    "written": lambda y, row, flat: (y.__setitem__(1, 2.0 * y[0]), row * flat[2:5])[1],
    "views are written": lambda y, row, flat: (
        row.__setitem__(0, y[0, 0] ** 2),
        y[1:].__imul__(3.0),
        np.reshape(y, 9)[5:].__imul__(flat[1]),
        row * y[2],
    )[-1],
}


@primitive
def scaled(x):
    """A function that returns its argument, and says that the derivative is 100 times as large."""
    return x


@rrule.dispatch
def scaled_rrule(f: typeof_(scaled), x: object):
    """Scale the cotangent."""
    return x, lambda y_bar: (NoTangent(), 100.0 * y_bar)


@primitive
def tail(x):
    """A function that returns a view of its argument, and says another derivative."""
    return x[1:]


@rrule.dispatch
def tail_rrule(f: typeof_(tail), x: np.ndarray):
    """Say that there is none."""
    return x[1:], lambda y_bar: (NoTangent(), np.zeros_like(x))
