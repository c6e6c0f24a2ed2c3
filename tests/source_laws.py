"""The laws of the source tree, as functions from a tree of sources to what breaks them.

A tree is a mapping from the path of each file, such as ``"chainrules/values/stacks.py"``, to its text. Tests
hold each law over the real tree, and see it fail over a made-up one.
"""

import ast
import builtins
import functools
import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

Tree = Mapping[str, str]

# From the uppermost room to the lowest; a module imports from its own room and from those below it.
ROOMS = {
    "chainrules": ("rulesets", "shortcuts", "makers", "formulas", "operations", "numerics", "values"),
    "chainrules_core": (
        "structured",
        "definition",
        "tangent_spaces",
        "arrays",
        "carriers",
        "tangents",
        "dispatch",
        "",  # the ground: the modules at the top of the package
    ),
    "chainrules_testutils": ("testers", "oracles", "comparing", "advice", "values"),
}

# The engine stands beside the rules, above these rooms, and the bridges above the engine; the functions that
# are ready to be intercepted, and the program for the shell, above none.
_BELOW_THE_ENGINE = ("operations", "numerics", "values")
BESIDE_RULES = {
    "ad": _BELOW_THE_ENGINE,
    "adapters": ("ad", *_BELOW_THE_ENGINE),
    "primitives": (),
    "command_line": (),
}

# The rooms of the engine, likewise from the uppermost to the lowest: a folder of it is a floor.
FLOORS = (
    "recording",
    "derivatives",
    "modes",
    "interception.known",
    "interception.meanings",
    "interception.choosing",
    "writing",
    "calls",
    "traced",
    "syntax",
    "watching",
    "values",
)

# From where the names of `chainrules_core` are imported by those who are not part of it.
PUBLIC = frozenset(
    {
        "chainrules_core",
        "chainrules_core.compat",
        "chainrules_core.speed",  # without a promise: for this repository's own packages
        "chainrules_core.structured",
    }
)

# What registers a rule when it is called.
REGISTERS = frozenset(
    {
        "alias_rule",
        "define",
        "dispatch",
        "non_differentiable",
        "opt_out",
        "scalar_rule",
    }
)


def dotted(path: str) -> str:
    """The name of the module in a file; of an ``__init__.py`` that of its package."""
    parts = PurePosixPath(path).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def nodes(source: str) -> list[ast.AST]:
    """Everything in the syntax of a file, which every law looks at."""
    return list(ast.walk(ast.parse(source)))


def imports(source: str) -> Iterator[tuple[str, str | None]]:
    """Every import, wherever it stands: the module, and the name that is taken from it, if one is."""
    for node in nodes(source):
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from ((node.module, alias.name) for alias in node.names)


@functools.cache
def modules_of(paths: tuple[str, ...]) -> frozenset[str]:
    """The modules in these files."""
    return frozenset(map(dotted, paths))


def imported_modules(path: str, tree: Tree) -> set[str]:
    """The modules of the tree that a module of it imports; a package stands for its ``__init__.py``."""
    names = modules_of(tuple(tree))
    found = set()
    for module, name in imports(tree[path]):
        whole = f"{module}.{name}"
        found |= {whole} if whole in names else {module} & names
    return found - {dotted(path)}


def room(module: str) -> str | None:
    """The room of a module of one of the packages: the folder below the package."""
    package, _, rest = module.partition(".")
    return rest.partition(".")[0] if package in ROOMS else None


def upward_imports(tree: Tree) -> list[str]:
    """Imports from a room above one's own, and imports of the engine by rules."""
    return [
        f"{path} imports {module}"
        for path in tree
        for module in sorted(imported_modules(path, tree))
        if not _may_import(dotted(path), module, tree)
    ]


def _may_import(importer: str, imported: str, tree: Tree) -> bool:
    package = importer.partition(".")[0]
    if package not in ROOMS or imported.partition(".")[0] != package:
        return True
    rooms = ROOMS[package]
    own, other = _room_in(rooms, importer, tree), _room_in(rooms, imported, tree)
    if own in BESIDE_RULES:
        return other in {own, *BESIDE_RULES[own]}
    if own not in rooms:
        return True  # the doors of the package
    return other in rooms and rooms.index(own) <= rooms.index(other)


def _room_in(rooms: tuple[str, ...], module: str, tree: Tree) -> str | None:
    """The room of a module; the modules at the top of core are its ground, and its facades are in no room."""
    own = room(module)
    if own and (own in rooms or own in BESIDE_RULES):
        return own
    return "" if "" in rooms and own not in {"", "compat", "speed", "__main__"} else None


