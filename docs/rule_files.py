"""The table of the rule files: ``python -m docs.rule_files`` writes `chainrules/rulesets/contents.py`.

Every file of `chainrules.rulesets` is imported, and the callees of the rules that it registers are written
down, by their names in `chainrules_core.dispatch.callee_names`. With ``--check`` nothing is written: the
difference is shown, and the exit status says whether there is one.
"""

import difflib
import importlib
import importlib.util
import pkgutil
import runpy
import sys
import textwrap
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plum
import scipy

CONTENTS = "chainrules.rulesets.contents"

# Whoever asks for the table must not be given the one that is to be replaced.
sys.modules[CONTENTS] = types.ModuleType(CONTENTS)
sys.modules[CONTENTS].CONTENTS = {}  # type: ignore[attr-defined]  # of a module that is made here

import chainrules.rulesets  # noqa: E402 - see above
from chainrules.makers import versions  # noqa: E402 - see above
from chainrules_core.dispatch.callee_names import name_and_module, name_of_member, package_of  # noqa: E402 - see above
from chainrules_core.dispatch.callees import TypeOf  # noqa: E402 - see above
from chainrules_core.dispatch.new_rules import add_hook  # noqa: E402 - see above
from chainrules_core.dispatch.pending_rulesets import COMMON_MODULES  # noqa: E402 - see above
from chainrules_core.dispatch.rule_method import RuleMethod  # noqa: E402 - see above

PACKAGE = chainrules.rulesets.__name__
PATH = Path(chainrules.rulesets.__file__).with_name("contents.py")
# Named beside the table, which is written where their targets need not be.
WHOLE = {f"{PACKAGE}.dask.array"}
WIDTH = 110
HEAD = '''"""Which file has the rules of which callees: written by ``make contents``, and not by hand.

By module that rules are for: its files, below `chainrules.rulesets`, and the names of their callees, those of
foreign callees after a bar. `chainrules_core.register_ruleset` says what the names mean. The table is of all
versions of Python and NumPy that are promised, and names functions that the installed ones may not have; the
methods of private classes are those of SciPy {scipy}.
"""

'''


def rule_files() -> list[str]:
    """The names of all modules of rules, below `chainrules.rulesets`."""
    found = pkgutil.walk_packages(chainrules.rulesets.__path__, f"{PACKAGE}.")
    names = [module.name for module in found if not module.ispkg and module.name not in {CONTENTS, *WHOLE}]
    return sorted(name.removeprefix(f"{PACKAGE}.") for name in names)


def target_of(file: str) -> str:
    """The module that a file's rules are for: the nearest one above it, or the one of its own name."""
    module = file.rpartition(".")[0] or file
    while not _is_module(module):
        module = module.rpartition(".")[0]
    return module


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def registered_rules() -> tuple[dict[str, list[RuleMethod]], dict[str, set[str]]]:
    """Import every file; returns the rules of each, and the names of its callees that other versions have."""
    rules: dict[str, list[RuleMethod]] = {file: [] for file in rule_files()}
    absent: dict[str, set[str]] = {}

    def note(mode: str, method: RuleMethod) -> None:
        file = _module_that_runs().removeprefix(f"{PACKAGE}.")
        if file in rules:  # or it is an operation, whose rules come with it
            rules[file].append(method)

    handle = add_hook(note, list)
    for file in rules:
        importlib.import_module(target_of(file))
        before = set(versions.absent)
        importlib.import_module(f"{PACKAGE}.{file}")
        absent[file] = versions.absent - before
    handle.remove()
    return rules, absent


def _module_that_runs() -> str:
    frame: types.FrameType | None = sys._getframe()  # noqa: SLF001 - who registers rules
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return "" if frame is None else str(frame.f_globals["__name__"])


def contents() -> dict[str, dict[str, str]]:
    """The table: by target and file the names of callees, and after a bar the names of foreign ones."""
    table: dict[str, dict[str, str]] = {}
    rules, absent = registered_rules()
    for file, methods in rules.items():
        target = target_of(file)
        own, foreign = set(absent[file]), set()
        for method in methods:
            for member in method.members:
                name, package = name_of_member(member), _package_of_callee(member)
                if package in {None, package_of(target)}:
                    own.add(name)
                elif needs_an_uncommon_argument(method):
                    foreign.add(name)
                else:  # a class is known by its name alone
                    own.add(f"{package}:{name}" if member.kind is TypeOf else name)
        names = [*sorted(own), *(["|"] if foreign else []), *sorted(foreign)]
        table.setdefault(target, {})[file] = " ".join(names)
    return dict(sorted(table.items()))


def _package_of_callee(member: Any) -> str | None:
    _, module = name_and_module(member.type_parameter)
    return module and package_of(module)


def needs_an_uncommon_argument(method: RuleMethod) -> bool:
    """Whether no call with arguments of common classes alone can match a rule."""
    after_callee = method.hints.index(method.callee) + 1
    signatures = plum.append_default_args(method.signature, method.stand_in)
    return all(any(map(_is_uncommon, signature.types[after_callee:])) for signature in signatures)


def _is_uncommon(hint: Any) -> bool:
    members = typing.get_args(hint) if not isinstance(hint, type) else (hint,)
    return bool(members) and all(
        isinstance(member, type) and not any(issubclass(cls, member) for cls in _common_classes())
        for member in members
    )


def _common_classes() -> Iterator[type]:
    pending = [object]
    while pending:
        cls = pending.pop()
        pending += type.__subclasses__(cls)
        if cls.__module__ in COMMON_MODULES:
            yield cls


def scipy_version() -> str:
    """The version whose private classes the table names; in others other ones define the same methods."""
    return ".".join(scipy.__version__.split(".")[:2])


def without_private_classes(table: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """A table without the methods of private classes."""
    return {
        target: {
            file: " ".join(name for name in names.split() if not name.startswith("_"))
            for file, names in files.items()
        }
        for target, files in table.items()
    }


def text(table: dict[str, dict[str, str]]) -> str:
    """The module's source."""
    lines = ["CONTENTS = {"]
    for target, files in table.items():
        lines.append(f'    "{target}": {{')
        for file, names in files.items():
            line = f'        "{file}": "{names}",'
            lines += [line] if len(line) <= WIDTH else [f'        "{file}": (', *_quoted(names), "        ),"]
        lines.append("    },")
    return HEAD.format(scipy=scipy_version()) + "\n".join([*lines, "}\n"])


def _quoted(names: str) -> list[str]:
    # Two quotes and a space around the names, after twelve spaces.
    first, *rest = reversed(textwrap.wrap(names, WIDTH - 15, break_long_words=False, break_on_hyphens=False))
    return [*(f'            "{line} "' for line in reversed(rest)), f'            "{first}"']


def main() -> int:
    """Write the table, or show how it differs."""
    table = contents()
    if "--check" not in sys.argv:
        PATH.write_text(text(table), encoding="utf-8")
        return 0
    new, old = text(table), PATH.read_text(encoding="utf-8")
    if f"SciPy {scipy_version()}.\n" not in old:
        written = runpy.run_path(str(PATH))["CONTENTS"]
        new, old = text(without_private_classes(table)), text(without_private_classes(written))
    sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), "is", "should be"))
    return int(new != old)


if __name__ == "__main__":
    sys.exit(main())
