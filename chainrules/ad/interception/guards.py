"""Tests in front of hooks: where the operands are numbers, text and the like, code runs as it was written.

``mul(a, b)`` becomes ``a * b if type(a) in PLAIN and type(b) in PLAIN else mul(a, b)``. Nothing is traced there,
and no class has a method in Python, so that the hook would do the same, in five times the time of the test.

An operand that is more than a name is kept in a variable that no program can name. A number or text may stay
there until the function returns; of anything else the variable is cleared at once, since who holds an object
can be seen: by its ``__del__``, by weak references, and by `numpy.ndarray.resize`.
"""

import ast
import re
from collections.abc import Callable
from typing import Any

from chainrules.ad.interception import native_code, plain_classes
from chainrules.ad.interception.native_code import (
    CONTAINING,
    OPERATORS,
    UNARY_OPERATORS,
    can_be_twice,
    hook_of,
    is_constant,
    is_simple,
    placed,
)
from chainrules.ad.interception.placeholders import CONSTANTS, placeholder

_LOAD, _STORE = ast.Load(), ast.Store()

# In a function that speaks of one of these, variables can be seen.
_SEEING_VARIABLES = re.compile(r"\b(locals|vars|dir|eval|exec|_getframe|currentframe|f_locals)\b")

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

CONSTANTS[placeholder("type")] = type


def constant(name: str, value: Any, at: Any) -> ast.expr:
    """A value that rewritten code has among its constants."""
    CONSTANTS[placeholder(name)] = value
    return placed(ast.Constant(placeholder(name)), at)  # type: ignore[no-any-return]


class _Expression:
    """What has to be asked before an expression of numbers is evaluated as it was written."""

    def __init__(self, is_called: bool) -> None:
        # In the order in which they are asked, each once.
        self.tests: dict[str, ast.expr] = {}
        self.variables: list[ast.expr] = []
        self._is_called = is_called

    def ask(self, key: str, x: ast.expr) -> None:
        """Let a value be a number or text."""
        plain = _called_with(x) if self._is_called else constant("plain", plain_classes.PLAIN, x)
        self.tests.setdefault(key, is_of(x, plain))


