"""Whatever a program reads from outside may change between two calls."""

import abc
import array
import dataclasses
import numbers
import sys
import types
import typing
import warnings

import numpy as np
import pytest
import scipy.fft
import scipy.special

from chainrules.ad import grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError, CompilationWarning
from chainrules_core import primitive, rrule, typeof_

X = np.array([0.3, -1.2, 2.1, 0.7])


class Model:
    """An object with attributes."""

    scale = 2.0

    def __init__(self):
        self.w = np.ones(4)
        self.options = {"power": 2}

    def loss(self, x):
        """Reads all of them."""
        return np.sum(self.w * x ** self.options["power"]) * self.scale


FACTOR = 2.0
TABLE = {"a": [1.0, 2.0]}
SETTINGS = types.ModuleType("settings")


def reading_globals(x, k=3.0):
    """Reads names and items of containers, and a default."""
    return np.sum(x * x) * FACTOR + TABLE["a"][1] * np.sum(x) * k


def test_globals_and_defaults(monkeypatch):
    """Names that are bound anew, items that are replaced, other defaults and other code."""
    g = grad(reading_globals)
    c = compiled(g, strict=True)
    other = (lambda x, k=1.0: np.sum(np.sin(x))).__code__
    for change in (
        lambda: None,
        lambda: monkeypatch.setitem(globals(), "FACTOR", -1.0),
        lambda: monkeypatch.setitem(TABLE, "a", [5.0, 6.0]),
        lambda: TABLE["a"].__setitem__(1, -0.5),
        lambda: monkeypatch.setattr(reading_globals, "__defaults__", (7.0,)),
        lambda: monkeypatch.setattr(reading_globals, "__code__", other),
        lambda: monkeypatch.setattr(np, "sin", np.cos),
    ):
        change()
        for x in (X, 2 * X):
            np.testing.assert_array_equal(c(x), g(x))


def test_attributes_of_objects():
    """Attributes, those of the class, what they hold, methods, and another class."""
    model = Model()
    g = grad(model.loss)
    c = compiled(g, strict=True)

    class Other(Model):
        scale = 11.0

    changes = [
        lambda: None,
        lambda: setattr(model, "w", np.arange(4.0)),
        lambda: model.w.__setitem__(2, -3.0),
        lambda: model.options.update(power=3),
        lambda: setattr(model, "scale", 5.0),
        lambda: delattr(model, "scale"),
        lambda: setattr(Model, "scale", 7.0),
        lambda: setattr(model, "__class__", Other),
    ]
    try:
        for change in changes:
            change()
            for x in (X, 2 * X, X):
                np.testing.assert_array_equal(c(x), g(x))
    finally:
        Model.scale = 2.0


def importing(x):
    """Reads a module, and a name of it, that it imports by itself."""
    import settings_of_a_program  # noqa: PLC0415 - what is tested
    from settings_of_a_program import factor  # noqa: PLC0415 - what is tested

    return np.sum(x * x * settings_of_a_program.data) * factor


def test_imports_in_functions(monkeypatch):
    """Names of the module that are bound anew, its arrays, and another module of that name."""
    c, g = compiled(grad(importing), strict=True), grad(importing)
    with pytest.raises(ModuleNotFoundError):
        c(X)
    module, other = (types.ModuleType("settings_of_a_program") for _ in range(2))
    module.factor, module.data, other.factor, other.data = 2.0, np.ones(4), 5.0, X.copy()
    for change in (
        lambda: monkeypatch.setitem(sys.modules, "settings_of_a_program", module),
        lambda: monkeypatch.setattr(module, "factor", 3.0),
        lambda: monkeypatch.setattr(module, "data", np.arange(4.0)),
        lambda: module.data.__setitem__(0, 7.0),
        lambda: monkeypatch.setitem(sys.modules, "settings_of_a_program", other),
    ):
        change()
        for x in (X, 2 * X):
            np.testing.assert_array_equal(c(x), g(x))


