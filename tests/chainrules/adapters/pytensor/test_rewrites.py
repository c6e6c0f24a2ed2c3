"""Rewrites of graphs with our operations."""

import numpy as np
import pytest

pytensor = pytest.importorskip("pytensor")

import pytensor.tensor as pt  # noqa: E402 - after the question for the framework
from pytensor.compile.mode import Mode  # noqa: E402 - likewise
from pytensor.gradient import grad  # noqa: E402 - likewise

from chainrules.adapters.pytensor import to_pytensor  # noqa: E402 - likewise
from chainrules.adapters.pytensor.ops import PullbackOp  # noqa: E402 - likewise
from chainrules_core import NoTangent, rrule, thunk, typeof_  # noqa: E402 - likewise

COMPUTED = []


def product(x, y):
    """A product, whose cotangents are counted."""
    return x * y


@rrule.dispatch
def product_rrule(f: typeof_(product), x: np.ndarray, y: np.ndarray):
    """Cotangents that are computed only where they are wanted."""

    def product_pullback(z_bar):
        def x_bar():
            COMPUTED.append("x")
            return y * z_bar

        def y_bar():
            COMPUTED.append("y")
            return x * z_bar

        return NoTangent(), thunk(x_bar), thunk(y_bar)

    return x * y, product_pullback


@pytest.mark.parametrize("mode", ["FAST_COMPILE", Mode("py", "fast_run")], ids=["FAST_COMPILE", "fast_run"])
@pytest.mark.parametrize("wanted", ["x", "y", "xy"])
def test_unused_cotangents(mode, wanted):
    """Only the cotangents that are used are computed; the others' thunks are not."""
    variables = {"x": pt.dvector("x"), "y": pt.dvector("y")}
    z = pt.sum(to_pytensor(product)(*variables.values()))
    gradient = pytensor.function(
        list(variables.values()), grad(z, [variables[name] for name in wanted]), mode=mode
    )
    COMPUTED.clear()
    values = {"x": np.array([2.0]), "y": np.array([3.0])}
    found = gradient(*values.values())

    assert sorted(COMPUTED) == sorted(wanted)
    assert found == [{"x": values["y"], "y": values["x"]}[name] for name in wanted]


def test_without_rewrites():
    """Where PyTensor rewrites nothing, all cotangents are computed, and right."""
    x, y = pt.dvector("x"), pt.dvector("y")
    x_bar = grad(pt.sum(to_pytensor(product)(x, y)), x)
    function = pytensor.function([x, y], x_bar, mode=Mode("py", optimizer=None))

    assert function([2.0], [3.0]) == [3.0]
    (op,) = (node.op for node in function.maker.fgraph.apply_nodes if isinstance(node.op, PullbackOp))
    assert op.wanted == (0, 1)
