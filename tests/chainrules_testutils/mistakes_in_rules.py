"""Mistakes in rules: scripts with one each, and words of the message that it gets."""

MISTAKES_IN_RULES = {
    # --- What a rule returns ----------------------------------------------------------------------
    "only y": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return x * x * x

test_rrule(cube, 2.0)
""",
        "cube_rrule (",
        "should return (y, pullback), not 8.0",
    ),
    "only the pullback": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    def cube_pullback(y_bar):
        return NoTangent(), 3 * x * x * y_bar
    return cube_pullback

test_rrule(cube, 2.0)
""",
        "should return (y, pullback), not <function",
        "the pullback alone: write `return y, pullback`",
    ),
    "a list": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return [x * x * x, lambda y_bar: (NoTangent(), 3 * x * x * y_bar)]

test_rrule(cube, 2.0)
""",
        "should return (y, pullback), not [8.0",
        "Write a tuple, `return y, pullback`",
    ),
    "None": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    x * x * x, lambda y_bar: (NoTangent(), 3 * x * x * y_bar)

test_rrule(cube, 2.0)
""",
        "returned None: no rule. It should return (y, pullback)",
        "has it no `return`?",
    ),
    "the other way round": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return (lambda y_bar: (NoTangent(), 3 * x * x * y_bar)), x * x * x

test_rrule(cube, 2.0)
""",
        "should return (y, pullback)",
        "the other way round",
    ),
    "only y_dot": (
        """
@frule.dispatch
def cube_frule(tangents, f: typeof_(cube), x: float):
    return 3 * x * x * tangents[1]

test_frule(cube, 2.0)
""",
        "cube_frule (",
        "should return (y, y_dot)",
    ),
    "a list in forward mode": (
        """
@frule.dispatch
def cube_frule(tangents, f: typeof_(cube), x: float):
    return [x * x * x, 3 * x * x * tangents[1]]

test_frule(cube, 2.0)
""",
        "should return (y, y_dot)",
        "Write a tuple, `return y, y_dot`",
    ),
    "the rule's own y": (
        """
@rrule.dispatch
def softplus_rrule(f: typeof_(softplus), x: np.ndarray):
    return np.log1p(np.exp(x)) + 1.0, lambda y_bar: (NoTangent(), y_bar / (1 + np.exp(-x)))

test_rrule(softplus, X)
""",
        "primal value, index",
        "the rule's result is not `softplus(x)`",
    ),
    # --- What a pullback returns, and does ----------------------------------------------------------
    "no NoTangent() first": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return x * x * x, lambda y_bar: (3 * x * x * y_bar,)

test_rrule(cube, 2.0)
""",
        "2 here, not 1",
        "The first belongs to the function",
        "NoTangent()",
    ),
    "a pullback without return": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    def cube_pullback(y_bar):
        (NoTangent(), 3 * x * x * y_bar)
    return x * x * x, cube_pullback

test_rrule(cube, 2.0)
""",
        "must return a tuple (f_bar, *arg_bars), not a NoneType",
        "Has it no `return`?",
    ),
    "y_bar *= 2": (
        """
@rrule.dispatch
def softplus_rrule(f: typeof_(softplus), x: np.ndarray):
    def softplus_pullback(y_bar):
        y_bar = unthunk(y_bar)
        y_bar *= 2
        return NoTangent(), y_bar / (1 + np.exp(-x)) / 2
    return softplus(x), softplus_pullback

test_rrule(softplus, X)
""",
        "cotangent given to the pullback: it was changed",
        "copy",
        "1 of ",
    ),
    "an argument sorted in place": (
        """
def largest(x):
    return float(np.sort(x)[-1])

@rrule.dispatch
def largest_rrule(f: typeof_(largest), x: np.ndarray):
    x.sort()
    def largest_pullback(y_bar):
        x_bar = np.zeros_like(x)
        x_bar[-1] = y_bar
        return NoTangent(), x_bar
    return float(x[-1]), largest_pullback

