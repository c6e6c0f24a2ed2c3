"""Laws of the source tree: what is checked here need not be remembered."""

import gc
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import source_laws

ROOT = Path(__file__).parent.parent
TESTS = ROOT / "tests"
PACKAGES = ("chainrules_core", "chainrules", "chainrules_testutils")
SOURCES = (*PACKAGES, "tests", "examples", "benchmarks", "docs")

LONGEST_FILE = 400
# The table of all rules is as long as they are many: a command writes it, and nobody has to read it.
GENERATED = "chainrules/rulesets/contents.py"

# Modules that need no test file of their own, and why.
_IN_ONE_TEST = "it names another module, and `test_namespaces.py` has all of these"
WITHOUT_TWIN: dict[str, str] = {
    f"chainrules/primitives/{name}.py": _IN_ONE_TEST
    for name in (
        *("numpy/fft", "numpy/linalg"),
        *("scipy/linalg", "scipy/optimize", "scipy/special", "scipy/stats", "scipy/sparse/linalg"),
    )
}
_FACTS_ALONE = "it holds facts and no function, and programs of all kinds call what they speak of"
WITHOUT_TWIN |= {
    f"chainrules/ad/interception/known/{name}.py": _FACTS_ALONE
    for name in (
        *("array_api_extra", "ast", "contextvars", "dataclasses", "decimal", "fractions", "struct"),
        *("matplotlib", "mpmath", "pandas", "time", "numpy/arrays", "numpy/matrixlib"),
        "scipy/odr",
    )
}

# Test files that are about no single module, and why.
WITHOUT_MODULE: dict[str, str] = {
    **{
        f"chainrules/adapters/conformance/test_{name}.py": "one framework with every case and transform"
        for name in ("cases", "autograd", "jax", "mygrad", "pairs", "pytensor", "torch", "traps")
    },
    "chainrules/ad/recording/test_composition.py": "compiled functions with all of the engine around them",
    "chainrules/ad/interception/test_programs.py": "all of interception, in programs of all kinds",
    "chainrules/ad/test_messages.py": "the whole engine: what it says to mistakes",
    "chainrules/ad/test_random_programs.py": "the whole engine, with programs made at random",
    "chainrules/ad/test_long_programs.py": "the whole engine, with programs of many operations",
    "chainrules/ad/writing/test_published_programs.py": "all of writing, in algorithms of others",
    "chainrules/ad/test_distributed.py": "the whole engine, on the workers of a cluster",
    "chainrules/ad/test_lazy_arrays.py": "the whole engine, with values of other types",
    "chainrules/ad/test_sparse_arrays.py": "the whole engine, with values of other types",
    "chainrules/ad/test_structured_arrays.py": "the whole engine, with values of other types",
    "chainrules/test_lazy_rules.py": "all rules that serve lazy arrays, in one table",
    "chainrules/test_shortcuts.py": "all shortcuts together",
    "chainrules_core/test_imports.py": "what importing the packages costs",
    "chainrules_core/test_messages.py": "what all of core says of mistakes, in one table",
    "chainrules_core/test_rules_that_call_back.py": "several modules together: rules that call back into AD",
    "chainrules_core/test_rules_of_structures.py": "several modules together: rules of structures",
    "chainrules_core/test_rules_of_functions.py": "several modules together: rules of functions",
    "chainrules_core/test_tangent_laws.py": "the laws of a vector space, for all tangent types together",
    "chainrules_testutils/test_messages.py": "all testers together: what they say to mistakes",
}


def sources(*folders: str) -> Iterator[Path]:
    """Every Python file under `folders`."""
    return (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))


def modules() -> Iterator[Path]:
    """Every module of the three packages, relative to the root; a package's `__init__.py` is none."""
    return (path.relative_to(ROOT) for path in sources(*PACKAGES) if not path.name.startswith("__"))


def mirrors() -> Iterator[Path]:
    """Every test file of the three packages, relative to `tests`."""
    return (
        path.relative_to(TESTS)
        for path in sources(*(f"tests/{package}" for package in PACKAGES))
        if path.name.startswith("test_")
    )


def twin(module: Path) -> Path:
    """The test file of a module: the same path under `tests`; a private module drops its underscore."""
    return module.with_name(f"test_{module.name.lstrip('_')}")


def test_every_module_has_its_tests():
    """A module's tests are at the mirrored path."""
    missing = [str(module) for module in modules() if not (TESTS / twin(module)).is_file()]

    assert [module for module in missing if module not in WITHOUT_TWIN] == []


def test_every_test_file_has_its_module():
    """A test file is the mirror of a module."""
    twins = {twin(module) for module in modules()}
    orphans = [str(path) for path in mirrors() if path not in twins]

    assert [path for path in orphans if path not in WITHOUT_MODULE] == []


