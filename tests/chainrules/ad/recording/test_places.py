"""Whose code is recorded: the user's, and that of installed packages as far as a program calls it."""

import contextlib
import functools
import importlib
import inspect
import sys
import types
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import plum
import pytest

from chainrules.ad import grad
from chainrules.ad.recording import recorder
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.places import (
    is_nobodys_file,
    is_of_package,
    is_users,
    is_users_class,
    is_users_file,
    packages_looked_into,
    user_place,
)
from chainrules.ad.recording.recorder import record_program
from chainrules.ad.recording.refused import CompilationError, CompilationWarning
from chainrules.ad.recording.tape import NotRecordableError
from chainrules_core import rrule, typeof_
from tests.chainrules.ad.recording.agreement import agrees
from tests.chainrules.ad.recording.writing_programs import PROGRAMS_OF_ARRAYS, WRITING

X = np.array([0.3, -1.2, 2.1, 0.7])

INSIDE = """
import numpy as np

COEFFICIENTS = np.array([1.0, 2.0, 3.0])


def polynomial(t):
    y = 0.0
    for c in COEFFICIENTS:
        y = y * t + c
    return y
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A package that is installed."""
    folder = tmp_path_factory.mktemp("environment") / "site-packages"
    (folder / "installed_package").mkdir(parents=True)
    (folder / "installed_package" / "__init__.py").write_text(
        Path(__file__).with_name("packaged_programs.py").read_text(encoding="utf-8")
    )
    (folder / "installed_package" / "inside.py").write_text(INSIDE)
    (folder / "torch").mkdir()
    (folder / "torch" / "installed_framework.py").write_text("def twice(x):\n    return x * 2.0\n")
    sys.path.insert(0, str(folder))
    yield importlib.import_module("installed_package")
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == "installed_package"]:
        del sys.modules[name]


def test_the_users_line():
    """It stands in a file that is neither a library's nor ours."""
    assert user_place()[0] == __file__
    assert is_users_file(__file__)
    assert not is_users_file(np.__file__)


def parts_of(x):
    """A generator that goes on in between."""
    yield x * 2.0
    yield np.sin(x) * 3.0


@contextlib.contextmanager
def scaled(x, factor):
    """A block that goes on, however it ends."""
    try:
        yield x * factor
    except ArithmeticError:
        x.sum()
    finally:
        x.mean()


def in_many_frames(x):
    """Operations here, in functions, generators and blocks, and here again."""

    def inner(y):
        return np.cos(y) if y.sum() > 0.0 else np.sin(y)

    parts = parts_of(x)
    total = next(parts) + inner(x)
    total = total + next(parts)
    with scaled(x, 2.0) as y:
        total = total + inner(y) * y
        raise ArithmeticError
    with contextlib.suppress(ValueError):
        total = total * sum(np.exp(part) for part in x)
        total = total + [inner(part) for part in (x, -x)][1]
        raise ValueError
    return np.sum(functools.reduce(lambda a, b: a + b * x, [total, x, x])) + grad(lambda t: t * t)(x[0])


# One goes through a set of objects, in the order of their addresses.
OTHERS = [f for name, f in PROGRAMS_OF_ARRAYS.items() if name != "reverse_mode_by_hand"]


@pytest.mark.parametrize("f", [in_many_frames, *OTHERS, *WRITING])
def test_the_line_of_each_operation(f, monkeypatch):
    """It is found as quickly by the latest one as by all frames."""
    x = np.array([1.0, 2.0, 3.0])
    args = (x, X[1:]) if f in WRITING else (x,)
    grad(f)(*args)  # classes are given what their instances are copied by
    places = []
    for told in (recorder.entries_told, contextlib.nullcontext):
        monkeypatch.setattr(recorder, "entries_told", told)
        try:
            places.append([step.place for step in record_program(grad(f), args, {}).tape.steps])
        except NotRecordableError as error:
            places.append(error.args)
    assert places[0] == places[1]


def test_files_that_are_nobodys(package):
    """Ours, NumPy's and Python's, whatever is looked into: not those of packages, nor text."""
    for are_they in (False, True, False):
        with packages_looked_into(are_they):
            for file in (inspect.getfile(user_place), np.__file__, functools.__file__, inspect.__file__):
                assert is_nobodys_file(file)
            for file in (__file__, package.__file__, "<string>", "<doctest>"):
                assert not is_nobodys_file(file)


def test_where_no_line_is_the_users():
    """A pool of threads begins in Python's own code."""
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(user_place).result() is None


