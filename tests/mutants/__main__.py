"""Make random mistakes in the packages, and see whether tests notice: ``python -m tests.mutants --seed 7``.

A mistake is one operator, comparison, sign, constant or `not` that is another, or a `project(x)`, `x.conj()`
or `np.conj(x)` of which `x` remains. It counts as noticed if the test file at the mirrored path fails, run by
itself in a copy of the tree; for a formula, those of the rules that it serves as well. Mistakes that change
nothing stand in ``equivalent.toml``, with the reason. What only tests with a framework can tell is left out
where it is not installed.

Tools that are kept cannot do this. mutmut 3.8 leaves out every function with a decorator, and so all rules;
it makes no mistakes of a project's own. cosmic-ray 8.7 has one test command for all files, and runs it in the
checkout itself, one mistake at a time. Neither draws a sample from a seed.
"""

import argparse
import random
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.mutants.mutations import Mutant, mutants
from tests.mutants.trial import trials
from tests.source_laws import dotted, imported_modules
from tests.test_layout import ROOT, TREE, modules, twin

PLAIN_ARRAYS = Path("chainrules_core/definition/plain_arrays.py")
EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def main() -> None:
    """Print each mistake that is not noticed, then the rate of those that are; fail if it is too low."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--seed", type=int, default=time.time_ns() % 10**6, help="the same seed draws the same"
    )
    parser.add_argument("--count", type=int, default=200, help="how many mistakes are made")
    parser.add_argument("--at-least", type=float, default=95.0, help="the percentage that has to be noticed")
    parser.add_argument(
        "parts", nargs="*", help="draw from files whose path begins with one of these, or else contains it"
    )
    options = parser.parse_args()

    possible = all_mutants(options.parts)
    draw = random.Random(options.seed).sample  # noqa: S311 - a sample, not a secret
    drawn = draw(possible, min(options.count, len(possible)))
    print(f"seed {options.seed}: {len(drawn)} of {len(possible)} possible mistakes")
    tried = noticed = 0
    for mutant, is_noticed in trials(ROOT, drawn, tests_of):
        tried += 1
        noticed += is_noticed
        if not is_noticed:
            print(f"\nnot noticed:\n{mutant.diff}", flush=True)
    rate = 100.0 * noticed / max(tried, 1)
    print(f"\nseed {options.seed}: {noticed} of {tried} noticed, {rate:.1f} %")
    if rate < options.at_least:
        raise SystemExit(1)


def tests_of(module: Path) -> list[str]:
    """What pytest runs to test a module: the file at the mirrored path.

    A formula is there for rules, so the test files of what imports it come after its own. The file of a
    shortcut holds calls, with which one test for all shortcuts compares each with its rule.
    """
    tests = Path("tests", twin(module))
    if module.parts[1] == "formulas":
        return [str(tests), *(str(Path("tests", twin(user))) for user in users_of(module))]
    if module.parts[1] != "shortcuts" and module != PLAIN_ARRAYS:
        return [str(tests)]
    name = ".".join(module.with_suffix("").parts)
    return [str(tests), "tests/chainrules/test_shortcuts.py", "-k", f"{tests.name} or {name}."]


def users_of(module: Path) -> Iterator[Path]:
    """The modules that import a module."""
    name = dotted(str(module))
    for path, text in TREE.items():
        # Most files are told apart by their text, which takes no time.
        if all(part in text for part in name.rsplit(".", 1)) and name in imported_modules(path, TREE):
            yield Path(path)


def all_mutants(parts: Sequence[str] = ()) -> list[Mutant]:
    """Every mistake that can be made in the packages, but those that are known to change nothing."""
    known = {(entry["path"], entry["code"], entry["mutant"]) for entry in equivalent()}
    return [
        mutant
        for module in chosen(parts)
        for mutant in mutants(module, (ROOT / module).read_bytes())
        if (mutant.path, *mutant.change) not in known
    ]


def chosen(parts: Sequence[str]) -> list[str]:
    """The modules whose paths begin with one of these parts, or contain it if none begins so; or all."""
    paths = [str(module) for module in modules()]
    places = {part: any(path.startswith(part) for path in paths) for part in parts or [""]}
    return [
        path
        for path in paths
        if any(path.startswith(part) if begins else part in path for part, begins in places.items())
    ]


def equivalent() -> list[dict[str, str]]:
    """Mistakes that change nothing, each with the reason."""
    return tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["mutants"]


if __name__ == "__main__":
    main()
