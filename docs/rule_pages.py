"""The generated pages. Most say of each function whether it has rules, and are made from these."""

import inspect
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import scipy

import chainrules
from chainrules.command_line.filed_rules import word_for
from chainrules.command_line.namespaces import Entry
from chainrules_core import RuleMethod, place_of_rule
from docs import adapter_page, followed_pages, oracle_pages
from docs.namespaces import NAMESPACES, entries

DOCS = Path(__file__).parent
RULESETS = Path(chainrules.__file__).parent / "rulesets"
OVERVIEW = "reference/rules.md"

# The pages, below `docs/reference/rules/`, and the namespaces that each is about.
PAGES = {
    "python": (
        *("builtins", "operator", "math", "cmath", "statistics", "functools", "itertools", "copy"),
        *("random", "random.Random", "statistics.NormalDist"),
    ),
    "numpy": ("numpy", "numpy.emath", "numpy.lib.stride_tricks"),
    "numpy_ndarray": ("numpy.ndarray", "numpy.ufunc"),
    "numpy_linalg": ("numpy.linalg",),
    "numpy_fft": ("numpy.fft",),
    "numpy_polynomial": tuple(name for name in NAMESPACES if name.startswith("numpy.polynomial")),
    "scipy_special": ("scipy.special",),
    "scipy_linalg": ("scipy.linalg",),
    "scipy_sparse": ("scipy.sparse", "scipy.sparse.linalg"),
    "numpy_random": ("numpy.random", "numpy.random.Generator", "numpy.random.RandomState"),
}

LEGEND = """\
Generated from the rules and from [the list of gaps](../../chainrules/rulesets/gaps.toml) by `make docs`:
edit those, not these pages. `python -m chainrules coverage numpy.linalg` says the same of any module, with
the rules of all packages that are installed.

| in the column of a mode | means |
|---|---|
| rule | there is a rule |
| zero | declared: no argument has an influence that has a derivative |
| refused | the rule is an error that says what to write, because the function changes its argument in place |
| none | a gap, with its reason |

Every reverse rule has its forward twin; a test checks it. What happens at points without a derivative is
[one convention for all](../maths/nondifferentiable_points.md), and so is the derivative by
[complex numbers](../maths/complex.md). Equations and their sources stand at the top of each file of rules.
"""


def versions() -> str:
    """The versions that the pages are about; others have other functions."""
    python = ".".join(platform.python_version_tuple()[:2])
    numpy, library = (".".join(version.split(".")[:2]) for version in (np.__version__, scipy.__version__))
    return f"Python {python}, NumPy {numpy} and SciPy {library}"


def pages() -> dict[str, str]:
    """The text of each generated page, by its path below `docs`."""
    about = {f"reference/rules/{name}.md": page(namespaces) for name, namespaces in PAGES.items()}
    others = {
        adapter_page.PATH: adapter_page.page(),
        oracle_pages.PAGE: oracle_pages.oracle_page(),
        followed_pages.PAGE: followed_pages.page(),
        followed_pages.SUMMARY: followed_pages.summary_page(read(followed_pages.SUMMARY) or ""),
    }
    return {OVERVIEW: overview(), **about, **others}


def overview() -> str:
    """The page that counts, and leads to the others."""
    lines = ["# Functions with rules", "", LEGEND, f"Of {versions()}:", ""]
    lines += ["| namespace | rule | zero | refused | none |", "|---|---|---|---|---|"]
    for name, namespaces in PAGES.items():
        for namespace in namespaces:
            answers = [word_for(entry.rrules) for entry in entries(namespace)]
            counts = (str(answers.count(answer)) for answer in ("rule", "zero", "refused", "none"))
            lines.append(f"| [`{namespace}`](rules/{name}.md) | {' | '.join(counts)} |")
    return "\n".join(lines) + "\n"


def page(namespaces: tuple[str, ...]) -> str:
    """The page about some namespaces."""
    return "\n".join(line for namespace in namespaces for line in section(namespace)).rstrip() + "\n"


def section(namespace: str) -> Iterator[str]:
    """The lines about one namespace."""
    yield f"# Rules for `{namespace}`"
    yield ""
    yield "[What the words mean](../rules.md). The rules are in:"
    yield ""
    for file in sorted({file for entry in entries(namespace) for file in files_of(entry)}):
        yield f"- {link(file)}: {summary(file)}"
    yield ""
    yield "| function | `frule` | `rrule` | where, or why not |"
    yield "|---|---|---|---|"
    for entry in entries(namespace):
        where = ", ".join(f"`{file.name}`" for file in files_of(entry)) or entry.gap or ""
        yield f"| `{entry.name}` | {word_for(entry.frules)} | {word_for(entry.rrules)} | {where} |"
    yield ""


def files_of(entry: Entry) -> list[Path]:
    """The files of the rules of a function, below those of all rules."""
    return sorted({file for method in (*entry.frules, *entry.rrules) for file in file_of(method)})


def file_of(method: RuleMethod) -> list[Path]:
    """The file of a rule, if it is one of this project's."""
    place = place_of_rule(method.function)
    path = Path(place[0]) if place else Path()
    return [path.relative_to(RULESETS)] if path.is_relative_to(RULESETS) else []


def link(file: Path) -> str:
    """A link from a page to a file of rules."""
    return f"[`{file}`](../../../chainrules/rulesets/{file})"


def summary(file: Path) -> str:
    """The first line of the docstring of a file of rules."""
    module = sys.modules[".".join(("chainrules.rulesets", *file.with_suffix("").parts))]
    return (inspect.getdoc(module) or "").partition("\n")[0].replace("``", "`")


def stale_pages() -> dict[str, str]:
    """The texts of the pages that are not as they should be, by their paths below `docs`."""
    return {path: text for path, text in pages().items() if read(path) != text}


def write_pages() -> list[str]:
    """Write the pages that are not as they should be, and return their paths below `docs`."""
    stale = stale_pages()
    for path, text in stale.items():
        (DOCS / path).parent.mkdir(exist_ok=True)
        (DOCS / path).write_text(text, encoding="utf-8")
    return list(stale)


def read(path: str) -> str | None:
    """The text of a page as it is, if there is one."""
    file = DOCS / path
    return file.read_text(encoding="utf-8") if file.is_file() else None
