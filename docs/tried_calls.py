"""Who has a derivative of a function: ``python -m docs.tried_calls`` takes it, and writes it down.

For each function `docs/oracles/tried_calls.toml` has a call, whose numbers with a fractional part are
differentiated; of a function without rules the call is that of `chainrules/rulesets/followed.toml`, and its
vector `x` is. A derivative counts if it agrees with differences of SciPy's own function: forwards, in
reverse, and twice. What each framework says stands in the same table.
"""

import ast
import functools
import importlib
import json
import linecache
import math
import tomllib
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy

from chainrules.command_line.followed import read_followed
from chainrules.command_line.namespaces import entries_of_package
from docs.followed_calls import X_DOT, X
from docs.frameworks import FRAMEWORKS, counterpart

PATH = Path(__file__).parent / "oracles" / "tried_calls.toml"
HEAD = """\
# A call of each function of SciPy that has rules, and who differentiates it; of functions without rules, who
# differentiates the call in `chainrules/rulesets/followed.toml`. Whoever adds a call leaves out the rest of
# its line: `python -m docs.tried_calls` takes the derivatives, where the frameworks are installed, and writes
# what comes of it. The words: `both` modes, `forward` or `reverse`, and `2` for second derivatives; `named`
# is a function of the same name, none of whose derivatives was tried or agreed with differences.
"""
STEP, FLAT = 1e-6, 1e-9


class Call(NamedTuple):
    """A call as a program of the numbers that are differentiated.

    Attributes
    ----------
    code
        An expression of `x`, compiled.
    values
        The numbers, and arrays of them.
    is_vector
        Whether `x` is the one array itself, and not the list of them.
    name
        The name by which the function is called.
    namespace
        The module whose names the expression has.
    """

    code: Any
    values: list[Any]
    is_vector: bool
    name: str
    namespace: str

    def program(self, xp: Any, function: Any = None) -> Callable[..., Any]:
        """The call as a function whose result is one number.

        Parameters
        ----------
        xp
            NumPy, or what stands in its place.
        function
            What stands in the place of the function.
        """
        names = {**vars(importlib.import_module(self.namespace)), "np": xp, "scipy": scipy}
        names |= {"array": xp.asarray, "weighted": lambda y: weighted(xp, y), "__name__": self.name}
        if function is not None:
            names[self.name] = function
        exec(self.code, names)  # noqa: S102 - what stands in the table
        example = names["example"]
        return (lambda *xs: example(xs[0])) if self.is_vector else (lambda *xs: example(xs))


def read_call(namespace: str, name: str, text: str) -> Call:
    """The call that stands in a table.

    Parameters
    ----------
    namespace, name
        The dotted name of the module, and the function's name in it.
    text
        The call, of a vector `x`, or of arrays and numbers.
    """
    tree = ast.parse(text, mode="eval")
    is_vector = any(isinstance(node, ast.Name) and node.id == "x" for node in ast.walk(tree))
    numbers = _Numbers()
    if is_vector:
        numbers.values.append(X.copy())
    else:
        text = ast.unparse(numbers.visit(tree))
    file = f"<{namespace}.{name}, tried>"
    source = f"def example(x):\n    return weighted({text})\n"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    return Call(compile(source, file, "exec"), numbers.values, is_vector, name, namespace)


class _Numbers(ast.NodeTransformer):
    """Puts items of `x` in the place of arrays and numbers with a fractional part; not of keywords."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def visit_keyword(self, node: ast.keyword) -> ast.keyword:
        """As the class says."""
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """As the class says."""
        if isinstance(node.func, ast.Name) and node.func.id == "array":
            value = np.array(ast.literal_eval(node.args[0]))
            return self._item(value) if value.dtype.kind == "f" else node
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """As the class says."""
        is_float = isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, float)
        return self._item(ast.literal_eval(node)) if is_float else node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """As the class says."""
        return self._item(node.value) if isinstance(node.value, float) else node

    def _item(self, value: Any) -> ast.AST:
        self.values.append(value)
        return ast.parse(f"x[{len(self.values) - 1}]", mode="eval").body


def weighted(xp: Any, y: Any) -> Any:
    """A number that all parts of a result have an influence on."""
    if isinstance(y, tuple | list):
        return sum(weighted(xp, part) for part in y)
    y = y if hasattr(y, "shape") else xp.asarray(y)
    weights = np.cos(np.arange(float(np.prod(y.shape)))).reshape(tuple(y.shape))
    y = xp.real(y) + xp.imag(y) if "complex" in str(y.dtype) else y
    return xp.sum(xp.asarray(weights) * y)


def tried(key: str, framework: Any, call: Call | None, name: str) -> str:
    """What a framework can do with a call: the words of the table; empty if it has no such function.

    Parameters
    ----------
    key, framework
        Its name, and one of `FRAMEWORKS`, made.
    call
        The call, if there is one.
    name
        The dotted name of the function.
    """
    function = counterpart(key, framework, name)
    if function is None and key != "here":
        return ""
    words = ""
    if call is not None:
        f, x_dots = call.program(framework.xp, function), dots(call)
        words = derivatives(framework, f, call.values, x_dots)
        for i in range(len(call.values) if not words and len(call.values) > 1 else 0):
            alone = derivatives(framework, _by_one(f, call.values, i), [call.values[i]], [x_dots[i]])
            words = max(words, alone and f"{alone} in part", key=len)
    return words or ("" if key == "here" else "named")


def _by_one(f: Callable[..., Any], values: list[Any], i: int) -> Callable[[Any], Any]:
    return lambda x: f(*values[:i], x, *values[i + 1 :])


def derivatives(framework: Any, f: Callable[..., Any], xs: list[Any], x_dots: list[Any]) -> str:
    """Which derivatives of a program a framework has, and agree with differences of its values."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        slope = difference(framework, f, xs, x_dots)
        if slope is None or abs(slope) < FLAT:
            return ""
        modes = [
            mode for mode in ("forward", "reverse") if agrees(getattr(framework, mode), f, xs, x_dots, slope)
        ]
        if "reverse" not in modes:
            return "".join(modes)
        bend = difference(framework, lambda *xs: framework.reverse(f, xs, x_dots), xs, x_dots)
        has_second = agrees(framework.second, f, xs, x_dots, bend)
    return ("both" if len(modes) == 2 else "reverse") + " 2" * has_second


