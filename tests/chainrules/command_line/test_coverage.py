"""`coverage MODULE` says of every public function what there is."""

import argparse
import sys
import types

import pytest

from chainrules.command_line.coverage import answer
from chainrules.command_line.lookup_errors import NothingFoundError
from chainrules_core import NoTangent, non_differentiable, rrule, scalar_rule, typeof_


def covered(module: str, only: str | None = None) -> dict:
    """What JSON is told."""
    return answer(argparse.Namespace(module=module, only=only)).data


def test_what_is_said_of_functions():
    """The words are: a rule, none since there is no derivative, an error, a gap with its reason."""
    functions = {entry["name"]: entry for entry in covered("numpy")["functions"]}

    assert functions["sum"]["rrule"] == functions["sum"]["frule"] == "rule"
    assert any(place.endswith("numpy/sums.py") for place in functions["sum"]["where"])
    assert functions["argmax"]["rrule"] == "zero"
    assert functions["put"]["rrule"] == "refused"
    assert functions["frompyfunc"]["rrule"] == "gap"
    assert "np.vectorize" in functions["frompyfunc"]["gap"]


@pytest.mark.parametrize("owner", ["numpy.ndarray", "numpy.random.Generator", "numpy.ufunc"])
def test_methods(owner):
    """The methods of a class are looked at like functions."""
    data = covered(owner)

    assert data["counts"]["rule"] > 10
    assert data["counts"]["none"] == 0


def test_counts_are_those_of_the_list():
    """The counts are the same, whether or not only some functions are listed."""
    data = covered("numpy")
    listed = [entry["rrule"] for entry in data["functions"]]

    assert {word: listed.count(word) for word in data["counts"]} == data["counts"]
    assert covered("numpy", only="gap")["counts"] == data["counts"]
    assert len(covered("numpy", only="gap")["functions"]) == data["counts"]["gap"]


def test_a_package_of_ones_own(monkeypatch):
    """Rules of any package count; what nobody has said anything about is none."""
    module = types.ModuleType("mypackage")

    def with_rule(x):
        return 2 * x

    def constant(x):
        return 1.0

    def forgotten(x):
        return x

    def in_reverse(x):
        return x

    scalar_rule(with_rule, lambda y, x: 2.0)
    non_differentiable(constant)

    @rrule.dispatch
    def in_reverse_rrule(f: typeof_(in_reverse), x: float):
        return x, lambda y_bar: (NoTangent(), y_bar)

    functions = (with_rule, constant, in_reverse, forgotten)
    vars(module).update({f.__name__: f for f in functions})
    monkeypatch.setitem(sys.modules, "mypackage", module)

    said = {entry["name"]: (entry["frule"], entry["rrule"]) for entry in covered("mypackage")["functions"]}
    assert said == {
        "with_rule": ("rule", "rule"),
        "constant": ("zero", "zero"),
        "in_reverse": ("none", "rule"),
        "forgotten": ("untried", "untried"),
    }


def test_the_table_gives_reasons():
    """The last column is the place of the rules, or why there are none."""
    (section,) = answer(argparse.Namespace(module="numpy", only="gap")).sections

    assert all(reason for *_, reason in section.rows)


def test_unknown_modules(monkeypatch):
    """An error says which may have been meant; a module without functions is one, too."""
    with pytest.raises(NothingFoundError, match=r"Did you mean .*numpy\.linalg"):
        covered("numpy.linagl")
    monkeypatch.setitem(sys.modules, "empty", types.ModuleType("empty"))
    with pytest.raises(NothingFoundError, match="no public functions"):
        covered("empty")


def test_functions_without_rules():
    """What becomes of a call that was tried; else whether calls are followed, for all that is known."""
    functions = {entry["name"]: entry for entry in covered("scipy.integrate")["functions"]}

    assert functions["cubature"]["rrule"] == functions["cubature"]["frule"] == "follows"
    assert functions["RK45"]["rrule"] == functions["RK45"]["frule"] == "followed"
    assert functions["RK45"]["followed"]["example"].startswith("solve_ivp(")
    assert functions["OdeSolver"]["rrule"] == "nothing"
    shown = answer(argparse.Namespace(module="scipy.interpolate", only="compiled")).sections[0].rows
    assert ("generate_knots", "compiled", "compiled") in {row[:3] for row in shown}


@pytest.mark.parametrize(
    ("words", "name", "function"),
    [
        ("np.fft.fft", "numpy.fft.fft", "fft"),
        ("sin", "numpy.sin", "sin"),
        ("np.fft", "numpy.fft", "fft"),
        ("ndarray", "numpy.ndarray", "sum"),
        ("Generator", "numpy.random.Generator", "gamma"),
        ("linalg", "numpy.linalg", "det"),
    ],
)
def test_names_as_people_type_them(words, name, function):
    """A function stands for itself; `np` is NumPy; common classes and modules need no module before them."""
    data = covered(words)

    assert data["module"] == name
    assert function in {entry["name"] for entry in data["functions"]}


def test_packages_of_modules():
    """Whoever asks about `scipy` is given all of its modules; NumPy has functions of its own."""
    functions = {entry["name"]: entry["rrule"] for entry in covered("scipy")["functions"]}

    assert functions["special.erf"] == functions["stats.norm"] == "rule"
    assert functions["signal.savgol_filter"] == "follows"
    assert functions["io.loadmat"] == "nothing"
    assert functions["test"] == "nothing"
    *_, note = answer(argparse.Namespace(module="numpy", only=None)).notes
    assert "numpy.fft" in note


def test_tried_calls_say_more_than_gaps():
    """What a test follows is no gap, though it stands among the gaps; the rest keep their reason."""
    functions = {entry["name"]: entry for entry in covered("scipy.signal")["functions"]}

    assert functions["ShortTimeFFT"]["rrule"] == "followed"
    assert functions["argrelmax"]["rrule"] == "zero"
    assert functions["remez"]["rrule"] == "gap"
    rows = answer(argparse.Namespace(module="scipy.signal", only="followed")).sections[0].rows
    assert ("ShortTimeFFT", "ShortTimeFFT(") in {(name, reason[:13]) for name, *_, reason in rows}


def test_what_is_no_function():
    """It is an error, not an empty answer."""
    with pytest.raises(NothingFoundError, match=r"'numpy\.pi' has no public functions, and is none"):
        covered("numpy.pi")
