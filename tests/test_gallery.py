"""The gallery: it lists every program, and makes a page of each for the site."""

import re

import pytest

from docs import gallery
from docs.gallery import Program, programs

PROGRAM = '''"""Draw a picture.

It has nothing on it.
"""
import pathlib, sys

def main(folder="."):
    """Draw it."""
    from matplotlib.figure import Figure
    Figure(figsize=(6, 3)).savefig(pathlib.Path(folder) / "nothing.png")
    print(f"Nothing, in {pathlib.Path(folder) / 'nothing.png'}")

main(*sys.argv[1:])
'''


def test_every_program_is_listed():
    """Also those with several parts, by one of them."""
    examples = gallery.ROOT / "examples"
    listed = {program.path for program in programs()}

    assert {path.stem for path in examples.glob("*.py")} == {path for path in listed if "/" not in path}
    assert all(program.source.is_file() for program in programs())


def test_pictures_of_the_readme():
    """They are there, and small."""
    shown = re.findall(r"\]\((docs/pictures/\w+\.png)\)", (gallery.ROOT / "README.md").read_text("utf-8"))
    sizes = [(gallery.ROOT / path).stat().st_size for path in shown]

    assert [f"docs/pictures/{name}.png" for name in gallery.SHOWN] == shown
    assert 0 < sum(sizes) < 300_000


def test_a_page(tmp_path, monkeypatch):
    """It has the text, the picture, what is printed, and the source."""
    pytest.importorskip("matplotlib")
    for name, folder in (("ROOT", ""), ("OUTPUT", "output"), ("PAGES", "gallery"), ("DOCS", "")):
        monkeypatch.setattr(gallery, name, tmp_path / folder)
    program = Program("Nothing", "nothing", ": a picture")
    (tmp_path / "examples").mkdir()
    program.source.write_text(PROGRAM)
    (tmp_path / "gallery.md").write_text("# Gallery\n\n- [Nothing](../examples/nothing.py): a picture\n")

    gallery.write_pages()

    page = (tmp_path / "gallery" / "nothing.md").read_text()
    assert page.startswith("# Nothing\n\nDraw a picture.\n\nIt has nothing on it.\n\n![Nothing](nothing.png)")
    assert "examples/nothing.py\n:language: python" in page
    assert (tmp_path / "gallery" / "nothing_small.png").read_bytes().startswith(b"\x89PNG")
    printed = tmp_path / "output" / "nothing" / "printed.txt"
    assert printed.read_text() == "Nothing, in nothing.png\n"
    thumbnails = gallery.with_thumbnails((tmp_path / "gallery.md").read_text())
    picture = "[![Nothing](gallery/nothing_small.png)](gallery/nothing.md)"
    card = f"{picture}\n\n**[Nothing](gallery/nothing.md)**: a picture\n"
    assert f"````{{container}} cards\n```{{container}} card\n{card}```\n````\n" in thumbnails
    assert ":hidden:\n\ngallery/nothing\n```" in thumbnails


def test_programs_that_cannot_run(tmp_path, monkeypatch):
    """What needs a package that is missing has no page; any other failure is told."""
    for name, folder in (("ROOT", ""), ("OUTPUT", "output"), ("PAGES", "gallery"), ("DOCS", "")):
        monkeypatch.setattr(gallery, name, tmp_path / folder)
    (tmp_path / "examples").mkdir()
    text = "- [Needs](../examples/needs.py): what is not there\n"
    (tmp_path / "gallery.md").write_text(text)
    program = tmp_path / "examples" / "needs.py"
    program.write_text("import what_is_not_there")
    (tmp_path / "gallery").mkdir()
    (tmp_path / "gallery" / "gone.md").write_text("# A program that was here once")

    gallery.write_pages()

    assert list((tmp_path / "gallery").iterdir()) == []
    assert f"card\n{text}```\n" in gallery.with_thumbnails(text)
    program.write_text("1 / 0")
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        gallery.write_pages()
