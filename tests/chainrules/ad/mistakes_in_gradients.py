"""Mistakes of users of gradients: scripts with one each, and words of the message that it gets."""

MISTAKES_IN_GRADIENTS = {
    # What is given to `grad` and its like.
    "the argument in the place of argnums": (
        "grad(cube, 2.0)",
        "grad(mistake.cube, ...) returns a function",
        "`grad(f)(x)`",
    ),
    "an array in the place of argnums": (
        """
g = grad(loss, W)
W - 0.1 * g
""",
        "grad(mistake.loss, ...) returns a function",
        "`grad(f)(x)`",
        "holds a ndarray",
    ),
    "value_and_grad of an argument": (
        "value_and_grad(cube, 2.0)",
        "`value_and_grad(f)(x)`",
    ),
    "jacobian of an argument": (
        "jacobian(np.sin, X)",
        "jacobian(numpy.sin, ...) returns a function",
        "`jacobian(f)(x)`",
    ),
    "hessian of an argument": (
        "hessian(np.sum, X)",
        "`hessian(f)(x)`",
    ),
    "the result in the place of the function": (
        "grad(cube(2.0))",
        "f is a float, not a function",
        "neither `grad(f(x))`",
    ),
    "None in the place of the function": (
        "grad(None)",
        "f is a NoneType, not a function",
    ),
    "argnums from 1": (
        "grad(loss, argnums=2)(W, X)",
        "mistake.loss by argument 2",
        "counts from 0: the last argument is 1",
    ),
    "argnums far away": (
        "grad(cube, 4)(2.0)",
        "called with 1 positional arguments",
        "by position, not by name",
    ),
    "an argument twice": (
        "grad(loss, (0, -2))(W, X)",
        "names an argument of mistake.loss twice",
    ),
    "arguments by name": (
        "grad(loss)(w=W, x=X)",
        "called with 0 positional arguments",
        "by position, not by name",
    ),
    "the name of an argument": (
        "grad(loss, argnums='x')(W, X)",
        "count from 0: `x` is 1",
    ),
    "another mode": (
        "jacobian(np.sin, mode='rev')",
        "mode='rev'): there are 'forward', 'reverse' and None",
    ),
    # Arguments.
    "an integer": (
        "grad(cube)(2)",
        "the int 2: there is nothing between two integers",
        "`2.0` for `2`",
    ),
    "an array of integers": (
        "grad(np.sum)(np.arange(3))",
        "an array of int64",
        "`x.astype(float)`",
    ),
    "a truth value": (
        "grad(cube)(True)",
        "the bool True: there is nothing between two integers",
    ),
    "a string": (
        "grad(cube)('2.0')",
        "a str, which holds no real or complex number",
        "`argnums`",
    ),
    "None for an argument": (
        "grad(loss)(None, X)",
        "a NoneType, which holds no",
        "Choose other arguments",
    ),
    "a list for an array": (
        "grad(lambda x: np.sum(x**2))([1.0, 2.0])",
        "Argument 0 is a list of numbers",
        "give `np.array(...)`",
    ),
    "a list times a number": (
        "grad(lambda x: np.sum(2.0 * x))([1.0, 2.0])",
        "Argument 0 is a list of numbers",
        "give `np.array(...)`",
    ),
    "an array of objects": (
        "grad(np.sum)(np.array([1.0, None]))",
        "held by a ndarray",
        "Give them in a tuple, list",
    ),
    "a matrix": (
        "grad(np.sum)(np.asmatrix(A))",
        "np.matrix is not supported",
        "`np.asarray(x)`",
    ),
    "a masked array": (
        "grad(np.sum)(np.ma.array(X))",
        "masked arrays are not supported",
        "`x.filled(...)`",
    ),
    "an object of a class": (
        "grad(lambda m: m.data['w']**2)(collections.UserDict(w=2.0))",
        "held by a UserDict, in its attribute 'data'",
        "dataclass",
    ),
    "an object held twice": (
        "m = Model(2.0); grad(lambda ms: ms[0].w**2)([m, m])",
        "a list, whose `[0]` and `[1]` are one Model",
        "Hold the instance at one of them",
    ),
    "an object that holds itself": (
        "m = Model(2.0); m.parent = m; grad(lambda m: m.w**2)(m)",
        "a Model, whose `.parent` is itself",
        "Hold the instance at one of them",
    ),
    "an iterator": (
        "grad(lambda xs: sum(xs))(iter([1.0]))",
        "which is or holds a list_iterator",
        "`list(...)`",
    ),
    # Results.
    "an array as result": (
        "grad(np.sin)(X)",
        "not an array of shape (3,)",
        "Sum it, or pick an element",
    ),
    "a complex result": (
        "grad(lambda z: z * z)(1 + 2j)",
        "needs a real result",
        "`np.real(y)`",
    ),
    "no return": (
        """
def f(x):
    x * x
grad(f)(2.0)
""",
        "mistake.f",
        "returned None",
        "`return` forgotten?",
    ),
    "no return, of a Jacobian": (
        """
def f(x):
    np.sin(x)
jacobian(f)(X)
""",
        "not a NoneType",
        "`return` forgotten?",
    ),
    "a string as result": (
        "jacobian(lambda x: 'a')(X)",
        "needs a number or array as its result, not a str",
    ),
    "a pair as result": (
        "grad(lambda x: (x, x))(2.0)",
        "not a tuple",
        "`value_and_grad(f, has_aux=True)`",
    ),
    "no pair as result": (
        "value_and_grad(cube, has_aux=True)(2.0)",
        "has to return a pair, (value, anything), not a",
    ),
    "a generator as result": (
        "vjp(lambda x: (xi for xi in x), X)",
        "returned a generator",
        "`list(...)`",
    ),
    "an object as result": (
        "vjp(lambda w: collections.UserDict(w=w), 2.0)",
        "returned a UserDict, whose attribute 'data'",
        "dataclass",
    ),
    "a complex argument of a Jacobian": (
        "jacobian(np.sin)(X * 1j)",
        "which is complex",
        "`wirtinger(f, z)`",
    ),
    "a real argument of wirtinger": (
        "wirtinger(np.exp, 1.0)",
        "z is a float and not a complex number",
        "`complex(z)`",
    ),
    # Tangents and cotangents.
    "a pullback of another shape": (
        "vjp(np.sin, X)[1](np.ones(2))",
        "pullback of numpy.sin was given: it has shape (2,), the result (3,)",
    ),
    "a pullback of a number": (
        "vjp(np.sin, X)[1](1.0)",
        "np.full_like(x, 1.0)",
        "it has shape (), the result (3,)",
    ),
    "a pullback of a list": (
        "vjp(np.sin, X)[1]([1.0, 1.0, 1.0])",
        "give an array, `np.array(...)`, and not a list",
    ),
    "a pullback without the container": (
        "vjp(lambda x: (x, x), 2.0)[1](1.0)",
        "in the same containers, not as a float",
    ),
    "a tangent of another shape": (
        "jvp(np.sin, (X,), (np.ones(2),))",
        "tangent of argument 0 of numpy.sin: it has shape (2,), the argument (3,)",
    ),
    "a tangent of hvp of another shape": (
        "hvp(np.sum, X, np.ones(2))",
        "it has shape (2,), the argument (3,)",
    ),
    "a tangent in a list": (
        "jvp(np.sin, (X,), ([1.0, 1.0, 1.0],))",
        "tangent of argument 0",
        "give an array, `np.array(...)`",
    ),
    "jvp of no tuples": (
        "jvp(cube, 2.0, 1.0)",
        "takes a tuple of arguments and one of tangents",
        "`jvp(f, (x,), (x_dot,))`",
    ),
    "too few tangents": (
        "jvp(loss, (W, X), (W,))",
        "1 tangents for 2 arguments",
        "`ZeroTangent()`",
    ),
    "a tangent of an integer": (
        "jvp(cube, (2,), (1.0,))",
        "does not change smoothly",
        "`2.0` for `2`",
    ),
    "vjp without arguments": (
        "vjp(cube)(2.0)",
        "missing 1 required positional argument",
        "go into the same call, `vjp(f, x)`",
    ),
    # Rules.
    "no rule": (
        """
@primitive
def lonely(x):
    return x
grad(lonely)(2.0)
""",
        "mistake.lonely, float) has no rule",
        "`@rrule.dispatch`",
    ),
    "a call of a result": (
        "grad(lambda x: call(cube(2.0), x))(2.0)",
        "the function is missing",
    ),
    "a rule that returns y alone": (
        """
@primitive
def one(x):
    return x
@rrule.dispatch
def one_rrule(f: typeof_(one), x: float):
    return x
grad(one)(2.0)
""",
        "one_rrule (",
        "mistake.py:",
        "should return the pair (y, pullback), not a value of type float",
    ),
    "a forward rule that returns an array of two": (
        """
@primitive
def two(x):
    return x
@frule.dispatch
def two_frule(tangents, f: typeof_(two), x: np.ndarray):
    return tangents[1]
jvp(two, (X[:2],), (X[:2],))
""",
        "two_frule (",
        "should return the pair (y, y_dot), not a value of type ndarray",
    ),
    "a rule that returns its cotangents": (
        """
@primitive
def both(x):
    return x
@rrule.dispatch
def both_rrule(f: typeof_(both), x: float):
    return x, (NoTangent(), 1.0)
grad(both)(2.0)
""",
        "A rule returned the pair of its result and a value of type tuple",
        "`return y, pullback`",
    ),
    "a rule whose results are the other way round": (
        """
@primitive
def both(x):
    return x
@rrule.dispatch
def both_rrule(f: typeof_(both), x: float):
    return lambda y_bar: (NoTangent(), y_bar), x
grad(both)(2.0)
""",
        "both_rrule (",
        "should return the pair (y, pullback), not a function and a value of type float. They are the other",
    ),
    "a pullback that takes a cotangent of the function, too": (
        """
@primitive
def both(x):
    return x
@rrule.dispatch
def both_rrule(f: typeof_(both), x: float):
    return x, lambda f_bar, y_bar: (NoTangent(), y_bar)
grad(both)(2.0)
""",
        "missing 1 required positional argument: 'y_bar'",
        "A pullback is a function of one cotangent, that of the result",
    ),
    "a generator": ("grad(lambda x: (x for _ in range(3)))(2.0)", "not a generator. Return a number that is"),
    "the result of the function that is checkpointed": (
        "checkpoint(np.sin(1.0))(2.0)",
        "checkpoint(f): f is a float64, not a function",
    ),
    "a pullback that returns no tuple": (
        """
@primitive
def three(x):
    return x
@rrule.dispatch
def three_rrule(f: typeof_(three), x: float):
    def three_pullback(y_bar):
        return y_bar
    return x, three_pullback
grad(three)(2.0)
""",
        "three_pullback (",
        "and not a tuple of cotangents",
        "`return NoTangent(), x_bar`",
    ),
    "a pullback without the function's cotangent": (
        """
@primitive
def four(x):
    return x
@rrule.dispatch
def four_rrule(f: typeof_(four), x: float):
    def four_pullback(y_bar):
        return (y_bar,)
    return x, four_pullback
grad(four)(2.0)
""",
        "four_pullback (",
        "returned 1 cotangents for 1 argument",
        "one for the function itself",
    ),
    "a checkpoint that draws": (
        """
rng = np.random.default_rng(0)
grad(checkpoint(lambda x: x * rng.normal()))(2.0)
""",
        "the second call",
        "draw before the call",
    ),
    "a Jacobian that draws": (
        """
rng = np.random.default_rng(0)
jacobian(lambda x: x * rng.normal(size=3), mode='forward')(X)
""",
        "had another result than the first",
        "mode='reverse'",
    ),
}
