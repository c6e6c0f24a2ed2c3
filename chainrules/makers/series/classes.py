"""The methods of NumPy's classes of polynomials, as functions of the arrays that an instance holds.

The methods hide their results in an instance, where AD systems do not look. The functions here do the same
with a `Series` in the place of the instance. They are made of functions with rules, and are differentiated by
tracing them.
"""

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.polynomial import Chebyshev, Hermite, HermiteE, Laguerre, Legendre, Polynomial
from numpy.polynomial import polyutils as pu
from numpy.polynomial._polybase import ABCPolyBase

from chainrules.makers.series.basis import Basis
from chainrules.values.reductions import shape_of
from chainrules_core import backing, primal_of, primitive

array, mapdomain, mapparms = primitive(np.array), primitive(pu.mapdomain), primitive(pu.mapparms)

BASES: dict[type, Basis] = {
    Polynomial: Basis(np.polynomial.polynomial, "poly"),
    Chebyshev: Basis(np.polynomial.chebyshev, "cheb"),
    Legendre: Basis(np.polynomial.legendre, "leg"),
    Laguerre: Basis(np.polynomial.laguerre, "lag"),
    Hermite: Basis(np.polynomial.hermite, "herm"),
    HermiteE: Basis(np.polynomial.hermite_e, "herme"),
}


@dataclass(frozen=True, eq=False)
class Series:
    """The arrays of an instance of one of the classes. AD systems look into dataclasses.

    Attributes
    ----------
    kind
        The class.
    coef
        The coefficients.
    domain, window
        The ends of the interval that is mapped, and of the interval that it is mapped to.
    symbol
        The name of the variable.
    """

    kind: Any
    coef: Any
    domain: Any
    window: Any
    symbol: str

    def __call__(self, name: str) -> Callable[..., Any]:
        """A function of the basis, such as `chebval` for ``"val"``."""
        return basis_of(self.kind)(name)


def basis_of(kind: type) -> Basis:
    """The functions for a class, which may be derived from one of NumPy's."""
    return next(BASES[cls] for cls in kind.__mro__ if cls in BASES)


@backing.register
def backing_of_series(p: ABCPolyBase) -> dict[str, Any]:
    """The fields of an instance; some take their domain or window from the class."""
    return {name: getattr(p, name) for name in ("coef", "domain", "window", "_symbol")}


def series(kind: Any, coef: Any, domain: Any = None, window: Any = None, symbol: str = "x") -> Series:
    """As the classes are called."""
    return Series(kind, numbers(coef), *intervals(kind, domain, window), symbol)


def intervals(kind: Any, domain: Any, window: Any) -> tuple[Any, Any]:
    """The domain and the window of an instance; for `None` the class has one."""
    return (
        kind.domain if domain is None else numbers(domain),
        kind.window if window is None else numbers(window),
    )


def numbers(c: Any) -> Any:
    """A vector, of whatever NumPy takes for one."""
    return np.atleast_1d(array(c) if isinstance(c, list | tuple) else c)


# --- Values ------------------------------------------------------------------------------------------------


def value(p: Series, x: Any) -> Any:
    """At points; or the composition with another polynomial."""
    if isinstance(x, Series):
        return composition(p, x)
    x = array(x) if isinstance(x, list | tuple) else x
    return p("val")(mapdomain(x, p.domain, p.window), p.coef)


def composition(p: Series, q: Series) -> Series:
    """The sum of ``coef[k] P_k(u)`` for the polynomial ``u = off + scl q``, by the basis's recurrence."""
    off, scl = mapparms(p.domain, p.window)
    add, mul = q("add"), q("mul")
    u = add(numbers(off), scl * q.coef)
    n = shape_of(p.coef)[0]
    X = basis_of(p.kind).times_x(n)
    before: Any = None
    last: Any = np.ones(1)
    total = p.coef[:1]
    for k in range(n - 1):
        recurrence = add(mul(u, last), -X[k, k] * last)
        if k:
            recurrence = add(recurrence, -X[k, k - 1] * before)
        before, last = last, recurrence / X[k, k + 1]
        total = add(total, p.coef[k + 1] * last)
    return replace(q, coef=total)


def linspace(p: Series, n: int = 100, domain: Any = None) -> Any:
    """Points in the domain, and the values there."""
    first, last = p.domain if domain is None else domain
    x = np.linspace(first, last, n)
    return x, value(p, x)


def roots(p: Series) -> Any:
    """The roots."""
    return mapdomain(p("roots")(p.coef), p.window, p.domain)


# --- Calculus ----------------------------------------------------------------------------------------------


def deriv(p: Series, m: int = 1) -> Series:
    """The derivative of order `m`."""
    _, scl = mapparms(p.domain, p.window)
    return replace(p, coef=p("der")(p.coef, m, scl))


def integ(p: Series, m: int = 1, k: Any = (), lbnd: Any = None) -> Series:
    """The integral of order `m`."""
    off, scl = mapparms(p.domain, p.window)
    return replace(p, coef=p("int")(p.coef, m, k, 0 if lbnd is None else off + scl * lbnd, 1.0 / scl))


# --- Arithmetic --------------------------------------------------------------------------------------------


