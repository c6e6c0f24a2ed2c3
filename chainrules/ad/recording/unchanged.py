"""A test of the surroundings as straight-line code, in a tenth of the time that asking one by one takes.

It says yes only where everything is as it was. Where it says no, `Surroundings.difference` knows better: an
equal number may be another object.
"""

import abc
import builtins
import operator
import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.recording.generated import code_of
from chainrules.ad.recording.same import ABSENT, content_of, is_same
from chainrules.ad.recording.surroundings import Surroundings
from chainrules.ad.values.memory import remembered

Test = Callable[[], bool]

# Of a larger container all items are compared in one call, which takes longer to begin.
_MOST_ONE_BY_ONE = 32


def unchanged_test(surroundings: Surroundings) -> Test:
    """A function that says whether surroundings are as they were; it may raise instead of saying no."""
    scope: dict[str, Any] = {
        "__name__": __name__,
        "all": all,
        "map": map,
        "len": len,
        "type": type,
        "is_": operator.is_,
    }
    scope["is_same"] = is_same
    terms: list[str] = []

    def named(x: Any) -> str:
        name = f"x{len(scope)}"
        scope[name] = x
        return name

    by_scope: dict[int, tuple[dict[str, Any], list[tuple[str, Any]]]] = {}
    for names, name, then in surroundings.names.values():
        by_scope.setdefault(id(names), (names, []))[1].append((name, then))
    tests = [test for names, held in by_scope.values() for test in _tests_of_names(names, held)]
    terms += [f"{named(test)}()" for test in tests + _tests_of_cells(surroundings.cells)]
    all_absent = [*surroundings.absent, *surroundings.instances.absent]
    terms += [f"{named(keys)}.isdisjoint({named(absent)})" for keys, absent in all_absent]
    terms += _of_attributes(surroundings, named)
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
    known = surroundings.registrations
    terms += [f"{named(abc.get_cache_token)}() == {known}"] * (known is not None)
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
    terms += _of_answers(surroundings, named)  # the last ones, since they call functions
    source = f"def test():\n    return {' and '.join(terms) or True}\n"
    exec(code_of(source, "<surroundings>"), scope)  # noqa: S102 - we wrote it
    test: Test = scope["test"]
    return test


def _of_attributes(surroundings: Surroundings, named: Callable[[Any], str]) -> list[str]:
    held = [(f"{named(x)}[{name!r}]", named(then)) for x, name, then in surroundings.instances.values]
    return [f"({now} is {then} or is_same({now}, {then}))" for now, then in held]


def _of_answers(surroundings: Surroundings, named: Callable[[Any], str]) -> list[str]:
    asked = surroundings.answers.values()
    return [f"{named(f)}({', '.join(map(named, args))}) is {named(then)}" for f, args, then in asked]


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


def _tests_of_names(scope: dict[str, Any], held: list[tuple[str, Any]]) -> list[Test]:
    """Whether global names hold the same, as one function, and those that are nowhere.

    It has the names for its own, since Python remembers where they are. A name that is not there is one of
    the builtins, or is nowhere.
    """
    thens = {name: getattr(builtins, name, ABSENT) if then is ABSENT else then for name, then in held}
    absent = [name for name, then in thens.items() if then is ABSENT]
    tests: list[Test] = [
        lambda name=name: name not in scope  # type: ignore[misc]  # by its default
        for name in absent
    ]
    for name in absent:
        del thens[name]
    if not thens:
        return tests
    code = _test_code((len(thens), False)).replace(co_names=tuple(thens))
    return [types.FunctionType(code, scope, "test", (is_same, *thens.values())), *tests]


def _tests_of_cells(cells: list[tuple[Any, Any]]) -> list[Test]:
    full = [(cell, then) for cell, then in cells if then is not ABSENT]
    tests: list[Test] = [
        lambda cell=cell: content_of(cell) is ABSENT  # type: ignore[misc]  # by its default
        for cell, then in cells
        if then is ABSENT
    ]
    if full:
        code = _test_code((len(full), True))
        ordered = tuple(full[int(name.removeprefix("x"))][0] for name in code.co_freevars)
        thens = (is_same, *(then for _, then in full))
        tests.append(types.FunctionType(code, {}, "test", thens, ordered))
    return tests


@remembered
def _test_code(kind: tuple[int, bool]) -> types.CodeType:
    """The code of a function that compares some variables, which are given as defaults as they were.

    It is the same for all programs that read as many.

    Parameters
    ----------
    kind
        How many there are, and whether they are cells.
    """
    count, are_cells = kind
    names = [f"x{i}" for i in range(count)]
    terms = " and ".join(f"({name} is then_{name} or is_same({name}, then_{name}))" for name in names)
    inner = f"    def test(is_same, {', '.join(f'then_{name}' for name in names)}):\n        return {terms}\n"
    outer = f"def around({', '.join(names if are_cells else ())}):\n{inner}"
    code = compile(outer, "<surroundings>", "exec").co_consts[0]
    return next(x for x in code.co_consts if isinstance(x, types.CodeType))