def dots(call: Call) -> list[Any]:
    """Tangents of the numbers of a call."""
    return [X_DOT] if call.is_vector else [_dot(x, i) for i, x in enumerate(call.values)]


def _dot(x: Any, i: int) -> Any:
    return np.cos(3.0 * np.arange(x.size) + i).reshape(x.shape) if isinstance(x, np.ndarray) else math.cos(i)


def difference(framework: Any, f: Callable[..., Any], xs: Any, x_dots: Any) -> float | None:
    """The slope of a function along tangents; `None` if it has no values there."""
    at = [[x + sign * STEP * x_dot for x, x_dot in zip(xs, x_dots, strict=True)] for sign in (1, -1)]
    try:
        ahead, behind = (float(f(*map(framework.array, x))) for x in at)
    except Exception:  # noqa: BLE001 - whatever it raises, there is nothing to compare with
        return None
    return (ahead - behind) / (2 * STEP)


def agrees(derivative: Callable[..., float], f: Any, xs: Any, x_dots: Any, slope: float | None) -> bool:
    """Whether a framework has a derivative, and it is that of differences."""
    try:
        found = derivative(f, xs, x_dots)
    except Exception:  # noqa: BLE001 - frameworks raise what they like
        return False
    # Whether there is one is asked, not how precise it is: what is wrong differs by more than that.
    return slope is not None and bool(np.isclose(found, slope, rtol=1e-3, atol=1e-5))


@functools.cache
def read_rows() -> dict[str, dict[str, dict[str, str]]]:
    """The rows of the table, by module and function."""
    return tomllib.loads(PATH.read_text("utf-8"))


def text_of_call(module: str, name: str) -> str | None:
    """The call of a function: of this table, or of that of functions without rules."""
    followed = read_followed().get(module, {}).get(name)
    return read_rows().get(module, {}).get(name, {}).get("call") or (followed.example if followed else None)


def tried_by_all(module: str, name: str, frameworks: Mapping[str, Any]) -> dict[str, str]:
    """What the frameworks say of a function, as far as they have it.

    Parameters
    ----------
    module, name
        The dotted name of the module, and the function's name in it.
    frameworks
        All of `FRAMEWORKS`, made.
    """
    text = text_of_call(module, name)
    call = None if text is None else read_call(module, name, text)
    said = {key: tried(key, made, call, f"{module}.{name}") for key, made in frameworks.items()}
    return {key: words for key, words in said.items() if words}


def text() -> str:
    """The table, as it should be."""
    frameworks = {key: make() for key, make in FRAMEWORKS.items()}
    rows, lines, last = read_rows(), [HEAD.rstrip()], ""
    for module, name in places():
        call = rows.get(module, {}).get(name, {}).get("call")
        said = {**({"call": call} if call else {}), **tried_by_all(module, name, frameworks)}
        if said:
            lines += ["", f'["{module}"]'] if module != last else []
            cells = ", ".join(f"{key} = {json.dumps(word)}" for key, word in said.items())
            lines.append(f"{name} = {{ {cells} }}")
            last = module
        frameworks["jax"].forget()
    return "\n".join(lines) + "\n"


def places() -> list[tuple[str, str]]:
    """The public functions of SciPy by module and name."""
    found = entries_of_package("scipy", lambda f, method: True)
    return sorted(("scipy." + entry.name).rpartition(".")[::2] for entry in found)


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
