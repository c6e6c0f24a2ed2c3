"""Attributes that a program asks for by their names."""

import functools
import operator
import types

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError

# What is refused has a line each, which the sample is to reach.
pytestmark = pytest.mark.every_case

X = np.array([0.3, -1.2, 2.1, 0.7])

SETTINGS = types.ModuleType("settings")
SETTINGS.scale = 2.0


def missing(x):
    """A name that a module may not have."""
    try:
        return np.sum(x) * SETTINGS.extra
    except AttributeError:
        return np.sum(x) * 7.0


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.sum(x) * (2.0 if hasattr(SETTINGS, "extra") else 3.0),
        lambda x: np.sum(x) * getattr(SETTINGS, "extra", 5.0),
        lambda x: getattr(x, "sum")() * getattr(np, "sin")(x[0]) * getattr(SETTINGS, "scale"),  # noqa: B009 - by name
        lambda x: np.sum(x) * (2.0 if hasattr(x, "shape") and not hasattr(x, "extra") else 3.0),
        lambda x: np.sum(x) * operator.attrgetter("scale")(SETTINGS) * operator.attrgetter("T")(x)[0],
        lambda x: operator.methodcaller("sum")(x) * operator.methodcaller("get", "a.b", 2.0)({}),
        missing,
    ],
)
def test_attributes_by_name(f, monkeypatch):
    """What they are is compared, and that they are not there."""
    for g in (f, grad(f)):
        c = compiled(g, strict=True)
        for name, value in (("extra", 2.5), ("extra", 3.5), ("scale", 4.0)):
            for change in (
                lambda patch: None,
                lambda patch, n=name, v=value: patch.setattr(SETTINGS, n, v, False),
            ):
                with monkeypatch.context() as patch:
                    change(patch)
                    for x in (X, 2.0 * X):
                        np.testing.assert_allclose(c(x), g(x), rtol=1e-14)


def sets(x):
    """Attributes of what the program made."""
    space = types.SimpleNamespace()
    for name, value in {"a": x, "b": 2.0}.items():
        setattr(space, name, value)
    return np.sum(space.a * space.b * x)


def test_setting_attributes():
    """Of one's own objects they are recorded; of others they are effects, which are put back."""
    for g in (sets, grad(sets)):
        c = compiled(g, strict=True)
        for x in (X, 2.0 * X):
            np.testing.assert_array_equal(c(x), g(x))


def gives_to_a_module(x):
    """A new name."""
    SETTINGS.fresh = 2.0
    return np.sum(x)


@pytest.mark.parametrize(
    ("f", "reason"),
    [
        (gives_to_a_module, "attribute `fresh`"),
        (lambda x: setattr(SETTINGS, "fresh", 2.0) or np.sum(x), "attribute `fresh`"),
        (lambda x: setattr(SETTINGS, "scale", 3.0) or np.sum(x), "`scale` holds another value"),
        (lambda x: setattr(missing, "fresh", 3.0) or np.sum(x), "a dict was changed"),
        (lambda x: setattr(missing, "__code__", None) or np.sum(x), "`__code__`"),
    ],
)
def test_attributes_that_others_would_see(f, reason):
    """A new one, too."""
    with pytest.raises(CompilationError, match=reason):
        compiled(grad(f), strict=True)(X)
    assert not hasattr(SETTINGS, "fresh")
    assert SETTINGS.scale == 2.0
    assert not vars(missing)


@pytest.mark.parametrize(
    ("f", "reason"),
    [
        (lambda x: np.sum(x) * len(getattr(missing, "__code__").co_consts), "__code__"),  # noqa: B009 - by name
        (lambda x: np.sum(x) * (2.0 if hasattr(x, "__array_interface__") else 3.0), "__array_interface__"),
        (lambda x: np.sum(x) * functools.partial(getattr, SETTINGS)("scale"), "partial"),
        (lambda x: np.sum(x) * functools.partial(operator.attrgetter, "scale")()(SETTINGS), "partial"),
        (lambda x: np.sum(x) * operator.attrgetter("__dict__.a")(SETTINGS), "__dict__"),
        (lambda x: np.sum(x) * next(map(getattr, [SETTINGS], ["__dict__"]))["scale"], "__dict__"),
    ],
)
def test_attributes_that_are_not_read_by_name(f, reason):
    """As those after a dot."""
    with pytest.raises(CompilationError, match=reason):
        compiled(grad(f), strict=True)(X)