def test_packages_that_are_looked_into(package):
    """Their code counts as the user's inside; not that of NumPy, of Python, or of what we need."""
    parts = [package.energy, package.Model(1.0).loss, functools.partial(package.energy), package.Model]
    others = [np.fft.fftshift, np.mean, np.poly1d, functools.wraps, plum.dispatch, plum.Function, grad, len]
    assert all(map(is_of_package, parts))
    assert not any(map(is_of_package, others))
    for are_they in (True, False):
        with packages_looked_into(are_they):
            assert is_users(package.energy) is are_they
            assert is_users_class(package.Model) is are_they
            assert is_users_file(package.__file__) is are_they
            assert not is_users(functools.wraps)
            assert not is_users_class(np.poly1d)
            assert not is_users_file(plum.__file__)
            assert is_users(test_the_users_line)
    assert not is_users_file(package.__file__)


PROGRAMS = {
    "function": lambda p: p.energy,
    "decorated": lambda p: p.decorated,
    "class": lambda p: p.fitted,
    "special methods": lambda p: p.vectors,
    "method": lambda p: p.Model(1.5).loss,
    "object": lambda p: p.Vector(np.arange(4.0)),
    "partial": lambda p: functools.partial(p.applied, p.energy),
    "own function in it": lambda p: lambda x: p.applied(lambda y: np.sum(y * x[0]), x),
    "own program": lambda p: lambda x: p.energy(x) * x[0] + p.Model(x[1]).loss(x) + p.Vector(x)(x),
    "mapped": lambda p: lambda x: sum(map(p.decorated, [x, 2.0 * x])),
}


@pytest.mark.every_case
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_that_call_a_package(package, name):
    """Functions, classes, methods and objects, by themselves and within a program of the user's."""
    c = agrees(grad(PROGRAMS[name](package)), [(X,), (2.0 * X,), (-X,)])
    assert [len(c.variants), c.variants.refusals] in ([1, ()], [2, ()])


def test_a_program_names_the_lines_of_the_package(package):
    """They stand in front of what comes from them."""
    text = compiled(package.decorated, strict=True).source(X)
    assert "f(*args) * SCALE" in text


@pytest.mark.every_case
@pytest.mark.parametrize(
    "change",
    [
        lambda p, patch: patch.setattr(p, "SCALE", -1.0),
        lambda p, patch: patch.setattr(p, "polynomial", np.sin),
        lambda p, patch: patch.setattr(sys.modules[p.polynomial.__module__], "COEFFICIENTS", np.ones(5)),
        lambda p, patch: patch.setitem(p.TABLE, "a", [3.0, 7.0]),
        lambda p, patch: p.TABLE["a"].append(0.0),
        lambda p, patch: patch.setattr(p, "energy", lambda x: np.sum(x)),
        lambda p, patch: patch.setattr(p.energy, "__code__", (lambda x: np.sum(np.cos(x))).__code__),
        lambda p, patch: patch.setattr(p.Model, "penalty", staticmethod(np.sum)),
        lambda p, patch: patch.setattr(p.Model, "half", property(lambda self: self.k * 5.0)),
        lambda p, patch: patch.setattr(p.Vector, "__call__", lambda self, y: np.sum(y)),
        lambda p, patch: patch.setattr(p.Vector, "__neg__", lambda self: self),
        lambda p, patch: patch.setattr(p.decorated, "__wrapped__", np.sum),
        lambda p, patch: patch.setattr(p.MODEL, "k", 11.0),
        lambda p, patch: patch.setattr(p.MODEL, "shift", np.sin(X)),
        lambda p, patch: p.MODEL.shift.__setitem__(2, 11.0),
    ],
)
def test_changes_in_a_package(package, monkeypatch, change):
    """What its code reads from outside is recorded anew where it is another one."""
    monkeypatch.setattr(package, "MODEL", package.Model(1.5), raising=False)

    def f(x):
        return (
            package.energy(x)
            + package.fitted(x)
            + package.vectors(x)
            + package.decorated(x)
            + package.MODEL.loss(x)
        )

    c = compiled(grad(f), strict=True)
    for _ in range(2):
        for x in (X, 2.0 * X):
            np.testing.assert_allclose(c(x), grad(f)(x), rtol=1e-13)
    with monkeypatch.context() as patch:
        change(package, patch)
        for x in (X, 2.0 * X):
            np.testing.assert_allclose(c(x), grad(f)(x), rtol=1e-13)
    for x in (X, 2.0 * X):
        np.testing.assert_allclose(c(x), grad(f)(x), rtol=1e-13)


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("f", "change"),
    [
        (lambda p: p.Model.k, lambda p, patch: patch.setattr(p.Model, "k", 9.0)),
        (lambda p: p.Longer.scale, lambda p, patch: patch.setattr(p.Longer, "scale", 9.0, raising=False)),
        (lambda p: p.Vector.table[0], lambda p, patch: p.Vector.table.__setitem__(0, 9.0)),
        (lambda p: p.energy.scale, lambda p, patch: patch.setattr(p.energy, "scale", 9.0)),
        (
            lambda p: getattr(p.Model, "missing", 1.0),
            lambda p, patch: patch.setattr(p.Model, "missing", 9.0, raising=False),
        ),
        (
            lambda p: getattr(p.fitted, "missing", 1.0),
            lambda p, patch: patch.setattr(p.fitted, "missing", 9.0, raising=False),
        ),
    ],
)
def test_attributes_that_are_read_and_not_called(package, monkeypatch, f, change):
    """Those of classes and functions are compared, whether their code is looked into or not."""
    monkeypatch.setattr(package.Vector, "scale", 2.0, raising=False)
    monkeypatch.setattr(package.Vector, "table", [2.0], raising=False)
    monkeypatch.setattr(package.energy, "scale", 2.0, raising=False)
    c = compiled(lambda x: x * f(package), strict=True)
    for _ in range(3):
        np.testing.assert_array_equal(c(X), X * f(package))
    change(package, monkeypatch)
    for _ in range(3):
        np.testing.assert_array_equal(c(X), X * 9.0)


