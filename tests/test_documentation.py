"""Laws of the pages: what they name exists. That their examples run is the business of `conftest.py`."""

import importlib
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
API = ROOT / "docs" / "reference" / "api.md"
MODULES = (
    "chainrules_core",
    "chainrules_core.structured",
    "chainrules",
    "chainrules.ad",
    "chainrules.adapters",
    "chainrules_testutils",
)


DOCS = [
    path
    for path in sorted((ROOT / "docs").rglob("*.md"))
    if path.parent != ROOT / "docs" / "gallery"  # which the site writes
]
# Every Markdown page that readers are led to.
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("chainrules*/README.md")), *DOCS]

# Whatever may say how to install: pages and messages.
TEXTS = [
    *PAGES,
    *(path for suffix in ("md", "py") for path in sorted(ROOT.glob(f"examples/**/*.{suffix}"))),
    *sorted(ROOT.glob("chainrules*/**/*.py")),
]


def names_in_reference(module: str) -> list[str]:
    """The names in the tables below the heading of `module`."""
    section = re.search(
        rf"^## `{re.escape(module)}`\n(.*?)(?=^## |\Z)",
        API.read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    assert section, module
    return re.findall(r"^\| `(\w+)` \|", section.group(1), re.MULTILINE)


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_in_the_reference(module):
    """The reference lists each name of `__all__` once, and nothing else."""
    assert sorted(names_in_reference(module)) == sorted(importlib.import_module(module).__all__)


def anchors(page: Path) -> set[str]:
    """What GitHub makes of the headings of a page: small letters, and hyphens for spaces."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    """Every relative link leads to a file, and to a heading in it if it names one."""
    prose = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [link.split("#") for link in re.findall(r"\]\(([^)]+)\)", prose) if "://" not in link]
    targets = [(page.parent / path if path else page, *anchor) for path, *anchor in links]

    assert [target for target, *_ in targets if not target.exists()] == []
    assert [link for link in targets if link[1:] and link[1] not in anchors(link[0])] == []


# A test as pages name it: its file and its function.
TEST = re.compile(r"`((?:tests|examples)/[\w/]+\.py)(?:::(\w+))?`")


@pytest.mark.parametrize(
    "page", [page for page in PAGES if TEST.search(page.read_text("utf-8"))], ids=lambda page: page.name
)
def test_named_tests_exist(page):
    """A page that names a test as its proof names one that there is."""
    for path, name in TEST.findall(page.read_text(encoding="utf-8")):
        functions = re.findall(r"^def (\w+)", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
        assert not name or name in functions, f"{path}::{name}"


@pytest.mark.every_case
@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_what_is_shown_is_printed(page, tmp_path, capsys):
    """The first block of text on the front pages is the output of the Python blocks above it."""
    above, _, below = (ROOT / page).read_text(encoding="utf-8").partition("\n```text\n")
    program = tmp_path / Path(page).name
    prose = re.compile(r"(?:\A|^```$)(?:(?!^```python$).*\n?)*", re.MULTILINE)  # its lines stay, empty
    code = prose.sub(lambda match: "\n" * match[0].count("\n"), f"{above}\n").replace("```python\n", "\n")
    program.write_text(code, encoding="utf-8")

    runpy.run_path(str(program), run_name="__main__")

    assert capsys.readouterr().out.strip() == below.partition("\n```")[0]


def named_by_pip(text: str) -> Iterator[list[str]]:
    """What each ``pip install`` in a text names of this project; a message may be several literals."""
    commands = re.findall(r"pip install +([^\n`]+)", re.sub(r'"\n\s+f?"', "", text))
    for command in commands:
        yield [word for word in re.findall(r"[^\s\"'(),]+", command) if "chainrules" in word]


def is_a_place(word: str) -> bool:
    """Whether pip takes it from a folder or a repository: it is no name, which pip would ask an index for."""
    return word.startswith("./") or "#subdirectory=" in word


@pytest.mark.parametrize(
    "path",
    [path for path in TEXTS if "pip install" in path.read_text(encoding="utf-8")],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_packages_are_installed_from_a_place(path):
    """No page and no message lets pip ask an index for our packages: before a release it has other people's.

    So there is a place for each, and for `chainrules_core`, which all need.
    """
    for words in filter(None, named_by_pip(path.read_text(encoding="utf-8"))):
        assert all(is_a_place(word) for word in words), words
        assert any(word.endswith("chainrules_core") for word in words), words


def test_the_index_leads_to_every_page():
    """`docs/index.md` links every other page of the documentation."""
    docs = ROOT / "docs"
    linked = set(re.findall(r"\]\(([\w/]+\.md)\)", (docs / "index.md").read_text(encoding="utf-8")))
    present = {path.relative_to(docs).as_posix() for path in DOCS}

    assert linked == present - {"index.md"}


def test_generated_pages_are_up_to_date():
    """The pages of `docs/reference/rules/` say what the rules say; ``make docs`` writes them.

    In a process of its own: the tests of this run import modules whose rules are about other things too.
    """
    command = [sys.executable, "-m", "docs", "--check"]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    if "other versions" in finished.stderr:
        pytest.skip(finished.stderr)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout == "", "write them by `make docs`"
