"""Mistakes of those who know checkers of gradients in autograd, JAX, PyTorch and ChainRulesTestUtils.jl."""

MISTAKES_OF_OTHER_LIBRARIES = {
    "autograd: the arguments in a second call": (
        "test_rrule(cube)(2.0)",
        "missing 1 required positional argument",
        "The arguments go into the same call: `test_rrule(mistake.cube, x)`",
    ),
    "autograd: modes": (
        'test_rrule(cube, 2.0, modes=["rev"])',
        "`modes` is none of its options",
        "`test_frule` forward mode",
    ),
    "autograd: a vjp made by a function of the result and the arguments": (
        """
def cube_vjp(y, x):
    return lambda y_bar: 3 * x * x * y_bar

test_rrule(cube, 2.0, rrule_f=cube_vjp)
""",
        "cube_vjp was given as rrule_f, which is called as rrule_f(config, f, *args, **fkwargs)",
    ),
    "JAX: the arguments in a tuple": (
        "test_rrule(lambda x, y: x * y, (2.0, 3.0))",
        "missing 1 required positional argument",
        "The arguments are not in a tuple",
        "*args)`",
    ),
    "JAX: one argument in a tuple": (
        "test_rrule(softplus, (None,))",
        "NoneType",
        "Argument 1 is a tuple. To pass its items as arguments write `test_rrule(mistake.softplus, *args)`",
    ),
    "JAX: the order by position": (
        "test_rrule(cube, 2.0, 2)",
        "takes 1 positional argument",
        "the order is `order=`",
    ),
    "JAX: the third order": ("test_rrule(cube, 2.0, order=3)", "order=3", "up to order 1 or 2"),
    "JAX: residuals in the place of a pullback": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return x * x * x, (x,)

test_rrule(cube, 2.0)
""",
        "should return (y, pullback), not (8.0, (2.0,))",
        "The second is a function of the cotangent; it captures the values that it needs",
    ),
    "JAX: cotangents without that of the function": (
        """
@rrule.dispatch
def scaled_rrule(f: typeof_(power), x: float, n: float):
    return x**n, lambda y_bar: (n * x ** (n - 1) * y_bar, np.log(x) * x**n * y_bar)

test_rrule(power, 2.0, 3.0)
""",
        "3 here, not 2",
        "The first belongs to the function",
    ),
    "JAX: a Jacobian in the place of a product": (
        """
@rrule.dispatch
def softplus_rrule(f: typeof_(softplus), x: np.ndarray):
    return softplus(x), lambda y_bar: (NoTangent(), np.diag(y_bar / (1 + np.exp(-x))))

test_rrule(softplus, X)
""",
        "shape (3, 3), expected (3,)",
        "the shape of a Jacobian",
    ),
    "PyTorch: None for an input without a gradient": (
        """
@rrule.dispatch
def power_rrule(f: typeof_(power), x: float, n: float):
    return x**n, lambda y_bar: (NoTangent(), n * x ** (n - 1) * y_bar, None)

test_rrule(power, 2.0, 3.0)
""",
        "None is no tangent",
        "`NoTangent()`",
        "`ZeroTangent()`",
    ),
    "PyTorch: None for the function": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return x * x * x, lambda y_bar: (None, 3 * x * x * y_bar)

test_rrule(cube, 2.0)
""",
        "None for an argument that cannot be perturbed; return NoTangent()",
    ),
    "PyTorch: eps": ("test_rrule(cube, 2.0, eps=1e-6)", "`eps` is none of its options", "`fdm=`"),
    "PyTorch: raise_exception": (
        "test_rrule(cube, 2.0, raise_exception=False)",
        "`raise_exception` is none of its options",
        "`RuleTestError`",
    ),
    "PyTorch: gradients in another order": (
        """
@rrule.dispatch
def power_rrule(f: typeof_(power), x: float, n: float):
    return x**n, lambda y_bar: (NoTangent(), np.log(x) * x**n * y_bar, n * x ** (n - 1) * y_bar)

test_rrule(power, 2.0, 2.5)
""",
        "cotangent for input 2: wrong value",
        "right for input 3: cotangents stand in the order of the arguments",
    ),
    "PyTorch: reverse mode as a mode": (
        'test_rrule(cube, 2.0, mode="reverse")',
        'mode=\'reverse\': it is "full", every element, or "fast", one direction',
        "`test_frule`",
    ),
    "Julia: check_inferred": (
        "test_frule(cube, 2.0, check_inferred=False)",
        "`check_inferred` is none of its options",
        "leave it out",
    ),
    "Julia: an argument and its tangent": (
        "test_frule(cube, 2.0, 1.0)",
        "takes 1 positional argument",
        "`PrimalAndTangent(x, x_dot)`",
    ),
    "Julia: the rule in the place of the function": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return x * x * x, lambda y_bar: (NoTangent(), 3 * x * x * y_bar)

test_rrule(cube_rrule, 2.0)
""",
        "cube_rrule (",
        "is itself a rule: give the function that it is for",
    ),
    "Julia: the rule and its function": (
        """
@rrule.dispatch
def power_rrule(f: typeof_(power), x: float):
    return x**2

test_rrule(power_rrule, power, 2.0)
""",
        "is itself a rule: give the function that it is for",
    ),
    "Julia: a rule without the configuration": (
        """
def cube_rrule(f, x):
    return x * x * x, lambda y_bar: (NoTangent(), 3 * x * x * y_bar)

test_rrule(cube, 2.0, rrule_f=cube_rrule)
""",
        "cube_rrule was given as rrule_f, which is called as rrule_f(config, f, *args, **fkwargs)",
    ),
    "Julia: a forward rule without the configuration": (
        """
def cube_frule(tangents, f, x):
    return x * x * x, 3 * x * x * tangents[1]

test_frule(cube, 2.0, frule_f=cube_frule)
""",
        "cube_frule was given as frule_f, which is called as frule_f(config, tangents, f, *args, **fkwargs)",
    ),
    "Julia: a result and its tangent the other way round": (
        """
@frule.dispatch
def cube_frule(tangents, f: typeof_(cube), x: float):
    return 3 * x * x * tangents[1], x * x * x

test_frule(cube, 2.0)
""",
        "The result and its tangent are the other way round: return (y, y_dot)",
    ),
    "Julia: a raw tuple as output tangent": (
        "test_rrule(sine_and_cosine, 0.7, output_tangent=(1.0, 2.0))",
        "a raw tuple is no tangent: write Tangent[tuple](...)",
    ),
    "NumPy: the module of random numbers": (
        "test_rrule(cube, 2.0, rng=np.random)",
        "rng: a seed, or `np.random.default_rng(seed)`",
    ),
    "Julia: test_scalar of an array": (
        "test_scalar(softplus, X)",
        "test_scalar(f, x): x is a real or complex number",
        "use test_frule, test_rrule",
    ),
    "Julia: test_scalar of a result": ("test_scalar(cube(2.0), 2.0)", "not 8.0", "without calling f"),
    "PyTorch: tol in test_scalar": ("test_scalar(cube, 2.0, tol=1e-3)", "`rtol=` and `atol=`"),
}
