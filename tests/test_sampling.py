"""The sample of the tests that `make test` runs: the same everywhere, and with its shares everything."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.forked_python import run_module
from tests.reached import needed, price
from tests.sampling import (
    first_cases,
    order,
    pytest_collection_modifyitems,
    pytest_generate_tests,
    reaching,
    share,
)

ROOT = Path(__file__).parents[1]


class Item:
    """A test, as far as the choice looks at it."""

    def __init__(self, test, case=None, *marks):
        self.nodeid = test if case is None else f"{test}[{case}]"
        self.marks = marks
        if case is not None:
            self.callspec = None

    def get_closest_marker(self, name):
        """Whether it has a mark."""
        return name in self.marks


ITEMS = [
    *(Item("a.py::test_a", case) for case in "abcdefgh"),
    *(Item("a.py::test_b", case, "every_case") for case in "abc"),
    Item("a.py::test_c"),
    *(Item("a.py::test_d", case, "at_length") for case in "ab"),
    Item("page.md::line:1,column:1"),
]


def chosen(**options):
    """The names of the tests that a run takes."""
    items, left_out = list(ITEMS), []
    given = SimpleNamespace(**({"sample": True, "share": None, "part": None} | options))
    hook = SimpleNamespace(pytest_deselected=lambda *, items: left_out.extend(items))
    pytest_collection_modifyitems(SimpleNamespace(option=given, hook=hook), items)
    assert {*items, *left_out} == {*ITEMS}
    return {item.nodeid for item in items}


def test_a_case_of_each_test():
    """And all cases that say something of their own, and none of what tests a tool at length."""
    sample = first_cases(ITEMS)

    assert len([name for name in sample if "test_a" in name]) == 1
    assert len([name for name in sample if "test_b" in name]) == 3
    assert not [name for name in sample if "test_d" in name]
    assert len(sample) == 6
    assert chosen() == sample
    assert chosen(sample=False) == {item.nodeid for item in ITEMS}


LEAST = min("abcdefgh", key=lambda case: order(f"a.py::test_a[{case}]"))


@pytest.mark.parametrize(
    ("sample", "marks", "marks_of_a", "left"),
    [
        (True, [], [], LEAST),
        (True, ["every_case"], [], "abcdefgh"),
        (True, [], ["every_case"], "a" + LEAST),
        (True, [], ["at_length"], LEAST),
        (True, ["at_length"], [], "a"),  # without any case pytest would make a test without arguments
        (False, [], [], "abcdefgh"),
    ],
)
def test_cases_of_which_tests_are_made(sample, marks, marks_of_a, left):
    """All that the run takes, and no more."""
    calls = [SimpleNamespace(id=case, marks=[]) for case in "abcdefgh"]
    calls[0].marks = [SimpleNamespace(name=name) for name in marks_of_a]
    metafunc = SimpleNamespace(
        definition=Item("a.py::test_a", None, *marks),
        config=SimpleNamespace(option=SimpleNamespace(sample=sample, share=None, part=None)),
        _calls=calls,
    )
    hook = pytest_generate_tests(metafunc)
    next(hook)

    assert list(hook) == []
    assert {call.id for call in metafunc._calls} == {*left}


def test_the_order_is_the_same_everywhere():
    """It depends on the name alone, and on no seed of the process."""
    assert order("a.py::test_a[a]") == 17207954932668350425


def test_shares_have_orders_of_their_own():
    """Of the files: the tests of one stay together, in their order. The same share has the same order."""
    files = [[Item(f"{file}.py::test_a", case) for case in "ab"] for file in "abcdefgh"]

    def ordered(number):
        items = [item for tests in files for item in tests]
        option = SimpleNamespace(sample=False, share=(number, 3), part=None)
        hook = SimpleNamespace(pytest_deselected=lambda *, items: None)
        pytest_collection_modifyitems(SimpleNamespace(option=option, hook=hook), items)
        assert all([*pair] in files for pair in zip(items[::2], items[1::2], strict=True))
        return [item.nodeid for item in items]

    assert ordered(1) == ordered(1) != ordered(2)


def test_shares():
    """Each has the sample, two have nothing else in common, and together they are everything."""
    shares = [chosen(share=(number, 3)) for number in (1, 2, 3)]

    assert set().union(*shares) == {item.nodeid for item in ITEMS}
    assert shares[0] & shares[1] == shares[1] & shares[2] == chosen()


@pytest.mark.parametrize("options", [{}, {"share": (1, 2)}, {"sample": False}])
def test_parts(options):
    """Two of them have nothing in common, and together they are what would be run."""
    parts = [chosen(part=(number, 2), **options) for number in (1, 2)]

    assert parts[0] | parts[1] == chosen(**options)
    assert not parts[0] & parts[1]
    assert all(parts)


@pytest.mark.parametrize("text", ["0/3", "4/3", "2", "a/b"])
def test_what_is_no_share(text):
    """The first is the number 1."""
    with pytest.raises(ValueError, match=r"[04]/3|not enough values|invalid literal"):
        share(text)


def test_what_reaches_rules():
    """The test that reaches most of what no first case reaches; of several, the one with the lowest hash."""
    reached = {"first": ["r1"], "a": ["r1", "r2", "r3"], "b": ["r2"], "c": ["r3"], "d": ["of a test"]}

    assert needed(reached, {"first"}, {"r1", "r2", "never reached"}) == {min("ab", key=order)}
    assert needed(reached, {"first"}, {"r1", "r2", "r3"}) == {"a"}
    assert needed(reached, {"a"}, {"r1", "r2", "r3"}) == set()


def test_what_is_cheap_comes_first():
    """Two cheap tests are taken in the place of a dear one, and none that others make superfluous."""
    reached = {"all": ["r1", "r2", "r3"], "a": ["r1", "r2"], "b": ["r2", "r3"], "c": ["r3", "r4"]}
    dear = {"all": 4.0, "a": 0.5, "b": 0.5, "c": 0.5}

    assert needed(reached, set(), {"r1", "r2", "r3"}) == {"all"}
    assert needed(reached, set(), {"r1", "r2", "r3"}, dear) in ({"a", "b"}, {"a", "c"})
    assert needed(reached, set(), {"r1", "r2", "r3", "r4"}, {**dear, "b": 0.25}) == {"a", "c"}
    assert [price(seconds) for seconds in (0.0, 0.01, 0.9, 1.3)] == [2.0**-6, 2.0**-6, 1.0, 1.0]


def test_what_is_written_down_is_there():
    """Each line of `sample.txt` names a test; `make sample` writes them anew."""
    gone = []
    for name in reaching():
        path, _, test = name.partition("[")[0].partition("::")
        if not (ROOT / path).exists() or f"def {test.rpartition('::')[2]}(" not in (ROOT / path).read_text():
            gone.append(name)

    assert gone == []


def test_no_test_begins_late(tmp_path):
    """After the time that was given tests are skipped, and say why."""
    (tmp_path / "test_late.py").write_text("def test_late():\n    raise AssertionError\n")
    options = ("-p", "tests.sampling", "-p", "no:cacheprovider", "-rs", "--until", "1", tmp_path)
    result = run_module("pytest", *options, folder=ROOT, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")

    assert "1 skipped" in result.stdout
    assert "there is no time left for it" in result.stdout
    assert result.returncode == 0
