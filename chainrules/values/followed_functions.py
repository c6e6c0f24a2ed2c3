"""The public names of SciPy whose code the engine follows, and whose rules are made by that.

Nothing of SciPy is imported for the table. `chainrules/rulesets/followed.toml` has a call of each function,
and of those that are followed and have no rules: `gaps.toml` says why not.
"""

import contextlib
import operator
import sys
import types
from collections.abc import Iterator
from typing import Any

# By module: functions and methods; with parentheses classes.
FOLLOWED = {
    "scipy.cluster.hierarchy": (
        "ClusterNode() average centroid complete median single to_mlab_linkage to_tree ward weighted"
    ),
    "scipy.constants": "convert_temperature lambda2nu nu2lambda",
    "scipy.fft": "fhtoffset",
    "scipy.fftpack": "rfftfreq",
    "scipy.integrate": "cubature nsum qmc_quad",
    "scipy.interpolate": (
        "Akima1DInterpolator() BPoly() BSpline() BarycentricInterpolator() CloughTocher2DInterpolator() "
        "CubicHermiteSpline() CubicSpline() FloaterHormannInterpolator() InterpolatedUnivariateSpline() "
        "KroghInterpolator() LSQBivariateSpline() LSQUnivariateSpline() LinearNDInterpolator() NdBSpline() "
        "NdPPoly() NearestNDInterpolator() PPoly() PchipInterpolator() RBFInterpolator() "
        "RectBivariateSpline() RegularGridInterpolator() SmoothBivariateSpline() UnivariateSpline() "
        "interp1d() barycentric_interpolate bisplev bisplrep griddata insert interpn krogh_interpolate "
        "make_interp_spline make_lsq_spline make_smoothing_spline make_splprep make_splrep "
        "pchip_interpolate spalde splantider splder splev splint splprep splrep sproot BPoly.antiderivative "
        "BPoly.derivative BPoly.integrate BSpline.antiderivative BSpline.derivative BSpline.insert_knot "
        "BSpline.integrate BarycentricInterpolator.derivative BarycentricInterpolator.derivatives "
        "BivariateSpline.ev BivariateSpline.get_coeffs BivariateSpline.get_knots "
        "BivariateSpline.get_residual BivariateSpline.integral BivariateSpline.partial_derivative "
        "KroghInterpolator.derivative NdPPoly.antiderivative NdPPoly.derivative NdPPoly.integrate "
        "NdPPoly.integrate_1d PPoly.antiderivative PPoly.derivative PPoly.integrate PPoly.roots PPoly.solve "
        "UnivariateSpline.antiderivative UnivariateSpline.derivative UnivariateSpline.derivatives "
        "UnivariateSpline.get_coeffs UnivariateSpline.get_knots UnivariateSpline.get_residual "
        "UnivariateSpline.integral UnivariateSpline.roots"
    ),
    "scipy.linalg": "cdf2rdf clarkson_woodruff_transform expm_cond rsf2csf",
    "scipy.ndimage": (
        "black_tophat center_of_mass extrema generic_filter generic_filter1d generic_gradient_magnitude "
        "generic_laplace geometric_transform grey_closing grey_opening "
        "labeled_comprehension maximum mean median minimum morphological_gradient morphological_laplace "
        "standard_deviation sum sum_labels variance vectorized_filter white_tophat"
    ),
    "scipy.optimize": (
        "Bounds() LinearConstraint() NonlinearConstraint() OptimizeResult() rosen rosen_der rosen_hess "
        "rosen_hess_prod"
    ),
    "scipy.signal": (
        "CZT() StateSpace() TransferFunction() ZerosPolesGain() ZoomFFT() dlti() lti() "
        "abcd_normalize band_stop_obj bessel bilinear bilinear_zpk bode butter buttord cheb1ap cheb1ord "
        "cheb2ap cheb2ord cheby1 cheby2 chirp closest_STFT_dual_window coherence cont2discrete csd "
        "cspline1d cspline1d_eval cspline2d czt czt_points dbode decimate deconvolve detrend dfreqresp "
        "dimpulse dlsim dstep ellip ellipap ellipord envelope filtfilt find_peaks firls firwin firwin2 "
        "freqresp freqs freqs_zpk freqz freqz_sos freqz_zpk gammatone gauss_spline gausspulse "
        "get_window group_delay hilbert hilbert2 iircomb iirdesign iirfilter iirnotch iirpeak impulse "
        "invres invresz istft kaiser_atten kaiser_beta kaiserord lfiltic lombscargle lp2bp lp2bp_zpk lp2bs "
        "lp2bs_zpk lp2hp lp2hp_zpk lp2lp lp2lp_zpk lsim medfilt minimum_phase normalize order_filter "
        "peak_prominences peak_widths periodogram place_poles qspline1d qspline1d_eval qspline2d resample "
        "resample_poly residue residuez savgol_coeffs savgol_filter sawtooth sos2tf sos2zpk sosfilt_zi "
        "sosfiltfilt sosfreqz spectrogram spline_filter square ss2tf ss2zpk step stft sweep_poly "
        "symiirorder1 symiirorder2 tf2sos tf2ss tf2zpk vectorstrength welch wiener zoom_fft zpk2sos zpk2ss "
        "zpk2tf CZT.points "
        "StateSpace.to_tf StateSpace.to_zpk TransferFunction.to_ss TransferFunction.to_zpk "
        "ZerosPolesGain.to_ss ZerosPolesGain.to_tf dlti.bode dlti.freqresp dlti.impulse dlti.output "
        "dlti.step lti.bode lti.freqresp lti.impulse lti.output lti.step"
    ),
    "scipy.signal.windows": (
        "chebwin dpss exponential gaussian general_cosine general_gaussian general_hamming kaiser "
        "kaiser_bessel_derived taylor tukey"
    ),
    "scipy.sparse": "kron kronsum matrix_transpose spdiags",
    "scipy.sparse.csgraph": "laplacian",
    "scipy.sparse.linalg": (
        "LinearOperator() aslinearoperator expm_multiply lsmr lsqr onenormest LinearOperator.matmat "
        "LinearOperator.matvec LinearOperator.rmatmat LinearOperator.rmatvec"
    ),
    "scipy.spatial": (
        "Rectangle() SphericalVoronoi() geometric_slerp procrustes Rectangle.max_distance_point "
        "Rectangle.max_distance_rectangle Rectangle.min_distance_point Rectangle.min_distance_rectangle "
        "Rectangle.volume"
    ),
    "scipy.stats": (
        "alexandergovern anderson bayes_mvs binned_statistic binned_statistic_2d binned_statistic_dd "
        "binomtest bootstrap boxcox_normmax boxcox_normplot chi2_contingency circmean circstd circvar "
        "combine_pvalues cramervonmises cumfreq describe differential_entropy directional_stats "
        "dunnett epps_singleton_2samp expectile false_discovery_control kstat kstatvar kurtosistest "
        "lmoment median_abs_deviation mode monte_carlo_test normaltest obrientransform "
        "permutation_test poisson_means_test power_divergence ppcc_max ppcc_plot probplot quantile "
        "relfreq scoreatpercentile shapiro siegelslopes sigmaclip skewtest theilslopes tmax tmean "
        "tmin trim1 trimboth tsem tstd tukey_hsd tvar yeojohnson_normmax yeojohnson_normplot "
        "matrix_t.logpdf matrix_t.pdf rv_continuous.expect rv_discrete.expect"
    ),
    "scipy.stats.contingency": "expected_freq margins",
    "scipy.stats.qmc": "discrepancy geometric_discrepancy update_discrepancy",
}

