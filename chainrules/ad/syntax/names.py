"""What a module says of names: which are modules or variables, and which a function writes into."""

import ast
from collections.abc import Iterator

from chainrules.ad.syntax.classes_of_values import MODULES
from chainrules.ad.values.facts import WRITING

# In a function that speaks of one of these, variables can be seen.
_SEEING = frozenset({"locals", "vars", "dir", "eval", "exec", "_getframe", "currentframe", "f_locals"})

# Names of fields that hold no names, statements or expressions.
_LEAVES = frozenset({"attr", "ctx", "id", "kind", "op", "ops", "type_comment"})

# By kind of node, the fields that may.
_BRANCHES: dict[type, tuple[str, ...]] = {
    kind: tuple(field for field in kind._fields if field not in _LEAVES)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}


def parts_of(tree: ast.AST) -> list[ast.AST]:
    """The nodes of a tree, without contexts and operators: `ast.walk`, in less than half of the time."""
    nodes = [tree]
    for node in nodes:  # which grow meanwhile
        for field in _BRANCHES.get(node.__class__, node._fields):
            part = getattr(node, field, None)
            if part.__class__ is list:
                nodes += [x for x in part if isinstance(x, ast.AST)]
            elif isinstance(part, ast.AST):
                nodes.append(part)
    return nodes


class Names:
    """The names of a module, as far as its text says; imports are added when they are met."""

    def __init__(self, tree: ast.Module) -> None:
        self.modules: dict[str, str] = {}
        # Functions of `MODULES`, each with its module and its name there.
        self.functions: dict[str, tuple[str, str]] = {}
        self._variables: set[str] = set()
        # Variables that another function may assign to, wherever in the module that is.
        self.shared: set[str] = set()
        self.has_assignments_in_expressions = self.sees_variables = False
        for part in parts_of(tree):
            if isinstance(part, ast.Name):
                if part.ctx.__class__ is ast.Store:
                    self._variables.add(part.id)
            elif isinstance(part, ast.arg):
                self._variables.add(part.arg)
            elif isinstance(part, ast.Global | ast.Nonlocal):
                self.shared.update(part.names)
            elif isinstance(part, ast.NamedExpr):
                self.has_assignments_in_expressions = True
            self.sees_variables = self.sees_variables or sees_variables(part)

    def module_of(self, node: ast.expr) -> str | None:
        """The name of the module that an expression is, `None` if it is not known to be one.

        A variable with the name of a module may be another object, with properties.
        """
        is_module = isinstance(node, ast.Name) and node.id not in self._variables
        return self.modules.get(node.id) if is_module else None  # type: ignore[attr-defined]  # of a name

    def add_modules(self, node: ast.Import) -> None:
        """Note down what an import assigns."""
        for alias in node.names:
            top = alias.name.partition(".")[0]
            self.modules[alias.asname or top] = alias.name if alias.asname else top

    def add_functions(self, node: ast.ImportFrom) -> None:
        """Note down the functions of known modules that an import assigns."""
        if node.module in MODULES and not node.level:
            for alias in node.names:
                self.functions[alias.asname or alias.name] = node.module, alias.name


def sees_variables(node: ast.AST) -> bool:
    """Whether a node may look at the variables of the function that it is in."""
    if isinstance(node, ast.Name):
        return node.id in _SEEING
    if isinstance(node, ast.Attribute):
        return node.attr in _SEEING
    return isinstance(node, ast.Constant) and node.value.__class__ is str and node.value in _SEEING


# --- Names that are written into ------------------------------------------------------------------------


def names_written_into(function: ast.AST, modules: dict[str, str]) -> frozenset[str]:
    """The names of variables that a function, or one that it defines, writes into or hands to others.

    ``y = 2.0 * a; y[i] = v`` makes an array that nobody else holds, which has to be one that can be filled. So it
    has where a view of it is written into: ``for row in y: row *= v``.
    """
    nodes = parts_of(function)
    written = {name for node in nodes for part in _parts_written_here(node) for name in _owner_of(part)}
    views = [(names, owners) for node in nodes for names, owners in _views_made_by(node)]
    while more := {name for names, owners in views if names & written for name in owners - written}:
        written |= more
    handed = [part for node in nodes if isinstance(node, ast.Call) for part in parts_handed_over(node, modules)]
    return frozenset(written.union(*map(_owner_of, handed)))


def _owner_of(part: ast.expr) -> set[str]:
    while isinstance(part, ast.Subscript | ast.Attribute | ast.Starred):
        part = part.value
    return {part.id} if isinstance(part, ast.Name) else set()


def _parts_written_here(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, (ast.Subscript, ast.Attribute)):
        return [node.value] if node.ctx.__class__ is ast.Store else []
    if isinstance(node, ast.Call):
        function = node.func
        return [function.value] if isinstance(function, ast.Attribute) and function.attr in WRITING else []
    return [node.target] if isinstance(node, ast.AugAssign) else []


def _views_made_by(node: ast.AST) -> Iterator[tuple[set[str], set[str]]]:
    """The names that a statement gives to views, and those of the arrays that they may be views of."""
    if isinstance(node, ast.For):
        targets, sources = [node.target], list(_iterated(node.iter))
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.Attribute):
        targets, sources = node.targets, [node.value]
    else:
        return
    names = {part.id for target in targets for part in parts_of(target) if isinstance(part, ast.Name)}
    yield names, set().union(*map(_owner_of, sources))


def _iterated(node: ast.expr) -> Iterator[ast.expr]:
    """What a loop runs over, also where it is ``enumerate(zip(x, y))``."""
    if isinstance(node, ast.Call):
        for part in node.args:
            yield from _iterated(part)
    else:
        yield node


# Functions of Python's own that do not write, among others.
_READING = frozenset({"abs", "bool", "complex", "enumerate", "float", "int", "isinstance", "len", "list"})
_READING |= {"max", "min", "print", "range", "round", "sorted", "str", "sum", "tuple", "type", "zip"}


def makes_copy(node: ast.expr) -> bool:
    """Whether an expression is ``x.copy()``, or items of it: who is handed one may write into it."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "copy"


def parts_handed_over(call: ast.Call, modules: dict[str, str]) -> list[ast.expr]:
    """The arguments that the called function may write into."""
    outs = [keyword.value for keyword in call.keywords if keyword.arg == "out"]
    handed = [*call.args, *(keyword.value for keyword in call.keywords)]
    function = call.func
    if isinstance(function, ast.Name):
        return outs if function.id in _READING else handed
    if not isinstance(function, ast.Attribute):
        return handed
    if function.attr in WRITING:
        return [*handed, function.value]
    owner: ast.expr = function
    while isinstance(owner, ast.Attribute):
        owner = owner.value
    return outs if isinstance(owner, ast.Name) and owner.id in modules else handed
