"""The gallery: the programs in `examples/`, with their pictures.

The site asks for all of them when it is built. ``python -m docs.gallery`` writes the small pictures of the
README to `docs/pictures/`.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parent
ROOT = DOCS.parent
OUTPUT = ROOT / "examples" / "output"
PICTURES = DOCS / "pictures"
PAGES = DOCS / "gallery"

# The programs whose pictures the README shows, and the width in pixels of these and of thumbnails.
SHOWN = ("sunspots", "lynx_and_hare", "heat")
WIDTH, THUMBNAIL = 420, 700
_ITEM = re.compile(r"^- \[(.+?)\]\(\.\./examples/(.+?)\.py\)(.*(?:\n  .*)*)\n", re.MULTILINE)
_LIST = re.compile(r"^(?:- .*\n(?:  .*\n)*)+", re.MULTILINE)


class Program(NamedTuple):
    """A program of the gallery: its title, its path below `examples/`, and what the gallery says of it."""

    title: str
    path: str
    text: str

    @property
    def name(self) -> str:
        """The name of its page."""
        return self.path.replace("/", "_")

    @property
    def source(self) -> Path:
        """The file."""
        return ROOT / "examples" / f"{self.path}.py"


def programs() -> Iterator[Program]:
    """The programs that `docs/gallery.md` lists."""
    for match in _ITEM.findall((DOCS / "gallery.md").read_text("utf-8")):
        yield Program(*match)


def picture_of(program: Program) -> Path | None:
    """The picture of a program, which is run if it has changed since; `None` if it draws none.

    What it prints stands beside the picture.
    """
    folder = OUTPUT / program.name
    printed = folder / "printed.txt"
    if not printed.exists() or printed.stat().st_mtime < program.source.stat().st_mtime:
        folder.mkdir(parents=True, exist_ok=True)
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        command = [sys.executable, str(program.source), *([str(folder)] if draws(program) else [])]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}
        finished = subprocess.run(  # noqa: S603 - ours
            command, env=environment, capture_output=True, text=True, check=True
        )
        printed.write_text(finished.stdout.replace(f"{folder}{os.sep}", ""), "utf-8")
    return next(folder.glob("*.png"), None)


def draws(program: Program) -> bool:
    """Whether a program takes a folder for its picture."""
    return "main(folder=" in program.source.read_text("utf-8")


def small(picture: Path, to: Path, width: int) -> None:
    """Write a copy of a picture that has so many pixels from left to right."""
    from PIL import Image  # noqa: PLC0415 - which Matplotlib brings

    to.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(picture) as image:
        size = width, round(width * image.height / image.width)
        image.convert("RGB").resize(size, Image.Resampling.LANCZOS).quantize(128).save(to, optimize=True)


def page_of(program: Program) -> str:
    """The page of a program, for the site: what it does, its picture, what it prints, and its source."""
    text = ast.get_docstring(ast.parse(program.source.read_text("utf-8"))) or ""
    picture = picture_of(program)
    if picture:
        (PAGES / f"{program.name}.png").write_bytes(picture.read_bytes())
        small(picture, PAGES / f"{program.name}_small.png", THUMBNAIL)
    shown = f"![{program.title}]({program.name}.png)\n\n" if picture else ""
    return (
        f"# {program.title}\n\n{text}\n\n{shown}It prints:\n\n"
        f"```{{literalinclude}} ../../examples/output/{program.name}/printed.txt\n:language: text\n```\n\n"
        f"```{{literalinclude}} ../../examples/{program.path}.py\n:language: python\n```\n"
    )


def write_pages() -> None:
    """Write the page of each program, which needs what the program needs."""
    shutil.rmtree(PAGES, ignore_errors=True)  # a program may be gone
    PAGES.mkdir()
    listed = list(programs())
    with ThreadPoolExecutor(os.cpu_count()) as threads:  # each waits for a process
        for program, runs in zip(listed, threads.map(_runs, listed), strict=True):
            if runs:
                (PAGES / f"{program.name}.md").write_text(page_of(program), "utf-8")


def _runs(program: Program) -> bool:
    try:
        picture_of(program)
    except subprocess.CalledProcessError as error:
        if "ModuleNotFoundError" not in error.stderr:
            raise RuntimeError(f"{program.source} fails:\n{error.stderr}") from error
        return False
    return True


def with_thumbnails(page: str) -> str:
    """The page of the gallery with a card in the place of each line, which leads to the program's page."""
    page = _LIST.sub(lambda match: f"````{{container}} cards\n{match[0]}````\n", page)
    page = _ITEM.sub(lambda match: _card(Program(*match.groups()), match[0]), page)
    pages = [f"gallery/{program.name}" for program in programs() if (PAGES / f"{program.name}.md").exists()]
    return "\n".join([page, "```{toctree}", ":hidden:", "", *pages, "```", ""])


def _card(program: Program, line: str) -> str:
    page, picture = f"gallery/{program.name}.md", f"gallery/{program.name}_small.png"
    text = f"**[{program.title}]({page})**{program.text}\n" if (DOCS / page).exists() else line
    shown = f"[![{program.title}]({picture})]({page})\n\n" if (DOCS / picture).exists() else ""
    return f"```{{container}} card\n{shown}{text}```\n"


def write_small_pictures() -> None:
    """Write the pictures of the README."""
    for program in programs():
        if program.name in SHOWN:
            small(picture_of(program), PICTURES / f"{program.name}.png", WIDTH)


if __name__ == "__main__":
    write_small_pictures()