def test_cells_and_arrays():
    """Variables of functions around it, and arrays that are written into, also by a view."""
    data, scale = np.arange(4.0), 1.5

    def loss(x):
        return np.sum(x * data * scale) + data.max() * np.sum(x)

    def change():
        nonlocal scale
        scale = -2.0

    g = grad(loss)
    c = compiled(g, strict=True)
    view = data[1:]
    for happen in (lambda: None, change, lambda: view.__setitem__(0, 100.0), lambda: data.fill(np.nan)):
        happen()
        for x in (X, 2 * X):
            np.testing.assert_array_equal(c(x), g(x))


def test_signs_of_zeros_and_classes_of_numbers(monkeypatch):
    """A value that is equal, but not the same."""
    f = lambda x: np.sum(np.arctan2(x, FACTOR) + np.copysign(1.0, FACTOR) * x)  # noqa: E731 - as users write them
    c = compiled(f, compare=False)
    for value in (0.0, -0.0, 0, np.float64(-0.0), np.nan, np.float32(2.0), 2, True):
        monkeypatch.setitem(globals(), "FACTOR", value)
        np.testing.assert_array_equal(c(X), f(X))


class Half(float):
    """A number with attributes."""


def test_what_cannot_be_seen():
    """Objects of kinds that are not known here are refused, however they are reached."""
    for held in (Half(2.0), iter([1]), array.array("d", [1.0]), bytearray(1), np.ma.ones(2), open):
        for hidden in (held, [held], {"a": (held,)}):

            def f(x, hidden=hidden):
                return np.sum(x) * (hidden is not None)

            if held is open:
                assert compiled(f, strict=True)(X) == f(X)  # it is not called
            else:
                with pytest.raises(
                    CompilationError, match=r"changes cannot be seen|__slots__|array of|derived from"
                ):
                    compiled(f, strict=True)(X)


@pytest.mark.parametrize(
    "of_types",
    [int | None, typing.Union["Model", None], typing.Literal[1], typing.Callable, typing.TypeVar("T")],
)
def test_types_for_annotations(of_types):
    """A program may name them, as an array library does that converts by default to a dtype of its own."""

    def f(x):
        return np.sum(x) * (of_types is not None)

    assert compiled(f, strict=True)(X) == f(X)


class Scaled(typing.Protocol):
    """A class of a class of the module of annotations."""

    factor = 2.0


def test_protocols_have_attributes():
    """Which may change, as those of other classes."""
    with pytest.raises(CompilationError, match="class Scaled, which has a metaclass"):
        compiled(lambda x: np.sum(x) * Scaled.factor, strict=True)(X)


def test_operations_that_write_into_what_they_are_given():
    """Their results would be right once."""
    f = lambda x: np.nan_to_num(np.sqrt(x) * 1.0, copy=False).sum()  # noqa: E731 - as users write them
    c = compiled(f)
    for x in (X, np.abs(X), X):
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore", CompilationWarning)
            assert c(x) == f(x)


def test_modules_with_functions_of_scipy_fft():
    """They are of a class in C that has no file, and are met since `np.fft` has the same name."""
    f = lambda x: np.sum(np.abs(np.fft.fft(x)) ** 2) * scipy.special.gamma(2.0)  # noqa: E731 - as users write them
    c = compiled(grad(f), strict=True)
    for x in (X, 2.0 * X):
        np.testing.assert_allclose(c(x), grad(f)(x))


def test_locked_arrays():
    """A program may ask whether an array can be written into."""
    table = np.ones(4)
    f = lambda x: np.sum(x * table) if table.flags.writeable else np.sum(x * x)  # noqa: E731 - as users write them
    c = compiled(grad(f), strict=True)
    for is_writeable in (True, False, True):
        table.flags.writeable = is_writeable
        for x in (X, 2.0 * X, X):
            np.testing.assert_array_equal(c(x), grad(f)(x))


def test_rules_that_are_registered_later():
    """They are met by what was recorded before."""

    @primitive
    def square(x):
        return x * x

    @rrule.dispatch
    def square_rrule(f: typeof_(square), x):
        return x * x, lambda y_bar: (None, 2.0 * x * y_bar)

    f = lambda x: np.sum(np.sinh(x))  # noqa: E731 - as users write them
    c = compiled(grad(f), strict=True)
    c(X)
    assert len(c.variants) == 1

    @rrule.dispatch
    def other_rrule(f: typeof_(square), x: float):
        return x * x, lambda y_bar: (None, 2.0 * x * y_bar)

    np.testing.assert_array_equal(c(X), grad(f)(X))
    assert c.variants[0].calls == 0