def test_objects_of_a_package_as_arguments(package):
    """A program is recorded for each, and their attributes are compared."""
    c = compiled(lambda model, x: grad(model.loss)(x), strict=True)
    first, second = package.Model(1.5), package.Model(0.5)
    for model in (first, second, first):
        np.testing.assert_allclose(c(model, X), grad(model.loss)(X))
    first.k = 7.0
    np.testing.assert_allclose(c(first, X), grad(first.loss)(X))
    assert len(c.variants) == 2


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("f", "reason"),
    [
        (lambda p: lambda x: np.sum(x) * p.SEARCHING.k, "__getattr__"),
        (lambda p: p.counting, "list"),
        (lambda p: p.talking, "print"),
        (lambda p: p.in_c, "crc32"),
        (lambda p: p.solved, "dual_annealing"),
        (lambda p: lambda x: np.sum(x) * p.SETTINGS.scale, "SimpleNamespace"),
        (lambda p: lambda x: np.sum(x) * p.made, "a module makes what is read of it, by `__getattr__`"),
    ],
)
def test_what_is_refused_in_a_package(package, f, reason):
    """The same as in the user's own code, with the line in the package."""
    package.CALLS.clear()
    with pytest.raises(CompilationError, match=reason):
        compiled(grad(f(package)), strict=True)(X)
    assert not package.CALLS


def test_effects_in_a_package(package):
    """A function that has some runs as it is written, each time."""
    package.CALLS.clear()
    c = compiled(package.counting)
    with pytest.warns(CompilationWarning, match=r"installed_package.__init__.py, line"):
        c(X)
    for _ in range(3):
        c(X)
    assert len(package.CALLS) == 4


def test_rules_for_a_function_of_a_package(package):
    """It is recorded, as a function of the user's with a rule of the user's."""

    @rrule.dispatch
    def ruled_rrule(f: typeof_(package.ruled), x: np.ndarray):
        return np.sum(x * x), lambda y_bar: (None, 5.0 * x * y_bar)

    c = compiled(grad(lambda x: package.ruled(x)), strict=True)
    np.testing.assert_allclose(c(X), 5.0 * X)
    np.testing.assert_allclose(c(2.0 * X), 10.0 * X)


@pytest.mark.parametrize("whose", ["the package's", "a primitive", "the user's"])
def test_rules_of_a_package(package, monkeypatch, whose):
    """They are looked into, whosever function they are for: what they read may change."""
    ours = package.given_rule(lambda x: 2.0 * x)
    f = {"the package's": package.sloped, "a primitive": package.primitive_sloped}.get(whose, ours)

    def program(x):
        return np.sum(f(x) * x)

    c = agrees(grad(program), [(X,), (2.0 * X,)])
    monkeypatch.setattr(package, "SCALE", 7.0)
    for _ in range(2):
        np.testing.assert_array_equal(c(X), grad(program)(X))
    monkeypatch.setitem(package.TABLE, "a", [3.0, 5.0])
    np.testing.assert_array_equal(c(X), grad(program)(X))


def test_second_derivatives_by_rules_of_a_package(package):
    """They are entered, whether the package is installed or not."""
    slope = grad(grad(package.wave))
    assert slope(1.0) == -np.sin(1.0)
    agrees(slope, [(1.0,), (2.0,)])


def test_what_is_not_called(package):
    """A package within reach is not looked into, so that nothing in it can be a reason to refuse."""

    def f(x):
        return x if isinstance(x, package.Slotted) else np.sum(x * x)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agrees(grad(f), [(X,), (2.0 * X,)])
    recording = record_program(f, (X,), {})
    assert package.Slotted not in [cls for cls, *_ in recording.surroundings.classes]


def test_frameworks(package):
    """They are refused by name, as ever."""
    path = Path(package.__file__).parents[1] / "torch" / "installed_framework.py"
    module = types.ModuleType("installed_framework")
    exec(compile(path.read_text(), str(path), "exec"), vars(module))  # noqa: S102 - a module
    assert not is_of_package(module.twice)
    with pytest.raises(NotRecordableError, match="it calls `twice`, which is not known"):
        record_program(lambda x: module.twice(x), (X,), {})
