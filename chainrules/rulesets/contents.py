"""Which file has the rules of which callees: written by ``make contents``, and not by hand.

By module that rules are for: its files, below `chainrules.rulesets`, and the names of their callees, those of
foreign callees after a bar. `chainrules_core.register_ruleset` says what the names mean. The table is of all
versions of Python and NumPy that are promised, and names functions that the installed ones may not have; the
methods of private classes are those of SciPy 1.17.
"""

CONTENTS = {
    "builtins": {
        "builtins.attributes": "delattr getattr setattr",
        "builtins.calls": "map",
        "builtins.containers": "enumerate filter iter list next reversed sorted tuple zip",
        "builtins.dicts": "dict",
        "builtins.extrema": "max min",
        "builtins.inspection": (
            "all any ascii bin bool bytearray bytes callable chr compile dir format hasattr hash hex id "
            "input int io:open isinstance issubclass len oct ord print range repr sitebuiltins:_Helper() "
            "slice str"
        ),
        "builtins.numbers": "abs complex divmod float pow round",
        "builtins.sums": "sum",
    },
    "chainrules_core.structured": {
        "chainrules_core.structured.arithmetic": "| add divide mul multiply sub subtract truediv",
        "chainrules_core.structured.constructors": (
            "Bidiagonal Diagonal Hermitian LowerTriangular SymTridiagonal Symmetric Tridiagonal "
            "UnitLowerTriangular UnitUpperTriangular UpperTriangular"
        ),
        "chainrules_core.structured.determinants": "| det inverse_on_bands slogdet",
        "chainrules_core.structured.diagonals": "| diag diagonal trace",
        "chainrules_core.structured.elementwise": "| abs neg pos pow ufunc()",
        "chainrules_core.structured.fields": "| getattr",
        "chainrules_core.structured.indexing": "| getitem",
        "chainrules_core.structured.methods": (
            "Banded.det Banded.diagonal Banded.slogdet Banded.to_dense Bidiagonal.inv Diagonal.det "
            "Diagonal.inv Diagonal.slogdet Mirrored.diagonal Mirrored.inv Mirrored.to_dense "
            "StructuredArray.astype StructuredArray.conj StructuredArray.conjugate StructuredArray.copy "
            "StructuredArray.det StructuredArray.diagonal StructuredArray.inv StructuredArray.slogdet "
            "StructuredArray.solve StructuredArray.sum StructuredArray.to_dense StructuredArray.trace "
            "StructuredArray.transpose Triangular.det Triangular.diagonal Triangular.inv Triangular.slogdet "
            "Triangular.to_dense"
        ),
        "chainrules_core.structured.products": "| matmul",
        "chainrules_core.structured.solutions": "| inv solve",
        "chainrules_core.structured.sums": "| sum",
        "chainrules_core.structured.triangles": "| tril triu",
    },
    "cmath": {
        "cmath": (
            "acos acosh asin asinh atan atanh cos cosh exp isclose isfinite isinf isnan log log10 phase "
            "polar rect sin sinh sqrt tan tanh"
        ),
    },
    "copy": {
        "copy": "copy deepcopy",
    },
    "functools": {
        "functools": "cmp_to_key partial partial() reduce",
    },
    "itertools": {
        "itertools": (
            "accumulate batched chain combinations combinations_with_replacement compress dropwhile "
            "filterfalse groupby islice pairwise permutations product repeat starmap takewhile zip_longest"
        ),
    },
    "math": {
        "math": (
            "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist erf erfc "
            "exp exp2 expm1 fabs factorial floor fma fmod frexp fsum gamma gcd hypot isclose isfinite isinf "
            "isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nextafter perm pow prod radians "
            "remainder sin sinh sqrt sumprod tan tanh trunc ulp"
        ),
    },
    "numpy": {
        "numpy.arithmetic": (
            "add divide divmod float_power floor_divide fmod modf multiply negative positive power "
            "reciprocal remainder square subtract"
        ),
        "numpy.array_kinds": (
            "array asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray astype copy require"
        ),
        "numpy.averages": "average mean nanmean",
        "numpy.bits": (
            "bitwise_and bitwise_count bitwise_or bitwise_xor invert left_shift packbits right_shift "
            "unpackbits"
        ),
        "numpy.clipping": "clip nan_to_num",
        "numpy.complex_numbers": "angle conjugate imag real real_if_close",
        "numpy.convolutions": "convolve correlate",
        "numpy.correlating": "corrcoef cov",
        "numpy.counting": "count_nonzero",
        "numpy.creation": "empty empty_like eye full full_like identity ones ones_like tri zeros zeros_like",
        "numpy.cross_products": "cross",
        "numpy.data_types": (
            "bool bytes_ can_cast clongdouble common_type complex128 complex64 dtype finfo float16 float32 "
            "float64 iinfo int16 int32 int64 int8 isdtype issubdtype longdouble longlong min_scalar_type "
            "mintypecode promote_types str_ typename uint16 uint32 uint64 uint8 ulonglong"
        ),
        "numpy.dates": (
            "busday_count busday_offset busdaycalendar datetime64 datetime_as_string datetime_data is_busday "
            "timedelta64"
        ),
        "numpy.diagonals": "diag diagflat diagonal trace",
        "numpy.differences": "diff ediff1d",
        "numpy.dimensions": (
            "atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_to expand_dims squeeze"
        ),
        "numpy.einsum": "einsum einsum_path",
        "numpy.element_products": "cumprod cumulative_prod nancumprod nanprod prod",
        "numpy.emath.inverses": "arccos arcsin arctanh",
        "numpy.emath.logarithms": "log log10 log2 logn",
        "numpy.emath.powers": "power sqrt",
        "numpy.exponents": "exp exp2 expm1 log log10 log1p log2 logaddexp logaddexp2",
        "numpy.extrema": "fmax fmin maximum minimum",
        "numpy.extreme_elements": "amax amin max min nanmax nanmin ptp",
        "numpy.floating_point": "copysign frexp ldexp nextafter signbit spacing",
        "numpy.floating_point_errors": "errstate geterr geterrcall seterr seterrcall",
        "numpy.functional_programming": "apply_along_axis apply_over_axes fromfunction",
        "numpy.gradients": "gradient",
        "numpy.grids": "ix_ meshgrid",
        "numpy.histograms": "bincount digitize histogram histogram2d histogram_bin_edges histogramdd",
        "numpy.hyperbolic": "arccosh arcsinh arctanh cosh sinh tanh",
        "numpy.in_place": "copyto fill_diagonal place put put_along_axis putmask",
        "numpy.index_arrays": (
            "diag_indices diag_indices_from indices mask_indices ndindex ravel_multi_index tril_indices "
            "tril_indices_from triu_indices triu_indices_from unravel_index"
        ),
        "numpy.indexing": "choose compress extract take take_along_axis",
        "numpy.input_output": (
            "array2string array_repr array_str base_repr binary_repr format_float_positional "
            "format_float_scientific frombuffer fromfile fromregex fromstring genfromtxt get_printoptions "
            "load loadtxt printoptions save savetxt savez savez_compressed set_printoptions"
        ),
        "numpy.insertion": "append delete insert resize trim_zeros",
        "numpy.inspection": "broadcast_shapes iterable ndim result_type shape size",
        "numpy.installation": (
            "get_include getbufsize info may_share_memory setbufsize shares_memory show_config show_runtime"
        ),
        "numpy.interpolation": "interp",
        "numpy.iteration": "fromiter ndenumerate",
        "numpy.joining": "block column_stack concatenate dstack hstack row_stack stack vstack",
        "numpy.logic": (
            "all allclose any array_equal array_equiv equal greater greater_equal isclose iscomplex "
            "iscomplexobj isfinite isfortran isinf isnan isnat isneginf isposinf isreal isrealobj isscalar "
            "less less_equal logical_and logical_not logical_or logical_xor not_equal"
        ),
        "numpy.magnitudes": "absolute fabs heaviside sign",
        "numpy.ndarray": (
            "ndarray.__getitem__ ndarray.__setitem__ ndarray.all ndarray.any ndarray.argmax ndarray.argmin "
            "ndarray.argpartition ndarray.argsort ndarray.astype ndarray.choose ndarray.clip "
            "ndarray.compress ndarray.conj ndarray.conjugate ndarray.copy ndarray.cumprod ndarray.cumsum "
            "ndarray.diagonal ndarray.dot ndarray.dump ndarray.dumps ndarray.fill ndarray.flatten "
            "ndarray.item ndarray.max ndarray.mean ndarray.min ndarray.nonzero ndarray.partition "
            "ndarray.prod ndarray.put ndarray.ravel ndarray.repeat ndarray.reshape ndarray.resize "
            "ndarray.round ndarray.searchsorted ndarray.sort ndarray.squeeze ndarray.std ndarray.sum "
            "ndarray.swapaxes ndarray.take ndarray.tobytes ndarray.tofile ndarray.tolist ndarray.tostring "
            "ndarray.trace ndarray.transpose ndarray.var"
        ),
        "numpy.numerical_ranges": "arange geomspace linspace logspace",
        "numpy.order_statistics": "median nanmedian nanpercentile nanquantile percentile quantile",
        "numpy.padding": "pad",
        "numpy.piecewise": "piecewise",
        "numpy.polynomials": "poly polyadd polyder polydiv polyfit polyint polymul polysub polyval roots",
        "numpy.products": "dot inner matmul matvec outer vdot vecdot vecmat",
        "numpy.rational": "gcd lcm",
        "numpy.rearranging": "flip fliplr flipud roll rot90",
        "numpy.roots": "cbrt sqrt",
        "numpy.rounding": "around ceil fix floor rint round trunc",
        "numpy.searching": (
            "argmax argmin argwhere flatnonzero nanargmax nanargmin nonzero searchsorted select where"
        ),
        "numpy.sets": (
            "in1d intersect1d isin setdiff1d setxor1d union1d unique unique_all unique_counts unique_inverse "
            "unique_values"
        ),
        "numpy.shapes": "ravel reshape",
        "numpy.sorting": "argpartition argsort lexsort partition sort sort_complex",
        "numpy.special": "i0 sinc",
        "numpy.splitting": "array_split dsplit hsplit split unstack vsplit",
        "numpy.sums": "cumsum cumulative_sum nancumsum nansum sum",
        "numpy.tensor_products": "kron tensordot",
        "numpy.tiling": "repeat tile",
        "numpy.transposes": "matrix_transpose moveaxis rollaxis swapaxes transpose",
        "numpy.trapezoid": "trapezoid trapz",
        "numpy.triangles": "tril triu",
        "numpy.trigonometric": (
            "arccos arcsin arctan arctan2 cos deg2rad degrees hypot rad2deg radians sin tan"
        ),
        "numpy.ufunc_methods": "ufunc.accumulate ufunc.at ufunc.outer ufunc.reduce ufunc.reduceat",
        "numpy.unwrapping": "unwrap",
        "numpy.vandermonde": "vander",
        "numpy.variances": "nanstd nanvar std var",
        "numpy.vectorization": "vectorize()",
        "numpy.windows": "bartlett blackman hamming hanning kaiser",
    },
    "numpy.fft": {
        "numpy.fft.frequencies": "fftfreq fftshift ifftshift rfftfreq",
        "numpy.fft.transforms": (
            "fft fft2 fftn hfft ifft ifft2 ifftn ihfft irfft irfft2 irfftn rfft rfft2 rfftn"
        ),
    },
    "numpy.lib": {
        "numpy.lib.stride_tricks": "as_strided sliding_window_view",
    },
    "numpy.linalg": {
        "numpy.linalg.aliases": "cross diagonal matmul matrix_transpose outer tensordot trace vecdot",
        "numpy.linalg.cholesky": "cholesky",
        "numpy.linalg.cond": "cond",
        "numpy.linalg.det": "det",
        "numpy.linalg.eig": "eig eigvals",
        "numpy.linalg.eigh": "eigh eigvalsh",
        "numpy.linalg.inv": "inv",
        "numpy.linalg.lstsq": "lstsq",
        "numpy.linalg.matrix_power": "matrix_power",
        "numpy.linalg.matrix_rank": "matrix_rank",
        "numpy.linalg.multi_dot": "multi_dot",
        "numpy.linalg.norm": "matrix_norm norm vector_norm",
        "numpy.linalg.pinv": "pinv",
        "numpy.linalg.qr": "qr",
        "numpy.linalg.slogdet": "slogdet",
        "numpy.linalg.solve": "solve",
        "numpy.linalg.svd": "svd svdvals",
        "numpy.linalg.tensor": "tensorinv tensorsolve",
    },
    "numpy.polynomial": {
        "numpy.polynomial._polybase": (
            "ABCPolyBase() ABCPolyBase.__call__ ABCPolyBase.basis ABCPolyBase.cast ABCPolyBase.convert "
            "ABCPolyBase.copy ABCPolyBase.cutdeg ABCPolyBase.degree ABCPolyBase.deriv ABCPolyBase.fit "
            "ABCPolyBase.fromroots ABCPolyBase.has_samecoef ABCPolyBase.has_samedomain "
            "ABCPolyBase.has_sametype ABCPolyBase.has_samewindow ABCPolyBase.identity ABCPolyBase.integ "
            "ABCPolyBase.linspace ABCPolyBase.mapparms ABCPolyBase.roots ABCPolyBase.trim "
            "ABCPolyBase.truncate type[ABCPolyBase] | add divmod floordiv getattr mod mul neg pos pow sub "
            "truediv"
        ),
        "numpy.polynomial.chebyshev": (
            "cheb2poly chebadd chebcompanion chebder chebdiv chebfit chebfromroots chebgauss chebgrid2d "
            "chebgrid3d chebint chebline chebmul chebmulx chebpow chebpts1 chebpts2 chebroots chebsub "
            "chebval chebval2d chebval3d chebvalnd chebvander chebvander2d chebvander3d chebweight poly2cheb"
        ),
        "numpy.polynomial.configuration": "set_default_printstyle",
        "numpy.polynomial.hermite": (
            "herm2poly hermadd hermcompanion hermder hermdiv hermfit hermfromroots hermgauss hermgrid2d "
            "hermgrid3d hermint hermline hermmul hermmulx hermpow hermroots hermsub hermval hermval2d "
            "hermval3d hermvalnd hermvander hermvander2d hermvander3d hermweight poly2herm"
        ),
        "numpy.polynomial.hermite_e": (
            "herme2poly hermeadd hermecompanion hermeder hermediv hermefit hermefromroots hermegauss "
            "hermegrid2d hermegrid3d hermeint hermeline hermemul hermemulx hermepow hermeroots hermesub "
            "hermeval hermeval2d hermeval3d hermevalnd hermevander hermevander2d hermevander3d hermeweight "
            "poly2herme"
        ),
        "numpy.polynomial.laguerre": (
            "lag2poly lagadd lagcompanion lagder lagdiv lagfit lagfromroots laggauss laggrid2d laggrid3d "
            "lagint lagline lagmul lagmulx lagpow lagroots lagsub lagval lagval2d lagval3d lagvalnd "
            "lagvander lagvander2d lagvander3d lagweight poly2lag"
        ),
        "numpy.polynomial.legendre": (
            "leg2poly legadd legcompanion legder legdiv legfit legfromroots leggauss leggrid2d leggrid3d "
            "legint legline legmul legmulx legpow legroots legsub legval legval2d legval3d legvalnd "
            "legvander legvander2d legvander3d legweight poly2leg"
        ),
        "numpy.polynomial.polynomial": (
            "polyadd polycompanion polyder polydiv polyfit polyfromroots polygrid2d polygrid3d polyint "
            "polyline polymul polymulx polypow polyroots polysub polyval polyval2d polyval3d "
            "polyvalfromroots polyvalnd polyvander polyvander2d polyvander3d trimcoef"
        ),
        "numpy.polynomial.polyutils": "format_float mapdomain mapparms",
    },
    "numpy.random": {
        "numpy.random.distributions": (
            "Generator.beta Generator.binomial Generator.chisquare Generator.dirichlet Generator.exponential "
            "Generator.f Generator.gamma Generator.geometric Generator.gumbel Generator.hypergeometric "
            "Generator.laplace Generator.logistic Generator.lognormal Generator.logseries "
            "Generator.multinomial Generator.multivariate_hypergeometric Generator.negative_binomial "
            "Generator.noncentral_chisquare Generator.noncentral_f Generator.normal Generator.pareto "
            "Generator.poisson Generator.power Generator.rayleigh Generator.standard_gamma "
            "Generator.standard_t Generator.triangular Generator.uniform Generator.vonmises Generator.wald "
            "Generator.weibull Generator.zipf RandomState.beta RandomState.binomial RandomState.chisquare "
            "RandomState.dirichlet RandomState.exponential RandomState.f RandomState.gamma "
            "RandomState.geometric RandomState.gumbel RandomState.hypergeometric RandomState.laplace "
            "RandomState.logistic RandomState.lognormal RandomState.logseries RandomState.multinomial "
            "RandomState.negative_binomial RandomState.noncentral_chisquare RandomState.noncentral_f "
            "RandomState.normal RandomState.pareto RandomState.poisson RandomState.power "
            "RandomState.rayleigh RandomState.standard_gamma RandomState.standard_t RandomState.triangular "
            "RandomState.uniform RandomState.vonmises RandomState.wald RandomState.weibull RandomState.zipf"
        ),
        "numpy.random.generators": (
            "Generator Generator.bytes Generator.integers Generator.random Generator.spawn "
            "Generator.standard_cauchy Generator.standard_exponential Generator.standard_normal MT19937 "
            "PCG64 PCG64DXSM Philox RandomState RandomState.bytes RandomState.get_state RandomState.rand "
            "RandomState.randint RandomState.randn RandomState.random RandomState.random_sample "
            "RandomState.seed RandomState.set_state RandomState.standard_cauchy "
            "RandomState.standard_exponential RandomState.standard_normal RandomState.tomaxint SFC64 "
            "SeedSequence default_rng ranf sample seed"
        ),
        "numpy.random.multivariate": "Generator.multivariate_normal RandomState.multivariate_normal",
        "numpy.random.permutations": (
            "Generator.choice Generator.permutation Generator.permuted RandomState.choice "
            "RandomState.permutation"
        ),
    },
    "operator": {
        "operator.arithmetic": "abs add floordiv matmul mod mul neg pos pow sub truediv",
        "operator.calls": "attrgetter() call itemgetter() methodcaller()",
        "operator.in_place": (
            "delitem iadd iand iconcat ifloordiv ilshift imatmul imod imul ior ipow irshift isub itruediv "
            "ixor setitem"
        ),
        "operator.items": "add concat contains countOf getitem indexOf length_hint mul or_",
        "operator.logic": (
            "and_ eq ge gt index inv invert is_ is_not le lshift lt ne not_ or_ rshift truth xor"
        ),
    },
    "random": {
        "random": (
            "Random Random.betavariate Random.binomialvariate Random.choice Random.expovariate "
            "Random.gammavariate Random.gauss Random.getrandbits Random.getstate Random.lognormvariate "
            "Random.normalvariate Random.paretovariate Random.randbytes Random.randint Random.random "
            "Random.randrange Random.sample Random.seed Random.setstate Random.triangular Random.uniform "
            "Random.vonmisesvariate Random.weibullvariate SystemRandom"
        ),
    },
    "scipy": {
        "scipy.differentiate": "derivative hessian jacobian",
    },
    "scipy.cluster": {
        "scipy.cluster.hierarchy": (
            "cophenet correspond cut_tree fcluster fclusterdata from_mlab_linkage inconsistent is_isomorphic "
            "is_monotonic is_valid_im is_valid_linkage leaders leaves_list linkage maxRstat maxdists "
            "maxinconsts num_obs_linkage optimal_leaf_ordering"
        ),
        "scipy.cluster.vq": "kmeans kmeans2 vq whiten",
    },
    "scipy.fft": {
        "scipy.fft.discrete_sin_and_cosine_transforms": "dct dctn dst dstn idct idctn idst idstn",
        "scipy.fft.fast_fourier_transforms": (
            "fft fft2 fftn hfft hfft2 hfftn ifft ifft2 ifftn ihfft ihfft2 ihfftn irfft irfft2 irfftn rfft "
            "rfft2 rfftn"
        ),
        "scipy.fft.fast_hankel_transforms": "fht ifht",
        "scipy.fft.helper_functions": (
            "fftfreq fftshift get_workers ifftshift next_fast_len prev_fast_len rfftfreq"
        ),
    },
    "scipy.fftpack": {
        "scipy.fftpack.differential_operators": (
            "cc_diff cs_diff diff hilbert ihilbert itilbert sc_diff shift ss_diff tilbert"
        ),
        "scipy.fftpack.fast_fourier_transforms": (
            "dct dctn dst dstn fft fft2 fftn idct idctn idst idstn ifft ifft2 ifftn irfft rfft"
        ),
    },
    "scipy.integrate": {
        "scipy.integrate.fixed_quad": "fixed_quad",
        "scipy.integrate.nquad": "dblquad nquad tplquad",
        "scipy.integrate.odeint": "odeint",
        "scipy.integrate.quad": "quad quad_vec",
        "scipy.integrate.samples": (
            "cumulative_simpson cumulative_trapezoid newton_cotes romb simpson trapezoid"
        ),
        "scipy.integrate.solve_bvp": "solve_bvp",
        "scipy.integrate.solve_ivp": "solve_ivp",
        "scipy.integrate.tanhsinh": "tanhsinh",
    },
    "scipy.linalg": {
        "scipy.linalg.banded_eigenvectors": "eig_banded eigh_tridiagonal eigvals_banded eigvalsh_tridiagonal",
        "scipy.linalg.blas": (
            "cdotc cdotu cgemm cgemv cgerc cgeru chemm chemv csymm ctrmm ctrmv ctrsm ctrsv dasum ddot dgemm "
            "dgemv dger dnrm2 dsymm dsymv dtrmm dtrmv dtrsm dtrsv dzasum dznrm2 sasum scasum scnrm2 sdot "
            "sgemm sgemv sger snrm2 ssymm ssymv strmm strmv strsm strsv zdotc zdotu zgemm zgemv zgerc zgeru "
            "zhemm zhemv zsymm ztrmm ztrmv ztrsm ztrsv"
        ),
        "scipy.linalg.cho_solve": "cho_solve cho_solve_banded",
        "scipy.linalg.cholesky": "cho_factor cholesky",
        "scipy.linalg.cholesky_banded": "cholesky_banded",
        "scipy.linalg.cossin": "cossin",
        "scipy.linalg.det": "det",
        "scipy.linalg.eig": "eig eigvals",
        "scipy.linalg.eigh": "eigh eigvalsh",
        "scipy.linalg.expm": "expm expm_frechet",
        "scipy.linalg.fractional_matrix_power": "fractional_matrix_power",
        "scipy.linalg.funm": "funm",
        "scipy.linalg.hessenberg": "hessenberg",
        "scipy.linalg.inspection": (
            "bandwidth find_best_blas_type get_blas_funcs get_lapack_funcs ishermitian issymmetric"
        ),
        "scipy.linalg.inv": "inv",
        "scipy.linalg.khatri_rao": "khatri_rao",
        "scipy.linalg.lapack": (
            "cgesdd cgesv cgetrf cgetri cgetrs cheev cheevd cposv cpotrf cpotri cpotrs ctrtri ctrtrs dgesdd "
            "dgesv dgetrf dgetri dgetrs dposv dpotrf dpotri dpotrs dsyev dsyevd dtrtri dtrtrs sgesdd sgesv "
            "sgetrf sgetri sgetrs sposv spotrf spotri spotrs ssyev ssyevd strtri strtrs zgesdd zgesv zgetrf "
            "zgetri zgetrs zheev zheevd zposv zpotrf zpotri zpotrs ztrtri ztrtrs"
        ),
        "scipy.linalg.ldl": "ldl",
        "scipy.linalg.logm": "logm",
        "scipy.linalg.lstsq": "lstsq",
        "scipy.linalg.lu": "lu lu_factor",
        "scipy.linalg.lu_solve": "lu_solve",
        "scipy.linalg.matrix_balance": "matrix_balance",
        "scipy.linalg.norm": "norm",
        "scipy.linalg.orthogonal_procrustes": "orthogonal_procrustes",
        "scipy.linalg.pinv": "pinv pinvh",
        "scipy.linalg.polar": "polar",
        "scipy.linalg.qr": "qr",
        "scipy.linalg.qr_edits": "qr_delete qr_insert",
        "scipy.linalg.qr_multiply": "qr_multiply",
        "scipy.linalg.qr_update": "qr_update",
        "scipy.linalg.qz": "ordqz qz",
        "scipy.linalg.rq": "rq",
        "scipy.linalg.schur": "schur",
        "scipy.linalg.signm": "signm",
        "scipy.linalg.solve": "solve",
        "scipy.linalg.solve_are": "solve_continuous_are solve_discrete_are",
        "scipy.linalg.solve_banded": "solve_banded solveh_banded",
        "scipy.linalg.solve_circulant": "solve_circulant",
        "scipy.linalg.solve_continuous_lyapunov": "solve_continuous_lyapunov",
        "scipy.linalg.solve_discrete_lyapunov": "solve_discrete_lyapunov",
        "scipy.linalg.solve_sylvester": "solve_sylvester",
        "scipy.linalg.solve_triangular": "solve_triangular",
        "scipy.linalg.spaces": "null_space orth",
        "scipy.linalg.special_matrices": (
            "block_diag circulant companion convolution_matrix dft diagsvd fiedler fiedler_companion "
            "hadamard hankel helmert hilbert invhilbert invpascal leslie pascal toeplitz"
        ),
        "scipy.linalg.sqrtm": "sqrtm",
        "scipy.linalg.subspace_angles": "subspace_angles",
        "scipy.linalg.svd": "svd svdvals",
        "scipy.linalg.toeplitz_systems": "matmul_toeplitz solve_toeplitz",
        "scipy.linalg.trigonometric": "coshm cosm sinhm sinm tanhm tanm",
    },
    "scipy.ndimage": {
        "scipy.ndimage.correlate": "convolve correlate",
        "scipy.ndimage.fourier_filters": "fourier_ellipsoid fourier_gaussian fourier_shift fourier_uniform",
        "scipy.ndimage.gaussian_gradient_magnitude": "gaussian_gradient_magnitude",
        "scipy.ndimage.interpolation": (
            "affine_transform map_coordinates rotate shift spline_filter spline_filter1d zoom"
        ),
        "scipy.ndimage.rank_filters": (
            "grey_dilation grey_erosion maximum_filter maximum_filter1d median_filter minimum_filter "
            "minimum_filter1d percentile_filter rank_filter"
        ),
        "scipy.ndimage.separable_filters": (
            "convolve1d correlate1d gaussian_filter gaussian_filter1d gaussian_laplace laplace prewitt sobel "
            "uniform_filter uniform_filter1d"
        ),
    },
    "scipy.optimize": {
        "scipy.optimize.approx_fprime": "approx_fprime",
        "scipy.optimize.assignments": "linear_sum_assignment",
        "scipy.optimize.elementwise": "bracket_minimum bracket_root find_minimum find_root",
        "scipy.optimize.fits": "curve_fit least_squares leastsq",
        "scipy.optimize.isotonic": "isotonic_regression",
        "scipy.optimize.linear_problems": "linprog lsq_linear nnls",
        "scipy.optimize.minima": (
            "basinhopping brent brute differential_evolution direct dual_annealing fmin fmin_bfgs fmin_cg "
            "fmin_cobyla fmin_l_bfgs_b fmin_ncg fmin_powell fmin_slsqp fmin_tnc fminbound golden minimize "
            "minimize_scalar shgo"
        ),
        "scipy.optimize.roots": (
            "anderson bisect brenth brentq broyden1 broyden2 diagbroyden excitingmixing fixed_point fsolve "
            "linearmixing newton newton_krylov ridder root root_scalar toms748"
        ),
    },
    "scipy.signal": {
        "scipy.signal.convolution": (
            "choose_conv_method convolve correlate correlation_lags fftconvolve oaconvolve"
        ),
        "scipy.signal.convolve2d": "convolve2d correlate2d",
        "scipy.signal.filtering": "lfilter lfilter_zi sosfilt",
        "scipy.signal.medfilt2d": "medfilt2d",
        "scipy.signal.sepfir2d": "sepfir2d",
        "scipy.signal.unique_roots": "unique_roots",
        "scipy.signal.upfirdn": "upfirdn",
    },
    "scipy.sparse": {
        "scipy.sparse.arithmetic": (
            "_coo_base.dot _dia_base.multiply _spbase.dot _spbase.multiply | add conjugate mul neg sub "
            "truediv"
        ),
        "scipy.sparse.attributes": "| getattr",
        "scipy.sparse.constructors": (
            "block_array block_diag bmat bsr_array bsr_matrix coo_array coo_matrix csc_array csc_matrix "
            "csr_array csr_matrix dia_array dia_matrix diags diags_array dok_array dok_matrix hstack "
            "lil_array lil_matrix vstack"
        ),
        "scipy.sparse.elementwise": "_create_method.<locals>.method _data_matrix.power | abs pow ufunc()",
        "scipy.sparse.extrema": "_minmax_mixin.max _minmax_mixin.min | max min",
        "scipy.sparse.inspection": (
            "eye eye_array get_index_dtype identity issparse isspmatrix isspmatrix_bsr isspmatrix_coo "
            "isspmatrix_csc isspmatrix_csr isspmatrix_dia isspmatrix_dok isspmatrix_lil rand random "
            "random_array safely_cast_index_arrays"
        ),
        "scipy.sparse.moves": (
            "_bsr_base.diagonal _bsr_base.toarray _bsr_base.tobsr _bsr_base.tocoo _bsr_base.tocsc "
            "_bsr_base.tocsr _bsr_base.transpose _coo_base.diagonal _coo_base.reshape _coo_base.toarray "
            "_coo_base.tocoo _coo_base.tocsc _coo_base.tocsr _coo_base.todia _coo_base.transpose "
            "_cs_matrix.diagonal _cs_matrix.toarray _cs_matrix.tocoo _csc_base.tocsc _csc_base.tocsr "
            "_csc_base.transpose _csr_base.tobsr _csr_base.tocoo _csr_base.tocsc _csr_base.tocsr "
            "_csr_base.transpose _data_matrix.copy _dia_base.diagonal _dia_base.tocsr _dia_base.todia "
            "_dia_base.transpose _dok_base.copy _dok_base.diagonal _dok_base.tocoo _dok_base.tocsc "
            "_dok_base.transpose _lil_base.copy _lil_base.getrow _lil_base.reshape _lil_base.toarray "
            "_lil_base.tocsr _lil_base.transpose _spbase.asformat _spbase.diagonal _spbase.reshape "
            "_spbase.toarray _spbase.tobsr _spbase.tocoo _spbase.tocsc _spbase.tocsr _spbase.todense "
            "_spbase.todia expand_dims find permute_dims spmatrix.getcol spmatrix.getrow swapaxes tril triu "
            "| copy diagonal dot getitem reshape trace"
        ),
        "scipy.sparse.products": "| matmul",
        "scipy.sparse.sums": "_cs_matrix.sum _dia_base.sum _spbase.mean _spbase.sum _spbase.trace | mean sum",
    },
    "scipy.sparse.csgraph": {
        "scipy.sparse.csgraph.shortest_paths": (
            "bellman_ford construct_dist_matrix dijkstra floyd_warshall johnson shortest_path yen"
        ),
        "scipy.sparse.csgraph.trees": (
            "breadth_first_order breadth_first_tree connected_components csgraph_from_dense csgraph_to_dense "
            "depth_first_order depth_first_tree maximum_bipartite_matching maximum_flow "
            "min_weight_full_bipartite_matching minimum_spanning_tree reconstruct_path reverse_cuthill_mckee "
            "structural_rank"
        ),
    },
    "scipy.sparse.linalg": {
        "scipy.sparse.linalg.eigenvalues": "eigs eigsh lobpcg",
        "scipy.sparse.linalg.expm": "expm",
        "scipy.sparse.linalg.factorizations": "SuperLU.solve factorized splu",
        "scipy.sparse.linalg.inspection": "is_sptriangular spbandwidth use_solver",
        "scipy.sparse.linalg.iterative_methods": "bicg bicgstab cg cgs gcrotmk gmres lgmres minres qmr tfqmr",
        "scipy.sparse.linalg.matrix_power": "matrix_power",
        "scipy.sparse.linalg.norm": "norm",
        "scipy.sparse.linalg.spsolve": "spsolve",
        "scipy.sparse.linalg.spsolve_triangular": "spsolve_triangular",
        "scipy.sparse.linalg.svds": "svds",
    },
    "scipy.spatial": {
        "scipy.spatial.convex_hull": "ConvexHull | getattr",
        "scipy.spatial.delaunay": "Delaunay Delaunay.find_simplex | getattr",
        "scipy.spatial.distance": (
            "braycurtis canberra cdist chebyshev cityblock correlation cosine dice directed_hausdorff "
            "euclidean hamming jaccard jensenshannon kulczynski1 mahalanobis minkowski pdist rogerstanimoto "
            "russellrao seuclidean sokalmichener sokalsneath sqeuclidean squareform yule"
        ),
        "scipy.spatial.functions": "distance_matrix minkowski_distance minkowski_distance_p",
        "scipy.spatial.halfspace_intersection": "HalfspaceIntersection | getattr",
        "scipy.spatial.nearest_neighbours": (
            "KDTree KDTree.query KDTree.query_ball_point KDTree.query_ball_tree KDTree.query_pairs cKDTree "
            "cKDTree.query cKDTree.query_ball_point cKDTree.query_ball_tree cKDTree.query_pairs"
        ),
        "scipy.spatial.voronoi": "Voronoi | getattr",
    },
    "scipy.spatial.transform": {
        "scipy.spatial.transform.rigid_transform": (
            "RigidTransform RigidTransform.apply RigidTransform.as_components RigidTransform.as_dual_quat "
            "RigidTransform.as_exp_coords RigidTransform.as_matrix RigidTransform.concatenate "
            "RigidTransform.from_components RigidTransform.from_dual_quat RigidTransform.from_exp_coords "
            "RigidTransform.from_matrix RigidTransform.from_rotation RigidTransform.from_translation "
            "RigidTransform.inv RigidTransform.mean | _rotation _translation getattr getitem mul pow"
        ),
        "scipy.spatial.transform.rotation": (
            "Rotation Rotation.align_vectors Rotation.apply Rotation.approx_equal Rotation.as_davenport "
            "Rotation.as_euler Rotation.as_matrix Rotation.as_mrp Rotation.as_quat Rotation.as_rotvec "
            "Rotation.concatenate Rotation.from_davenport Rotation.from_euler Rotation.from_matrix "
            "Rotation.from_mrp Rotation.from_quat Rotation.from_rotvec Rotation.inv Rotation.magnitude "
            "Rotation.mean Rotation.reduce | getattr getitem mul pow"
        ),
        "scipy.spatial.transform.slerp": "Slerp Slerp()",
    },
    "scipy.special": {
        "scipy.special._orthogonal": "orthopoly1d()",
        "scipy.special._ufuncs": (
            "_beta_pdf _beta_ppf _binom_cdf _binom_isf _binom_pmf _binom_ppf _binom_sf _cauchy_isf "
            "_cauchy_ppf _log1mexp _nbinom_cdf _nbinom_isf _nbinom_pmf _nbinom_ppf _nbinom_sf _nct_isf "
            "_nct_pdf _nct_sf _skewnorm_cdf _skewnorm_isf _skewnorm_ppf"
        ),
        "scipy.special.airy_functions": "ai_zeros airy airye bi_zeros itairy",
        "scipy.special.bessel_functions": (
            "hankel1 hankel1e hankel2 hankel2e iv ive jv jve kn kv kve lmbda log_wright_bessel wright_bessel "
            "yn yv yve"
        ),
        "scipy.special.beta_distribution": (
            "bdtr bdtrc bdtri bdtrik bdtrin betainc betaincc betainccinv betaincinv btdtria btdtrib fdtr "
            "fdtrc fdtri fdtridfd nbdtr nbdtrc nbdtri nbdtrik nbdtrin stdtr stdtridf stdtrit"
        ),
        "scipy.special.box_cox_transformation": "boxcox boxcox1p inv_boxcox inv_boxcox1p",
        "scipy.special.combinatorics": "binom comb factorial factorial2 factorialk perm stirling2",
        "scipy.special.convenience": (
            "cbrt cosdg cosm1 cotdg exp10 exp2 expm1 exprel log1p powm1 radian round sindg tandg xlog1py "
            "xlogy"
        ),
        "scipy.special.derivatives_of_bessel_functions": "h1vp h2vp ivp jvp kvp yvp",
        "scipy.special.dilogarithm": "spence",
        "scipy.special.dirichlet_kernel": "diric",
        "scipy.special.ellipsoidal_harmonics": "ellip_harm ellip_harm_2 ellip_normal",
        "scipy.special.elliptic": (
            "ellipe ellipeinc ellipj ellipk ellipkinc ellipkm1 elliprc elliprd elliprf elliprg elliprj"
        ),
        "scipy.special.error_functions": (
            "dawsn erf erf_zeros erfc erfcinv erfcx erfi erfinv fresnel fresnel_zeros fresnelc_zeros "
            "fresnels_zeros modfresnelm modfresnelp voigt_profile wofz"
        ),
        "scipy.special.error_handling": "errstate geterr seterr",
        "scipy.special.exponential_integrals": "exp1 expi expn shichi sici",
        "scipy.special.exponential_sums": "log_softmax logsumexp softmax softplus",
        "scipy.special.faster_bessel_functions": "i0 i0e i1 i1e j0 j1 k0 k0e k1 k1e y0 y1",
        "scipy.special.gamma": (
            "beta betaln gamma gammaln gammasgn loggamma multigammaln poch polygamma psi rgamma"
        ),
        "scipy.special.gamma_distribution": (
            "chdtr chdtrc chdtri chdtriv gammainc gammaincc gammainccinv gammaincinv gdtr gdtrc gdtria "
            "gdtrib gdtrix pdtr pdtrc pdtri pdtrik"
        ),
        "scipy.special.gauss_quadrature": (
            "roots_chebyc roots_chebys roots_chebyt roots_chebyu roots_gegenbauer roots_genlaguerre "
            "roots_hermite roots_hermitenorm roots_jacobi roots_laguerre roots_legendre roots_sh_chebyt "
            "roots_sh_chebyu roots_sh_jacobi roots_sh_legendre"
        ),
        "scipy.special.hypergeometric": "hyp0f1 hyp1f1 hyp2f1 hyperu",
        "scipy.special.information_theory": "entr huber kl_div pseudo_huber rel_entr",
        "scipy.special.integrals_of_bessel_functions": "besselpoly it2i0k0 it2j0y0 iti0k0 itj0y0",
        "scipy.special.kelvin_functions": (
            "bei bei_zeros beip beip_zeros ber ber_zeros berp berp_zeros kei kei_zeros keip keip_zeros "
            "kelvin kelvin_zeros ker ker_zeros kerp kerp_zeros"
        ),
        "scipy.special.kolmogorov_distribution": "kolmogi kolmogorov smirnov smirnovi",
        "scipy.special.lambert_w": "lambertw wrightomega",
        "scipy.special.legendre": (
            "MultiUFunc() assoc_legendre_p assoc_legendre_p_all legendre_p legendre_p_all lpmv lqmn lqn "
            "sph_harm_y sph_harm_y_all sph_legendre_p sph_legendre_p_all"
        ),
        "scipy.special.mathieu_functions": (
            "mathieu_a mathieu_b mathieu_cem mathieu_even_coef mathieu_modcem1 mathieu_modcem2 "
            "mathieu_modsem1 mathieu_modsem2 mathieu_odd_coef mathieu_sem"
        ),
        "scipy.special.means": "agm",
        "scipy.special.noncentral_distributions": (
            "chndtr chndtridf chndtrinc chndtrix ncfdtr ncfdtri ncfdtridfd ncfdtridfn ncfdtrinc nctdtr "
            "nctdtridf nctdtrinc nctdtrit"
        ),
        "scipy.special.normal_distribution": "log_ndtr ndtr ndtri ndtri_exp nrdtrimn nrdtrisd owens_t",
        "scipy.special.orthogonal_polynomials": (
            "assoc_laguerre eval_chebyc eval_chebys eval_chebyt eval_chebyu eval_gegenbauer eval_genlaguerre "
            "eval_hermite eval_hermitenorm eval_jacobi eval_laguerre eval_legendre eval_sh_chebyt "
            "eval_sh_chebyu eval_sh_jacobi eval_sh_legendre"
        ),
        "scipy.special.parabolic_cylinder_functions": "pbdn_seq pbdv pbdv_seq pbvv pbvv_seq pbwa",
        "scipy.special.polynomial_objects": (
            "chebyc chebys chebyt chebyu gegenbauer genlaguerre hermite hermitenorm jacobi laguerre legendre "
            "sh_chebyt sh_chebyu sh_jacobi sh_legendre"
        ),
        "scipy.special.riccati_bessel_functions": "riccati_jn riccati_yn",
        "scipy.special.sigmoidal_functions": "expit log_expit logit",
        "scipy.special.spherical_bessel_functions": "spherical_in spherical_jn spherical_kn spherical_yn",
        "scipy.special.spheroidal_wave_functions": (
            "obl_ang1 obl_ang1_cv obl_cv obl_cv_seq obl_rad1 obl_rad1_cv obl_rad2 obl_rad2_cv pro_ang1 "
            "pro_ang1_cv pro_cv pro_cv_seq pro_rad1 pro_rad1_cv pro_rad2 pro_rad2_cv"
        ),
        "scipy.special.struve_functions": "it2struve0 itmodstruve0 itstruve0 modstruve struve",
        "scipy.special.tukey_lambda": "tklmbda",
        "scipy.special.zeros_of_bessel_functions": (
            "jn_zeros jnjnp_zeros jnp_zeros jnyn_zeros y0_zeros y1_zeros y1p_zeros yn_zeros ynp_zeros"
        ),
        "scipy.special.zeta": "bernoulli euler zeta zetac",
    },
    "scipy.stats": {
        "scipy.stats._distn_infrastructure": (
            "rv_continuous_frozen.logpdf rv_continuous_frozen.pdf rv_discrete_frozen.logpmf "
            "rv_discrete_frozen.pmf rv_frozen.cdf rv_frozen.entropy rv_frozen.interval rv_frozen.isf "
            "rv_frozen.logcdf rv_frozen.logsf rv_frozen.mean rv_frozen.median rv_frozen.moment rv_frozen.ppf "
            "rv_frozen.rvs rv_frozen.sf rv_frozen.stats rv_frozen.std rv_frozen.support rv_frozen.var"
        ),
        "scipy.stats.continuous_distributions": (
            "rv_continuous.cdf rv_continuous.isf rv_continuous.logcdf rv_continuous.logpdf "
            "rv_continuous.logsf rv_continuous.pdf rv_continuous.ppf rv_continuous.sf rv_generic.interval "
            "rv_generic.median rv_generic.nnlf rv_generic.rvs rv_generic.support"
        ),
        "scipy.stats.discrete_distributions": (
            "rv_discrete.cdf rv_discrete.interval rv_discrete.isf rv_discrete.logcdf rv_discrete.logpmf "
            "rv_discrete.logsf rv_discrete.median rv_discrete.pmf rv_discrete.ppf rv_discrete.rvs "
            "rv_discrete.sf rv_discrete.support rv_generic.interval rv_generic.median rv_generic.support"
        ),
        "scipy.stats.gaussian_kde": "gaussian_kde.evaluate gaussian_kde.logpdf gaussian_kde.pdf",
        "scipy.stats.kolmogorov_tests": "ks_1samp kstest",
        "scipy.stats.moments": (
            "rv_discrete.entropy rv_discrete.mean rv_discrete.moment rv_discrete.stats rv_discrete.std "
            "rv_discrete.var rv_generic.entropy rv_generic.mean rv_generic.moment rv_generic.stats "
            "rv_generic.std rv_generic.var"
        ),
        "scipy.stats.qmc": "scale",
        "scipy.stats.significance": (
            "bartlett chisquare f_oneway jarque_bera levene linregress pearsonr pointbiserialr ttest_1samp "
            "ttest_ind ttest_ind_from_stats ttest_rel weightedtau"
        ),
        "scipy.stats.special_shapes": (
            "genextreme_gen._stats genpareto_gen._munp trapezoid_gen._munp truncpareto_gen._munp "
            "vonmises_gen._entropy"
        ),
        "scipy.stats.summaries": (
            "boxcox boxcox_llf energy_distance entropy gmean gstd gzscore hmean iqr kurtosis moment pmean "
            "sem skew trim_mean variation wasserstein_distance wasserstein_distance_nd yeojohnson "
            "yeojohnson_llf zmap zscore"
        ),
    },
    "scipy.stats._multivariate": {
        "scipy.stats._multivariate.matrix_distributions": (
            "invwishart_frozen.entropy invwishart_frozen.logpdf invwishart_frozen.mean "
            "invwishart_frozen.mode invwishart_frozen.pdf invwishart_frozen.var invwishart_gen.entropy "
            "invwishart_gen.logpdf invwishart_gen.mean invwishart_gen.mode invwishart_gen.pdf "
            "invwishart_gen.rvs invwishart_gen.var matrix_normal_frozen.logpdf matrix_normal_frozen.pdf "
            "matrix_normal_gen.entropy matrix_normal_gen.logpdf matrix_normal_gen.pdf wishart_frozen.entropy "
            "wishart_frozen.logpdf wishart_frozen.mean wishart_frozen.mode wishart_frozen.pdf "
            "wishart_frozen.var wishart_gen.entropy wishart_gen.logpdf wishart_gen.mean wishart_gen.mode "
            "wishart_gen.pdf wishart_gen.rvs wishart_gen.var"
        ),
        "scipy.stats._multivariate.normal_distributions": (
            "multivariate_normal_frozen.logpdf multivariate_normal_frozen.pdf "
            "multivariate_normal_gen.entropy multivariate_normal_gen.logpdf multivariate_normal_gen.pdf"
        ),
        "scipy.stats._multivariate.normal_probabilities": (
            "multivariate_normal_frozen.cdf multivariate_normal_frozen.logcdf multivariate_normal_gen.cdf "
            "multivariate_normal_gen.logcdf"
        ),
        "scipy.stats._multivariate.student_probabilities": "multivariate_t_gen._cdf multivariate_t_gen.cdf",
        "scipy.stats._multivariate.vector_distributions": (
            "dirichlet_frozen.cov dirichlet_frozen.entropy dirichlet_frozen.logpdf dirichlet_frozen.mean "
            "dirichlet_frozen.pdf dirichlet_frozen.var dirichlet_gen.cov dirichlet_gen.entropy "
            "dirichlet_gen.logpdf dirichlet_gen.mean dirichlet_gen.pdf dirichlet_gen.var "
            "dirichlet_multinomial_frozen.cov dirichlet_multinomial_frozen.logpmf "
            "dirichlet_multinomial_frozen.mean dirichlet_multinomial_frozen.pmf "
            "dirichlet_multinomial_frozen.var dirichlet_multinomial_gen.cov dirichlet_multinomial_gen.logpmf "
            "dirichlet_multinomial_gen.mean dirichlet_multinomial_gen.pmf dirichlet_multinomial_gen.var "
            "multinomial_frozen.cov multinomial_frozen.logpmf multinomial_frozen.mean multinomial_frozen.pmf "
            "multinomial_gen.cov multinomial_gen.logpmf multinomial_gen.mean multinomial_gen.pmf "
            "multivariate_t_frozen.entropy multivariate_t_frozen.logpdf multivariate_t_frozen.pdf "
            "multivariate_t_gen.entropy multivariate_t_gen.logpdf multivariate_t_gen.pdf "
            "normal_inverse_gamma_gen.logpdf normal_inverse_gamma_gen.pdf vonmises_fisher_frozen.entropy "
            "vonmises_fisher_frozen.logpdf vonmises_fisher_frozen.pdf vonmises_fisher_gen.entropy "
            "vonmises_fisher_gen.logpdf vonmises_fisher_gen.pdf"
        ),
    },
    "statistics": {
        "statistics.normal_dist": (
            "NormalDist.cdf NormalDist.from_samples NormalDist.inv_cdf NormalDist.overlap NormalDist.pdf "
            "NormalDist.quantiles NormalDist.samples NormalDist.zscore type[NormalDist] | add getattr mul "
            "neg pos sub truediv"
        ),
        "statistics.samples": (
            "correlation covariance fmean geometric_mean harmonic_mean linear_regression mean median "
            "median_grouped median_high median_low mode multimode pstdev pvariance quantiles stdev variance"
        ),
    },
    "types": {
        "types": "method()",
    },
}