def imports_between_floors(tree: Tree) -> list[str]:
    """Modules of the engine that stand in none of its rooms, and imports from a room above their own."""
    floors = {dotted(path): _floor(path) for path in tree if path.startswith("chainrules/ad/")}
    loose = [f"{module} is in no room" for module, floor in floors.items() if floor is None]
    return loose + [
        f"{path} imports {module}"
        for path in tree
        for module in sorted(imported_modules(path, tree) & floors.keys())
        if not _is_door(path) and (floors.get(dotted(path)) or 0) > (floors[module] or 0)
    ]


def _is_door(path: str) -> bool:
    """Whether a file is what a package says of itself, or stands outside of the engine."""
    return path.endswith("__init__.py") or not path.startswith("chainrules/ad/")


def _floor(path: str) -> int | None:
    """The floor of a module of the engine, counted from above; a door is above all."""
    if _is_door(path):
        return -1
    within = dotted(path).removeprefix("chainrules.ad.")
    return next((floor for floor, name in enumerate(FLOORS) if within.startswith(f"{name}.")), None)


def imports_between_rulesets(tree: Tree) -> list[str]:
    """Imports of one ruleset by another; the ``__init__.py`` of a package imports its own modules."""
    return [
        f"{path} imports {module}"
        for path in tree
        if room(dotted(path)) == "rulesets" and not path.endswith("__init__.py")
        for module in sorted(imported_modules(path, tree))
        if room(module) == "rulesets"
    ]


def imports_around_syntax(tree: Tree) -> list[str]:
    """Imports of `ast` by rooms of the engine above `syntax/`, and what that room imports of the packages.

    It may remember things, and ask which names are those of functions that write; facts about functions of
    `ast` name these.
    """
    return [
        f"{path} imports {module}"
        for path in tree
        if path.startswith("chainrules/ad/") and path != "chainrules/ad/interception/known/ast.py"
        for module, _ in imports(tree[path])
        if (_is_above_syntax(module) if path.startswith("chainrules/ad/syntax/") else module == "ast")
    ]


def _is_above_syntax(module: str) -> bool:
    below = ("chainrules.ad.syntax", "chainrules.ad.values.memory", "chainrules.ad.values.facts")
    return module.startswith("chainrules") and not module.startswith(below)


def private_imports(tree: Tree) -> list[str]:
    """Imports from the modules of `chainrules_core` by the packages that are built on it."""
    return [
        f"{path} imports {module}"
        for path in tree
        if not path.startswith("chainrules_core/")
        for module, _ in imports(tree[path])
        if module.partition(".")[0] == "chainrules_core" and module not in PUBLIC
    ]


def registrations_without_rules(tree: Tree) -> list[str]:
    """Calls and decorators that register a rule, in rooms that hold mathematics for the rules of others."""
    return [
        f"{path}:{line}"
        for path in tree
        if room(dotted(path)) in {"formulas", "numerics"}
        for line in _registrations(tree[path])
    ]


def operations_without_rules(tree: Tree) -> list[str]:
    """Modules of `operations/` that register no rule."""
    return [
        path
        for path in tree
        if room(dotted(path)) == "operations" and not path.endswith("__init__.py")
        if not _registrations(tree[path])
    ]


def _registrations(source: str) -> list[int]:
    """The lines of calls and decorators that register a rule."""
    return [
        node.lineno
        for node in nodes(source)
        if isinstance(node, ast.Name | ast.Attribute) and _last_name(node) in REGISTERS
    ]


_KNOWN = "chainrules/ad/interception/known/"


def facts_elsewhere(tree: Tree) -> list[str]:
    """Facts of functions that the path of the file does not spell, and of others' functions anywhere else.

    Below a package it may be a heading: `known/numpy/arrays.py` speaks of functions of NumPy.
    """
    return [
        f"{path}:{node.lineno}: {name}"
        for path in tree
        if path.startswith("chainrules/ad/")
        for node in nodes(tree[path])
        if isinstance(node, ast.Call) and _last_name(node.func) == "fact"
        for name in _functions_spoken_of(node, tree[path])
        if not name.startswith(_spelled(path))
    ]


def _spelled(path: str) -> str:
    """How the names begin that a file of facts may speak of; outside of `known/` none."""
    if not path.startswith(_KNOWN):
        return "chainrules."
    whole = dotted(path.removeprefix(_KNOWN))
    return f"{whole.rpartition('.')[0] or whole}."


