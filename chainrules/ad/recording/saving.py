"""Saving a recorded program as a module of its own, that needs NumPy and what the program calls."""

import builtins
import hashlib
import inspect
import keyword
import os
import re
import types
from collections.abc import Callable, Iterator
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import numpy as np

from chainrules.ad.recording import saved_calls
from chainrules.ad.recording.entering import reads_of
from chainrules.ad.recording.literals import NotWritableError, class_name, literal, public_module
from chainrules.ad.recording.naming import parameter_names
from chainrules.ad.recording.running import MISS
from chainrules.ad.recording.signature import described
from chainrules.ad.recording.structured_results import in_containers
from chainrules.ad.recording.variant import Variant, checked_variant, parameters_of

# Larger constants are kept in a file beside the module.
_MOST_IN_TEXT = 16


def save(f: Callable[..., Any], path: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Record a call, and write a module with a function of the same arguments.

    Parameters
    ----------
    f
        The function.
    path
        Of the module; the function has its name.
    args, kwargs
        What to record it for.

    Raises
    ------
    NotRecordableError
        If the call cannot be recorded.
    NotWritableError
        If the program holds or calls something that has no text.
    ValueError
        If the path is no name of a module.
    """
    path = Path(path)
    if path.suffix != ".py" or not path.stem.isidentifier() or keyword.iskeyword(path.stem):
        raise ValueError(f"The program is a module, so that its file is called `name.py`, not {path.name!r}.")
    known: dict[int, Any] = {}
    args, kwargs = _laid_out(args, known), _laid_out(kwargs, known)
    named = parameters_of(f, args, kwargs)
    names = [*parameter_names(name for name, _ in named[: len(args)]), *kwargs]
    parameters = list(zip(names, (x for _, x in named), strict=True))
    module = _Module(path.stem, checked_variant(f, args, kwargs, target="alone"), parameters, kwargs)
    text = module.text(getattr(f, "__name__", "a function"), getattr(f, "unnamed", None))
    if module.arrays:
        arrays = {**module.arrays, "made_with": np.array(module.fingerprint)}
        _replace(path.with_suffix(".npz"), lambda name: np.savez(name, **arrays))
    _replace(path, lambda name: Path(name).write_text(text, encoding="utf-8"))
    # Python knows a file that has changed by its size and the second in which it was written.
    Path(cache_from_source(str(path))).unlink(missing_ok=True)


def _replace(path: Path, write: Callable[[Any], Any]) -> None:
    """Write a file, so that nobody reads half of it."""
    new = path.with_name(f"{path.stem}.new-{os.getpid()}{path.suffix}")
    try:
        write(new)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def _laid_out(x: Any, known: dict[int, Any]) -> Any:
    """Arguments as the saved module takes them: contiguous arrays, and numbers that are not one object."""
    cls = type(x)
    if cls is np.ndarray:
        if id(x) not in known:  # an array that is given twice stays one
            known[id(x)] = np.array(x, order=_order(x))
        return known[id(x)]
    if isinstance(x, float | complex | np.inexact):
        negative: Any = -x
        return -negative
    if cls is tuple or cls is list:
        return cls([_laid_out(part, known) for part in x])
    if cls is dict:
        return {key: _laid_out(part, known) for key, part in x.items()}
    return x


def _order(x: Any) -> Any:
    return "F" if x.flags.f_contiguous and not x.flags.c_contiguous else "C"


class _Module:
    """The text of a module, and the arrays beside it."""

    def __init__(
        self, name: str, variant: Variant, parameters: list[tuple[str, Any]], keywords: dict[str, Any]
    ) -> None:
        self._name, self._variant, self._keywords = name, variant, keywords
        self._parameters = parameters
        self.arrays: dict[str, Any] = {}
        self.fingerprint = ""
        self._imports: set[str] = {"import numpy as np"}
        self._functions: dict[str, str] = {}
        self._constants: dict[str, str] = {}
        self._values: set[str] = set()

    def text(self, name: str, kind: str | None) -> str:
        """The module, whose documentation says of what the program was recorded."""
        program = self._variant.source.rstrip()
        self._add_names(program, self._variant.program.__globals__)
        self._values = {*self._constants} - {"MISS"}
        self._add_names("laid_out, read_only, refusal", vars(saved_calls))
        if "MISS" in self._constants:
            self._add_names("otherwise", vars(saved_calls))
        arguments = ", ".join(f"{name}: {described(x)}" for name, x in self._parameters)
        documentation = f"{kind} of {name}" if kind else name
        documentation = f"{documentation[0].upper()}{documentation[1:]}, recorded for ({arguments})."
        known = [f"{name} = {value}" for name, value in self._constants.items()]
        functions = [self._function(), self._with_constants(program), *self._functions.values()]
        if self.arrays:
            self._imports |= {"import functools", "from pathlib import Path"}
            functions.insert(2, self._loading(program))
        self._check_names()
        head = [
            _as_documentation(f"{documentation}\n\n{_EXPLANATION}"),
            "\n".join(sorted(self._imports, key=lambda line: (not line.startswith("import"), line))),
            f"ARGUMENTS = {arguments!r}",
        ]
        return "\n\n".join(head) + "\n\n\n" + "\n\n\n".join([*functions, "\n".join(known)]) + "\n"

    def _function(self) -> str:
        """The public function, which looks at its arguments."""
        positional = [name for name, _ in self._parameters if name not in self._keywords]
        given = ", ".join(positional + ["*"] * bool(self._keywords) + list(self._keywords))
        arguments = _Arguments()
        for name, x in self._parameters:
            arguments.add(name, x)
        numbers = ", ".join(arguments.numbers + ["*constants()"] * bool(self.arrays))
        named = ", ".join(f"{name!r}: {name}" for name, _ in self._parameters)
        conditions = "\n        and ".join(arguments.all_conditions()) or "True"
        decides = [
            f"    result = program({numbers})",
            "    if result is MISS:",
            f"        raise otherwise({self._name!r}, ARGUMENTS)",
            "    return result",
        ]
        lines = [
            f"def {self._name}({given}):",
            '    """Return what was recorded; raise an error for arguments that it was not recorded for."""',
            f"    if not (\n        {conditions}\n    ):",
            f"        raise refusal({self._name!r}, ARGUMENTS, {{{named}}})",
        ]
        return "\n".join(
            [*lines, *(decides if "MISS" in self._constants else [f"    return program({numbers})"])]
        )

    def _with_constants(self, program: str) -> str:
        """The program, which is given the large constants after the numbers."""
        head, _, body = program.partition("\n")
        parameters = head.removeprefix("def program(").removesuffix("):").split(", ")
        return f"def program({', '.join(filter(None, [*parameters, *self.arrays]))}):\n{body}"

    def _loading(self, program: str) -> str:
        lines, stored = [], {}
        for name, x in self.arrays.items():
            axes = sorted(range(x.ndim), key=lambda axis: -abs(x.strides[axis]))  # as they lie in memory
            stored[name] = x.transpose(axes)
            back = "" if axes == sorted(axes) else f".transpose({tuple(map(axes.index, sorted(axes)))})"
            lines.append(f"            read_only(file[{name!r}]{back}),")
        digest = hashlib.sha256(program.encode())
        for x in stored.values():
            digest.update(x.tobytes())
        self.arrays, self.fingerprint = stored, digest.hexdigest()[:16]
        file = f"{self._name}.npz"
        return "\n".join(
            [
                "@functools.cache",
                "def constants():",
                '    """Return the large constants, which are read at the first call."""',
                f"    with np.load(Path(__file__).with_name({file!r})) as file:",
                f"        if str(file['made_with']) != {self.fingerprint!r}:",
                f"            raise ValueError({f'{file} and {self._name}.py were not saved together.'!r})",
                "        return (",
                *lines,
                "        )",
            ]
        )

    def _check_names(self) -> None:
        """Refuse names of the program's that are those of something else in the module."""
        imported = {line.split()[-1] for line in self._imports}
        others = {*_OWN, *self._functions, *imported}
        parameters = [name for name, _ in self._parameters]
        mistaken = others & {self._name, *parameters, *self.arrays, *self._values}
        mistaken |= {self._name} & {*self._constants, *self.arrays}
        mistaken |= {name for name in (self._name, *parameters) if hasattr(builtins, name)}
        for name in sorted(mistaken):
            raise NotWritableError(f"a value called `{name}`, which the module needs for itself")

    # --- What the text names --------------------------------------------------------------------------------

    def _add_names(self, source: str, scope: dict[str, Any]) -> None:
        """Import, copy or write down what the names in a text stand for."""
        for name in sorted(set(_names_in(compile(source, "<saved>", "exec")))):
            if name in scope and name not in self._functions and name not in self._constants:
                self._add(name, scope[name])

    def _add(self, name: str, x: Any) -> None:
        if x is MISS:
            self._constants[name] = "object()  # returned where a value decides otherwise"
        elif isinstance(x, types.ModuleType):
            self._imports.add(f"import {x.__name__}" + (f" as {name}" if name != x.__name__ else ""))
        elif isinstance(x, types.FunctionType) and x.__module__ == in_containers.__module__:
            raise NotWritableError("a result that is a named tuple, or the tangent of an object")
        elif isinstance(x, types.FunctionType) and x.__module__.startswith(f"{__package__}."):
            self._functions[name] = re.sub("  # noqa.*", "", inspect.getsource(x)).rstrip()
            self._add_names(self._functions[name], x.__globals__)
        elif isinstance(x, np.ndarray) and not _is_short(x):
            self.arrays[name] = x
        else:
            try:
                text = literal(x)
            except NotWritableError:
                module, own = public_module(x), x.__name__
                self._imports.add(f"from {module} import {own}" + (f" as {name}" if own != name else ""))
            else:
                self._constants[name] = f"read_only({text})" if isinstance(x, np.ndarray) else text


def _names_in(code: types.CodeType) -> Iterator[str]:
    """The global names that are read in a code object, and in those within it."""
    yield from reads_of(code).names
    for within in code.co_consts:
        if isinstance(within, types.CodeType):
            yield from _names_in(within)


# Names that the module uses for itself.
_OWN = frozenset({"program", "constants", "ARGUMENTS", "MISS", "result", "laid_out", "read_only", "refusal"})

_EXPLANATION = """Values that the function read from outside stand here as they were when it was recorded.
Saved by `chainrules.ad.compiled`.
"""


def _as_documentation(text: str) -> str:
    """Text as the documentation of a module."""
    return '"""' + text.replace("\\", "\\\\").replace('"', '\\"') + '"""'


def _is_short(x: Any) -> bool:
    """Whether the text of an array is short and exact."""
    is_plain = x.dtype.kind in "fbiu" and x.dtype.itemsize <= 8 and x.flags.c_contiguous
    return bool(is_plain and 0 < x.size <= _MOST_IN_TEXT and np.all(np.isfinite(x)))


class _Arguments:
    """The conditions under which arguments are those of the recording, and the numbers and arrays in them."""

    def __init__(self) -> None:
        self.numbers: list[str] = []
        self._conditions: list[str] = []
        self._arrays: dict[int, str] = {}

    def all_conditions(self) -> list[str]:
        """The conditions, of which the last is that no array is given twice."""
        if len(self._arrays) < 2:
            return self._conditions
        ids = ", ".join(f"id({path})" for path in self._arrays.values())
        return [*self._conditions, f"len({{{ids}}}) == {len(self._arrays)}"]

    def add(self, path: str, x: Any) -> None:
        """Look into an argument that has this path."""
        cls = type(x)
        if cls is np.ndarray:
            self._add_array(path, x)
        elif isinstance(x, float | complex | np.inexact):
            self._is_of(path, cls)
            self.numbers.append(path)
        elif isinstance(x, tuple | list):
            self._is_of(path, cls)
            self._conditions.append(f"len({path}) == {len(x)}")
            for i, part in enumerate(x):
                self.add(f"{path}[{i}]", part)
        elif cls is dict:
            self._is_of(path, cls)
            keys = list(x)
            self._conditions.append(f"list({path}) == {literal(keys)}")
            if any(type(key) is not str for key in keys):  # `True == 1`
                self._conditions.append(f"list(map(repr, {path})) == {literal(list(map(repr, keys)))}")
            for key, part in x.items():
                self.add(f"{path}[{literal(key)}]", part)
        elif x is None or x is Ellipsis or cls is bool:
            self._conditions.append(f"{path} is {literal(x)}")
        else:
            self._is_of(path, cls)
            self._conditions.append(f"{path} == {literal(x)}")

    def _is_of(self, path: str, cls: type) -> None:
        self._conditions.append(f"type({path}) is {class_name(cls)}")

    def _add_array(self, path: str, x: Any) -> None:
        self._is_of(path, np.ndarray)
        known = self._arrays.setdefault(id(x), path)
        if known != path:
            self._conditions.append(f"{path} is {known}")
        self._conditions.append(f"{path}.dtype.str == {x.dtype.str!r}")
        self._conditions.append(f"{path}.shape == {x.shape}")
        self.numbers.append(f"laid_out({path}, {_order(x)!r})")