def negative(p: Series) -> Series:
    """The other sign."""
    return replace(p, coef=-p.coef)


def same(p: Series) -> Series:
    """The polynomial itself: a copy has the same arrays."""
    return p


def power(p: Series, n: int) -> Series:
    """To an integer."""
    return replace(p, coef=p("pow")(p.coef, n, p.kind.maxpower))


def combination(name: str, p: Any, q: Any) -> Series:
    """The sum, the difference or the product of two polynomials; one may be just coefficients."""
    either = p if isinstance(p, Series) else q
    return replace(either, coef=either(name)(coefficients(p), coefficients(q)))


def division(p: Any, q: Any) -> tuple[Series, Series]:
    """The quotient and the remainder."""
    either = p if isinstance(p, Series) else q
    quotient, remainder = either("div")(coefficients(p), coefficients(q))
    return replace(either, coef=quotient), replace(either, coef=remainder)


def coefficients(p: Any) -> Any:
    """Of a polynomial; a number or an array is one of them, or all."""
    return p.coef if isinstance(p, Series) else numbers(p)


OPERATORS: dict[Callable[..., Any], Callable[..., Any]] = {
    operator.add: functools.partial(combination, "add"),
    operator.sub: functools.partial(combination, "sub"),
    operator.mul: functools.partial(combination, "mul"),
    operator.truediv: lambda p, q: division(p, q)[0],
    operator.floordiv: lambda p, q: division(p, q)[0],
    operator.mod: lambda p, q: division(p, q)[1],
    divmod: division,
}


# --- Other forms -------------------------------------------------------------------------------------------


def truncate(p: Series, size: int) -> Series:
    """The first coefficients."""
    if size < 1 or size != int(size):
        raise ValueError("size must be a positive integer")  # as NumPy
    return replace(p, coef=p.coef[: int(size)])


def cutdeg(p: Series, deg: int) -> Series:
    """The terms of the lowest degrees."""
    return truncate(p, deg + 1)


def trim(p: Series, tol: Any = 0) -> Series:
    """Without small coefficients at the end."""
    return replace(p, coef=primitive(pu.trimcoef)(p.coef, tol))


def convert(p: Series, domain: Any = None, kind: Any = None, window: Any = None) -> Series:
    """The same function in another basis or with another domain."""
    return composition(p, identity(kind or p.kind, domain, window, p.symbol))


def parameters(p: Series) -> Any:
    """The offset and the slope of the map of the domain to the window."""
    return mapparms(p.domain, p.window)


# --- Class methods -----------------------------------------------------------------------------------------


def identity(kind: Any, domain: Any = None, window: Any = None, symbol: str = "x") -> Series:
    """The polynomial `x`."""
    domain, window = intervals(kind, domain, window)
    return Series(kind, basis_of(kind)("line")(*mapparms(window, domain)), domain, window, symbol)


def basis(kind: Any, deg: int, domain: Any = None, window: Any = None, symbol: str = "x") -> Series:
    """One polynomial of the basis."""
    return series(kind, np.append(np.zeros(deg), 1.0), domain, window, symbol)


def cast(kind: Any, p: Series, domain: Any = None, window: Any = None) -> Series:
    """As `convert`, to the class."""
    return convert(p, domain, kind, window)


def fromroots(kind: Any, roots: Any, domain: Any = (), window: Any = None, symbol: str = "x") -> Series:
    """The polynomial with these roots."""
    roots = numbers(roots)
    domain, window = intervals(kind, chosen_domain(kind, roots, domain), window)
    _, scl = mapparms(domain, window)
    monic = basis_of(kind)("fromroots")(mapdomain(roots, domain, window))
    return Series(kind, monic / scl ** shape_of(roots)[0], domain, window, symbol)


def fit(  # noqa: PLR0913, PLR0917 - those of NumPy's method
    kind: Any,
    x: Any,
    y: Any,
    deg: Any,
    domain: Any = None,
    rcond: Any = None,
    full: bool = False,
    w: Any = None,
    window: Any = None,
    symbol: str = "x",
) -> Series:
    """The least squares fit to data."""
    x, y = numbers(x), numbers(y)
    domain = chosen_domain(kind, x, domain)
    if primal_of(domain)[0] == primal_of(domain)[1]:
        domain = domain + np.array([-1.0, 1.0])
    domain, window = intervals(kind, domain, window)
    w = None if w is None else numbers(w)
    coef = basis_of(kind)("fit")(mapdomain(x, domain, window), y, deg, rcond, full, w)
    return Series(kind, coef, domain, window, symbol)


def chosen_domain(kind: Any, points: Any, domain: Any) -> Any:
    """`None` is the interval of the points, and an empty list the class's."""
    if domain is None:
        return interval_of(points)
    return kind.domain if isinstance(domain, list | tuple) and not domain else domain


def interval_of(points: Any) -> Any:
    """The smallest interval, or rectangle of complex numbers, that holds some points."""
    if primal_of(points).dtype.kind == "c":
        real, imag = interval_of(np.real(points)), interval_of(np.imag(points))
        return real + 1j * imag
    return np.stack((np.min(points), np.max(points)))