# By module: the names of methods by the classes that define them, where these are not the public ones.
_IN_CLASSES = {
    "scipy.interpolate": (
        "_BivariateSplineBase.get_coeffs _BivariateSplineBase.get_knots _BivariateSplineBase.get_residual "
        "_BivariateSplineBase.partial_derivative _Interpolator1DWithDerivatives.derivative "
        "_Interpolator1DWithDerivatives.derivatives"
    ),
    "scipy.stats": "matrix_t_gen.logpdf matrix_t_gen.pdf",
}


def callee_names(module: str) -> list[str]:
    """The names in a module, as `chainrules_core.register_ruleset` takes those of callees."""
    names = FOLLOWED[module].split()
    classes = [name.removesuffix("()") for name in names if name.endswith("()")]
    return [*names, *classes, *_IN_CLASSES.get(module, "").split()]


def foreign_callee_names(module: str) -> list[str]:
    """Those of other modules, whose rules are for the instances of classes of the module."""
    return ["getattr"] if "()" in FOLLOWED[module] else []


def followed_in(module: str) -> Iterator[Any]:
    """The functions, classes and methods that the installed version has, of a module that is imported."""
    for name in FOLLOWED[module].split():
        with contextlib.suppress(AttributeError):
            f = operator.attrgetter(name.removesuffix("()"))(sys.modules[module])
            yield getattr(f, "__func__", f)


def is_followed(f: Any) -> bool:
    """Whether a callable is one of these, or an instance of such a class."""
    return any(map(_is_named, (f,) if isinstance(f, types.FunctionType | type) else type(f).__mro__))


def _is_named(f: Any) -> bool:
    defined_in = str(f.__module__)
    if not defined_in.startswith("scipy."):
        return False
    package = defined_in.split(".")[:2]
    modules = [module for module in FOLLOWED if module.split(".")[:2] == package and module in sys.modules]
    return any(f is other for module in modules for other in followed_in(module))
