"""The functions whose rules serve lazy arrays: each was tried, and computes nothing, in both modes.

All other rules of this package are refused for lazy arrays, since they might compute the whole array without
a word, or Dask gives something else than NumPy. Rules of other packages are left to their authors.
"""

import sys
from typing import Any

import numpy as np

# By the module that has them.
_LAZY = {
    "builtins": (
        "abs callable divmod enumerate getattr hasattr hash id isinstance issubclass iter len list "
        "next pow repr reversed slice str sum tuple type zip"
    ),
    "copy": ("copy deepcopy"),
    "numpy": (
        "absolute acos acosh add all angle any arccos arccosh arcsin arcsinh arctan arctan2 "
        "arctanh argmax argmin argwhere around astype atleast_1d atleast_2d atleast_3d average "
        "broadcast_arrays broadcast_to cbrt ceil clip concatenate conjugate copysign corrcoef cos "
        "cosh count_nonzero cov cumsum deg2rad degrees diag diagonal diff divide divmod dot dstack "
        "ediff1d einsum equal exp exp2 expand_dims expm1 fabs fix flatnonzero flip fliplr flipud "
        "float_power floor floor_divide fmax fmin fmod frexp full_like greater greater_equal "
        "heaviside hstack hypot i0 imag isclose iscomplex iscomplexobj isfinite isinf isnan isneginf "
        "isposinf isreal less less_equal log log10 log1p log2 logaddexp logaddexp2 "
        "logical_and logical_not logical_or logical_xor matmul max maximum mean meshgrid min minimum "
        "modf moveaxis multiply nan_to_num nanargmax nanargmin nanmax nanmean nanmin nanprod nanstd "
        "nansum nanvar ndim negative nextafter nonzero not_equal ones_like outer pad permute_dims "
        "positive power prod ptp rad2deg radians ravel real reciprocal remainder repeat reshape "
        "result_type rint roll rollaxis rot90 round shape sign signbit sin sinc sinh spacing sqrt "
        "square squeeze stack std subtract sum swapaxes take tan tanh tensordot tile trace transpose "
        "tril triu trunc var vdot vecdot vstack where zeros_like"
    ),
    "numpy.fft": ("fft fft2 fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft rfft rfft2 rfftn"),
    "numpy.linalg": ("cholesky inv matmul norm outer qr solve svd tensordot"),
    "operator": (
        "abs add eq floordiv ge getitem gt iadd imul is_ is_not isub itruediv le lt matmul mod mul ne "
        "neg pos pow sub truediv"
    ),
    "scipy.special": (
        "agm bdtr bdtrc bdtri bdtrik bdtrin bei beip ber berp besselpoly beta betainc betaincc "
        "betainccinv betaincinv betaln binom boxcox boxcox1p btdtria btdtrib cbrt chdtr chdtrc chdtri "
        "chdtriv cosdg cosm1 cotdg dawsn digamma ellipe ellipeinc ellipk ellipkinc ellipkm1 elliprc "
        "elliprf elliprg entr erf erfc erfcinv erfcx erfi erfinv eval_chebyc eval_chebys eval_chebyt "
        "eval_chebyu eval_gegenbauer eval_genlaguerre eval_jacobi eval_laguerre eval_legendre "
        "eval_sh_chebyt eval_sh_chebyu eval_sh_jacobi eval_sh_legendre exp1 exp10 exp2 expi expit "
        "expm1 exprel fdtr fdtrc fdtri fdtridfd gamma gammainc gammaincc gammainccinv gammaincinv "
        "gammaln gammasgn gdtr gdtrc gdtria gdtrib gdtrix hankel1 hankel1e hankel2 hankel2e huber "
        "hyp0f1 hyp1f1 hyp2f1 i0 i0e i1 i1e inv_boxcox inv_boxcox1p it2struve0 itmodstruve0 itstruve0 "
        "iv ive j0 j1 jn jv jve k0 k0e k1 k1e kei keip ker kerp kl_div kn kolmogi kolmogorov kv kve "
        "log1p log_expit log_ndtr log_softmax log_wright_bessel loggamma logit logsumexp modstruve "
        "nbdtr nbdtrc nbdtri nbdtrik nbdtrin ndtr ndtri ndtri_exp nrdtrimn nrdtrisd owens_t pdtr "
        "pdtrc pdtri pdtrik poch powm1 pseudo_huber psi radian rel_entr rgamma round sindg softmax "
        "spence stdtr stdtridf stdtrit struve tandg tklmbda voigt_profile wofz wright_bessel "
        "wrightomega xlog1py xlogy y0 y1 yn yv yve zeta zetac"
    ),
}
LAZY_FUNCTIONS = {module: frozenset(names.split()) for module, names in _LAZY.items()}


def stays_lazy(f: Any) -> bool:
    """Whether the rules of a function serve lazy arrays."""
    name = getattr(f, "__name__", None)
    return any(
        name in names and getattr(sys.modules.get(module), str(name), None) is f
        for module, names in LAZY_FUNCTIONS.items()
    )


def refusal_of_lazy(method: Any, f: Any) -> str | None:
    """Why a rule is not called with lazy arrays; `None` if it is.

    Parameters
    ----------
    method
        The rule, as `rrule.methods` lists it.
    f
        The function that is called.
    """
    maker = method.function.__module__
    if stays_lazy(f) or maker.startswith("chainrules.rulesets.dask.") or not _is_ours(maker, f):
        return None
    name = getattr(f, "__qualname__", None) or getattr(f, "__name__", None) or repr(f)
    return (
        f"The {method.mode} of {name} is not called with a Dask array: it would compute the whole array, or "
        "Dask computes something else than NumPy. If the array is small, compute it before: `x.compute()`. "
        "Otherwise write the function with others that stay lazy, or give a function of your own a rule."
    )


def _is_ours(maker: str, f: Any) -> bool:
    """Whether a rule is one of this package: its own, or made by a maker for a function of NumPy or SciPy."""
    if maker.startswith("chainrules.rulesets."):
        return True
    if not maker.startswith(("chainrules.makers.", "chainrules_core.definition.")):
        return False
    if isinstance(f, np.ufunc):  # these do not say whose they are
        homes = (sys.modules.get(name) for name in ("numpy", "scipy.special"))
        return any(getattr(home, f.__name__, None) is f for home in homes)
    package = str(getattr(f, "__module__", None)).partition(".")[0]
    return package in {"numpy", "scipy", "None"} or package in sys.stdlib_module_names
