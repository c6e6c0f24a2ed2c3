"""Write the version of a release wherever it stands: ``python -m docs.release 0.2.0``.

With ``--address https://...`` the packages and `CITATION.cff` get the address of the repository as well, from
which the package index makes links. With ``--check`` nothing is written, and an error says what is of another
version.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent

# Where the version stands, and how. What packages ask of each other is bounded by it too.
_PLACES = (
    ("chainrules*/pyproject.toml", r'^version = "(.*)"$'),
    ("chainrules*/__init__.py", r'^__version__ = "(.*)"$'),
    ("chainrules*/pyproject.toml", r'"chainrules(?:-\w+)?~=(.*?)"'),
    ("examples/third_party/*/pyproject.toml", r'"chainrules(?:-\w+)?~=(.*?)"'),
    ("docs/rule_author/package.md", r'"chainrules(?:-\w+)?~=(.*?)"'),
    ("CITATION.cff", r"^version: (.*)$"),
)
_LINKS = {
    "Homepage": "",
    "Documentation": "/blob/main/docs/index.md",
    "Issues": "/issues",
    "Changelog": "/blob/main/CHANGELOG.md",
}
# https://packaging.python.org/en/latest/specifications/version-specifiers/, without local versions.
_VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?")


def other_versions(root: Path, version: str) -> Iterator[str]:
    """The places that name another version."""
    for pattern, place in _PLACES:
        for path in sorted(root.glob(pattern)):
            for match in re.finditer(place, path.read_text("utf-8"), re.MULTILINE):
                if match[1] != version:
                    yield f"{path.relative_to(root).as_posix()}: {match[0]}"


def write_version(root: Path, version: str) -> None:
    """Write one version everywhere."""
    for pattern, place in _PLACES:
        for path in sorted(root.glob(pattern)):
            _rewrite(path, place, lambda match: match[0].replace(match[1], version))


def write_address(root: Path, address: str) -> None:
    """Write the links that the package index shows, in the place of those that there are."""
    links = "".join(f'{name} = "{address}{path}"\n' for name, path in _LINKS.items())
    for path in sorted(root.glob("chainrules*/pyproject.toml")):
        _rewrite(path, r"^\[project\.urls\]\n(?:.+\n)*\n", lambda _: "")
        _rewrite(path, r"^# This folder is at once", lambda match: f"[project.urls]\n{links}\n{match[0]}")
    citation = root / "CITATION.cff"
    _rewrite(citation, r"^repository-code: .*\n", lambda _: "")
    _rewrite(citation, r"^version: ", lambda match: f"repository-code: {address}\n{match[0]}")


def _rewrite(path: Path, pattern: str, change: object) -> None:
    text = path.read_text("utf-8")
    path.write_text(re.sub(pattern, change, text, flags=re.MULTILINE), "utf-8", newline="\n")


def main(arguments: list[str], root: Path = ROOT) -> None:
    """Read the command line, and do what it says."""
    parser = argparse.ArgumentParser(prog="python -m docs.release", description=__doc__.partition("\n")[0])
    parser.add_argument("version")
    parser.add_argument("--address", help="of the repository")
    parser.add_argument("--check", action="store_true", help="write nothing")
    parsed = parser.parse_args(arguments)
    if not _VERSION.fullmatch(parsed.version):
        parser.error(f"a version has three numbers, such as 0.2.0 or 0.2.0rc1, not {parsed.version!r}")
    if not parsed.check:
        write_version(root, parsed.version)
        if parsed.address:
            write_address(root, parsed.address.rstrip("/"))
    if others := list(other_versions(root, parsed.version)):
        parser.exit(1, "".join(f"{other}\n" for other in others))


if __name__ == "__main__":
    main(sys.argv[1:])
