"""The time that marking a function by `primitive` adds to its call."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, beyond, fastest
from chainrules_core import primitive

# The seconds that a call with one argument may cost beyond the call of the function.
WITHIN = 150e-9


def wrapped(f: Any) -> Any:
    """The least that any wrapper does."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    return wrapper


def identity(x: Any) -> Any:
    return x


def first(x: Any, y: Any) -> Any:
    return x


def rows() -> Iterator[Row]:
    """Calls with one ordinary value, and with two."""
    marked, wrapper = primitive(identity), wrapped(identity)
    for name, x in {"a float": 1.0, "an array": np.ones(3)}.items():
        plain, through_wrapper, through_primitive = fastest(
            lambda x=x: identity(x), lambda x=x: wrapper(x), lambda x=x: marked(x)
        )
        added = beyond(through_primitive, plain)
        yield Row(
            f"what primitive(f)(x) adds, on {name}",
            "what a bare wrapper adds",
            added / beyond(through_wrapper, plain),
            2,
        )
        yield Row(f"what primitive(f)(x) adds, on {name}", "150 ns", added / WITHIN, 1)
    marked_first, wrapped_first = primitive(first), wrapped(first)
    plain, through_wrapper, through_primitive = fastest(
        lambda: first(1.0, 2.0), lambda: wrapped_first(1.0, 2.0), lambda: marked_first(1.0, 2.0)
    )
    yield Row(
        "what primitive(f)(x, y) adds, on floats",
        "what a bare wrapper adds",
        beyond(through_primitive, plain) / beyond(through_wrapper, plain),
    )
