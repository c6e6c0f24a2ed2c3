"""What code reads, and why it cannot be recorded."""

import contextlib
import math
import types

import numpy as np
import pytest
import scipy.linalg

from chainrules.ad import grad, vectorized
from chainrules.ad.interception.choosing.entering import entered
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.entering import reads_of
from chainrules.ad.recording.recorder import record_program
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.tape import NotRecordableError
from tests.chainrules.ad.recording import agreement
from tests.chainrules.ad.recording.agreement import agrees

# What is refused has a line each, which the sample is to reach.
pytestmark = pytest.mark.every_case

NUMBER = 1.0


def reads(x):
    """Names and attributes."""
    return x.shape, NUMBER


def with_a_block(x):
    """It catches nothing."""
    with contextlib.nullcontext():
        return x


def catches_one(x):
    """By its class."""
    try:
        return x()
    except ValueError:
        return 1


def catches_all(x):
    """Whatever it is."""
    with contextlib.nullcontext():
        pass
    try:
        return x()
    except:  # noqa: E722 - what is tested
        return 1


def finishes(x):
    """And goes on."""
    try:
        return x()
    finally:
        return 1  # noqa: B012, SIM107 - what is tested


def imports(x):
    """Modules, and a function of one."""
    import math  # noqa: PLC0415 - what is tested
    import os.path as paths  # noqa: PLC0415 - what is tested
    from json import dumps  # noqa: PLC0415 - what is tested

    return math.sin(x), paths, dumps


def imports_by_a_relative_name(x):
    """A module."""
    from . import agreement  # noqa: PLC0415 - what is tested

    return np.sum(x) * agreement.FACTOR


def assigns(x):
    """To a global name."""
    global NUMBER  # noqa: PLW0603 - what is tested
    NUMBER = x


def assigns_a_class(x):
    """To an instance."""
    x.__class__ = int


async def awaits(x):
    """Something."""
    return await x


def test_what_is_read():
    """Global names, and names after dots."""
    found = reads_of(reads.__code__)
    assert found.names == {"NUMBER"}
    assert "shape" in found.attributes
    assert found.reason is None
    assert reads_of(reads.__code__) is found
    assert reads_of(with_a_block.__code__).reason is None
    assert not reads_of(with_a_block.__code__).catches
    assert all(reads_of(f.__code__).catches for f in (catches_one, catches_all, finishes))
    assert not any(reads_of(f.__code__).names_errors for f in (catches_one, catches_all, finishes))
    assert all(reads_of(entered(f).__code__).names_errors for f in (raises_itself, reads_errors))
    found = reads_of(imports.__code__)
    assert found.modules == {"math", "os.path", "json"}
    assert {"path", "dumps"} <= found.attributes
    assert found.reason is None


def test_a_relative_import(monkeypatch):
    """What it brings is compared, be it another module or another value in it."""
    c = compiled(imports_by_a_relative_name, strict=True)
    for factor in (2.0, 3.0):
        monkeypatch.setattr(agreement, "FACTOR", factor, raising=False)
        assert [c(np.ones(2)), c(np.ones(3))] == [2.0 * factor, 3.0 * factor]


def matches(x):
    """Attributes in a pattern."""
    match x:
        case types.ModuleType(scale=float(factor), __name__=_):
            return factor
        case _:
            return None


def test_what_patterns_read():
    """Attributes that follow no dot."""
    assert {"scale", "__name__"} <= reads_of(entered(matches).__code__).attributes
    settings = types.ModuleType("settings")
    settings.scale = 2.0
    c = compiled(lambda x: x * matches(settings), strict=True)
    assert [c(3.0), c(2.0)] == [6.0, 4.0]
    settings.scale = 5.0
    assert [c(3.0), c(2.0)] == [15.0, 10.0]


