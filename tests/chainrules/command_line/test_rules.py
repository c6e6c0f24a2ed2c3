"""`rules PATTERN` finds rules as users write functions."""

import argparse
from types import SimpleNamespace

import pytest

from chainrules.command_line.lookup_errors import NothingFoundError
from chainrules.command_line.rules import RuleRow, answer, matches, rows_matching
from chainrules_core import HasForwardsMode, HasReverseMode, RuleConfig, frule, opt_out, rrule, typeof_


def rows(pattern: str) -> list[tuple[str, ...]]:
    """The cells of the answer."""
    return list(answer(argparse.Namespace(pattern=pattern)).sections[0].rows)


@pytest.mark.parametrize(
    ("pattern", "primal", "file"),
    [
        ("numpy.linalg.cholesky", "numpy.linalg.cholesky", "numpy/linalg/cholesky.py"),
        ("cholesky", "numpy.linalg.cholesky", "numpy/linalg/cholesky.py"),
        ("np.sum", "numpy.sum", "numpy/sums.py"),
        ("*.sum", "numpy.ndarray.sum", "numpy/ndarray.py"),
        ("ndarray.sum", "numpy.ndarray.sum", "numpy/ndarray.py"),
        ("numpy.random.Generator.gamma", "numpy.random.Generator.gamma", "numpy/random/distributions.py"),
        ("np.random.normal", "numpy.random.RandomState.normal", "numpy/random/distributions.py"),
        ("random.gauss", "random.Random.gauss", "rulesets/random.py"),
        ("matmul", "operator.matmul", "scipy/sparse/products.py"),
        ("csr_array.sum", "scipy.sparse._compressed._cs_matrix.sum", "scipy/sparse/sums.py"),
        ("numpy.abs", "numpy.absolute", "numpy/magnitudes.py"),
        ("partial", "functools.partial instance", "rulesets/functools.py"),
        ("Diagonal", "chainrules_core.structured.Diagonal", "structured/"),
        ("numpy.add.reduce", "numpy.add.reduce", "numpy/"),
    ],
)
def test_found_as_written(pattern, primal, file):
    """By the whole name, an end of it, a pattern, another name; both modes on one line."""
    found = [row for row in rows(pattern) if row[0] == primal and file in row[-1]]

    assert found
    assert {row[2] for row in found} == {"frule, rrule"}


def test_all_that_matches_is_listed():
    """Sparse and structured matrices have rules of their own for `A @ x`."""
    arguments = [row[1] for row in rows("operator.matmul")]

    assert "AbstractArray, AbstractArray" in arguments
    assert "sparray | spmatrix, AbstractArray" in arguments


def test_what_rules_say():
    """A derivative, or that there is none, or an error."""
    says = {pattern: rows(pattern)[0][3] for pattern in ("numpy.sin", "numpy.argmax", "numpy.put")}

    assert says == {"numpy.sin": "rule", "numpy.argmax": "zero", "numpy.put": "refused"}


def test_places_are_for_machines_too():
    """Each rule has its own ``file:line``."""
    (row,) = answer(argparse.Namespace(pattern="numpy.linalg.cholesky")).data

    assert row["says"] == "rule"
    assert set(row["rules"]) == {"frule", "rrule"}
    assert row["rules"]["rrule"]["location"].rpartition(":")[2].isdecimal()


def test_one_line_for_the_same_arguments():
    """In both modes, whatever features one of them needs; other types, and opting out, are another line."""

    def same(x, y):
        return x

    for types in ((float, str), (int, str), (float, int)):

        def same_rrule(f, x, y): ...

        def same_frule(tangents, f, x, y): ...

        for rules, rule in ((rrule, same_rrule), (frule, same_frule)):
            rule.__annotations__ = {"f": typeof_(same), **dict(zip("xy", types, strict=True))}
            rules.dispatch(rule)
    opt_out(rrule, typeof_(same), float, object)

    @rrule.dispatch
    def configured_rrule(config: RuleConfig[HasReverseMode], f: typeof_(same), x: float, y: bytes): ...

    @frule.dispatch
    def configured_frule(
        config: RuleConfig[HasForwardsMode], tangents: object, f: typeof_(same), x: float, y: bytes
    ): ...

    @rrule.dispatch
    def plain_rrule(f: typeof_(same), x: complex, y: bytes): ...

    @frule.dispatch
    def configured_complex_frule(
        config: RuleConfig[HasForwardsMode], tangents: object, f: typeof_(same), x: complex, y: bytes
    ): ...

    assert sorted(row[1:3] for row in rows("*same")) == [
        ("complex, bytes", "frule"),
        ("complex, bytes", "rrule"),
        ("float, bytes", "frule, rrule"),
        ("float, int", "frule, rrule"),
        ("float, object", "rrule"),
        ("float, str", "frule, rrule"),
        ("int, str", "frule, rrule"),
    ]


def test_functions_without_rules():
    """What becomes of a call that was tried, with what the word means; beside functions that have rules."""
    found = {row[0]: row[3:] for row in rows("convolve")}

    assert found["numpy.convolve"][0] == "rule"
    assert found["scipy.signal.convolve"][0] == "rule"
    _, meanings = answer(argparse.Namespace(pattern="cubature")).sections
    assert [line.partition(":")[0] for (line,) in meanings.rows] == ["followed"]
    (row,) = answer(argparse.Namespace(pattern="remez")).data
    assert (row["says"], row["rules"]) == ("compiled", {})
    assert row["by"].endswith("remez")


def test_a_module_stands_for_its_functions():
    """Where no function has its name; `np` is NumPy, and parentheses may follow."""
    assert {"numpy.linalg.inv", "numpy.linalg.det"} <= {row[0] for row in rows("np.linalg")}
    assert {row[0] for row in rows("copy")} >= {"copy.copy", "numpy.copy"}
    assert [row[0] for row in rows("np.sin()")] == ["numpy.sin"]


def test_rules_of_unknown_places():
    """A rule of which only a name is known has it where others have file and line."""
    row = RuleRow(
        "f", "float", {"rrule": SimpleNamespace(location="somewhere", opts_out=False, name="f_rrule")}
    )

    assert row.cells()[-1] == "somewhere"


def test_a_pattern_is_the_end_of_a_name():
    """At a dot, so that `sum` is not `cumsum`."""
    assert matches("numpy.sum", "sum")
    assert not matches("numpy.cumsum", "sum")
    assert matches("numpy.cumsum", "*sum")
    assert matches("numpy.sum", "np.s?m")


def test_nothing_found():
    """A function without rules is told from a name that nothing has."""
    with pytest.raises(NothingFoundError, match=r"numpy\.frompyfunc has no rules"):
        rows_matching("numpy.frompyfunc")
    with pytest.raises(NothingFoundError, match="no function whose name matches"):
        rows_matching("numpy.no_such_function")
