"""The law that what is said of JAX, PyTorch and autograd is so: the derivatives of each call are taken."""

import numpy as np
import pytest

from docs.frameworks import FRAMEWORKS, counterpart
from docs.rule_pages import OVERVIEW, read, versions
from docs.scipy_table import OTHERS
from docs.tried_calls import HEAD, PATH, places, read_call, read_rows, text_of_call, tried_by_all

ROWS = read_rows()
# Those that a framework has, by module and name.
ELSEWHERE = [
    (module, name) for module, rows in ROWS.items() for name in rows if set(OTHERS) & set(rows[name])
]
IS_OF_TABLE = f"Of {versions()}:" in (read(OVERVIEW) or "")


@pytest.fixture(scope="module")
def frameworks():
    """All of them, made once."""
    pytest.importorskip("jax")
    pytest.importorskip("torch")
    pytest.importorskip("autograd")
    return {key: make() for key, make in FRAMEWORKS.items()}


@pytest.mark.parametrize(
    ("module", "name"), ELSEWHERE, ids=[f"{module}.{name}" for module, name in ELSEWHERE]
)
def test_what_frameworks_have(frameworks, module, name):
    """It is what the table says: `python -m docs.tried_calls` writes it."""
    found = tried_by_all(module, name, frameworks)
    frameworks["jax"].forget()

    assert found == {key: words for key, words in ROWS[module][name].items() if key != "call"}


def test_nothing_is_forgotten(frameworks):
    """A function that a framework has by name has a row."""
    forgotten = [
        f"{module}.{name}"
        for module, name in places()
        for key in OTHERS
        if name not in ROWS.get(module, {})
        and counterpart(key, frameworks[key], f"{module}.{name}") is not None
    ]

    assert not IS_OF_TABLE or forgotten == []


@pytest.mark.parametrize("module", ROWS)
def test_what_is_here(module):
    """The calls of one function of each module are differentiated in both modes, if the table says so."""
    name = min(ROWS[module], key=lambda name: len(text_of_call(module, name) or 1000 * "x"))
    if IS_OF_TABLE and text_of_call(module, name):
        assert tried_by_all(module, name, {"here": FRAMEWORKS["here"]()}) == (
            {"here": ROWS[module][name]["here"]} if "here" in ROWS[module][name] else {}
        )


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("erf(array([0.3, 1.2]))", [[0.3, 1.2]]),
        ("expn(2, 0.7)", [0.7]),
        ("powm1(-1.5, array([2, 3]))", [-1.5]),
        ("ndtr(3 / 2, where=True, out=None)", []),
    ],
)
def test_numbers_of_a_call(text, values):
    """Numbers with a fractional part, and arrays of them, are differentiated; others and keywords are not."""
    call = read_call("scipy.special", text.partition("(")[0], text)

    assert [np.asarray(x).tolist() for x in call.values] == values


def test_the_table_is_in_order():
    """As the command writes it."""
    assert PATH.read_text("utf-8").startswith(HEAD)
    assert list(ROWS) == sorted(ROWS)
    assert all(list(rows) == sorted(rows) for rows in ROWS.values())
