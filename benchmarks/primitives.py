"""What marking a function by `primitive` adds to its call."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.measure import Row, beyond, fastest
from chainrules_core import primitive


def wrapped(f: Any) -> Any:
    """The least that any wrapper does."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    return wrapper


def identity(x: Any) -> Any:
    return x


def rows() -> Iterator[Row]:
    """A call with an ordinary value."""
    marked, wrapper = primitive(identity), wrapped(identity)
    for name, x in {"a float": 1.0, "an array": np.ones(3)}.items():
        plain, through_wrapper, through_primitive = fastest(
            lambda x=x: identity(x), lambda x=x: wrapper(x), lambda x=x: marked(x)
        )
        ratio = beyond(through_primitive, plain) / beyond(through_wrapper, plain)
        yield Row(f"what primitive(f)(x) adds, on {name}", "what a bare wrapper adds", ratio, 2)
