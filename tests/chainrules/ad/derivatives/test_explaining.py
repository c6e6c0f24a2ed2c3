"""What `explain_calls` says became of each call."""

import colorsys
import functools
import math
import statistics
import time
import warnings

import numpy as np
import pytest

from chainrules.ad import CallRow, CallTable, explain_calls, grad, interception
from chainrules.ad.derivatives import explaining
from chainrules_core import RuleNotFoundError

MADE_ELSEWHERE = np.frompyfunc(abs, 1, 1)


def helper(x):
    """A function without a rule."""
    return math.sin(x)


class Model:
    """A functor."""

    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        """Call."""
        return self.w * x


def outcomes(f, *args):
    """For each function what became of its calls, and how."""
    return {(row.function.rpartition(".")[2], row.outcome): row.how for row in explain_calls(f, *args).rows}


def test_rules():
    """The name of the rule, and where it stands; operators are calls too."""
    (row,) = explain_calls(math.sin, 1.0).rows
    assert (row.function, row.outcome, row.calls) == ("math.sin", "rule", 1)
    assert row.how.startswith("sin_rrule (")
    assert "math.py:" in row.how

    found = outcomes(lambda x: 2.0 * np.sum(np.array([x, 1.0])), 1.0)
    assert {("array", "rule"), ("sum", "rule"), ("mul", "rule")} <= set(found)


def test_functions_that_are_entered():
    """Functions, methods, functors, constructors, closures, the program itself; where they stand."""

    def f(x):
        def inner(y):
            return y

        return Model(x)(2.0) + helper(x) + inner(x) + sum(map(helper, [x, x]))

    rows = {
        row.function.rpartition(".")[2]: row for row in explain_calls(f, 1.0).rows if row.outcome == "entered"
    }

    assert set(rows) == {"f", "Model", "__init__", "helper", "inner"}
    assert rows["helper"].how.endswith(f"test_explaining.py:{helper.__code__.co_firstlineno}")
    assert f"{__file__}:{f.__code__.co_firstlineno + 4}" == rows["Model"].line


def test_remembered_functions():
    """A function that remembers its results is written in C; the function inside is entered."""

    @functools.cache
    def remembered(x):
        return math.sin(x)

    assert outcomes(lambda x: remembered(x), 1.0)["remembered", "entered"].endswith(
        f"test_explaining.py:{remembered.__wrapped__.__code__.co_firstlineno}"
    )


def test_calls_as_they_are():
    """With the reason."""
    without_source = eval("lambda x: x")

    def f(x):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
        time.time()
        len([x])
        statistics.fmean([1.0, 2.0])
        grad(math.sin)(1.0)
        return without_source(x)

    found = outcomes(f, 1.0)

    assert found["time", "as it is"] == "it is written in C, and has no rule for such arguments"
    assert found["len", "as it is"] == "it moves values, and does not compute with them"
    assert found["fmean", "as it is"] == "nothing traced is seen in what it is given"
    assert found["<lambda>", "as it is"] == "it has no source, or its source is not what runs"
    assert found["simplefilter", "as it is"] == "it reports who called it"
    assert found["grad", "as it is"] == "it is part of the engine"


def test_what_is_traced():
    """Of each row it is known whether something traced was given to one of its calls."""
    model = Model(2.0)

    def f(x):
        scale = math.sqrt(len([1, 2]))
        assert "scale" in vars()
        assert "model" in dir()
        for y in (1.0, x):
            total = helper(y)
        total = total * model(3.0)
        return Model(x)(2.0) * total * (lambda: x)() * scale

    rows = explain_calls(f, 1.0).rows
    traced = [
        (row.function.rpartition(".")[2], row.calls) for row in rows if row.traced and row.outcome != "rule"
    ]
    others = [row.function.rpartition(".")[2] for row in rows if not row.traced]

    assert traced == [("f", 1), ("helper", 2), ("__init__", 1), ("Model", 1), ("Model", 1), ("<lambda>", 1)]
    assert others == ["len", "sqrt", "vars", "dir", "sin", "Model"]


