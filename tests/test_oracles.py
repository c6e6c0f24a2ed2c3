"""The laws of the rules that other frameworks have too: two oracles, and explained differences."""

import pytest

pytest.importorskip("jax")
pytest.importorskip("torch")

from docs.oracle_pages import FRAMEWORKS, compared, differences
from tests.oracles import compared_points, comparisons, explains, functions_of, unexplained, unneeded


@pytest.fixture(scope="module")
def found(request):
    """What comes of comparing, for each framework; a sample makes other calls, so only of the points."""
    if request.config.option.sample:
        return {framework: compared_points(framework) for framework in FRAMEWORKS}
    return comparisons()


@pytest.fixture
def all_found(found, request):
    """What comes of comparing all rules."""
    if request.config.option.sample:
        pytest.skip("only all tests of rules make the calls that are compared")
    return found


@pytest.mark.every_case
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_every_difference_is_explained(found, framework):
    """Where a rule and the framework's derivative differ, `docs/oracles/differences.toml` says why."""
    lines = unexplained(framework, found[framework], differences())

    assert not lines, "\n\n".join(lines)


def test_every_explanation_is_needed(all_found):
    """Each function and framework of an explanation has a difference that it explains."""
    assert unneeded(all_found, differences()) == []


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_list_of_compared_functions_is_right(all_found, framework):
    """`python -m tests.oracles` has written down what there is to compare."""
    assert functions_of(all_found[framework]) == compared()[framework]


DIFFERENCE = {
    "mode": "rrule",
    "callee": "numpy.sin",
    "compared": 1,
    "refused": {},
    "differences": {"numpy.sin on float": ("derivative", "wrong value")},
}
EXPLANATION = {"functions": ["numpy.sin"], "frameworks": ["jax"], "about": "derivative"}


@pytest.mark.parametrize(
    ("change", "is_explained"),
    [
        ({}, True),
        ({"calls": "on float"}, True),
        ({"calls": "on complex"}, False),
        ({"about": "result"}, False),
        ({"frameworks": ["torch"]}, False),
        ({"functions": ["numpy.cos"]}, False),
    ],
)
def test_explanations(change, is_explained):
    """An explanation is for some functions, frameworks and calls; one that explains nothing is not needed."""
    entry = EXPLANATION | change

    assert explains(entry, "jax", "numpy.sin", "numpy.sin on float", "derivative") == is_explained
    assert (unexplained("jax", [DIFFERENCE], [entry]) == []) == is_explained
    assert (unneeded({"jax": [DIFFERENCE], "torch": []}, [entry]) == []) == is_explained
