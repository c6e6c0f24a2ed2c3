"""Whose function is entered, by its frame."""

import json
import sys

import numpy as np
import plum
import pytest

from chainrules.ad import compiled, grad
from chainrules.ad.recording.users_frames import is_import, is_users_frame


def frame_of(function, *args, above=0):
    """The frame of a function of a library, while it calls back."""
    found = []
    function(lambda *_: found.append(sys._getframe(1 + above)), *args)
    return found[0]


def test_whose_they_are():
    """The user's own, a library's, and text that one of them has made."""
    assert is_users_frame(sys._getframe()) is True
    assert is_users_frame(frame_of(np.apply_along_axis, 0, np.ones(2))) is None
    scope = {"__name__": __name__, "sys": sys}
    exec("def f(): return sys._getframe()", scope)  # noqa: S102 - text of the user's
    assert is_users_frame(scope["f"]()) is True
    scope["__name__"] = "namedtuple_Point"
    exec("def f(): return sys._getframe()", scope)  # noqa: S102 - as Python does
    assert is_users_frame(scope["f"]()) is None


@pytest.mark.parametrize("module", [json, plum])
def test_imports(module):
    """A module is executed by Python's own functions, which are not the user's."""
    assert not is_import(sys._getframe())
    assert not is_import(None)
    c = compiled(grad(lambda x: np.sum(x * x) * len(module.__name__)), strict=True)
    np.testing.assert_array_equal(c(np.ones(2)), 2.0 * len(module.__name__) * np.ones(2))
