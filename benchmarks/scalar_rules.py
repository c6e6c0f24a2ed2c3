"""What a rule made by `scalar_rule` costs, beside the same rule written by hand."""

from collections.abc import Iterator
from typing import Any

import numpy as np

import chainrules  # noqa: F401 - whose rule of `sin` is made by `scalar_rule`
from benchmarks.measure import Row, fastest
from chainrules_core import NoTangent, frule, rrule

TARGET = 1.2


def written_rrule(f: Any, x: Any) -> Any:
    y = np.sin(x)

    def sin_pullback(y_bar: Any) -> Any:
        return NoTangent(), y_bar * np.cos(x)

    return y, sin_pullback


def written_frule(tangents: Any, f: Any, x: Any) -> Any:
    _, x_dot = tangents
    return np.sin(x), np.cos(x) * x_dot


def rows() -> Iterator[Row]:
    """Both modes of ``sin``, on a float and on an array."""
    tangents = (NoTangent(), 1.0)
    made_rrule, made_frule = rrule.find(np.sin, 1.0), frule.find(tangents, np.sin, 1.0)
    assert made_rrule is not None
    assert made_frule is not None
    for name, x in {"a float": 1.0, "1000 elements": np.linspace(0, 1, 1000)}.items():
        y_bar = np.cos(x)
        x_dots = (NoTangent(), y_bar)
        by_hand, made = fastest(
            lambda x=x, y_bar=y_bar: written_rrule(np.sin, x)[1](y_bar),
            lambda x=x, y_bar=y_bar: made_rrule.function(np.sin, x)[1](y_bar),
        )
        by_hand_f, made_f = fastest(
            lambda x=x, x_dots=x_dots: written_frule(x_dots, np.sin, x),
            lambda x=x, x_dots=x_dots: made_frule.function(x_dots, np.sin, x),
        )
        yield Row(f"scalar_rule's rrule and pullback, on {name}", "written by hand", made / by_hand, TARGET)
        yield Row(f"scalar_rule's frule, on {name}", "written by hand", made_f / by_hand_f, TARGET)