def test_what_code_of_a_package_reads(tmp_path):
    """Its twin has hooks in the place of attributes; what is read is the same."""
    file = tmp_path / "site-packages" / "package.py"
    file.parent.mkdir()
    file.write_text("def f(x):\n    return x.real * SETTINGS.scale\n\ndef g(x):\n    return x.__dict__\n")
    names = {}
    exec(compile(file.read_text(), str(file), "exec"), names)  # noqa: S102 - a module
    assert {"real", "scale"} <= reads_of(entered(names["f"]).__code__).attributes
    assert "__dict__" in reads_of(entered(names["g"]).__code__).reason[0]


def test_what_code_beside_a_long_expression_reads(tmp_path, monkeypatch):
    """Its twin has no tests of plain values either; what it reads is compared."""
    terms = " + ".join(["x[0] * x[1]"] * 300)
    file = tmp_path / "long_expression.py"
    reading = "def f(x, s):\n    return x.dot(x) * s.scale\n"
    file.write_text(f"{reading}\ndef g(x):\n    return {terms}\n")
    names, settings = {}, types.ModuleType("settings")
    exec(compile(file.read_text(), str(file), "exec"), names)  # noqa: S102 - a module
    settings.scale = 2.0
    f = names["f"]
    g = grad(lambda x: f(x, settings))
    c, x = compiled(g, strict=True), np.ones(3)
    for scale in (2.0, 5.0):
        monkeypatch.setattr(settings, "scale", scale)
        for _ in range(3):
            np.testing.assert_array_equal(c(x), g(x))


@pytest.mark.parametrize(
    ("f", "reason"),
    [
        (assigns, "assigns"),
        (awaits, "awaits"),
        (lambda x: eval(x), "text"),
        (lambda x: x.__dict__, "__dict__"),
        (assigns_a_class, "__class__"),
    ],
)
def test_what_is_refused(f, reason):
    """With the reason."""
    assert reason in reads_of(f.__code__).reason[0]


TABLE = {"a": 2.0}


def factor_or_sum(x):
    """An error of NumPy's."""
    try:
        factor = np.linalg.cholesky(np.array([[1.0, 0.3], [0.3, 1.0]]) * x[0])
    except np.linalg.LinAlgError:
        return np.sum(x)
    return np.sum(factor * x[1])


def is_definite(x):
    """Nobody needs the result of what may fail."""
    try:
        np.linalg.cholesky(np.eye(2) * x[0])
        scale = 1.0
    except np.linalg.LinAlgError:
        scale = 3.0
    return np.sum(x * x) * scale


def shifted_until_it_succeeds(x):
    """Some attempts."""
    for k in range(3):
        try:
            factor = np.linalg.cholesky(np.outer(x, x) + 10.0**k * x[0] * np.eye(len(x)))
            break
        except np.linalg.LinAlgError:
            continue
    else:
        return np.sum(x)
    return np.sum(factor)


def reads_beyond(x):
    """A position that depends on a value, and that nobody needs."""
    i = np.argsort(x) + (x[0] > 1.0) * 5
    try:
        x[i]
        scale = 1.0
    except IndexError:
        scale = 2.0
    return np.sum(x * x) * scale


def writes_beyond(x):
    """The same of an array that nobody reads."""
    y, i, scale = np.zeros(3), np.argsort(x) + (x[0] > 1.0) * 5, 1.0
    try:
        y[i] = 1.0
    except IndexError:
        scale = 2.0
    return np.sum(x * x) * scale


def stops_at_warnings(x):
    """NumPy's warnings are errors inside."""
    with np.errstate(all="raise"):
        try:
            y = np.exp(x)
        except FloatingPointError:
            y = x
    return np.sum(y)


def tells_classes_apart(x):
    """An error that has a class of its own, above that of another one."""
    try:
        y = scipy.linalg.cholesky(np.diag(x))
    except np.linalg.LinAlgError:
        y = 2.0 * x
    except ValueError:  # it is not finite
        y = np.ones(3)
    return np.sum(y * y)


def reads_errors(x):
    """What an error says depends on values."""
    try:
        y = np.sum(scipy.linalg.cholesky(np.diag(x)))
    except ValueError as error:
        y = np.sum(x) * (2.0 if "2" in error.args[0] else 3.0)
    return y


