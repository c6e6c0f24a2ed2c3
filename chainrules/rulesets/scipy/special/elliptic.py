"""Rules for elliptic functions and integrals, in all arguments.

Legendre's integrals are written by Carlson's, whose derivatives by the parameter ``m`` have no difference
that could cancel, and no quotient that is 0 / 0 at ``m = 0``. With ``s = sin φ``, ``c = cos φ``,
``d² = 1 - m s²``, for ``|φ| <= π/2``::

    K = RF(0, 1 - m, 1)                  dK/dm = RD(0, 1, 1 - m) / 6
    E = 2 RG(0, 1 - m, 1)                dE/dm = -RD(0, 1 - m, 1) / 6
    F(φ, m) = s RF(c², d², 1)            ∂F/∂m = s³ RD(c², 1, d²) / 6
    E(φ, m)                              ∂E/∂m = -s³ RD(c², d², 1) / 6

The derivatives of complete integrals by themselves are those of `chainrules.formulas`. n half turns further
on ``2 n`` times the complete integral is added: https://dlmf.nist.gov/19.25, https://dlmf.nist.gov/19.18. The
amplitude ``φ = am(u, m)`` is the inverse of ``u = F(φ, m)``, so that ``∂φ/∂m = -dn ∂F/∂m``. That of ``dn`` is
``-(sn² + 2 m sn cn ∂φ/∂m) / (2 dn)``, where a part of ``RD`` is ``3 / (c d) - RD(1, d², c²) - RD(c², d², 1)``
(https://dlmf.nist.gov/19.21.E8): nothing is left to cancel.

Derivatives of ``RD`` and ``RJ`` are integrals that SciPy does not have: see
`chainrules.operations.power_integrals`. Where the last argument is negative, ``RC`` and ``RJ`` are principal
values, whose derivatives follow from the sum of all derivatives, and from that the functions are homogeneous.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import (
    ellipe,
    ellipeinc,
    ellipj,
    ellipk,
    ellipkinc,
    ellipkm1,
    elliprc,
    elliprd,
    elliprf,
    elliprg,
    elliprj,
)

from chainrules.formulas.special_functions.complete_elliptic_integrals import (
    first_kind_by_m,
    second_kind_by_m,
)
from chainrules.makers.lazy_partials import lazy_scalar_rule
from chainrules.operations.power_integrals import power_integral
from chainrules_core import may_hold, primal_of, scalar_rule, without_warnings

# --- Legendre's complete integrals --------------------------------------------------------------------------


@scalar_rule(ellipk)
@without_warnings
def _(K: Any, m: Any) -> Any:
    return first_kind_by_m(K, ellipe(m), m, 1.0 - m)


@scalar_rule(ellipkm1)
@without_warnings
def _(K: Any, p: Any) -> Any:
    return -first_kind_by_m(K, ellipe(1.0 - p), 1.0 - p, p)


@scalar_rule(ellipe)
@without_warnings
def _(E: Any, m: Any) -> Any:
    return second_kind_by_m(ellipk(m), E, m)


# --- Legendre's incomplete integrals ------------------------------------------------------------------------


def _delta(phi: Any, m: Any) -> Any:
    """``sqrt(1 - m sin² φ)``, without cancellation where m is near 1."""
    s, c = np.sin(phi), np.cos(phi)
    return np.sqrt(c * c + (1.0 - m) * s * s)


def _first_kind_by_m(m: Any) -> Any:
    """Of the complete integral."""
    return elliprd(0.0, 1.0, 1.0 - m) / 6.0


def _second_kind_by_m(m: Any) -> Any:
    """Of the complete integral."""
    return -elliprd(0.0, 1.0 - m, 1.0) / 6.0


def _within_half_turn(phi: Any) -> tuple[Any, Any]:
    """The nearest number of half turns, and the angle that is left."""
    turns = np.rint(primal_of(phi) / np.pi)
    return turns, phi - turns * np.pi


def _with_turns(by_m: Any, turns: Any, complete_by_m: Any, m: Any) -> Any:
    if not may_hold(turns):
        return by_m
    return by_m + np.where(turns == 0, 0.0, 2.0 * turns * complete_by_m(m))


def _squares(phi: Any, m: Any) -> tuple[Any, Any, Any, Any]:
    """The sine and the cosine of an angle, ``c²`` and ``d²``."""
    s, c = np.sin(phi), np.cos(phi)
    return s, c, c * c, c * c + (1.0 - m) * s * s


def _incomplete_first_kind_by_m(phi: Any, m: Any) -> Any:
    turns, phi = _within_half_turn(phi)
    s, _, c2, d2 = _squares(phi, m)
    return _with_turns(s**3 * elliprd(c2, 1.0, d2) / 6.0, turns, _first_kind_by_m, m)


def _incomplete_second_kind_by_m(E: Any, phi: Any, m: Any) -> Any:
    turns, phi = _within_half_turn(phi)
    s, _, c2, d2 = _squares(phi, m)
    return _with_turns(-(s**3) * elliprd(c2, d2, 1.0) / 6.0, turns, _second_kind_by_m, m)


lazy_scalar_rule(
    ellipkinc,
    lambda F, phi, m: 1.0 / _delta(phi, m),
    lambda F, phi, m: _incomplete_first_kind_by_m(phi, m),
)
lazy_scalar_rule(ellipeinc, lambda E, phi, m: _delta(phi, m), _incomplete_second_kind_by_m)

# --- Jacobi's functions -------------------------------------------------------------------------------------


def _jacobi_by_u(y: Any, u: Any, m: Any) -> tuple[Any, Any, Any, Any]:
    sn, cn, dn, _ = y
    return cn * dn, -sn * dn, -m * sn * cn, dn


def _jacobi_by_m(y: Any, u: Any, m: Any) -> tuple[Any, Any, Any, Any]:
    sn, cn, dn, amplitude = y
    by_m = -dn * _incomplete_first_kind_by_m(amplitude, m)
    turns, phi = _within_half_turn(amplitude)
    s, c, c2, d2 = _squares(phi, m)
    dn_by_m = -0.5 * s * s * dn - m * c * s**4 * (elliprd(1.0, d2, c2) + elliprd(c2, d2, 1.0)) / 6.0
    dn_by_m = _with_turns(dn_by_m, turns, lambda m: m * s * c * _first_kind_by_m(m), m)
    return cn * by_m, -sn * by_m, dn_by_m, by_m


lazy_scalar_rule(ellipj, _jacobi_by_u, _jacobi_by_m)

# --- Carlson's integrals ------------------------------------------------------------------------------------


def _is_negative(x: Any) -> Any:
    """Where principal values are taken: at negative numbers without an imaginary part."""
    x = primal_of(x)
    return (np.real(x) < 0) & (np.imag(x) == 0)


def _kept_positive(x: Any, is_negative: Any) -> Any:
    return np.where(is_negative, 1.0, x) if may_hold(is_negative) else x


def _on_each_side(y: Any, of_positive: Callable[[Any], Any], of_negative: Callable[[], Any]) -> Any:
    """What is computed from `y` where it is positive, and something else where it is negative."""
    is_negative = _is_negative(y)
    ordinary = of_positive(_kept_positive(y, is_negative))
    return np.where(is_negative, of_negative(), ordinary) if may_hold(is_negative) else ordinary


def _degenerate_by_x(RC: Any, x: Any, y: Any) -> Any:
    return _on_each_side(
        y,
        lambda y: -elliprd(y, y, x) / 6.0,
        lambda: (RC - 1.0 / np.sqrt(x)) / (2.0 * (y - x)),
    )


def _degenerate_by_y(RC: Any, x: Any, y: Any) -> Any:
    return _on_each_side(
        y,
        lambda y: -elliprd(x, y, y) / 3.0,
        lambda: (RC - np.sqrt(x) / y) / (2.0 * (x - y)),
    )


lazy_scalar_rule(elliprc, _degenerate_by_x, _degenerate_by_y)

lazy_scalar_rule(
    elliprf,
    lambda RF, x, y, z: -elliprd(y, z, x) / 6.0,
    lambda RF, x, y, z: -elliprd(x, z, y) / 6.0,
    lambda RF, x, y, z: -elliprd(x, y, z) / 6.0,
)


def _second_kind_by_first(x: Any, y: Any, z: Any) -> Any:
    """``∂RG/∂x``, where RG is symmetric; of ``RG(x, 0, 0) = √x / 2`` too, where RF and RD are infinite."""
    is_alone = (primal_of(y) == 0) & (primal_of(z) == 0) & (primal_of(x) != 0)
    if not may_hold(is_alone):
        return _regular_second_kind_by_first(x, y, z)
    beside = _regular_second_kind_by_first(x, np.where(is_alone, 1.0, y), np.where(is_alone, 1.0, z))
    return np.where(is_alone, 0.25 / np.sqrt(np.where(is_alone, x, 1.0)), beside)


def _regular_second_kind_by_first(x: Any, y: Any, z: Any) -> Any:
    return (elliprf(x, y, z) - _product_or_zero(x, elliprd(y, z, x)) / 3.0) / 4.0


def _product_or_zero(x: Any, RD: Any) -> Any:
    """``x RD(y, z, x)``, which goes to 0 with x although RD becomes infinite."""
    is_zero = primal_of(x) == 0
    return x * np.where(is_zero, 0.0, RD) if may_hold(is_zero) else x * RD


lazy_scalar_rule(
    elliprg,
    lambda RG, x, y, z: _second_kind_by_first(x, y, z),
    lambda RG, x, y, z: _second_kind_by_first(y, x, z),
    lambda RG, x, y, z: _second_kind_by_first(z, x, y),
)

lazy_scalar_rule(
    elliprd,
    lambda RD, x, y, z: -0.75 * power_integral(3, 1, 3, 0, x, y, z, 1.0),
    lambda RD, x, y, z: -0.75 * power_integral(1, 3, 3, 0, x, y, z, 1.0),
    lambda RD, x, y, z: -2.25 * power_integral(1, 1, 5, 0, x, y, z, 1.0),
)


def _third_kind_by_first(RJ: Any, x: Any, y: Any, z: Any, p: Any) -> Any:
    """``∂RJ/∂x``, where RJ is symmetric in x, y and z."""
    is_negative = _is_negative(p)
    ordinary = -0.75 * power_integral(3, 1, 1, 2, x, y, z, _kept_positive(p, is_negative))
    if not may_hold(is_negative):
        return ordinary
    return np.where(is_negative, _principal_by_first(RJ, x, y, z, p), ordinary)


def _principal_by_first(RJ: Any, x: Any, y: Any, z: Any, p: Any) -> Any:
    return (RJ - elliprd(y, z, x)) / (2.0 * (p - x))


def _third_kind_by_p(RJ: Any, x: Any, y: Any, z: Any, p: Any) -> Any:
    is_negative = _is_negative(p)
    ordinary = -1.5 * power_integral(1, 1, 1, 4, x, y, z, _kept_positive(p, is_negative))
    if not may_hold(is_negative):
        return ordinary
    arguments = (x, y, z), (y, x, z), (z, x, y)
    by_others = sum(_product_or_zero(a, _principal_by_first(RJ, a, b, c, p)) for a, b, c in arguments)
    return np.where(is_negative, -(1.5 * RJ + by_others) / p, ordinary)


lazy_scalar_rule(
    elliprj,
    _third_kind_by_first,
    lambda RJ, x, y, z, p: _third_kind_by_first(RJ, y, x, z, p),
    lambda RJ, x, y, z, p: _third_kind_by_first(RJ, z, x, y, p),
    _third_kind_by_p,
)
