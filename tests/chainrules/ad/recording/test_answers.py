"""What calls that are made again answer."""

import numpy as np

from chainrules.ad.recording.answers import described, evaluated, with_leaves
from chainrules_core import NO_TANGENT, Tangent, Thunk
from tests.chainrules.ad.recording.test_again import Pair


def test_answers():
    """What an answer says is a text, and its numbers and arrays are taken out."""
    answer = {
        "x": np.ones(2),
        "n": (3, "done", None),
        "dx": Tangent[Pair](a=Thunk(lambda: 2.0), b=NO_TANGENT),
    }
    leaves = []
    said = described(evaluated(answer), leaves)
    assert said == (
        "dict(x=ndarray[<f8, (2,)], n=tuple(0=int, 1='done', 2=None), "
        "dx=Tangent[Pair](a=float, b=chainrules_core.tangents.abstract_zero.NoTangent))"
    )
    assert leaves[1:] == [3, 2.0]
    assert np.array_equal(leaves[0], np.ones(2))
    assert with_leaves({"x": 1.0, "n": (3,)}, lambda x: x + 1) == {"x": 2.0, "n": (4,)}
