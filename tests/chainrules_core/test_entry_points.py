"""The entry points of installed distributions."""

import importlib.metadata
import sys
import zipfile
from importlib.machinery import PathFinder

import pytest

from chainrules_core.entry_points import entry_points

TEXT = """\
[console_scripts]
command = some.module:main

[a.group]
# a comment
first = some.module
second.name = other.module

[another.group]
third = some.module
"""


def distribution(folder, name="distribution_of_test-1.0.dist-info", text=TEXT):
    """Install a distribution that has nothing but entry points."""
    path = folder / name
    path.mkdir()
    (path / "entry_points.txt").write_text(text)
    (path / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name.partition('-')[0]}\nVersion: 1.0\n")


def oracle(group):
    """What `importlib.metadata` finds."""
    found = importlib.metadata.entry_points(group=group)
    return sorted((entry_point.name, entry_point.value) for entry_point in found)


def test_entry_points_of_a_group(tmp_path, monkeypatch):
    """The entry points of one group are found, in the order in which they are written."""
    monkeypatch.syspath_prepend(tmp_path)
    distribution(tmp_path)
    assert entry_points("a.group") == [("first", "some.module"), ("second.name", "other.module")]
    assert entry_points("no.such.group") == []


def test_folders_are_read_without_importlib(tmp_path, monkeypatch):
    """Importing that takes longer than all the rest."""
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(sys, "meta_path", [PathFinder])
    monkeypatch.setattr(importlib.metadata, "entry_points", None)
    distribution(tmp_path)
    assert entry_points("another.group") == [("third", "some.module")]


@pytest.mark.parametrize("group", ["console_scripts", "chainrules.rulesets", "pytest11"])
def test_as_many_as_importlib_finds(group):
    """For installed packages the answer is the one of `importlib.metadata`."""
    assert sorted(entry_points(group)) == oracle(group)


def test_the_first_of_two_distributions_of_the_same_name(tmp_path, monkeypatch):
    """A distribution that another of the same name hides on the path has no entry points."""
    for folder, text in (("before", TEXT), ("after", TEXT.replace("first", "hidden"))):
        (tmp_path / folder).mkdir()
        distribution(tmp_path / folder, text=text)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "before"), str(tmp_path / "after")])
    monkeypatch.setattr(sys, "meta_path", [PathFinder])
    assert [name for name, _ in entry_points("a.group")] == ["first", "second.name"]
    assert sorted(entry_points("a.group")) == oracle("a.group")


def test_files_and_missing_folders(tmp_path, monkeypatch):
    """What is no folder with entry points is passed over."""
    (tmp_path / "old-1.0.egg-info").write_text("Name: old")
    (tmp_path / "empty-1.0.dist-info").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "missing"), *sys.path])
    assert sorted(entry_points("console_scripts")) == oracle("console_scripts")


def test_archives(tmp_path, monkeypatch):
    """A distribution in an archive is found too."""
    with zipfile.ZipFile(tmp_path / "archive.zip", "w") as archive:
        archive.writestr("zipped-1.0.dist-info/entry_points.txt", TEXT)
        archive.writestr("zipped-1.0.dist-info/METADATA", "Name: zipped\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(tmp_path / "archive.zip")
    assert ("first", "some.module") in entry_points("a.group")


def test_other_finders(monkeypatch):
    """Where another finder knows distributions, it is asked."""

    class Finder:
        @staticmethod
        def find_spec(*_):
            return None

        @staticmethod
        def find_distributions(*_):
            class Found(importlib.metadata.Distribution):
                @property
                def metadata(self):
                    return {"Name": "found"}

                def read_text(self, filename):
                    return TEXT if filename == "entry_points.txt" else None

                def locate_file(self, path):
                    raise NotImplementedError

            return [Found()]

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    assert ("first", "some.module") in entry_points("a.group")
