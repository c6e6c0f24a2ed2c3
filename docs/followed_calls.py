"""The table of what becomes of calls without rules: ``python -m docs.followed_calls`` writes it anew.

The calls stand in `chainrules/rulesets/followed.toml`, one for each function, and are written by hand. What
becomes of each is found out here, by differentiating it. A test does the same.
"""

import importlib
import json
import linecache
import re
import tomllib
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import scipy

import chainrules
from chainrules.ad import grad, jvp
from chainrules.command_line.followed import Followed
from chainrules_core import ChainRulesError

PATH = Path(chainrules.__file__).parent / "rulesets" / "followed.toml"
HEAD = """\
# What becomes of calls of SciPy's functions that have no rules: a call of each, of a vector `x`, with the
# names of its module, `np` and `scipy`. Whoever adds a call leaves out the rest of its line:
# `python -m docs.followed_calls` tries all calls, and writes what becomes of them. A test tries them too.
# What the words mean stands in `chainrules/command_line/followed.py`.
"""
X = np.array([0.3, 0.9, 1.4, 2.2, 2.6, 3.7])
X_DOT = np.cos(3 * np.arange(6.0))
STEP, COARSE = 1e-5, 1e-2
# What the engine, and code that is given a traced value, raise.
_ERRORS = (ChainRulesError, TypeError, ValueError, AttributeError)


def tried(namespace: str, name: str, example: str) -> Followed:
    """What becomes of a call: it is differentiated backwards and forwards, and compared with differences.

    Raises
    ------
    AssertionError
        If a derivative is wrong.
    """
    f = program(namespace, name, example)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SciPy's own
        try:
            gradient = grad(f)(X.copy())
            _, y_dot = jvp(f, (X.copy(),), (X_DOT,))
        except _ERRORS as error:
            return _refused(example, str(error))
        slope = (f(X + STEP * X_DOT) - f(X - STEP * X_DOT)) / (2 * STEP)
        if not np.isclose(y_dot, slope, rtol=1e-5, atol=1e-7):
            # A minimum that is found by values of a function has half of their digits: it needs larger steps.
            near, far = (f(X + k * COARSE * X_DOT) - f(X - k * COARSE * X_DOT) for k in (1, 2))
            slope = (8 * near - far) / (12 * COARSE)
    np.testing.assert_allclose([gradient @ X_DOT, y_dot], slope, rtol=1e-5, atol=1e-7)
    return Followed("followed" if np.any(gradient) else "zero", "", example)


def program(namespace: str, name: str, example: str) -> Callable[[Any], Any]:
    """The call as a function of `x` whose result is one number; with a source, so that it is intercepted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SciPy's own, of modules that it will remove
        module = importlib.import_module(namespace)
    names = {**vars(module), "np": np, "scipy": scipy, "weighted": weighted, "__name__": name}
    file = f"<{namespace}.{name}>"
    text = f"def example(x):\n    return weighted({example})\n"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    exec(compile(text, file, "exec"), names)  # noqa: S102 - what stands in the table
    return names["example"]  # type: ignore[no-any-return]  # of a dict of names


def weighted(y: Any) -> Any:
    """A number that all parts of a result have an influence on."""
    y = np.array(y) if isinstance(y, list | tuple) else y
    weights = np.cos(np.arange(float(np.size(y)))).reshape(np.shape(y))
    return np.sum(weights * (np.real(y) + np.imag(y)))


def _refused(example: str, message: str) -> Followed:
    for says, words in (("compiled", "is written in C"), ("searches", "searches: ")):
        by = re.search(rf"It (?:calls (\S+), which )?{words}", message)
        if by is not None:
            return Followed(says, by[1] or "", example)
    return Followed("stops", "", example)


def rows() -> Iterator[tuple[str, str, str]]:
    """Each namespace, name and call of the table."""
    for namespace, calls in tomllib.loads(PATH.read_text("utf-8")).items():
        for name, row in calls.items():
            yield namespace, name, row["example"]


def text() -> str:
    """The table, as it should be."""
    lines, last = [HEAD.rstrip()], ""
    for namespace, name, example in sorted(rows()):
        if namespace != last:
            lines += ["", f'["{namespace}"]']
        last, found = namespace, tried(namespace, name, example)
        by = f', by = "{found.by}"' if found.by else ""
        lines.append(f'{name} = {{ says = "{found.says}"{by}, example = {json.dumps(example)} }}')
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