def raises_itself(x):
    """By a value, and by a key."""
    try:
        if x[0] < 0.0:
            raise ValueError("negative")  # noqa: TRY301 - what is tested
        y = np.sum(x) * TABLE["b"]
    except ValueError as error:
        y = np.sum(x * x) * len(error.args)
    except KeyError:
        y = np.sum(x) * TABLE["a"]
    finally:
        y = y * 2.0
    return y


POINTS = [(np.array(x),) for x in ([0.5, 2.0, 1.0], [-0.5, 2.0, 1.0], [1.5, 0.0, -1.0], [2000.0, 1.0, -3.0])]


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize(
    "f",
    [
        factor_or_sum,
        is_definite,
        shifted_until_it_succeeds,
        reads_beyond,
        writes_beyond,
        stops_at_warnings,
        raises_itself,
        tells_classes_apart,
        reads_errors,
    ],
)
def test_programs_that_catch_exceptions(f, first):
    """Whatever is raised is a decision, wherever the program was recorded first."""
    points = POINTS[first:] + POINTS[:first]
    for g in (f, grad(f)):
        assert agrees(g, points, most_variants=8).variants.refusals == ()


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("f", [tells_classes_apart, reads_errors])
def test_what_errors_are(f, first):
    """Their very class decides, and what they say where a program may ask for that."""
    diagonals = [1.0, 2.0, np.nan], [1.0, -2.0, 1.0], [-1.5, 1.0, -1.0], [1.0, 1.0, 3.0]
    points = [(np.array(x),) for x in diagonals]
    c = agrees(f, points[first:] + points[:first], most_variants=8)
    assert len(c.variants) == (4 if f is reads_errors else 3)


def divided(x):
    """Python's own numbers raise."""
    try:
        y = 1.0 / x
    except ZeroDivisionError:
        y = 5.0 * x
    return y * x * x


def logarithm(x):
    """The same of functions of `math`."""
    try:
        y = math.log(x)
    except ValueError:
        y = math.log(-x) if x < 0.0 else x
    return y * 2.0


def squared(x):
    """Powers are too large, where products are infinite."""
    try:
        y = x**2
    except OverflowError:
        return 5.0 * x
    return y * 3.0


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("f", [divided, logarithm, squared])
def test_numbers_and_exceptions(f, first):
    """As of arrays."""
    points = [(0.5,), (-0.5,), (0.0,), (1e200,)]
    for g in (f, grad(f)):
        agrees(g, points[first:] + points[:first], most_variants=8)


def test_exceptions_and_donated_memory():
    """An error behind a write into it could not be caught, so that nothing is written there."""

    def f(x):
        y = x * 2.0
        try:
            np.linalg.cholesky(y[:2, :2])
        except np.linalg.LinAlgError:
            y = x * 3.0
        return y

    x = np.eye(400)
    donating, plain = compiled(f, strict=True, donate=True), compiled(f, strict=True)
    for sign in (1.0, 1.0, 1.0, -1.0, 1.0):
        np.testing.assert_array_equal(donating(sign * x), f(sign * x))
        np.testing.assert_array_equal(plain(sign * x), f(sign * x))


def test_exceptions_of_items():
    """Of many items, some may raise."""
    with pytest.raises((CompilationError, TypeError), match="catches exceptions"):
        vectorized(is_definite)(np.ones((4, 3)))


def swallows(x):
    """All errors, twice."""
    try:
        try:
            print("called")
        except Exception:  # noqa: BLE001 - what is tested
            TABLE["a"] = 7.0
            TABLE["c"] = np.sum(x)
    except Exception:  # noqa: BLE001 - what is tested
        TABLE["d"] = 8.0
    return x


def test_refusals_that_a_program_catches(capsys):
    """They are remembered, and nothing has happened."""
    with pytest.raises(NotRecordableError, match="it calls `print`"):
        record_program(swallows, (1.0,), {})
    assert TABLE == {"a": 2.0}
    assert capsys.readouterr().out == ""
