"""A test of the surroundings as straight-line code, in a tenth of the time that asking one by one takes.

It says yes only where everything is as it was. Where it says no, `Surroundings.difference` knows better: an
equal number may be another object.
"""

import builtins
import operator
import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.recording.surroundings import ABSENT, Surroundings, content_of, is_same, is_scalar

# Of a larger container all items are compared in one call, which takes longer to begin.
_MOST_ONE_BY_ONE = 32


def unchanged_test(surroundings: Surroundings) -> Callable[[], bool]:
    """A function that says whether surroundings are as they were; it may raise instead of saying no."""
    scope: dict[str, Any] = {"all": all, "map": map, "len": len, "type": type, "is_": operator.is_}
    terms: list[str] = []

    def named(x: Any) -> str:
        name = f"x{len(scope)}"
        scope[name] = x
        return name

    by_scope: dict[int, tuple[dict[str, Any], list[tuple[str, Any]]]] = {}
    for names, name, then in surroundings.names.values():
        by_scope.setdefault(id(names), (names, []))[1].append((name, then))
    terms += [f"{named(_test_of_names(names, held))}()" for names, held in by_scope.values()]
    terms += [f"{named(test)}()" for test in _tests_of_cells(surroundings.cells)]
    for f, code, defaults, keywords in surroundings.functions:
        name = named(f)
        terms += [f"{name}.__code__ is {named(code)}", f"{name}.__defaults__ is {named(defaults)}"]
        terms.append(f"{name}.__kwdefaults__ is {named(keywords)}")
    terms += [f"type({named(x)}) is {named(cls)}" for x, cls in surroundings.of_class]
    for x, held in surroundings.dicts:
        terms.append(f"{named(x)}.__dict__ is {named(held)}" if held else f"not {named(x)}.__dict__")
    without = {id(held) for _, held in surroundings.dicts if not held}
    for container, then in surroundings.containers:
        if id(container) not in without:
            terms += _of_items(named(container), then, named, type(container) is set)
    for cls, attributes, order in surroundings.classes:
        terms += [f"{named(cls)}.__mro__ is {named(order)}", *_of_items(named(vars(cls)), attributes, named)]
    for array, (dtype, shape, strides, is_writeable), elements in surroundings.arrays:
        name = named(array)
        terms.append(
            f"{name}.dtype is {named(dtype)} and {name}.shape == {shape} and {name}.strides == {strides}"
        )
        terms += [f"{name}.flags.writeable is {is_writeable}"] * surroundings.reads_flags()
        if elements is not None:
            # A `bytearray` compares memory where it lies.
            is_dense = array.flags.c_contiguous
            kept = named(bytearray(elements) if is_dense else elements)
            terms.append(f"{kept} == {name}" if is_dense else f"{name}.tobytes() == {kept}")
    source = f"def test():\n    return {' and '.join(terms) or True}\n"
    exec(compile(source, "<surroundings>", "exec"), scope)  # noqa: S102 - we wrote it
    test: Callable[[], bool] = scope["test"]
    return test


def _of_items(name: str, then: Any, named: Callable[[Any], str], is_set: bool = False) -> list[str]:
    """That a container holds the same, in the same order."""
    terms = [f"len({name}) == {len(then)}"]
    keys = [*then]
    if len(keys) <= _MOST_ONE_BY_ONE and isinstance(then, list) and not is_set:
        return terms + [f"{name}[{i}] is {named(x)}" for i, x in enumerate(then)]
    if len(keys) <= _MOST_ONE_BY_ONE and isinstance(then, dict) and {*map(type, keys)} <= {str}:
        terms += [f"{name}[{key!r}] is {named(x)}" for key, x in then.items()]
        return terms if len(keys) < 2 else [*terms, f"[*{name}] == {named(keys)}"]
    if isinstance(then, dict):
        terms.append(f"all(map(is_, {name}.values(), {named([*then.values()])}))")
    return [*terms, f"all(map(is_, {name}, {named(keys)}))"]


def _test_of_names(scope: dict[str, Any], held: list[tuple[str, Any]]) -> Callable[[], bool]:
    """Whether global names hold the same. It has them for its own, since Python remembers where they are.

    A name that is not there is one of the builtins, or is nowhere.
    """
    terms: list[str] = []
    thens: list[Any] = []
    for name, then in held:
        if then is ABSENT and not hasattr(builtins, name):
            terms.append(f"{name!r} not in _scope")
            continue
        known = getattr(builtins, name) if then is ABSENT else then
        read = f"_scope.get({name!r})" if name.startswith(("_then", "_scope", "_is_same")) else name
        terms.append(_is_as(read, f"_then{len(thens)}", known))
        thens.append(known)
    return _function(terms, thens, scope, [])


def _tests_of_cells(cells: list[tuple[Any, Any]]) -> list[Callable[[], bool]]:
    full = [(cell, then) for cell, then in cells if then is not ABSENT]
    names = [f"_cell{i}" for i in range(len(full))]
    terms = [_is_as(name, f"_then{i}", full[i][1]) for i, name in enumerate(names)]
    tests = [_function(terms, [then for _, then in full], {}, [cell for cell, _ in full])] if full else []
    empty = [cell for cell, then in cells if then is ABSENT]
    return [*tests, *[lambda cell=cell: content_of(cell) is ABSENT for cell in empty]]


def _is_as(name: str, then: str, value: Any) -> str:
    return (
        f"({name} is {then} or _is_same({name}, {then}))" if is_scalar(type(value)) else f"{name} is {then}"
    )


def _function(
    terms: list[str], thens: list[Any], scope: dict[str, Any], cells: list[Any]
) -> Callable[[], bool]:
    """A function that has a scope and cells for its own, and all else as defaults."""
    given = {**{f"_then{i}": then for i, then in enumerate(thens)}, "_is_same": is_same, "_scope": scope}
    around = ", ".join(f"_cell{i}" for i in range(len(cells)))
    lines = [f"def around({around}):", f"    def test({', '.join(given)}):"]
    lines.append(f"        return {' and '.join(terms) or True}")
    outer = compile("\n".join(lines), "<surroundings>", "exec").co_consts[0]
    code = next(x for x in outer.co_consts if isinstance(x, types.CodeType))
    ordered = tuple(cells[int(name.removeprefix("_cell"))] for name in code.co_freevars)
    return types.FunctionType(code, scope, "test", tuple(given.values()), ordered)
