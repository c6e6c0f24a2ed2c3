"""Distributions of vectors and matrices whose code is followed, although their methods have rules.

A rule computes the value by SciPy's code, and once more by the composition that is differentiated. Where the
code is followed, it is computed once. SciPy is not imported: the names are known. The density of Dirichlet's
distribution is not followed: at a coordinate 0 the slope of ``exp(logpdf)`` is lost.
"""

from chainrules.ad.values.facts import fact

_DENSITIES, _MOMENTS = ("logpdf", "pdf", "entropy"), ("mean", "mode", "var")
_METHODS = {
    "multivariate_t": _DENSITIES,
    "dirichlet": ("logpdf", "entropy", "mean", "var", "cov"),
    "wishart": (*_DENSITIES, *_MOMENTS),
    "invwishart": (*_DENSITIES, *_MOMENTS),
    "matrix_normal": _DENSITIES,
    "vonmises_fisher": _DENSITIES,
}

fact(
    *(
        f"scipy.stats._multivariate.{distribution}_{kind}.{name}"
        for distribution, names in _METHODS.items()
        for name in names
        for kind in ("gen", "frozen")
    ),
    is_entered=True,
)
