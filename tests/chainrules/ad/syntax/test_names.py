"""Assignments to names that are written into have hooks of their own."""

import re

import pytest

from tests.chainrules.ad.syntax.rewritten_text import rewritten_text


def hooks_in(source):
    """The hooks that the rewritten source calls for what is assigned."""
    return [found.strip() for found in re.findall(r"_(new [a-z_]+)\(", rewritten_text(source))]


@pytest.mark.parametrize(
    ("body", "hooks"),
    [
        ("y = 2.0 * a; y[0] = b", ["new mul"]),
        ("y = f(a); y[0][1].z = b", ["new call"]),
        ("y = a + b; y += a", ["new add"]),
        ("y = a @ b; y.sort()", ["new matmul"]),
        ("y = a / b; g(y)", ["new truediv"]),
        ("y = a - b; g(out=y)", ["new sub"]),
        ("y = a - b; g(*y)", ["new sub"]),
        ("self.y = a ** b", ["new pow"]),
        ("z = y = a % b; y[0] = 1", ["new mod"]),
        ("y, (z, t) = a * b, (c, a - b); y[0] = t[1] = 1", ["new mul", "new sub"]),
        ("y: g = a * b; y[0] = 1", ["new mul"]),
        ("(y := a * b)[0] = 1", []),
        ("g(y := a * b); y[0] = 1", ["new mul"]),
        ("y, *z = a * b, c, c; z[0] = 1", []),
        ("y = a * b; return y + 1", []),
        ("y = a * b; print(y)", []),
        ("y = a * b; y[0]", []),
        ("y = a * b; del y[0]", []),
        ("y = a * b; sorted(a, out=y)", ["new mul"]),
        ("y = a * b; g.h.k(y)", ["new mul"]),
        ("y = a * b; g.h(y.z[0])", ["new mul"]),
        ("y = a * b; g(h=y)", ["new mul"]),
        ("y = a * b; g()(y)", ["new mul"]),
        ("y = a * b; y.z[0] = 1", ["new mul"]),
        ("y = a * b; y.sum()", []),
        ("y = a * b; np.linalg.norm(y)", []),
        ("y = a * b; np.sum(a, out=y)", ["new mul"]),
        ("y = a * b; np.copyto(y, a)", ["new mul"]),
        ("y = a * b; np.add.at(y, 0, a)", ["new mul"]),
        ("y = a * b; np.put(ind=a, v=b, a=y)", ["new mul"]),
        ("y = g()(a); y[0] = 1", ["new call", "new call"]),
        ("y = a; y[0] = b", []),
        ("y = a[b]; y[0] = c", ["new getitem"]),
        ("y = f(a).T; y[0] = c", ["new call"]),
        ("y = (a * b).reshape(c); y[0] = c", ["new call", "new mul"]),
        ("y = a * b if c else a + b; y[0] = c", ["new mul", "new add"]),
        ("y = [a * b, {c: a - b}]; y[0][0] = c", ["new mul", "new sub"]),
        ("y = a * b, c; y[0][0] = c", ["new mul"]),
        ("y = (a * b)[a - c]; y[0] = c", ["new getitem", "new mul"]),
        ("y = a * b if c else (a @ b)[a + c]; y[0] = c", ["new mul", "new getitem", "new matmul"]),
        ("y = [a * b for a in c]; y[0][0] = c", ["new mul"]),
        ("y = {a: a * b for a in c}; y[0][0] = c", ["new mul"]),
        ("y = -a; y[0] = b", ["new neg"]),
        ("y = a if b else c; y[0] = b", []),
        ("y = a * b\n    for x in y.T: x *= c", ["new mul"]),
        ("y = a * b\n    for i, (x, z) in enumerate(zip(y, c)): x[0] = z", ["new mul"]),
        ("y = a * b\n    for x in y: x.sort()", ["new mul"]),
        ("y = a * b\n    for x in y: g(x)", []),
        ("y = a * b\n    for x in y: x = x + c", []),
        ("y = a * b; z = y[0]; x = z.T; x[0] = c", ["new mul", "new getitem"]),
        ("y = a * b; z = y[0]; z = z * c", []),
        ("y = a * b\n    def g():\n        y[0] = 1", ["new mul"]),
    ],
)
def test_names_that_are_written_into(body, hooks):
    """Names with items or attributes assigned, augmented, or handed to a function."""
    assert hooks_in(f"import numpy as np\ndef h(self, a, b, c):\n    {body}") == hooks
    assert hooks_in(f"import numpy as np\nasync def h(self, a, b, c):\n    {body}") == hooks


def test_modules():
    """Outside of functions nothing is differentiated."""
    assert hooks_in("y = a * b; y[0] = 1") == []