class Guards(ast.NodeTransformer):
    """Calls of hooks become expressions that call them where a test fails. What is a statement stays."""

    def __init__(self, source: str) -> None:
        super().__init__()
        # To look for a word in the text takes a hundredth of the time of a walk through the tree.
        self._may_see_variables = _SEEING_VARIABLES.search(source) is not None
        self.may_assign_inside = ":=" in source
        self._may_assign = False
        self._is_in_comprehension = False
        self._n_variables = 0
        self._modules: dict[str, str] = {}
        self._functions: dict[str, tuple[str, str]] = {}

    # --- Where variables may be assigned to -----------------------------------------------------------------

    def visit(self, node: ast.AST) -> Any:  # noqa: D102 - as of the base class
        if isinstance(node, ast.stmt):
            self._n_variables = 0  # those of the statement before are needed no more
        return super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:  # noqa: D102, N802 - as of the base class
        node.decorator_list = [self.visit(part) for part in node.decorator_list]
        node.args = self.visit(node.args)
        node.body = self._inside(node, node.body, self._body)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - as of the base class

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:  # noqa: D102, N802 - as of the base class
        node.args = self.visit(node.args)
        node.body = self._inside(node, node.body, self.visit)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:  # noqa: D102, N802 - as of the base class
        before, self._may_assign = self._may_assign, False  # they would be attributes
        self.generic_visit(node)
        self._may_assign = before
        return node

    def _inside(self, node: ast.AST, body: Any, visit: Callable[[Any], Any]) -> Any:
        before = self._may_assign
        self._may_assign = not self._is_in_comprehension and not (
            self._may_see_variables and any(map(_sees_variables, ast.walk(node)))
        )
        body = visit(body)
        self._may_assign = before
        return body

    def _body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        return self.generic_visit(ast.Module(statements, [])).body  # type: ignore[attr-defined]

    def _in_comprehension(self, node: ast.expr) -> ast.AST:
        """There a variable would be that of the function around it, and of all who iterate."""
        before = self._may_assign, self._is_in_comprehension
        self._may_assign, self._is_in_comprehension = False, True
        self.generic_visit(node)
        self._may_assign, self._is_in_comprehension = before
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _in_comprehension  # noqa: N815 - as of the base class

    def _variable(self) -> str:
        self._n_variables += 1
        return f"<chainrules.ad: operand {self._n_variables}>"

    # --- Modules --------------------------------------------------------------------------------------------

    def visit_Import(self, node: ast.Import) -> ast.AST:  # noqa: D102, N802 - as of the base class
        for alias in node.names:
            self._modules[alias.asname or alias.name] = alias.name
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:  # noqa: D102, N802 - as of the base class
        if node.module in plain_classes.MODULES and not node.level:
            for alias in node.names:
                self._functions[alias.asname or alias.name] = node.module, alias.name
        return node

    # --- Hooks ----------------------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> Any:  # noqa: D102, N802 - as of the base class
        name = hook_of(node)
        if name is None:
            return self._call(node)
        if name in OPERATORS or name in native_code.COMPARING or name in UNARY_OPERATORS:
            return self._operator(name, node)
        guard = _GUARDS.get(name)
        if guard is not None:
            return guard(self, node)
        node.args = [self.visit(arg) for arg in node.args]
        return node

    def _operator(self, name: str, node: ast.Call) -> ast.expr:
        answer = self.all_plain(node)
        if answer is not None:
            native, tests, variables = answer
            slow = hook_with(node, [*node.args, cleared(variables, node)]) if variables else node
            return guarded(all_of(tests, node), native, slow) if tests else node
        node.args = [self.visit(arg) for arg in node.args]
        if name in UNARY_OPERATORS or not self._may_assign:
            return node
        return self.two(name, node)

    # --- Expressions of numbers -----------------------------------------------------------------------------

    def all_plain(
        self, node: ast.expr, *, is_called: bool = False
    ) -> tuple[ast.expr, list[ast.expr], list[ast.expr]] | None:
        """An expression without hooks, if it consists of operators, variables and what is read of variables.

        Returns
        -------
        tuple
            The expression, the tests that say whether it may be evaluated, and variables to be cleared if it
            may not. `None` if it consists of anything else, or of too much.
        """
        n_variables, self._expression = self._n_variables, _Expression(is_called)
        native = self._native(node)
        tests, variables = list(self._expression.tests.values()), self._expression.variables
        if native is None or len(tests) > _MOST_TESTS:
            self._n_variables = n_variables
            return None
        return native, tests, variables

    def _native(self, node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Name):
            self._expression.ask(node.id, node)
            return node
        if is_constant(node):
            return node
        name = hook_of(node)
        if name is None:
            return None
        args: list[ast.expr] = node.args  # type: ignore[attr-defined]  # of a call
        if name == "attribute" and isinstance(args[0], ast.Name):
            return self._native_attribute(args[0], args[1].value, node)  # type: ignore[attr-defined]
        if name in _ITEMS and self._may_assign:
            return self._native_item(node)  # type: ignore[arg-type]  # a call
        if not (name in OPERATORS or name in UNARY_OPERATORS or name in native_code.COMPARING):
            return None
        operands = []
        for arg in args:
            operand = self._native(arg)
            if operand is None:
                return None
            operands.append(operand)
        return native_code.computed(name, operands, node)

    def _native_attribute(self, x: ast.Name, name: str, at: Any) -> ast.expr:
        read = self._read_attribute(x, name, at)
        self._expression.ask(f"{x.id}.{name}", read)
        return read

    def _read_attribute(self, x: ast.Name, name: str, at: Any) -> ast.expr:
        classes = constant(f"to read again {name}", plain_classes.classes_to_read_again(name), at)
        at.args[2:] = [constant(f"to read {name}", plain_classes.classes_to_read(name), at)]  # to be added to
        read: ast.expr = placed(ast.Attribute(x, name, _LOAD), at)
        self._expression.tests[f"{x.id}.{name} may be read"] = is_of(x, classes)
        return read

    def _native_item(self, node: ast.Call) -> ast.expr | None:
        read = self._read_item(node)
        if read is None:
            return None
        held, variable = self.held(read)
        self._expression.ask(variable.id, held)  # type: ignore[attr-defined]  # of a name
        self._expression.variables.append(variable)
        return variable

    def _read_item(self, node: ast.Call) -> ast.expr | None:
        x, index = node.args
        if isinstance(x, ast.Name):
            number = index if is_simple(index) else self._native(index)
            if number is None:
                return None
            self._expression.tests[f"{x.id} has items at {ast.dump(index)}"] = is_indexed(x, index, node)
            return placed(ast.Subscript(x, number, _LOAD), node)  # type: ignore[no-any-return]
        row = self._read_row(x)
        if row is None:
            return None
        held, variable = self.held(row)
        self._expression.variables.append(variable)
        self._expression.tests[variable.id] = _has_items(held, True)  # type: ignore[attr-defined]  # of a name
        number = index if is_simple(index) else self._native(index)
        if number is None:
            return None
        clearing = _either(cleared([variable], node), number)
        return placed(ast.Subscript(variable, clearing, _LOAD), node)  # type: ignore[no-any-return]

    def _read_row(self, x: ast.expr) -> ast.expr | None:
        """What has items, if it is an item or an attribute itself."""
        name = hook_of(x)
        if name in _ITEMS:
            return self._read_item(x)  # type: ignore[arg-type]  # a call
        if name == "attribute" and isinstance(x.args[0], ast.Name):  # type: ignore[attr-defined]  # of a call
            return self._read_attribute(x.args[0], x.args[1].value, x)  # type: ignore[attr-defined]
        return None

    def two(self, name: str, node: ast.Call) -> ast.expr:
        """A guard for a hook with two operands of which one at least is more than a name."""
        left, right = node.args[:2]
        if is_constant(left):
            held, y = self.held(right)
            return with_cleared(
                guarded(
                    is_in(held, "plain", plain_classes.PLAIN),
                    native_code.computed(name, [left, y], node),
                    hook_with(node, [left, y]),
                ),
                [y],
            )
        held_x, x = self.held(left)
        if is_simple(right):
            tests = [is_in(held_x, "plain", plain_classes.PLAIN)]
            if not is_constant(right):
                tests.append(is_in(right, "plain", plain_classes.PLAIN))
            return with_cleared(
                guarded(
                    all_of(tests, node),
                    native_code.computed(name, [x, right], node),
                    hook_with(node, [x, right]),
                ),
                [x],
            )
        held_y, y = self.held(right)
        return with_cleared(
            guarded(
                same_or_plain(held_x, x, held_y, y, node),
                native_code.computed(name, [x, y], node),
                hook_with(node, [x, y]),
            ),
            [x, y],
        )

    def held(self, node: ast.expr) -> tuple[ast.expr, ast.expr]:
        """An expression that keeps its value in a variable, and the variable."""
        variable = placed(ast.Name(self._variable(), _LOAD), node)
        return placed(ast.NamedExpr(placed(ast.Name(variable.id, _STORE), node), node), node), variable

    def _contains(self, node: ast.Call) -> ast.expr:
        node.args = [self.visit(arg) for arg in node.args]
        name = hook_of(node) or ""
        item, container = node.args
        is_display = isinstance(container, ast.Tuple | ast.Set | ast.List) and all(
            map(is_constant, container.elts)
        )
        if not is_display and not isinstance(container, ast.Name):
            return node
        tests = [] if is_display else [is_in(container, "containers", plain_classes.CONTAINERS)]
        if is_constant(item):
            return (
                guarded(all_of(tests, node), native_code.computed(name, [item, container], node), node)
                if tests
                else node
            )
        if isinstance(item, ast.Name):
            tests = [is_in(item, "plain", plain_classes.PLAIN), *tests]
            return guarded(all_of(tests, node), native_code.computed(name, [item, container], node), node)
        if not self._may_assign:
            return node
        held, variable = self.held(item)
        tests = [is_in(held, "plain", plain_classes.PLAIN), *tests]
        native = native_code.computed(name, [variable, container], node)
        return with_cleared(
            guarded(all_of(tests, node), native, hook_with(node, [variable, container])), [variable]
        )

    def _item(self, node: ast.Call) -> ast.expr:
        node.args = [self.visit(arg) for arg in node.args]
        x, index = node.args
        if not can_be_twice(index):
            return node
        native = native_code.index(index)
        is_kept = hook_of(node) == "getitem"  # a new array would have to become one that can be filled
        if isinstance(x, ast.Name):
            test = is_indexed(x, index, node, is_kept)
            return guarded(test, placed(ast.Subscript(x, native, _LOAD), node), node)
        if not self._may_assign:
            return node
        held, variable = self.held(x)
        clearing = _clearing(native, cleared([variable], node))
        if clearing is None:
            return node
        test = _has_items(held, is_kept) if not is_constant(index) else _has_items_or_keys(held, is_kept)
        fast = placed(ast.Subscript(variable, clearing, _LOAD), node)
        return with_cleared(guarded(test, fast, hook_with(node, [variable, index])), [variable])

    def _attribute(self, node: ast.Call) -> ast.expr:
        node.args = [self.visit(arg) for arg in node.args]
        x, name = node.args[:2]
        if not isinstance(x, ast.Name) or not isinstance(name, ast.Constant):
            return node
        classes = constant(f"to read {name.value}", plain_classes.classes_to_read(name.value), node)
        native = placed(ast.Attribute(x, name.value, _LOAD), node)
        return guarded(is_of(x, classes), native, hook_with(node, [x, name, classes]))

    def _iterated(self, node: ast.Call) -> ast.expr:
        (x,) = node.args = [self.visit(arg) for arg in node.args]
        if not isinstance(x, ast.Name):
            return node
        return guarded(is_in(x, "iterated", plain_classes.ITERATED), x, node)

    def _truth(self, node: ast.Call) -> ast.expr:
        (x,) = node.args = [self.visit(arg) for arg in node.args]
        if isinstance(x, ast.IfExp) and isinstance(x.body, ast.Compare | ast.BinOp | ast.UnaryOp):
            x.orelse = hook_with(node, [x.orelse])  # of plain numbers, they are plain numbers too
            return x
        if isinstance(x, ast.Name):
            return guarded(is_in(x, "plain", plain_classes.PLAIN), x, node)
        if not self._may_assign:
            return node
        held, variable = self.held(x)
        test = is_in(held, "plain", plain_classes.PLAIN)
        return with_cleared(guarded(test, variable, hook_with(node, [variable])), [variable])

    # --- Calls ----------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> ast.expr:
        if hook_of(node.func) not in {"call", "new call"}:
            return self.generic_visit(node)  # type: ignore[return-value]
        hook: Any = node.func
        (f,) = hook.args
        answer = self._of_numbers(f, hook, node)
        if answer is not None:
            return answer
        node.args = [self.visit(arg) for arg in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        if hook_of(f) == "attribute":
            return self._method_call(f, hook, node)
        hook.args = [self.visit(f)]
        return node

    def _of_numbers(self, f: ast.expr, hook: ast.Call, node: ast.Call) -> ast.expr | None:
        """A call of a function in C that computes with plain numbers and text."""
        if (
            isinstance(f, ast.Name)
            and f.id == "len"
            and len(node.args) == 1
            and isinstance(node.args[0], ast.Name)
        ):
            sized = constant("sized", plain_classes.SIZED, node)
            tests = [is_of(node.args[0], sized), _is(f, constant("len", len, node), node)]
            fast = placed(ast.Call(f, node.args, []), node)
            return guarded(all_of(tests, node), fast, node)
        tests = self._tests_of_function(f, node)
        if tests is None or node.keywords or not node.args:
            return None
        if any(isinstance(arg, ast.Starred) for arg in node.args) or all(map(is_constant, node.args)):
            return None
        asked = node.args[:1] if isinstance(f, ast.Name) and f.id == "isinstance" else node.args
        answers = [self.all_plain(arg, is_called=True) for arg in asked]
        native = [answer for answer in answers if answer is not None and not answer[2]]
        if len(native) == len(asked):
            rest = [self.visit(arg) for arg in node.args[len(asked) :]]
            if not all(map(can_be_twice, rest)):
                return None
            tests = [*(test for _, of_arg, _ in native for test in of_arg), *tests]
            fast = placed(ast.Call(f, [*(arg for arg, *_ in native), *rest], []), node)
            return guarded(all_of(tests, node), fast, placed(ast.Call(hook, [*asked, *rest], []), node))
        if len(node.args) > 2 or len(asked) < len(node.args) or not self._may_assign:
            return None
        return self._of_held_numbers(f, hook, node, tests)

    def _of_held_numbers(
        self, f: ast.expr, hook: ast.Call, node: ast.Call, tests: list[ast.expr]
    ) -> ast.expr:
        held, variables = zip(*[self.held(self.visit(arg)) for arg in node.args], strict=True)
        if len(held) == 1:
            test = is_of(held[0], _called_with(node))
        else:
            test = same_or_of(held[0], variables[0], held[1], variables[1], _called_with(node))
        fast = placed(ast.Call(f, list(variables), []), node)
        slow = placed(ast.Call(hook, [_last_use_of(variable) for variable in variables], []), node)
        return guarded(all_of([test, *tests], node), fast, slow)

    def _tests_of_function(self, f: ast.expr, at: Any) -> list[ast.expr] | None:
        """What says that an expression is a function in C that is known; `None` if it cannot be one."""
        if isinstance(f, ast.Name):
            module, name = self._functions.get(f.id, ("", f.id))
            known = (
                getattr(plain_classes.MODULES[module], name, None)
                if module
                else plain_classes.BUILTINS.get(name)
            )
            return None if known is None else [_is(f, constant(f"{module}.{name}", known, at), at)]
        if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name):
            module = self._modules.get(f.value.id, "")
            known = getattr(plain_classes.MODULES.get(module), f.attr, None)
            if callable(known):
                of_module = constant(module, plain_classes.MODULES[module], at)
                return [_is(f.value, of_module, at), _is(f, constant(f"{module}.{f.attr}", known, at), at)]
        return None

    def _method_call(self, f: ast.expr, hook: ast.Call, node: ast.Call) -> ast.expr:
        owner, name = f.args[:2]  # type: ignore[attr-defined]  # of a call
        owner = self.visit(owner)
        classes = plain_classes.called_as_it_is(name.value)
        read: Any = placed(ast.Call(f.func, [owner, name], []), f)  # type: ignore[attr-defined]
        can_be_called_twice = all(map(can_be_twice, [*node.args, *node.keywords]))
        is_to_be_held = not isinstance(owner, ast.Name)
        known = constant(f"called as it is {name.value}", classes, node)
        if not plain_classes.owners(name.value) or (is_to_be_held and not self._may_assign):
            hook.args = [self._attribute(read) if not is_to_be_held else read]
            return node
        if not is_to_be_held:
            hook.args = [self._attribute(read)]
            method = placed(ast.Attribute(owner, name.value, _LOAD), f)
            if can_be_called_twice:
                fast = placed(ast.Call(method, node.args, node.keywords), node)
                return guarded(is_of(owner, known), fast, node)
            node.func = guarded(is_of(owner, known), method, hook)
            return node
        if not can_be_called_twice or not (node.args or node.keywords):
            hook.args = [read]
            return node
        held, variable = self.held(owner)
        args, keywords = _clearing_args(node, cleared([variable], node))
        method = placed(ast.Attribute(variable, name.value, _LOAD), f)
        fast = placed(ast.Call(method, args, keywords), node)
        hook.args = [placed(ast.Call(read.func, [variable, name, cleared([variable], node)], []), f)]
        return guarded(is_of(held, known), fast, node)


