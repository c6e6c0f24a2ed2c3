"""Rewrites of graphs with our operations, for `to_pytensor` to register."""

from typing import Any

from pytensor.graph.basic import Apply, Variable
from pytensor.graph.rewriting.basic import copy_stack_trace, node_rewriter

from chainrules.adapters.pytensor.ops import PullbackOp


@node_rewriter([PullbackOp])
def drop_unused_cotangents(fgraph: Any, node: Apply) -> dict[Variable, Variable] | None:
    """Pull back to those inputs only whose cotangents are used.

    PyTensor asks an operation for the cotangents of all inputs, and then takes those that it needs. An input
    whose derivative is expensive, or not known, costs nothing where nobody differentiates by it.
    """
    used = [place for place, x_bar in enumerate(node.outputs) if fgraph.clients.get(x_bar)]
    if len(used) in {0, len(node.outputs)}:
        return None
    op = node.op
    smaller = PullbackOp(op.of, tuple(op.wanted[place] for place in used), op.given)
    x_bars = smaller(*node.inputs, return_list=True)
    replaced = [node.outputs[place] for place in used]
    copy_stack_trace(replaced, x_bars)
    return dict(zip(replaced, x_bars, strict=True))
