"""The table of common calls of SciPy, and who differentiates them, in the page about SciPy."""

import tomllib
from pathlib import Path

PATH = Path(__file__).parent / "oracles" / "scipy_calls.toml"
BEGIN, END = "<!-- the calls, by `make docs` -->\n", "<!-- the end of the calls -->\n"
FRAMEWORKS = {"jax": "JAX", "torch": "PyTorch", "autograd": "autograd"}


def calls() -> dict[str, dict[str, str]]:
    """The call of each function, and its counterparts."""
    return tomllib.loads(PATH.read_text("utf-8"))["calls"]


def page_with_table(text: str) -> str:
    """The page about SciPy with the table as it should be.

    Parameters
    ----------
    text
        The page as it is.
    """
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}"


def table() -> str:
    """A row for each function, with the names of its counterparts, and the number of them."""
    rows = calls()
    counts = [f"{name}: {sum(key in row for row in rows.values())}" for key, name in FRAMEWORKS.items()]
    lines = [f"| of {len(rows)} | here: {len(rows)} | {' | '.join(counts)} |", "|---|---|---|---|---|"]
    for name, row in rows.items():
        cells = (f"`{row[key]}`" if key in row else "" for key in FRAMEWORKS)
        lines.append(f"| `{name}` | yes | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
