"""Places of rules, ``file:line``, as tables show them: from the package on, as one writes its name."""

import functools
import sys
from collections.abc import Iterable
from pathlib import Path


def short(place: str) -> str:
    """A place below a folder of packages, from there on; any other place as it is."""
    file, colon, line = place.rpartition(":")
    folder = _folder_of(file or place)
    return (
        place
        if folder is None
        else f"{Path(file or place).relative_to(folder)}{colon}{line if colon else ''}"
    )


def where_they_are(places: Iterable[str]) -> list[str]:
    """A sentence about the folders that `short` has left out."""
    folders = dict.fromkeys(filter(None, (_folder_of(place.rpartition(":")[0] or place) for place in places)))
    return [f"Paths are below {', '.join(map(str, folders))}."] if folders else []


@functools.cache
def _folder_of(file: str) -> Path | None:
    """The folder from which the package that a file is in is imported, the nearest one."""
    path = Path(file)
    folders = [Path(folder) for folder in sys.path if folder and path.is_relative_to(folder)]
    return max(folders, key=lambda folder: len(folder.parts), default=None) if path.is_absolute() else None
