"""The public names of `scipy.interpolate` whose code the engine follows, and whose rules are made by that.

Left out are functions that call back, `approximate_taylor_polynomial`; those that have no derivative, which
`chainrules/rulesets/followed.toml` names; and methods that change an object.
"""

FUNCTIONS = (
    "barycentric_interpolate bisplev bisplrep griddata insert interpn krogh_interpolate lagrange "
    "make_interp_spline make_lsq_spline make_smoothing_spline make_splprep make_splrep pade "
    "pchip_interpolate spalde splantider splder splev splint splprep splrep sproot"
)

CLASSES = (
    "Akima1DInterpolator BPoly BSpline BarycentricInterpolator CloughTocher2DInterpolator "
    "CubicHermiteSpline CubicSpline FloaterHormannInterpolator InterpolatedUnivariateSpline "
    "KroghInterpolator LSQBivariateSpline LSQUnivariateSpline LinearNDInterpolator NdBSpline NdPPoly "
    "NearestNDInterpolator PPoly PchipInterpolator RBFInterpolator RectBivariateSpline "
    "RegularGridInterpolator SmoothBivariateSpline UnivariateSpline interp1d"
)

# By a public class that has them; several of the classes above inherit from it.
METHODS = (
    "BPoly.antiderivative BPoly.derivative BPoly.integrate BSpline.antiderivative BSpline.derivative "
    "BSpline.insert_knot BSpline.integrate BarycentricInterpolator.derivative "
    "BarycentricInterpolator.derivatives KroghInterpolator.derivative BivariateSpline.ev "
    "BivariateSpline.get_coeffs BivariateSpline.get_knots BivariateSpline.get_residual "
    "BivariateSpline.integral BivariateSpline.partial_derivative NdPPoly.antiderivative "
    "NdPPoly.derivative NdPPoly.integrate NdPPoly.integrate_1d PPoly.antiderivative PPoly.derivative "
    "PPoly.integrate PPoly.roots PPoly.solve UnivariateSpline.antiderivative "
    "UnivariateSpline.derivative UnivariateSpline.derivatives UnivariateSpline.get_coeffs "
    "UnivariateSpline.get_knots UnivariateSpline.get_residual UnivariateSpline.integral "
    "UnivariateSpline.roots"
)

# Where SciPy defines methods that public classes inherit.
_INHERITED = (
    "_BivariateSplineBase.get_coeffs _BivariateSplineBase.get_knots _BivariateSplineBase.get_residual "
    "_BivariateSplineBase.partial_derivative _Interpolator1DWithDerivatives.derivative "
    "_Interpolator1DWithDerivatives.derivatives"
)

# As `chainrules_core.register_ruleset` takes the names of callees.
CALLEES = (
    *f"{FUNCTIONS} {CLASSES} {METHODS} {_INHERITED}".split(),
    *(f"{name}()" for name in CLASSES.split()),
)
