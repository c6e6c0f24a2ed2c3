"""Tests of functions that `torch.compile` leaves alone."""

import pytest

torch = pytest.importorskip("torch")

from chainrules.adapters.torch.uncompiled import uncompiled  # noqa: E402 - after the question for the framework

# PyTorch uses its own deprecated function when it compiles something.
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")


def helper(x):
    """A function that a marked one calls."""
    return torch.sin(x) + 1


@uncompiled
def marked(x):
    """A marked function."""
    return helper(x) * 2


def unmarked(x):
    """Another function."""
    return helper(x) * 2


@pytest.mark.parametrize(("f", "graphs"), [(marked, 0), (unmarked, 1)])
def test_nothing_of_it_is_compiled(f, graphs):
    """Neither the function, nor what it calls."""
    torch.compiler.reset()
    compiled = []

    def backend(graph, inputs):
        compiled.append(graph)
        return graph.forward

    x = torch.ones(2)
    torch.testing.assert_close(torch.compile(f, backend=backend)(x), unmarked(x))
    assert len(compiled) == graphs
