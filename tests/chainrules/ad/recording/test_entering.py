"""What code reads, and why it cannot be recorded."""

import contextlib

import pytest

from chainrules.ad.interception.choosing.entering import entered
from chainrules.ad.recording.entering import reads_of

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

    return agreement, x


def assigns(x):
    """To a global name."""
    global NUMBER  # noqa: PLW0603 - what is tested
    NUMBER = x


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
    found = reads_of(imports.__code__)
    assert found.modules == {"math", "os", "os.path", "json"}
    assert {"path", "dumps"} <= found.attributes
    assert found.reason is None


def test_what_code_of_a_package_reads(tmp_path):
    """Its twin has hooks in the place of attributes; what is read is the same."""
    file = tmp_path / "site-packages" / "package.py"
    file.parent.mkdir()
    file.write_text("def f(x):\n    return x.real * SETTINGS.scale\n\ndef g(x):\n    return x.__class__\n")
    names = {}
    exec(compile(file.read_text(), str(file), "exec"), names)  # noqa: S102 - a module
    assert {"real", "scale"} <= reads_of(entered(names["f"]).__code__).attributes
    assert "__class__" in reads_of(entered(names["g"]).__code__).reason[0]


@pytest.mark.parametrize(
    ("f", "reason"),
    [
        (catches_one, "catches"),
        (catches_all, "catches"),
        (finishes, "catches"),
        (imports_by_a_relative_name, "relative"),
        (assigns, "assigns"),
        (awaits, "awaits"),
        (lambda x: eval(x), "text"),
        (lambda x: x.__class__, "__class__"),
    ],
)
def test_what_is_refused(f, reason):
    """With the reason."""
    assert reason in reads_of(f.__code__).reason[0]
