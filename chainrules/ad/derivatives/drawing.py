"""`draw`: the graph of the operations that a differentiation records, as a picture."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from chainrules.ad.derivatives.pulling import traced_call
from chainrules.ad.modes.nodes import Node
from chainrules.ad.traced.trace import CONSTANT
from chainrules.ad.values.config import CONFIG
from chainrules.ad.values.structures import Path, parts_of, step
from chainrules.ad.values.tables import summary
from chainrules.ad.watching.observing import Observer, RuleCall, observed_by, with_pullback
from chainrules_core import ChainRulesError, describe_callee, rrule


class DrawingUnavailableError(ChainRulesError, ImportError):
    """The program that lays graphs out is not installed."""


@dataclass(frozen=True)
class Drawing:
    """The picture that `draw` returns. A notebook shows it.

    Attributes
    ----------
    source
        The graph in Graphviz' `dot` language.
    """

    source: str

    def svg(self) -> str:
        """The picture as SVG, laid out from the arguments at the top to the result at the bottom."""
        graph = _graphviz().AGraph(string=self.source)
        return str(graph.draw(format="svg", prog="dot").decode())

    def _repr_svg_(self) -> str:
        return self.svg()


def draw(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Drawing:
    """Draw the operations by which a result depends on the arguments.

    Parameters
    ----------
    f
        A function of numbers, arrays and containers of them, whose result is one of these. To see the graph
        of a derivative give it ``grad(f)``.
    args
        Its arguments; each number and array in them is an input.
    kwargs
        Passed on, and not inputs.

    Returns
    -------
    Drawing
        A node of the graph is the call of a function, with the rule that is used and its result's dtype and
        shape. Operations that do not lead to the result are not drawn. Constants stand among the arguments of
        a call, and a dot in the place of an argument that an arrow brings.

    Raises
    ------
    DrawingUnavailableError
        If `pygraphviz` is not installed: ``pip install pygraphviz``.
    RuleNotFoundError
        If a function that the program calls has no rule.

    Examples
    --------
    >>> import numpy as np
    >>> from chainrules.ad import draw
    >>> picture = draw(lambda x: np.sum(np.sin(x) * x), np.ones(3)).svg()
    """
    graphviz = _graphviz()
    with observed_by(_Labels()):
        y, traced_parts, nodes, args = traced_call(f, args, kwargs)
    graph = graphviz.AGraph(directed=True, strict=False)
    graph.node_attr.update(shape="box", style="rounded", fontname="sans-serif", fontsize="11")
    graph.edge_attr.update(fontname="sans-serif", fontsize="9")
    _add_inputs(graph, f, args, nodes)
    _add_operations(graph, [node for _, node in traced_parts])
    for path, node in traced_parts:
        _add_output(graph, y, path, node)
    return Drawing(graph.to_string())


def _graphviz() -> Any:
    try:
        import pygraphviz  # noqa: PLC0415 - only whoever draws needs it
    except ImportError as error:
        raise DrawingUnavailableError(
            "Graphs are drawn by pygraphviz, which is not installed. Write `pip install pygraphviz`; "
            "where there is no wheel of it for this machine, install Graphviz first."
        ) from error
    return pygraphviz


class _Labels(Observer):
    """Tells each pullback of the call that it belongs to, so that the node which holds it can be labelled."""

    __slots__ = ()

    def observed_rrule(self, rule: RuleCall) -> RuleCall:
        """The rule, with labels on its pullbacks."""

        def labelled_rrule(f: Any, *values: Any, **kwargs: Any) -> Any:
            method = rrule.find(CONFIG, f, *values)
            answer = rule(f, *values, **kwargs)
            return with_pullback(
                answer, lambda pullback: _LabelledPullback(pullback, f, values, answer[0], method)
            )

        return labelled_rrule


class _LabelledPullback:
    __slots__ = ("_f", "_method", "_pullback", "_result", "_values")

    def __init__(self, pullback: Callable[[Any], Any], f: Any, values: Any, y: Any, method: Any) -> None:
        self._pullback = pullback
        self._f = describe_callee(f)
        self._values = [summary(x) for x in values]
        self._result = summary(y)
        self._method = method

    def __call__(self, y_bar: Any) -> Any:
        return self._pullback(y_bar)

    def label(self, parents: tuple[Any, ...]) -> str:
        """The call, the rule, and the result."""
        arguments = [
            written if parent is CONSTANT else "·"
            for written, parent in zip(self._values, parents[1:], strict=True)
        ]
        rule = "" if self._method is None else f"{self._method.name}\n"
        return f"{self._f}({', '.join(arguments)})\n{rule}{self._result}"


def _add_inputs(graph: Any, f: Callable[..., Any], args: tuple[Any, ...], records: tuple[Any, ...]) -> None:
    for name, x, record in zip(_names_of_arguments(f, args), args, records, strict=True):
        for place, value, node in _inputs(name, x, record):
            graph.add_node(
                _node_name(node),
                label=_escaped(f"{place}\n{summary(value)}"),
                style="filled",
                fillcolor="#d7e8f7",
            )


def _names_of_arguments(f: Callable[..., Any], args: tuple[Any, ...]) -> list[str]:
    try:
        signature = inspect.signature(f)
        bound = signature.bind_partial(*args).arguments
    except (TypeError, ValueError):  # such as a function in C, which does not say
        return [f"argument {place}" for place in range(1, len(args) + 1)]
    names = []
    for name, value in bound.items():
        is_rest = signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
        names += [f"{name}[{place}]" for place in range(len(value))] if is_rest else [name]
    return names


def _inputs(name: str, x: Any, record: Any) -> Iterator[tuple[str, Any, Node]]:
    """The numbers and arrays that were traced in an argument: where each stands, it, and its node."""
    if isinstance(record, dict):
        parts = parts_of(x)
        for key, part in record.items():
            yield from _inputs(f"{name}{step(x, key)}", parts[key], part)
    elif record is not None:
        yield name, x, record


def _add_operations(graph: Any, results: list[Node]) -> None:
    pending, seen = list(results), set()
    while pending:
        node = pending.pop()
        number, parents, pullback = node
        if number in seen or pullback is None:
            continue
        seen.add(number)
        label = pullback.label(parents) if isinstance(pullback, _LabelledPullback) else "one of the results"
        graph.add_node(_node_name(node), label=_escaped(label))
        sources = list(_sources(parents))
        for place, source in sources:
            graph.add_edge(_node_name(source), _node_name(node), label=place if len(sources) > 1 else "")
            pending.append(source)


def _sources(parents: tuple[Any, ...]) -> Iterator[tuple[str, Node]]:
    """The nodes that an operation depends on, each with the argument that is, or holds, the node's value."""
    for place, parent in enumerate(parents):
        if parent is not CONSTANT:
            for _, node in parent if isinstance(parent, list) else [((), parent)]:
                yield str(place or "function"), node


def _add_output(graph: Any, y: Any, path: Path, node: Node) -> None:
    place = "result"
    for key in path:
        place += step(y, key)
        y = parts_of(y)[key]
    name = f"result {place}"
    graph.add_node(name, label=_escaped(f"{place}\n{summary(y)}"), style="filled", fillcolor="#f9e0c7")
    graph.add_edge(_node_name(node), name)


def _escaped(label: str) -> str:
    # Graphviz has escapes of its own, and takes text in angle brackets for HTML.
    label = label.replace("\\", "\\\\")
    return f" {label}" if label.startswith("<") else label


def _node_name(node: Node) -> str:
    return f"node {-node[0]}"
