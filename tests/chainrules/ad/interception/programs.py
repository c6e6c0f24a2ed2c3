"""Programs in ordinary Python, one for each construct of the language: functions of one real number.

They call functions of `math`, which traced values would refuse: so a call that is not intercepted shows.
"""

import asyncio
import contextlib
import functools
import itertools
import math
import types
from collections.abc import Iterator
from math import cos, sin
from typing import NamedTuple


def plain(x):
    return math.sin(x) * x


def helper(x):
    return math.exp(-x * x)


def calls_a_helper(x):
    return helper(x) + helper(2.0 * x)


def nested(x):
    def inner(y):
        return sin(y) * x

    return inner(x) + inner(2.0)


def lambdas_on_one_line(x):
    f, g = (lambda y: sin(y)), (lambda y: cos(y))
    return f(x) * g(x)


def comprehensions(x):
    squares = [sin(k * x) for k in range(1, 4)]
    table = {k: cos(k * x) for k in range(1, 4)}
    unique = {k for k in range(3)}
    rows = [[sin(i * x) * cos(j * x) for j in range(2)] for i in range(2)]
    return sum(squares) + sum(table.values()) + sum(sum(row) for row in rows) + len(unique)


def generator_expression(x):
    return sum(sin(k * x) for k in range(1, 4) if cos(x) > -2.0)


def powers(x) -> Iterator[float]:
    y = 1.0
    while True:
        yield sin(y)
        y = y * x


def generators(x):
    return sum(itertools.islice(powers(x), 4))


def delegating(x):
    def both():
        received = yield from averaging(x)
        yield received

    return sum(both())


def averaging(x):
    yield sin(x)
    yield cos(x)
    return math.exp(x)


def generator_that_is_sent_to(x):
    def accumulate():
        total = 0.0
        while True:
            total = total + sin((yield total))

    g = accumulate()
    next(g)
    g.send(x)
    return g.send(2.0 * x)


def coroutines(x):
    async def slow_sin(y):
        await asyncio.sleep(0)
        return sin(y)

    async def both():
        return await slow_sin(x) + sum(await asyncio.gather(slow_sin(2.0 * x), slow_sin(3.0 * x)))

    return asyncio.run(both())


def recursion(x):
    return factorial_like(x, 4)


def factorial_like(x, n):
    return x if n == 0 else sin(x) * factorial_like(x, n - 1)


def mutual_recursion(x):
    def even(n):
        return cos(x) if n == 0 else odd(n - 1) * x

    def odd(n):
        return sin(x) if n == 0 else even(n - 1) + x

    return even(5)


def defaults(x, y=2.0, *, z=3.0):
    return sin(x * y) * z


def calls_with_defaults(x):
    return defaults(x) + defaults(x, 1.0) + defaults(x, z=1.0) + defaults(x, y=x)


def many(*args, **named):
    return sum(map(sin, args)) + sum(cos(value) for value in named.values())


def many_arguments(x):
    pair = (x, 2.0 * x)
    return many(*pair, 1.0, a=x, b=x * x)


def positional_only(x):
    def f(y, /, *, scale):
        return sin(y) * scale

    return f(x, scale=x)


def match_statement(x):
    match ("scaled", [x, 2.0], {"shift": x}):
        case ["scaled", [y, factor], {"shift": shift}] if factor > 1.0:
            return sin(y * factor) + shift
        case _:
            return 0.0


class Point(NamedTuple):
    a: float
    b: float


def match_classes(x):
    match Point(sin(x), cos(x)):
        case types.SimpleNamespace() | math.pi:
            return 0.0
        case Point(a=a, b=b) if math.fabs(a) < 2.0:
            return a * b


def walrus(x):
    if (y := sin(x)) > -2.0 and (z := cos(y)) is not None:
        return y * z
    return 0.0


def try_and_finally(x):
    total = 0.0
    try:
        total = total + sin(x)
        raise ValueError("as planned")
    except ValueError as error:
        total = total + cos(x) * len(error.args)
    else:
        total = 1.0e9
    finally:
        total = total + math.exp(x)
    return total


def exception_group(x):
    total = x
    try:
        raise ExceptionGroup("both", [ValueError(1), TypeError(2)])
    except* ValueError:
        total = total + sin(x)
    except* TypeError:
        total = total * cos(x)
    return total


class Recorder:
    def __init__(self, x):
        self.x = x
        self.total = 0.0

    def __enter__(self):
        self.total = self.total + sin(self.x)
        return self

    def __exit__(self, *error):
        self.total = self.total + cos(self.x)
        return True


def with_statement(x):
    with Recorder(x) as recorder:
        recorder.total = recorder.total * x
        raise KeyError(1)
    return recorder.total


@contextlib.contextmanager
def scaled(x):
    yield sin(x)


def context_manager(x):
    with scaled(x) as y, contextlib.suppress(KeyError), contextlib.ExitStack() as stack:
        return y * stack.enter_context(scaled(2.0 * x))


def while_loop(x):
    y = x
    while math.fabs(y) < 10.0:
        y = y + math.exp(y / 10.0)
    return y


def for_else(x):
    y = 0.0
    for k in range(5):
        if k == 3:
            break
        y = y + sin(k * x)
    else:
        y = 1.0e9
    for _ in ():
        pass
    y = y * cos(x)
    return y


def unpacking(x):
    (a, *rest), b = [sin(x), cos(x), x], 2.0
    return a * sum(rest) * b


def conditional(x):
    return sin(x) if x > 0.0 else cos(x)


def nonlocal_and_global(x):
    total = 0.0

    def add(y):
        nonlocal total
        total = total + sin(y)

    add(x)
    add(2.0 * x)
    return total


_count = 0


def global_variable(x):
    global _count
    _count = sin(x)
    return _count * x


def doubled(f):
    @functools.wraps(f)
    def twice(*args, **named):
        return 2.0 * f(*args, **named)

    return twice


def repeated(times):
    def decorate(f):
        @functools.wraps(f)
        def call(x):
            for _ in range(times):
                x = f(x)
            return x

        return call

    return decorate


@doubled
@repeated(3)
def decorated(x):
    return sin(x)


def calls_a_decorated_function(x):
    return decorated(x)


def partials(x):
    f = functools.partial(defaults, z=x)
    return f(x) + functools.partial(f, y=1.0)(2.0) + functools.partial(sin)(x)


def hides_state_in_an_object(x):
    box = types.SimpleNamespace(value=x)

    def look():
        return sin(box.value)

    return look()


_state = {}


def hides_state_in_a_global(x):
    _state["x"] = x
    return look_into_the_global()


def look_into_the_global():
    return sin(_state["x"])


PROGRAMS = [
    plain,
    calls_a_helper,
    nested,
    lambdas_on_one_line,
    comprehensions,
    generator_expression,
    generators,
    delegating,
    generator_that_is_sent_to,
    coroutines,
    recursion,
    mutual_recursion,
    defaults,
    calls_with_defaults,
    many_arguments,
    positional_only,
    match_statement,
    match_classes,
    walrus,
    try_and_finally,
    exception_group,
    with_statement,
    context_manager,
    while_loop,
    for_else,
    unpacking,
    conditional,
    nonlocal_and_global,
    global_variable,
    decorated,
    calls_a_decorated_function,
    partials,
    hides_state_in_an_object,
    hides_state_in_a_global,
]
