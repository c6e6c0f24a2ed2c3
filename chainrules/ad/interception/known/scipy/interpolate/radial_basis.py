"""Sums of radial functions: the functions in C that compute their matrices, in NumPy."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.entering import entered, entered_if_traced
from chainrules.ad.interception.known.scipy.interpolate.fits import as_array, plain
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of

# Each of the squared distance. Where that is zero `_apart` stands in for it, and the value at zero is zero.
_KERNELS: dict[str, Callable[..., Any]] = {
    "linear": lambda s: -np.sqrt(s),
    "thin_plate_spline": lambda s: 0.5 * s * np.log(s),
    "cubic": lambda s: s * np.sqrt(s),
    "quintic": lambda s: -s * s * np.sqrt(s),
}
_SMOOTH_KERNELS: dict[str, Callable[..., Any]] = {
    "multiquadric": lambda s: -np.sqrt(s + 1.0),
    "inverse_multiquadric": lambda s: 1.0 / np.sqrt(s + 1.0),
    "inverse_quadratic": lambda s: 1.0 / (s + 1.0),
    "gaussian": lambda s: np.exp(-s),
}


def _kernel_matrix(x: Any, y: Any, name: str, epsilon: Any) -> Any:
    """A radial function of the distances between points in the rows of two arrays."""
    s = np.sum((epsilon * x[:, np.newaxis] - epsilon * y) ** 2, axis=-1)
    if name in _SMOOTH_KERNELS:
        return _SMOOTH_KERNELS[name](s)
    is_zero = primal_of(s) == 0.0  # there the derivative is zero, but not that of a root
    return np.where(is_zero, 0.0, _KERNELS[name](np.where(is_zero, 1.0, s)))


def _monomials(x: Any, powers: Any) -> Any:
    """The monomials at points in the rows of an array, a column for each."""
    columns = [np.prod(x ** power.astype(float), axis=1) for power in powers]
    return np.stack(columns, axis=1) if columns else np.zeros((len(x), 0))


def _solving(build_and_solve: Any) -> Callable[..., Any]:
    """The function for the place of `_build_and_solve_system`.

    The polynomials are those of moved and scaled points; the sum does not depend on which these are.
    """

    def call(  # noqa: PLR0913, PLR0917 - as many as the function has
        y: Any, d: Any, smoothing: Any, kernel: str, epsilon: Any, powers: Any, *_modules: Any
    ) -> Any:
        low, high = np.min(primal_of(y), axis=0), np.max(primal_of(y), axis=0)
        shift, scale = 0.5 * (high + low), 0.5 * (high - low)
        scale = np.where(scale == 0.0, 1.0, scale)
        P = _monomials((y - shift) / scale, powers)
        K = _kernel_matrix(y, y, kernel, epsilon) + np.diag(smoothing)
        zeros = np.zeros((len(powers), len(powers)))
        lhs = np.concatenate([np.concatenate([K, P], axis=1), np.concatenate([P.T, zeros], axis=1)])
        rhs = np.concatenate([d, np.zeros((len(powers), d.shape[1]))])
        return shift, scale, np.linalg.solve(lhs, rhs)

    return entered_if_traced(build_and_solve, call)


def _evaluating(build: Any) -> Callable[..., Any]:
    """The function for the place of `_build_evaluation_coefficients`."""

    def call(  # noqa: PLR0913, PLR0917 - as many as the function has
        x: Any, y: Any, kernel: str, epsilon: Any, powers: Any, shift: Any, scale: Any
    ) -> Any:
        K = _kernel_matrix(x, y, kernel, epsilon)
        return np.concatenate([K, _monomials((x - shift) / scale, powers)], axis=1)

    return entered_if_traced(build, call)


def _making(init: Any) -> Callable[..., Any]:
    """The function for the place of `RBFInterpolator.__init__`: neighbors are found without tangents."""
    signature = inspect.signature(init)

    def call(*args: Any, **kwargs: Any) -> None:
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        named = given.arguments
        if np.iscomplexobj(plain(named["d"])):
            raise NotImplementedError(
                "`RBFInterpolator` reads complex values as pairs of numbers: interpolate `d.real` "
                "and `d.imag`."
            )
        if named["neighbors"] is None:
            (entered(init) or init)(*args, **kwargs)
            return
        init(*map(plain, given.args), **{name: plain(x) for name, x in given.kwargs.items()})
        new, d, n = named["self"], named["d"], len(named["y"])
        d = np.reshape(as_array(d), (n, -1))
        new.y, new.d, new.epsilon = (
            as_array(named["y"]),
            d,
            1.0 if named["epsilon"] is None else named["epsilon"],
        )
        new.smoothing = np.broadcast_to(named["smoothing"], (n,))

    return entered_if_traced(init, call)


class _Neighbors:
    """A tree that finds the nearest points, and says nothing of how far they are."""

    def __init__(self: Any, tree: Any) -> None:
        self._tree = tree

    def query(self: Any, x: Any, number: Any) -> tuple[None, Any]:
        return None, self._tree.query(primal_of(x), number)[1]


def _evaluating_near(method: Any) -> Callable[..., Any]:
    """The function for the place of `RBFInterpolator.__call__`."""

    def call(self: Any, x: Any) -> Any:
        if self.neighbors is not None:
            of, self = self, object.__new__(type(self))
            vars(self).update(vars(of), _tree=_Neighbors(of._tree))
        return (entered(method) or method)(self, x)

    return entered_if_traced(method, call)


fact("scipy.interpolate._rbfinterp.RBFInterpolator.__init__", wrapped=_making)
fact("scipy.interpolate._rbfinterp.RBFInterpolator.__call__", wrapped=_evaluating_near)
fact(
    "scipy.interpolate._rbfinterp_np._build_and_solve_system",
    "scipy.interpolate._rbfinterp._build_and_solve_system",  # SciPy 1.15
    wrapped=_solving,
)
fact("scipy.interpolate._rbfinterp_pythran._build_evaluation_coefficients", wrapped=_evaluating)