def _functions_spoken_of(call: ast.Call, source: str) -> Iterator[str]:
    """The whole names of imported and builtin functions, and the text, among the functions of a fact."""
    origins = {alias: f"{module}.{name}" if name else module for alias, module, name in _aliases(source)}
    own = {node.id for node in nodes(source) if _is_bound(node)}
    called = {node.func for part in call.args for node in ast.walk(part) if isinstance(node, ast.Call)}
    for part in call.args:
        for node in ast.walk(part):
            if isinstance(node, ast.Constant):
                package, dot, _ = str(node.value).partition(".")
                is_name = package.isidentifier() and (dot or node is part)  # of a module, one has no dot
                yield from [f"{node.value}."] if is_name else []
            elif isinstance(node, ast.Name) and node not in called and node.id not in own:
                if node.id in origins and not origins[node.id].startswith("chainrules."):
                    yield f"{origins[node.id]}."
                elif hasattr(builtins, node.id):
                    yield f"builtins.{node.id}"


def _is_bound(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _aliases(source: str) -> Iterator[tuple[str, str, str | None]]:
    for node in nodes(source):
        if isinstance(node, ast.Import):
            yield from ((alias.asname or alias.name, alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((alias.asname or alias.name, node.module, alias.name) for alias in node.names)


_MEMORY = re.compile(r"@(functools\.)?(lru_)?cache|_MOST\b|(\w+)(: .*)? = (Weak|deque|\{\}|(dict|set)\(\))")


def memories_of_their_own(tree: Tree) -> list[str]:
    """Memories of the engine that forget otherwise than by `remember`, where no comment says when they do."""
    return [
        f"{path}:{number + 1}"
        for path in tree
        if path.startswith("chainrules/ad/")
        for lines in [tree[path].splitlines()]
        for number, line in enumerate(lines)
        if (found := _MEMORY.match(line)) and f"remember({found[3]}," not in tree[path]
        for comment in [itertools.takewhile(str.strip, reversed(lines[:number]))]
        if not any(above.startswith(("# Forgotten", "# Never forgotten")) for above in comment)
    ]


def other_statements_beside_facts(tree: Tree) -> list[str]:
    """What a file of facts does besides saying facts, and defining what they speak of."""
    return [
        f"{path}:{node.lineno}"
        for path in tree
        if path.startswith(_KNOWN) and not path.endswith("__init__.py")
        for node in ast.parse(tree[path]).body
        if not _is_of_facts(node)
    ]


def _is_of_facts(node: ast.stmt) -> bool:
    if isinstance(node, ast.For):
        return all(map(_is_of_facts, node.body))
    if isinstance(node, ast.Expr):
        is_text = isinstance(node.value, ast.Constant)
        return is_text or (isinstance(node.value, ast.Call) and _last_name(node.value.func) == "fact")
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return all(isinstance(part, ast.Name | ast.Tuple) for part in targets)
    is_definition = isinstance(node, ast.FunctionDef | ast.ClassDef)
    return isinstance(node, ast.Import | ast.ImportFrom) or (is_definition and not node.decorator_list)


def _last_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def tests_for_speed(tree: Tree, allowed: tuple[str, ...]) -> list[str]:
    """Comparisons of the very class of a value, or of the very dtype of an array, elsewhere than allowed."""
    return [
        f"{path}:{node.lineno}"
        for path in tree
        if not path.startswith(allowed)
        for node in nodes(tree[path])
        if isinstance(node, ast.Compare) and _compares_for_speed(node)
    ]


def _compares_for_speed(node: ast.Compare) -> bool:
    operands = (node.left, *node.comparators)
    if not isinstance(node.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn):
        return False
    is_identity = isinstance(node.ops[0], ast.Is | ast.IsNot)
    asks_class = any(_last_name(operand) == "__class__" or _is_type_of(operand) for operand in operands)
    is_none = isinstance(node.comparators[0], ast.Constant)  # whether a dtype was given at all
    asks_dtype = is_identity and not is_none and any(_last_name(operand) == "dtype" for operand in operands)
    has_array_class = any(_last_name(operand).strip("_") == "ndarray" for operand in operands)
    return asks_dtype or (asks_class and (has_array_class or _last_name(node.left) == "__class__"))


def _is_type_of(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _last_name(node.func) == "type" and len(node.args) == 1


def cycles(tree: Tree) -> list[list[str]]:
    """The groups of modules that import each other, directly or by others, for type checkers too."""
    edges = {dotted(path): imported_modules(path, tree) for path in tree}
    reached = {module: _reachable(module, edges) for module in edges}
    groups = {
        tuple(sorted(other for other in reached[module] if module in reached[other])) for module in edges
    }
    return [list(group) for group in sorted(groups) if len(group) > 1]


def _reachable(start: str, edges: Mapping[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    pending = [start]
    while pending:
        for module in edges[pending.pop()] - seen:
            seen.add(module)
            pending.append(module)
    return seen
