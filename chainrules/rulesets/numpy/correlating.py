"""Rules for covariances and correlation coefficients.

With the deviations ``X`` from the weighted means, a row for each variable, and the weights ``w`` of the
observations, the covariance is ``C = X diag(w) Xᴴ / c``. The differential of the means drops out, because the
weighted deviations sum to zero:

    dC = (dX diag(w) Xᴴ + X diag(w) dXᴴ + X diag(dw) Xᴴ - C dc) / c

Here ``w = f a`` with the frequencies ``f`` and the analytic weights ``a``, and ``c = s - ddof Σ f a² / s``
with ``s = Σ f a``; without analytic weights ``c = s - ddof``. The correlation is ``R[i, j] = C[i, j] / √(C[i,
i] C[j, j])``, so that, with ``e[i] = dC[i, i] / 2 C[i, i]``,

    dR[i, j] = dC[i, j] / √(C[i, i] C[j, j]) - R[i, j] (e[i] + e[j])
"""

import math
from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.numbers.precision import as_precise
from chainrules.values.operands import Operand
from chainrules.values.reductions import shape_of
from chainrules.values.stacks import adjoint, conjugate
from chainrules_core import NO_TANGENT, AbstractZero, ProjectTo, frule, primal_of, rrule, thunk, typeof_

_Y, _AWEIGHTS = 0, 5  # the places of these after the array


@frule.dispatch
def cov_frule(tangents, f: typeof_(np.cov), x: Operand, *options, **named):
    _, x_dot, *option_dots = tangents
    C = np.cov(x, *options, **named)
    data = _read_cov(C, x, *options, **named)
    C_dot = _push_covariance(data, x, data.second, x_dot, _at(option_dots, _Y))
    a_dot = _at(option_dots, _AWEIGHTS)
    if not isinstance(a_dot, AbstractZero):
        c_dot = np.sum(_by_weights(data) * a_dot)
        w_dot = data.frequencies * a_dot
        C_dot = C_dot + data.factor * (
            (data.deviations * w_dot) @ adjoint(data.deviations) - np.reshape(C, shape_of(C_dot)) * c_dot
        )
    return C, ProjectTo(C)(np.reshape(C_dot, shape_of(C)))


@rrule.dispatch
def cov_rrule(f: typeof_(np.cov), x: Operand, *options, **named):
    C = np.cov(x, *options, **named)
    data = _read_cov(C, x, *options, **named)

    def cov_pullback(C_bar):
        size = data.deviations.shape[0]
        C_bar = np.reshape(C_bar, (size, size))

        def pull_weights():
            by_each = np.real(np.sum(conjugate(data.deviations) * (C_bar @ data.deviations), axis=0))
            c_bar = -np.real(np.sum(conjugate(C_bar) * np.reshape(C, (size, size))))
            a_bar = data.factor * (data.frequencies * by_each + c_bar * _by_weights(data))
            return ProjectTo(options[_AWEIGHTS])(a_bar)

        x_bar, *option_bars = _pull_covariance(data, C_bar, x, options)
        if len(options) > _AWEIGHTS and options[_AWEIGHTS] is not None:
            option_bars[_AWEIGHTS] = thunk(pull_weights)
        return NO_TANGENT, x_bar, *option_bars

    return C, cov_pullback


@frule.dispatch
def corrcoef_frule(tangents, f: typeof_(np.corrcoef), x: Operand, *options, **named):
    _, x_dot, *option_dots = tangents
    R = np.corrcoef(x, *options, **named)
    data = _read_cov(R, x, *options, **named)
    C_dot = _push_covariance(data, x, data.second, x_dot, _at(option_dots, _Y))
    variances = _variances(data)
    scale = np.sqrt(variances)
    e = np.real(np.diagonal(C_dot)) / (2 * variances)
    R_dot = C_dot / (scale[:, np.newaxis] * scale)
    R_dot = R_dot - np.reshape(R, shape_of(C_dot)) * (e[:, np.newaxis] + e)
    return R, ProjectTo(R)(np.reshape(R_dot, shape_of(R)))


@rrule.dispatch
def corrcoef_rrule(f: typeof_(np.corrcoef), x: Operand, *options, **named):
    R = np.corrcoef(x, *options, **named)
    data = _read_cov(R, x, *options, **named)

    def corrcoef_pullback(R_bar):
        variances = _variances(data)
        scale = np.sqrt(variances)
        R_bar = np.reshape(R_bar, (len(scale), len(scale)))
        products = np.real(R_bar * conjugate(np.reshape(R, shape_of(R_bar))))
        e_bar = -(np.sum(products, axis=0) + np.sum(products, axis=1))
        C_bar = R_bar / (scale[:, np.newaxis] * scale) + np.diag(e_bar / (2 * variances))
        return NO_TANGENT, *_pull_covariance(data, C_bar, x, options)

    return R, corrcoef_pullback


