"""What the generated `__init__` of a dataclass calls is entered."""

import dataclasses
import math

import numpy as np
import pytest

from chainrules.ad import grad
from tests.chainrules.ad.interception.ruled_callables import cube


def zeros():
    """An array to be filled."""
    return np.zeros(2)


@dataclasses.dataclass
class Filled:
    """A dataclass whose defaults are made by functions."""

    x: float
    total: np.ndarray = dataclasses.field(default_factory=zeros)
    items: list[float] = dataclasses.field(default_factory=list, kw_only=True)


@dataclasses.dataclass(slots=True)
class Slotted:
    """One with slots, whose fields are all of the kinds that there are."""

    x: float
    given: dataclasses.InitVar[float] = 2.0
    total: np.ndarray = dataclasses.field(default_factory=zeros)
    y: float = dataclasses.field(init=False)
    made: list[float] = dataclasses.field(init=False, default_factory=list)

    def __post_init__(self, given):
        self.y = cube(self.x) * given
        self.made.append(given)
        self.total[1] = self.x


def test_defaults_can_be_filled():
    """Those that are not given are made once for each instance."""

    def program(x):
        one, other = Filled(x), Filled(x, total=np.ones(2))
        third = Filled(x, np.ones(2), items=[x])
        one.total[0] = x
        one.items.append(x)
        assert other.items == []
        assert other.total is not third.total
        return np.sum(one.total * other.total) + sum(one.items) * third.items[0]

    assert grad(program)(3.0) == 1.0 + 6.0


def test_what_comes_after_has_rules_where_there_are_slots():
    """The fields are those that the generated function would set."""

    def program(x):
        one = Slotted(x)
        other = Slotted(x, 3.0, np.ones(2))
        assert (one.made, other.made) == ([2.0], [3.0])
        return one.y + other.y + one.total[1] * other.total[0]

    assert grad(program)(1.0) == 300.0 * 5.0 + 1.0


def test_arguments_are_bound_as_python_does():
    """Too many are an error, and unknown ones."""
    for args, kwargs in (((1.0, 2.0, 3.0, 4.0), {}), ((), {"x": 1.0, "z": 2.0}), ((), {})):
        for cls in (Filled, Slotted):
            with pytest.raises(TypeError, match="argument"):
                grad(lambda x, cls=cls, args=args, kwargs=kwargs: math.sin(x) * bool(cls(*args, **kwargs)))(
                    1.0
                )
