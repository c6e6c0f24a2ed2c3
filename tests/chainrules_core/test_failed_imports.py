"""Warnings for modules that could not be imported."""

import importlib

import pytest

from chainrules_core.failed_imports import warn_of_failed_import


@pytest.mark.parametrize(
    ("files", "said", "place"),
    [
        ({"outer": "import math\n\nfrom math import no_such\n"}, "at {outer}:3", ("outer", 3)),
        ({"outer": "x = (\n"}, "SyntaxError: .*, at {outer}:1", ("outer", 1)),
        (
            {"outer": "\nimport inner\n", "inner": "\n\n1 / 0\n"},
            "ZeroDivisionError: division by zero, at {inner}:3, imported at {outer}:2",
            ("inner", 3),
        ),
        (
            {"outer": "import no_such_module\n"},
            "No module named 'no_such_module', at {outer}:1",
            ("outer", 1),
        ),
    ],
)
def test_the_line_is_named(files, said, place, tmp_path, monkeypatch):
    """It is that of the import that failed, and that of the module which was to be imported."""
    monkeypatch.syspath_prepend(tmp_path)
    names = {name: f"{name}_{tmp_path.name}".replace("-", "_") for name in files}
    paths = {name: tmp_path / f"{names[name]}.py" for name in files}
    for name, text in files.items():
        paths[name].write_text(text.replace("import inner", f"import {names.get('inner')}"))
    with pytest.raises(Exception) as caught:  # noqa: PT011 - of any kind
        importlib.import_module(names["outer"])
    with pytest.warns(UserWarning, match=f"It failed: .*{said.format(**paths)}") as warned:
        warn_of_failed_import("It failed", names["outer"], caught.value, UserWarning)
    assert (warned[0].filename, warned[0].lineno) == (str(paths[place[0]]), place[1])


def test_there_is_no_such_module():
    """Then there is no line."""
    with pytest.raises(ModuleNotFoundError) as caught:
        importlib.import_module("no_such_module")
    with pytest.warns(UserWarning, match=r"It failed: .* No module named 'no_such_module'$"):
        warn_of_failed_import("It failed", "no_such_module", caught.value, UserWarning)
    with pytest.warns(UserWarning, match=r"It failed: OSError: $"):
        warn_of_failed_import("It failed", "no_such_module", OSError(), UserWarning)