# --- The observations -------------------------------------------------------------------------------


class _Data(NamedTuple):
    """The observations, in columns, whose covariance is taken.

    Attributes
    ----------
    deviations
        Shape ``(variables, observations)``.
    weights
        The product of both kinds of weights; a number, or one for each observation.
    frequencies, analytic
        The weights of each kind; 1 if there are none.
    ddof
        The degrees of freedom that the means use up.
    factor
        The factor of the sum of products, ``1 / c``.
    rowvar
        Whether variables are rows of the arguments.
    second
        The second argument, or `None`.
    """

    deviations: Any
    weights: Any
    frequencies: Any
    analytic: Any
    ddof: Any
    factor: Any
    rowvar: bool
    second: Any


def _read_cov(  # noqa: PLR0913, PLR0917 - NumPy's signature
    result, x, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None
) -> _Data:
    observed = as_precise(_variables_in_rows(x, y, bool(rowvar)), result)  # which is of double precision
    ddof = int(not bias) if ddof is None else ddof
    frequencies = 1 if fweights is None else as_precise(_as_vector(fweights), observed)
    analytic = 1 if aweights is None else as_precise(_as_vector(aweights), observed)
    weights = frequencies * analytic
    if fweights is None and aweights is None:
        mean, total = np.mean(observed, axis=1, keepdims=True), observed.shape[1]
    else:
        total = np.sum(weights)
        mean = np.sum(observed * weights, axis=1, keepdims=True) / total
    lost = 1 if aweights is None else np.sum(weights * analytic) / total
    c = total - ddof * lost
    factor = 1 / c if primal_of(c) > 0 else math.inf
    return _Data(observed - mean, weights, frequencies, analytic, ddof, factor, bool(rowvar), y)


def _as_vector(weights):
    """The weights; NumPy takes a list for an array."""
    return np.ravel(weights) if isinstance(weights, list | tuple) else weights


def _variables_in_rows(x, y, rowvar: bool):
    """The variables of both arguments in rows."""
    rows = _rows_of(x, _is_transposed(x, rowvar))
    if y is None:
        return rows
    return np.concatenate((rows, _rows_of(y, _is_second_transposed(y, rowvar))))


def _is_transposed(x, rowvar: bool) -> bool:
    return not rowvar and len(shape_of(x)) == 2


def _is_second_transposed(y, rowvar: bool) -> bool:
    # NumPy takes a single row for a variable here, whatever it was told.
    return _is_transposed(y, rowvar) and shape_of(y)[0] != 1


def _rows_of(x, is_transposed: bool):
    if is_transposed:
        return np.transpose(x)
    return x if len(shape_of(x)) == 2 else np.reshape(x, (1, -1))


def _at(option_dots: list[Any], place: int):
    return option_dots[place] if len(option_dots) > place else NO_TANGENT


def _variances(data: _Data):
    X = data.deviations
    return np.sum(np.real(X * conjugate(X)), axis=1) * data.factor


def _by_weights(data: _Data):
    """The derivative of ``c`` by the analytic weights."""
    total = np.sum(data.weights)
    squares = np.sum(data.weights * data.analytic)
    return data.frequencies * (1 - data.ddof * (2 * data.analytic / total - squares / total**2))


def _push_covariance(data: _Data, x, y, x_dot, y_dot):
    """The tangent of the covariance, by the observations."""
    x_dot, y_dot = (
        np.zeros_like(v) if isinstance(v_dot, AbstractZero) and v is not None else v_dot
        for v, v_dot in ((x, x_dot), (y, y_dot))
    )
    X_dot = _variables_in_rows(x_dot, None if y is None else y_dot, data.rowvar)
    half = X_dot @ adjoint(data.deviations * (data.weights * data.factor))
    return half + adjoint(half)


def _pull_covariance(data: _Data, C_bar, x, options: tuple[Any, ...]) -> list[Any]:
    """The cotangents of the observations, and of the options."""
    X_bar = ((C_bar + adjoint(C_bar)) @ data.deviations) * (data.weights * data.factor)
    rows = shape_of(_rows_of(primal_of(x), _is_transposed(x, data.rowvar)))[0]
    cotangents = [_returned(X_bar[:rows], x, _is_transposed(x, data.rowvar)), *(NO_TANGENT,) * len(options)]
    if len(options) > _Y and options[_Y] is not None:
        y = options[_Y]
        cotangents[1 + _Y] = _returned(X_bar[rows:], y, _is_second_transposed(y, data.rowvar))
    return cotangents


def _returned(rows_bar, x, is_transposed: bool):
    """The transpose of `_rows_of`."""
    return ProjectTo(x)(np.reshape(np.transpose(rows_bar) if is_transposed else rows_bar, shape_of(x)))