# --- Tests --------------------------------------------------------------------------------------------------

# Expressions of numbers that need more than that are rare.
_MOST_TESTS = 10


def guarded(test: ast.expr, native: ast.expr, slow: ast.expr) -> ast.IfExp:
    """The native code where a test says so, and the hook otherwise."""
    return placed(ast.IfExp(test, native, slow), slow)  # type: ignore[no-any-return]


def hook_with(node: ast.Call, args: list[ast.expr]) -> ast.Call:
    """The call of the same hook with other arguments."""
    return placed(ast.Call(node.func, args, []), node)  # type: ignore[no-any-return]


def _class_of(x: ast.expr) -> ast.expr:
    return placed(ast.Call(placed(ast.Constant(placeholder("type")), x), [x], []), x)  # type: ignore[no-any-return]


def is_of(x: ast.expr, classes: ast.expr) -> ast.expr:
    """The question whether the very class of a value is in a set."""
    return placed(ast.Compare(_class_of(x), [ast.In()], [classes]), x)  # type: ignore[no-any-return]


def is_in(x: ast.expr, name: str, classes: Any) -> ast.expr:
    """The same for a set that has a name among the constants."""
    return is_of(x, constant(name, classes, x))


def _is(x: ast.expr, value: ast.expr, at: Any) -> ast.expr:
    return placed(ast.Compare(x, [ast.Is()], [value]), at)  # type: ignore[no-any-return]