def test_exceptions_are_needed():
    """The lists of exceptions above name nothing that obeys the law, or is gone."""
    assert [
        path for path in WITHOUT_TWIN if not (ROOT / path).is_file() or (TESTS / twin(Path(path))).is_file()
    ] == []
    twins = {twin(module) for module in modules()}
    assert [path for path in WITHOUT_MODULE if not (TESTS / path).is_file() or Path(path) in twins] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_folder_is_a_package(package):
    """Folders of modules and of tests have an `__init__.py`: same-named test files collide otherwise."""
    folders = {path.parent for path in sources(package, f"tests/{package}")}

    assert (
        sorted(str(folder.relative_to(ROOT)) for folder in folders if not (folder / "__init__.py").is_file())
        == []
    )


def test_architecture_names_what_is_there():
    """Every path that ARCHITECTURE.md names exists."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    paths = re.findall(r"`([\w.]+/[\w./]*)`", page)

    assert len(paths) > 10
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_no_file_holds_two_concepts():
    """No file is longer than one concept takes, but for a table that a command writes."""
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in sources(*SOURCES)
        if path != ROOT / "chainrules/rulesets/contents.py"
    }

    too_long = {path: length for path, length in lengths.items() if length > LONGEST_FILE}
    assert {path: length for path, length in too_long.items() if path != GENERATED} == {}


def test_no_file_is_a_drawer():
    """A file is named for the one thing that it holds."""
    drawers = {"common.py", "helpers.py", "misc.py", "util.py", "utils.py"}

    assert [str(path.relative_to(ROOT)) for path in sources(*SOURCES) if path.name in drawers] == []


# --- The rooms, and what each may touch --------------------------------------------------------------

TREE = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in sources(*PACKAGES)}

# Where the very class of an array matters whatever it costs to ask, and why.
EXACT_CLASS_IS_MEANT = {
    "chainrules_core/backends.py": "the class of a value says whether it is a carrier",
    "chainrules_core/tangent_spaces/accumulation.py": (
        "arrays of derived classes may keep more than their elements, so they are not written into"
    ),
    "chainrules_core/tangent_spaces/projection/arrays.py": (
        "a cotangent of a derived class is not in the space, although it has the dtype and the shape"
    ),
    "chainrules_core/tangent_spaces/projection/plain_arrays.py": "it makes plain arrays of derived ones",
}

# Where the very class or dtype of a value is asked for the sake of speed: the shortcuts, the engine, the
# bridges to other frameworks, and three modules of core.
FOR_SPEED = (
    *("chainrules/shortcuts/", "chainrules/ad/", "chainrules/adapters/"),
    *("chainrules_core/definition/plain_arrays.py", "chainrules_core/tangent_spaces/given_tangents.py"),
    "chainrules_core/tangent_spaces/returned_tangents.py",
)


def for_speed(tree):
    """The law of tests for speed, with the places that are allowed."""
    return source_laws.tests_for_speed(tree, (*FOR_SPEED, *EXACT_CLASS_IS_MEANT))


LAWS = {
    "imports go down": source_laws.upward_imports,
    "floors of the engine": source_laws.imports_between_floors,
    "syntax alone is syntax": source_laws.imports_around_syntax,
    "no ruleset imports a ruleset": source_laws.imports_between_rulesets,
    "others import only public names of core": source_laws.private_imports,
    "formulas and numerics register nothing": source_laws.registrations_without_rules,
    "operations have rules": source_laws.operations_without_rules,
    "a path spells whose facts are in it": source_laws.facts_elsewhere,
    "memories forget in one way": source_laws.memories_of_their_own,
    "known functions have facts and nothing else": source_laws.other_statements_beside_facts,
    "speed stands apart": for_speed,
    "imports have no cycle": source_laws.cycles,
}

# Made-up files, each of which breaks one law.
VIOLATIONS = [
    (
        "imports go down",
        {"chainrules/values/a.py": "import chainrules.formulas.b", "chainrules/formulas/b.py": ""},
    ),
    (
        "imports go down",
        {"chainrules/makers/a.py": "from chainrules.ad import call", "chainrules/ad/__init__.py": ""},
    ),
    ("syntax alone is syntax", {"chainrules/ad/traced/a.py": "from ast import parse"}),
    (
        "syntax alone is syntax",
        {"chainrules/ad/syntax/a.py": "import chainrules.ad.values.b", "chainrules/ad/values/b.py": ""},
    ),
    (
        "imports go down",
        {"chainrules/ad/modes/a.py": "from chainrules.makers import b", "chainrules/makers/b.py": ""},
    ),
    (
        "imports go down",
        {"chainrules/command_line/a.py": "import chainrules.ad.modes.b", "chainrules/ad/modes/b.py": ""},
    ),
    (
        "imports go down",
        {
            "chainrules_core/fields.py": "from chainrules_core.tangents.thunks import thunk",
            "chainrules_core/tangents/thunks.py": "",
        },
    ),
    (
        "imports go down",
        {
            "chainrules_core/fields.py": "if TYPE_CHECKING:\n    import chainrules_core",
            "chainrules_core/__init__.py": "",
        },
    ),
    (
        "imports go down",
        {
            "chainrules_testutils/comparing/a.py": "from chainrules_testutils.testers.b import Trial",
            "chainrules_testutils/testers/b.py": "",
        },
    ),
    (
        "floors of the engine",
        {
            "chainrules/ad/traced/a.py": "from chainrules.ad.writing import b",
            "chainrules/ad/writing/b.py": "",
        },
    ),
    ("floors of the engine", {"chainrules/ad/a.py": ""}),
    (
        "no ruleset imports a ruleset",
        {
            "chainrules/rulesets/math.py": "def f():\n    from chainrules.rulesets.cmath import g",
            "chainrules/rulesets/cmath.py": "",
        },
    ),
    (
        "others import only public names of core",
        {"chainrules/values/a.py": "from chainrules_core.fields import backing"},
    ),
    (
        "formulas and numerics register nothing",
        {"chainrules/formulas/a.py": "@rrule.dispatch\ndef f(f, x): ..."},
    ),
    ("formulas and numerics register nothing", {"chainrules/numerics/a.py": "scalar_rule(f, g)"}),
    ("operations have rules", {"chainrules/operations/a.py": "def f(x): ..."}),
    (
        "a path spells whose facts are in it",
        {"chainrules/ad/interception/known/math.py": "import time\nfact(time.sleep, has_effect=True)"},
    ),
    ("a path spells whose facts are in it", {"chainrules/ad/interception/known/math.py": "fact(len)"}),
    ("a path spells whose facts are in it", {"chainrules/ad/interception/known/math.py": "fact('a.f')"}),
    ("a path spells whose facts are in it", {"chainrules/ad/interception/known/math.py": "fact('cmath')"}),
    ("a path spells whose facts are in it", {"chainrules/ad/calls/a.py": "import math\nfact(math.sin)"}),
    (
        "known functions have facts and nothing else",
        {"chainrules/ad/interception/known/math.py": "@hook('sin')\ndef sin(x): ..."},
    ),
    (
        "known functions have facts and nothing else",
        {"chainrules/ad/interception/known/math.py": "TABLE.update({math.sin: sin})"},
    ),
    (
        "known functions have facts and nothing else",
        {"chainrules/ad/interception/known/math.py": "TABLE[math.sin] = sin"},
    ),
    (
        "memories forget in one way",
        {"chainrules/ad/calls/a.py": "_MOST = 9\nif len(known) > _MOST:\n    known.clear()"},
    ),
    ("memories forget in one way", {"chainrules/ad/calls/a.py": "a: dict = {}\n\ndef f(): a[1] = 2"}),
    ("memories forget in one way", {"chainrules/ad/calls/a.py": "a = WeakKeyDictionary()"}),
    ("memories forget in one way", {"chainrules/ad/syntax/a.py": "@functools.lru_cache(9)\ndef f(x): ..."}),
    ("speed stands apart", {"chainrules/rulesets/math.py": "y = x if x.__class__ is float else 0.0"}),
    ("speed stands apart", {"chainrules/rulesets/math.py": "def f(x): return type(x) is np.ndarray"}),
    ("speed stands apart", {"chainrules/rulesets/math.py": "def f(x): return x.dtype is np.dtype(float)"}),
    ("speed stands apart", {"chainrules/rulesets/math.py": "def f(x): return x.__class__ in CLASSES"}),
    (
        "imports have no cycle",
        {"chainrules/a.py": "import chainrules.b", "chainrules/b.py": "import chainrules.a"},
    ),
]


@pytest.fixture(autouse=True, scope="module")
def _trees_of_syntax():
    """Keep those of all files until the last law; to look for garbage among them takes longer than a law."""
    gc.disable()
    yield
    gc.enable()
    source_laws.nodes.cache_clear()


@pytest.mark.every_case
@pytest.mark.parametrize("law", LAWS)
def test_law(law):
    """The tree obeys each law."""
    assert LAWS[law](TREE) == []


@pytest.mark.parametrize(("law", "tree"), VIOLATIONS)
def test_a_violation_is_seen(law, tree):
    """Each law is broken by files that break it, and by no other made-up file."""
    assert LAWS[law](tree) != []
    assert [other for other in LAWS if other != law and LAWS[other](tree)] == []


def test_every_law_has_a_violation():
    """A law that nothing breaks would hold nothing."""
    assert {law for law, _ in VIOLATIONS} == set(LAWS)


@pytest.mark.parametrize("path", EXACT_CLASS_IS_MEANT)
def test_exceptions_to_the_law_of_speed_are_needed(path):
    """A file that is excepted asks for the very class of a value."""
    assert source_laws.tests_for_speed({path: TREE[path]}, ()) != []
