"""Arguments for every function whose rules serve lazy arrays, by the function's name."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from chainrules.values.lazy_functions import LAZY_FUNCTIONS


class Case(NamedTuple):
    """A call of a function."""

    name: str
    f: Any
    args: tuple[Any, ...]
    named: dict[str, Any]
    chunks: int | None = None  # along every axis; by default the first axis in two chunks, the others in one


RNG = np.random.default_rng(2)
A, B = RNG.normal(size=(2, 8, 4))
P = np.abs(A) + 0.5
V = RNG.normal(size=4)
W = RNG.normal(size=(4, 3))
Q = RNG.normal(size=(4, 4)) + 4 * np.eye(4)
SYMMETRIC = Q @ Q.T
MASK = A > 0
# By name, the arguments of one call or of several; the last item of each may be a dict of keywords.
NUMPY: dict[str, list[tuple[Any, ...]]] = {
    "all": [(A,)],
    "angle": [(A,), (A + 1j * B,)],
    "any": [(A,)],
    "argmax": [(A,), (A, 1)],
    "argmin": [(A,)],
    "around": [(A,)],
    "astype": [(A, np.float32)],
    "atleast_1d": [(V,)],
    "atleast_2d": [(V,)],
    "atleast_3d": [(V,)],
    "average": [(A,), (A, 1), (A, 0, P)],
    "broadcast_to": [(A, (3, 8, 4))],
    "clip": [(A, -0.5, 0.5), (A, -P, P)],
    "corrcoef": [(A,)],
    "count_nonzero": [(A,)],
    "cov": [(A,)],
    "cumsum": [(V,), (A, 0), (A, 1)],
    "diag": [(V,), (A,), (A, 1), (A, -2)],
    "diagonal": [(A,), (A, 1), (A, -2)],
    "diff": [(A,), (A, 2, 0)],
    "dot": [(A, W), (A, V), (V, V)],
    "ediff1d": [(V,)],
    "expand_dims": [(A, 0)],
    "fix": [(A,)],
    "flip": [(A,), (A, 0)],
    "fliplr": [(A,)],
    "flipud": [(A,)],
    "full_like": [(A, 2.0)],
    "i0": [(A,)],
    "imag": [(A,), (A + 1j * B,)],
    "isclose": [(A, 1.0)],
    "iscomplex": [(A,)],
    "isneginf": [(A,)],
    "isposinf": [(A,)],
    "isreal": [(A,)],
    "max": [(A,), (A, 0), (A, 1), (np.sign(A),)],
    "mean": [(A,), (A, 0), (A, {"axis": 1, "keepdims": True}), (A + 1j * B,)],
    "min": [(A,), (A, 0), (np.sign(A), 1)],
    "moveaxis": [(A, 0, 1)],
    "nan_to_num": [(A,)],
    "nanargmax": [(A,)],
    "nanargmin": [(A,)],
    "nanmax": [(A,), (np.where(A > 1, np.nan, A), 0)],
    "nanmean": [(A,), (np.where(A > 1, np.nan, A), 0)],
    "nanmin": [(A,), (np.where(A > 1, np.nan, A), 0)],
    "nanprod": [(A,), (np.where(A > 1, np.nan, A), 0)],
    "nanstd": [(A,), (np.where(A > 1, np.nan, A), 0)],
    "nansum": [(A,), (np.where(A > 1, np.nan, A), 0)],
    "nanvar": [(A,), (np.where(A > 1, np.nan, A), 0)],
    "ones_like": [(A,)],
    "outer": [(V, A[:, 0])],
    "pad": [(A, 1), (A, ((1, 0), (0, 2)), {"mode": "reflect"}), (A, 2, {"mode": "edge"})],
    "permute_dims": [(A,)],
    "prod": [(A,), (A, 0), (np.where(np.abs(A) < 0.3, 0.0, A), 1)],
    "ptp": [(A,), (A, 1)],
    "ravel": [(A,)],
    "real": [(A,), (A + 1j * B,)],
    "repeat": [(A, 2, {"axis": 0})],
    "reshape": [(A, -1), (A, (32,)), (A, (2, 4, 4))],
    "roll": [(A, 1), (A, 1, {"axis": 0})],
    "rollaxis": [(A, 1)],
    "rot90": [(A,)],
    "round": [(A,)],
    "sinc": [(A,)],
    "squeeze": [(A[:, :1], 1)],
    "std": [(A,), (A, 0), (A, {"axis": 0, "ddof": 1}), (np.ones((8, 4)),)],
    "sum": [(A,), (A, 0), (A, {"axis": (0, 1), "keepdims": True}), (A + 1j * B,), (np.zeros((0, 3)),)],
    "swapaxes": [(A, 0, 1)],
    "take": [
        (A, np.array([0, 2, 2, -1]), {"axis": 0}),
        (A, np.array([1, 1]), {"axis": 1}),
        (V, np.array([3, 0, 3])),
    ],
    "tensordot": [(A, W, 1)],
    "tile": [(A, 2)],
    "trace": [(A,), (A, -1)],
    "transpose": [(A,), (A[None], (2, 0, 1))],
    "tril": [(A,)],
    "triu": [(A, 1)],
    "trunc": [(A,)],
    "var": [(A,), (A, 0), (A + 1j * B, 1)],
    "vdot": [(V, V), (V + 1j, V)],
    "where": [(MASK, A, B), (MASK, A, 0.0)],
    "zeros_like": [(A,)],
    "matmul": [(A, W), (A, V), (V, W), (A.T, A), (np.ones((2, 8, 4)), W)],
    "vecdot": [(A, B)],
}

LINALG: dict[str, list[tuple[Any, ...]]] = {
    "inv": [(Q,), (Q + 1j * SYMMETRIC,)],
    "matmul": [(A, W)],
    "norm": [
        (A,),
        (A, {"axis": 1}),
        (V, np.inf),
        (V, 3),
        (V, 1),
        (V, 0),
        (A, 1),
        (A, np.inf),
        (A, "fro"),
        (0 * A,),
    ],
    "outer": [(V, V)],
    "solve": [(Q, V), (Q, W[:4])],
    "tensordot": [(A, W, {"axes": 1})],
    "cholesky": [(SYMMETRIC,), (SYMMETRIC, {"upper": True}), (SYMMETRIC + 0j,)],
}

SPECIAL: dict[str, list[tuple[Any, ...]]] = {
    "logsumexp": [(A,), (A, 1), (A, {"axis": 0, "keepdims": True}), (np.where(A > 1, -np.inf, A), 0)],
    "softmax": [(A,), (A, 1)],
    "log_softmax": [(A,), (A, 1)],
    "zeta": [(P + 1, P)],
}

# Dask transforms whole axes only.
FFT: dict[str, list[tuple[Any, ...]]] = {
    name: [
        (
            A + 1j * B if "r" not in name and name != "ihfft" else A,
            {"axes": 1} if "shift" in name else {"axis": 1},
        )
    ]
    for name in LAZY_FUNCTIONS["numpy.fft"]
    if name[-1] not in "2n"
}

# These take arrays in a list, or answer with what is no array, or with several: they have tests of their own.
ELSEWHERE = {
    "numpy": {"argwhere", "broadcast_arrays", "concatenate", "dstack", "einsum", "flatnonzero", "hstack"}
    | {"iscomplexobj", "meshgrid", "ndim", "nonzero", "result_type", "shape", "stack", "vstack"},
    "numpy.fft": {name for name in LAZY_FUNCTIONS["numpy.fft"] if name[-1] in "2n"},
    "numpy.linalg": {"qr", "svd"},
}


def cases() -> Iterator[Case]:
    """Every call."""
    tables = (("numpy", np, NUMPY), ("numpy.linalg", np.linalg, LINALG), ("numpy.fft", np.fft, FFT))
    for home, module, table in (*tables, ("scipy.special", special, SPECIAL)):
        for name, calls in sorted(table.items()):
            for number, call in enumerate(calls):
                *args, named = call if isinstance(call[-1], dict) else (*call, {})
                chunks = 2 if name in SQUARE_CHUNKS else None
                yield Case(f"{home}.{name} {number}", getattr(module, name), tuple(args), named, chunks)
        for name in sorted(LAZY_FUNCTIONS[home] - table.keys() - ELSEWHERE.get(home, set())):
            f = getattr(module, name)
            for number, args in enumerate(_arguments_of_ufunc(f)):
                yield Case(f"{home}.{name} {number}", f, args, {})


SQUARE_CHUNKS = {"inv", "solve", "cholesky"}


def _arguments_of_ufunc(f: np.ufunc) -> Iterator[tuple[Any, ...]]:
    """Between 0 and 1, where nearly all functions are defined; some only if all but the last are integers."""
    rng = np.random.default_rng(3)
    # (The degrees of freedom of `stdtridf` are nearly infinite at integers.)
    for whole in (
        (False, True) if f.nin > 1 and f.signature is None and f.__name__ != "stdtridf" else (False,)
    ):
        args = [rng.uniform(0.2, 0.8, size=(8, 4)) for _ in range(f.nin)]
        yield tuple(np.ceil(3 * x) if whole and place < f.nin - 1 else x for place, x in enumerate(args))
