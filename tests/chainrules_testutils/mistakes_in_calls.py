"""Mistakes in calls of the testers: scripts with one each, and words of the message that it gets."""

MISTAKES_IN_CALLS = {
    "an integer where a real number is meant": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: int | float):
    return x * x * x, lambda y_bar: (NoTangent(), 2 * x * y_bar)

test_rrule(cube, 2)
""",
        "each of them is an integer",
        "Write 2.0",
    ),
    "an integer in forward mode": (
        """
@frule.dispatch
def cube_frule(tangents, f: typeof_(cube), x: int | float):
    return x * x * x, 2 * x * tangents[1]

test_frule(cube, 2)
""",
        "each of them is an integer",
        "Write 2.0",
    ),
    "atol above every derivative": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return x * x * x, lambda y_bar: (NoTangent(), 2 * x * x * y_bar)

test_rrule(cube, 0.001, atol=1e-3)
""",
        "atol=0.001 exceeds every derivative here",
        "zero would pass",
        "`rtol=`",
    ),
    "atol above every derivative, in one direction": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return x * x * x, lambda y_bar: (NoTangent(), 2 * x * x * y_bar)

test_rrule(cube, 0.001, atol=1e-3, mode="fast")
""",
        "atol=0.001 exceeds every derivative here",
    ),
    "atol above every derivative, in forward mode": (
        """
@frule.dispatch
def cube_frule(tangents, f: typeof_(cube), x: float):
    return x * x * x, 2 * x * x * tangents[1]

test_frule(cube, 0.001, atol=1e-3)
""",
        "atol=0.001 exceeds every derivative here",
    ),
    "a positional tolerance": (
        "test_rrule(cube, 2.0, 1e-6)",
        "cube() takes 1 positional argument",
        "tolerances are `rtol=`, `atol=`",
    ),
    "a keyword of the function": (
        "test_rrule(power, 2.0, n=3)",
        "`n` is none of its options",
        'fkwargs={"n": 3}',
    ),
    "a keyword-only argument by position": (
        "test_rrule(scaled, 2.0, 3.0)",
        "scaled() takes 1 positional argument",
        "`by` is keyword-only",
        'fkwargs={"by": ...}',
    ),
    "an argument left to its default": (
        """
@rrule.dispatch
def power_rrule(f: typeof_(power), x: float, n: int = 2):
    return x**n, lambda y_bar: (NoTangent(), n * x ** (n - 1) * y_bar, NoTangent())

test_rrule(power, 2.0)
""",
        "2 here, not 3",
        "those left to their defaults, get none",
    ),
    "the function was called": ("test_rrule(cube(2.0))", "not 8.0", "without calling f"),
    "fkwargs of pairs": (
        'test_rrule(power, 2.0, fkwargs=[("n", 3)])',
        "fkwargs is a dict",
        '{"axis": 0}',
    ),
    "a tangent of another shape": (
        """
@frule.dispatch
def mean_frule(tangents, f: typeof_(mean), x: np.ndarray):
    return mean(x), mean(tangents[1])

test_frule(mean, PrimalAndTangent(X, np.ones(2)))
""",
        "tangent of input 2: it has shape (2,), the argument (3,)",
        "A tangent of this argument is, for example",
    ),
    "an output tangent of another shape": (
        "test_rrule(softplus, X, output_tangent=np.ones(2))",
        "output_tangent: it has shape (2,), the output (3,)",
        "A tangent of this output is, for example",
    ),
    "the rule function first": (
        "test_rrule(rrule, cube, 2.0)",
        "the rule for f is looked up. Write `test_rrule(f, x)`, without `rrule`.",
    ),
    "gradients by rules": (
        "grad(cube)",
        "takes finite differences, by a method that comes first: write `grad(None, f, ...)`",
        "`grad` of `chainrules.ad`",
    ),
}