test_rrule(largest, np.array([3.0, 1.0, 2.0]))
""",
        "arguments: input 2 was changed",
        "copy",
    ),
    "a pullback that pops its tape": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    tape = [3 * x * x]
    return x * x * x, lambda y_bar: (NoTangent(), tape.pop() * y_bar)

test_rrule(cube, 2.0)
""",
        "raised IndexError: pop from empty list",
        "is called several times",
        "1 of ",
    ),
    "one number for an array": (
        """
@rrule.dispatch
def mean_rrule(f: typeof_(mean), x: np.ndarray):
    return mean(x), lambda y_bar: (NoTangent(), y_bar / len(x))

test_rrule(mean, X)
""",
        "shape (), expected (3,): one number for an array",
        "np.full",
    ),
    "axis ignored": (
        """
@rrule.dispatch
def sums_rrule(f: typeof_(sums), x: np.ndarray, *, axis=None):
    return sums(x), lambda y_bar: (NoTangent(), np.ones_like(x) * y_bar)

test_rrule(sums, A, fkwargs={"axis": 1})
""",
        "with axis=1",
        "primal value: shape (), expected (2,)",
    ),
    "y_bar ignored": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return x * x * x, lambda y_bar: (NoTangent(), 3 * x * x)

test_rrule(cube, 2.0)
""",
        "ignores its cotangent",
        "Multiply by `y_bar`",
    ),
    "clipped": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return x * x * x, lambda y_bar: (NoTangent(), np.clip(3 * x * x * y_bar, -1.0, 1.0))

test_rrule(cube, 2.0)
""",
        "not linear",
        "clips",
    ),
    "an array of integers filled": (
        """
def first(x):
    return x[0]

@rrule.dispatch
def first_rrule(f: typeof_(first), x: np.ndarray):
    def first_pullback(y_bar):
        x_bar = np.zeros(x.shape, dtype=int)
        x_bar[0] = float(y_bar)
        return NoTangent(), x_bar
    return x[0], first_pullback

test_rrule(first, X)
""",
        "int64, but tangents of ndarray",
        "zeros_like",
    ),
    "a second output": (
        """
@rrule.dispatch
def sine_and_cosine_rrule(f: typeof_(sine_and_cosine), x: float):
    s, c = sine_and_cosine(x)
    return (s, c), lambda y_bar: (NoTangent(), c * unthunk(y_bar)[0] + s * unthunk(y_bar)[1])

test_rrule(sine_and_cosine, 0.7)
""",
        "wrong value",
        "right for output 1, wrong for output 2",
    ),
    "len of an array of no axes": (
        """
@rrule.dispatch
def mean_rrule(f: typeof_(mean), x: np.ndarray):
    return mean(x), lambda y_bar: (NoTangent(), np.full(x.shape, y_bar / len(x)))

test_rrule(mean, np.array(2.0))
""",
        "unsized object",
        "Input 2 is 0-d",
        "x.size",
    ),
    "a right relu at its kink": (
        """
def relu(x):
    return np.maximum(x, 0.0)

@rrule.dispatch
def relu_rrule(f: typeof_(relu), x: float):
    return relu(x), lambda y_bar: (NoTangent(), (x > 0) * y_bar)

test_rrule(relu, 0.0)
""",
        "one-sided differences differ",
        "a kink",
        "Test beside it",
    ),
    "a right relu at its kink, in forward mode": (
        """
def relu(x):
    return np.maximum(x, 0.0)

@frule.dispatch
def relu_frule(tangents, f: typeof_(relu), x: np.ndarray):
    return relu(x), (x > 0) * tangents[1]

test_frule(relu, np.array([1.0, 0.0]))
""",
        "one-sided differences differ",
        "a kink",
    ),
    "a right relu at its kink, in one direction": (
        """
def relu(x):
    return np.maximum(x, 0.0)

@rrule.dispatch
def relu_rrule(f: typeof_(relu), x: np.ndarray):
    return relu(x), lambda y_bar: (NoTangent(), (x > 0) * y_bar)

test_rrule(relu, np.array([1.0, 0.0]), mode="fast")
""",
        "one-sided differences differ",
        "a kink",
    ),
}
