"""Methods that assignments and conditions call are entered."""

import numpy as np
import pytest

from chainrules.ad import grad
from tests.chainrules.ad.interception.programs_with_implicit_calls import PROGRAMS_WITH_IMPLICIT_CALLS
from tests.chainrules.ad.writing.programs import check_program


@pytest.mark.parametrize("program", PROGRAMS_WITH_IMPLICIT_CALLS, ids=lambda f: f.__name__)
def test_programs(program):
    """They compute as they would, and their functions have rules."""
    check_program(lambda x, _: program(x), np.array([0.7, 1.3, 2.1]))


class Fixed:
    """An object with a property that nobody sets, and no operators."""

    @property
    def value(self):
        """One."""
        return 1.0


def assign(x):
    """Set what is not set."""
    Fixed().value = x


def add(x):
    """Add what has no addition."""
    fixed = Fixed()
    fixed += x


def truth_of_many(x):
    """Ask for a truth that there is not."""
    return x if np.array([x, x]) else 0.0


def too_many(x):
    """Unpack."""
    _a, _b = np.array([x, x, x])


def no_iterator(x):
    """Unpack an object."""
    _a, _b = Fixed()


def no_items(x):
    """Set an item."""
    Fixed()[0] = x


@pytest.mark.parametrize(
    ("f", "error", "message"),
    [
        (assign, AttributeError, "property 'value' of 'Fixed' object has no setter"),
        (add, TypeError, "unsupported operand"),
        (truth_of_many, ValueError, "truth value of an array"),
        (too_many, ValueError, "too many values to unpack"),
        (no_iterator, TypeError, "cannot unpack non-iterable Fixed object"),
        (no_items, TypeError, "'Fixed' object does not support item assignment"),
    ],
)
def test_errors(f, error, message):
    """They are Python's own."""
    with pytest.raises(error, match=message):
        f(1.0)
    with pytest.raises(error, match=message):
        grad(f)(1.0)


def test_forgetting():
    """Classes may be made again and again."""

    def many(x):
        total = 0.0
        for _ in range(10_010):
            cls = type("Made", (), {})
            made = cls()
            made.value = x
            total = total + made.value
        return total

    assert grad(many)(1.0) == 10_010.0