def two_parts():
    """Made for each instance; it reads a name."""
    return [FACTOR, 3.0]


@dataclasses.dataclass
class Made:
    """What a program makes, with defaults that are made anew."""

    x: np.ndarray
    kept: list = dataclasses.field(default_factory=list)
    by_name: dict = dataclasses.field(default_factory=dict, kw_only=True)
    parts: list = dataclasses.field(default_factory=two_parts)
    start: np.ndarray = dataclasses.field(default_factory=lambda: np.zeros(4))
    power: int = 2

    def __post_init__(self):
        self.kept.append(self.x[0])


def making_dataclasses(x):
    """Makes two, and writes into what they hold."""
    first, second = Made(x), Made(x * 2.0, power=3)
    first.by_name["y"] = x[1]
    second.start[1] += first.kept[0] * len(first.kept + second.kept)
    first.parts[1] = first.parts[1] * x[2]
    total = np.sum(first.x**first.power) + np.sum(second.x**second.power) + np.sum(second.start * x)
    return (
        total + first.parts[0] * first.parts[1] + second.parts[1] + first.by_name["y"] + len(second.by_name)
    )


def test_dataclasses_that_a_program_makes(monkeypatch):
    """Factories are called anew for each; other code of one, and what it reads, is noticed."""
    g = grad(making_dataclasses)
    c = compiled(g, strict=True)
    for change in (
        lambda: None,
        lambda: monkeypatch.setitem(globals(), "FACTOR", -1.5),
        lambda: monkeypatch.setattr(two_parts, "__code__", (lambda: [0.25, 4.0]).__code__),
        lambda: monkeypatch.setattr(Made, "__post_init__", lambda self: self.kept.append(self.x[3])),
        lambda: monkeypatch.setattr(Made, "power", 5),  # which the function that is generated does not read
    ):
        change()
        for x in (X, 2 * X, X):
            assert np.allclose(c(x), g(x), rtol=1e-13)


class OwnError(ValueError):
    """What a program raises."""


KEPT_ERROR = OwnError(2.0)


def test_errors_from_outside():
    """A program may raise its own; what an error holds is in no dict."""

    def f(x):
        try:
            if x[0] > 1.0:
                raise OwnError("large")  # noqa: TRY301 - what is tested
            return np.sum(x)
        except OwnError:
            return np.sum(x * x)

    c = compiled(grad(f), strict=True)
    for x in (X, 10.0 * X, X):
        np.testing.assert_array_equal(c(x), grad(f)(x))
    with pytest.raises(CompilationError, match="instance of OwnError"):
        compiled(lambda x: np.sum(x) * KEPT_ERROR.args[0], strict=True)(X)


class Abstract(abc.ABC):  # noqa: B024 - what is tested
    """A class that others are registered with."""


@pytest.mark.parametrize("cls", [Abstract, numbers.Real])
def test_classes_that_are_registered(cls):
    """Whose instances they have is another answer then."""

    class Own:
        """It is registered with that one."""

    own = Own()
    c = compiled(lambda x: 2.0 * x if isinstance(own, cls) else x, strict=True)
    for _ in range(3):
        np.testing.assert_array_equal(c(X), X)
    cls.register(Own)
    for _ in range(3):
        np.testing.assert_array_equal(c(X), 2.0 * X)


SHARED = []


@dataclasses.dataclass
class Sharing:
    """All instances have one list."""

    items: list = dataclasses.field(default_factory=lambda: SHARED)


def test_dataclasses_that_share_a_list():
    """What is appended to it is seen from outside."""

    def f(x):
        Sharing().items.append(1.0)
        return np.sum(x * x)

    with pytest.raises(CompilationError, match="`append` of a list from outside"):
        compiled(grad(f), strict=True)(X)
    assert not SHARED
