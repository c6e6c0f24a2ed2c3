"""Tests of functions that `torch.compile` leaves alone."""

import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")

from chainrules.adapters.torch.uncompiled import called_by_compiler, uncompiled  # noqa: E402 - after the question for the framework

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


CALLS = []


@called_by_compiler
def number_of_calls():
    """A function that cannot be translated."""
    CALLS.append(eval("1"))
    return len(CALLS)


def test_what_the_compiler_calls():
    """It is called once, while the program is compiled."""
    torch.compiler.reset()
    CALLS.clear()
    f = torch.compile(lambda x: x * number_of_calls(), fullgraph=True, backend="eager")
    assert [f(torch.ones(1)).item() for _ in range(3)] == [1.0, 1.0, 1.0]
    assert len(CALLS) == 1


def test_the_compiler_is_not_imported():
    """Not before something is compiled."""
    program = "import sys, chainrules.adapters.torch; sys.exit('torch._dynamo' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