def all_of(tests: list[ast.expr], at: Any) -> ast.expr:
    """All of several questions."""
    return tests[0] if len(tests) == 1 else placed(ast.BoolOp(ast.And(), tests), at)


def are_plain(names: list[ast.expr], at: Any) -> ast.expr:
    """The question whether the values of variables are numbers or text."""
    return all_of([is_in(x, "plain", plain_classes.PLAIN) for x in names], at)


def same_or_plain(held_x: ast.expr, x: ast.expr, held_y: ast.expr, y: ast.expr, at: Any) -> ast.expr:
    """Whether two values are numbers or text."""
    return same_or_of(held_x, x, held_y, y, constant("plain", plain_classes.PLAIN, at))


def same_or_of(held_x: ast.expr, x: ast.expr, held_y: ast.expr, y: ast.expr, classes: ast.expr) -> ast.expr:
    """Whether the very classes of two values are in a set; both are evaluated, whatever the first is.

    ``type(x := ...) is type(y := ...) in PLAIN`` evaluates both before it compares them.
    """
    chain = placed(
        ast.Compare(_class_of(held_x), [ast.Is(), ast.In()], [_class_of(held_y), classes]), classes
    )
    both = all_of([is_of(x, classes), is_of(y, classes)], classes)
    return placed(ast.BoolOp(ast.Or(), [chain, both]), classes)  # type: ignore[no-any-return]


