"""Pictures of computations."""

import builtins
import html
import re
from dataclasses import FrozenInstanceError, dataclass

import numpy as np
import pytest

from chainrules.ad import Drawing, DrawingUnavailableError, debug_nans, draw, grad
from chainrules_core import (
    ChainRulesError,
    NoTangent,
    RuleNotFoundError,
    debugging,
    primitive,
    rrule,
    typeof_,
)

pygraphviz = pytest.importorskip("pygraphviz")

X = np.ones(3)


def graph_of(drawing):
    """The labels of all nodes, and the edges between them: pairs of labels with the number of an argument."""
    graph = pygraphviz.AGraph(string=drawing.source)
    labels = {node: node.attr["label"] for node in graph.nodes()}
    edges = []
    for source, target, key in graph.edges(keys=True):
        edges.append(
            (labels[source], labels[target], graph.get_edge(source, target, key).attr["label"] or "")
        )
    return list(labels.values()), sorted(edges)


def test_operations_inputs_and_outputs():
    """Each operation is a node with its rule and its result, and an arrow leads from what it depends on."""
    drawing = draw(lambda x: np.sum(np.sin(x) * 2.0), X)
    labels, edges = graph_of(drawing)

    assert drawing.source.startswith(("digraph", "strict digraph"))

    x, sin = "x\nfloat64[3]", "numpy.sin(·)\nsin_rrule\nfloat64[3]"
    product = "operator.mul(·, 2)\nmul_rrule\nfloat64[3]"
    total, result = f"numpy.sum(·)\nsum_rrule\n{6 * 0.841471:.6g}", f"result\n{6 * 0.841471:.6g}"
    assert sorted(labels) == sorted([x, sin, product, total, result])
    assert edges == sorted([(x, sin, ""), (sin, product, ""), (product, total, ""), (total, result, "")])


def test_places_of_arguments():
    """Where several arrows meet, each says which argument it is; one value may be two."""
    _, edges = graph_of(draw(lambda x, y: (x - y) * x, 2.0, 3.0))

    difference = "operator.sub(·, ·)\nsub_rrule\n-1"
    product = "operator.mul(·, ·)\nmul_rrule\n-2"
    assert [edge for edge in edges if edge[1] == difference] == [
        ("x\n2", difference, "1"),
        ("y\n3", difference, "2"),
    ]
    assert [edge for edge in edges if edge[1] == product] == [
        (difference, product, "1"),
        ("x\n2", product, "2"),
    ]
    assert len(graph_of(draw(lambda x: x * x, 2.0))[1]) == 3


@dataclass
class Line:
    """A container with fields."""

    slope: float
    offset: float


def test_inputs_and_outputs_in_containers():
    """Inputs have the names of parameters, and both the places in their containers."""

    def f(weights, line, *rest):
        return {"y": [weights["w"] * line.slope + rest[0]]}, line.offset

    labels, edges = graph_of(draw(f, {"w": 2.0}, Line(3.0, 4.0), 5.0))

    assert {"weights['w']\n2", "line.slope\n3", "line.offset\n4", "rest[0]\n5"} <= set(labels)
    assert "result[0]['y'][0]\n11" in labels
    assert ("line.offset\n4", "result[1]\n4", "") in edges


def test_keywords_are_passed_on():
    """Keywords are no inputs, and parameters before them keep their names."""
    labels, _ = graph_of(draw(lambda x, *, n: x * n, 1.0, n=3.0))

    assert sorted(labels) == ["operator.mul(·, 3)\nmul_rrule\n3", "result\n3", "x\n1"]


def test_functions_that_hide_their_parameters():
    """Arguments of a function that hides the names of its parameters are counted."""

    class Hidden:
        __signature__ = ()  # no signature

        def __call__(self, x):
            return x * 2.0

    labels, _ = graph_of(draw(Hidden(), 1.0))

    assert "argument 1\n1" in labels


