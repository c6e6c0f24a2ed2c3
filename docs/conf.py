"""How Sphinx builds the site of the pages in `docs/`: ``make site``.

The lists of pages in `docs/index.md` are its contents, and the docstrings of all public names are added to
`docs/reference/api.md`, so that nothing is said twice. The programs of the gallery are run, and their pages
written.
"""

import pkgutil
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
from docutils import nodes

sys.path.insert(0, str(Path(__file__).parent.parent))

from docs import gallery

project = "ChainRules"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
]
html_theme = "furo"
html_title = "ChainRules for Python"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_favicon = "static/favicon.svg"
pygments_dark_style = "github-dark-high-contrast"
myst_heading_anchors = 4
copybutton_prompt_text = ">>> "
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
napoleon_use_ivar = True

_LIST = re.compile(r"^(?:\*\*(.+)\*\*\n\n)?((?:- .*\n(?:  .*\n)*)+)", re.MULTILINE)
_PAGE = re.compile(r"\]\((\w[\w/]*)\.md\)")
_README = re.compile(r"\.\./examples/third_party/(\w+)/README\.md")
_CODE_AND_OUTPUT = re.compile(r"((?:^```\w+\n(?:(?!```).*\n)+```\n\n?){2})(?=^\w)", re.MULTILINE)
_TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
_FUNCTION = re.compile(r"^\| `([\w.]+)` \|", re.MULTILINE)
_MODULE = re.compile(r"^## `(.+)`\n(?:(?!^## ).*\n)*", re.MULTILINE)


def _completed(app: Any, page: str, source: list[str]) -> None:
    """Add to pages what only the site has: contents, thumbnails, docstrings, an index of functions."""
    if page == "index":
        source[0] = _CODE_AND_OUTPUT.sub(r"````{container} beside\n\1````\n", source[0])
        for title, pages in _LIST.findall(source[0]):
            names = "\n".join(_PAGE.findall(pages))
            caption = f":caption: {title}\n" if title else ""
            source[0] += f"\n```{{toctree}}\n:hidden:\n{caption}\n{names}\n```\n"
    if page == "gallery":
        source[0] = gallery.with_thumbnails(source[0])
    if page == "witnesses":
        names = _README.findall(source[0])
        source[0] = _README.sub(r"#\1", source[0]) + "".join(map(_included, names))
    if page.startswith("reference/rules/"):
        source[0] = _TABLE.sub(_with_index, source[0])
    if page == "reference/api":
        source[0] = _MODULE.sub(_with_docstrings, source[0])


def _included(package: str) -> str:
    readme = f"../examples/third_party/{package}/README.md"
    return f"\n```{{include}} {readme}\n:heading-offset: 1\n```\n"


def _with_index(table: re.Match[str]) -> str:
    """Put the names of functions into the index: a search for one of them leads to its table first."""
    names = ", ".join(f"!{name}" for name in _FUNCTION.findall(table[0]))
    return f"```{{index}} {names}\n```\n\n{table[0]}" if names else table[0]


def _with_docstrings(section: re.Match[str]) -> str:
    return f"{section[0]}\n```{{eval-rst}}\n.. automodule:: {section[1]}\n   :members:\n```\n\n"


def _elsewhere(app: Any, environment: Any, reference: Any, text: Any) -> nodes.reference | None:
    """Lead from a signature to the documentation of Python or NumPy, whose inventories no package ships."""
    name = str(reference["reftarget"])
    module = name.rpartition(".")[0]
    root = module.partition(".")[0]
    if reference.get("refdomain") != "py" or "._" in name or root not in {"numpy", *sys.stdlib_module_names}:
        return None
    if root != "numpy":
        address = f"https://docs.python.org/3/library/{module}.html#{name}"
    elif np.generic in getattr(pkgutil.resolve_name(name), "__mro__", ()):
        address = f"https://numpy.org/doc/stable/reference/arrays.scalars.html#{name}"
    else:
        address = f"https://numpy.org/doc/stable/reference/generated/{name}.html"
    return nodes.reference("", "", text, internal=False, refuri=address)


def _without_contents(app: Any, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Leave the contents of the site out beside source code: they take a quarter of the time of a build."""
    if page.startswith("_modules/"):
        context["toctree"] = lambda **_: ""


def setup(app: Any) -> None:
    """Complete pages as Sphinx reads them."""
    app.connect("missing-reference", _elsewhere)
    app.connect("html-page-context", _without_contents, priority=400)  # before the theme asks for them
    app.connect("builder-inited", lambda _: gallery.write_pages())
    app.connect("source-read", _completed)
