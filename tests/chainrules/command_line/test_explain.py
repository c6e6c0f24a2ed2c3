"""`explain NAME TYPE...` says what `rrule.explain` and `frule.explain` say of values of these types."""

import argparse

import pytest

from chainrules.command_line.explain import answer
from chainrules.command_line.lookup_errors import NothingFoundError
from chainrules_core import opt_out, rrule, typeof_


def explained(name: str, *types: str) -> argparse.Namespace:
    """The answer."""
    return answer(argparse.Namespace(name=name, types=list(types)))


def test_both_modes():
    """The rules are named, with their places."""
    data = explained("numpy.where", "ndarray", "ndarray", "ndarray").data

    assert data["primal"] == "numpy.where"
    assert data["modes"]["rrule"]["rule"]["name"] == "where_rrule"
    assert data["modes"]["frule"]["rule"]["name"] == "where_frule"
    assert "is served by" in data["modes"]["rrule"]["text"]


def test_types_decide():
    """A sparse matrix has another rule than an array."""
    chosen = [
        explained("operator.matmul", A, "ndarray[float64, 1]").data["modes"]["rrule"]["rule"]["location"]
        for A in ("ndarray", "scipy.sparse.csr_array")
    ]

    assert "rulesets/operator/" in chosen[0]
    assert "scipy/sparse/" in chosen[1]


def test_the_caller_is_an_ad_system():
    """Rules that call back into one are found."""
    assert explained("map", "function", "tuple").data["modes"]["rrule"]["says"] == "rule"


def test_no_rule_is_an_answer():
    """A call without a rule is answered with the reason."""
    said = explained("numpy.frompyfunc", "function").data["modes"]["rrule"]

    assert (said["says"], said["rule"]) == ("none", None)
    assert "has no rule" in said["text"]


def test_a_tie_is_an_answer(monkeypatch):
    """Several rules, none of which is the most specific, are all named."""

    def tied(x, y):
        return x * y

    @rrule.dispatch
    def first_rrule(f: typeof_(tied), x: float, y: object):
        return None

    @rrule.dispatch
    def second_rrule(f: typeof_(tied), x: object, y: float):
        return None

    monkeypatch.setattr("numpy.tied", tied, raising=False)
    said = explained("numpy.tied", "float", "float").data["modes"]["rrule"]

    assert said["says"] == "ambiguous"
    assert "first_rrule" in said["text"]
    assert "second_rrule" in said["text"]
    opt_out(rrule, typeof_(tied), float, float)  # resolves the tie, for those who check all tables


def test_what_is_not_called():
    """A constant is refused: it is no function."""
    with pytest.raises(NothingFoundError, match="is a float, which is not called"):
        explained("math.pi")


def test_functions_without_rules():
    """What becomes of a call that was tried is said beside."""
    (note,) = answer(argparse.Namespace(name="scipy.integrate.cubature", types=["function"])).notes

    assert "followed" in note
    assert not answer(argparse.Namespace(name="numpy.sin", types=["2.0"])).notes
