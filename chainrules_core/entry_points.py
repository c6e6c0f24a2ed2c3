"""The entry points of installed distributions, read without `importlib.metadata` where that is possible.

To import `importlib.metadata` takes as long as to import all rules of a small program, for it imports
`email`. Here, entry points in ordinary folders are read without it; it is asked where there are others.
"""

import contextlib
import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from pathlib import Path

_SUFFIXES = (".dist-info", ".egg-info")


def entry_points(group: str) -> list[tuple[str, str]]:
    """The names and values of a group's entry points; of a distribution found twice, the first counts."""
    if not _are_in_folders():
        from importlib.metadata import entry_points as all_entry_points  # noqa: PLC0415 - see above

        return [(entry_point.name, entry_point.value) for entry_point in all_entry_points(group=group)]
    seen: set[str] = set()
    found: list[tuple[str, str]] = []
    for folder in _distributions():
        name = folder.name.partition("-")[0].removesuffix(".egg-info").lower().replace(".", "_")
        if name not in seen:
            seen.add(name)
            found += _read_group(folder / "entry_points.txt", group)
    return found


def _are_in_folders() -> bool:
    """Whether distributions are found in the folders of `sys.path` alone: no archives, no other finders."""
    others = [finder for finder in sys.meta_path if finder is not PathFinder]
    return not any(hasattr(finder, "find_distributions") for finder in others) and not any(
        path.endswith(".egg") or Path(path).is_file() for path in _search_path()
    )


def _search_path() -> list[str]:
    return [path for path in dict.fromkeys(sys.path) if isinstance(path, str)]


def _distributions() -> Iterator[Path]:
    for path in _search_path():
        with contextlib.suppress(OSError):  # there may be no such folder, or nothing that may be read
            yield from (entry for entry in Path(path).iterdir() if entry.name.endswith(_SUFFIXES))


def _read_group(path: Path, group: str) -> Iterator[tuple[str, str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        return  # a distribution without entry points, or one that is a single file
    if group not in text:
        return
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            section = line.strip("[]").strip()
        elif section == group and "=" in line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            yield name.strip(), value.strip()