def test_calls_are_counted():
    """A row is for one place."""
    rows = explain_calls(lambda x: sum([helper(x) for _ in range(3)]), 1.0).rows
    assert next(row.calls for row in rows if row.function.endswith("helper")) == 3


def test_errors_are_those_of_the_program():
    """Afterwards nobody looks on."""
    with pytest.raises(RuleNotFoundError):
        explain_calls(lambda x: MADE_ELSEWHERE(x), 1.0)
    with interception(False):
        assert explain_calls(helper, 1.0).rows
    assert grad(helper)(1.0) == math.cos(1.0)


def test_functions_without_a_name():
    """An object that is called is told by its class; one that cannot be hashed, too."""

    class Unhashable(list):
        def __call__(self, x):
            return x

    found = explain_calls(lambda x: Unhashable()(x) * Model(2.0)(x), 1.0).rows
    assert any("Unhashable" in row.function and row.outcome == "entered" for row in found)
    assert any("Model" in row.function and row.outcome == "entered" for row in found)


def test_methods_of_traced_values():
    """A method that was bound before it is called is noted down once, by its rule."""
    table = explain_calls(lambda x: (lambda method: method())(x.sum), np.ones(2))

    assert [row.how.split()[0] for row in table.rows if row.function == "numpy.sum"] == ["sum_rrule"]


def test_callables_that_cannot_be_hashed():
    """They are in no table of functions that only move values."""

    class Sine:
        __hash__ = None
        __call__ = math.sin

    sine = Sine()
    (row,) = [row for row in explain_calls(lambda x: x * sine(1.0), 2.0).rows if "Sine" in row.function]

    assert (row.outcome, row.how) == ("as it is", "it is written in C, and has no rule for such arguments")


def test_functions_of_libraries():
    """They are entered where they are given something traced, and what they call has rules."""
    found = outcomes(lambda x: colorsys.rgb_to_yiq(x, 1.0, 1.0)[0] + np.ones(2).dot(np.array([x, x])), 1.0)

    assert found["rgb_to_yiq", "entered"].startswith(colorsys.__file__)
    assert ("dot", "rule") in found
    assert not {("rgb_to_yiq", "as it is"), ("dot", "as it is")} & set(found)


@pytest.mark.parametrize(
    ("f", "served", "is_same"),
    [
        (np.sum, np.sum, True),
        (np.ndarray.sum, np.sum, True),
        (np.sum, np.mean, False),
        (object(), object(), False),
    ],
)
def test_what_a_rule_served(f, served, is_same):
    """A method is served as the function of its name; what has no name is another one."""
    assert explaining._is_same(f, served) is is_same


TABLE = CallTable(
    (CallRow("f<g>", "[a].py:1", "rule", "f_rrule ([b].py:2)", 3), CallRow("g", "", "as it is", "C"))
)


def test_text():
    """A line for each row, with all that is known of the calls."""
    lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in str(TABLE).splitlines()]

    assert ["f<g>", "[a].py:1", "rule", "f_rrule ([b].py:2)", "3"] in lines
    assert ["g", "", "as it is", "C", "0"] in lines


def test_calls_that_were_given_nothing_traced():
    """They are counted below the table, until all are asked for."""
    table = CallTable((*TABLE.rows, CallRow("len", "", "as it is", "C", 4, traced=False)))

    assert "len" not in str(table)
    (last,) = [line for line in str(table).splitlines() if "others" in line]
    assert "shown by `.all()`" in last
    assert last.split("│")[-2].strip() == "4"
    assert "len" in str(table.all())
    assert "others" not in str(table.all()) + str(TABLE)
    assert table.all().rows == table.rows


def test_html():
    """A row for each row, under the headers."""
    shown = TABLE._repr_html_()

    assert [
        header for header in ("function", "called at", "outcome", "how", "calls") if header not in shown
    ] == []
    assert "f&lt;g&gt;" in shown
    assert shown.count("<tr>") == 3
