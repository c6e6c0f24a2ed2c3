"""Rules for the error function and Fresnel's integrals.

``erf' x = 2/√π exp(-x²)``, ``erfinv' y = √π/2 exp(erfinv² y)``, ``S' + i C' = sin(πz²/2) + i cos(πz²/2)``:
https://dlmf.nist.gov/7.2. The functions that are scaled, so that they neither overflow nor underflow, are
all made of ``E(z) = exp(z²) erfc z``, whose derivatives are in `chainrules/operations/scaled_erfc.py`:
``wofz z = E(-iz)``, ``dawsn x = √π/2 Im wofz x``, Fresnel's modified integrals ``K±(x) = E(x exp(∓iπ/4)) /
2``, and Voigt's profile ``V = Re wofz(z) / (σ√(2π))`` with ``z = (x + iγ) / (σ√2)``, for which ``∂V/∂σ = σ
∂²V/∂x²``.
"""

from cmath import exp
from math import pi, sqrt

import numpy as np
from scipy import special

from chainrules.formulas.numbers.far_ends import without_infinities
from chainrules.formulas.numbers.precision import as_precise
from chainrules.operations.scaled_erfc import scaled_erfc
from chainrules_core import is_complex, may_hold, non_differentiable, primal_of, scalar_rule

TWO_BY_SQRT_PI = 2 / sqrt(pi)

# From here on, on either side, ``exp(-x²)`` is zero.
_UNDERFLOWS_FROM = 30.0


def _gaussian(x):
    x = without_infinities(x, -_UNDERFLOWS_FROM, _UNDERFLOWS_FROM)
    return TWO_BY_SQRT_PI * np.exp(-x * x)


scalar_rule(special.erf, lambda y, x: _gaussian(x))
scalar_rule(special.erfc, lambda y, x: -_gaussian(x))
scalar_rule(special.erfi, lambda y, x: TWO_BY_SQRT_PI * np.exp(x * x))
scalar_rule(special.erfinv, lambda y, p: np.exp(y * y) / TWO_BY_SQRT_PI)
scalar_rule(special.erfcinv, lambda y, p: -np.exp(y * y) / TWO_BY_SQRT_PI)
scalar_rule(special.erfcx, lambda y, x: scaled_erfc(1, x))
scalar_rule(special.wofz, lambda y, z: -1j * scaled_erfc(1, -1j * as_precise(z, y)))

# --- Integrals ---------------------------------------------------------------------------------------------

# From here on ``1 - 2 x dawsn x`` loses digits. SciPy's complex values do so near the imaginary axis, too.
_FAR_AWAY = 10.0
# From here on it is ``-2 dawsn(x)²``.
_HUGE = 1e9


@scalar_rule(special.dawsn)
def _(y, x):
    near = 1.0 - 2.0 * x * y
    if is_complex(x):
        return near
    is_far = np.abs(primal_of(x)) > _FAR_AWAY
    if not may_hold(is_far):
        return near
    is_huge = np.abs(primal_of(x)) > _HUGE
    far = -np.real(scaled_erfc(1, -1j * np.where(is_huge, _HUGE, x))) / TWO_BY_SQRT_PI
    return np.where(is_huge, -2.0 * y * y, np.where(is_far, far, near))


@scalar_rule(special.fresnel)
def _(y, z):
    angle = (pi / 2) * z * z
    return (np.sin(angle),), (np.cos(angle),)


@scalar_rule(special.modfresnelp)
def _(y, x):
    turn = exp(-0.25j * pi)
    return (-np.exp(1j * x * x),), (0.5 * turn * scaled_erfc(1, turn * x),)


@scalar_rule(special.modfresnelm)
def _(y, x):
    turn = exp(0.25j * pi)
    return (-np.exp(-1j * x * x),), (0.5 * turn * scaled_erfc(1, turn * x),)


# Beside such a standard deviation all others are infinite, in their precision; its powers are still numbers.
_TINY = {np.dtype(np.float32): 1e-9, np.dtype(np.float64): 1e-60}


@scalar_rule(special.voigt_profile)
def _(y, x, sigma, gamma):
    # Of E, whose argument is -i times that of wofz.
    x, sigma, gamma = (as_precise(part, y) for part in (x, sigma, gamma))
    # A standard deviation of 0 is the limit of small ones, in which it is even.
    scale = 1.0 / (sqrt(2) * np.where(primal_of(sigma) == 0, _TINY[primal_of(y).dtype], sigma))
    z = (gamma - 1j * x) * scale
    factor = scale * scale / sqrt(pi)
    first, second = scaled_erfc(1, z), scaled_erfc(2, z)
    by_sigma = -factor / sqrt(2) * np.real(second)
    is_sharp = primal_of(sigma) == 0
    if may_hold(is_sharp):
        # It is sigma times the second derivative by x, of Cauchy's density.
        width = np.where(is_sharp, gamma, 1.0)
        square = x * x + width * width
        bend = (6.0 * x * x - 2.0 * width * width) * width / (pi * square * square * square)
        by_sigma = np.where(is_sharp, sigma * bend, by_sigma)
        # A negative width is none; SciPy's values jump at a standard deviation of 0 then.
        factor = np.where(is_sharp & (primal_of(gamma) < 0), np.nan, factor)
        by_sigma = np.where(np.isnan(primal_of(factor)), np.nan, by_sigma)
    return factor * np.imag(first), by_sigma, factor * np.real(first)


non_differentiable(special.erf_zeros, special.fresnel_zeros, special.fresnelc_zeros, special.fresnels_zeros)