def is_indexed(x: ast.expr, index: ast.expr, at: Any, with_arrays: bool = True) -> ast.expr:
    """Whether an item can be read as it is."""
    if is_constant(index):
        return _has_items_or_keys(x, with_arrays)
    return with_dict(_has_items(x, with_arrays), x, index, at)


def _has_items(x: ast.expr, with_arrays: bool) -> ast.expr:
    if with_arrays:
        return is_in(x, "indexed", plain_classes.INDEXED)
    return is_in(x, "indexed, no array", plain_classes.INDEXED - plain_classes.ARRAYS)


def _has_items_or_keys(x: ast.expr, with_arrays: bool) -> ast.expr:
    if with_arrays:
        return is_in(x, "indexed or dict", plain_classes.INDEXED_OR_DICT)
    return is_in(x, "indexed or dict, no array", plain_classes.INDEXED_OR_DICT - plain_classes.ARRAYS)


def with_dict(test: ast.expr, x: ast.expr, index: ast.expr, at: Any) -> ast.expr:
    """Or whether a value is a dict, and an index a number or text, which is looked up as it is."""
    if not isinstance(index, ast.Name):
        return test
    of_dict = all_of([is_in(x, "dict", plain_classes.DICT), is_in(index, "plain", plain_classes.PLAIN)], at)
    return placed(ast.BoolOp(ast.Or(), [test, of_dict]), at)  # type: ignore[no-any-return]