def test_several_results():
    """A result that is one of several comes from that operation by way of a node that says so."""
    _, edges = graph_of(draw(lambda A: np.linalg.eigh(A).eigenvalues, np.eye(2)))

    decomposition = "numpy.linalg.eigh(·)\neigh_rrule\n(float64[2], float64[2, 2])"
    assert (decomposition, "one of the results", "") in edges
    assert ("one of the results", "result\nfloat64[2]", "") in edges


def test_containers_as_arguments():
    """From each traced value in a container an arrow leads to the operation."""
    _, edges = graph_of(draw(lambda x, y: np.stack([x, y]), X, X + 1))

    stack = "numpy.stack([float64[3], float64[3]])"
    assert sum(stack in target or "numpy.stack(" in target for _, target, _ in edges) == 2


def test_what_leads_nowhere_is_not_drawn():
    """Operations whose results are not used, and constants, are no nodes."""

    def f(x):
        np.cos(x)
        return np.sin(x) + np.exp(X)

    labels, _ = graph_of(draw(f, X))

    assert not any("cos" in label or "exp" in label for label in labels)
    assert "operator.add(·, float64[3])\nadd_rrule\nfloat64[3]" in labels


def test_result_without_operations():
    """An input may be the result; a constant result has no arrow."""
    assert graph_of(draw(lambda x: x, 1.0))[1] == [("x\n1", "result\n1", "")]
    assert graph_of(draw(lambda x: 2.0, 1.0)) == (["x\n1"], [])


def test_derivatives():
    """The graph of a gradient shows the operations of both passes."""
    labels, _ = graph_of(draw(grad(lambda x: np.sum(np.sin(x))), X))

    assert any("numpy.cos(·)" in label for label in labels)


@pytest.mark.parametrize("looking_on", [debugging, debug_nans])
def test_others_who_look_on(looking_on):
    """The picture is the same in debug mode, and inside of `debug_nans`."""
    with looking_on():
        labels, _ = graph_of(draw(np.sin, X))

    assert "numpy.sin(·)\nsin_rrule\nfloat64[3]" in labels


def test_long_programs():
    """A long program is drawn without recursion."""

    def f(x):
        for _ in range(3000):
            x = x * 1.0
        return x

    assert draw(f, 1.0).source.count("mul_rrule") == 3000


def test_labels_are_not_markup():
    """What Graphviz would take for an escape or HTML is written as it is."""

    @primitive
    def named(x, name):
        return x

    named.__wrapped__.__qualname__ = "<named>"

    @rrule.dispatch
    def named_rrule(f: typeof_(named), x: float, name: str):
        return x * 1.0, lambda y_bar: (NoTangent(), y_bar, NoTangent())

    svg = draw(lambda x: named(x, r"\N & <b>"), 1.0).svg()
    texts = [html.unescape(text) for text in re.findall("<text.*?>(.*?)</text>", svg)]

    assert any(r"'\\N & <b>'" in text for text in texts)


def test_svg():
    """The picture is an SVG with the labels in it; notebooks show it."""
    drawing = draw(lambda x: np.sum(np.sin(x)), X)
    svg = drawing.svg()

    assert svg.rstrip().endswith("</svg>")
    assert [word for word in ("numpy.sin", "sin_rrule", "float64[3]", "result") if word not in svg] == []
    assert re.sub("<!--.*?-->", "", drawing._repr_svg_()) == re.sub("<!--.*?-->", "", svg)


def test_missing_library(monkeypatch):
    """Where nothing lays graphs out, the error says what to install."""
    importing = builtins.__import__

    def without_pygraphviz(name, *args, **kwargs):
        if name == "pygraphviz":
            raise ImportError(name)
        return importing(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_pygraphviz)

    with pytest.raises(DrawingUnavailableError, match="pip install pygraphviz") as error:
        draw(np.sin, 1.0)
    assert isinstance(error.value, ChainRulesError)
    assert isinstance(error.value, ImportError)


def test_missing_rules():
    """A function without a rule is an error, as when it is differentiated."""

    def without_rule(x):
        return x

    with pytest.raises(RuleNotFoundError):
        draw(primitive(without_rule), 1.0)


def test_drawings_stay_as_they_are():
    """A picture is not changed later."""
    with pytest.raises(FrozenInstanceError):
        Drawing("digraph {}").source = ""
