"""What operations answer that are called whole."""

import numpy as np

from chainrules.ad.recording.answers import described, evaluated, with_leaves
from chainrules_core import NO_TANGENT, Tangent, Thunk


class Pair:
    """An object of the program's."""


class Line(tuple):  # noqa: SLOT001 - it has attributes
    """A tuple with an attribute beside its parts."""


ANSWER = {"x": np.ones(2), "n": (3, "done", None), "dx": Tangent[Pair](a=Thunk(lambda: 2.0), b=NO_TANGENT)}


def test_described():
    """The answer is a text, and its numbers and arrays are taken out."""
    leaves = []
    assert described(ANSWER, leaves) == (
        "dict(x=ndarray[<f8, (2,)], n=(int, 'done', None), dx=Tangent[Pair](a=float, b=NoTangent))"
    )
    assert leaves[1:] == [3, 2.0]
    assert np.array_equal(leaves[0], np.ones(2))


def test_evaluated():
    """Thunks are computed."""
    assert evaluated(ANSWER)["dx"] == Tangent[Pair](a=2.0, b=NO_TANGENT)


def test_with_leaves():
    """The containers stay, and attributes beside parts are told apart."""
    line = Line((1.0, [2.0]))
    line.error = 3.0
    new = with_leaves({"line": line}, lambda x: 2.0 * x, str)["line"]
    assert type(new) is Line
    assert new == (2.0, [4.0])
    assert new.error == "3.0"