def _called_with(at: Any) -> ast.expr:
    return constant("called with", plain_classes.CALLED_WITH, at)


# --- Variables that are cleared -----------------------------------------------------------------------------


def with_cleared(node: ast.IfExp, variables: list[ast.expr]) -> ast.IfExp:
    """The same, where the hook is given one argument more, which clears variables."""
    node.orelse.args.append(cleared(variables, node))  # type: ignore[attr-defined]  # of a call
    return node


def cleared(variables: list[ast.expr], at: Any) -> ast.expr:
    """An expression that is `None`, and puts it into variables."""
    value: ast.expr = placed(ast.Constant(None), at)
    for variable in variables:
        if isinstance(variable, ast.Name):
            value = placed(ast.NamedExpr(placed(ast.Name(variable.id, _STORE), at), value), at)
    return value


def _last_use_of(variable: ast.expr) -> ast.expr:
    """The value of a variable, which is cleared."""
    pair = placed(ast.Tuple([variable, cleared([variable], variable)], _LOAD), variable)
    return placed(ast.Subscript(pair, placed(ast.Constant(0), variable), _LOAD), variable)  # type: ignore[no-any-return]


def _either(clear: ast.expr, value: ast.expr) -> ast.expr:
    return placed(ast.BoolOp(ast.Or(), [clear, value]), value)  # type: ignore[no-any-return]


