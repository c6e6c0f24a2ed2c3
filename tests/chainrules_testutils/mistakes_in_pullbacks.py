"""Mistakes in what a pullback takes and returns: scripts with one each, and words of the message."""

MISTAKES_IN_PULLBACKS = {
    "a class of tangents": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return cube(x), lambda y_bar: (NoTangent(), ZeroTangent)

test_rrule(cube, 2.0)
""",
        "is no tangent: write `ZeroTangent()`, with parentheses",
    ),
    "not_implemented that is not called": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return cube(x), lambda y_bar: (NoTangent(), not_implemented)

test_rrule(cube, 2.0)
""",
        'write `not_implemented("why")`',
    ),
    "a function for a thunk": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return cube(x), lambda y_bar: (NoTangent(), lambda: 3 * x * x * y_bar)

test_rrule(cube, 2.0)
""",
        "a thunk, `thunk(lambda: ...)`",
    ),
    "a complex cotangent of a real argument": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return cube(x), lambda y_bar: (NoTangent(), 3j * x * x * y_bar)

test_rrule(cube, 2.0)
""",
        "It is complex, and the other real: `ProjectTo(x)` takes the real part",
    ),
    "a text": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return cube(x), lambda y_bar: (NoTangent(), 'x')

test_rrule(cube, 2.0)
""",
        "'x' is no tangent",
    ),
    "a pullback of two arguments": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return cube(x), lambda x, y_bar: (NoTangent(), 3 * x * x * y_bar)

test_rrule(cube, 2.0)
""",
        "missing 1 required positional argument",
        "a function of one cotangent, that of the result",
    ),
    "one cotangent too many": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return cube(x), lambda y_bar: (NoTangent(), 3 * x * x * y_bar, ())

test_rrule(cube, 2.0)
""",
        "Keyword arguments, and those left",
    ),
    "a pullback that yields": (
        """
@rrule.dispatch
def cube_rrule(f: typeof_(cube), x: float):
    return cube(x), lambda y_bar: (x_bar for x_bar in (NoTangent(), 3 * x * x * y_bar))

test_rrule(cube, 2.0)
""",
        "not a generator",
        "`return` in the place of `yield`",
    ),
    "cotangents in a tuple": (
        """
def add(x, y):
    return x + y

@rrule.dispatch
def add_rrule(f: typeof_(add), *xs: float):
    return sum(xs), lambda y_bar: (NoTangent(), (y_bar, y_bar))

test_rrule(add, 1.0, 2.0)
""",
        "3 here, not 2. One of them is a tuple: write `return NoTangent(), *x_bars`.",
    ),
    "the tangent of a closure": (
        """
def scaled_by(k):
    def f(x):
        return k * x
    return f

f = scaled_by(2.0)

@rrule.dispatch
def f_rrule(f: typeof_(f), x: float):
    return f(x), lambda y_bar: (NoTangent(), 2.0 * y_bar)

test_rrule(f, 1.5)
""",
        "cotangent for input 1, field k",
        "input 1 is the function itself, which holds",
        "`PrimalAndTangent(f, NoTangent())`",
    ),
    "a number for an object": (
        """
class Box:
    def __init__(self, v):
        self.v = v

def squared(box):
    return box.v**2

@rrule.dispatch
def squared_rrule(f: typeof_(squared), box: Box):
    return box.v**2, lambda y_bar: (NoTangent(), ProjectTo(box)(2 * box.v * y_bar))

test_rrule(squared, Box(1.5))
""",
        "has no fields: write Tangent[Box](v=",
    ),
}
