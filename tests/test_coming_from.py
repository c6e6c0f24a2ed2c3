"""The lines of other frameworks, and ours, on the page that translates them: both give the same numbers."""

import importlib
import linecache
import re
from pathlib import Path

import numpy as np
import pytest

PAGE = (Path(__file__).parent.parent / "docs" / "coming_from.md").read_text(encoding="utf-8")
SECTION = re.search(r"^## Line by line\n(.*?)^## ", PAGE, re.MULTILINE | re.DOTALL)[1]
SETUP = re.search(r"^```python\n(.*?)^```", SECTION, re.MULTILINE | re.DOTALL)[1]
NAMESPACES = {"JAX": "jax.numpy", "autograd": "autograd.numpy"}
IN_TORCH = """
def f(x): return (x.sin() * x).sum()
def g(x): return x.sin() * x.flip(0)
def h(x, y): return (x * y**2).sum()
x, v, xs = (torch.tensor(each) for each in (x, v, xs))
leaf = x.clone().requires_grad_()
"""


def rows(framework):
    """The lines of a framework, each with ours."""
    table = re.search(rf"^### {framework}\n(.*?)(?=^### |\Z)", SECTION, re.MULTILINE | re.DOTALL)[1]
    return re.findall(r"^\| `(.+)` \| `(.+)` \|$", table, re.MULTILINE)


def ours():
    """The names that our column has."""
    names = {}
    name = "<the page>"
    linecache.cache[name] = (
        len(SETUP),
        None,
        SETUP.splitlines(keepends=True),
        name,
    )  # for calls to be followed
    exec(compile(SETUP, name, "exec"), names)  # noqa: S102 - it is the page's
    return names


def theirs(framework):
    """The names that a framework's column has."""
    names = {}
    if framework == "PyTorch":
        torch = pytest.importorskip("torch")
        importlib.import_module("torch.utils.checkpoint")
        names = ours() | {"torch": torch}
        exec(IN_TORCH, names)  # noqa: S102 - it stands above
        return names
    package = framework.lower()
    names[package] = pytest.importorskip(package)
    if framework == "JAX":
        importlib.import_module("jax.flatten_util")
    else:
        importlib.import_module("autograd.misc")
    exec(SETUP.replace("import numpy as np", f"import {NAMESPACES[framework]} as np"), names)  # noqa: S102 - the code of our page
    return names


@pytest.fixture
def framework(request):
    """The name of a framework; JAX computes in double precision meanwhile."""
    if request.param != "JAX":
        yield request.param
        return
    config = pytest.importorskip("jax").config
    before = config.jax_enable_x64
    config.update("jax_enable_x64", True)
    yield request.param
    config.update("jax_enable_x64", before)


def numbers(answer):
    """The numbers of an answer, in the order of its containers; those of dicts are sorted."""
    if isinstance(answer, dict):
        answer = [answer[name] for name in sorted(answer)]
    if isinstance(answer, tuple | list):
        return [number for part in answer for number in numbers(part)]
    return [np.asarray(answer)]


OURS = [(framework, line) for framework in ("JAX", "PyTorch", "autograd") for _, line in rows(framework)]


@pytest.mark.every_case
@pytest.mark.parametrize("line", sorted({line for _, line in OURS}))
def test_our_lines_run(line):
    """They need no framework."""
    assert all(np.all(np.isfinite(number)) for number in numbers(eval(line, ours())))


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")  # by torch itself
@pytest.mark.parametrize("framework", ["JAX", "PyTorch", "autograd"], indirect=True)
def test_lines_give_the_same(framework):
    """What the framework's line gives, ours gives as well."""
    their_names, our_names = theirs(framework), ours()
    for their_line, our_line in rows(framework):
        their_numbers, our_numbers = (
            numbers(eval(their_line, their_names)),
            numbers(eval(our_line, our_names)),
        )
        assert len(their_numbers) == len(our_numbers) > 0, their_line
        for theirs_, ours_ in zip(their_numbers, our_numbers, strict=True):
            np.testing.assert_allclose(ours_, theirs_, rtol=1e-6, atol=1e-12, err_msg=their_line)


def test_every_framework_has_lines():
    """The tables are read as they are written."""
    assert len(rows("JAX")) > 20
    assert len(rows("PyTorch")) > 10
    assert len(rows("autograd")) > 8
