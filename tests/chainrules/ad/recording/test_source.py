"""The text of generated programs."""

import re
from pathlib import Path

import numpy as np
import pytest

from chainrules.ad.recording.running import MISS
from chainrules.ad.recording.variant import make_variant

X = np.array([0.5, 2.0])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: (-2.0) ** np.round(x),
        lambda x: -(x**-2.0),
        lambda x: x[-1] + x[..., None][::-1, 0],
        lambda x: np.add(x, [1, 2]),
        lambda x: np.float64(-0.5) * x - np.float32(2.0),
        lambda x: np.concatenate([x, x[:1]], axis=0),
        lambda x: np.add.reduce(x) + x.sum() + x.max(axis=0),
        lambda x: 7 // x % 2.0 + divmod(x, 0.3)[1],
        lambda x: np.int64(3) ** x @ x,
    ],
)
def test_operators_and_calls(f):
    """The text means what was recorded."""
    variant = make_variant(f, (X,), {})
    for x in (X, -X, 3 * X):
        with np.errstate(all="ignore"):
            y, plain = variant.run([x]), f(x)
        if y is not MISS:
            np.testing.assert_array_equal(y, plain)


def test_a_program():
    """Operators, the user's names, and the user's lines."""

    def f(x):
        square = x * x
        return np.sum(square) + 1.0

    lines = make_variant(f, (X,), {}).source.splitlines()
    assert lines[0] == "def program(x):"
    assert lines[2] == "    square = x * x"
    assert "test_source.py" in lines[1]
    assert "square = x * x" in lines[1]


def test_the_program_on_the_first_page(tmp_path):
    """It is what is generated, with the lines of the page."""
    page = (Path(__file__).parents[4] / "README.md").read_text(encoding="utf-8")
    above, shown = re.search(r"(.*?)```text\n(def program.*?)```", page, re.DOTALL).groups()
    is_python, lines = False, []
    for line in above.splitlines():
        is_python = line == "```python" or (is_python and line != "```")
        lines.append(line if is_python and line != "```python" else "")
    path = tmp_path / "README.md"
    path.write_text("\n".join(lines), encoding="utf-8")
    names = {"__name__": "first_page"}
    exec(compile("\n".join(lines), path, "exec"), names)  # noqa: S102 - the page is ours
    assert names["gradient"].source(names["w"], names["A"]) == shown
