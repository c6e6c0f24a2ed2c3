"""Text that intercepted code puts together of traced values."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.traced.formatted_text import FormattedText
from tests.chainrules.ad.while_traced import while_traced

WAYS = {
    "an f-string": lambda x: f"x = {x:.2f}, {1:{2}d}",
    "%": lambda x: "%.2f" % x,  # noqa: UP031 - what is tested
    "% of a tuple": lambda x: "%s %.2f" % ("x", x),  # noqa: UP031 - what is tested
    "% of a dict": lambda x: "%(x).2f" % {"x": x},  # noqa: UP031 - what is tested
    "% of text": lambda x: "%s %d" % (str(x), 1),  # noqa: UP031 - what is tested
    "format": lambda x: "{} {:.2f}".format(1, x),  # noqa: UP032 - what is tested
    "format by name": lambda x: "{x:.2f}".format(x=x),  # noqa: UP032 - what is tested
    "format of an item": lambda x: "{[0]:.2f}".format([x]),  # noqa: UP032 - what is tested
    "format_map": lambda x: "{x:.2f}".format_map({"x": x}),
    "join": lambda x: ", ".join(str(i * x) for i in range(2)),
    "join of a list": lambda x: ", ".join([str(x)]),
    "str of text": lambda x: str(f"{x:.2f}"),
    "repr": lambda x: repr(x),
    "a sum of f-strings": lambda x: f"a {1}" + f"b {x:.2f}",
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_ways_to_make_text(way):
    """It knows that it is made of a traced value."""
    made = while_traced(2.5, way)

    assert type(made) is FormattedText
    assert made == way(2.5) or way is WAYS["repr"]


PLAIN = {
    "an f-string": lambda x: f"{1} {'a'!r:>5} {2.5:{6}.{2}f} {x > 1.0}",
    "an f-string of a call": lambda x: f"{len([x])} {np.ndim(x)}",
    "an f-string of variables": lambda x, i=1, s="s": f"{i:03d} {s}{s!r} {i}",
    "%": lambda x: "%d %s" % (1, "a"),  # noqa: UP031 - what is tested
    "format": lambda x: "{} {a}".format(1, a=None),  # noqa: UP032 - what is tested
    "join": lambda x: ", ".join(list("ab")) + "".join(c for c in "ab") + ", ".join("ab"),
    "str of an array that depends on nothing": lambda x: str(np.zeros(2)),
    "an f-string of one": lambda x: f"{np.zeros(2)}",
}


@pytest.mark.parametrize("way", PLAIN.values(), ids=PLAIN)
def test_other_text(way):
    """It is the string that Python makes."""
    made = while_traced(2.5, way)

    assert type(made) is str
    assert made == way(2.5)


def test_numbers_in_text_that_was_put_together():
    """A part of it is one of a text that was made of a traced value."""
    for f in (
        lambda x: float(f"a {x:.2f} b".split()[1]) * x,
        lambda x: sum(map(float, ",".join(str(v) for v in (x, 2.0 * x)).split(","))) * x,
        lambda x: float("{0}".format(f"{x:.1f}")) * x,  # noqa: UP030 - what is tested
        lambda x: float(f"{f'{x:.1f}'!s}") * x,
    ):
        with pytest.raises(TypeError, match="read from text"):
            grad(f)(2.5)


def test_errors_of_text_are_pythons_own():
    """They are raised as the program would see them."""
    for wrong in (lambda x: ", ".join(x), lambda x: ", ".join(), lambda x: "{".format(x)):  # noqa: F521 - wrong
        with pytest.raises((TypeError, ValueError)):
            while_traced(2.5, wrong)