def _clearing(index: ast.expr, clear: ast.expr) -> ast.expr | None:
    """An index that clears a variable when it is evaluated; `None` where it has no place for that."""
    if isinstance(index, ast.Slice):
        lower = clear if index.lower is None else _either(clear, index.lower)
        return placed(ast.Slice(lower, index.upper, index.step), index)  # type: ignore[no-any-return]
    if isinstance(index, ast.Tuple):
        first = _clearing(index.elts[0], clear) if index.elts else None
        return None if first is None else placed(ast.Tuple([first, *index.elts[1:]], _LOAD), index)
    return None if isinstance(index, ast.Starred) else _either(clear, index)


def _clearing_args(node: ast.Call, clear: ast.expr) -> tuple[list[ast.expr], list[ast.keyword]]:
    """The arguments of a call, of which the first clears a variable."""
    if node.args:
        first, *others = node.args
        if isinstance(first, ast.Starred):
            return [placed(ast.Starred(_either(clear, first.value), _LOAD), first), *others], node.keywords
        return [_either(clear, first), *others], node.keywords
    key, *rest = node.keywords
    return [], [placed(ast.keyword(key.arg, _either(clear, key.value)), key), *rest]


def _sees_variables(node: ast.AST) -> bool:
    name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", None) or getattr(node, "value", None)
    return isinstance(name, str) and _SEEING_VARIABLES.fullmatch(name) is not None


_ITEMS = ("getitem", "new getitem")

_GUARDS: dict[str, Callable[[Guards, ast.Call], ast.expr]] = {
    **dict.fromkeys(CONTAINING, Guards._contains),
    **dict.fromkeys(_ITEMS, Guards._item),
    "attribute": Guards._attribute,
    "iter": Guards._iterated,
    "truth": Guards._truth,
}
