"""What all projectors are, for the tests of this folder."""

import fractions
import functools
import numbers
import pickle
import sys
import types

import numpy as np

import chainrules_core
from chainrules_core import ProjectTo
from chainrules_core.tangent_spaces.projection import Projector


def assert_are_values(*primals, spelled=True):
    """The projectors of some primals are values.

    Each is equal to another of the same primal, and to no other here; so are their hashes, copies by pickle,
    and their texts, which make them again if they are `spelled` out.
    """
    projectors = [ProjectTo(x) for x in primals]
    modules = (np, chainrules_core, fractions, functools, numbers, types, sys.modules["tests"])
    names = {
        **{cls.__name__: cls for cls in _all_subclasses(Projector)},
        **{module.__name__: module for module in modules},
        "dtype": np.dtype,
        "np": np,
    }
    for i, (x, project) in enumerate(zip(primals, projectors, strict=True)):
        again = ProjectTo(x)
        assert project == again
        assert hash(project) == hash(again)
        assert ", _" not in repr(project)
        assert pickle.loads(pickle.dumps(project)) == project
        assert project != "a projector"
        if spelled:
            assert eval(repr(project), names) == project  # the law
        for other in projectors[:i]:
            assert project != other
            assert repr(project) != repr(other)
    assert len(set(projectors)) == len(projectors)


def _all_subclasses(cls):
    for below in cls.__subclasses__():
        yield below
        yield from _all_subclasses(below)
