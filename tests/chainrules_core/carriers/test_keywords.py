# ruff: noqa: D103 - stand-ins have nothing to document
"""Keyword arguments that carry a tangent."""

import numpy as np
import pytest

from chainrules_core import RuleNotFoundError, bind_keywords


class Carried(float):
    """A number that carries a tangent."""


def carries(x):
    return isinstance(x, Carried)


def foo(x, y=2.0, z=3.0, /, w=4.0, *, key=None, **rest): ...


def bar(x, y, z=3.0, *args, flag=False): ...


CARRIED = Carried(7.0)


@pytest.mark.parametrize(
    ("args", "kwargs", "expected"),
    [
        ((1.0,), {}, ((1.0,), {})),
        ((1.0,), {"z": 5.0}, ((1.0,), {"z": 5.0})),
        ((1.0,), {"y": CARRIED}, ((1.0, CARRIED), {})),
        ((1.0, 2.0), {"z": CARRIED}, ((1.0, 2.0, CARRIED), {})),
        ((), {"z": CARRIED, "x": 1.0, "y": 2.0}, ((1.0, 2.0, CARRIED), {})),
        ((), {"y": CARRIED, "x": CARRIED, "z": 5.0}, ((CARRIED, CARRIED), {"z": 5.0})),
        ((), {"x": CARRIED, "y": 2.0, "flag": True}, ((CARRIED,), {"y": 2.0, "flag": True})),
        ((CARRIED,), {"y": 2.0}, ((CARRIED,), {"y": 2.0})),
    ],
)
def test_moved_to_their_places(args, kwargs, expected):
    """An argument that carries a tangent becomes positional, and so do those before it; the rest stays."""
    given = dict(kwargs)
    assert bind_keywords(bar, args, kwargs, carries) == expected
    assert kwargs == given


def test_parameters_between_get_their_defaults():
    """A place that was not given is filled with its default."""
    assert bind_keywords(foo, (1.0,), {"w": CARRIED}, carries) == ((1.0, 2.0, 3.0, CARRIED), {})


@pytest.mark.parametrize(
    "f",
    [
        np.add.reduce,
        np.maximum.reduce,
        *(getattr(np.ndarray, name) for name in ("max", "min", "prod", "sum")),
    ],
)
def test_reductions_in_c(f):
    """NumPy takes their keywords by position too, though Python does not know all of them."""
    x = np.array([[1.0, 2.0], [4.0, 3.0]])
    args, kwargs = bind_keywords(f, (x,), {"initial": CARRIED, "axis": 1, "where": x > 1.0}, carries)
    assert CARRIED is args[-1]
    np.testing.assert_array_equal(f(*args, **kwargs), f(x, initial=7.0, axis=1, where=x > 1.0))


@pytest.mark.parametrize("name", ["std", "var"])
def test_deviations_in_c(name):
    """Likewise."""
    method, x = getattr(np.ndarray, name), np.array([1.0, 2.0, 4.0])
    args, kwargs = bind_keywords(method, (x,), {"ddof": Carried(0.5), "keepdims": True}, carries)
    assert args[4:] == (0.5,)
    np.testing.assert_array_equal(method(*args, **kwargs), method(x, ddof=0.5, keepdims=True))


@pytest.mark.parametrize(("f", "given"), [(np.bincount, {"weights": CARRIED}), (np.dot, {"b": CARRIED})])
def test_functions_in_c(f, given):
    """NumPy says their parameters since 2.4."""
    assert bind_keywords(f, ([0, 1],), given, carries) == (([0, 1], CARRIED), {})


def test_vectorized_functions():
    """They have the parameters of the function that they call; what is excluded may be so by its name."""
    assert bind_keywords(np.vectorize(bar), (1.0,), {"z": CARRIED, "y": 2.0}, carries) == (
        (1.0, 2.0, CARRIED),
        {},
    )
    with pytest.raises(RuleNotFoundError, match="`z` carries a tangent"):
        bind_keywords(np.vectorize(bar, excluded=["z"]), (1.0, 2.0), {"z": CARRIED}, carries)


@pytest.mark.parametrize(
    ("f", "kwargs", "error", "message"),
    [
        (
            foo,
            {"key": CARRIED},
            RuleNotFoundError,
            "foo: its argument `key` carries a tangent but can only be given by key",
        ),
        (
            foo,
            {"other": CARRIED},
            RuleNotFoundError,
            "`other` carries a tangent but can only be given by keyword",
        ),
        (foo, {"y": CARRIED}, RuleNotFoundError, "`y` carries a tangent but can only be given by keyword"),
        (bar, {"flag": CARRIED}, RuleNotFoundError, "`flag` carries a tangent"),
        (max, {"key": CARRIED}, RuleNotFoundError, "max: .* the signature of the function is not known"),
        (bar, {"z": CARRIED}, TypeError, "bar: missing the argument `y`"),
    ],
)
def test_refused_where_there_is_no_place(f, kwargs, error, message):
    """Rather than drop a derivative, a keyword without a place is an error that says what to do."""
    with pytest.raises(error, match=message):
        bind_keywords(f, (1.0,), kwargs, carries)


def test_given_twice():
    """An argument by position and by keyword is the caller's mistake, as in Python."""
    with pytest.raises(TypeError, match=r"bar: its argument `y` is given by position and by keyword"):
        bind_keywords(bar, (1.0, 2.0), {"y": CARRIED}, carries)


def test_numpy_functions_have_signatures():
    """The functions of NumPy are bound like any others."""
    x = np.ones(2)
    args, kwargs = bind_keywords(np.linalg.norm, (), {"x": CARRIED, "axis": 0}, carries)
    assert (args, kwargs) == ((CARRIED,), {"axis": 0})
    assert bind_keywords(np.clip, (x,), {"a_max": CARRIED, "a_min": 0.0}, carries)[0] == (x, 0.0, CARRIED)
